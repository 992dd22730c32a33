"""Resampling options: how many resamples, which random numbers, which test."""

import secrets
from dataclasses import dataclass

from bleupandas.common import check_choice, check_proportion, check_whole_number
from bleupandas.comparing.corrections import CORRECTIONS

METHODS = ("bootstrap", "randomization")


@dataclass(frozen=True, kw_only=True)
class ResamplingOptions:
    """How many resamples, which random numbers, which test; `resampling_options` checks the values.

    Attributes
    ----------
    n_resamples : int
    seed : int
        Of NumPy's default generator.
    level : float
        Of confidence intervals, between 0 and 1.
    method : {"bootstrap", "randomization"}
        The significance test.
    correction : {"holm", "benjamini-hochberg", "none"}
        Of p-values.
    """

    n_resamples: int = 1000
    seed: int = 12345
    level: float = 0.95
    method: str = "bootstrap"
    correction: str = "none"


def resampling_options(
    *,
    n_resamples: object = 1000,
    seed: object = 12345,
    level: object = 0.95,
    method: object = "bootstrap",
    correction: object = "none",
) -> ResamplingOptions:
    """Check the options of resampling; without a seed draw one.

    Examples
    --------
    >>> resampling_options(n_resamples=100).seed
    12345
    """
    return ResamplingOptions(
        method=check_choice("method", method, METHODS),
        n_resamples=check_whole_number("n_resamples", n_resamples, 1),
        seed=secrets.randbits(64) if seed is None else check_whole_number("seed", seed, 0),
        level=check_proportion("level", level, "0.95"),
        correction=check_choice("correction", correction, CORRECTIONS),
    )
