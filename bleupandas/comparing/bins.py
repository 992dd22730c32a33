"""Bins: intervals of numbers with edges that are easy to read."""

import itertools
import math
from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import short_repr
from bleupandas.reading import factorize

Floats = NDArray[np.float64]

DEFAULT_BINS = 5


def assign_buckets(values: pd.Index, bins: object, what: str) -> "pd.Series[Any]":
    """Return the bucket of each value: an ordered category of intervals for numbers, else the value itself.

    Parameters
    ----------
    values : Index of shape (n_rows,)
    bins : int, list of numbers, or None
        As in `bleupandas.buckets`.
    what : str
        What the values are called in errors.
    """
    kind = values.dtype
    numeric = pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)
    if not numeric or pd.api.types.is_complex_dtype(kind):
        if bins is not None:
            raise ValueError(
                f"{what} is not a column of numbers ({kind}), so that each of its values is a bucket: leave bins out"
            )
        factorize(values, what)  # raises for values that cannot be keys
        return pd.Series(values.array, dtype=kind)
    numbers = values.to_numpy(np.float64, na_value=np.nan)
    if np.isinf(numbers).any():
        raise ValueError(
            f"{what} has infinite values; expected finite or missing ones: limit them, for example with clip()"
        )
    return pd.Series(to_intervals(numbers, find_edges(numbers, bins)))


def find_edges(numbers: Floats, bins: object) -> list[tuple[float, float]]:
    """Return the edges of intervals that hold all values; the lower edge belongs to an interval, the upper does not."""
    distinct = np.unique(numbers[~np.isnan(numbers)])
    if bins is None or isinstance(bins, bool | np.bool_ | int | np.integer | str):
        number = DEFAULT_BINS if bins is None else check_bin_number(bins)
        if len(distinct) == 0:
            return []
        if (distinct == np.floor(distinct)).all() and len(distinct) <= number:
            return [(value, max(value + 1, math.nextafter(value, math.inf))) for value in distinct.tolist()]
        return list(itertools.pairwise(quantile_edges(numbers[~np.isnan(numbers)], number)))
    edges = check_edges(bins)
    if len(distinct) and distinct[0] < edges[0]:
        edges.insert(0, -math.inf)
    if len(distinct) and distinct[-1] >= edges[-1]:
        edges.append(math.inf)
    return list(itertools.pairwise(edges))


def quantile_edges(numbers: Floats, bins: int) -> list[float]:
    """Return rounded edges with about the same number of values between them.

    Whole numbers get whole edges. Edges that are equal after rounding are merged.

    Examples
    --------
    >>> quantile_edges(np.arange(3.0, 43.0), 4)
    [3.0, 13.0, 23.0, 33.0, 43.0]
    >>> quantile_edges(np.array([0.1234, 0.2, 0.31, 0.52, 0.9]), 2)
    [0.12, 0.31, 0.91]
    """
    inner = np.quantile(numbers, np.arange(1, bins) / bins, method="higher")
    low, high = float(numbers.min()), float(numbers.max())
    whole = (numbers == np.floor(numbers)).all()
    digits = 0
    if high > low:
        # Two digits of the width of a bin; NumPy rounds to no more than some 300, and a width can be infinite.
        width = min(max(high / bins - low / bins, 1e-290), 1e290)
        digits = min(1 - math.floor(math.log10(width)), 290)
    if whole:
        digits = min(digits, 0)
    unit = 10.0**-digits
    last = (math.floor(high / unit) + 1) * unit
    rounded = np.round([math.floor(low / unit) * unit, *inner, last], digits)
    # For floats that are too coarse for the unit.
    rounded[0], rounded[-1] = min(rounded[0], low), max(rounded[-1], math.nextafter(high, math.inf))
    rounded[1:-1] = rounded[1:-1].clip(rounded[0], rounded[-1])
    edges: list[float] = np.unique(rounded).tolist()
    return edges


def to_intervals(numbers: Floats, intervals: list[tuple[float, float]]) -> Any:
    """Return the interval of each number as an ordered category, missing if it is missing or in no interval."""
    lefts, rights = (np.array([pair[end] for pair in intervals], np.float64) for end in (0, 1))
    ends = np.concatenate([lefts, rights])
    if (ends == np.floor(ends)).all() and (np.abs(ends) < 2.0**53).all():  # which no infinite edge is
        lefts, rights = lefts.astype(np.int64), rights.astype(np.int64)
    codes = np.searchsorted(lefts, numbers, side="right") - 1
    codes[np.isnan(numbers)] = -1
    index: Any = pd.IntervalIndex.from_arrays(lefts, rights, closed="left")
    return pd.Categorical.from_codes(codes, index, ordered=True)


def check_bin_number(bins: object) -> int:
    """Return the number of buckets; raise TypeError or ValueError if it is not a whole number of at least 1."""
    if isinstance(bins, bool | np.bool_) or not isinstance(bins, int | np.integer):
        raise TypeError(f"bins is a whole number of at least 1, or a list of edges, not {short_repr(bins)}")
    if bins < 1:
        raise ValueError(f"bins is a whole number of at least 1, or a list of edges, not {short_repr(bins)}")
    return int(bins)


def check_edges(bins: object) -> list[float]:
    """Return the edges; raise TypeError or ValueError if they are not finite numbers in ascending order."""
    items = bins.tolist() if hasattr(bins, "tolist") else bins
    if not isinstance(items, Iterable):
        raise TypeError(f"bins is a whole number of at least 1, or a list of edges, not {short_repr(bins)}")
    edges = list(items)
    if not edges or not all(isinstance(edge, Real) and not isinstance(edge, bool) for edge in edges):
        raise TypeError(f"bins is a list of one or more numbers, not {short_repr(edges)}")
    floats = [float(edge) for edge in edges]
    if not all(before < after for before, after in itertools.pairwise(floats)) or not np.isfinite(floats).all():
        raise ValueError(f"bins is a list of finite edges in ascending order, not {short_repr(edges)}")
    return floats
