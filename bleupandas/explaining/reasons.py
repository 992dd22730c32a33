"""The main causes of a score, and the sentences that tell them with the numbers of the row."""

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bleupandas.explaining.causes import CAUSES, Diagnosis
from bleupandas.scoring import refusal

LONGEST_REASON = 200  # characters
LOW = 0.5  # advice is given for scores below


class Facts(NamedTuple):
    """The numbers that sentences tell, as Python lists: a loop over rows reads them many times faster than arrays."""

    c: list[int]
    r: list[int]
    m: list[list[int]]  # by row, then order from 0
    t: list[list[int]]
    penalty: list[float]
    zero: list[int]  # the order that makes the score 0; 0 for none
    unmatched: list[int]  # the first weighted order above 1 with n-grams and without a match; 0 for none
    absent: list[int]  # the first weighted order without n-grams; 0 for none
    is_zero: list[bool]
    low: list[bool]
    smoothable: bool


Writer = Callable[[Facts, int, str], str]  # the last is what `_matched` gives


def write_reasons(d: Diagnosis) -> list[str]:
    """Give the reason of each row."""
    weighted = np.array(d.settings.weights)[:, np.newaxis] > 0
    unmatched = weighted & (d.matches == 0) & (d.totals > 0)
    unmatched[0] = False
    c, r = d.lengths.tolist()
    facts = Facts(
        c=c,
        r=r,
        m=d.matches.T.tolist(),
        t=d.totals.T.tolist(),
        penalty=d.result.brevity_penalty.tolist(),
        zero=d.zero_order.tolist(),
        unmatched=_first(unmatched),
        absent=_first(weighted & (d.totals == 0)),
        is_zero=(d.result.score == 0).tolist(),
        low=(d.result.score < LOW).tolist(),
        smoothable=d.settings.smoothing in ("method0", "method1"),
    )
    reasons = [""] * len(facts.c)
    for cause, name in enumerate(CAUSES):
        rows = np.flatnonzero(d.cause == cause).tolist()
        for i in rows:
            reasons[i] = _not_scored(d, i) if name == "not scored" else _sentences(facts, i, *_SENTENCES[name])
    return reasons


def _first(found: NDArray[np.bool_]) -> list[int]:
    """Give the first order, from 1, that is marked in (N, n_rows); 0 where none is."""
    first: list[int] = np.where(found.any(axis=0), found.argmax(axis=0) + 1, 0).tolist()
    return first


def _not_scored(d: Diagnosis, i: int) -> str:
    if d.missing[i]:
        return "The components of this row are missing."
    return f"No score: {refusal(d.settings)}." if d.result.refused[i] else "No segment was counted here."


def _sentences(f: Facts, i: int, writer: Writer, advice: str) -> str:
    """Give the cause with its numbers, and where the score is low as much advice as there is room for."""
    text = writer(f, i, _matched(f, i))
    if len(text) > LONGEST_REASON:  # numbers of very many digits
        text = writer(f, i, _matched(f, i, one=True))
    if not f.low[i]:
        return text
    parts = [advice] if advice else []
    if f.unmatched[i] and f.m[i][0] and f.smoothable:
        parts.append("smoothing add-k softens zero matches")
    while parts:
        sentence = "; ".join(parts)
        if len(text) + len(sentence) + 2 <= LONGEST_REASON:
            return f"{text} {sentence[0].upper()}{sentence[1:]}."
        parts.pop()
    return text


def _tokens(count: int) -> str:
    return "1 token" if count == 1 else f"{count} tokens"


@functools.cache
def _told(unmatched: int, zero: int) -> list[int]:
    """Give the orders above 1 that a sentence tells."""
    return sorted({2, unmatched, zero} - {0, 1})


def _matched(f: Facts, i: int, one: bool = False) -> str:
    """Give "8 of 9 tokens, 2 of 8 2-grams and 0 of 7 3-grams matched", or one of them, and what makes the score 0."""
    m, t, zero = f.m[i], f.t[i], f.zero[i]
    parts = [f"{m[n - 1]} of {t[n - 1]} {n}-grams" for n in _told(f.unmatched[i], zero) if n <= len(t) and t[n - 1]]
    text = f"{m[0]} of {_tokens(t[0])}"
    if one:
        text = parts[-1] if f.is_zero[i] and zero > 1 and t[zero - 1] else text
    elif parts:
        text = ", ".join([text, *parts[:-1]]) + f" and {parts[-1]}"
    text += " matched"
    if not f.is_zero[i]:
        return text
    if not zero:
        return f"{text}, and the score is so small that it is 0"
    return f"{text}, so the score is 0" if t[zero - 1] else f"{text}, and no {zero}-gram is there, so the score is 0"


def _empty_hypothesis(f: Facts, i: int, _: str) -> str:
    return f"The hypothesis has 0 tokens, the closest reference {f.r[i]}: no 1-gram can match, so the score is 0."


def _empty_reference(f: Facts, i: int, _: str) -> str:
    return f"The closest reference has 0 tokens, and 0 of {_tokens(f.t[i][0])} (1-grams) matched, so the score is 0."


def _no_match(f: Facts, i: int, _: str) -> str:
    return f"0 of {_tokens(f.t[i][0])} (1-grams) matched, so the score is 0; check language, case and tokenization."


def _perfect(f: Facts, i: int, _: str) -> str:
    return (
        f"All of {_tokens(f.c[i])} and all longer n-grams matched; the closest reference, of {f.r[i]}, is not longer."
    )


def _brevity(f: Facts, i: int, matched: str) -> str:
    penalty = f.penalty[i]
    shown = f"{penalty:.3f}" if 0.0095 <= penalty < 0.9995 else f"{penalty:.6g}"
    return (
        f"The hypothesis is short: it has {_tokens(f.c[i])}, the closest reference {f.r[i]}, a brevity penalty of "
        f"{shown}; {matched}."
    )


def _too_short(f: Facts, i: int, matched: str) -> str:
    return f"{_tokens(f.c[i])} without a {f.absent[i]}-gram are too few to judge by; {matched}."


def _word_order(f: Facts, i: int, matched: str) -> str:
    which = "the words" if f.m[i][0] == f.t[i][0] else "most words"
    return f"{matched}; {which} match, their order does not."


def _extra_words(f: Facts, i: int, matched: str) -> str:
    return f"The hypothesis adds words: it has {_tokens(f.c[i])}, the closest reference {f.r[i]}; {matched}."


def _word_choice(f: Facts, i: int, matched: str) -> str:
    which = "most" if 2 * f.m[i][0] < f.t[i][0] else "some"
    return f"{matched}; {which} words differ from the references."


_SENTENCES: dict[str, tuple[Writer, str]] = {
    "empty hypothesis": (_empty_hypothesis, ""),
    "empty reference": (_empty_reference, ""),
    "no match": (_no_match, "a semantic measure tells whether the meaning is right"),
    "perfect": (_perfect, ""),
    "brevity": (_brevity, ""),
    "too short to judge": (_too_short, "try a smaller max_order"),
    "word order": (_word_order, "try a smaller max_order"),
    "extra words": (_extra_words, ""),
    "word choice": (_word_choice, "a semantic measure tells whether the meaning is right"),
}
