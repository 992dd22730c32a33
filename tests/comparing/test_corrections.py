"""Corrected p-values: arithmetic for Holm, SciPy for Benjamini and Hochberg."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from bleupandas.comparing.corrections import correct_p_values

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12).map(np.array)


@given(P_VALUES)
def test_benjamini_hochberg_is_scipys(p_values: Any) -> None:
    expected = false_discovery_control(p_values, method="bh")
    assert correct_p_values(p_values, "benjamini-hochberg") == pytest.approx(expected, rel=1e-12)


@given(P_VALUES)
def test_holm_rejects_step_by_step(p_values: Any) -> None:
    """Holm 1979: in order of size, the i-th of n is rejected at a level while p <= level / (n - i)."""
    found = correct_p_values(p_values, "holm")
    for level in (0.01, 0.05, 0.2):
        rejected: set[int] = set()
        for i, at in enumerate(np.argsort(p_values, kind="stable").tolist()):
            if p_values[at] * (len(p_values) - i) > level:
                break
            rejected.add(at)
        assert set(np.flatnonzero(found <= level).tolist()) == rejected


def test_arithmetic() -> None:
    assert correct_p_values(np.array([0.04, 0.01, 0.03, 0.005]), "holm").tolist() == [0.06, 0.03, 0.06, 0.02]
    assert correct_p_values(np.array([0.9, 0.8]), "holm").tolist() == [1.0, 1.0]
    assert correct_p_values(np.array([0.04, 0.01]), "none").tolist() == [0.04, 0.01]


@pytest.mark.parametrize("method", ["holm", "benjamini-hochberg", "none"])
def test_missing_is_no_test(method: str) -> None:
    whole, gaps = np.array([0.01, 0.03]), np.array([0.01, np.nan, 0.03])
    found = correct_p_values(gaps, method)
    assert np.isnan(found[1])
    assert found[[0, 2]].tolist() == correct_p_values(whole, method).tolist()
    assert len(correct_p_values(np.array([]), method)) == 0
