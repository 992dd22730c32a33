"""compare(): whether one system is better than another, by how much, and whether that is more than chance."""

from collections.abc import Hashable
from typing import Any

import pandas as pd

from bleupandas.common import count_options, public
from bleupandas.comparing.comparison import compare_systems
from bleupandas.comparing.pair_options import pair_options
from bleupandas.comparing.resampling_options import resampling_options
from bleupandas.scoring import score_settings


@public
def compare(
    df: pd.DataFrame,
    /,
    *,
    system: Any = None,
    id: Any = None,  # the word of the published data
    hypothesis: Hashable | list[Any] | None = None,
    references: Hashable | list[Any] | None = None,
    baseline: Hashable | None = None,
    pairs: str = "baseline",
    method: str = "bootstrap",
    n_resamples: int = 1000,
    seed: int | None = 12345,
    level: float = 0.95,
    correction: str = "holm",
    cluster: Any = None,
    by: Any = None,
    metric: Hashable | list[Any] | None = None,
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
    """Compare corpus scores of systems on the same segments: difference, confidence intervals, p-value.

    Also a method: ``df.bleu.compare()``. In long form a frame has a row for each system and segment: ``system=`` is
    the column of systems and ``id=`` that of segments. In wide form a row is a segment, and
    ``hypothesis=["mt_a", "mt_b"]`` is a column for each system.

    Parameters
    ----------
    df : DataFrame
        Token columns, or in long form components columns; a components row is resampled as one unit.
    system, id : label, or one value per row; default "system" and "id"
        Long form. A label is a column or an index level; a Series is aligned by its index. Rows of different systems
        may be in any order.
    hypothesis : label or list of labels, default "hypothesis"
        A list is the wide form.
    baseline : system, optional
        By default the first in order of appearance.
    pairs : {"baseline", "all"}, default "baseline"
        Compare every other system with the baseline, or every system with every other.
    method : {"bootstrap", "randomization"}, default "bootstrap"
        The test: paired bootstrap resampling, or approximate randomization, which swaps the two systems' segments at
        random. Intervals are always bootstrap intervals.
    n_resamples : int, default 1000
    seed : int, default 12345
        The same seed gives the same result; the default is sacreBLEU's. With None the random numbers are new each
        time.
    level : float, default 0.95
        Level of the confidence intervals, which are percentiles of bootstrap resamples.
    correction : {"holm", "benjamini-hochberg", "none"}, default "holm"
        Correction of p-values for all tests of the result: all pairs, in all groups.
    cluster : label, or one value per row, optional
        Resample whole clusters, such as documents, instead of segments.
    by : label, list of labels, Series, function, ...
        Test each group separately: whatever ``df.groupby`` accepts. All rows of a segment have to be in the same group.
    metric : label, or in wide form a list of labels, optional
        Compare the mean of a column of numbers, such as COMET or chrF of each segment, instead of corpus BLEU.
    on_unpaired : {"raise", "drop"}, default "raise"
        What happens if a system lacks an id, or a row has no id or system. "raise": an error names them. "drop": they
        are left out, and a warning names them. An id that appears twice in a system always raises.
    errors : {"raise", "coerce"}, default "raise"
        As in `components`. With "coerce" a pair leaves out segments with a row that cannot be read.
    progress : bool, optional
        Show a progress bar. By default one appears after some seconds, on a terminal or in a notebook.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `corpus`.
    references, max_order, threads, components
        As in `components`.

    Returns
    -------
    DataFrame
        A row for each pair, and with `by` for each group and pair, with the group in the index: baseline, system,
        baseline_score, baseline_low, baseline_high, score, score_low, score_high, difference (score minus
        baseline_score), difference_low, difference_high, p_value (two-sided), p_corrected, segments, segments_missing,
        and clusters with `cluster`. BLEU is within 0..1. Intervals and p-values are missing for fewer than two
        segments or clusters.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `corpus`, if systems do not pair, and for an option out of range.

    Notes
    -----
    Koehn 2004, Statistical significance tests for machine translation evaluation; Riezler and Maxwell 2005, On some
    pitfalls in automatic evaluation and significance testing for MT. A p-value is (c + 1) / (n_resamples + 1), where c
    is the number of resamples that differ by at least as much as the systems do. The bootstrap first shifts the
    resamples' differences to a mean of 0, where there is no difference.

    With ``convention="sacrebleu"`` scores and p-values equal those of sacreBLEU's significance module with the same
    seed and number of resamples. It differs in two ways. It takes absolute values before it shifts, so that the
    bootstrap's p-value is about half as large: without any difference, p < 0.05 happens in about one case of ten. And
    it counts resamples that differ by more, so that a system against itself has the smallest possible p-value; by
    default that is 1.

    Random numbers are assigned to segments in the order in which ids first appear. Another order of rows changes
    intervals and p-values as another seed would, but never scores and differences.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> result = bleupandas.compare(df)
    >>> result[["baseline", "system", "baseline_score", "score", "difference", "segments"]].round(4)
      baseline system  baseline_score   score  difference  segments
    0   direct  pivot          0.3161  0.2739     -0.0422       240
    >>> bool(result["p_value"].item() < 0.01)
    True
    """
    pairing = pair_options(system=system, id=id, baseline=baseline, pairs=pairs, on_unpaired=on_unpaired)
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
    resampling = resampling_options(
        method=method, n_resamples=n_resamples, seed=seed, level=level, correction=correction
    )
    return compare_systems(
        df, pairing, count, settings, resampling, metric=metric, cluster=cluster, by=by, progress=progress
    )
