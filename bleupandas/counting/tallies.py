"""Tallies: n-grams summed over rows."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.common import Errors
from bleupandas.counting.ngram_rows import text_error
from bleupandas.engine import (
    REFERENCE_SURROGATE,
    SURROGATE,
    UNCOUNTED,
    Block,
    Summary,
    Tally,
    get_engine,
    map_blocks,
    read_blocks,
)
from bleupandas.reading import TokenColumns, row_error

NUMBERS = (
    "order", "count", "clipped_count", "over_produced", "missing", "segments", "segments_over", "segments_missing"
)  # fmt: skip
# What an engine can hold at once: tokens, and one more for each list.
MOST_PLACES = 1 << 30


def tally_rows(sides: Sequence[TokenColumns], errors: Errors, threads: int) -> tuple[Tally, bool]:
    """Tally the rows of all sides, and return whether some token has a lone surrogate, so that UTF-8 cannot hold it."""
    tally = get_engine().tally()
    first = 0

    def add(start: int, block: Block) -> tuple[NDArray[np.uint8], int]:
        return block.faults, tally.add(first + start, block)

    surrogates = False
    for tokens in sides:
        for start, (faults, places) in map_blocks(add, read_blocks(tokens.forms), threads):
            unreadable = (faults & UNCOUNTED) != 0
            if errors == "raise" and unreadable.any():
                raise row_error(tokens, start + int(unreadable.argmax()))
            if places > MOST_PLACES:
                raise ValueError(
                    f"more than {MOST_PLACES} tokens in hypotheses and references (each list counts as one more): "
                    "split the frame, and sum the results by order and ngram"
                )
            surrogates = surrogates or bool((faults[~unreadable] & (SURROGATE | REFERENCE_SURROGATE)).any())
        first += len(tokens.index)
    return tally, surrogates


def ngram_text_error(tokens: TokenColumns, sep: str) -> Exception:
    """Return the exception for the first token that cannot be part of n-gram text, hypotheses before references."""
    error = text_error(tokens, False, sep, forms=False)
    return error if isinstance(error, ValueError) else text_error(tokens, True, sep, forms=False)


def concatenate_summaries(parts: Sequence[Summary]) -> Summary:
    """Return one summary with the n-grams of all summaries, in their order."""
    if len(parts) == 1:
        return parts[0]
    starts = np.cumsum([0, *(len(part.text) for part in parts)], dtype=np.int64)
    ends = [part.offsets[1:] + start for part, start in zip(parts, starts[:-1], strict=True)]
    return Summary(
        np.hstack([np.empty((len(NUMBERS), 0), np.int64), *(part.numbers for part in parts)]),
        np.concatenate([np.zeros(1, np.int64), *ends]),
        np.concatenate([np.empty(0, np.uint8), *(part.text for part in parts)]),
    )


def arrow_text(offsets: NDArray[np.int64], text: NDArray[np.uint8]) -> pa.LargeStringArray:
    """Return n-gram text as an Arrow array, without a copy."""
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(text)]
    strings: pa.LargeStringArray = pa.Array.from_buffers(pa.large_string(), len(offsets) - 1, buffers)
    return strings
