"""Scores of resampled corpora.

A resample is a weight for each unit (a segment, or a cluster of segments): how often it was drawn, or whether it kept
its system. The sums of a resample are the weights times the units' fields: a product of matrices in float64, exact for
sums below 2**53.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleupandas.comparing.random_weights import Floats, count_draws, draw_selections, draw_units, number_blocks
from bleupandas.comparing.resampling_options import ResamplingOptions
from bleupandas.engine import map_blocks

Scorer = Callable[[NDArray[Any]], Floats]  # sums, (n_fields, n), to scores, (n,)
Advance = Callable[[int], object]  # called with the number of further resamples that are done

# Multiplications at a time: from twice as many on OpenBLAS starts threads, which on a busy machine wait for each other
# a hundred times as long as they work.
PRODUCT = 2**17


class Units:
    """What is resampled: the fields of each unit for each system, and the function that scores their sums.

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
        """Return the sums of resamples, (n, n_systems, n_fields), for weights, (n, n_units)."""
        n = len(weights)
        sums = np.zeros((n, self.systems * self.width))
        step = max(PRODUCT // max(sums.size, 1), 16)
        for start in range(0, self.number, step):
            sums += weights[:, start : start + step] @ self._matrix[start : start + step]
        return sums.reshape(n, self.systems, self.width)

    def scores(self, sums: Floats) -> Floats:
        """Return the scores of such sums, (n_systems, n)."""
        return np.stack([self.scorer(sums[:, system].T) for system in range(self.systems)])

    def score_once(self) -> Floats:
        """Return the scores of all units, each taken once, (n_systems,)."""
        scores: Floats = self.scores(self.sums(np.ones((1, self.number))))[:, 0]
        return scores


def bootstrap_scores(units: Units, resampling: ResamplingOptions, advance: Advance, threads: int = 1) -> Floats:
    """Score resamples drawn with replacement, as large as the corpus, with the same draws for every system.

    Koehn 2004, section 3.

    Returns
    -------
    ndarray of shape (n_systems, n_resamples)
    """

    def score(start: int, draws: NDArray[np.int64]) -> Floats:
        return units.scores(units.sums(count_draws(draws, units.number)))

    n_resamples = resampling.n_resamples
    blocks = number_blocks(draw_units(units.number, n_resamples, resampling.seed))
    result = np.empty((units.systems, n_resamples))
    for start, scores in map_blocks(score, blocks, threads):
        result[:, start : start + scores.shape[1]] = scores
        advance(scores.shape[1])
    return result


def swapped_differences(
    units: Units,
    pairs: Sequence[tuple[int, int]],
    resampling: ResamplingOptions,
    advance: Advance,
    threads: int = 1,
) -> Floats:
    """Score pairs of systems that swapped a random half of their units; return differences, second minus first.

    Riezler and Maxwell 2005, section 4.

    Parameters
    ----------
    units : Units
    pairs : sequence of (int, int)
        Positions of systems.
    resampling : ResamplingOptions
    advance : function
    threads : int

    Returns
    -------
    ndarray of shape (n_pairs, n_resamples)
    """
    every = units.sums(np.ones((1, units.number)))

    def swap(start: int, kept: Floats) -> Floats:
        sums = units.sums(kept)
        others = every - sums
        result = np.empty((len(pairs), len(kept)))
        for row, (first, second) in zip(result, pairs, strict=True):
            row[:] = units.scorer((sums[:, second] + others[:, first]).T)
            row -= units.scorer((sums[:, first] + others[:, second]).T)
        return result

    n_resamples = resampling.n_resamples
    blocks = number_blocks(draw_selections(units.number, n_resamples, resampling.seed))
    result = np.empty((len(pairs), n_resamples))
    for start, differences in map_blocks(swap, blocks, threads):
        result[:, start : start + differences.shape[1]] = differences
        advance(differences.shape[1])
    return result


def percentile_intervals(samples: Floats, level: float) -> Floats:
    """Return the percentile intervals of samples, (n, n_resamples), as (n, 2)."""
    bounds: Floats = np.quantile(samples, [(1 - level) / 2, (1 + level) / 2], axis=1).T
    return bounds
