"""p-values of a difference from the differences of resamples."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ROUNDING = 1e-12  # relative: differences this close count as equal


def bootstrap_p(differences: Floats, difference: float, rounding: float, as_sacrebleu: bool) -> float:
    """Return the two-sided p-value of a difference, from the differences of bootstrap resamples.

    The resamples are shifted to a mean of 0, where there is no difference. With `as_sacrebleu` their absolute values
    are shifted, and only larger differences count.

    Parameters
    ----------
    differences : ndarray of shape (n_resamples,)
    difference : float
    rounding : float
        Differences this close count as equal.
    as_sacrebleu : bool
    """
    if as_sacrebleu:
        sizes = np.abs(differences)
        return extreme_share(sizes - sizes.mean() > abs(difference))
    return extreme_share(np.abs(differences - differences.mean()) >= abs(difference) - rounding)


def randomization_p(differences: Floats, difference: float, rounding: float, as_sacrebleu: bool) -> float:
    """Return the two-sided p-value of a difference, from resamples with swapped units; see `bootstrap_p`."""
    if as_sacrebleu:
        return extreme_share(np.abs(differences) > abs(difference))
    return extreme_share(np.abs(differences) >= abs(difference) - rounding)


def extreme_share(extreme: NDArray[np.bool_]) -> float:
    """Return the share of extreme resamples; the observed difference counts as one of them."""
    return (int(extreme.sum()) + 1) / (len(extreme) + 1)


def scores_differ(difference: Any, baseline_score: Any, score: Any) -> Any:
    """Return whether scores differ by more than rounding; False where they are missing.

    A claim needs this besides the p-value: sacreBLEU's p-value of a difference of 0 is the smallest possible.

    Examples
    --------
    >>> bool(scores_differ(0.1 + 0.2 - 0.3, 0.3, 0.1 + 0.2)), bool(scores_differ(-0.01, 0.3, 0.29))
    (False, True)
    """
    return np.abs(difference) > ROUNDING * np.maximum(np.abs(baseline_score), np.abs(score))
