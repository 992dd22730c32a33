"""corpus(): BLEU of all rows, or of each group."""

import math
from collections.abc import Hashable
from typing import Any, Never

import numpy as np
import pandas as pd

from bleupandas.common import COUNT_KEYWORDS, SCORE_KEYWORDS, refuse_keywords, short_repr
from bleupandas.counting import nullable_integers
from bleupandas.reading import SEGMENTS, SEGMENTS_MISSING, checked_sum, component_names, sum_groups
from bleupandas.scoring.corpus_score import CorpusScore
from bleupandas.scoring.formula import raw_precisions, score_sums
from bleupandas.scoring.score import segment_sums
from bleupandas.scoring.settings import ScoreSettings, score_settings, signature
from bleupandas.scoring.sums import Sums, float_column, sums_of


def corpus(
    df: "pd.DataFrame | pd.Series[Any]",
    /,
    *,
    by: Any = None,
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
    **unknown: Never,
) -> Any:
    """Score all rows as one corpus, or each group of them: the sums of their components, scored.

    Also a method: ``df.bleu.corpus()``. For rows as sentences use `score`, whose defaults smooth.

    Parameters
    ----------
    df : DataFrame or Series
        Token columns or components columns; a Series is the sums of a corpus, such as ``c.sum()``. A components row is
        one segment, or as many as a column "segments" says.
    by : label, list of labels, Series, function, ...
        Whatever ``df.groupby`` takes: a row per group.
    sort, observed, dropna : bool
        As in ``df.groupby``; a missing key is a group of its own unless `dropna`.
    margins : bool, default False
        With `by`: a last row "All", the sum of the groups.
    convention : {"paper", "sacrebleu"}, default "paper"
        Without smoothing, or with "exp"; both without effective_order.
    hypothesis, references, max_order, errors, threads, components
        As in `components`. Rows that cannot be read are left out with ``errors="coerce"``, and counted in
        segments_missing.
    smoothing, weights, effective_order, epsilon, k, alpha
        As in `score`.

    Returns
    -------
    CorpusScore, or with `by` a DataFrame
        A row per group: score, brevity_penalty, precision_1..N (and smoothed_precision_n with smoothing),
        candidate_length, reference_length, length_ratio, segments, segments_missing, matches_1..N, totals_1..N: a
        components frame itself. The score of a group without segments is missing.

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
    refuse_keywords(
        "corpus", unknown, ("by", "sort", "observed", "dropna", "margins", *COUNT_KEYWORDS, *SCORE_KEYWORDS)
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
    for name, option in {"sort": sort, "observed": observed, "dropna": dropna, "margins": margins}.items():
        if not isinstance(option, bool | np.bool_):
            raise TypeError(f"{name} is True or False, not {short_repr(option)}")
    source = sums_of(df, "corpus", hypothesis, references, components, settings, errors, threads)
    if by is None:
        if margins:
            raise ValueError("margins=True adds a row to the groups of `by`; give by=, or leave margins out")
        return score_corpus(source, settings)
    if isinstance(df, pd.Series):
        raise TypeError("corpus(by=...) takes a frame, and a Series is one row of components: leave by out")
    sums = pd.DataFrame(source.values.T, index=source.rows, columns=component_names(settings.orders_read), copy=False)
    if source.left_out.any() or (source.segments != 1).any():
        sums[SEGMENTS], sums[SEGMENTS_MISSING] = source.segments, source.left_out
    groups = sum_groups(df, sums, by, sort=sort, observed=observed, dropna=dropna, margins=margins)
    return score_groups(groups, settings, nullable=source.nullable)


def score_corpus(source: Sums, settings: ScoreSettings, tokenizer: str | None = None) -> CorpusScore:
    """Score the sum of all rows; `tokenizer` is for the signature, where it is known."""
    sums = checked_sum(source.values)[:, np.newaxis]
    result = score_sums(sums, settings)
    n, orders = settings.max_order, source.orders
    c, r = (int(length) for length in sums[:2, 0])
    matches, totals = sums[2 : 2 + n, 0], sums[2 + orders : 2 + orders + n, 0]
    segments, left_out = segment_sums(source)
    known = source.known_segments
    numbers = source.references
    nrefs = None if not numbers else min(numbers) if len(numbers) == 1 else "var"
    return CorpusScore(
        score=math.nan if source.missing.all() or (known and segments == 0) else float(result.score[0]),
        precisions=tuple(raw_precisions(matches, totals).tolist()),
        smoothed_precisions=tuple(result.precisions[0].tolist()),
        brevity_penalty=float(result.brevity_penalty[0]),
        candidate_length=c,
        reference_length=r,
        length_ratio=c / r if r else math.nan,
        segments=segments if known else None,
        segments_missing=left_out,
        matches=tuple(matches.tolist()),
        totals=tuple(totals.tolist()),
        signature=signature(settings, nrefs, tokenizer),
    )


def score_groups(groups: pd.DataFrame, settings: ScoreSettings, nullable: bool) -> pd.DataFrame:
    """Score each row of group sums, a frame of components, segments and segments_missing."""
    orders = settings.orders_read
    values = groups[component_names(orders)].to_numpy(np.int64).T
    result = score_sums(values, settings)
    matches, totals = values[2 : 2 + settings.max_order], values[2 + orders : 2 + orders + settings.max_order]
    data: dict[str, Any] = {
        "score": np.where(groups[SEGMENTS].to_numpy() == 0, np.nan, result.score),
        "brevity_penalty": result.brevity_penalty,
    }
    data |= {f"precision_{n}": p for n, p in enumerate(raw_precisions(matches, totals), 1)}
    if settings.smoothing != "method0":
        data |= {f"smoothed_precision_{n}": p for n, p in enumerate(result.precisions.T, 1)}
    floats = set(data) | {"length_ratio"}
    data |= {"candidate_length": values[0], "reference_length": values[1]}
    data["length_ratio"] = raw_precisions(values[0], values[1])
    data |= {name: groups[name].to_numpy(np.int64) for name in (SEGMENTS, SEGMENTS_MISSING)}
    data |= dict(zip(component_names(orders)[2:], values[2:], strict=True))
    if nullable:
        whole = np.zeros(len(groups), np.bool_)
        for name, column in data.items():
            data[name] = float_column(column, True) if name in floats else nullable_integers(column, whole)
    return pd.DataFrame(data, index=groups.index)
