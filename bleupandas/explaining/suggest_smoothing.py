"""suggest_smoothing(): which smoothing suits a purpose, or the segments of a frame."""

import difflib
import re
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Never

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import COUNT_KEYWORDS, join_values, refuse_keywords, short_repr, typed_repr
from bleupandas.reading import SEGMENTS
from bleupandas.scoring import holds_sums, score_settings, sums_of


@dataclass(frozen=True)
class SmoothingSuggestion:
    """A smoothing for a purpose or for data; ``str()`` says it in a line.

    Attributes
    ----------
    smoothing : str
        For ``score(smoothing=...)``.
    also : tuple of str
        Others that suit as well.
    intent : str
        The purpose, one of `INTENTS`.
    reason : str
    """

    smoothing: str
    also: tuple[str, ...]
    intent: str
    reason: str

    def __str__(self) -> str:
        """Give "method1 (or method2) for short outputs: why"."""
        also = f" (or {', '.join(self.also)})" if self.also else ""
        return f"{self.smoothing}{also} for {self.intent}: {self.reason}"


# by intent: smoothings, why, and what else it is called
_SUGGESTED: dict[str, tuple[tuple[str, ...], str, tuple[str, ...]]] = {
    "general use": (
        ("method1", "method2"),
        "an order without a match counts as 0.1 of one, and all others as they are",
        ("general", "default", "balanced"),
    ),
    "very strict": (
        ("method0",),
        "without smoothing one order without a match makes the score 0",
        ("strict", "very strict evaluation", "strict evaluation", "no smoothing"),
    ),
    "short outputs": (
        ("method1", "method2"),
        "short texts often match no longer n-gram, which counts as 0.1 of a match instead of making the score 0",
        ("short", "short texts", "short sentences"),
    ),
    "varied phrasing": (
        ("method4", "method5"),
        "the longer the text, the more an order without a match counts, so that other wording costs less",
        ("high variance in phrasing", "high variance", "phrasing", "paraphrases", "diverse outputs"),
    ),
    "sparse matches": (
        ("method3",),
        "each further order without a match counts half as much as the one before",
        ("sparse references", "sparse references or low match rate", "low match rate", "sparse", "summaries"),
    ),
    "mixed lengths": (
        ("method6",),
        "longer n-grams are expected by the trend of shorter ones, which makes lengths comparable",
        ("mixed", "mixed length outputs", "mixed length outputs with partial n gram match", "partial matches"),
    ),
    "strict early on": (
        ("method7",),
        "orders are averaged with their neighbours after the first break in matching is filled in",
        (
            "strictness early on",
            "strictness early on but flexibility only after the first break in match continuity",
            "flexibility after the first break",
        ),
    ),
}
INTENTS = tuple(_SUGGESTED)


def suggest_smoothing(
    df: pd.DataFrame | str | None = None,
    /,
    *,
    intent: str | None = None,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    errors: str = "raise",
    threads: int | None = None,
    components: bool = False,
    **unknown: Never,
) -> SmoothingSuggestion:
    """Suggest a smoothing for sentence scores: for a purpose, or by what a frame's segments are like.

    Also a method: ``df.bleu.suggest_smoothing()``.

    Parameters
    ----------
    df : DataFrame or str
        A row per segment, token columns or components columns; or an intent.
    intent : str
        One of "general use", "very strict", "short outputs", "varied phrasing", "sparse matches", "mixed lengths",
        "strict early on", or how people call these otherwise ("strict", "summaries", ...).
    hypothesis, references, max_order, errors, threads, components
        As in `components`.

    Returns
    -------
    SmoothingSuggestion

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`; for an intent that there is not, or an intent and a frame at once.

    Notes
    -----
    Of a frame the first rule that applies, N being `max_order`:

    =============== ============================================================================================
    short outputs   at least half of the hypotheses have fewer than 2 N tokens
    sparse matches  less than half of all tokens match, or at least three quarters of the segments match no N-gram
    mixed lengths   one hypothesis in ten is at least 3 times as long as another one in ten (the 0.9 quantile of
                    lengths against the 0.1 quantile), and at least a quarter of the segments match no N-gram
    general use     otherwise
    =============== ============================================================================================

    Corpus scores need no smoothing: sums of many segments have matches of every order.

    Examples
    --------
    >>> import bleupandas
    >>> print(bleupandas.suggest_smoothing("very strict"))
    method0 for very strict: without smoothing one order without a match makes the score 0
    >>> bleupandas.suggest_smoothing(bleupandas.load_example()).smoothing
    'method6'
    """
    refuse_keywords("suggest_smoothing", unknown, ("intent", *COUNT_KEYWORDS))
    if df is None and intent is None:
        raise TypeError(f"suggest_smoothing() takes a DataFrame or an intent; intents are {join_values(INTENTS)}")
    if df is not None and intent is not None:
        raise TypeError("suggest_smoothing() takes a DataFrame or an intent, not both")
    if df is None or isinstance(df, str):
        name = _intent(intent if df is None else df)
        (first, *others), why, _ = _SUGGESTED[name]
        return SmoothingSuggestion(first, tuple(others), name, why)
    if isinstance(df, pd.Series):
        raise TypeError("suggest_smoothing() takes a frame with a row per segment, not a Series")
    if holds_sums(df, "suggest_smoothing", hypothesis, references, components):
        raise ValueError(
            f"suggest_smoothing() needs a row per segment, and the column {SEGMENTS!r} says that rows are sums of them"
        )
    settings = score_settings("score", max_order=max_order)
    source = sums_of(df, "suggest_smoothing", hypothesis, references, components, settings, errors, threads)
    name, why = _fitting(source.values[:, ~source.missing], settings.max_order)
    (first, *others), _, _ = _SUGGESTED[name]
    return SmoothingSuggestion(first, tuple(others), name, why)


def _intent(given: object) -> str:
    """Give the name of an intent, or raise."""
    if not isinstance(given, str):
        raise TypeError(f"intent is one of {join_values(INTENTS)}, not {typed_repr(given)}")
    words = " ".join(re.sub(r"\(.*?\)|[-_,]", " ", given.lower()).split())
    called = {name: name for name in INTENTS}
    called |= {other: name for name, (_, _, others) in _SUGGESTED.items() for other in others}
    if words in called:
        return called[words]
    near = difflib.get_close_matches(words, called, 1, 0.6)
    hint = f"; did you mean {called[near[0]]!r}?" if near else ""
    raise ValueError(f"intent is one of {join_values(INTENTS)}, not {short_repr(given)}{hint}")


def _fitting(values: NDArray[np.int64], max_order: int) -> tuple[str, str]:
    """Give the intent that components, (2 + 2 * max_order, n_rows), fit, and why."""
    segments = values.shape[1]
    if not segments:
        return "general use", "there are 0 segments to judge by"
    lengths, matches = values[0], values[2 : 2 + max_order]
    enough = 2 * max_order
    short = int((lengths < enough).sum())
    unmatched = int((matches[-1] == 0).sum())
    matched, tokens = int(matches[0].sum()), int(lengths.sum())
    low, high = np.quantile(lengths, [0.1, 0.9], method="lower").tolist()
    none = f"{unmatched} of {segments} segments match no {max_order}-gram"
    if 2 * short >= segments:
        return "short outputs", f"{short} of {segments} hypotheses have fewer than {enough} tokens"
    if 2 * matched < tokens or 4 * unmatched >= 3 * segments:
        return "sparse matches", f"{matched} of {tokens} tokens match, and {none}"
    if high >= 3 * low and 4 * unmatched >= segments:
        return "mixed lengths", f"lengths are from {low} to {high} tokens without the extreme tenths, and {none}"
    return "general use", f"{matched} of {tokens} tokens match, and {none}"
