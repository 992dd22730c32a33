"""BLEU's arithmetic against sacreBLEU, NLTK and the obvious code, on random segments and sums of them."""

import math
import warnings
from collections.abc import Sequence
from typing import Any

import naive
import numpy as np
import pytest
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from sacrebleu.metrics.bleu import BLEU

from bleupandas.scoring.formula import bleu_from_components, refusal, row_scores
from bleupandas.scoring.settings import score_settings
from bleupandas.scoring.smoothing import METHODS

Segment = tuple[list[str], list[list[str]]]
NAMES = {"none": "method0", "floor": "method1", "add-k": "method2", "exp": "method3"}


def counted(segments: Sequence[Segment], orders: int) -> tuple[Any, Any, Any, Any]:
    rows = [naive.components(*segment, orders) for segment in segments]
    c, r, matches, totals = zip(*rows, strict=True)
    return np.array(c), np.array(r), np.array(matches), np.array(totals)


def sacrebleu_score(row: tuple[int, int, list[int], list[int]], method: str, effective: bool, max_order: int) -> float:
    c, r, matches, totals = row
    matches, totals = list(matches), list(totals)  # it changes its lists
    found = BLEU.compute_bleu(matches, totals, c, r, method, None, effective, max_order)
    return float(found.score) / 100


@pytest.mark.parametrize("effective", [False, True])
@pytest.mark.parametrize("method", NAMES)
@pytest.mark.parametrize("max_order", [1, 2, 4, 6])
def test_compute_bleu(method: str, effective: bool, max_order: int) -> None:
    segments = naive.random_segments(max_order, 200)
    rows = [naive.components(*segment, max_order) for segment in segments]
    generator = np.random.default_rng(7)
    for _ in range(50):  # sums of segments
        picked = [rows[i] for i in generator.integers(0, len(rows), 3)]
        sums = [np.sum([row[field] for row in picked], axis=0).tolist() for field in range(4)]
        rows.append((sums[0], sums[1], sums[2], sums[3]))
    expected = [sacrebleu_score(row, method, effective, max_order) for row in rows]
    settings = score_settings(
        "corpus", convention="sacrebleu", smoothing=method, effective_order=effective, max_order=max_order
    )
    c, r, matches, totals = zip(*rows, strict=True)
    given_scores = row_scores(c, r, matches, totals, settings).score
    np.testing.assert_allclose(given_scores, expected, rtol=1e-12, atol=0)
    singly = [
        bleu_from_components(*row, max_order=max_order, smoothing=method, effective_order=effective) for row in rows
    ]
    assert singly == given_scores.tolist()
    assert any(value == 0 for value in expected)
    assert any(0 < value < 1 for value in expected)


@pytest.mark.parametrize("method", NAMES)
def test_sacrebleu_sentences_and_corpus(method: str) -> None:
    segments = naive.random_segments(11, 150, empty_references=False)
    most = max(len(references) for _, references in segments)
    sentences = BLEU(tokenize="none", smooth_method=method, effective_order=True)
    lines = [(" ".join(hypothesis), [" ".join(reference) for reference in refs]) for hypothesis, refs in segments]
    expected = [sentences.sentence_score(*line).score / 100 for line in lines]
    settings = score_settings("score", convention="sacrebleu", smoothing=method)
    np.testing.assert_allclose(
        row_scores(*counted(segments, settings.orders_read), settings).score, expected, rtol=1e-12, atol=0
    )

    streams: Any = [[refs[i] if i < len(refs) else None for _, refs in lines] for i in range(most)]
    corpus = BLEU(tokenize="none", smooth_method=method).corpus_score([line for line, _ in lines], streams)
    c, r, matches, totals = (column.sum(axis=0, keepdims=True) for column in counted(segments, 4))
    settings = score_settings("corpus", convention="sacrebleu", smoothing=method)
    assert row_scores(c, r, matches, totals, settings).score[0] * 100 == pytest.approx(corpus.score, rel=1e-12, abs=0)


def nltk_score(segment: Segment, weights: tuple[float, ...], method: str, parameters: dict[str, float]) -> float:
    """NLTK's score; NaN where it raises."""
    hypothesis, references = segment
    smoothing = getattr(SmoothingFunction(**parameters), method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return float(sentence_bleu(references, hypothesis, weights, smoothing))
        except (AssertionError, IndexError, ZeroDivisionError):
            return math.nan


@pytest.mark.parametrize(
    "parameters", [{}, {"epsilon": 0.3, "k": 2.5, "alpha": 3}, {"epsilon": 0, "alpha": 0}], ids=str
)
@pytest.mark.parametrize(
    "weights",
    [(1.0,), (0.5, 0.5), (1 / 3,) * 3, (0.25,) * 4, (0.2,) * 5, (1 / 6,) * 6, (0.6, 0, 0, 0.4), (0, 0.3), (0, 0, 0.9)],
    ids=str,
)
def test_nltk(weights: tuple[float, ...], parameters: dict[str, Any]) -> None:
    segments = naive.random_segments(len(weights), 150)
    for method in METHODS:
        settings = score_settings("score", convention="nltk", weights=weights, smoothing=method, **parameters)
        expected = [nltk_score(segment, weights, method, parameters) for segment in segments]
        found = row_scores(*counted(segments, settings.orders_read), settings)
        np.testing.assert_allclose(found.score, expected, rtol=1e-12, atol=0)
        np.testing.assert_array_equal(found.refused, np.isnan(expected))
        assert method == "method6" or not found.refused.any()
    assert refusal(score_settings("score", weights=weights, alpha=parameters.get("alpha", 5))).startswith("NLTK's")


def test_refused_though_no_order_is_left() -> None:
    # method6 raises for want of a trigram, whether or not the one weighted order has n-grams.
    settings = score_settings(
        "score", convention="nltk", smoothing="method6", weights=[0, 0, 0, 1], effective_order=True
    )
    found = row_scores([3], [3], [[2, 1, 0, 0]], [[3, 2, 1, 0]], settings)
    assert math.isnan(found.score[0])
    assert found.refused.tolist() == [True]


def test_refusal_says_why() -> None:
    assert refusal(score_settings("score", max_order=2)) == "NLTK's method6 raises with fewer than 3 orders"
    assert refusal(score_settings("score", alpha=0)) == (
        "NLTK's method6 raises where no trigram matches, and with alpha=0 where an order has no n-grams"
    )


@pytest.mark.parametrize("effective", [False, True])
@pytest.mark.parametrize("max_order", [1, 2, 3, 4, 5])
def test_obvious_code(max_order: int, effective: bool) -> None:
    segments = naive.random_segments(20 + max_order, 150)
    for method in METHODS:
        settings = score_settings("score", smoothing=method, effective_order=effective, max_order=max_order)
        expected = [naive.bleu(*segment, max_order, method, effective) for segment in segments]
        np.testing.assert_allclose(
            row_scores(*counted(segments, settings.orders_read), settings).score, expected, rtol=1e-12, atol=0
        )
