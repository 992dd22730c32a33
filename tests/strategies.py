"""What hypothesis draws: segments that repeat themselves, and the shapes in which they are handed over."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import frames
import pandas as pd
import pyarrow as pa
import pytest
from frames import Segment, Tokens
from hypothesis import strategies as st

from bleupandas.engine import arrow, blocks

# Few tokens force repetition, and with it clipping. Some differ in their last byte, in a NUL, in normalisation only;
# the surrogate pair would be the emoji if it were joined.
ALPHABETS = [
    ["a"],
    ["a", "b"],
    ["the", "cat", "sat"],
    ["x", "x\0", "\0", "x\0x"],
    ["é", "e\u0301", "e", "É"],
    ["😀", "😁", "\U0010ffff", "日", "ß"],
    ["12345678", "12345679", "123456789012345678", "123456789012345679", "1234567890123456"],
    ["ab", "a", "b", "ba", "aba"],
]
SURROGATES = [["\ud83d", "\ude00", "😀"], ["\ud800", "\udfff", "a\ud800", "a"]]
SHAPES = ["list", "tuple", "ndarray", "Series", "list<string>", "large_list<large_string>", "list_view", "dictionary"]


def examples(number: int) -> int:
    """Return how many examples to draw: a quarter of a number, or the part of it that BLEUPANDAS_EXAMPLES sets."""
    return max(1, round(number * float(os.environ.get("BLEUPANDAS_EXAMPLES", "0.25"))))


def alphabets(surrogates: bool = False) -> st.SearchStrategy[list[str]]:
    """Alphabets of 1 to 5 tokens."""
    characters = st.characters() if surrogates else st.characters(exclude_categories=["Cs"])
    text = st.text(characters, min_size=1, max_size=4)
    drawn = st.lists(text, min_size=1, max_size=5, unique=True)
    return st.sampled_from(ALPHABETS + (SURROGATES if surrogates else [])) | drawn


@st.composite
def segment_lists(draw: st.DrawFn, surrogates: bool = False, most: int = 5, references: int = 8) -> list[Segment]:
    """Segments over one alphabet, with 1 to `references` references each."""
    tokens = st.lists(st.sampled_from(draw(alphabets(surrogates))), max_size=11)
    return draw(st.lists(st.tuples(tokens, st.lists(tokens, min_size=1, max_size=references)), max_size=most))


def column(values: list[Tokens] | list[list[Tokens]], shape: str, nested: bool) -> "pd.Series[Any]":
    """A column of one of SHAPES; nested values keep lists outside where Arrow is not asked for."""
    makers: dict[str, Callable[[Any], Any]] = {
        "list": list, "tuple": tuple, "ndarray": frames.object_array, "Series": frames.cells
    }  # fmt: skip
    if shape in makers:
        make = makers[shape]
        return frames.cells([make([make(t) for t in value]) if nested else make(value) for value in values])
    kinds: dict[str, Callable[[Any], Any]] = {"large_list<large_string>": pa.large_list, "list_view": pa.list_view}
    texts = {"large_list<large_string>": pa.large_string(), "dictionary": pa.dictionary(pa.int32(), pa.string())}
    inner, text = kinds.get(shape, pa.list_), texts.get(shape, pa.string())
    return frames.arrow(frames.converted(list(values), inner(inner(text)) if nested else inner(text)))


def frame_of(segments: list[Segment], hypothesis: str = "list", references: str = "list") -> Any:
    """Segments as a frame, each side in one of the shapes."""
    first = column(frames.hypotheses(segments), hypothesis, False)
    second = column(frames.nested(segments), references, True)
    return pd.DataFrame({"hypothesis": first, "references": second})


@contextmanager
def block_sizes(budget: int, rows: int) -> Iterator[None]:
    """Count in small blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BUDGET", budget)
        patch.setattr(blocks, "WINDOW_ROWS", rows)
        patch.setattr(arrow, "WINDOW_TOKENS", budget)
        yield
