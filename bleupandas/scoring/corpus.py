"""corpus(): BLEU of all rows as one corpus, or of each group of rows."""

import math
from collections.abc import Hashable
from typing import Any, Unpack, overload

import numpy as np
import pandas as pd

from bleupandas.common import CountKeywords, ScoreKeywords, check_flag, count_options, public
from bleupandas.counting import Sums, float_column, nullable_integers, read_sums
from bleupandas.reading import SEGMENTS, SEGMENTS_MISSING, component_names
from bleupandas.scoring.corpus_score import CorpusScore
from bleupandas.scoring.formula import raw_precisions, score_sums
from bleupandas.scoring.settings import ScoreSettings, score_settings, signature


class Keywords(ScoreKeywords, CountKeywords, total=False):
    """The keywords of corpus() besides `by`."""

    max_order: int | None
    sort: bool
    observed: bool
    dropna: bool
    margins: bool


@overload
def corpus(df: "pd.DataFrame | pd.Series[Any]", /, *, by: None = None, **options: Unpack[Keywords]) -> CorpusScore: ...
@overload
def corpus(df: pd.DataFrame, /, *, by: object, **options: Unpack[Keywords]) -> pd.DataFrame: ...
@public
def corpus(
    df: "pd.DataFrame | pd.Series[Any]",
    /,
    *,
    by: object = None,
    sort: bool = True,
    observed: bool = True,
    dropna: bool = False,
    margins: bool = False,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    convention: str = "paper",
    smoothing: str | None = None,
    weights: object = None,
    effective_order: bool | None = None,
    epsilon: float = 0.1,
    k: float = 5,
    alpha: float = 5,
    errors: str = "raise",
    threads: int | None = None,
    components: bool = False,
) -> CorpusScore | pd.DataFrame:
    """Score all rows as one corpus, or each group of rows: BLEU of the sums of their components.

    Also a method: ``df.bleu.corpus()``. To score rows as sentences use `score`: its defaults smooth.

    Parameters
    ----------
    df : DataFrame or Series
        Token columns or components columns; a Series has the sums of a corpus, such as ``c.sum()``. A components row is
        one segment, or as many as a column "segments" says.
    by : label, list of labels, Series, function, ...
        Whatever ``df.groupby`` accepts: a row for each group.
    sort, observed, dropna : bool
        As in ``df.groupby``; rows with a missing key form a group unless `dropna`.
    margins : bool, default False
        With `by`: add a last row "All", the sum of the groups.
    convention : {"paper", "sacrebleu"}, default "paper"
        Without smoothing, or with "exp"; both without effective_order.
    hypothesis, references, max_order, errors, threads, components
        As in `components`. With ``errors="coerce"`` rows that cannot be read are left out and counted in
        segments_missing.
    smoothing, weights, effective_order, epsilon, k, alpha
        As in `score`.

    Returns
    -------
    CorpusScore, or with `by` a DataFrame
        A row for each group: score, brevity_penalty, precision_1..N (and smoothed_precision_1..N with smoothing),
        candidate_length, reference_length, length_ratio, segments, segments_missing, matches_1..N, totals_1..N. It is
        a components frame too. The score of a group without segments is missing.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `score`.

    Notes
    -----
    Papineni et al. 2002, sections 2.1.1 and 2.3.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> print(bleupandas.corpus(df))
    BLEU = 29.52 65.3/36.7/22.4/14.1 (BP = 1.000 ratio = 1.028 hyp_len = 6966 ref_len = 6778)
    >>> bleupandas.corpus(df, by="system")["score"].round(4).to_dict()
    {'direct': 0.3161, 'pivot': 0.2739}
    """
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
    flags = {"sort": sort, "observed": observed, "dropna": dropna, "margins": margins}
    grouping = {name: check_flag(name, value) for name, value in flags.items()}
    sums = read_sums(df, "corpus", count, settings.max_order, settings.orders_for)
    if by is None:
        if margins:
            raise ValueError("margins=True adds a row to the groups of `by`; give by=, or leave margins out")
        return score_corpus(sums, settings)
    if isinstance(df, pd.Series):
        raise TypeError("corpus(by=...) takes a frame, and a Series is one row of components: leave by out")
    return score_groups(sums.by(df, by, **grouping), settings)


def score_corpus(sums: Sums, settings: ScoreSettings, tokenizer: str | None = None) -> CorpusScore:
    """Score the sum of all rows; `tokenizer` is for the signature, where it is known."""
    total = sums.sum()
    result = score_sums(total, settings)
    matches, totals = total.matches[: settings.max_order, 0], total.totals[: settings.max_order, 0]
    c, r = int(total.candidate_length[0]), int(total.reference_length[0])
    segments = int(total.segments[0])
    without_segments = bool(total.missing[0]) or (total.segments_known and segments == 0)
    return CorpusScore(
        score=math.nan if without_segments else float(result.score[0]),
        precisions=tuple(raw_precisions(matches, totals).tolist()),
        smoothed_precisions=tuple(result.precisions[0].tolist()),
        brevity_penalty=float(result.brevity_penalty[0]),
        candidate_length=c,
        reference_length=r,
        length_ratio=c / r if r else math.nan,
        segments=segments if total.segments_known else None,
        segments_missing=int(total.segments_missing[0]),
        matches=tuple(matches.tolist()),
        totals=tuple(totals.tolist()),
        signature=signature(settings, _references_per_segment(total), tokenizer),
    )


def _references_per_segment(sums: Sums) -> int | str | None:
    """Return the number of references for the signature: "var" if it varies, None if it is not known."""
    counts = sums.reference_counts
    if not counts:
        return None
    return min(counts) if len(counts) == 1 else "var"


def score_groups(groups: Sums, settings: ScoreSettings) -> pd.DataFrame:
    """Score the sums of groups, a row each."""
    result = score_sums(groups, settings)
    matches, totals = groups.matches[: settings.max_order], groups.totals[: settings.max_order]
    floats: dict[str, Any] = {
        "score": np.where(groups.segments == 0, np.nan, result.score),
        "brevity_penalty": result.brevity_penalty,
    }
    floats |= {f"precision_{n}": p for n, p in enumerate(raw_precisions(matches, totals), 1)}
    if settings.smoothing != "method0":
        floats |= {f"smoothed_precision_{n}": p for n, p in enumerate(result.precisions.T, 1)}
    lengths = {"candidate_length": groups.candidate_length, "reference_length": groups.reference_length}
    ratio = {"length_ratio": raw_precisions(groups.candidate_length, groups.reference_length)}
    counts = {SEGMENTS: groups.segments, SEGMENTS_MISSING: groups.segments_missing}
    counts |= dict(zip(component_names(groups.max_order)[2:], [*groups.matches, *groups.totals], strict=True))
    data: dict[str, Any] = floats | lengths | ratio | counts
    if groups.nullable:
        none = np.zeros(len(groups), np.bool_)
        is_float = floats.keys() | ratio.keys()
        for name, values in data.items():
            data[name] = float_column(values, True) if name in is_float else nullable_integers(values, none)
    return pd.DataFrame(data, index=groups.index)
