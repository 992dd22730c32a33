"""p-values: arithmetic on a few resamples."""

import numpy as np

from bleupandas.comparing.p_values import bootstrap_p, randomization_p


def test_bootstrap_p() -> None:
    drawn = np.array([1.0, 2.0, 3.0, 4.0, -5.0])  # mean 1; shifted 0 1 2 3 -6
    assert bootstrap_p(drawn, 3.0, 0.0, False) == (2 + 1) / 6
    assert bootstrap_p(drawn, -3.0, 0.0, False) == (2 + 1) / 6
    # Sizes have a mean of 3; shifted they are -2 -1 0 1 2, and one is above 1.
    assert bootstrap_p(drawn, 1.0, 0.0, True) == (1 + 1) / 6


def test_randomization_p() -> None:
    drawn = np.array([1.0, -2.0, 3.0, 0.5])
    assert randomization_p(drawn, 2.0, 0.0, False) == (2 + 1) / 5
    assert randomization_p(drawn, 2.0, 0.0, True) == (1 + 1) / 5
    assert randomization_p(drawn, 2.0 + 1e-15, 1e-12, False) == (2 + 1) / 5
