"""Hypotheses far longer or shorter than their closest reference."""

import numpy as np
from numpy.typing import NDArray

from bleupandas.auditing.checks import LENGTH_DIFFERENCE, LENGTH_FACTOR
from bleupandas.auditing.findings import Findings
from bleupandas.auditing.system_rows import neighbour_positions
from bleupandas.counting import Sums

# A row that one of these checks found may have a wrong length because of it.
CAUSES_OF_LENGTH = (
    "references shifted",
    "references transposed",
    "white space in tokens",
    "single characters as tokens",
    "text of a script without spaces as one token",
)


def check_lengths(findings: Findings, sums: Sums, systems: NDArray[np.int64]) -> None:
    """Find rows whose lengths differ by a factor, except where another problem explains it."""
    shorter = np.minimum(sums.candidate_length, sums.reference_length)
    longer = np.maximum(sums.candidate_length, sums.reference_length)
    differs = (shorter > 0) & (longer > LENGTH_FACTOR * shorter) & (longer - shorter >= LENGTH_DIFFERENCE)
    explained = np.zeros(findings.n_rows, np.bool_)
    for name in CAUSES_OF_LENGTH:
        explained |= findings.mask(name)
    shifted = findings.mask("references shifted")  # the rows around a run may be shifted without matches to show it
    for step in (-1, 1):
        explained |= shifted[neighbour_positions(systems, step)]
    findings.add("length off by a factor", differs & ~explained)
