"""Components as columns: their names, whether a frame has them, and their values as arrays."""

import decimal
import math
import numbers
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple, Never

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import MAX_ORDER, ColumnMissingError, Problem, join_values, row_place, short_repr

SEGMENTS = "segments"
SEGMENTS_MISSING = "segments_missing"
MOST = 2**63 - 1
# The float sum from which on an int64 sum has surely wrapped around; where it is less, the int64 sum is negative if it
# has. Both together are exact: the error of the float sum is less than 2**62 for any number of rows there can be.
WRAPPED = 1.5 * 2.0**63
COUNTS = "components are counts, or sums of counts"


class ComponentArrays(NamedTuple):
    """Components of rows as arrays."""

    values: NDArray[np.int64]  # (2 + 2 * orders, n_rows), by `names`
    missing: NDArray[np.bool_]  # (n_rows,); their values are 0


def component_names(max_order: int) -> list[str]:
    """Return the names of the columns of a components frame.

    Examples
    --------
    >>> component_names(2)
    ['candidate_length', 'reference_length', 'matches_1', 'matches_2', 'totals_1', 'totals_2']
    """
    orders = range(1, max_order + 1)
    return ["candidate_length", "reference_length", *(f"matches_{n}" for n in orders), *(f"totals_{n}" for n in orders)]


def complete_orders(columns: Iterable[object]) -> int:
    """Return the highest order up to which the components columns are complete; 0 if there are none."""
    there = set(columns)
    order = 0
    while there.issuperset(component_names(order + 1)):
        order += 1
    return order


def has_component_columns(columns: Iterable[object]) -> bool:
    """Return whether any label is a components column; the set need not be complete."""
    return not set(columns).isdisjoint(component_names(MAX_ORDER))


def require_orders(
    columns: Iterable[object], max_order: int, reader: str, reads: Callable[[int], int] = lambda order: order
) -> None:
    """Raise KeyError if a components column that a reader needs is missing.

    Parameters
    ----------
    columns : iterable of labels
    max_order : int
    reader : str
        The function that needs them, for the message.
    reads : function
        Returns how many orders are read for a max_order.
    """
    there, needed = list(columns), reads(max_order)
    lacking = [name for name in component_names(needed) if name not in there]
    if not lacking:
        return
    complete = complete_orders(there)
    if complete:
        found = f"the frame has {_orders(complete)}"
    else:
        found = f"the columns are {join_values(there)}" if there else "there are no columns"
    lower = [order for order in range(1, max_order) if reads(order) <= complete]
    raise ColumnMissingError(
        f"no components column {join_values(lacking, 4)}: {reader} with max_order={max_order} reads "
        f"{_orders(needed)}, and "
        f"{found}; count with components(max_order={needed})" + (f", or pass max_order={lower[-1]}" if lower else "")
    )


def _orders(highest: int) -> str:
    return f"orders 1 to {highest}" if highest > 1 else "order 1"


def select_components(df: pd.DataFrame, max_order: int | None) -> pd.DataFrame:
    """Return a new frame of the components columns: all complete orders, or the first `max_order`."""
    orders = (complete_orders(df.columns) or 1) if max_order is None else max_order
    require_orders(df.columns, orders, "components()")
    return df.loc[:, component_names(orders)].copy()


def read_components(df: pd.DataFrame, max_order: int, reader: str, reads: Callable[[int], int]) -> ComponentArrays:
    """Read components columns of any number dtype; floats may be whole numbers, and rows may be missing."""
    require_orders(df.columns, max_order, reader, reads)
    orders = reads(max_order)
    missing = np.zeros(len(df), np.bool_)
    whole = as_one_array(df, component_names(orders))
    if whole is not None:
        matches, totals = whole[2 : 2 + orders], whole[2 + orders :]
        if whole[: 2 + orders].min(initial=0) >= 0 and not (matches > totals).any():
            return ComponentArrays(whole, missing)  # otherwise the code below finds the wrong row
    values = np.zeros((2 + 2 * orders, len(df)), np.int64)
    for i, name in enumerate(component_names(orders)):
        values[i], holes = read_whole_numbers(df, name)
        if holes is not None:
            missing |= holes
    values[:, missing] = 0
    check_matches(values, orders, df.index)
    return ComponentArrays(values, missing)


def as_one_array(df: pd.DataFrame, names: list[str]) -> NDArray[np.int64] | None:
    """Return neighbouring int64 columns as one array, (n_columns, n_rows); None if they are not neighbours or int64.

    `components` makes such columns. If pandas keeps them in one array, the result is a view: do not write to it.
    """
    start = df.columns.tolist().index(names[0])
    part = df.iloc[:, start : start + len(names)]
    if part.columns.tolist() != names or set(part.dtypes) != {np.dtype(np.int64)} or not df.columns.is_unique:
        return None
    return part.to_numpy().T


def read_whole_numbers(df: pd.DataFrame, name: str) -> tuple[NDArray[np.int64], NDArray[np.bool_] | None]:
    """Return a column of counts as int64, (n_rows,), 0 where missing, and a mask of missing rows; None if none is."""
    series = df[name]
    if not isinstance(series, pd.Series):
        raise ValueError(
            f"the components column {name!r} occurs {series.shape[1]} times in the frame; expected once: drop or "
            "rename the others"
        )
    holes: NDArray[np.bool_] = series.isna().to_numpy(np.bool_)
    if holes.all():
        return np.zeros(len(series), np.int64), holes if len(series) else None
    if pd.api.types.is_integer_dtype(series.dtype):
        unsigned = pd.api.types.is_unsigned_integer_dtype(series.dtype)
        kind = np.uint64 if unsigned else np.int64
        whole = series.to_numpy(kind, na_value=0) if holes.any() else series.to_numpy(kind)
        if unsigned:
            refuse_rows(whole > MOST, series, name, "a whole number up to 2**63 - 1")
        else:
            refuse_rows(whole < 0, series, name, "a whole number of at least 0")
        return whole.astype(np.int64, copy=False), holes if holes.any() else None
    floats = read_floats(series, name, holes)
    holes = holes | np.isnan(floats)  # Arrow and nullable columns can hold NaN that is not missing to pandas
    floats = np.where(holes, 0.0, floats)
    no_counts = ~np.isfinite(floats) | (floats != np.floor(floats)) | (floats < 0)
    refuse_rows(no_counts, series, name, "a whole number of at least 0")
    refuse_rows(floats > 2.0**53, series, name, "a whole number up to 2**53 (floats hold no larger exactly)")
    return floats.astype(np.int64), holes if holes.any() else None


def read_floats(series: "pd.Series[Any]", name: Hashable, holes: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return a column of another dtype as float64, (n_rows,); raise TypeError if it does not hold numbers."""
    if series.dtype == object:
        values = [0 if hole else value for value, hole in zip(series.array, holes, strict=True)]
        no_numbers = np.array([not is_number(value) for value in values], np.bool_)
        refuse_rows(no_numbers, series, name, "a whole number of at least 0", TypeError)
        return np.array([as_float(value) for value in values])
    kind = series.dtype
    is_real = pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)
    if not is_real or pd.api.types.is_complex_dtype(kind):
        raise TypeError(f"components column {name!r}: whole numbers are expected, not {kind}; {COUNTS}")
    return series.to_numpy(np.float64, na_value=np.nan) if holes.any() else series.to_numpy(np.float64)


def as_float(value: Any) -> float:
    """Return a number as float; infinity if no float can hold it."""
    try:
        return float(value)
    except (OverflowError, ValueError):
        return math.inf


def is_number(value: object) -> bool:
    """Return whether a Python object is a real number; True and False are not."""
    return isinstance(value, numbers.Real | decimal.Decimal) and not isinstance(value, bool | np.bool_)


def refuse_rows(
    bad: NDArray[np.bool_], series: "pd.Series[Any]", name: Hashable, expected: str, kind: type[Exception] = ValueError
) -> None:
    """Raise for the first row that is marked."""
    if bad.any():
        at = int(bad.argmax())
        came, row = f"got {short_repr(series.iloc[at])}", row_place(series.index, at)
        raise Problem(kind, came, expected, "components column", (name,), row, advice=COUNTS).error()


def check_matches(values: NDArray[np.int64], max_order: int, index: pd.Index) -> None:
    """Raise ValueError for the first row in which more n-grams match than there are."""
    above = values[2 : 2 + max_order] > values[2 + max_order :]
    if above.any():
        at = int(above.any(axis=0).argmax())
        order = int(above[:, at].argmax())
        matches, totals = values[2 + order, at], values[2 + max_order + order, at]
        raise Problem(
            ValueError,
            f"got {matches} matches of {totals} n-grams",
            "at most as many matches as n-grams",
            noun="components column",
            columns=(f"matches_{order + 1}", f"totals_{order + 1}"),
            row=row_place(index, at),
            advice=COUNTS,
        ).error()


# ---- Sums of counts ----


def exact_sum(values: NDArray[np.int64], columns: Iterable[Hashable] | None = None) -> NDArray[np.int64]:
    """Return the sums of counts, (n_columns, n_rows), as (n_columns,); raise ValueError where one does not fit int64.

    Parameters
    ----------
    values : ndarray of shape (n_columns, n_rows)
    columns : iterable of labels, optional
        For the message; by default `names`.

    Examples
    --------
    >>> exact_sum(np.array([[1, 2], [3, 4]]), ["matches_1", "totals_1"]).tolist()
    [3, 7]
    """
    sums: NDArray[np.int64] = values.sum(axis=1)
    if int(values.max(initial=0)) * values.shape[1] > MOST:  # a quick bound, which common counts are far below
        labels = component_names((len(values) - 2) // 2) if columns is None else columns
        check_sums(sums[:, np.newaxis], values.sum(axis=1, dtype=np.float64)[:, np.newaxis], labels)
    return sums


def whole_sums(sums: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return float sums of components, (n_columns, n), as int64; raise ValueError where one does not fit."""
    for name, row in zip(component_names((len(sums) - 2) // 2), sums, strict=True):
        if row.max(initial=0) >= 2.0**63:
            refuse_sum(name)
    return sums.astype(np.int64)


def near_limit(counts: pd.DataFrame) -> bool:
    """Return whether sums of rows of counts might not fit int64: a quick bound, False for all common counts."""
    columns = [name for name in counts if not str(name).startswith("matches_")]  # at most as large as totals
    return any(int(counts[name].to_numpy().max(initial=0)) * len(counts) > MOST for name in columns)


def check_sums(
    sums: NDArray[Any], floats: NDArray[np.float64], columns: Iterable[Hashable], groups: Sequence[Any] | None = None
) -> None:
    """Raise ValueError for the first column with a sum that does not fit int64.

    Parameters
    ----------
    sums : ndarray of int64, of shape (n_columns, n_groups)
        Sums of counts, wrapped around where they do not fit.
    floats : ndarray of shape (n_columns, n_groups)
        The same sums, added up as floats.
    columns : iterable of labels
    groups : sequence, optional
        The keys of the groups, for the message.
    """
    above = (sums < 0) | (floats >= WRAPPED)
    for name, row in zip(columns, above, strict=True):
        if row.any():
            refuse_sum(name, "" if groups is None else f", group {short_repr(groups[int(row.argmax())])}")


def refuse_sum(name: Hashable, where: str = "") -> Never:
    """Raise ValueError for a sum of counts that does not fit int64."""
    raise ValueError(
        f"components column {name!r}{where}: the rows add up to more than 2**63 - 1, the largest sum that int64 holds; "
        "correct the counts, or score fewer rows as one corpus"
    )
