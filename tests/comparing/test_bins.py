"""Bins: edges are easy to read, and every value has an interval."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples

from bleupandas.comparing.bins import find_edges, quantile_edges, to_intervals

FLOATS = st.integers(-(10**6), 10**6).map(float) | st.floats(-1e6, 1e6) | st.sampled_from([2.0**53, 2.0**60, -1e300])
LARGEST = float(np.finfo(np.float64).max)
NUMBERS = st.lists(FLOATS, min_size=1, max_size=30)


@settings(max_examples=examples(300))
@given(NUMBERS, st.integers(1, 12), st.lists(st.integers(-50, 50), min_size=1, max_size=4, unique=True).map(sorted))
def test_every_value_is_in_its_interval(values: list[float], bins: int, edges: list[int]) -> None:
    numbers = np.array(values)
    for some_bins in (bins, edges, None):
        intervals = find_edges(numbers, some_bins)
        assert all(left < right for left, right in intervals)
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(intervals))
        found = to_intervals(numbers, intervals)
        assert found.ordered
        for value, interval in zip(values, found, strict=True):
            assert interval.left <= value < interval.right
    assert len(find_edges(numbers, bins)) <= bins


@pytest.mark.parametrize("bins", [1, 2, 5])
@pytest.mark.parametrize(
    "values", [[LARGEST, -LARGEST], [LARGEST], [0.5, LARGEST], [-LARGEST, 0.0, LARGEST], [5e-324, 1e-310]], ids=str
)
def test_the_largest_and_smallest_numbers(values: list[float], bins: int) -> None:
    numbers = np.array(values)
    intervals = find_edges(numbers, bins)
    assert len(intervals) <= bins
    for value, interval in zip(values, to_intervals(numbers, intervals), strict=True):
        assert interval.left <= value < interval.right


def test_missing_values_have_none() -> None:
    numbers = np.array([1.0, np.nan, 3.0])
    assert to_intervals(numbers, find_edges(numbers, 5)).codes.tolist() == [0, -1, 1]
    assert find_edges(np.array([np.nan]), 5) == []
    assert to_intervals(np.array([np.nan]), []).codes.tolist() == [-1]


def test_buckets_hold_about_as_many() -> None:
    random = np.random.default_rng(3)
    numbers = random.gamma(2.5, 10, 10_000).round()
    edges = quantile_edges(numbers, 8)
    held = np.histogram(numbers, edges)[0]
    assert held.sum() == 10_000
    assert held.min() > 0.6 * 1250
    assert held.max() < 1.4 * 1250
    assert all(edge == math.floor(edge) for edge in edges)


@pytest.mark.parametrize(
    ("numbers", "bins", "expected"),
    [
        (np.arange(1000.0), 4, [0, 250, 500, 750, 1000]),
        (np.arange(12_345.0), 3, [0, 4200, 8300, 12400]),
        (np.linspace(0, 1, 101), 4, [0, 0.25, 0.5, 0.75, 1.01]),
        (np.array([7.0] * 50), 4, [7, 8]),
        (np.array([0.5] * 3), 4, [0, 1]),
    ],
)
def test_edges_are_easy_to_read(numbers: Any, bins: int, expected: list[float]) -> None:
    assert quantile_edges(numbers, bins) == pytest.approx(expected, rel=0.03)
    assert all(len(f"{edge:g}") <= 5 for edge in quantile_edges(numbers, bins))
