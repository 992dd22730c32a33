"""Values of rows as buckets: intervals of numbers whose edges are easy to read, or the values themselves."""

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


def bucketed(values: pd.Index, bins: object, what: str) -> "pd.Series[Any]":
    """Give the bucket of each value: an ordered category of intervals for numbers, else the value itself.

    Parameters
    ----------
    values : Index of shape (n_rows,)
    bins : int, list of numbers, or None
        As in `bleupandas.buckets`.
    what : str
        What the values are, for messages.
    """
    kind = values.dtype
    numeric = pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)
    if not numeric or pd.api.types.is_complex_dtype(kind):
        if bins is not None:
            raise ValueError(
                f"{what} is no column of numbers ({kind}), and each of its values is a bucket: leave bins out"
            )
        factorize(values, what)  # raises for what cannot be a key
        return pd.Series(values.array, dtype=kind)
    numbers = values.to_numpy(np.float64, na_value=np.nan)
    if np.isinf(numbers).any():
        raise ValueError(
            f"{what} has infinite values; expected finite or missing ones: give them a limit, as clip() does"
        )
    return pd.Series(categories(numbers, edges_of(numbers, bins)))


def edges_of(numbers: Floats, bins: object) -> list[tuple[float, float]]:
    """Give the ends of the intervals, the lower one in, the upper one out; all values are in one of them."""
    there = np.unique(numbers[~np.isnan(numbers)])
    if bins is None or isinstance(bins, bool | np.bool_ | int | np.integer | str):
        number = DEFAULT_BINS if bins is None else checked_number(bins)
        if len(there) == 0:
            return []
        if (there == np.floor(there)).all() and len(there) <= number:
            return [(value, max(value + 1, math.nextafter(value, math.inf))) for value in there.tolist()]
        return list(itertools.pairwise(quantile_edges(numbers[~np.isnan(numbers)], number)))
    edges = checked_edges(bins)
    if len(there) and there[0] < edges[0]:
        edges.insert(0, -math.inf)
    if len(there) and there[-1] >= edges[-1]:
        edges.append(math.inf)
    return list(itertools.pairwise(edges))


def quantile_edges(numbers: Floats, bins: int) -> list[float]:
    """Give edges between which are about as many values, rounded to what is easy to read.

    Whole numbers get whole edges. Edges that rounding makes the same are one.

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
    # Where floats are too coarse for the unit.
    rounded[0], rounded[-1] = min(rounded[0], low), max(rounded[-1], math.nextafter(high, math.inf))
    rounded[1:-1] = rounded[1:-1].clip(rounded[0], rounded[-1])
    edges: list[float] = np.unique(rounded).tolist()
    return edges


def categories(numbers: Floats, intervals: list[tuple[float, float]]) -> Any:
    """Give the interval of each number as an ordered category, missing where the number is or lies in none."""
    lefts, rights = (np.array([pair[end] for pair in intervals], np.float64) for end in (0, 1))
    ends = np.concatenate([lefts, rights])
    if (ends == np.floor(ends)).all() and (np.abs(ends) < 2.0**53).all():  # and so none is infinite
        lefts, rights = lefts.astype(np.int64), rights.astype(np.int64)
    codes = np.searchsorted(lefts, numbers, side="right") - 1
    codes[np.isnan(numbers)] = -1
    index: Any = pd.IntervalIndex.from_arrays(lefts, rights, closed="left")
    return pd.Categorical.from_codes(codes, index, ordered=True)


def checked_number(bins: object) -> int:
    """Give how many buckets, or raise."""
    if isinstance(bins, bool | np.bool_) or not isinstance(bins, int | np.integer):
        raise TypeError(f"bins is a whole number of at least 1, or a list of edges, not {short_repr(bins)}")
    if bins < 1:
        raise ValueError(f"bins is a whole number of at least 1, or a list of edges, not {short_repr(bins)}")
    return int(bins)


def checked_edges(bins: object) -> list[float]:
    """Give the edges, or raise."""
    items = bins.tolist() if hasattr(bins, "tolist") else bins
    if not isinstance(items, Iterable):
        raise TypeError(f"bins is a whole number of at least 1, or a list of edges, not {short_repr(bins)}")
    edges = list(items)
    if not edges or not all(isinstance(edge, Real) and not isinstance(edge, bool) for edge in edges):
        raise TypeError(f"bins has edges that are numbers, at least one, not {short_repr(edges)}")
    floats = [float(edge) for edge in edges]
    if not all(before < after for before, after in itertools.pairwise(floats)) or not np.isfinite(floats).all():
        raise ValueError(
            f"bins has edges that are finite and ascend, each above the one before, not {short_repr(edges)}"
        )
    return floats
