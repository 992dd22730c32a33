"""buckets(): corpus BLEU of buckets of segments, of several systems side by side."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import CountOptions, count_options, progress_bar, public, short_repr
from bleupandas.comparing.bins import assign_buckets
from bleupandas.comparing.bucket_measures import bucket_name, default_bins, measure_segments
from bleupandas.comparing.bucket_rows import BucketRows, read_bucket_rows
from bleupandas.comparing.pair_options import pair_options
from bleupandas.comparing.paired_data import corpus_scorer
from bleupandas.comparing.random_weights import Floats
from bleupandas.comparing.resampling import Units, bootstrap_scores, percentile_intervals
from bleupandas.comparing.resampling_options import ResamplingOptions, resampling_options
from bleupandas.counting import float_column
from bleupandas.reading import check_frame, positions_of_groups, row_groups
from bleupandas.scoring import ScoreSettings, score_groups, score_settings


@public
def buckets(
    df: pd.DataFrame,
    /,
    of: Any = "reference_length",
    *,
    bins: int | list[float] | None = None,
    system: Any = None,
    id: Any = None,  # the word of the published data
    hypothesis: Hashable | list[Any] | None = None,
    references: Hashable | list[Any] | None = None,
    baseline: Hashable | None = None,
    n_resamples: int = 1000,
    seed: int | None = 12345,
    level: float = 0.95,
    max_order: int | None = None,
    convention: str = "paper",
    smoothing: str | None = None,
    weights: object = None,
    effective_order: bool | None = None,
    epsilon: float = 0.1,
    k: float = 5,
    alpha: float = 5,
    on_unpaired: str = "raise",
    errors: str = "raise",
    threads: int | None = None,
    components: bool = False,
    progress: bool | None = None,
) -> pd.DataFrame:
    """Score buckets of segments as corpora: by length, score, rare tokens, or any other value.

    Also a method: ``df.bleu.buckets()``.

    Parameters
    ----------
    df : DataFrame
        Token columns or components columns.
    of : str, label, Series, array or function, default "reference_length"
        The value that decides a segment's bucket:

        - "reference_length": tokens of the closest reference,
        - "length_difference": candidate_length minus reference_length,
        - "score": sentence BLEU, with the defaults of `score`,
        - "rarest_token": the frequency of the rarest token of the segment's references, counted in the references of
          all segments (of one system),
        - "references": the number of references,
        - any other column or index level, one value per row (a Series is aligned by its index), or a function of the
          frame that returns one value per row.
    bins : int or list of numbers, optional
        Number of buckets, or their edges; for numbers only, any other value is a bucket by itself. A number makes about
        that many buckets of about equal size, with rounded edges. The default is 5, for "score" bands of 0.1, for
        "references" each number. The lower edge belongs to a bucket, the upper edge does not. Values beyond the edges
        have a bucket at either end.
    system, id, baseline, on_unpaired
        Several systems in long form, as in `compare`; only with ``system=``. With ``id=``, or a column "id", segments
        are paired, and the baseline's row decides the bucket for all systems: each bucket has the same segments of
        every system. Without ids each row decides its own bucket.
    hypothesis : label or list of labels, default "hypothesis"
        A list has the columns of several systems, paired by rows.
    n_resamples, seed, level
        Of the confidence intervals, as in `compare`.
    progress : bool, optional
        As in `compare`.
    references, max_order, errors, threads, components
        As in `components`.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `corpus`.

    Returns
    -------
    DataFrame
        A row for each bucket, or for each bucket and system in order of appearance. Buckets ascend; segments with a
        missing value come last. Index: the bucket, for numbers an ordered category of intervals; and "system". Columns:
        score, score_low, score_high (missing with fewer than two segments), then those of ``corpus(by=...)``. It is a
        components frame too, whose segments add up to those of `df`.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `corpus`, if systems do not pair, and for an option out of range.

    Notes
    -----
    Intervals are percentiles of bootstrap resamples of a bucket's segments (Koehn 2004, section 3). Every score is
    partly chance. Buckets of the baseline's score therefore favour the baseline at the top and the other systems at the
    bottom.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> result = df.bleu.buckets(system="system", bins=[10, 20])
    >>> result[["score", "score_low", "score_high", "segments"]].round(3).reset_index()
      reference_length  system  score  score_low  score_high  segments
    0     [-inf, 10.0)  direct  0.272      0.210       0.333       107
    1     [-inf, 10.0)   pivot  0.246      0.189       0.304       107
    2     [10.0, 20.0)  direct  0.330      0.278       0.380        75
    3     [10.0, 20.0)   pivot  0.305      0.252       0.361        75
    4      [20.0, inf)  direct  0.321      0.277       0.361        58
    5      [20.0, inf)   pivot  0.264      0.224       0.298        58
    """
    pairing = pair_options(system=system, id=id, baseline=baseline, on_unpaired=on_unpaired)
    count = count_options(
        hypothesis=hypothesis, references=references, errors=errors, threads=threads, components=components
    )
    settings = score_settings(
        "corpus",
        max_order=max_order,
        convention=convention,
        smoothing=smoothing,
        weights=weights,
        effective_order=effective_order,
        epsilon=epsilon,
        k=k,
        alpha=alpha,
    )
    sentence_settings = score_settings("score", max_order=max_order, convention=convention, weights=weights)
    resampling = resampling_options(n_resamples=n_resamples, seed=seed, level=level)
    check_frame(df, "buckets")
    rows = read_bucket_rows(df, pairing, count, settings)
    values = measure_segments(df, of, rows, count, sentence_settings)
    name = bucket_name(of)
    edges = default_bins(of, values) if bins is None else bins
    keys = pd.DataFrame({"bucket": assign_buckets(values, edges, f"of={short_repr(name)}"), "system": rows.systems})
    by = "bucket" if rows.labels is None else ["bucket", "system"]
    result = score_groups(rows.sums.by(keys, by), settings)
    samples = resample_buckets(row_groups(keys, by)[1], len(result), rows, count, settings, resampling, progress)
    intervals = percentile_intervals(samples, resampling.level)
    result.insert(1, "score_low", float_column(intervals[:, 0], count.coerce))
    result.insert(2, "score_high", float_column(intervals[:, 1], count.coerce))
    return result.set_axis(name_index(result.index, name, rows.labels))


def resample_buckets(
    numbers: NDArray[np.int64],
    n_buckets: int,
    rows: BucketRows,
    count: CountOptions,
    settings: ScoreSettings,
    resampling: ResamplingOptions,
    progress: bool | None,
) -> Floats:
    """Return the scores of resamples of each bucket, (n_buckets, n_resamples); NaN with fewer than two segments.

    `numbers` has the bucket of each row, (n,).
    """
    n, scorer = resampling.n_resamples, corpus_scorer(settings)
    samples = np.full((n_buckets, n), np.nan)
    with progress_bar(n * n_buckets, progress, " resamples") as advance:
        for bucket, positions in enumerate(positions_of_groups(numbers, n_buckets)):
            readable = positions[~rows.sums.missing[positions]]
            if len(readable) > 1:
                units = Units(rows.sums.array.take(readable, axis=1)[np.newaxis], scorer)
                samples[bucket] = bootstrap_scores(units, resampling, advance, count.threads)[0]
    return samples


def name_index(index: pd.Index, name: Hashable, labels: pd.Index | None) -> pd.Index:
    """Return the index of the result with names, and systems instead of their numbers."""
    if labels is None:
        return index.rename(name)
    systems = labels.take(index.get_level_values(1).to_numpy(np.int64))
    return pd.MultiIndex.from_arrays([index.get_level_values(0), systems], names=[name, "system"])
