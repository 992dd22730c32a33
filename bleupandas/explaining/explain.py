"""explain(): why a score is what it is, as numbers and as a sentence."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any, Unpack, overload

import numpy as np
import pandas as pd

from bleupandas.common import CountKeywords, ScoreKeywords, count_options, public
from bleupandas.counting import TEXT, Sums, nullable_integers, read_sums
from bleupandas.explaining.causes import CAUSES, Diagnosis, diagnose
from bleupandas.explaining.reasons import write_reasons
from bleupandas.explaining.segment_columns import has_segment_sums
from bleupandas.reading import SEGMENTS, component_names, row_problem, token_columns
from bleupandas.scoring import raw_precisions, score_settings


class Keywords(ScoreKeywords, CountKeywords, total=False):
    """Keywords that do not change the type of the result."""

    max_order: int | None


@overload
def explain(df: pd.DataFrame, /, **options: Unpack[Keywords]) -> pd.DataFrame: ...
@overload
def explain(df: "pd.Series[Any]", /, **options: Unpack[Keywords]) -> "pd.Series[Any]": ...
@public
def explain(
    df: "pd.DataFrame | pd.Series[Any]",
    /,
    *,
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
) -> "pd.DataFrame | pd.Series[Any]":
    """Explain why each row has its score: the share of each factor, the main cause and a reason in words.

    Also a method: ``df.bleu.explain()``. It also explains sums of segments, for example the result of
    ``corpus(by=...)``: a frame with a column "segments" is scored with the defaults of `corpus`, any other with those
    of `score`.

    Parameters
    ----------
    df : DataFrame or Series
        Token columns or components columns; a Series is one row of components.
    hypothesis, references, max_order, errors, threads, components
        As in `components`.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `score`.

    Returns
    -------
    DataFrame on the index of `df`, or a Series if `df` is one
        - score,
        - main_cause, reason (text),
        - first_zero_order (Int64): the order that makes the score 0, missing if none does,
        - brevity_penalty, and share_brevity: ln BP,
        - precision_1..N: matches / totals; with smoothing also smoothed_precision_1..N,
        - share_1..N: w_n ln p_n,
        - the components, and "segments" if `df` has it.

        The shares are what each factor takes from ln BLEU. They add up to ln BLEU, and are missing if the score is 0.
        Numbers are float64 and int64. With ``errors="coerce"`` they are Float64 and Int64, as are counts read from
        components columns, where rows can be missing.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `score`.

    Notes
    -----
    main_cause is the first of these that applies. M_n of L_n n-grams match, and M_1 of L_1 tokens; N is `max_order`.

    =================== =========================================================================================
    not scored          no score: the row is missing or unreadable, sums no segments, or NLTK raises an error
    empty hypothesis    c = 0
    empty reference     r = 0 and M_1 = 0
    no match            M_1 = 0
    perfect             the score is 1, BP = 1, and M_n = L_n for every weighted order
    brevity             BP < 1, and share_brevity takes at least as much as all other shares together; if the score
                        is 0, the shares are those under smoothing "floor" (0.1) with effective_order
    too short to judge  the longest weighted order has no n-grams
    word order          M_1 = L_1, or unmatched tokens, which break two 2-grams each, explain less than half of the
                        unmatched 2-grams: L_2 - M_2 > 4 (L_1 - M_1)
    extra words         the hypothesis is longer by more than two thirds of the unmatched tokens:
                        3 (c - r) > 2 (L_1 - M_1)
    word choice         otherwise
    =================== =========================================================================================

    reason says this in one or two sentences of at most 200 characters. Each of its numbers is in the row. For scores
    below 0.5 it ends with advice: a smaller max_order for "word order" and "too short to judge"; a look at the sentence
    or a semantic metric for "no match" and "word choice"; smoothing "add-k" if an order n > 1 has no match and the
    smoothing is "none" or "floor". If a row cannot be read, reason is the error message.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({
    ...     "hypothesis": ["now he goes home".split(), "he goes".split()],
    ...     "references": [["he goes home now".split()], ["he goes home now".split()]],
    ... })
    >>> explained = bleupandas.explain(df, max_order=2)
    >>> explained[["score", "share_brevity", "share_1", "share_2", "main_cause"]].round(3)
       score  share_brevity  share_1  share_2  main_cause
    0  0.816            0.0      0.0   -0.203  word order
    1  0.368           -1.0      0.0    0.000     brevity
    >>> explained["reason"][0]
    'All words match, but in another order: 4 of 4 tokens and 2 of 3 2-grams matched.'
    """
    count = count_options(
        hypothesis=hypothesis, references=references, errors=errors, threads=threads, components=components
    )
    is_sums = has_segment_sums(df, "explain", count)
    settings = score_settings(
        "corpus" if is_sums and convention != "nltk" else "score",
        convention=convention,
        max_order=max_order,
        smoothing=smoothing,
        weights=weights,
        effective_order=effective_order,
        epsilon=epsilon,
        k=k,
        alpha=alpha,
    )
    sums = read_sums(df, "explain", count, settings.max_order, settings.orders_for)
    diagnosis = diagnose(sums, settings)
    reasons = write_reasons(diagnosis)
    if isinstance(df, pd.DataFrame) and sums.reference_counts is not None and sums.missing.any():
        tokens = token_columns(df, count.hypothesis, count.references, "explain")
        for position in np.flatnonzero(sums.missing).tolist():
            reasons[position] = replace(row_problem(tokens, position), offer="").message()
    frame = explanation_frame(sums, diagnosis, reasons, with_segments=is_sums and sums.segments_known)
    if isinstance(df, pd.DataFrame):
        return frame
    row = frame.iloc[0]
    row.name = df.name
    return row


def explanation_frame(sums: Sums, diagnosis: Diagnosis, reasons: list[str], with_segments: bool) -> pd.DataFrame:
    """Return the result of `explain` as a frame."""
    result, settings = diagnosis.result, diagnosis.settings
    orders = range(1, settings.max_order + 1)
    precisions = raw_precisions(diagnosis.matches, diagnosis.totals)
    floats = {"brevity_penalty": result.brevity_penalty, "share_brevity": diagnosis.share_brevity}
    floats |= {f"precision_{n}": p for n, p in zip(orders, precisions, strict=True)}
    if settings.smoothing != "method0":
        floats |= {f"smoothed_precision_{n}": p for n, p in zip(orders, result.precisions.T, strict=True)}
    floats |= {f"share_{n}": share for n, share in zip(orders, diagnosis.shares, strict=True)}
    counts = dict(zip(component_names(sums.max_order), sums.array, strict=True))
    if with_segments:
        counts[SEGMENTS] = sums.segments
    nullable = sums.nullable or sums.reference_counts is None
    data: dict[str, Any] = {
        "score": sums.column(result.score),
        "main_cause": pd.array([CAUSES[cause] for cause in diagnosis.cause.tolist()], dtype=TEXT),
        "reason": pd.array(reasons, dtype=TEXT),
        "first_zero_order": nullable_integers(diagnosis.zero_order, diagnosis.zero_order == 0),
    }
    data |= {name: sums.column(values) for name, values in floats.items()}
    data |= {name: nullable_integers(v, diagnosis.missing) if nullable else v for name, v in counts.items()}
    return pd.DataFrame(data, index=sums.index)
