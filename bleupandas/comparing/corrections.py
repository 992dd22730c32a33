"""p-values of several tests, corrected for there being several."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

METHODS = ("holm", "benjamini-hochberg", "none")


def corrected(p_values: Floats, method: str) -> Floats:
    """Give corrected p-values; a missing one stays so and is no test.

    Parameters
    ----------
    p_values : ndarray of shape (n_tests,)
    method : {"holm", "benjamini-hochberg", "none"}
        "holm" bounds the chance of one false finding or more (Holm 1979), "benjamini-hochberg" the expected share of
        false ones among the findings (Benjamini and Hochberg 1995).

    Returns
    -------
    ndarray of shape (n_tests,)

    Examples
    --------
    >>> corrected(np.array([0.01, 0.04, 0.03]), "holm").tolist()
    [0.03, 0.06, 0.06]
    >>> corrected(np.array([0.01, 0.04, 0.03]), "benjamini-hochberg").round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    result = p_values.copy()
    tests = np.flatnonzero(~np.isnan(p_values))
    order = tests[np.argsort(p_values[tests], kind="stable")]
    n = len(order)
    if method == "holm":
        steps = np.maximum.accumulate(p_values[order] * np.arange(n, 0, -1))
        result[order] = np.minimum(steps, 1.0)
    elif method == "benjamini-hochberg":
        steps = p_values[order] * n / np.arange(1, n + 1)
        result[order] = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1.0)
    return result
