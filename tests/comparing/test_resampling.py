"""Resampling: sacreBLEU's random numbers in blocks of any size; sums equal those of gathered rows."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleupandas.comparing import random_weights, resampling
from bleupandas.comparing.random_weights import (
    BLOCK,
    MOST_ROWS,
    count_draws,
    draw_selections,
    draw_units,
    rows_at_once,
)
from bleupandas.comparing.resampling import Units, bootstrap_scores, swapped_differences
from bleupandas.comparing.resampling_options import resampling_options

SIZES = [(1, 7), (5, 40), (77, 130), (4097, 5)]


def first_field(sums: Any) -> Any:
    return np.array(sums[0], np.float64)


def units_of(seed: int, n_units: int) -> tuple[Any, Units]:
    fields = np.random.default_rng(seed).integers(0, 2**40, size=(3, 4, n_units))
    return fields, Units(fields, first_field)


@pytest.mark.parametrize("block", [1, 64, 1000, 2**22])
@pytest.mark.parametrize(("n_units", "n_resamples"), SIZES)
def test_draws_are_those_of_one_call(n_units: int, n_resamples: int, block: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(random_weights, "BLOCK", block)
    expected = np.random.default_rng(12345).choice(n_units, size=(n_resamples, n_units), replace=True)
    parts = list(draw_units(n_units, n_resamples, 12345))
    assert (np.concatenate(parts) == expected).all()
    assert max(part.size for part in parts) <= max(block, n_units)
    for part in parts:
        numbers = count_draws(part, n_units)
        assert numbers.dtype == np.float64
        assert numbers.tolist() == [[row.count(unit) for unit in range(n_units)] for row in part.tolist()]
        break


@pytest.mark.parametrize("block", [1, 64, 1000, 2**22])
@pytest.mark.parametrize(("n_units", "n_resamples"), SIZES)
def test_selections_are_those_of_one_call(n_units: int, n_resamples: int, block: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(random_weights, "BLOCK", block)
    expected = np.random.default_rng(7).integers(2, size=(n_resamples, n_units), dtype=bool)
    parts = list(draw_selections(n_units, n_resamples, 7))
    assert (np.concatenate(parts) == expected).all()
    assert max(part.size for part in parts) <= max(block, n_units)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("product", [1, 100, 2**17])
@pytest.mark.parametrize(("n_units", "n_resamples"), SIZES)
def test_bootstrap_sums_are_exact(n_units: int, n_resamples: int, product: int, threads: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(resampling, "PRODUCT", product)
    monkeypatch.setattr(random_weights, "BLOCK", 64)
    fields, units = units_of(n_units, n_units)
    drawn = np.random.default_rng(3).choice(n_units, size=(n_resamples, n_units))
    done: list[int] = []
    found = bootstrap_scores(units, resampling_options(n_resamples=n_resamples, seed=3), done.append, threads)
    assert found.tolist() == [[int(field[row].sum()) for row in drawn] for field in fields[:, 0]]
    assert sum(done) == n_resamples


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("n_units", "n_resamples"), SIZES)
def test_swapped_sums_are_exact(n_units: int, n_resamples: int, threads: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(random_weights, "BLOCK", 64)
    fields, units = units_of(n_units, n_units)
    kept = np.random.default_rng(3).integers(2, size=(n_resamples, n_units), dtype=bool)
    done: list[int] = []
    options = resampling_options(n_resamples=n_resamples, seed=3)
    found = swapped_differences(units, [(0, 1), (2, 1)], options, done.append, threads)
    for row, (first, second) in zip(found, [(0, 1), (2, 1)], strict=True):
        a, b = fields[first, 0], fields[second, 0]
        assert row.tolist() == [int(np.where(k, b, a).sum() - np.where(k, a, b).sum()) for k in kept]
    assert sum(done) == n_resamples


@given(st.lists(st.integers(0, 2**30), min_size=1, max_size=20), st.data())
def test_sums_of_any_weights(values: list[int], data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(0, 50), min_size=len(values), max_size=len(values)))
    found = Units(np.array([[values]]), first_field).sums(np.array([weights], np.float64))
    assert found.tolist() == [[[sum(w * v for w, v in zip(weights, values, strict=True))]]]


def test_a_block_bounds_the_memory() -> None:
    assert rows_at_once(10**6) * 10**6 <= BLOCK
    assert rows_at_once(10**8) == 1
    assert rows_at_once(0) == rows_at_once(1) == MOST_ROWS
