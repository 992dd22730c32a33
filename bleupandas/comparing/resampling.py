"""Scores of resampled corpora, drawn block by block from the random numbers that sacreBLEU draws at once.

A resample is a weight for each unit (a segment, or a cluster of them): how often it was drawn, or whether it kept its
system. Its sums are the weights times the units' fields, a product of matrices in float64, exact for sums below
2**53.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleupandas.engine import map_blocks

Floats = NDArray[np.float64]
Scorer = Callable[[NDArray[Any]], Floats]  # sums, (n_fields, n), to scores, (n,)
Advance = Callable[[int], object]  # is told how many resamples more are done

BLOCK = 2**20  # weights at a time, of 8 bytes each, and as many draws; two such blocks a thread are there at once
# Multiplications at a time: from twice as many on OpenBLAS starts threads, which on a busy machine wait for each other
# a hundred times as long as they work.
PRODUCT = 2**17
WORD = 32  # NumPy makes so many booleans of one random word, and forgets what is left of it at the end of a call
MOST_ROWS = 4096
FEW_UNITS = 4096


class Units:
    """What is resampled: the fields of each unit for each system, and how their sums are scored.

    Parameters
    ----------
    fields : ndarray of shape (n_systems, n_fields, n_units)
    scorer : function
        From sums, (n_fields, n), to scores, (n,).
    """

    def __init__(self, fields: NDArray[Any], scorer: Scorer) -> None:
        self.systems, self.width, self.number = fields.shape
        self.scorer = scorer
        self._matrix = np.ascontiguousarray(fields.reshape(self.systems * self.width, -1).T, np.float64)

    def sums(self, weights: Floats) -> Floats:
        """Give the sums of resamples, (n, n_systems, n_fields), of weights, (n, n_units)."""
        n = len(weights)
        sums = np.zeros((n, self.systems * self.width))
        step = max(PRODUCT // max(sums.size, 1), 16)
        for start in range(0, self.number, step):
            sums += weights[:, start : start + step] @ self._matrix[start : start + step]
        return sums.reshape(n, self.systems, self.width)

    def scores(self, sums: Floats) -> Floats:
        """Give the scores of such sums, (n_systems, n)."""
        return np.stack([self.scorer(sums[:, system].T) for system in range(self.systems)])


def bootstrap_scores(units: Units, n_resamples: int, seed: int, advance: Advance, threads: int = 1) -> Floats:
    """Score resamples of as many units as there are, drawn with replacement, the same ones for every system.

    Koehn 2004, section 3.

    Returns
    -------
    ndarray of shape (n_systems, n_resamples)
    """

    def scored(start: int, drawn: NDArray[np.int64]) -> Floats:
        return units.scores(units.sums(counts(drawn, units.number)))

    result = np.empty((units.systems, n_resamples))
    for start, scores in map_blocks(scored, numbered(draws(units.number, n_resamples, seed)), threads):
        result[:, start : start + scores.shape[1]] = scores
        advance(scores.shape[1])
    return result


def swapped_differences(
    units: Units, pairs: Sequence[tuple[int, int]], n_resamples: int, seed: int, advance: Advance, threads: int = 1
) -> Floats:
    """Score pairs of systems that swapped a random half of their units, and give the differences second minus first.

    Riezler and Maxwell 2005, section 4.

    Parameters
    ----------
    units : Units
    pairs : sequence of (int, int)
        Positions of systems.
    n_resamples, seed : int
    advance : function
    threads : int

    Returns
    -------
    ndarray of shape (n_pairs, n_resamples)
    """
    every = units.sums(np.ones((1, units.number)))

    def swapped(start: int, kept: Floats) -> Floats:
        sums = units.sums(kept)
        others = every - sums
        found = np.empty((len(pairs), len(kept)))
        for pair, (first, second) in zip(found, pairs, strict=True):
            pair[:] = units.scorer((sums[:, second] + others[:, first]).T)
            pair -= units.scorer((sums[:, first] + others[:, second]).T)
        return found

    result = np.empty((len(pairs), n_resamples))
    for start, differences in map_blocks(swapped, numbered(selections(units.number, n_resamples, seed)), threads):
        result[:, start : start + differences.shape[1]] = differences
        advance(differences.shape[1])
    return result


def bootstrap_p(differences: Floats, difference: float, rounding: float, as_sacrebleu: bool) -> float:
    """Give the two-sided p-value of a difference from those of resamples.

    The resamples are shifted to where there is no difference: their mean is taken from them. With `as_sacrebleu` their
    absolute values are shifted, and only what is strictly above counts.

    Parameters
    ----------
    differences : ndarray of shape (n_resamples,)
    difference : float
    rounding : float
        Up to which difference two are the same.
    as_sacrebleu : bool
    """
    if as_sacrebleu:
        sizes = np.abs(differences)
        return share(sizes - sizes.mean() > abs(difference))
    return share(np.abs(differences - differences.mean()) >= abs(difference) - rounding)


def randomization_p(differences: Floats, difference: float, rounding: float, as_sacrebleu: bool) -> float:
    """Give the two-sided p-value of a difference from those of systems that swapped units; see `bootstrap_p`."""
    if as_sacrebleu:
        return share(np.abs(differences) > abs(difference))
    return share(np.abs(differences) >= abs(difference) - rounding)


def share(extreme: NDArray[np.bool_]) -> float:
    """Give the share of resamples that are extreme, the observed one counted among them."""
    return (int(extreme.sum()) + 1) / (len(extreme) + 1)


# ---- Random numbers ----


def numbered(blocks: Iterator[NDArray[Any]]) -> Iterator[tuple[int, NDArray[Any]]]:
    """Give with each block of resamples the number of the first."""
    start = 0
    for block in blocks:
        yield start, block
        start += len(block)


def rows_at_once(n_units: int) -> int:
    """Give how many resamples are drawn at a time."""
    return min(max(BLOCK // max(n_units, 1), 1), MOST_ROWS)


def draws(n_units: int, n_resamples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Draw blocks of resamples, (n, n_units): together they are ``default_rng(seed).choice(n_units, size=...)``."""
    rng, step = np.random.default_rng(seed), rows_at_once(n_units)
    for start in range(0, n_resamples, step):
        yield rng.integers(0, n_units, size=(min(step, n_resamples - start), n_units))


def counts(drawn: NDArray[np.int64], n_units: int) -> Floats:
    """Give how often each unit was drawn in each resample, (n, n_units)."""
    n = len(drawn)
    if n_units <= FEW_UNITS:  # a call for each resample would cost more than counting
        flat = (drawn + np.arange(0, n * n_units, n_units)[:, np.newaxis]).ravel()
        return np.bincount(flat, minlength=n * n_units).reshape(n, n_units).astype(np.float64)
    result = np.empty((n, n_units))
    for row, one in zip(result, drawn, strict=True):
        row[:] = np.bincount(one, minlength=n_units)
    return result


def selections(n_units: int, n_resamples: int, seed: int) -> Iterator[Floats]:
    """Draw blocks of 0 and 1, (n, n_units): together ``default_rng(seed).integers(2, size=..., dtype=bool)``."""
    rng, step = np.random.default_rng(seed), rows_at_once(n_units)
    drawn = -(-step // WORD) * WORD
    for start in range(0, n_resamples, drawn):
        # Always whole words, so that the next block begins where sacreBLEU's numbers go on.
        block = rng.integers(2, size=(drawn, n_units), dtype=bool)[: n_resamples - start]
        for at in range(0, len(block), step):
            yield block[at : at + step].astype(np.float64)
