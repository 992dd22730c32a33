"""The reasons of bleu_score: their text is published, whatever explain() says today."""

from typing import Any

import pandas as pd
import pytest
from explained import frame

import bleupandas
from bleupandas.contracts.published_reasons import published_reason
from bleupandas.reading import component_names
from bleupandas.scoring import score_settings

MEANING = "A semantic measure tells whether the meaning is right"
# The sentences of version 1.0.0 of the contract, written out.
REASONS = [
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
        f"0 of 2 tokens (1-grams) matched, so the score is 0; check language, case and tokenization. {MEANING}.",
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
        "Try a smaller max_n_gram; smooth method2 softens zero matches.",
    ),
    (
        "d c b a",
        ["a b c d"],
        {},
        "4 of 4 tokens and 0 of 3 2-grams matched; the words match, their order does not. "
        "Try a smaller max_n_gram; smooth method2 softens zero matches.",
    ),
    (
        "x g h e f d c a b",
        ["a b c d e f g h i"],
        {"smoothing": "method2"},
        "8 of 9 tokens, 3 of 8 2-grams and 0 of 7 3-grams matched; most words match, their order does not. "
        "Try a smaller max_n_gram.",
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
        {"smoothing": "method0"},
        "1 of 4 tokens and 0 of 3 2-grams matched, so the score is 0; most words differ from the references. "
        f"{MEANING}; smooth method2 softens zero matches.",
    ),
    (
        "a b c d e f x",
        ["a b c d e f g"],
        {},
        "6 of 7 tokens and 5 of 6 2-grams matched; some words differ from the references.",
    ),
    (
        "a b",
        ["a b c d e f"],
        {"smoothing": "method1", "effective_order": False},
        "The hypothesis is short: it has 2 tokens, the closest reference 6, a brevity penalty of 0.135; "
        "2 of 2 tokens and 1 of 1 2-grams matched, and no 3-gram is there, so the score is 0.",
    ),
]


@pytest.mark.parametrize(("hypothesis", "references", "options", "reason"), REASONS)
def test_reasons(hypothesis: str, references: list[str], options: dict[str, Any], reason: str) -> None:
    row: Any = bleupandas.explain(frame((hypothesis, references)), **options).loc[0]
    assert published_reason(row, score_settings("score", **options)) == reason


def test_long_numbers_leave_out_what_does_not_fit() -> None:
    many = 2**61
    values = [many - 9, many, 2**40, 2**39, 2**38, 2**37, many - 9, many - 10, many - 11, many - 12]
    row: Any = bleupandas.explain(pd.DataFrame([values], columns=component_names(4)), smoothing="method0").loc[0]
    reason = published_reason(row, score_settings("score", smoothing="method0"))
    assert len(reason) <= 200
    assert reason.startswith(f"{2**40} of {many - 9} tokens and {2**39} of {many - 10} 2-grams matched; most words")
