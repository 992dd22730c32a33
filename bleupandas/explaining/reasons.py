"""The reason of a score as a sentence with the numbers of its row, and advice if the score is low."""

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bleupandas.explaining.causes import CAUSES, Diagnosis, mark_weighted
from bleupandas.scoring import refusal

MAX_LENGTH = 200  # characters of a reason
LOW_SCORE = 0.5  # below it, reasons end with advice


class Facts(NamedTuple):
    """The numbers of sentences as Python lists, which a loop over rows reads much faster than arrays."""

    c: list[int]
    r: list[int]
    m: list[list[int]]  # by row, then order from 0
    t: list[list[int]]
    penalty: list[float]
    zero: list[int]  # the order that makes the score 0; 0 for none
    unmatched: list[int]  # the first weighted order above 1 with n-grams but no match; 0 for none
    absent: list[int]  # the first weighted order without n-grams; 0 for none
    is_zero: list[bool]
    is_low: list[bool]
    can_smooth: bool
    all_weighted: bool


# Takes the facts, the position of the row, and the text of `format_matches`.
Writer = Callable[[Facts, int, str], str]


def write_reasons(diagnosis: Diagnosis) -> list[str]:
    """Return the reason of each row."""
    facts = collect_facts(diagnosis)
    reasons = [""] * len(facts.c)
    for cause, name in enumerate(CAUSES):
        for i in np.flatnonzero(diagnosis.cause == cause).tolist():
            if name == "not scored":
                reasons[i] = explain_missing_score(diagnosis, i)
            else:
                reasons[i] = write_reason(facts, i, *SENTENCES[name])
    return reasons


def collect_facts(diagnosis: Diagnosis) -> Facts:
    """Return the numbers of all rows."""
    weighted = mark_weighted(diagnosis.settings)
    matches, totals = diagnosis.matches, diagnosis.totals
    unmatched = weighted & (matches == 0) & (totals > 0)
    unmatched[0] = False
    return Facts(
        c=diagnosis.candidate_length.tolist(),
        r=diagnosis.reference_length.tolist(),
        m=matches.T.tolist(),
        t=totals.T.tolist(),
        penalty=diagnosis.result.brevity_penalty.tolist(),
        zero=diagnosis.zero_order.tolist(),
        unmatched=find_first_orders(unmatched),
        absent=find_first_orders(weighted & (totals == 0)),
        is_zero=(diagnosis.result.score == 0).tolist(),
        is_low=(diagnosis.result.score < LOW_SCORE).tolist(),
        can_smooth=diagnosis.settings.smoothing in ("method0", "method1"),
        all_weighted=bool(weighted.all()),
    )


def find_first_orders(mask: NDArray[np.bool_]) -> list[int]:
    """Return the first order of each row, from 1, that a mask of shape (N, n_rows) selects; 0 for none."""
    orders: list[int] = np.where(mask.any(axis=0), mask.argmax(axis=0) + 1, 0).tolist()
    return orders


def explain_missing_score(diagnosis: Diagnosis, i: int) -> str:
    """Return why a row has no score."""
    if diagnosis.missing[i]:
        return "The components of this row are missing."
    if diagnosis.result.refused[i]:
        return f"No score: {refusal(diagnosis.settings)}."
    return "No score: this row has no segments."


def write_reason(facts: Facts, i: int, writer: Writer, advice: str) -> str:
    """Return the sentence of a row, with as much advice as fits if the score is low."""
    text = writer(facts, i, format_matches(facts, i))
    if len(text) > MAX_LENGTH:  # numbers with very many digits
        text = writer(facts, i, format_matches(facts, i, only_one=True))
    if not facts.is_low[i]:
        return text
    advices = [advice] if advice else []
    if facts.unmatched[i] and facts.m[i][0] and facts.can_smooth:
        advices.append("smoothing add-k softens zero matches")
    while advices:
        sentence = "; ".join(advices)
        if len(text) + len(sentence) + 2 <= MAX_LENGTH:
            return f"{text} {sentence[0].upper()}{sentence[1:]}."
        advices.pop()
    return text


# ---- Numbers in words ----


def format_tokens(count: int) -> str:
    """Return "1 token" or "2 tokens"."""
    return "1 token" if count == 1 else f"{count} tokens"


def format_matches(facts: Facts, i: int, only_one: bool = False) -> str:
    """Return "8 of 9 tokens, 2 of 8 2-grams and 0 of 7 3-grams matched", and what makes the score 0.

    With `only_one`, return only the most important of these numbers.
    """
    m, t, zero = facts.m[i], facts.t[i], facts.zero[i]
    orders = [n for n in choose_orders(facts.unmatched[i], zero) if n <= len(t) and t[n - 1]]
    parts = [f"{m[n - 1]} of {t[n - 1]} {n}-grams" for n in orders]
    text = f"{m[0]} of {format_tokens(t[0])}"
    if only_one:
        text = parts[-1] if facts.is_zero[i] and zero > 1 and t[zero - 1] else text
    elif parts:
        text = ", ".join([text, *parts[:-1]]) + f" and {parts[-1]}"
    text += " matched"
    if not facts.is_zero[i]:
        return text
    if not zero:
        return f"{text}, and the score is too small to differ from 0"
    if not t[zero - 1]:
        return f"{text}, and there is no {zero}-gram, so the score is 0"
    return f"{text}, so the score is 0"


@functools.cache
def choose_orders(unmatched: int, zero: int) -> list[int]:
    """Return the orders above 1 that a sentence mentions."""
    return sorted({2, unmatched, zero} - {0, 1})


# ---- A sentence for each cause ----


def empty_hypothesis(facts: Facts, i: int, _: str) -> str:
    """Return the sentence of a row without hypothesis tokens."""
    return (
        f"The hypothesis is empty, and the closest reference has {format_tokens(facts.r[i])}: no 1-gram can match, so "
        "the score is 0."
    )


def empty_reference(facts: Facts, i: int, _: str) -> str:
    """Return the sentence of a row whose closest reference is empty."""
    return (
        f"The closest reference is empty, and 0 of {format_tokens(facts.t[i][0])} (1-grams) matched, so the score is 0."
    )


def no_match(facts: Facts, i: int, _: str) -> str:
    """Return the sentence of a row without a matched token."""
    return (
        f"0 of {format_tokens(facts.t[i][0])} (1-grams) matched, so the score is 0: check the language, case and "
        "tokenization."
    )


def perfect(facts: Facts, i: int, _: str) -> str:
    """Return the sentence of a row in which everything matches."""
    ngram = "n-gram" if facts.all_weighted else "weighted n-gram"
    return f"Every {ngram} matched: the hypothesis has {format_tokens(facts.c[i])}, the closest reference {facts.r[i]}."


def brevity(facts: Facts, i: int, matches: str) -> str:
    """Return the sentence of a row that is too short."""
    number = facts.penalty[i]
    penalty = f"{number:.3f}" if 0.0095 <= number < 0.9995 else f"{number:.6g}"
    return (
        f"The hypothesis is short: it has {format_tokens(facts.c[i])}, the closest reference {facts.r[i]}, so the "
        f"brevity penalty is {penalty}; {matches}."
    )


def too_short_to_judge(facts: Facts, i: int, matches: str) -> str:
    """Return the sentence of a row that has no n-grams of the longest order."""
    order = facts.absent[i]
    if facts.c[i] < order:
        return f"Only {format_tokens(facts.c[i])}: too short for {order}-grams; {matches}."
    return f"All segments are too short for {order}-grams; {matches}."  # a sum of segments


def word_order(facts: Facts, i: int, matches: str) -> str:
    """Return the sentence of a row whose tokens match, but not its longer n-grams."""
    words = "All words" if facts.m[i][0] == facts.t[i][0] else "Most words"
    return f"{words} match, but in another order: {matches}."


def extra_words(facts: Facts, i: int, matches: str) -> str:
    """Return the sentence of a row with more tokens than the reference."""
    return (
        f"The hypothesis adds words: it has {format_tokens(facts.c[i])}, the closest reference {facts.r[i]}; {matches}."
    )


def word_choice(facts: Facts, i: int, matches: str) -> str:
    """Return the sentence of a row with other tokens than the references."""
    words = "Most words" if 2 * facts.m[i][0] < facts.t[i][0] else "Some words"
    return f"{words} differ: {matches}."


JUDGE_MEANING = "BLEU cannot judge meaning: read the sentence, or use a semantic metric"

# By cause: the sentence, and the advice for a low score.
SENTENCES: dict[str, tuple[Writer, str]] = {
    "empty hypothesis": (empty_hypothesis, ""),
    "empty reference": (empty_reference, ""),
    "no match": (no_match, JUDGE_MEANING),
    "perfect": (perfect, ""),
    "brevity": (brevity, ""),
    "too short to judge": (too_short_to_judge, "try a smaller max_order"),
    "word order": (word_order, "try a smaller max_order"),
    "extra words": (extra_words, ""),
    "word choice": (word_choice, JUDGE_MEANING),
}
