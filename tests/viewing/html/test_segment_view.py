"""segment_view() agrees with the functions of frames and with the oracle."""

from dataclasses import replace
from typing import Any

import frames
import naive
import numpy as np
import pandas as pd
import pytest
from frames import Case, Segment
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples, frame_of, segment_lists

import bleupandas
from bleupandas.common import get_problem
from bleupandas.common.missing import is_missing
from bleupandas.viewing.html.segment_view import SegmentView, segment_view


def check(view: SegmentView, segment: Segment, max_order: int) -> None:
    """Compare a view with the oracle."""
    hypothesis, references = segment
    assert list(view.hypothesis) == hypothesis
    assert [list(tokens) for tokens in view.references] == references
    assert list(view.coverage) == naive.coverage(hypothesis, references, max_order)
    assert [list(levels) for levels in view.reference_coverage] == naive.reference_coverage(
        hypothesis, references, max_order
    )
    assert [ngram.id for ngram in view.ngrams] == list(range(len(view.ngrams)))
    own = [n for n in view.ngrams if n.count]
    assert [
        (n.order, n.tokens, n.count, n.max_reference_count, n.clipped_count, n.hypothesis[0]) for n in own
    ] == naive.ngrams(hypothesis, references, max_order)
    other = {(n.order, n.tokens): (n.count, n.max_reference_count, n.missing) for n in view.ngrams if any(n.references)}
    assert other == {
        (order, ngram): (count, most, missing)
        for order, ngram, count, most, _, missing, *_ in naive.reference_ngrams(hypothesis, references, max_order)
    }
    for ngram in view.ngrams:
        assert ngram.over_produced == ngram.count - ngram.clipped_count
        for tokens, starts in zip([hypothesis, *references], [ngram.hypothesis, *ngram.references], strict=True):
            assert [i for i, gram in enumerate(naive.grams(tokens, ngram.order)) if gram == ngram.tokens] == list(
                starts
            )


@settings(max_examples=examples(40))
@given(segment_lists(surrogates=True, most=3, references=3), st.integers(1, 8))
def test_definition(segments: list[Segment], max_order: int) -> None:
    frame = frame_of(segments)
    for position, segment in enumerate(segments):
        check(segment_view(frame, position, max_order=max_order), segment, max_order)


def test_awkward_frames(awkward_frame: Case) -> None:
    frame = awkward_frame.frame
    facts = bleupandas.explain(frame, **awkward_frame.columns)
    for position, segment in enumerate(awkward_frame.segments):
        view = segment_view(frame, position, **awkward_frame.columns)
        check(view, segment, 4)
        row = {name: None if is_missing(value) else value for name, value in facts.iloc[position].items()}
        assert view.facts == pytest.approx(row, nan_ok=True)
        assert (view.score, view.reason, view.main_cause) == (row["score"], row["reason"], row["main_cause"])
        [label] = frame.index[position : position + 1].tolist()
        assert view.label is label or view.label == label or is_missing(view.label)
        assert (view.position, view.max_order, view.readable) == (position, 4, True)


def test_scoring_is_passed_on() -> None:
    df = bleupandas.load_example()
    view = segment_view(df, 3, max_order=2, smoothing="exp", effective_order=False)
    assert view.score == bleupandas.score(df, max_order=2, smoothing="exp", effective_order=False)[3]
    assert view.settings == "nrefs:4|eff:no|smooth:exp|order:2"


def test_unreadable_rows() -> None:
    frame = pd.DataFrame(
        {
            "hypothesis": frames.cells([["a"], None, ["a"], ["a", 1]]),
            "references": frames.cells([["a"], ["a"], None, ["a"]]),
            "note": ["x", "y", "z", None],
        },
        index=list("pqrs"),
    )
    reasons = bleupandas.explain(frame, errors="coerce")["reason"]
    for position in (1, 2, 3):
        view = segment_view(frame, position, errors="coerce")
        assert not view.readable
        assert view.reason == reasons.iloc[position]
        assert (view.score, view.main_cause, view.ngrams, view.label) == (None, "not scored", (), "pqrs"[position])
        with pytest.raises((TypeError, ValueError)) as raised:
            segment_view(frame, position)
        problem = get_problem(raised.value)
        assert problem is not None
        assert replace(problem, offer="").message() == view.reason  # coerce was passed
    assert segment_view(frame, 3, errors="coerce").extra == (("note", ""),)


def test_a_row_is_read_like_its_column() -> None:
    """An empty cell is one empty reference if other rows show that the column is flat."""
    frame = frame_of([(["a"], [["b"]]), (["a"], [[]])])
    frame["references"] = frames.cells([["b"], []])
    assert segment_view(frame, 1).references == ((),)


def test_extra_columns() -> None:
    frame = pd.DataFrame(
        {
            "hypothesis": frames.cells([["a"]]),
            "references": frames.cells([[["a"]]]),
            "matches_1": [1],
            "source": ["le chat"],
            "tokens": frames.cells([["le", "chat"]]),
            "array": frames.cells([np.array(["x", "y"])]),
            "texts": frames.cells([["Le chat.", "Un chat."]]),
            "missing": [None],
            "when": [pd.Timestamp("2024-02-28")],
            "long": ["x" * 3000],
            7: [1.5],
        }
    )
    shown = dict(segment_view(frame, 0).extra)
    assert list(shown) == ["source", "tokens", "array", "texts", "missing", "when", "long", "7"]
    assert shown["tokens"] == "le chat"
    assert shown["array"] == "x y"
    assert shown["texts"] == "Le chat. | Un chat."
    assert shown["missing"] == ""
    assert shown["when"] == "2024-02-28 00:00:00"
    assert shown["7"] == "1.5"
    assert shown["long"] == "x" * 1999 + "…"
    assert segment_view(frame, 0, extra=["source", 7]).extra == (("source", "le chat"), ("7", "1.5"))
    assert segment_view(frame, 0, extra=[]).extra == ()
    with pytest.raises(KeyError, match="no column 'nowhere' for extra"):
        segment_view(frame, 0, extra=["nowhere"])


def test_positions() -> None:
    frame = frames.objects().frame
    assert segment_view(frame, -1).position == len(frame) - 1
    for position in (len(frame), -len(frame) - 1):
        with pytest.raises(IndexError, match=f"^no position {position}: the frame has {len(frame)} rows$"):
            segment_view(frame, position)


def test_long_segments_take_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document of 20,000 tokens would take minutes in quadratic time."""
    tokens: Any = [f"w{i % 977}" for i in range(20_000)]
    view = segment_view(frame_of([(tokens, [tokens[:15_000]])]), 0)
    assert sum(level > 0 for level in view.coverage) == 15_000
