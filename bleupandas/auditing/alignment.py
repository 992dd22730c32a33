"""References beside the wrong hypothesis: shifted by a row, or transposed."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from bleupandas.auditing.checks import MIN_ROWS
from bleupandas.auditing.findings import Findings
from bleupandas.auditing.other_references import count_pairs, take_cells
from bleupandas.auditing.system_rows import Positions, neighbour_positions, positions_by_system
from bleupandas.auditing.transposed_references import find_transposed
from bleupandas.reading import TokenColumns

MIN_GAIN = 10  # pairs of tokens that a run of rows has to match in addition
MAX_RUNS = 20  # in one system


def check_alignment(
    findings: Findings, tokens: TokenColumns, pairs: NDArray[np.int64], systems: NDArray[np.int64], threads: int
) -> None:
    """Find references that belong to other rows.

    Parameters
    ----------
    findings : Findings
    tokens : TokenColumns
    pairs : ndarray of shape (n_rows,)
        Pairs of tokens in a hypothesis that match the references of the same row.
    systems : ndarray of shape (n_rows,)
    threads : int
    """
    one_system = np.zeros_like(systems)
    for groups in (one_system, systems) if (systems != systems[:1]).any() else (one_system,):
        positions = find_transposed(tokens, pairs, groups, threads)
        if len(positions):
            findings.add("references transposed", positions)
    transposed = findings.mask("references transposed")  # such a row has references of its neighbours, too
    for side, step in (("below", 1), ("above", -1)):
        shifted = find_shifted(tokens, pairs, systems, step, threads)
        shifted = shifted[~transposed[shifted]]
        if len(shifted):
            findings.add("references shifted", shifted)
            findings.add_detail("references shifted", side)


def find_shifted(
    tokens: TokenColumns, pairs: NDArray[np.int64], systems: NDArray[np.int64], step: int, threads: int
) -> Positions:
    """Return the positions of rows that match the references of another row, `step` further in the system."""
    others = tuple(take_cells(form, neighbour_positions(systems, step)) for form in tokens.forms[1:])
    other_pairs = count_pairs(tokens, others, threads)
    shifted = [np.zeros(0, np.int64)]
    for positions in positions_by_system(systems):
        for start, stop in find_runs(pairs[positions], other_pairs[positions]):
            shifted.append(positions[start:stop])
    return np.concatenate(shifted)


def find_runs(pairs: NDArray[np.int64], other_pairs: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield the start and stop of runs of rows that match far better with other references.

    A run has at least MIN_ROWS rows. Together they match at least MIN_GAIN more pairs of tokens, and twice as many.
    """
    gains = other_pairs - pairs
    for _ in range(MAX_RUNS):
        # The run of the largest gain ends where the running sum is furthest above its minimum so far.
        sums = np.concatenate([[0], np.cumsum(gains)])
        stop = int((sums - np.minimum.accumulate(sums)).argmax())
        start = stop - int(sums[stop::-1].argmin())
        if sums[stop] - sums[start] < MIN_GAIN:
            return
        gains[start:stop] = -MIN_GAIN
        if stop - start >= MIN_ROWS and other_pairs[start:stop].sum() >= 2 * pairs[start:stop].sum():
            yield start, stop
