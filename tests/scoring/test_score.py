"""score() and corpus() of token frames: every awkward frame, several orders, weights, and what always has to hold."""

import math
import random
from typing import Any

import awkward
import frames
import naive
import numpy as np
import oracles
import pandas as pd
import pytest
from frames import Case, Segment
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples, frame_of, segment_lists

import bleupandas
from bleupandas.scoring.smoothing import METHODS

CLOSE: dict[str, Any] = {"rtol": 1e-12, "atol": 0}
EXACT: dict[str, Any] = {"rel": 1e-12, "abs": 0}


def same_snapshot(before: list[Any], after: list[Any]) -> bool:
    """Two of frames.snapshot; the index is compared with its type and names."""
    return bool(before[4].identical(after[4]) and before[:4] + before[5:] == after[:4] + after[5:])


# ---- Every awkward frame ----


def test_score_of_awkward_frames(engine: str, awkward_frame: Case) -> None:
    """Numbers, name, dtype, index; the input is left alone."""
    frame = awkward_frame.frame
    before = frames.snapshot(frame)
    expected = [naive.bleu(*segment, 4, "method1", True) for segment in awkward_frame.segments]
    for errors, dtype in (("raise", np.dtype("float64")), ("coerce", pd.Float64Dtype())):
        found = bleupandas.score(frame, **awkward_frame.columns, errors=errors)
        np.testing.assert_allclose(found.astype("float64"), expected, **CLOSE)
        assert type(found) is pd.Series
        assert found.name == "score"
        assert found.dtype == dtype
        assert found.index.identical(frame.index)
        assert type(found.index) is type(frame.index)
        assert found.attrs == {}
    several = bleupandas.score(frame, **awkward_frame.columns, max_order=[4, 2])
    assert type(several) is pd.DataFrame
    assert several.columns.tolist() == ["score_4", "score_2"]
    assert set(several.dtypes) == {np.dtype("float64")}
    assert several.index.identical(frame.index)
    assert several["score_4"].tolist() == found.tolist()
    assert same_snapshot(before, frames.snapshot(frame))


def test_corpus_of_awkward_frames(awkward_frame: Case) -> None:
    frame = awkward_frame.frame
    before = frames.snapshot(frame)
    rows = frames.component_rows(awkward_frame.segments)
    mt: Any = frame.bleu
    found = mt(**awkward_frame.columns).corpus()
    assert found.score == pytest.approx(oracles.plain_corpus(rows), **EXACT, nan_ok=True)
    sums = np.sum(rows, axis=0, dtype=int).tolist() if rows else [0] * 10
    assert [found.candidate_length, found.reference_length, *found.matches, *found.totals] == sums
    assert (found.segments, found.segments_missing) == (len(rows), 0)
    positions = np.arange(len(rows)) % 2
    groups = bleupandas.corpus(frame, **awkward_frame.columns, by=positions)
    assert groups.index.tolist() == sorted(set(positions.tolist()))
    expected = [oracles.plain_corpus(rows[key::2]) for key in groups.index]
    np.testing.assert_allclose(groups["score"], expected, **CLOSE)
    assert same_snapshot(before, frames.snapshot(frame))


def test_a_column_of_the_result_is_the_callers_own() -> None:
    frame = frames.objects().frame
    found = frame.bleu.score()
    found.iloc[:] = -1.0
    assert (frame.bleu.score() >= 0).all()


def test_an_accessor_method_says_what_the_function_says() -> None:
    accessor: Any = frames.objects().frame.bleu
    assert accessor.score.__doc__ == bleupandas.score.__doc__
    assert accessor.corpus.__doc__ == bleupandas.corpus.__doc__


# ---- Several orders, weights, options ----

SEGMENTS = naive.random_segments(21, 60)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("convention", ["paper", "sacrebleu", "nltk"])
@pytest.mark.filterwarnings("ignore:score.* is NaN for:RuntimeWarning")
def test_several_orders_are_single_calls(convention: str, method: str) -> None:
    frame: Any = frame_of(SEGMENTS).set_index(np.arange(60) // 2)
    options: dict[str, Any] = {"convention": convention, "smoothing": method}
    found = frame.bleu.score(max_order=[1, 2, 3, 4], **options)
    assert found.columns.tolist() == ["score_1", "score_2", "score_3", "score_4"]
    sums = frame.bleu.components(max_order=5).sum()
    total = sums.bleu.score(max_order=[1, 2, 3, 4], **options)
    assert type(total) is pd.Series
    assert total.index.equals(found.columns)
    for order in (1, 2, 3, 4):
        single = frame.bleu.score(max_order=order, **options)
        assert found[f"score_{order}"].equals(single.rename(f"score_{order}"))
        one = sums.bleu.score(max_order=order, **options)
        assert type(one) is float
        assert total[f"score_{order}"] == pytest.approx(one, rel=0, abs=0, nan_ok=True)
    assert frame.bleu(max_order=[3]).score(**options).equals(found[["score_3"]])


def test_several_orders_by_the_definition() -> None:
    found = frame_of(SEGMENTS).bleu.score(max_order=[1, 2, 3, 4])
    expected = [[naive.bleu(*segment, n, "method1", True) for n in (1, 2, 3, 4)] for segment in SEGMENTS]
    np.testing.assert_allclose(found, expected, **CLOSE)


def test_weights() -> None:
    frame = frame_of([(list("abxd"), [list("abcd")])])  # 3 of 4 unigrams match, 1 of 3 bigrams
    expected = math.exp(0.7 * math.log(3 / 4) + 0.2 * math.log(1 / 3))
    for weights in ([0.7, 0.2], (0.7, 0.2), np.array([0.7, 0.2]), pd.Series([0.7, 0.2])):
        assert frame.bleu.score(weights=weights).tolist() == pytest.approx([expected], **EXACT)
        assert frame.bleu.corpus(weights=weights).score == pytest.approx(expected, **EXACT)
        assert frame.bleu.components().sum().bleu.score(weights=weights) == pytest.approx(expected, **EXACT)
    assert frame.bleu.score(weights=[0, 0, 1], smoothing="none").tolist() == [0.0]
    assert frame.bleu.score(weights=[0, 3]).tolist() == pytest.approx([1 / 27], **EXACT)
    uniform = frame.bleu.score(weights=[0.25] * 4)
    assert uniform.equals(frame.bleu.score())


def test_parameters_of_smoothing() -> None:
    frame = frame_of([(list("abxy"), [list("cbaw")])])  # 2 of 4 unigrams match, none of 3 bigrams
    floor = frame.bleu.score(max_order=2, epsilon=0.03)
    assert floor.tolist() == pytest.approx([math.sqrt(2 / 4 * 0.03 / 3)], **EXACT)
    filled = frame.bleu.score(max_order=2, smoothing="method4", k=2)
    assert filled.tolist() == pytest.approx([math.sqrt(2 / 4 * math.log(4) / 2 / 3)], **EXACT)
    corpus = frame.bleu.corpus(max_order=2, smoothing="floor", epsilon=0.03)
    assert corpus.score == floor.iloc[0]
    assert corpus.precisions == (2 / 4, 0.0)
    assert corpus.smoothed_precisions == (2 / 4, 0.03 / 3)


def test_effective_order_is_the_default_of_sentences_only() -> None:
    frame: Any = frame_of([(["good", "night"], [["good", "night"]])])
    assert frame.bleu.score().tolist() == [1.0]
    assert frame.bleu.score(effective_order=False).tolist() == [0.0]
    assert frame.bleu.corpus().score == 0.0
    assert frame.bleu.corpus(effective_order=True).score == 1.0
    assert frame.bleu(max_order=2).corpus().score == 1.0


def test_bound_options_are_defaults(engine: str) -> None:
    case = awkward.labelled(["x", "mt", "y", "ref"], "mt", "ref")
    mt: Any = case.frame.bleu
    mt = mt(hypothesis="mt", references="ref", max_order=2, threads=2, errors="coerce")
    expected = bleupandas.score(case.frame, hypothesis="mt", references="ref", max_order=2, errors="coerce")
    assert mt.score().equals(expected)
    assert mt.score(max_order=3).equals(mt(max_order=3).score())
    assert mt.corpus() == bleupandas.corpus(case.frame, hypothesis="mt", references="ref", max_order=2)


def test_pipe() -> None:
    frame = frame_of(SEGMENTS)
    assert frame.pipe(bleupandas.score, max_order=2).equals(frame.bleu.score(max_order=2))
    assert frame.assign(bleu_score=lambda df: df.bleu.score())["bleu_score"].tolist() == frame.bleu.score().tolist()


# ---- Rows that cannot be read ----


def with_bad_rows() -> Any:
    frame = frame_of([*SEGMENTS[:10], *SEGMENTS[:3]])
    frame["hypothesis"] = frames.cells([*frame["hypothesis"][:10], None, ["a", 5], "text"])
    return frame.sample(frac=1, random_state=2)


@pytest.mark.parametrize("threads", [1, 2])
def test_coerce(engine: str, threads: int) -> None:
    frame = with_bad_rows()
    found = frame.bleu.score(errors="coerce", threads=threads)
    assert found.dtype == pd.Float64Dtype()
    assert found.index.identical(frame.index)
    assert found[[10, 11, 12]].isna().all()
    expected = [naive.bleu(*segment, 4, "method1", True) for segment in SEGMENTS[:10]]
    np.testing.assert_allclose(found.loc[range(10)].astype(float), expected, **CLOSE)
    corpus = frame.bleu.corpus(errors="coerce", threads=threads)
    assert corpus.score == pytest.approx(oracles.plain_corpus(frames.component_rows(SEGMENTS[:10])), **EXACT)
    assert (corpus.segments, corpus.segments_missing) == (10, 3)
    counted = frame.bleu.components(errors="coerce")
    assert counted.bleu.score(errors="coerce").equals(found)
    later = counted.bleu.corpus()
    assert (later.score, later.segments, later.segments_missing) == (corpus.score, 10, 3)


def test_coerce_when_nothing_can_be_read(engine: str) -> None:
    frame = pd.DataFrame({"hypothesis": ["a text", None], "references": [[["a"]], [["a"]]]})
    assert frame.bleu.score(errors="coerce").isna().all()
    found = frame.bleu.corpus(errors="coerce")
    assert math.isnan(found.score)
    assert (found.segments, found.segments_missing, found.candidate_length) == (0, 2, 0)


# ---- What always has to hold ----


@settings(max_examples=examples(30))
@given(segment_lists(surrogates=True, most=8), st.sampled_from(METHODS), st.booleans(), st.integers(1, 6))
def test_scores_are_within_0_and_1(segments: list[Segment], method: str, effective: bool, max_order: int) -> None:
    options: dict[str, Any] = {"smoothing": method, "effective_order": effective, "max_order": max_order}
    frame = frame_of(segments)
    found = frame.bleu.score(**options)
    assert found.between(0, 1).all()
    expected = [naive.bleu(*segment, max_order, method, effective) for segment in segments]
    np.testing.assert_allclose(found, expected, **CLOSE)
    corpus = frame.bleu.corpus(**options)
    assert math.isnan(corpus.score) if not segments else 0 <= corpus.score <= 1


@settings(max_examples=examples(30))
@given(segment_lists(most=8), st.randoms(use_true_random=False), st.sampled_from(METHODS))
def test_row_order_does_not_matter(segments: list[Segment], shuffled: random.Random, method: str) -> None:
    order = list(range(len(segments)))
    shuffled.shuffle(order)
    frame = frame_of(segments)
    other = frame.iloc[order]
    assert other.bleu.score(smoothing=method).equals(frame.bleu.score(smoothing=method).iloc[order])
    found, expected = (one.bleu.corpus(smoothing=method) for one in (other, frame))
    assert found.to_series().equals(expected.to_series())


@settings(max_examples=examples(30))
@given(segment_lists(most=8), st.lists(st.integers(0, 2), min_size=8, max_size=8), st.sampled_from(["none", *METHODS]))
def test_groups_are_their_parts(segments: list[Segment], keys: list[int], method: str) -> None:
    frame = frame_of(segments).assign(key=keys[: len(segments)])
    groups = frame.bleu.corpus(by="key", smoothing=method)
    assert groups.index.tolist() == sorted(set(keys[: len(segments)]))
    for key, row in groups.iterrows():
        part = frame[frame["key"] == key].bleu.corpus(smoothing=method).to_series()
        row = row[row.index.intersection(part.index)]  # method5 counts an order more for the next score
        assert row.tolist() == pytest.approx(part[row.index].tolist(), rel=0, abs=0, nan_ok=True)
    whole, again = frame.bleu.corpus(smoothing=method), groups.bleu.corpus(smoothing=method)
    facts = whole.to_series().drop("signature")
    assert again.to_series().drop("signature").equals(facts)


@settings(max_examples=examples(30))
@given(segment_lists(), st.sampled_from(["none", *METHODS]), st.booleans())
def test_perfect_match(segments: list[Segment], method: str, effective: bool) -> None:
    """Exactly 1 where each order has an n-gram; shorter ones too with effective_order."""
    copies = [(tokens, [*lists, list(tokens)]) for tokens, lists in segments]
    found = frame_of(copies).bleu.score(smoothing=method, effective_order=effective)
    long = [len(tokens) >= (1 if effective else 4) for tokens, _ in copies]
    assert (found[long] == 1.0).all()
    if any(len(tokens) >= 4 for tokens, _ in copies):
        assert frame_of(copies).bleu.corpus(smoothing=method, effective_order=effective).score == 1.0
