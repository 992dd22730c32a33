"""BLEU of plain numbers: the published tools' output, kinds of numbers, and every error."""

import math
from typing import Any

import numpy as np
import pytest

from bleupandas.scoring.formula import bleu_from_components

CLOSE: dict[str, Any] = {"rel": 1e-12, "abs": 0}
OUTPUT: dict[str, Any] = {
    "candidate_length": 6,
    "reference_length": 8,
    "max_order": 4,
    "matches": [4, 2, 1, 0],
    "totals": [6, 5, 4, 3],
}


def test_published_output() -> None:
    assert bleu_from_components(**OUTPUT) == 0.0
    expected = math.exp(-2 / 6) * (4 / 6 * 2 / 5 * 1 / 4 * 0.1 / 3) ** 0.25
    assert bleu_from_components(**OUTPUT, smoothing="floor") == pytest.approx(expected, **CLOSE)
    table = [{"order": 1, "ngram": ["the"], "count": 3, "max_reference_count": 2, "clipped_count": 2}]
    output: dict[str, Any] = {"candidate_length": 3, "reference_length": 2, "matches": [2], "totals": [3]}
    assert bleu_from_components(**output, max_order=1, ngrams=table) == pytest.approx(2 / 3, **CLOSE)
    assert type(bleu_from_components(**output)) is float


def test_kinds_of_numbers() -> None:
    expected = bleu_from_components(8, 9, [7, 5, 3, 1], [8, 7, 6, 5])
    assert expected == pytest.approx(0.5 * math.exp(-1 / 8), **CLOSE)
    assert bleu_from_components(8.0, np.int8(9), (7.0, 5, 3, 1), np.array([8, 7, 6, 5])) == expected  # type: ignore[arg-type]
    assert bleu_from_components(2**62, 2**62, [2**62], [2**62]) == 1.0


def test_default_order() -> None:
    counts: dict[str, Any] = {"candidate_length": 8, "reference_length": 8}
    counts |= {"matches": [7, 5, 3, 1, 0], "totals": [8, 7, 6, 5, 4]}
    assert bleu_from_components(**counts) == bleu_from_components(**counts, max_order=4) == pytest.approx(0.5, **CLOSE)
    assert bleu_from_components(**counts, max_order=5) == 0.0
    assert bleu_from_components(**counts, weights=[1]) == 0.875
    assert bleu_from_components(8, 8, [7, 5], [8, 7]) == bleu_from_components(**counts, max_order=2)
    for method in ("method5", "method7"):
        smoothed = bleu_from_components(**counts, smoothing=method)
        assert smoothed == bleu_from_components(**counts, smoothing=method, max_order=4) > 0
    assert bleu_from_components(8, 8, [7, 5], [8, 7], smoothing="method5") == pytest.approx(20 / 3 / 8, **CLOSE)


def test_nltk_refusal_is_a_warning() -> None:
    with pytest.warns(RuntimeWarning, match=r"^the score is NaN: NLTK's method6 raises where no trigram matches$"):
        found = bleu_from_components(6, 6, [4, 2, 0, 0], [6, 5, 4, 3], convention="nltk", smoothing="method6")
    assert math.isnan(found)


KEYWORDS = "candidate_length, reference_length, matches, totals, max_order, ngrams, weights, smoothing, effective_order"


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"candidate_length": -1}, ValueError, "candidate_length is a whole number from 0 to 2**63 - 1, not -1"),
        ({"candidate_length": 2.5}, ValueError, "candidate_length is a whole number from 0 to 2**63 - 1, not 2.5"),
        ({"reference_length": math.nan}, ValueError, "reference_length is a whole number from 0 to 2**63 - 1, not nan"),
        ({"reference_length": math.inf}, ValueError, "reference_length is a whole number from 0 to 2**63 - 1, not inf"),
        ({"reference_length": None}, TypeError, "reference_length is a whole number from 0 to 2**63 - 1, not None"),
        ({"candidate_length": True}, TypeError, "candidate_length is a whole number from 0 to 2**63 - 1, not True"),
        ({"matches": [4, 2, 1, -1]}, ValueError, "matches[3] is a whole number from 0 to 2**63 - 1, not -1"),
        ({"matches": [4, 2, 0.5, 0]}, ValueError, "matches[2] is a whole number from 0 to 2**63 - 1, not 0.5"),
        ({"totals": [6, "5", 4, 3]}, TypeError, "totals[1] is a whole number from 0 to 2**63 - 1, not '5'"),
        (
            {"totals": [2**63, 5, 4, 3]},
            ValueError,
            "totals[0] is a whole number from 0 to 2**63 - 1, not 9223372036854775808",
        ),
        ({"matches": 4}, TypeError, "matches is a list of whole numbers, one for each order, not 4"),
        ({"totals": "6543"}, TypeError, "totals is a list of whole numbers, one for each order, not '6543'"),
        ({"matches": []}, ValueError, "matches is empty: one whole number is expected for each order, from order 1"),
        (
            {"totals": [6, 5, 4]},
            ValueError,
            "matches has 4 numbers and totals has 3; expected one of each for every order",
        ),
        (
            {"matches": [4, 6, 1, 0]},
            ValueError,
            "matches[1] is 6 and totals[1] is 5: no more n-grams of order 2 can match than there are",
        ),
        (
            {"max_order": 5},
            ValueError,
            "method0 with max_order=5 reads 5 orders, and matches has 4: count with max_order=5",
        ),
        (
            {"smoothing": "method7"},
            ValueError,
            "method7 with max_order=4 reads 5 orders, and matches has 4: "
            "count with max_order=5 and give max_order=4 here",
        ),
        ({"max_order": 0}, ValueError, "max_order is a whole number from 1 to 8, not 0"),
        (
            {"smooth": "exp"},
            TypeError,
            "bleu_from_components() has no keyword 'smooth'; did you mean 'smoothing'? "
            f"its keywords are {KEYWORDS}, epsilon, k, alpha, convention",
        ),
        (
            {"segments": []},
            TypeError,
            "bleu_from_components() has no keyword 'segments'; "
            f"its keywords are {KEYWORDS}, epsilon, k, alpha, convention",
        ),
    ],
)
def test_components_refused(keywords: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=r".") as caught:
        bleu_from_components(**{**OUTPUT, **keywords})
    assert str(caught.value) == message
