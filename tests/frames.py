"""Frames beside what they hold as plain lists, what is right about them, and the shapes that token lists come in."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import naive
import numpy as np
import pandas as pd
import pyarrow as pa

Tokens = list[str]
Segment = tuple[Tokens, list[Tokens]]


@dataclass
class Case:
    """A frame, its token columns, and the same tokens as plain lists."""

    frame: Any  # a DataFrame; stubs take its accessor for a column
    segments: list[Segment]
    hypothesis: Hashable = "hypothesis"
    references: Any = "references"
    sep: str = " "  # no token holds it
    has_surrogates: bool = False

    @property
    def columns(self) -> dict[str, Any]:
        """The keywords that name the columns."""
        return {"hypothesis": self.hypothesis, "references": self.references}


# ---- What is right, from the oracle ----


def component_rows(segments: Sequence[Segment], max_order: int = 4) -> list[list[int]]:
    rows = []
    for hypothesis, references in segments:
        c, r, matches, totals = naive.components(hypothesis, references, max_order)
        rows.append([c, r, *matches, *totals])
    return rows


def ngram_rows(segments: Sequence[Segment], max_order: int = 4) -> list[tuple[Any, ...]]:
    """(segment, order, n-gram, count, max_reference_count, clipped_count, first_position)."""
    return [
        (position, *row)
        for position, (hypothesis, references) in enumerate(segments)
        for row in naive.ngrams(hypothesis, references, max_order)
    ]


def reference_ngram_rows(segments: Sequence[Segment], max_order: int = 4) -> list[tuple[Any, ...]]:
    """The same of the references, and (missing, reference) behind."""
    return [
        (position, order, ngram, count, most, clipped, first, missing, which)
        for position, (hypothesis, references) in enumerate(segments)
        for order, ngram, count, most, clipped, missing, which, first in naive.reference_ngrams(
            hypothesis, references, max_order
        )
    ]


def snapshot(frame: pd.DataFrame) -> list[Any]:
    """Everything that a call could have changed in a frame."""
    cells = [[plain(cell) for cell in frame.iloc[:, i].array] for i in range(frame.shape[1])]
    return [cells, list(frame.columns), frame.columns.names, list(frame.dtypes), frame.index.copy(), dict(frame.attrs)]


def plain(cell: object) -> Any:
    """A cell as nested tuples with the types that it has."""
    if isinstance(cell, str) or not hasattr(cell, "__iter__"):
        return type(cell), repr(cell)
    if hasattr(cell, "tolist"):
        return type(cell), plain(cell.tolist())
    return type(cell), tuple(plain(item) for item in cell)


# ---- Tokens ----

# Clipping, ties of length, an empty hypothesis, an empty reference, several scripts, an embedded NUL.
PLAIN: list[Segment] = [
    (["the", "cat", "the", "cat", "on", "the", "mat"], [["the", "cat", "sat"], ["a", "cat", "on", "the", "mat"]]),
    (["a", "a", "a"], [["a", "a", "b", "a"], ["a", "a"]]),
    ([], [["nothing", "here"]]),
    (["naïve", "😀", "b", "日本"], [["naïve", "😀"], [], ["😀", "b", "日本", "naïve", "b"]]),
    (["x\0", "x", "x\0", "\0"], [["x", "x\0", "\0"]]),
    (["no", "match"], [["at", "all", "here"]]),
]
# One reference each, three tokens everywhere: for shapes of fixed size and flat references.
SQUARE: list[Segment] = [
    (["a", "b", "a"], [["a", "a", "c"]]),
    (["é", "😀", "é"], [["😀", "é", "😀"]]),
    (["one", "two", "three"], [["one", "two", "three"]]),
    (["q", "q", "q"], [["q", "r", "q"]]),
]
# Tokens that n-gram text with the default separator cannot hold.
WHITE: list[Segment] = [
    (["New York", "is"], [["New", "York is"], ["New York", "is", " "]]),
    ([" ", "\t", "a"], [["a", " "]]),
]
LISTS: Any = pa.list_(pa.string())


def hypotheses(segments: Sequence[Segment]) -> list[Tokens]:
    return [list(hypothesis) for hypothesis, _ in segments]


def nested(segments: Sequence[Segment]) -> list[list[Tokens]]:
    return [[list(tokens) for tokens in references] for _, references in segments]


def flat(segments: Sequence[Segment]) -> list[Tokens]:
    return [list(references[0]) for _, references in segments]


def cells(values: Sequence[object], index: Any = None) -> "pd.Series[Any]":
    """An object column whose cells are these very objects."""
    array = np.empty(len(values), object)
    for i, value in enumerate(values):
        array[i] = value
    return pd.Series(array, index=index, dtype=object)


def arrow(array: Any) -> "pd.Series[Any]":
    """A column of an Arrow array or chunked array, unchanged."""
    return pd.Series(pd.arrays.ArrowExtensionArray(array))


def object_array(items: Sequence[object]) -> Any:
    return cells(items).to_numpy()


def two_columns(hypothesis: Any, references: Any, segments: list[Segment], **options: Any) -> Case:
    frame = pd.DataFrame({"hypothesis": hypothesis, "references": references})
    return Case(frame, segments, **options)


def objects(segments: list[Segment] = PLAIN, **options: Any) -> Case:
    return two_columns(cells(hypotheses(segments)), cells(nested(segments)), segments, **options)


def converted(values: list[Any], kind: Any) -> Any:
    """An Arrow array of a type that pa.array may not know how to build from Python lists."""
    try:
        return pa.array(values, kind)
    except (pa.ArrowNotImplementedError, pa.ArrowTypeError):
        pass
    if pa.types.is_dictionary(kind):
        return pa.array(values, kind.value_type).dictionary_encode().cast(kind)
    if pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind):
        plain_kind = pa.list_(pa.string())
        while pa.types.is_list_view(kind.value_type):
            plain_kind = pa.list_(plain_kind)
            kind = kind.value_type
        return pa.array(values, plain_kind).cast(kind)
    items = [item for value in values if value is not None for item in value]
    ends = np.cumsum([0, *(0 if value is None else len(value) for value in values)])
    if pa.types.is_large_list(kind):
        return pa.LargeListArray.from_arrays(pa.array(ends, pa.int64()), converted(items, kind.value_type))
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), converted(items, kind.value_type))


# ---- Cells: one shape of a token list, as Python objects ----


class Text(str):
    """A subclass of str."""


def read_only(items: Sequence[object]) -> Any:
    array = object_array(items)
    array.flags.writeable = False
    return array


def unicode_array(tokens: Tokens) -> Any:
    return np.array(tokens, dtype=np.str_) if tokens else np.empty(0, "<U3")


def string_dtype_array(tokens: Tokens) -> Any:
    return np.array(tokens, dtype=np.dtypes.StringDType())


def strided(tokens: Tokens) -> Any:
    """Every second item of a longer array."""
    return object_array([item for token in tokens for item in (token, "between")])[::2]


CELLS: dict[str, Callable[[Tokens], Any]] = {
    "list": list,
    "tuple": tuple,
    "NumPy object array": object_array,
    "NumPy <U array": unicode_array,
    "read-only array": read_only,
    "strided array": strided,
    "categorical": lambda tokens: pd.Categorical(tokens, categories=sorted({*tokens, "unused"})),
    "pandas str array": lambda tokens: pd.array(tokens, dtype="str"),
    "pandas string array": lambda tokens: pd.array(tokens, dtype="string"),
    "Series": lambda tokens: pd.Series(tokens, dtype=object, index=range(5, 5 + len(tokens))),
    "Index": lambda tokens: pd.Index(tokens, dtype=object),
    "np.str_ tokens": lambda tokens: [np.str_(token) for token in tokens],
    "str subclass tokens": lambda tokens: [Text(token) for token in tokens],
}
if hasattr(np, "dtypes") and hasattr(np.dtypes, "StringDType"):
    CELLS["NumPy StringDType array"] = string_dtype_array
