"""The causes that explain() names, by rule, and the sentences that tell them."""

import itertools
from typing import Any

import pandas as pd
import pytest
from explained import check_numbers, check_shares, frame

import bleupandas
from bleupandas.explaining.causes import CAUSES
from bleupandas.reading.component_columns import component_names

COMPONENTS = bleupandas.components(bleupandas.load_example())


# ---- Causes ----

CAUSE_CASES: list[tuple[str, list[str], dict[str, Any], str]] = [
    ("", ["a b c"], {}, "empty hypothesis"),
    ("", [""], {}, "empty hypothesis"),
    ("a b", [""], {}, "empty reference"),
    ("a", ["", "a b c"], {}, "perfect"),  # the empty one is closest, and yet the other matches
    ("p q r s t", ["v w x y z"], {}, "no match"),
    ("p", ["q"], {}, "no match"),
    ("p", ["q r s t u v w x"], {}, "no match"),
    ("a b c d e", ["a b c d e"], {}, "perfect"),
    ("good night", ["good night"], {}, "perfect"),
    ("good night", ["good night"], {"smoothing": "none", "effective_order": False}, "too short to judge"),
    ("a b c d e", ["a b c d e f"], {}, "brevity"),
    ("a b c d", ["a b c d e f g h"], {}, "brevity"),
    ("a b c x", ["a b c d e"], {"max_order": 1}, "word choice"),  # BP = exp(1 - 5/4) = 0.78 > 3/4
    ("a b c x", ["a b c d e f"], {"max_order": 1}, "brevity"),  # BP = exp(1 - 6/4) = 0.61 < 3/4
    ("a b", ["a b c d e f g h"], {"smoothing": "none", "effective_order": False}, "brevity"),
    (
        "a b x",
        ["a b c d e f g h"],
        {"smoothing": "none"},
        "brevity",
    ),  # with floor 0.19 < (2/3 * 1/2 * 0.1)^(1/3) = 0.32
    ("a x b", ["a b c d"], {"smoothing": "none"}, "too short to judge"),  # with floor 0.72 > (2/3 * 0.05 * 0.1)^(1/3)
    ("good evening", ["good night"], {}, "too short to judge"),
    ("a b x", ["a b c"], {}, "too short to judge"),
    ("a b x", ["a b c"], {"max_order": 3}, "word choice"),
    ("a b x y", ["a b c d"], {}, "word choice"),
    ("now he goes home", ["he goes home now"], {}, "word order"),
    ("the hard disk is full", ["the hard drive is full", "no space is left on the hard disk"], {}, "word order"),
    ("x g h e f d c a b", ["a b c d e f g h i"], {}, "word order"),  # 5 of 8 2-grams broken, 1 token unmatched
    ("x g h e f c d a b", ["a b c d e f g h i"], {}, "word choice"),  # 4 of 8
    ("x g h e f d c a b", ["a b c d e f g h i"], {"max_order": 1}, "word choice"),
    ("a b c d e f x y z", ["a b c d e f"], {}, "extra words"),  # 3 unmatched, 3 beyond the length
    ("a b c d e x y z", ["a b c d e f"], {}, "word choice"),  # 3 unmatched, 2 beyond
    ("the the the the the the", ["the cat"], {}, "extra words"),
    ("she reads old books daily", ["she reads old maps daily"], {}, "word choice"),
]


@pytest.mark.parametrize(("hypothesis", "references", "settings", "cause"), CAUSE_CASES)
def test_main_cause(hypothesis: str, references: list[str], settings: dict[str, Any], cause: str, engine: str) -> None:
    told = frame((hypothesis, references)).bleu.explain(**settings)
    assert told["main_cause"].tolist() == [cause]
    check_shares(told)
    check_numbers(told)


def test_every_cause_is_tried() -> None:
    assert {cause for *_, cause in CAUSE_CASES} == set(CAUSES) - {"not scored"}


def test_the_cause_depends_on_the_smoothing_by_brevity_only() -> None:
    causes = [
        COMPONENTS.bleu.explain(smoothing=s, effective_order=True)["main_cause"] for s in ("none", "floor", "exp")
    ]
    for one, other in itertools.pairwise(causes):
        differs = one != other
        assert ((one == "brevity") | (other == "brevity"))[differs].all()
        assert differs.sum() < 5


# ---- Sentences ----

SENTENCES = [
    (
        "",
        ["a b c"],
        {},
        "The hypothesis has 0 tokens, the closest reference 3: no 1-gram can match, so the score is 0.",
    ),
    ("a", [""], {}, "The closest reference has 0 tokens, and 0 of 1 token (1-grams) matched, so the score is 0."),
    (
        "p q",
        ["v w"],
        {},
        "0 of 2 tokens (1-grams) matched, so the score is 0; check language, case and tokenization. "
        "A semantic measure tells whether the meaning is right.",
    ),
    (
        "a b c",
        ["a b c"],
        {},
        "All of 3 tokens and all longer n-grams matched; the closest reference, of 3, is not longer.",
    ),
    (
        "a b c d",
        ["a b c d e f g h"],
        {},
        "The hypothesis is short: it has 4 tokens, the closest reference 8, a brevity penalty of 0.368; "
        "4 of 4 tokens and 3 of 3 2-grams matched.",
    ),
    (
        "good evening",
        ["good night"],
        {},
        "2 tokens without a 3-gram are too few to judge by; 1 of 2 tokens and 0 of 1 2-grams matched. "
        "Try a smaller max_order; smoothing add-k softens zero matches.",
    ),
    (
        "d c b a",
        ["a b c d"],
        {},
        "4 of 4 tokens and 0 of 3 2-grams matched; the words match, their order does not. "
        "Try a smaller max_order; smoothing add-k softens zero matches.",
    ),
    (
        "x g h e f d c a b",
        ["a b c d e f g h i"],
        {"smoothing": "add-k"},
        "8 of 9 tokens, 3 of 8 2-grams and 0 of 7 3-grams matched; most words match, their order does not. "
        "Try a smaller max_order.",
    ),
    (
        "a b c d e f x y z",
        ["a b c d e f"],
        {},
        "The hypothesis adds words: it has 9 tokens, the closest reference 6; "
        "6 of 9 tokens and 5 of 8 2-grams matched.",
    ),
    (
        "a x y z",
        ["a b c d"],
        {"smoothing": "none"},
        "1 of 4 tokens and 0 of 3 2-grams matched, so the score is 0; most words differ from the references. "
        "A semantic measure tells whether the meaning is right; smoothing add-k softens zero matches.",
    ),
    (
        "a b c d e f x",
        ["a b c d e f g"],
        {},
        "6 of 7 tokens and 5 of 6 2-grams matched; some words differ from the references.",
    ),
]


@pytest.mark.parametrize(("hypothesis", "references", "settings", "reason"), SENTENCES)
def test_sentences(hypothesis: str, references: list[str], settings: dict[str, Any], reason: str) -> None:
    assert frame((hypothesis, references)).bleu.explain(**settings)["reason"].tolist() == [reason]


def test_advice_is_given_below_one_half() -> None:
    told = COMPONENTS.bleu.explain()
    semantic = told["reason"].str.contains("semantic measure")
    chosen = told["main_cause"].isin(["word choice", "no match"])
    assert (semantic == (chosen & (told["score"] < 0.5))).all()
    smaller = told["reason"].str.contains("smaller max_order")
    assert (smaller == (told["main_cause"].isin(["word order", "too short to judge"]) & (told["score"] < 0.5))).all()
    assert not COMPONENTS.bleu.explain(smoothing="add-k")["reason"].str.contains("smoothing").any()
    assert told["reason"].str.contains("moothing add-k").any()


@pytest.mark.parametrize("zero", [0, 1])
def test_long_numbers_do_not_make_long_reasons(zero: int) -> None:
    many = 2**61
    rows = [
        [many - 9, 3 * many, many - 10, many - 20, many - 30, many - 40],  # brevity
        [many - 9, many, many - 10, many - 3 * 2**59, many - 2**60, many - 2**60],  # word order
        [many - 9, many, 2**40, 2**39, 2**38, 2**37],
        [many - 9, 2**41, 2**40, 2**39, 2**38, 2**37],
    ]
    totals = [many - 9, many - 10, many - 11, many - 12]
    components = pd.DataFrame([row + totals for row in rows], columns=component_names(4))
    if zero:
        components["matches_4"] = 0
    told = components.bleu.explain(smoothing="none", effective_order=False)
    if not zero:
        assert told["main_cause"].tolist() == ["brevity", "word order", "word choice", "extra words"]
    check_numbers(told)
