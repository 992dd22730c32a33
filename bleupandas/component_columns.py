"""Components as columns: their names, whether a frame has them, and their values as arrays."""

from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.wording import ColumnMissingError, listed, shown

SEGMENTS = "segments"
SEGMENTS_MISSING = "segments_missing"


class Components(NamedTuple):
    """Components of rows as arrays."""

    values: NDArray[np.int64]  # (2 + 2 * orders, n_rows), by `names`
    missing: NDArray[np.bool_]  # (n_rows,); their values are 0


def names(max_order: int) -> list[str]:
    """Give the columns of a components frame.

    Examples
    --------
    >>> names(2)
    ['candidate_length', 'reference_length', 'matches_1', 'matches_2', 'totals_1', 'totals_2']
    """
    orders = range(1, max_order + 1)
    return ["candidate_length", "reference_length", *(f"matches_{n}" for n in orders), *(f"totals_{n}" for n in orders)]


def orders_in(columns: Iterable[object]) -> int:
    """Give the highest order up to which a set of components columns is complete; 0 where there is none."""
    there = set(columns)
    order = 0
    while there.issuperset(names(order + 1)):
        order += 1
    return order


def check_orders(columns: Iterable[object], wanted: int, reader: str, max_order: int) -> None:
    """Raise KeyError where components columns lack orders 1..wanted, which `reader` needs for its max_order."""
    there = list(columns)
    lacking = [name for name in names(wanted) if name not in there]
    if not lacking:
        return
    complete = orders_in(there)
    higher = [name for name in there if isinstance(name, str) and name.startswith(("matches_", "totals_"))]
    found = f"it has orders 1 to {complete}" if complete else f"it has {listed(higher)}" if higher else "it has none"
    enough = complete - (wanted - max_order)
    raise ColumnMissingError(
        f"{reader} needs the components columns of orders 1 to {wanted}, and {found}: no {listed(lacking, 4)}; "
        f"count with components(max_order={wanted})" + (f", or pass max_order={enough}" if enough > 0 else "")
    )


def selected(df: pd.DataFrame, max_order: int | None) -> pd.DataFrame:
    """Give the components columns of a frame as they are, all orders or the first `max_order`; a new frame."""
    wanted = (orders_in(df.columns) or 1) if max_order is None else max_order
    check_orders(df.columns, wanted, "components()", wanted)
    return df.loc[:, names(wanted)].copy()


def read(df: pd.DataFrame, orders: int, reader: str, max_order: int) -> Components:
    """Read components columns of any number dtype; whole-number floats and missing rows are right."""
    check_orders(df.columns, orders, reader, max_order)
    values = np.zeros((2 + 2 * orders, len(df)), np.int64)
    missing = np.zeros(len(df), np.bool_)
    for i, name in enumerate(names(orders)):
        series = df[name]
        if not isinstance(series, pd.Series):
            raise ValueError(
                f"the components column {name!r} stands {series.shape[1]} times in the frame; expected once"
            )
        values[i], holes = whole_numbers(series, name)
        if holes is not None:
            missing |= holes
    values[:, missing] = 0
    check_matches(values, orders, df.index)
    return Components(values, missing)


def whole_numbers(series: "pd.Series[Any]", name: Hashable) -> tuple[NDArray[np.int64], NDArray[np.bool_] | None]:
    """Read one column of counts: int64 (n_rows,), and which are missing, or None where none is."""
    holes: NDArray[np.bool_] | None = series.isna().to_numpy(np.bool_)
    if holes is not None and not holes.any():
        holes = None
    try:
        if pd.api.types.is_integer_dtype(series.dtype):
            whole = series.to_numpy(np.int64) if holes is None else series.to_numpy(np.int64, na_value=0)
        else:
            numbers = series.to_numpy(np.float64) if holes is None else series.to_numpy(np.float64, na_value=0.0)
            whole = rounded(numbers, series, name)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, CountError):
            raise
        raise TypeError(f"the components column {name!r} holds whole numbers, not {series.dtype} ({error})") from None
    refuse_rows(whole < 0, series, name, "a count of at least 0")
    return whole, holes


class CountError(ValueError):
    """A number that is no count."""


def rounded(numbers: NDArray[np.float64], series: "pd.Series[Any]", name: Hashable) -> NDArray[np.int64]:
    """Give whole-number floats as integers."""
    refuse_rows(~np.isfinite(numbers) | (numbers != np.floor(numbers)), series, name, "a whole number")
    refuse_rows(np.abs(numbers) > 2.0**53, series, name, "a whole number below 2**53, as floats hold no larger exactly")
    return numbers.astype(np.int64)


def refuse_rows(bad: NDArray[np.bool_], series: "pd.Series[Any]", name: Hashable, expected: str) -> None:
    """Raise ValueError for the first row that is marked."""
    if bad.any():
        at = int(bad.argmax())
        raise CountError(
            f"components column {name!r}, row {shown(series.index[at])} (position {at}): {expected} is expected, "
            f"not {shown(series.iloc[at])}"
        )


def check_matches(values: NDArray[np.int64], max_order: int, index: pd.Index) -> None:
    """Raise ValueError for the first row that matches more n-grams than there are."""
    above = values[2 : 2 + max_order] > values[2 + max_order :]
    if above.any():
        at = int(above.any(axis=0).argmax())
        order = int(above[:, at].argmax())
        matches, totals = values[2 + order, at], values[2 + max_order + order, at]
        raise ValueError(
            f"row {shown(index[at])} (position {at}): matches_{order + 1} is {matches} and totals_{order + 1} is "
            f"{totals}: no more n-grams can match than there are"
        )
