"""Which rows are of one system, and checks of how often a system has something."""

import numpy as np
from numpy.typing import NDArray

from bleupandas.auditing.checks import MAX_EQUAL_SHARE, MAX_VARIANT_SHARE, MIN_ROWS, MIN_TOKENS
from bleupandas.auditing.findings import Findings

Positions = NDArray[np.int64]


def positions_by_system(systems: NDArray[np.int64]) -> list[Positions]:
    """Return the positions of the rows of each system, in their order."""
    order = np.argsort(systems, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(systems[order])) + 1) if len(systems) else []


def neighbour_positions(systems: NDArray[np.int64], step: int) -> Positions:
    """Return for each row the position of the row `step` further in its system, (n_rows,).

    The first row follows the last one.

    Examples
    --------
    >>> neighbour_positions(np.array([7, 8, 7, 8, 7]), 1).tolist()
    [2, 3, 4, 1, 0]
    """
    neighbours = np.empty(len(systems), np.int64)
    for positions in positions_by_system(systems):
        neighbours[positions] = np.roll(positions, -step)
    return neighbours


def check_variants(
    findings: Findings, kind: str, variants: NDArray[np.int64], lengths: NDArray[np.int64], systems: NDArray[np.int64]
) -> None:
    """Find rows with tokens that differ only by `kind`; many in one system are a warning.

    Parameters
    ----------
    findings : Findings
    kind : {"case", "punctuation"}
    variants, lengths : ndarray of shape (n_rows,)
        Numbers of such tokens, and of all hypothesis tokens.
    systems : ndarray of shape (n_rows,)
    """
    name = f"tokens differ only by {kind}"
    findings.add(name, variants > 0)
    for positions in positions_by_system(systems):
        in_system = variants[positions]
        if (in_system > 0).sum() >= MIN_ROWS and in_system.sum() > MAX_VARIANT_SHARE * lengths[positions].sum():
            findings.raise_severity(name, "warning")


def check_equal_references(findings: Findings, lengths: NDArray[np.int64], systems: NDArray[np.int64]) -> None:
    """Raise the severity of hypotheses that equal a reference if one system has many."""
    name = "hypothesis equals a reference"
    equal = findings.mask(name)
    for positions in positions_by_system(systems):
        long = lengths[positions] >= MIN_TOKENS
        n_equal = int((equal[positions] & long).sum())
        if n_equal >= MIN_ROWS and n_equal > MAX_EQUAL_SHARE * int(long.sum()):
            findings.raise_severity(name, "warning")
