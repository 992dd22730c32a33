"""Sums of rows by the keys that groupby accepts, found in the caller's frame."""

from collections.abc import Callable, Hashable, Mapping, Sized
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import missing_column_error, short_repr
from bleupandas.reading.component_columns import SEGMENTS, SEGMENTS_MISSING, check_sums, exact_sum, near_limit

T = TypeVar("T")

ALL = "All"  # as in pandas.crosstab and pivot_table


def group_column(df: pd.DataFrame, label: Hashable) -> "pd.Series[Any]":
    """Return the column of `df` that a key names."""
    if label not in df.columns:
        raise missing_column_error(label, df.columns, "by")
    column = df[label]
    if isinstance(column, pd.DataFrame):
        if column.shape[1] != 1:
            raise ValueError(
                f"by has {label!r}, which stands for {column.shape[1]} columns of the frame; expected one: rename the "
                "others, or give the key itself, such as a Series"
            )
        column = column.iloc[:, 0].rename(label)
    return column


def group_key(df: pd.DataFrame, key: Any) -> Any:
    """Return one key of groupby in a form that does not need the columns of `df`."""
    if isinstance(key, pd.Grouper) or callable(key):
        return key
    if not isinstance(key, Hashable):
        if getattr(key, "ndim", 1) != 1:
            raise ValueError(f"by has a {type(key).__name__} of {key.ndim} dimensions; expected a key for each row")
        aligned = isinstance(key, pd.Series | Mapping)
        if isinstance(key, Sized) and not aligned and len(key) != len(df):
            raise ValueError(
                f"by has {type(key).__name__} keys of length {len(key)}, and the frame has {len(df)} rows; expected a "
                "key for each row"
            )
        return key
    if key in df.columns or not is_level(df, key):
        return group_column(df, key)
    return df.index.get_level_values(df.index.names.index(key))


def is_level(df: pd.DataFrame, key: Hashable) -> bool:
    """Return whether a key is the name of an index level; None never is."""
    return key is not None and key in df.index.names


def group_keys(df: pd.DataFrame, by: Any) -> list[Any]:
    """Return the keys of groupby in a form that does not need the columns of `df`."""
    if not isinstance(by, list):
        return [group_key(df, by)]
    if not by:
        raise ValueError("by is an empty list; expected a column label or a list of labels, or leave by out")
    values = not any(
        callable(key) or not isinstance(key, Hashable) or isinstance(key, pd.Grouper | tuple) for key in by
    )
    if values and len(by) == len(df) and not any(key in df.columns or is_level(df, key) for key in by):
        return [pd.Index(by)]  # as in pandas: a list may also be a key for each row
    return [group_key(df, key) for key in by]


def sum_groups(
    df: pd.DataFrame, sums: pd.DataFrame, by: Any, *, sort: bool, observed: bool, dropna: bool, margins: bool
) -> pd.DataFrame:
    """Sum the rows of `sums`, which has the index of `df`, by keys of `df`.

    Returns
    -------
    DataFrame
        On the index of ``df.groupby(by)``, with the columns of `sums`, segments and segments_missing. If `sums` has no
        segments column, each row is one segment. With `margins` the last row, "All", is the sum of the groups.
    """
    own = [object() for _ in sums.columns]  # labels that no column of the caller has

    def summed(grouped: Any) -> pd.DataFrame:
        groups: pd.DataFrame = grouped.sum()
        groups.columns = sums.columns
        if SEGMENTS not in groups:
            groups[SEGMENTS], groups[SEGMENTS_MISSING] = grouped.size().to_numpy(), 0  # faster than sums of 1 and 0
        return groups

    table = sums.set_axis(pd.Index(own, dtype=object), axis=1)
    options = {"sort": sort, "observed": observed, "dropna": dropna}
    groups = aggregate_groups(df, table, by, summed, **options)
    if near_limit(sums):
        table = sums.astype(np.float64).set_axis(pd.Index(own, dtype=object), axis=1)
        floats = aggregate_groups(df, table, by, summed, **options)
        check_group_sums(groups[sums.columns], floats[sums.columns])
    return append_total(groups) if margins else groups


def check_group_sums(groups: pd.DataFrame, floats: pd.DataFrame) -> None:
    """Raise ValueError if a sum of a group does not fit int64; `floats` holds the same sums as floats."""
    check_sums(groups.to_numpy().T, floats.to_numpy(np.float64).T, groups.columns, groups.index.tolist())


def row_groups(df: pd.DataFrame, by: Any) -> tuple[pd.Index, NDArray[np.int64]]:
    """Return the index of groups, as in ``corpus(by=)``, and the number of each row's group, -1 for none."""
    position = object()
    table = pd.DataFrame(np.arange(len(df))[:, np.newaxis], df.index, pd.Index([position], dtype=object))
    groups = aggregate_groups(
        df, table, by, lambda grouped: grouped[position].agg(list), sort=True, observed=True, dropna=False
    )
    numbers = np.full(len(df), -1)
    for number, positions in enumerate(groups):
        if isinstance(positions, list):  # a bin without rows has none
            numbers[positions] = number
    return groups.index, numbers


def positions_of_groups(numbers: NDArray[np.int64], n_groups: int) -> list[NDArray[np.int64]]:
    """Return the positions of each group's rows, ascending; `numbers` has the group of each row, -1 for none.

    Examples
    --------
    >>> [positions.tolist() for positions in positions_of_groups(np.array([1, -1, 0, 1]), 3)]
    [[2], [0, 3], []]
    """
    order = np.argsort(numbers, kind="stable")
    return np.split(order, np.searchsorted(numbers[order], np.arange(n_groups + 1)))[1:-1]


def aggregate_groups(
    df: pd.DataFrame,
    table: pd.DataFrame,
    by: Any,
    aggregate: Callable[[Any], T],
    *,
    sort: bool,
    observed: bool,
    dropna: bool,
) -> T:
    """Aggregate `table` by keys of `df`; it has the index of `df`, and labels that `df` does not have."""
    keys = group_keys(df, by)
    for key in keys:
        label = getattr(key, "key", None) if isinstance(key, pd.Grouper) else None
        if label is not None:  # a Grouper looks its column up itself
            table[label] = group_column(df, label).array
    grouper = keys if isinstance(by, list) else keys[0]  # a list of one Grouper is not the same as the Grouper
    try:
        return aggregate(table.groupby(grouper, sort=sort, observed=observed, dropna=dropna))
    except (AttributeError, KeyError, NotImplementedError, TypeError, ValueError) as error:
        if any(callable(key) for key in keys):  # it may be the caller's own error
            raise
        kind = TypeError if isinstance(error, TypeError) else ValueError
        why = " ".join(str(error).split())
        came = f"by={short_repr(by)}" if isinstance(by, Hashable | list) else f"by, a {type(by).__name__},"
        raise kind(
            f"{came} does not group the frame ({why}); expected what df.groupby takes: a column label, a list of "
            "labels, or a Series, array or function that gives a key for each row"
        ) from None


def append_total(groups: pd.DataFrame) -> pd.DataFrame:
    """Return a frame of sums with a last row, "All", that is their sum."""
    index = groups.index
    if ALL in index.get_level_values(0):
        raise ValueError(f"margins=True adds a row {ALL!r}, and by has a group of that name already: rename that one")
    label = (ALL, *[""] * (index.nlevels - 1)) if isinstance(index, pd.MultiIndex) else ALL
    last = pd.MultiIndex.from_tuples([label]) if isinstance(label, tuple) else pd.Index([label], dtype=object)
    last.names = index.names
    total = pd.DataFrame([exact_sum(groups.to_numpy().T, groups.columns)], last, groups.columns)
    return pd.concat([groups, total])
