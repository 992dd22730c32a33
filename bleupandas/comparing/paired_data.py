"""Paired data: numbers of paired segments that add up, and the function that scores their sums."""

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import CountOptions, short_repr
from bleupandas.comparing.metric_columns import read_metric
from bleupandas.comparing.pair_options import PairOptions
from bleupandas.comparing.paired_rows import PairedRows, read_paired_rows, wide_rows
from bleupandas.comparing.random_weights import Floats
from bleupandas.comparing.resampling import Scorer
from bleupandas.comparing.systems import read_systems
from bleupandas.counting import Sums
from bleupandas.reading import check_frame, exact_sum, whole_sums
from bleupandas.scoring import ScoreSettings, score_sums


class PairedData(NamedTuple):
    """The paired segments of several systems, as numbers that add up."""

    rows: PairedRows
    fields: list[NDArray[Any]]  # of each system, (n_fields, n_pairs), 0 where missing
    missing: list[NDArray[np.bool_]]  # of each system, (n_pairs,)
    nullable: bool
    scorer: Scorer
    whole: bool  # whether fields are counts, whose sums have to fit int64

    def select(self, systems: list[int], segments: NDArray[np.int64]) -> NDArray[Any]:
        """Return the fields of some systems and segments, (n_systems, n_fields, n).

        Raises
        ------
        ValueError
            If counts add up to more than int64 holds.
        """
        fields = np.stack([self.fields[system].take(segments, axis=1) for system in systems])
        if self.whole:
            for array in fields:
                exact_sum(array)
        return fields


def corpus_data(
    df: pd.DataFrame, function: str, pairing: PairOptions, count: CountOptions, settings: ScoreSettings
) -> PairedData:
    """Read components, which are scored as a corpus."""
    systems = read_systems(df, function, pairing, count, settings)
    fields, missing = [sums.array for sums in systems.sums], [sums.missing for sums in systems.sums]
    return PairedData(systems.rows, fields, missing, systems.nullable, corpus_scorer(settings), True)


def corpus_scorer(settings: ScoreSettings) -> Scorer:
    """Return the function that computes corpus BLEU of sums of components, (n_fields, n)."""

    def score(values: NDArray[Any]) -> Floats:
        array = whole_sums(values)
        return score_sums(Sums.of_rows(pd.RangeIndex(array.shape[1]), array), settings).score

    return score


def metric_data(
    df: pd.DataFrame, function: str, metric: Hashable | list[Any], pairing: PairOptions, count: CountOptions
) -> PairedData:
    """Read a column of numbers, in wide form one for each system, which are scored by their mean."""
    check_frame(df, function)
    if isinstance(metric, list):
        rows = wide_metric_rows(df, function, metric, pairing, count.hypothesis)
        columns = [read_metric(df, label, count.errors) for label in metric]
    elif isinstance(count.hypothesis, list):
        raise ValueError(
            f"metric={short_repr(metric)} is one column and hypothesis={short_repr(count.hypothesis)} a column for "
            'each system; expected a metric column for each system as well, such as metric=["comet_a", "comet_b"]'
        )
    else:
        rows = read_paired_rows(df, function, None, pairing)
        numbers, missing = read_metric(df, metric, count.errors)
        columns = [(numbers[positions], missing[positions]) for positions in rows.positions]
    fields = [np.stack((numbers, ~missing)) for numbers, missing in columns]
    return PairedData(rows, fields, [missing for _, missing in columns], count.coerce, mean_score, False)


def wide_metric_rows(
    df: pd.DataFrame, function: str, metric: list[Any], pairing: PairOptions, hypothesis: object
) -> PairedRows:
    """Return the rows of systems with a metric column each; hypothesis columns name the systems, if there are any."""
    rows = wide_rows(df, function, metric, pairing, "metric")
    if not isinstance(hypothesis, list):
        return rows
    if len(hypothesis) != len(metric):
        raise ValueError(
            f"metric has {len(metric)} columns and hypothesis {len(hypothesis)}; expected one of each for each system"
        )
    return wide_rows(df, function, hypothesis, pairing)


def mean_score(values: NDArray[Any]) -> Floats:
    """Return sums divided by numbers, (n,), of both, (2, n)."""
    means: Floats = values[0] / values[1]
    return means
