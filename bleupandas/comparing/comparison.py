"""Comparison: the tests of all pairs of systems, in all groups of segments, as a frame."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from bleupandas.common import CountOptions, progress_bar
from bleupandas.comparing.corrections import correct_p_values
from bleupandas.comparing.pair_options import PairOptions
from bleupandas.comparing.paired_data import PairedData, corpus_data, metric_data
from bleupandas.comparing.resampling_options import ResamplingOptions
from bleupandas.comparing.significance import COUNT_COLUMNS, FLOAT_COLUMNS, Outcomes, SignificanceTest
from bleupandas.comparing.slices import Pair, group_pairs, list_pairs, read_clusters, read_slices
from bleupandas.counting import float_column, nullable_integers
from bleupandas.scoring import ScoreSettings


def compare_systems(
    df: pd.DataFrame,
    pairing: PairOptions,
    count: CountOptions,
    settings: ScoreSettings,
    resampling: ResamplingOptions,
    *,
    metric: Hashable | list[Any] | None,
    cluster: Any,
    by: Any,
    progress: bool | None,
) -> pd.DataFrame:
    """Return the frame of `bleupandas.compare`, for checked options."""
    if metric is None:
        data = corpus_data(df, "compare", pairing, count, settings)
    else:
        data = metric_data(df, "compare", metric, pairing, count)
    pairs = list_pairs(data.rows, len(df), pairing)
    clusters = read_clusters(df, cluster, data.rows)
    index, slices = read_slices(df, by, data.rows)
    groups = [group for number, segments in enumerate(slices) for group in group_pairs(data, pairs, number, segments)]
    outcomes = Outcomes.empty(len(slices), len(pairs))
    test = SignificanceTest(data, clusters, resampling, settings.convention == "sacrebleu", count.threads)
    with progress_bar(test.rounds * len(groups), progress, " resamples") as advance:
        for group in groups:
            test.run(group, outcomes, advance)
    columns = COUNT_COLUMNS if clusters is not None else COUNT_COLUMNS[:2]
    return comparison_frame(data, pairs, index, outcomes, resampling.correction, columns)


def comparison_frame(
    data: PairedData,
    pairs: list[Pair],
    index: pd.Index | None,
    outcomes: Outcomes,
    correction: str,
    count_columns: tuple[str, ...],
) -> pd.DataFrame:
    """Return a row for each slice and pair."""
    n_slices = len(outcomes.floats)
    first, second = (np.array([pair[side] for pair in pairs] * n_slices, np.intp) for side in (0, 1))
    labels = data.rows.labels
    frame: dict[str, Any] = {"baseline": labels[first].array, "system": labels[second].array}
    floats = outcomes.floats.reshape(-1, len(FLOAT_COLUMNS)).T.copy()
    columns = dict(zip(FLOAT_COLUMNS, floats, strict=True))
    columns["p_corrected"] = correct_p_values(columns["p_value"], correction)
    frame |= {name: float_column(column, data.nullable) for name, column in columns.items()}
    counts = outcomes.counts.reshape(-1, len(COUNT_COLUMNS)).T.copy()
    for name, column in zip(count_columns, counts, strict=False):
        frame[name] = nullable_integers(column, np.zeros(len(column), np.bool_)) if data.nullable else column
    return pd.DataFrame(frame, index=None if index is None else index.repeat(len(pairs)))
