"""suggest_smoothing(): a smoothing for a purpose, or for the segments of a frame."""

import difflib
import re
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bleupandas.common import count_options, join_values, public, short_repr, typed_repr
from bleupandas.counting import Sums, read_sums
from bleupandas.explaining.segment_columns import has_segment_sums
from bleupandas.reading import SEGMENTS
from bleupandas.scoring import score_settings


@dataclass(frozen=True)
class SmoothingSuggestion:
    """A smoothing for a purpose or for data; ``str()`` returns it as one line.

    Attributes
    ----------
    smoothing : str
        The value for ``score(smoothing=...)``.
    also : tuple of str
        Other smoothings that suit the same purpose.
    intent : str
        The purpose, one of `INTENTS`.
    reason : str
        Why this smoothing suits.
    """

    smoothing: str
    also: tuple[str, ...]
    intent: str
    reason: str

    def __str__(self) -> str:
        """Return "method1 (or method2) for short outputs: why"."""
        also = f" (or {', '.join(self.also)})" if self.also else ""
        return f"{self.smoothing}{also} for {self.intent}: {self.reason}"


class Purpose(NamedTuple):
    """The smoothings that suit an intent, why, and other words for the intent."""

    smoothings: tuple[str, ...]
    reason: str
    synonyms: tuple[str, ...]


PURPOSES = {
    "general use": Purpose(
        ("method1", "method2"),
        "an order without a match counts as 0.1 matches, and the others do not change",
        ("general", "default", "balanced"),
    ),
    "very strict": Purpose(
        ("method0",),
        "without smoothing, one order without a match makes the score 0",
        ("strict", "very strict evaluation", "strict evaluation", "no smoothing"),
    ),
    "short outputs": Purpose(
        ("method1", "method2"),
        "long n-grams of short texts often have no match, which counts as 0.1 matches and does not make the score 0",
        ("short", "short texts", "short sentences"),
    ),
    "varied phrasing": Purpose(
        ("method4", "method5"),
        "an order without a match counts more in a longer text, so different wording costs less",
        ("high variance in phrasing", "high variance", "phrasing", "paraphrases", "diverse outputs"),
    ),
    "sparse matches": Purpose(
        ("method3",),
        "each further order without a match counts half as much as the one before",
        ("sparse references", "sparse references or low match rate", "low match rate", "sparse", "summaries"),
    ),
    "mixed lengths": Purpose(
        ("method6",),
        "the precision of longer n-grams is estimated from shorter ones, which makes texts of all lengths comparable",
        ("mixed", "mixed length outputs", "mixed length outputs with partial n gram match", "partial matches"),
    ),
    "strict early on": Purpose(
        ("method7",),
        "the first order without a match is smoothed, then each order is averaged with its neighbours",
        (
            "strictness early on",
            "strictness early on but flexibility only after the first break in match continuity",
            "flexibility after the first break",
        ),
    ),
}
INTENTS = tuple(PURPOSES)


@public
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
) -> SmoothingSuggestion:
    """Suggest a smoothing for sentence scores, for a purpose or for the segments of a frame.

    Also a method: ``df.bleu.suggest_smoothing()``.

    Parameters
    ----------
    df : DataFrame or str
        A frame with a row per segment, with token columns or components columns; or an intent.
    intent : str
        One of "general use", "very strict", "short outputs", "varied phrasing", "sparse matches", "mixed lengths",
        "strict early on", or another common word for one of these ("strict", "summaries", ...).
    hypothesis, references, max_order, errors, threads, components
        As in `components`.

    Returns
    -------
    SmoothingSuggestion

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`; also for an unknown intent, or for an intent together with a frame.

    Notes
    -----
    For a frame, the first rule that applies decides. N is `max_order`.

    =============== ============================================================================================
    short outputs   at least half of the hypotheses have fewer than 2 N tokens
    sparse matches  less than half of all tokens match, or at least three quarters of the segments match no N-gram
    mixed lengths   the 0.9 quantile of hypothesis lengths is at least 3 times the 0.1 quantile, and at least a
                    quarter of the segments match no N-gram
    general use     otherwise
    =============== ============================================================================================

    Corpus scores need no smoothing: sums of many segments have matches of every order.

    Examples
    --------
    >>> import bleupandas
    >>> print(bleupandas.suggest_smoothing("very strict"))
    method0 for very strict: without smoothing, one order without a match makes the score 0
    >>> bleupandas.suggest_smoothing(bleupandas.load_example()).smoothing
    'method6'
    """
    count = count_options(
        hypothesis=hypothesis,
        references=references,
        max_order=max_order,
        errors=errors,
        threads=threads,
        components=components,
    )
    if df is None and intent is None:
        raise TypeError(f"suggest_smoothing() takes a DataFrame or an intent; intents are {join_values(INTENTS)}")
    if df is not None and intent is not None:
        raise TypeError("suggest_smoothing() takes a DataFrame or an intent, not both")
    if df is None or isinstance(df, str):
        return make_suggestion(find_intent(intent if df is None else df))
    if isinstance(df, pd.Series):
        raise TypeError("suggest_smoothing() takes a frame with a row per segment, not a Series")
    if has_segment_sums(df, "suggest_smoothing", count):
        raise ValueError(
            f"suggest_smoothing() needs a row per segment, and the column {SEGMENTS!r} says that rows are sums of them"
        )
    settings = score_settings("score", max_order=count.max_order)
    sums = read_sums(df, "suggest_smoothing", count, settings.max_order, settings.orders_for)
    return make_suggestion(*choose_intent(sums.take(np.flatnonzero(~sums.missing)), settings.max_order))


def make_suggestion(intent: str, reason: str | None = None) -> SmoothingSuggestion:
    """Return the suggestion for an intent, by default with its usual reason."""
    purpose = PURPOSES[intent]
    return SmoothingSuggestion(purpose.smoothings[0], purpose.smoothings[1:], intent, reason or purpose.reason)


def find_intent(words: object) -> str:
    """Return the intent that words stand for, or raise."""
    if not isinstance(words, str):
        raise TypeError(f"intent is one of {join_values(INTENTS)}, not {typed_repr(words)}")
    name = " ".join(re.sub(r"\(.*?\)|[-_,]", " ", words.lower()).split())
    intents = {intent: intent for intent in INTENTS}
    intents |= {synonym: intent for intent, purpose in PURPOSES.items() for synonym in purpose.synonyms}
    if name in intents:
        return intents[name]
    near = difflib.get_close_matches(name, intents, 1, 0.6)
    hint = f"; did you mean {intents[near[0]]!r}?" if near else ""
    raise ValueError(f"intent is one of {join_values(INTENTS)}, not {short_repr(words)}{hint}")


def choose_intent(sums: Sums, max_order: int) -> tuple[str, str]:
    """Return the intent that fits segments, and why."""
    n_segments = len(sums)
    if not n_segments:
        return "general use", "the frame has no segments"
    lengths, matches = sums.candidate_length, sums.matches[:max_order]
    enough = 2 * max_order
    n_short = int((lengths < enough).sum())
    n_unmatched = int((matches[-1] == 0).sum())
    n_matches, n_tokens = int(matches[0].sum()), int(lengths.sum())
    low, high = np.quantile(lengths, [0.1, 0.9], method="lower").tolist()
    unmatched = f"{n_unmatched} of {n_segments} segments match no {max_order}-gram"
    if 2 * n_short >= n_segments:
        return "short outputs", f"{n_short} of {n_segments} hypotheses have fewer than {enough} tokens"
    if 2 * n_matches < n_tokens or 4 * n_unmatched >= 3 * n_segments:
        return "sparse matches", f"{n_matches} of {n_tokens} tokens match, and {unmatched}"
    if high >= 3 * low and 4 * n_unmatched >= n_segments:
        return "mixed lengths", f"most hypotheses have {low} to {high} tokens, and {unmatched}"
    return "general use", f"{n_matches} of {n_tokens} tokens match, and {unmatched}"
