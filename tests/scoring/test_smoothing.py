"""Chen and Cherry's smoothing: numbers worked out by hand, NLTK, and the obvious code."""

import math
import sys
import warnings
from fractions import Fraction
from typing import Any

import naive
import numpy as np
import pytest
from nltk.translate.bleu_score import SmoothingFunction, modified_precision

from bleupandas.scoring.smoothing import METHODS, method_name, orders_read, smoothed_precisions

# we took a quiet night train / we took one quiet night bus
TRAIN = {"matches": [[4, 2, 0, 0, 0]], "totals": [[6, 5, 4, 3, 2]], "candidate_length": [6]}
PERFECT = {"matches": [[6, 5, 4, 3, 2]], "totals": [[6, 5, 4, 3, 2]], "candidate_length": [6]}
EXACT: dict[str, Any] = {"rel": 1e-14, "abs": 0}


def smoothed(counts: dict[str, Any], method: str, max_order: int = 4, **parameters: Any) -> list[float]:
    rows = smoothed_precisions(**counts, method=method, max_order=max_order, **parameters)
    assert rows.shape == (1, max_order)
    assert rows.dtype == np.float64
    return [float(value) for value in rows[0]]


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("method0", [4 / 6, 2 / 5, 0, 0]),
        ("method1", [4 / 6, 2 / 5, 0.1 / 4, 0.1 / 3]),
        ("method2", [4 / 6, 3 / 6, 1 / 5, 1 / 4]),
        ("method3", [4 / 6, 2 / 5, 1 / 8, 1 / 12]),
        ("method4", [4 / 6, 2 / 5, 0.08958797346140275, 0.04280535994091202]),
        ("method5", [0.6111111111111112, 0.37777777777777777, 0.1574074074074074, 0.06995884773662552]),
        ("method6", [4 / 6, 2 / 5, 2 / 15, 1 / 36]),
        ("method7", [0.611111111111111, 0.40166790403415176, 0.20792562448659216, 0.10667984197434498]),
    ],
)
def test_paper_by_hand(method: str, expected: list[float]) -> None:
    assert smoothed(TRAIN, method) == pytest.approx(expected, **EXACT)
    assert smoothed(TRAIN, method, convention="sacrebleu") == smoothed(TRAIN, method)


def test_method4_counts() -> None:
    counts = np.array(smoothed(TRAIN, "method4")) * [6, 5, 4, 3]
    assert counts[2:] == pytest.approx([0.358351893845611, 0.12841607982273606], **EXACT)
    counts = np.array(smoothed(TRAIN, "method4", convention="nltk")) * [6, 5, 4, 3]
    assert counts[2:] == pytest.approx([0.1791759469228055, 0.08958797346140275], **EXACT)


def test_unreduced_counts() -> None:
    # a b c d e / a b c x e: 2/4 becomes (2 + 1)/(4 + 1), not 2/3
    counts = {"matches": [[4, 2, 1, 0]], "totals": [[5, 4, 3, 2]], "candidate_length": [5]}
    assert smoothed(counts, "method2") == pytest.approx([0.8, 0.6, 0.5, 1 / 3], **EXACT)


@pytest.mark.parametrize("method", METHODS)
def test_perfect_sentence_stays_perfect(method: str) -> None:
    assert smoothed(PERFECT, method) == [1.0] * 4


def test_averages_counts_and_uses_order_after_last() -> None:
    # a b c x y / a b c p q with two orders: 3, 2, and 1 of order 3
    counts: dict[str, Any] = {"matches": [[3, 2, 1]], "totals": [[5, 4, 3]], "candidate_length": [5]}
    assert smoothed(counts, "method5", max_order=2) == pytest.approx([3 / 5, 2 / 4], **EXACT)
    assert smoothed_precisions(**counts, method="method5").tolist() == [[3 / 5, 2 / 4]]


def test_extra_total_is_not_needed() -> None:
    counts = {"matches": [[3, 2, 1]], "totals": [[5, 4]], "candidate_length": [5]}
    assert smoothed(counts, "method5", max_order=2) == pytest.approx([3 / 5, 2 / 4], **EXACT)


def test_parameters() -> None:
    assert smoothed(TRAIN, "floor", epsilon=0.5)[2:] == pytest.approx([0.5 / 4, 0.5 / 3], **EXACT)
    ratio = math.log(6) / 7
    assert smoothed(TRAIN, "method4", k=7)[2:] == pytest.approx([ratio / 4, ratio**2 / 3], **EXACT)
    third = 2 * 0.24 / 6
    expected = [third, 2 * third**2 / 0.4 / 5]
    assert smoothed(TRAIN, "method6", alpha=2)[2:] == pytest.approx(expected, **EXACT)
    assert smoothed(TRAIN, "method6", alpha=0) == smoothed(TRAIN, "method0")
    assert smoothed(TRAIN, "method1", epsilon=0) == smoothed(TRAIN, "method0")


@pytest.mark.parametrize("method", METHODS)
def test_orders_without_ngrams_are_nan_but_for_add_k(method: str) -> None:
    two = {"matches": [[2, 1, 0, 0, 0]], "totals": [[2, 1, 0, 0, 0]], "candidate_length": [2]}
    p = smoothed(two, method)
    assert p[:2] == [1.0, 1.0]
    assert p[2:] == [1.0, 1.0] if method == "method2" else all(map(math.isnan, p[2:]))
    empty = {"matches": [[0] * 5], "totals": [[0] * 5], "candidate_length": [0]}
    p = smoothed(empty, method)
    assert math.isnan(p[0])
    assert p[1:] == [1.0] * 3 if method == "method2" else all(map(math.isnan, p))


@pytest.mark.parametrize(("length", "filled"), [(0, 0.0), (1, 0.0), (2, math.log(2) / 5), (149, 1.0), (10**6, 1.0)])
def test_method4_at_odd_lengths(length: int, filled: float) -> None:
    # Counts that fit no text: only the length matters here. ln(149) / 5 > 1 is capped, as its total is 1.
    counts = {"matches": [[1, 0]], "totals": [[1, 1]], "candidate_length": [length]}
    assert smoothed(counts, "method4", max_order=2) == [1.0, filled]


@pytest.mark.parametrize("method", ["method4", "method7"])
@pytest.mark.parametrize("convention", ["paper", "nltk"])
def test_tiny_k_overflows_nowhere(method: str, convention: Any) -> None:
    p = smoothed(TRAIN, method, k=5e-324, convention=convention)
    assert all(map(math.isfinite, p))
    assert convention == "nltk" or p[2:] == [1.0, 1.0]


def test_cap_over_several_segments() -> None:
    # One token that does not match and four that do: p_2 / p_1 > 1, which method 6 would extend to more than 1.
    counts = {"matches": [[4, 3, 2, 1, 0]], "totals": [[5, 3, 2, 1, 0]], "candidate_length": [5]}
    assert smoothed(counts, "method6") == [0.8, 1.0, 1.0, 1.0]
    assert max(smoothed(counts, "method5")) <= 1.0


def test_method6_without_bigrams_has_no_prior() -> None:
    counts = {"matches": [[2, 0, 0, 0]], "totals": [[6, 5, 4, 3]], "candidate_length": [6]}
    assert smoothed(counts, "method6") == [2 / 6, 0, 0, 0]


@pytest.mark.parametrize("max_order", [1, 2, 3, 4, 6])
def test_paper_against_obvious_code(max_order: int) -> None:
    rows = [naive.components(*segment, max_order + 1) for segment in naive.random_segments(max_order, 120)]
    c, _r, matches, totals = (np.array(column) for column in zip(*rows, strict=True))
    for method in METHODS:
        expected = [naive.precisions(row[0], row[2], row[3], max_order, method) for row in rows]
        given = smoothed_precisions(matches, totals, c, method, max_order=max_order)
        np.testing.assert_allclose(given, expected, rtol=1e-13, atol=0)


def nltk_precisions(hypothesis: list[str], references: list[list[str]], method: str, orders: int) -> list[float] | None:
    """NLTK's numbers after smoothing; None where it raises."""
    raw = [modified_precision(references, hypothesis, order + 1) for order in range(orders)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            p = getattr(SmoothingFunction(), method)(raw, references, hypothesis, len(hypothesis))
        except (AssertionError, IndexError, ZeroDivisionError):
            return None
    assert all(isinstance(value, Fraction | float | int) for value in p)
    return [float(value) for value in p]


@pytest.mark.parametrize("max_order", [1, 2, 3, 4, 5, 6])
def test_nltk(max_order: int) -> None:
    # Where no unigram matches, NLTK does not come to smoothing.
    segments = naive.random_segments(100 + max_order, 150)
    segments = [segment for segment in segments if naive.components(*segment, 1)[2][0]]
    rows = [naive.components(*segment, max(max_order, 5)) for segment in segments]
    c, _r, matches, totals = (np.array(column) for column in zip(*rows, strict=True))
    raised = 0
    for method in METHODS:
        given = smoothed_precisions(matches, totals, c, method, max_order=max_order, convention="nltk")
        for segment, row in zip(segments, given, strict=True):
            expected = nltk_precisions(*segment, method, max_order)
            raised += expected is None
            wanted = [math.nan] * max_order if expected is None else expected
            np.testing.assert_allclose(row, wanted, rtol=1e-13, atol=0)
    assert raised >= (len(segments) if max_order < 3 else 10)


def test_nltk_zero_is_the_smallest_normal_float() -> None:
    assert smoothed(TRAIN, "method0", convention="nltk")[2:] == [sys.float_info.min] * 2


def test_nltk_alpha_of_zero_raises_there() -> None:
    counts = {"matches": [[3, 2, 1, 0]], "totals": [[3, 2, 1, 0]], "candidate_length": [3]}
    assert all(map(math.isnan, smoothed(counts, "method6", alpha=0, convention="nltk")))
    assert smoothed(counts, "method6", alpha=0, max_order=3, convention="nltk") == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("convention", ["paper", "nltk"])
@pytest.mark.parametrize("method", METHODS)
def test_shapes_layouts_and_caller_arrays(method: str, convention: Any) -> None:
    none = smoothed_precisions(np.empty((0, 5), int), np.empty((0, 5), int), [], method, max_order=4)
    assert none.shape == (0, 4)
    matches, totals = np.array([[4, 2, 0, 0, 0], [6, 5, 4, 3, 2]]), np.array([[6, 5, 4, 3, 2]] * 2)
    kept = matches.copy(), totals.copy()
    settings: dict[str, Any] = {"max_order": 4, "convention": convention}
    first = smoothed_precisions(matches, totals, [6, 6], method, **settings)
    other = smoothed_precisions(
        np.asfortranarray(matches, dtype=float), np.asfortranarray(totals, dtype=np.int32), [6, 6], method, **settings
    )
    np.testing.assert_array_equal(first, other)
    np.testing.assert_array_equal(matches, kept[0])
    np.testing.assert_array_equal(totals, kept[1])


def test_names() -> None:
    assert [method_name(name) for name in ("none", "floor", "add-k", "exp", "method7")] == [
        *("method0", "method1", "method2", "method3", "method7")
    ]
    choices = "'none', 'floor', 'add-k', 'exp', " + ", ".join(f"'method{n}'" for n in range(8))
    with pytest.raises(ValueError, match=r".") as caught:
        method_name("flor")
    assert str(caught.value) == f"smoothing is one of {choices}, not 'flor'; did you mean 'floor'?"
    for wrong in (3, None, ["exp"], True):
        with pytest.raises(ValueError, match=r".") as caught:
            method_name(wrong)
        assert str(caught.value) == f"smoothing is one of {choices}, not {wrong!r}"


def test_orders_read() -> None:
    assert [orders_read(method, 4) for method in METHODS] == [4, 4, 4, 4, 4, 5, 4, 5]
    assert [orders_read("method7", n, "nltk") for n in (1, 4, 5, 6)] == [5, 5, 5, 6]


@pytest.mark.parametrize(
    ("columns", "arguments", "message"),
    [
        (4, {"method": "exp", "max_order": 5}, "method3 with max_order=5 reads 5 orders, and matches has 4, totals 4"),
        (
            4,
            {"method": "method5", "max_order": 4},
            "method5 with max_order=4 reads 5 orders, and matches has 4, totals 4",
        ),
        (1, {"method": "method7"}, "method7 with max_order=1 reads 2 orders, and matches has 1, totals 1"),
        (
            4,
            {"method": "method5", "max_order": 2, "convention": "nltk"},
            "method5 with max_order=2 reads 5 orders, and matches has 4, totals 4",
        ),
    ],
)
def test_lacking_orders(columns: int, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        smoothed_precisions([[1] * columns], [[1] * columns], [1], **arguments)
    assert str(caught.value) == message
