"""The main causes by rule, and the sentence of each."""

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
    explained = frame((hypothesis, references)).bleu.explain(**settings)
    assert explained["main_cause"].tolist() == [cause]
    check_shares(explained)
    check_numbers(explained)


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
        "The hypothesis is empty, and the closest reference has 3 tokens: no 1-gram can match, so the score is 0.",
    ),
    ("a", [""], {}, "The closest reference is empty, and 0 of 1 token (1-grams) matched, so the score is 0."),
    (
        "p q",
        ["v w"],
        {},
        "0 of 2 tokens (1-grams) matched, so the score is 0: check the language, case and tokenization. "
        "BLEU cannot judge meaning: read the sentence, or use a semantic metric.",
    ),
    (
        "a b c",
        ["a b c"],
        {},
        "Every n-gram matched: the hypothesis has 3 tokens, the closest reference 3.",
    ),
    (
        "a b c d",
        ["a b c d e f g h"],
        {},
        "The hypothesis is short: it has 4 tokens, the closest reference 8, so the brevity penalty is 0.368; "
        "4 of 4 tokens and 3 of 3 2-grams matched.",
    ),
    (
        "good evening",
        ["good night"],
        {},
        "Only 2 tokens: too short for 3-grams; 1 of 2 tokens and 0 of 1 2-grams matched. "
        "Try a smaller max_order; smoothing add-k softens zero matches.",
    ),
    (
        "d c b a",
        ["a b c d"],
        {},
        "All words match, but in another order: 4 of 4 tokens and 0 of 3 2-grams matched. "
        "Try a smaller max_order; smoothing add-k softens zero matches.",
    ),
    (
        "x g h e f d c a b",
        ["a b c d e f g h i"],
        {"smoothing": "add-k"},
        "Most words match, but in another order: 8 of 9 tokens, 3 of 8 2-grams and 0 of 7 3-grams matched. "
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
        "Most words differ: 1 of 4 tokens and 0 of 3 2-grams matched, so the score is 0. "
        "BLEU cannot judge meaning: read the sentence, or use a semantic metric; smoothing add-k softens zero matches.",
    ),
    (
        "a b c d e f x",
        ["a b c d e f g"],
        {},
        "Some words differ: 6 of 7 tokens and 5 of 6 2-grams matched.",
    ),
]


@pytest.mark.parametrize(("hypothesis", "references", "settings", "reason"), SENTENCES)
def test_sentences(hypothesis: str, references: list[str], settings: dict[str, Any], reason: str) -> None:
    assert frame((hypothesis, references)).bleu.explain(**settings)["reason"].tolist() == [reason]


def test_a_sum_of_segments_too_short_to_judge() -> None:
    sums = frame(*[("a x", ["a b"])] * 9).bleu.components().sum().bleu.explain(smoothing="floor")
    assert (sums["main_cause"], sums["totals_3"]) == ("too short to judge", 0)
    assert sums["reason"].startswith(
        "All segments are too short for 3-grams; 9 of 18 tokens and 0 of 9 2-grams matched"
    )


def test_perfect_with_orders_without_weight() -> None:
    explained = frame(("c d a b", ["a b c d"])).bleu.explain(weights=[1, 0]).loc[0]
    assert explained["matches_2"] < explained["totals_2"]
    assert explained["reason"] == "Every weighted n-gram matched: the hypothesis has 4 tokens, the closest reference 4."


def test_advice_is_given_below_one_half() -> None:
    explained = COMPONENTS.bleu.explain()
    semantic = explained["reason"].str.contains("semantic metric")
    chosen = explained["main_cause"].isin(["word choice", "no match"])
    assert (semantic == (chosen & (explained["score"] < 0.5))).all()
    smaller = explained["reason"].str.contains("smaller max_order")
    assert (
        smaller == (explained["main_cause"].isin(["word order", "too short to judge"]) & (explained["score"] < 0.5))
    ).all()
    assert not COMPONENTS.bleu.explain(smoothing="add-k")["reason"].str.contains("smoothing").any()
    assert explained["reason"].str.contains("moothing add-k").any()


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
    explained = components.bleu.explain(smoothing="none", effective_order=False)
    if not zero:
        assert explained["main_cause"].tolist() == ["brevity", "word order", "word choice", "extra words"]
    check_numbers(explained)
