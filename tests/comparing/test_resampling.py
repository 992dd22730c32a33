"""Resampling: sacreBLEU's random numbers in blocks of any size, and sums that equal gathering."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleupandas.comparing import resampling
from bleupandas.comparing.resampling import (
    BLOCK,
    MOST_ROWS,
    Units,
    bootstrap_p,
    bootstrap_scores,
    counts,
    draws,
    randomization_p,
    rows_at_once,
    selections,
    swapped_differences,
)

SIZES = [(1, 7), (5, 40), (77, 130), (4097, 5)]


def first_field(sums: Any) -> Any:
    return np.array(sums[0], np.float64)


def units_of(seed: int, n_units: int) -> tuple[Any, Units]:
    fields = np.random.default_rng(seed).integers(0, 2**40, size=(3, 4, n_units))
    return fields, Units(fields, first_field)


@pytest.mark.parametrize("block", [1, 64, 1000, 2**22])
@pytest.mark.parametrize(("n_units", "n_resamples"), SIZES)
def test_draws_are_those_of_one_call(n_units: int, n_resamples: int, block: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(resampling, "BLOCK", block)
    expected = np.random.default_rng(12345).choice(n_units, size=(n_resamples, n_units), replace=True)
    parts = list(draws(n_units, n_resamples, 12345))
    assert (np.concatenate(parts) == expected).all()
    assert max(part.size for part in parts) <= max(block, n_units)
    for part in parts:
        counted = counts(part, n_units)
        assert counted.dtype == np.float64
        assert counted.tolist() == [[row.count(unit) for unit in range(n_units)] for row in part.tolist()]
        break


@pytest.mark.parametrize("block", [1, 64, 1000, 2**22])
@pytest.mark.parametrize(("n_units", "n_resamples"), SIZES)
def test_selections_are_those_of_one_call(n_units: int, n_resamples: int, block: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(resampling, "BLOCK", block)
    expected = np.random.default_rng(7).integers(2, size=(n_resamples, n_units), dtype=bool)
    parts = list(selections(n_units, n_resamples, 7))
    assert (np.concatenate(parts) == expected).all()
    assert max(part.size for part in parts) <= max(block, n_units)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("product", [1, 100, 2**17])
@pytest.mark.parametrize(("n_units", "n_resamples"), SIZES)
def test_bootstrap_sums_are_exact(n_units: int, n_resamples: int, product: int, threads: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(resampling, "PRODUCT", product)
    monkeypatch.setattr(resampling, "BLOCK", 64)
    fields, units = units_of(n_units, n_units)
    drawn = np.random.default_rng(3).choice(n_units, size=(n_resamples, n_units))
    done: list[int] = []
    found = bootstrap_scores(units, n_resamples, 3, done.append, threads)
    assert found.tolist() == [[int(field[row].sum()) for row in drawn] for field in fields[:, 0]]
    assert sum(done) == n_resamples


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("n_units", "n_resamples"), SIZES)
def test_swapped_sums_are_exact(n_units: int, n_resamples: int, threads: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(resampling, "BLOCK", 64)
    fields, units = units_of(n_units, n_units)
    kept = np.random.default_rng(3).integers(2, size=(n_resamples, n_units), dtype=bool)
    done: list[int] = []
    found = swapped_differences(units, [(0, 1), (2, 1)], n_resamples, 3, done.append, threads)
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


# ---- p-values: arithmetic ----


def test_bootstrap_p() -> None:
    drawn = np.array([1.0, 2.0, 3.0, 4.0, -5.0])  # mean 1, shifted 0 1 2 3 -6
    assert bootstrap_p(drawn, 3.0, 0.0, False) == (2 + 1) / 6
    assert bootstrap_p(drawn, -3.0, 0.0, False) == (2 + 1) / 6
    # sizes have mean 3, shifted -2 -1 0 1 2; strictly above 1: one
    assert bootstrap_p(drawn, 1.0, 0.0, True) == (1 + 1) / 6


def test_randomization_p() -> None:
    drawn = np.array([1.0, -2.0, 3.0, 0.5])
    assert randomization_p(drawn, 2.0, 0.0, False) == (2 + 1) / 5
    assert randomization_p(drawn, 2.0, 0.0, True) == (1 + 1) / 5
    assert randomization_p(drawn, 2.0 + 1e-15, 1e-12, False) == (2 + 1) / 5
