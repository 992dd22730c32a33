"""Significance: scores, confidence intervals and p-values of pairs of systems."""

from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.comparing.p_values import ROUNDING, bootstrap_p, randomization_p
from bleupandas.comparing.paired_data import PairedData
from bleupandas.comparing.random_weights import Floats
from bleupandas.comparing.resampling import (
    Advance,
    Units,
    bootstrap_scores,
    percentile_intervals,
    swapped_differences,
)
from bleupandas.comparing.resampling_options import ResamplingOptions
from bleupandas.comparing.slices import Pair, PairGroup

FLOAT_COLUMNS = (
    *("baseline_score", "baseline_low", "baseline_high", "score", "score_low", "score_high"),
    *("difference", "difference_low", "difference_high", "p_value"),
)
COUNT_COLUMNS = ("segments", "segments_missing", "clusters")


class Outcomes(NamedTuple):
    """The results of all tests, NaN and 0 until they are filled in."""

    floats: Floats  # (n_slices, n_pairs, 10), by FLOAT_COLUMNS
    counts: NDArray[np.int64]  # (n_slices, n_pairs, 3), by COUNT_COLUMNS

    @classmethod
    def empty(cls, n_slices: int, n_pairs: int) -> Self:
        """Make room for the results of some tests."""
        shape = (n_slices, n_pairs)
        return cls(np.full((*shape, len(FLOAT_COLUMNS)), np.nan), np.zeros((*shape, len(COUNT_COLUMNS)), np.int64))

    def set(self, group: PairGroup, column: str, values: Floats) -> None:
        """Fill in a column for the pairs of a group, (n,), or columns from this one on, (n, n_columns)."""
        at = FLOAT_COLUMNS.index(column)
        table = values.reshape(len(group.pairs), -1)
        self.floats[group.slice][np.ix_(group.places, range(at, at + table.shape[1]))] = table


class SignificanceTest(NamedTuple):
    """How pairs of systems are tested."""

    data: PairedData
    clusters: NDArray[np.int64] | None  # of each paired segment
    resampling: ResamplingOptions
    as_sacrebleu: bool
    threads: int

    @property
    def rounds(self) -> int:
        """How many resamples a group of pairs takes."""
        return self.resampling.n_resamples * (1 if self.resampling.method == "bootstrap" else 2)

    def run(self, group: PairGroup, outcomes: Outcomes, advance: Advance) -> None:
        """Test the pairs of a group, and fill in their results."""
        systems = sorted({system for pair in group.pairs for system in pair})
        pairs = [(systems.index(first), systems.index(second)) for first, second in group.pairs]
        fields = self.data.select(systems, group.segments)
        if self.clusters is not None:
            fields = sum_clusters(fields, self.clusters[group.segments])
        units = Units(fields, self.data.scorer)
        outcomes.counts[group.slice, group.places] = len(group.segments), group.unreadable, units.number
        if not units.number:
            return
        scores = units.score_once()
        first, second = np.array(pairs).T
        outcomes.set(group, "baseline_score", scores[first])
        outcomes.set(group, "score", scores[second])
        outcomes.set(group, "difference", scores[second] - scores[first])
        if units.number < 2:
            return
        samples = bootstrap_scores(units, self.resampling, advance, self.threads)
        differences = samples[second] - samples[first]
        level = self.resampling.level
        outcomes.set(group, "baseline_low", percentile_intervals(samples[first], level))
        outcomes.set(group, "score_low", percentile_intervals(samples[second], level))
        outcomes.set(group, "difference_low", percentile_intervals(differences, level))
        outcomes.set(group, "p_value", self.p_values(units, pairs, scores, differences, advance))

    def p_values(
        self, units: Units, pairs: list[Pair], scores: Floats, differences: Floats, advance: Advance
    ) -> Floats:
        """Return the p-value of each pair, (n_pairs,).

        Parameters
        ----------
        units : Units
        pairs : list of (int, int)
        scores : ndarray of shape (n_systems,)
        differences : ndarray of shape (n_pairs, n_resamples)
            Those of bootstrap resamples.
        advance : function
        """
        randomize = self.resampling.method == "randomization"
        if randomize:
            differences = swapped_differences(units, pairs, self.resampling, advance, self.threads)
        test = randomization_p if randomize else bootstrap_p
        first, second = np.array(pairs).T
        observed = (scores[second] - scores[first]).tolist()
        roundings = (ROUNDING * np.maximum(np.abs(scores[first]), np.abs(scores[second]))).tolist()
        each = zip(differences, observed, roundings, strict=True)
        return np.array([test(sample, one, rounding, self.as_sacrebleu) for sample, one, rounding in each])


def sum_clusters(fields: NDArray[Any], clusters: NDArray[np.int64]) -> Floats:
    """Sum fields, (n_systems, n_fields, n), over clusters in order of appearance."""
    codes, distinct = pd.factorize(clusters)
    flat = [np.bincount(codes, weights=row, minlength=len(distinct)) for row in fields.reshape(-1, len(clusters))]
    return np.reshape(flat, (*fields.shape[:2], len(distinct)))
