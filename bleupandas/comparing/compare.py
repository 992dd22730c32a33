"""compare(): is one system better than another, by how much, and is that more than chance."""

import itertools
import secrets
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, Never

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import (
    COUNT_KEYWORDS,
    SCORE_KEYWORDS,
    check_choice,
    check_proportion,
    check_threads,
    check_whole_number,
    join_values,
    progress_bar,
    refuse_keywords,
)
from bleupandas.comparing.corrections import METHODS, corrected
from bleupandas.comparing.metrics import Measured, bleu_of, metric_of
from bleupandas.comparing.resampling import (
    Advance,
    Floats,
    Units,
    bootstrap_p,
    bootstrap_scores,
    randomization_p,
    swapped_differences,
)
from bleupandas.comparing.systems import baseline_position, told
from bleupandas.counting import nullable_integers
from bleupandas.reading import (
    FEW,
    check_frame,
    exact_sum,
    factorize,
    missing_text,
    positions_of_groups,
    row_groups,
    row_values,
)
from bleupandas.scoring import float_column, score_settings

KEYWORDS = (
    *("system", "id", "baseline", "pairs", "method", "n_resamples", "seed", "level", "correction", "cluster", "by"),
    *("metric", "on_unpaired", "progress", *COUNT_KEYWORDS, *SCORE_KEYWORDS),
)
NUMBERS = (
    *("baseline_score", "baseline_low", "baseline_high", "score", "score_low", "score_high"),
    *("difference", "difference_low", "difference_high", "p_value"),
)
WHOLES = ("segments", "segments_missing", "clusters")
ROUNDING = 1e-12  # relative: two differences that are so near are the same


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
    **unknown: Never,
) -> pd.DataFrame:
    """Compare corpus scores of systems on the same segments: difference, confidence intervals, p-value.

    Also a method: ``df.bleu.compare()``. In long form a frame has a row per system and segment, ``system=`` says whose
    and ``id=`` which segment; in wide form a row is a segment, and ``hypothesis=["mt_a", "mt_b"]`` names a column for
    each system.

    Parameters
    ----------
    df : DataFrame
        Token columns, or in long form components columns, of which each row is resampled as one.
    system, id : label, or one value per row; default "system" and "id"
        Long form. A label is a column or an index level; a Series is aligned by its index. Rows of different systems
        may be in any order.
    hypothesis : label or list of labels, default "hypothesis"
        A list is the wide form.
    baseline : system, optional
        The first in order of appearance unless given.
    pairs : {"baseline", "all"}, default "baseline"
        Every other system against the baseline, or every system against every other.
    method : {"bootstrap", "randomization"}, default "bootstrap"
        The test: paired bootstrap resampling, or approximate randomization, which swaps the two systems' segments at
        random. The intervals are the bootstrap's under both.
    n_resamples : int, default 1000
    seed : int, default 12345
        The same seed gives the same result; the default is sacreBLEU's. None takes fresh random numbers.
    level : float, default 0.95
        Of the confidence intervals, which are percentiles of bootstrap resamples.
    correction : {"holm", "benjamini-hochberg", "none"}, default "holm"
        Of the p-values, over all tests of the result: all pairs, in all groups.
    cluster : label, or one value per row, optional
        Resample whole clusters, such as documents, in place of segments.
    by : label, list of labels, Series, function, ...
        Test each group apart: whatever ``df.groupby`` takes. All rows of a segment have to be in the same group.
    metric : label, or in wide form a list of labels, optional
        Compare the mean of a column of numbers, such as COMET or chrF of each segment, in place of corpus BLEU.
    on_unpaired : {"raise", "drop"}, default "raise"
        What ids that some system lacks give, and rows without id or system: an error that names them, or a warning that
        says what was left out. An id that stands twice within a system is always an error.
    errors : {"raise", "coerce"}, default "raise"
        As in `components`. With "coerce" a segment of which either row cannot be read is left out of the pair.
    progress : bool, optional
        Show a bar. By default only where work takes more than some seconds, on a terminal or in a notebook.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `corpus`.
    references, max_order, threads, components
        As in `components`.

    Returns
    -------
    DataFrame
        A row for each pair, and with `by` for each group and pair, the group in the index: baseline, system,
        baseline_score, baseline_low, baseline_high, score, score_low, score_high, difference (score minus
        baseline_score), difference_low, difference_high, p_value (two-sided), p_corrected, segments, segments_missing,
        and clusters with `cluster`. BLEU is within 0..1. What cannot be tested for having fewer than two segments or
        clusters is missing.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `corpus`; where systems do not pair; for an option out of range.

    Notes
    -----
    Koehn 2004, Statistical significance tests for machine translation evaluation; Riezler and Maxwell 2005, On some
    pitfalls in automatic evaluation and significance testing for MT. A p-value is (c + 1) / (n_resamples + 1) with c
    the number of resamples that differ by at least as much as the systems do. Under the bootstrap the resamples'
    differences are first shifted by their mean, to where there is no difference.

    With ``convention="sacrebleu"`` scores and p-values equal those of sacreBLEU's significance module with the same
    seed and as many resamples. It parts from the above in two things. It shifts differences after it has taken their
    absolute values, which makes the bootstrap's p-value about half as large, so that without any difference p < 0.05
    happens in about one case of ten. And it counts resamples that differ by more, which gives a system against itself
    the smallest p-value there is; here that is 1.

    Random numbers fall on segments in the order in which ids first appear. Another order of rows changes intervals and
    p-values as another seed would; scores and differences never.

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
    refuse_keywords("compare", unknown, KEYWORDS)
    check_frame(df, "compare")
    given: Any = {"convention": convention, "smoothing": smoothing, "weights": weights, "epsilon": epsilon, "k": k}
    given |= {"effective_order": effective_order, "alpha": alpha, "max_order": max_order}
    settings = score_settings("corpus", **given)
    plan = Plan(
        check_choice("method", method, ("bootstrap", "randomization")) == "bootstrap",
        check_whole_number("n_resamples", n_resamples, 1),
        secrets.randbits(64) if seed is None else check_whole_number("seed", seed, 0),
        check_proportion("level", level, "0.95"),
        settings.convention == "sacrebleu",
        check_threads(threads),
    )
    check_choice("correction", correction, METHODS)
    check_choice("pairs", pairs, ("baseline", "all"))
    form = {"system": system, "id": id, "hypothesis": hypothesis, "errors": errors, "on_unpaired": on_unpaired}
    if metric is None:
        more: Any = {"references": references, "components": components, "settings": settings, "threads": threads}
        data = bleu_of(df, "compare", **form, **more)
    else:
        data = metric_of(df, "compare", metric, **form)
    tested = pairs_of(data, len(df), baseline, pairs == "all")
    clusters = None if cluster is None else clusters_of(df, cluster, data)
    index, slices = slices_of(df, by, data)
    jobs = [job for number, rows in enumerate(slices) for job in jobs_of(data, tested, number, rows)]
    numbers = np.full((len(slices), len(tested), len(NUMBERS)), np.nan)
    wholes = np.zeros((len(slices), len(tested), 3), np.int64)
    total = plan.n_resamples * (1 if plan.bootstrap else 2) * len(jobs)
    with progress_bar(total, progress, " resamples") as advance:
        for job in jobs:
            run(job, data, clusters, plan, advance, numbers[job.slice], wholes[job.slice])
    return result_frame(data, tested, index, correction, cluster is not None, numbers, wholes)


# ---- What is tested ----


class Plan(NamedTuple):
    """How it is tested."""

    bootstrap: bool
    n_resamples: int
    seed: int
    level: float
    as_sacrebleu: bool
    threads: int


class Job(NamedTuple):
    """Pairs of systems that are tested on the same segments."""

    slice: int
    pairs: list[tuple[int, int, int]]  # the pair's position in the result, and its systems
    rows: NDArray[np.int64]  # positions of paired segments
    left_out: int  # segments that cannot be read


def pairs_of(data: Measured, n_rows: int, baseline: Hashable | None, every: bool) -> list[tuple[int, int]]:
    """Give the pairs of systems to test, the baseline of each first; a long frame without rows has none."""
    names = data.labels.tolist()
    if not names and not n_rows:
        return []
    first = baseline_position(names, baseline, "compare")
    order = [first, *(system for system in range(len(names)) if system != first)]
    return list(itertools.combinations(order, 2)) if every else [(first, other) for other in order[1:]]


def clusters_of(df: pd.DataFrame, cluster: object, data: Measured) -> NDArray[np.int64]:
    """Give the number of each paired segment's cluster, (n_pairs,)."""
    codes, _ = factorize(row_values(df, cluster, "cluster", "compare"), "cluster")
    if (codes < 0).any():
        raise ValueError(
            f"{missing_text('cluster', codes < 0, df.index)}; expected one for each row: give them one, or leave the "
            "rows out"
        )
    return same_for_all(codes, data, f"cluster{told(cluster)}")


def slices_of(df: pd.DataFrame, by: Any, data: Measured) -> tuple[pd.Index | None, list[NDArray[np.int64]]]:
    """Give the index of groups, and the positions of each group's paired segments."""
    n_pairs = len(data.ids)
    if by is None:
        return None, [np.arange(n_pairs)]
    index, numbers = row_groups(df, by)
    groups = same_for_all(numbers, data, "by")
    return index, positions_of_groups(groups, len(index))


def same_for_all(codes: NDArray[np.int64], data: Measured, what: str) -> NDArray[np.int64]:
    """Give one code for each paired segment, of one for each row; raise where a segment's rows differ."""
    if not len(data.labels):
        return np.zeros(0, np.int64)
    each = codes[data.positions]
    differ = np.flatnonzero((each != each[0]).any(axis=0))
    if len(differ):
        noun = "segment" if len(differ) == 1 else "segments"
        raise ValueError(
            f"{what} differs between the rows of {len(differ)} {noun}, id "
            f"{join_values(data.ids[differ].tolist(), FEW)}; "
            "expected the same for all systems' rows of a segment"
        )
    codes = each[0]
    return codes


def jobs_of(data: Measured, tested: list[tuple[int, int]], number: int, rows: NDArray[np.int64]) -> list[Job]:
    """Give the work on a slice: one job for all pairs, or several where they lack different segments."""
    if not data.missing.any():
        return [Job(number, [(at, *pair) for at, pair in enumerate(tested)], rows, 0)] if tested else []
    jobs: dict[bytes, Job] = {}
    for at, (first, second) in enumerate(tested):
        out = (data.missing[first] | data.missing[second])[rows]
        job = jobs.setdefault(out.tobytes(), Job(number, [], rows[~out], int(out.sum())))
        job.pairs.append((at, first, second))
    return list(jobs.values())


# ---- The tests ----


def run(
    job: Job,
    data: Measured,
    clusters: NDArray[np.int64] | None,
    plan: Plan,
    advance: Advance,
    numbers: Floats,
    wholes: NDArray[np.int64],
) -> None:
    """Test the pairs of a job and write what comes out into their rows of the slice, by NUMBERS and WHOLES."""
    systems = sorted({system for _, *pair in job.pairs for system in pair})
    place = {system: at for at, system in enumerate(systems)}
    pairs = [(place[first], place[second]) for _, first, second in job.pairs]
    into = [at for at, _, _ in job.pairs]
    fields = data.fields.take(job.rows, axis=2)[systems]  # rows first: a slice has few of them
    if fields.dtype == np.int64:  # components; a metric's are floats
        for values in fields:
            exact_sum(values)
    if clusters is not None:
        fields = cluster_sums(fields, clusters[job.rows])
    units = Units(fields, data.scorer)
    wholes[into] = len(job.rows), job.left_out, units.number
    if not units.number:
        return
    scores = units.scores(units.sums(np.ones((1, units.number))))[:, 0]
    first, second = np.array(pairs).T
    differences = scores[second] - scores[first]
    numbers[np.ix_(into, [0, 3, 6])] = np.stack((scores[first], scores[second], differences), axis=1)
    if units.number < 2:
        return
    drawn = bootstrap_scores(units, plan.n_resamples, plan.seed, advance, plan.threads)
    drawn_differences = drawn[second] - drawn[first]
    for at, samples in ((1, drawn[first]), (4, drawn[second]), (7, drawn_differences)):
        numbers[np.ix_(into, [at, at + 1])] = interval(samples, plan.level)
    test: Callable[[Floats, float, float, bool], float] = bootstrap_p
    if not plan.bootstrap:
        drawn_differences = swapped_differences(units, pairs, plan.n_resamples, plan.seed, advance, plan.threads)
        test = randomization_p
    roundings = ROUNDING * np.maximum(np.abs(scores[first]), np.abs(scores[second]))
    each = zip(drawn_differences, differences.tolist(), roundings.tolist(), strict=True)
    numbers[into, 9] = [test(sample, real, rounding, plan.as_sacrebleu) for sample, real, rounding in each]


def differs(difference: Any, baseline_score: Any, score: Any) -> Any:
    """Return whether scores differ by more than rounding; False where they are missing.

    sacreBLEU's p-value of a difference of 0 is the smallest there is, so no claim may rest on a p-value alone.

    Examples
    --------
    >>> bool(differs(0.1 + 0.2 - 0.3, 0.3, 0.1 + 0.2)), bool(differs(-0.01, 0.3, 0.29))
    (False, True)
    """
    return np.abs(difference) > ROUNDING * np.maximum(np.abs(baseline_score), np.abs(score))


def cluster_sums(fields: NDArray[Any], clusters: NDArray[np.int64]) -> Floats:
    """Sum fields, (n_systems, n_fields, n), over clusters in order of appearance."""
    codes, distinct = pd.factorize(clusters)
    flat = [np.bincount(codes, weights=row, minlength=len(distinct)) for row in fields.reshape(-1, len(clusters))]
    return np.reshape(flat, (*fields.shape[:2], len(distinct)))


def interval(samples: Floats, level: float) -> Floats:
    """Give the percentile interval of samples, (n, n_resamples), as (n, 2)."""
    bounds: Floats = np.quantile(samples, [(1 - level) / 2, (1 + level) / 2], axis=1).T
    return bounds


def result_frame(
    data: Measured,
    tested: list[tuple[int, int]],
    index: pd.Index | None,
    correction: str,
    with_clusters: bool,
    numbers: Floats,
    wholes: NDArray[np.int64],
) -> pd.DataFrame:
    """Give a row for each slice and pair."""
    n_slices = len(numbers)
    first, second = (np.array([pair[side] for pair in tested] * n_slices, np.intp) for side in (0, 1))
    flat, whole = numbers.reshape(-1, len(NUMBERS)), wholes.reshape(-1, 3)
    frame: dict[str, Any] = {"baseline": data.labels[first].array, "system": data.labels[second].array}
    columns = dict(zip(NUMBERS, flat.T.copy(), strict=True))
    columns["p_corrected"] = corrected(columns["p_value"], correction)
    frame |= {name: float_column(column, data.nullable) for name, column in columns.items()}
    kept = WHOLES if with_clusters else WHOLES[:2]
    for name, column in zip(kept, whole.T.copy(), strict=False):
        frame[name] = nullable_integers(column, np.zeros(len(column), np.bool_)) if data.nullable else column
    return pd.DataFrame(frame, index=None if index is None else index.repeat(len(tested)))
