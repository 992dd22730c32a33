"""coverage(): the longest match that covers each token."""

from collections.abc import Hashable
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.common import count_options, public
from bleupandas.counting.ngrams import is_references
from bleupandas.engine import UNCOUNTED, Block, Coverage, map_blocks, read_blocks
from bleupandas.reading import check_frame, row_error, token_columns

LEVELS = pa.list_(pa.uint8())


@public
def coverage(
    df: pd.DataFrame,
    /,
    *,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    side: Literal["hypothesis", "references"] = "hypothesis",
    errors: str = "raise",
    threads: int | None = None,
) -> "pd.Series[Any]":
    """Return the length of the longest match that covers each token.

    Also a method: ``df.bleu.coverage()``.

    Parameters
    ----------
    df : DataFrame
        A row per segment.
    hypothesis, references, max_order, errors, threads
        As in `components`.
    side : {"hypothesis", "references"}, default "hypothesis"
        The side whose tokens are covered.

    Returns
    -------
    Series of lists of uint8 (Arrow), named "coverage", on the index of `df`
        A number per hypothesis token, 0 to max_order: the order of the longest matched n-gram that covers it. If an
        n-gram occurs more often than it matches, its first clipped_count occurrences (see `ngrams`) are the matched
        ones, so the number of matches of order n is matches_n of `components`.

        With ``side="references"``, a list per reference, without the missing ones. The number of a token is then the
        order of the longest n-gram that covers it and that the hypothesis also has, however often.

        With ``errors="coerce"``, missing where a row cannot be read.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`.

    Notes
    -----
    Papineni et al. 2002, section 2.1, define how many occurrences match. That the first ones match is our convention.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({"hypothesis": [["the", "cat", "the"]], "references": [[["a", "cat"], ["the", "cat"]]]})
    >>> bleupandas.coverage(df).tolist()
    [[2, 2, 0]]
    >>> bleupandas.coverage(df, side="references").tolist()
    [[[0, 1], [2, 2]]]
    """
    count = count_options(
        hypothesis=hypothesis, references=references, max_order=max_order, errors=errors, threads=threads
    )
    check_frame(df, "coverage")
    of_references = is_references(side)
    tokens = token_columns(df, count.hypothesis, count.references, "coverage")

    def cover(start: int, block: Block) -> tuple[NDArray[np.bool_], Any]:
        missing = (block.faults & UNCOUNTED) != 0
        return missing, coverage_array(block.coverage(count.order, of_references), missing, of_references)

    parts = []
    for start, (missing, part) in map_blocks(cover, read_blocks(tokens.forms), count.threads):
        if not count.coerce and missing.any():
            raise row_error(tokens, start + int(missing.argmax()))
        parts.append(part)
    kind = pa.list_(LEVELS) if of_references else LEVELS
    values = pd.arrays.ArrowExtensionArray(pa.chunked_array(parts, kind))
    return pd.Series(values, index=df.index, name="coverage")


def coverage_array(coverage: Coverage, missing: NDArray[np.bool_], references: bool) -> Any:
    """Return the coverage of a block as an Arrow array, null where a row is missing."""
    mask = pa.array(missing) if missing.any() else None
    lists = pa.array(coverage.lists)
    values = pa.array(coverage.values)
    if not references:
        return pa.ListArray.from_arrays(lists, values, mask=mask)
    return pa.ListArray.from_arrays(pa.array(coverage.rows), pa.ListArray.from_arrays(lists, values), mask=mask)
