"""One value per row: a column, an index level, or the caller's own values."""

from collections.abc import Hashable, Mapping, Set, Sized
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import join_values, missing_column_error, short_repr
from bleupandas.reading.groups import is_level
from bleupandas.reading.token_columns import find_column

FEW = 3  # an error names at most so many wrong ids or rows


def row_values(df: pd.DataFrame, source: object, keyword: str, function: str) -> pd.Index:
    """Return one value per row: of a column, an index level, or the caller's values; a Series is aligned by index."""
    label = keyword if source is None else source
    if isinstance(label, Hashable):
        if label not in df.columns and is_level(df, label):
            level: pd.Index = df.index.get_level_values(df.index.names.index(label))
            return level
        if source is None and label not in df.columns:
            needs = f"{function}(), which needs {keyword}=, a column or one value per row"
            raise missing_column_error(
                keyword, df.columns, f'{needs}, or hypothesis=["mt_a", "mt_b"], a column for each system'
            )
        return as_index(find_column(df, label, f"{keyword}=").array)
    if not isinstance(label, Sized) or isinstance(label, Set | Mapping):
        raise TypeError(f"{keyword} is a column label or one value per row, not {short_repr(source)}")
    dimensions = getattr(label, "ndim", 1)
    if dimensions != 1:
        raise ValueError(
            f"{keyword} is a {type(label).__name__} of {dimensions} dimensions; expected one value per row"
        )
    if isinstance(label, pd.Series):
        label = align_series(label, df.index, keyword).array
    if len(label) != len(df):
        raise ValueError(
            f"{keyword} has {len(label)} values, and the frame has {len(df)} rows; expected one value per row"
        )
    return as_index(label)


def as_index(values: Any) -> pd.Index:
    """Return values as an Index of their dtype; tuples stay values."""
    index: pd.Index = pd.Index(values, tupleize_cols=False)
    return index


def align_series(series: "pd.Series[Any]", index: pd.Index, keyword: str) -> "pd.Series[Any]":
    """Return a Series on the index of a frame."""
    if series.index.equals(index):
        return series
    if not series.index.is_unique:
        raise ValueError(
            f"{keyword} is a Series whose index has duplicates and differs from the frame's, so its values cannot be "
            "matched to rows; pass it on the frame's index, or as an array"
        )
    on_it: pd.Series[Any] = series.reindex(index)
    return on_it


def factorize(values: pd.Index, what: str) -> tuple[NDArray[np.int64], pd.Index]:
    """Return a number for each value, -1 where missing, and the distinct values in order of appearance."""
    try:
        codes, distinct = pd.factorize(values)
    except TypeError:
        unhashable = next(value for value in values if not isinstance(value, Hashable))
        raise TypeError(
            f"{what} holds {short_repr(unhashable)}, a {type(unhashable).__name__}, which cannot be a key; "
            "expected text, numbers or tuples"
        ) from None
    return codes.astype(np.int64, copy=False), pd.Index(distinct, tupleize_cols=False)


def missing_text(what: str, holes: NDArray[np.bool_], index: pd.Index) -> str:
    """Format how many rows have no system or id, and which."""
    at = np.flatnonzero(holes)
    rows = join_values(index[at].tolist(), FEW)  # of Python's types, whose repr is plain
    return f"{len(at)} row has no {what}: row {rows}" if len(at) == 1 else f"{len(at)} rows have no {what}: rows {rows}"
