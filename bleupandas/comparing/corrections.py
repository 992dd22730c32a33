"""Corrections of p-values for several tests."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CORRECTIONS = ("holm", "benjamini-hochberg", "none")


def correct_p_values(p_values: Floats, correction: str) -> Floats:
    """Correct p-values for several tests; a missing one stays missing and does not count as a test.

    Parameters
    ----------
    p_values : ndarray of shape (n_tests,)
    correction : {"holm", "benjamini-hochberg", "none"}
        "holm" limits the probability of any false discovery (Holm 1979), "benjamini-hochberg" the expected share of
        false discoveries (Benjamini and Hochberg 1995).

    Returns
    -------
    ndarray of shape (n_tests,)

    Examples
    --------
    >>> correct_p_values(np.array([0.01, 0.04, 0.03]), "holm").tolist()
    [0.03, 0.06, 0.06]
    >>> correct_p_values(np.array([0.01, 0.04, 0.03]), "benjamini-hochberg").round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    result = p_values.copy()
    tests = np.flatnonzero(~np.isnan(p_values))
    order = tests[np.argsort(p_values[tests], kind="stable")]
    n = len(order)
    if correction == "holm":
        steps = np.maximum.accumulate(p_values[order] * np.arange(n, 0, -1))
        result[order] = np.minimum(steps, 1.0)
    elif correction == "benjamini-hochberg":
        steps = p_values[order] * n / np.arange(1, n + 1)
        result[order] = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1.0)
    return result
