"""score() and corpus() against sacreBLEU, NLTK and the obvious code, through frames."""

import math
import warnings
from collections.abc import Callable
from typing import Any

import naive
import numpy as np
import oracles
import pandas as pd
import pytest
from sacrebleu.metrics.bleu import BLEU
from strategies import frame_of

import bleupandas
from bleupandas.scoring.smoothing import METHODS

ALIASES = ["none", "floor", "add-k", "exp"]
CLOSE: dict[str, Any] = {"rtol": 1e-12, "atol": 0}

# ---- The example data: what docs/example_data.md says ----

DOCUMENTED = {
    "all": (31.61, 27.39),
    "news": (28.79, 25.99),
    "travel": (29.56, 24.52),
    "cooking": (31.09, 26.16),
    "software": (37.59, 33.36),
}


@pytest.fixture(scope="module")
def example() -> pd.DataFrame:
    return bleupandas.load_example()


@pytest.mark.parametrize("system", ["direct", "pivot"])
@pytest.mark.parametrize("domain", DOCUMENTED)
def test_documented_scores(example: pd.DataFrame, domain: str, system: str) -> None:
    rows = (example["system"] == system) & (example["domain"].isin([domain]) | (domain == "all"))
    part = example[rows]
    found = part.bleu.corpus(convention="sacrebleu")
    assert round(100 * found.score, 2) == DOCUMENTED[domain][system == "pivot"]
    raw = [list(row) for row in part["reference_texts"]]
    streams: Any = [[row[k] if k < len(row) else None for row in raw] for k in range(4)]
    expected = BLEU().corpus_score(part["hypothesis_text"].tolist(), streams)  # 13a on the raw texts
    assert found.score == pytest.approx(expected.score / 100, rel=1e-12, abs=0)
    assert str(found) == str(expected)


@pytest.mark.parametrize("effective", [False, True])
@pytest.mark.parametrize("method", ALIASES)
def test_sacrebleu_on_the_example(example: pd.DataFrame, method: str, effective: bool) -> None:
    options: dict[str, Any] = {"smoothing": method, "effective_order": effective}
    theirs: dict[str, Any] = {"smooth_method": method, "use_effective_order": effective}
    some = example.iloc[::3]
    segments = oracles.segments_of(some)
    found = bleupandas.score(some, convention="sacrebleu", **options)
    np.testing.assert_allclose(found, oracles.sacrebleu_sentences(segments, **theirs), **CLOSE)
    by_system = bleupandas.corpus(example, by="system", convention="sacrebleu", **options)["score"]
    for system, part in example.groupby("system"):
        expected = oracles.sacrebleu_corpus(oracles.segments_of(part), **theirs)
        assert by_system[system] * 100 == pytest.approx(expected.score, rel=1e-12, abs=0)


# ---- Random segments, 1 to 5 references each ----


@pytest.mark.parametrize("effective", [False, True])
@pytest.mark.parametrize("method", ALIASES)
def test_sacrebleu_on_random_segments(engine: str, method: str, effective: bool) -> None:
    segments = naive.random_segments(5, 120, empty_references=False)
    frame = frame_of(segments)
    theirs: dict[str, Any] = {"smooth_method": method, "use_effective_order": effective}
    found = frame.bleu.score(convention="sacrebleu", smoothing=method, effective_order=effective)
    expected = oracles.sacrebleu_sentences(segments, **theirs)
    np.testing.assert_allclose(found, expected, **CLOSE)
    assert 0 < sum(value == 0 for value in expected) < len(expected)
    for size in (1, 2, 3, 5, 40):  # few segments: orders without matches and without n-grams
        part = frame.head(size)
        score = part.bleu.corpus(convention="sacrebleu", smoothing=method, effective_order=effective)
        theirs_score = oracles.sacrebleu_corpus(segments[:size], **theirs)
        assert score.score * 100 == pytest.approx(theirs_score.score, rel=1e-12, abs=0)
        assert score.candidate_length == theirs_score.sys_len
        assert score.reference_length == theirs_score.ref_len
        assert score.brevity_penalty == pytest.approx(theirs_score.bp, rel=1e-12, abs=0)


def test_defaults_of_the_sacrebleu_convention() -> None:
    segments = naive.random_segments(6, 80, empty_references=False)
    frame = frame_of(segments)
    found = frame.bleu.score(convention="sacrebleu")
    np.testing.assert_allclose(found, oracles.sacrebleu_sentences(segments), **CLOSE)
    corpus = frame.head(2).bleu.corpus(convention="sacrebleu")
    assert corpus.score * 100 == pytest.approx(oracles.sacrebleu_corpus(segments[:2]).score, rel=1e-12, abs=0)


@pytest.mark.parametrize("max_order", [1, 2, 4, 6])
def test_definition(engine: str, max_order: int) -> None:
    """The defaults of score(): method1 with effective order."""
    segments = naive.random_segments(max_order, 100)
    frame = frame_of(segments)
    expected = [naive.bleu(*segment, max_order, "method1", True) for segment in segments]
    np.testing.assert_allclose(frame.bleu.score(max_order=max_order), expected, **CLOSE)


@pytest.mark.parametrize("method", METHODS)
def test_definition_of_methods(method: str) -> None:
    segments = naive.random_segments(40, 100)
    expected = [naive.bleu(*segment, 4, method, True) for segment in segments]
    np.testing.assert_allclose(frame_of(segments).bleu.score(smoothing=method), expected, **CLOSE)


# ---- NLTK ----


@pytest.mark.parametrize("weights", [(0.25,) * 4, (0.5, 0.5), (1 / 3,) * 3, (0.1, 0.2, 0.3, 0.3, 0.1)], ids=len)
@pytest.mark.parametrize("method", METHODS)
def test_nltk(method: str, weights: tuple[float, ...]) -> None:
    segments = naive.random_segments(len(weights), 120)
    frame = frame_of(segments).set_axis([f"s{i}" for i in range(120)])
    expected = np.array([oracles.nltk_sentence(segment, weights, method) for segment in segments])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = frame.bleu.score(convention="nltk", smoothing=method, weights=list(weights))
    np.testing.assert_allclose(found, expected, **CLOSE)
    assert len(caught) == int(np.isnan(expected).any())
    assert bool(caught) == (method == "method6")


def test_default_of_the_nltk_convention() -> None:
    segments = naive.random_segments(9, 80)
    expected = [oracles.nltk_sentence(segment, (0.25,) * 4, "method0") for segment in segments]
    np.testing.assert_allclose(frame_of(segments).bleu.score(convention="nltk"), expected, **CLOSE)


REFUSED: Any = pd.DataFrame(
    {
        "hypothesis": [list("abcd"), list("abxd"), list("xyz"), [], list("ab")],
        "references": [[list("abcd")], [list("abcd")], [list("abc")], [["a"]], [list("ab")]],
    },
    index=["good", "no trigram", "no match", "empty", "no trigram"],
)
CALLS: dict[str, Callable[[], Any]] = {
    "function": lambda: bleupandas.score(REFUSED, convention="nltk", smoothing="method6"),
    "method": lambda: REFUSED.bleu.score(convention="nltk", smoothing="method6"),
    "bound": lambda: REFUSED.bleu(max_order=4).score(convention="nltk", smoothing="method6"),
    "components": lambda: REFUSED.bleu.components().bleu.score(convention="nltk", smoothing="method6"),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_one_warning_names_the_rows(call: Callable[[], Any]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call()
    assert found.isna().tolist() == [False, True, False, False, True]
    segments = oracles.segments_of(REFUSED)
    expected = [oracles.nltk_sentence(segment, (0.25,) * 4, "method6") for segment in segments]
    np.testing.assert_allclose(found, expected, **CLOSE)
    [warning] = caught
    assert warning.category is RuntimeWarning
    assert warning.filename == __file__
    assert warning.lineno == call.__code__.co_firstlineno
    assert str(warning.message) == (
        "score is NaN for 2 of 5 rows, 'no trigram', 'no trigram': NLTK's method6 raises where no trigram matches"
    )


def test_warning_of_many_rows_and_of_several_orders() -> None:
    frame = pd.concat([REFUSED.iloc[[1]]] * 12, ignore_index=True)
    with pytest.warns(RuntimeWarning) as caught:
        found = frame.bleu.score(convention="nltk", smoothing="method6", max_order=[2, 4])
    assert found.isna().all(axis=None)
    assert [str(one.message) for one in caught] == [
        "score_2 is NaN for 12 of 12 rows, 0, 1, 2, 3, 4 and 7 more: NLTK's method6 raises with fewer than 3 orders",
        "score_4 is NaN for 12 of 12 rows, 0, 1, 2, 3, 4 and 7 more: NLTK's method6 raises where no trigram matches",
    ]


def test_warning_of_a_series() -> None:
    row = REFUSED.bleu.components().iloc[1]
    message = "score is NaN for 1 of 1 rows, 'no trigram': NLTK's method6 raises where no trigram matches"
    with pytest.warns(RuntimeWarning) as caught:
        assert math.isnan(row.bleu.score(convention="nltk", smoothing="method6"))
    assert [str(one.message) for one in caught] == [message]


def test_missing_rows_are_not_warned_of() -> None:
    frame = REFUSED.iloc[[0]].bleu.components().reindex(["good", "gone"])
    found = frame.bleu.score(convention="nltk", smoothing="method6")
    assert found.isna().tolist() == [False, True]
