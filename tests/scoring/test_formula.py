"""BLEU's arithmetic: numbers worked out by hand, sacreBLEU, NLTK, and what always has to hold."""

import math
from collections.abc import Sequence
from typing import Any

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleupandas.scoring.formula import brevity_penalty, row_scores
from bleupandas.scoring.settings import ScoreSettings, score_settings
from bleupandas.scoring.smoothing import METHODS

Segment = tuple[list[str], list[list[str]]]
NAMES = {"none": "method0", "floor": "method1", "add-k": "method2", "exp": "method3"}
CLOSE: dict[str, Any] = {"rel": 1e-12, "abs": 0}

TRAIN = "we took a quiet night train", "we took one quiet night bus"
EIGHT = "k1 k2 k3 k4 k5 k6 k7 k8"


def score(hypothesis: str, *references: str, purpose: Any = "components", **keywords: Any) -> float:
    """The score of one segment of text, counted by the obvious code."""
    settings = score_settings(purpose, **keywords)
    segment = hypothesis.split(), [reference.split() for reference in references]
    scored = scores([segment], settings)
    assert scored.dtype == np.float64
    assert scored.shape == (1,)
    return float(scored[0])


def counted(segments: Sequence[Segment], orders: int) -> tuple[Any, Any, Any, Any]:
    rows = [naive.components(*segment, orders) for segment in segments]
    c, r, matches, totals = zip(*rows, strict=True)
    return np.array(c), np.array(r), np.array(matches), np.array(totals)


def scores(segments: Sequence[Segment], settings: ScoreSettings) -> np.ndarray[Any, np.dtype[np.float64]]:
    return row_scores(*counted(segments, settings.orders_read), settings).score


# What others got wrong, worked out by hand.


def test_length_tie_goes_to_the_shorter() -> None:
    longer, shorter = "red fox runs home now", "red fox runs"
    assert score("red fox runs home", longer, shorter) == score("red fox runs home", shorter, longer) == 1.0


def test_closest_reference_length() -> None:
    given_score = score("she reads old maps daily", "maps", "she reads old maps daily indeed")
    assert given_score == brevity_penalty(5, 6) == pytest.approx(0.8187307530779818, **CLOSE)


def test_short_and_perfect() -> None:
    pair = "good night", "good night"
    assert score(*pair) == 0.0
    assert score(*pair, max_order=2) == 1.0
    for method in METHODS:
        assert score(*pair, smoothing=method) == (1.0 if method == "method2" else 0.0)
        assert score(*pair, smoothing=method, effective_order=True) == 1.0
    nltk = [0, 0.316227766016838, 0.7071067811865476, 0.5946035575013605, 0.2213885886251307, 0.3904229971285616]
    nltk += [math.nan, 0.4358979683151974]
    found = [score(*pair, smoothing=method, convention="nltk") for method in METHODS]
    assert found == pytest.approx(nltk, rel=1e-12, abs=1e-100, nan_ok=True)
    assert found[0] == pytest.approx(1.491668146240062e-154, **CLOSE)


def test_add_k_of_missing_order_is_one() -> None:
    pair = "fresh warm bread", "fresh warm bread"
    assert score(*pair, smoothing="method2") == score(*pair, smoothing="add-k", convention="sacrebleu") == 1.0
    assert score(*pair, smoothing="add-k", effective_order=True) == 1.0
    assert score(*pair, smoothing="method2", convention="nltk") == pytest.approx(0.8408964152537145, **CLOSE)


def test_unigrams_are_not_smoothed() -> None:
    for method in METHODS:
        assert score("p q r s t", "v w x y z", smoothing=method) == 0.0
    assert score("p q r s t", "p w x s z", smoothing="method2") == pytest.approx(0.28574404296988, **CLOSE)


def test_smoothing_by_hand() -> None:
    paper = [0, None, None, 0.2295748846661433, 0.17882537710772514, 0.22454640187495675, 0.17727652989816628]
    paper += [0.27164043801420207]
    nltk = [1.0719249972567852e-154, None, None, 0.2295748846661433, 0.1374292659508281, 0.23037777369138907]
    nltk += [math.nan, 0.26523875812539377]
    for method, by_hand, today in zip(METHODS, paper, nltk, strict=True):
        if by_hand is not None:
            assert score(*TRAIN, smoothing=method) == pytest.approx(by_hand, **CLOSE)
            found = score(*TRAIN, smoothing=method, convention="nltk")
            assert found == pytest.approx(today, rel=1e-12, abs=0, nan_ok=True)
    assert score("a b c d e", "a b c x e", smoothing="method2") == pytest.approx(0.5318295896944989, **CLOSE)
    assert score(*TRAIN, smoothing="method6", max_order=2) == pytest.approx(0.516397779494322, **CLOSE)


def test_averaging_of_a_perfect_sentence() -> None:
    pair = ("one two three four five six",) * 2
    for method in ("method5", "method7"):
        assert score(*pair, smoothing=method) == 1.0
        assert score(*pair, smoothing=method, convention="nltk") == pytest.approx(1.1167470964180197, **CLOSE)
    pair = "a b c x y", "a b c p q"
    assert score(*pair, smoothing="method5", weights=[0.5, 0.5]) == pytest.approx(0.5477225575051661, **CLOSE)
    found = score(*pair, smoothing="method5", weights=[0.5, 0.5], convention="nltk")
    assert found == pytest.approx(0.6480740698407861, **CLOSE)


def test_zero_is_zero() -> None:
    assert score(*TRAIN) == 0.0
    assert score("one blue cup here", "zz yy ww here", weights=[0, 1]) == 0.0
    found = score("one blue cup here", "zz yy ww here", weights=[0, 1], convention="nltk")
    assert found == pytest.approx(2.2250738585072626e-308, **CLOSE)
    for method in METHODS:
        for convention in ("paper", "sacrebleu", "nltk"):
            for effective_order in (False, True):
                keywords = {"smoothing": method, "convention": convention, "effective_order": effective_order}
                assert score("maybe", "never", **keywords) == 0.0
                assert score("", "a b c", **keywords) == 0.0
                assert score("a b", "", **keywords) == 0.0
                assert score("", "", **keywords) == 0.0


@pytest.mark.parametrize(
    ("pair", "weights", "keywords", "expected"),
    [
        (("a b c d", "w x y d"), [1, 0, 0, 0], {}, 0.25),
        (("a b c d", "w x y d"), [0, 1, 0, 0], {}, 0.0),
        (("a b c d", "w x y d"), [0.5, 0.5], {}, 0.0),
        (TRAIN, [0.7, 0.3], {}, 0.5719448002960633),
        (TRAIN, [0.5, 0.25], {}, 0.6493358309501979),
        (TRAIN, [0.1, 0.2, 0.3, 0.4], {}, 0.0),
        (TRAIN, [0.1, 0.2, 0.3, 0.4], {"smoothing": "method3"}, 0.15856355634972213),
    ],
)
def test_weights(pair: tuple[str, str], weights: list[float], keywords: dict[str, Any], expected: float) -> None:
    assert score(*pair, weights=weights, **keywords) == pytest.approx(expected, **CLOSE)


def test_huge_weights_overflow_to_zero() -> None:
    assert score("a b c d e f g h i", "a", weights=[1e308]) == 0.0


def test_effective_order_scales_weights_up() -> None:
    # Three tokens of which two match, one bigram, no trigram: weights 1, 2, 3 of orders 1, 2, 3 become all of 10 / 10.
    found = score("a b c", "a b d", weights=[0.1, 0.2, 0.3, 0.4], smoothing="exp", effective_order=True)
    expected = math.exp((0.1 * math.log(2 / 3) + 0.2 * math.log(1 / 2) + 0.3 * math.log(1 / 2)) / 0.6)
    assert found == pytest.approx(expected, **CLOSE)
    assert score("a b", "a b", weights=[0, 0, 0.5, 0.5], effective_order=True) == 0.0
    assert score("a b", "a b", weights=[0, 0, 0.5, 0.5], effective_order=True, convention="nltk") == 0.0


@pytest.mark.parametrize(
    ("max_order", "expected"),
    list(enumerate([0.875, 0.7905694150420949, 0.6786044041487267, 0.5, 0, 0, 0, 0], 1)),
)
def test_every_order(max_order: int, expected: float) -> None:
    assert score("k1 k2 k3 k4 zz k6 k7 k8", EIGHT, max_order=max_order) == pytest.approx(expected, **CLOSE)
    for method in METHODS:
        assert score(EIGHT, EIGHT, max_order=max_order, smoothing=method) == 1.0


def test_tokens_are_not_joined() -> None:
    segment = ["New York", "is"], [["New", "York is"]]
    assert scores([segment], score_settings("score", max_order=2)).tolist() == [0.0]


def test_exactly_the_brevity_penalty_over_several_segments() -> None:
    # Sums of segments: the averages of method 5 fall short of the totals though all n-grams match.
    for method in METHODS:
        settings = score_settings("components", smoothing=method, weights=[0.3, 0.3, 0.2, 0.2])
        found = row_scores([20], [25], [[20, 16, 12, 8, 4]], [[20, 16, 12, 8, 4]], settings)
        assert found.score.tolist() == [brevity_penalty(20, 25)]
        assert found.precisions.tolist() == [[1.0] * 4]
        settings = score_settings("components", smoothing=method, weights=[0.5, 0, 0.5])
        assert row_scores([9], [9], [[9, 3, 7, 0]], [[9, 8, 7, 0]], settings).score.tolist() == [1.0]


def test_precisions_are_what_the_score_is_made_of() -> None:
    segments = naive.random_segments(5, 200)
    for method in METHODS:
        settings = score_settings("score", smoothing=method, effective_order=False)
        c, r, matches, totals = counted(segments, settings.orders_read)
        found = row_scores(c, r, matches, totals, settings)
        product = np.prod(np.nan_to_num(found.precisions), axis=1) ** 0.25 * found.brevity_penalty
        np.testing.assert_allclose(found.score, product, rtol=1e-12)
        np.testing.assert_array_equal(found.brevity_penalty, brevity_penalty(c, r))
        assert not found.refused.any()


# What always has to hold.

TOKENS = st.lists(st.sampled_from("abc"), max_size=9)
SEGMENT = st.tuples(TOKENS, st.lists(TOKENS, min_size=1, max_size=3))
WEIGHTS = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5]), min_size=1, max_size=6).filter(any)


@given(st.lists(SEGMENT, min_size=1, max_size=6), WEIGHTS, st.booleans(), st.sampled_from(METHODS))
def test_scores_are_within_bounds(segments: list[Segment], weights: list[float], effective: bool, method: str) -> None:
    settings = score_settings("score", weights=weights, effective_order=effective, smoothing=method)
    c, r, matches, totals = counted(segments, settings.orders_read)
    sums = (np.append(column, column.sum(axis=0, keepdims=True), axis=0) for column in (c, r, matches, totals))
    c, r, matches, totals = sums
    found = row_scores(c, r, matches, totals, settings)
    assert ((found.score >= 0) & (found.score <= found.brevity_penalty)).all()
    assert (found.brevity_penalty <= 1).all()
    weighted = np.array(weights) > 0
    m, t = matches[:, : len(weights)][:, weighted], totals[:, : len(weights)][:, weighted]
    full = ((m == t) & (t > 0)).all(axis=1)
    np.testing.assert_array_equal(found.score[full], found.brevity_penalty[full])
    assert (found.score[(matches[:, 0] == 0) | (c == 0)] == 0).all()
    order = np.arange(len(c))[::-1]
    turned = row_scores(c[order], r[order], matches[order], totals[order], settings)
    np.testing.assert_array_equal(turned.score[order], found.score)
    np.testing.assert_array_equal(turned.precisions[order], found.precisions)


@given(st.lists(st.sampled_from("abc"), min_size=4, max_size=12), st.integers(1, 4), st.sampled_from(METHODS))
def test_perfect_sentence_is_exactly_one(tokens: list[str], max_order: int, method: str) -> None:
    for effective in (False, True):
        settings = score_settings("score", max_order=max_order, smoothing=method, effective_order=effective)
        assert scores([(tokens, [tokens])], settings).tolist() == [1.0]


@given(SEGMENT, st.integers(0, 3))
def test_more_matches_are_never_worse(segment: Segment, order: int) -> None:
    c, r, matches, totals = counted([segment], 4)
    more = np.minimum(matches + (np.arange(4) == order), totals)
    settings = score_settings("corpus")
    assert row_scores(c, r, more, totals, settings).score >= row_scores(c, r, matches, totals, settings).score


def test_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = counted(naive.random_segments(3, 100), 5)
    for method in METHODS:
        for convention in ("paper", "nltk"):
            settings = score_settings("score", smoothing=method, convention=convention)
            whole = row_scores(*columns, settings)
            with monkeypatch.context() as patched:
                patched.setattr("bleupandas.scoring.formula.BLOCK", 7)
                for one, other in zip(whole, row_scores(*columns, settings), strict=True):
                    np.testing.assert_array_equal(one, other)


def test_no_rows() -> None:
    found = row_scores([], [], np.empty((0, 4), int), np.empty((0, 4), int), score_settings("score"))
    assert [array.shape for array in found] == [(0,), (0, 4), (0,), (0,)]
    assert [array.dtype.name for array in found] == ["float64", "float64", "float64", "bool"]
    with pytest.raises(ValueError, match=r"^method1 with max_order=4 reads 4 orders, and matches has 3, totals 3$"):
        row_scores([], [], np.empty((0, 3), int), np.empty((0, 3), int), score_settings("score"))


# The brevity penalty.


def test_brevity_penalty() -> None:
    assert brevity_penalty(12, 28) == pytest.approx(0.2635971381157267, **CLOSE)
    assert brevity_penalty(7, 8) == pytest.approx(0.8668778997501817, **CLOSE)
    assert [brevity_penalty(*lengths) for lengths in ((5, 5), (6, 5), (2, 0), (0, 3), (0, 0))] == [1, 1, 1, 0, 1]
    assert type(brevity_penalty(np.int64(3), 3)) is float
    assert math.isnan(brevity_penalty(math.nan, 3))
    array = brevity_penalty(np.array([[7], [9]]), [8, 9, math.nan])
    assert isinstance(array, np.ndarray)
    np.testing.assert_allclose(array, [[math.exp(-1 / 7), math.exp(-2 / 7), math.nan], [1, 1, math.nan]], rtol=1e-15)
    assert np.asarray(brevity_penalty([], [])).tolist() == []


@pytest.mark.parametrize(
    ("lengths", "error", "message"),
    [
        (("5", 5), TypeError, "candidate_length is a number or an array of numbers, not '5'"),
        ((5, None), TypeError, "reference_length is a number or an array of numbers, not None"),
        ((True, 5), TypeError, "candidate_length is a number or an array of numbers, not True"),
        (([[1], [2, 3]], 5), TypeError, "candidate_length is a number or an array of numbers, not [[1], [2, 3]]"),
        ((-1, 5), ValueError, "candidate_length is at least 0, not -1.0"),
        ((5, [math.nan, -2]), ValueError, "reference_length is at least 0, not -2.0"),
        (
            ([1, 2], [1, 2, 3]),
            ValueError,
            "candidate_length and reference_length have shapes that do not fit: (2,) and (3,)",
        ),
    ],
)
def test_lengths_refused(lengths: tuple[Any, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=r".") as caught:
        brevity_penalty(*lengths)
    assert str(caught.value) == message
