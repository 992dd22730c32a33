"""explain(): why a score is what it is, as numbers and as a sentence."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any, Never

import numpy as np
import pandas as pd

from bleupandas.common import COUNT_KEYWORDS, SCORE_KEYWORDS, refuse_keywords
from bleupandas.counting import TEXT, nullable_integers
from bleupandas.explaining.causes import CAUSES, Diagnosis, diagnose
from bleupandas.explaining.reasons import write_reasons
from bleupandas.reading import SEGMENTS, component_names, row_problem, token_columns
from bleupandas.scoring import Sums, holds_sums, raw_precisions, score_settings, sums_of


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
    **unknown: Never,
) -> Any:
    """Say why each row has the score that it has.

    Also a method: ``df.bleu.explain()``. Sums of segments can be explained as well, such as what ``corpus(by=...)``
    gives: a frame with a column "segments" is scored with the defaults of `corpus`, any other with those of `score`.

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
    DataFrame on the index of `df`, or for a Series a Series
        score, main_cause, reason (text); first_zero_order (Int64, the order that makes the score 0, missing where none
        does); brevity_penalty, share_brevity; precision_1..N, matches / totals; smoothed_precision_1..N with smoothing;
        share_1..N; and the components, "segments" too if `df` has it.

        The shares are what each factor takes from ln BLEU, ln BP and w_n ln p_n: they add up to ln BLEU, and are
        missing where the score is 0. Numbers are float64 and int64; Float64 and Int64 with ``errors="coerce"``, counts
        also of components columns, where rows may be missing.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `score`.

    Notes
    -----
    main_cause is the first of these that applies, with M_n matches of L_n n-grams, M_1 of L_1 tokens, N = `max_order`:

    =================== =========================================================================================
    not scored          no score: the row is missing or unreadable, sums of no segment, or NLTK raises
    empty hypothesis    c = 0
    empty reference     r = 0 and M_1 = 0
    no match            M_1 = 0
    perfect             the score is 1, BP = 1, and M_n = L_n for every weighted order
    brevity             BP < 1, and share_brevity takes at least as much as all other shares together; where the
                        score is 0, by the shares under smoothing "floor" (0.1) with effective_order
    too short to judge  the longest weighted order has no n-grams
    word order          M_1 = L_1, or more than half of the unmatched 2-grams cannot be due to unmatched tokens,
                        each of which breaks two: L_2 - M_2 > 4 (L_1 - M_1)
    extra words         more than two thirds of the unmatched tokens are beyond the length of the reference:
                        3 (c - r) > 2 (L_1 - M_1)
    word choice         otherwise
    =================== =========================================================================================

    reason says this in one or two sentences of at most 200 characters, every number of which stands in the row. For
    scores below 0.5 it ends with advice: a smaller max_order for "word order" and "too short to judge"; a semantic
    measure for "no match" and "word choice"; smoothing "add-k" where an order n > 1 has no match and the smoothing is
    "none" or "floor". Of a row that cannot be read it is the text of the error.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({
    ...     "hypothesis": ["now he goes home".split(), "he goes".split()],
    ...     "references": [["he goes home now".split()], ["he goes home now".split()]],
    ... })
    >>> told = bleupandas.explain(df, max_order=2)
    >>> told[["score", "share_brevity", "share_1", "share_2", "main_cause"]].round(3)
       score  share_brevity  share_1  share_2  main_cause
    0  0.816            0.0      0.0   -0.203  word order
    1  0.368           -1.0      0.0    0.000     brevity
    >>> told["reason"][0]
    '4 of 4 tokens and 2 of 3 2-grams matched; the words match, their order does not.'
    """
    refuse_keywords("explain", unknown, (*COUNT_KEYWORDS, *SCORE_KEYWORDS))
    summed = holds_sums(df, "explain", hypothesis, references, components)
    settings = score_settings(
        "corpus" if summed and convention != "nltk" else "score",
        convention=convention,
        max_order=max_order,
        smoothing=smoothing,
        weights=weights,
        effective_order=effective_order,
        epsilon=epsilon,
        k=k,
        alpha=alpha,
    )
    source = sums_of(df, "explain", hypothesis, references, components, settings, errors, threads)
    diagnosis = diagnose(source, settings)
    reasons = write_reasons(diagnosis)
    if source.references is not None and source.missing.any():
        tokens = token_columns(df, hypothesis, references, "explain")  # type: ignore[arg-type]
        for position in np.flatnonzero(source.missing).tolist():
            reasons[position] = replace(row_problem(tokens, position), offer="").message()
    frame = _frame(source, diagnosis, reasons, with_segments=summed and source.known_segments)
    if isinstance(df, pd.DataFrame):
        return frame
    row = frame.iloc[0]
    row.name = df.name
    return row


def _frame(source: Sums, d: Diagnosis, reasons: list[str], with_segments: bool) -> pd.DataFrame:
    """Lay it out as columns."""
    orders = range(1, d.settings.max_order + 1)
    floats = {"brevity_penalty": d.result.brevity_penalty, "share_brevity": d.share_brevity}
    floats |= {f"precision_{n}": p for n, p in zip(orders, raw_precisions(d.matches, d.totals), strict=True)}
    if d.settings.smoothing != "method0":
        floats |= {f"smoothed_precision_{n}": p for n, p in zip(orders, d.result.precisions.T, strict=True)}
    floats |= {f"share_{n}": share for n, share in zip(orders, d.shares, strict=True)}
    counts = dict(zip(component_names(source.orders), source.values, strict=True))
    if with_segments:
        counts[SEGMENTS] = source.segments
    whole = source.nullable or source.references is None
    data: dict[str, Any] = {
        "score": source.column(d.result.score),
        "main_cause": pd.array([CAUSES[which] for which in d.cause.tolist()], dtype=TEXT),
        "reason": pd.array(reasons, dtype=TEXT),
        "first_zero_order": nullable_integers(d.zero_order, d.zero_order == 0),
    }
    data |= {name: source.column(column) for name, column in floats.items()}
    data |= {name: nullable_integers(v, d.missing) if whole else v for name, v in counts.items()}
    return pd.DataFrame(data, index=source.rows)
