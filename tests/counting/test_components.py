"""components(): against the definition, on every awkward frame, and against what others count."""

import enum
import random
from collections import Counter
from typing import Any

import frames
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from frames import Case, Segment
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.bleu_score import closest_ref_length, modified_precision
from sacrebleu.metrics.bleu import BLEU
from strategies import SHAPES, block_sizes, examples, frame_of, segment_lists

import bleupandas

NAMES = [
    *("candidate_length", "reference_length"),
    *("matches_1", "matches_2", "matches_3", "matches_4"),
    *("totals_1", "totals_2", "totals_3", "totals_4"),
]


# ---- Every awkward frame ----


def test_awkward_frames(engine: str, awkward_frame: Case) -> None:
    """Numbers, columns, dtypes, index; the input is left alone."""
    frame = awkward_frame.frame
    before = frames.snapshot(frame)
    for errors, dtype in (("raise", np.dtype("int64")), ("coerce", pd.Int64Dtype())):
        found = bleupandas.components(frame, **awkward_frame.columns, errors=errors)
        assert found.to_numpy().tolist() == frames.component_rows(awkward_frame.segments)
        assert type(found) is pd.DataFrame
        assert list(found.columns) == NAMES
        assert set(found.dtypes) == {dtype}
        assert found.index.identical(frame.index)
        assert type(found.index) is type(frame.index)
        assert found.attrs == {}
    after = frames.snapshot(frame)
    assert before[4].identical(after[4])
    assert before[:4] + before[5:] == after[:4] + after[5:]


def test_blocks_of_awkward_frames(engine: str, awkward_frame: Case) -> None:
    for threads in (1, 3):
        with block_sizes(budget=3, rows=2):
            found = awkward_frame.frame.bleu(**awkward_frame.columns, threads=threads).components(max_order=8)
        assert found.to_numpy().tolist() == frames.component_rows(awkward_frame.segments, 8)


def test_result_is_the_callers_own(engine: str) -> None:
    frame = frames.objects().frame
    found = bleupandas.components(frame)
    found["matches_1"] = -1
    found.loc[found.index[0], "totals_1"] = -1
    assert bleupandas.components(frame).to_numpy().tolist() == frames.component_rows(frames.PLAIN)


def test_components_add_up_over_groups(engine: str) -> None:
    frame = frames.objects([*frames.PLAIN, *frames.WHITE]).frame
    groups = pd.Series(list("aabbabab"), name="group")
    sums: Any = bleupandas.components(frame).groupby(groups).sum()
    rows = np.array(frames.component_rows([*frames.PLAIN, *frames.WHITE]))
    assert sums.loc["a"].tolist() == rows[groups == "a"].sum(axis=0).tolist()
    assert sums.sum().tolist() == rows.sum(axis=0).tolist()


# ---- The definition ----


@settings(max_examples=examples(35))
@given(segment_lists(surrogates=True), st.integers(1, 8))
def test_definition(engine: str, segments: list[Segment], max_order: int) -> None:
    found = bleupandas.components(frame_of(segments), max_order=max_order)
    assert found.to_numpy().tolist() == frames.component_rows(segments, max_order)


@settings(max_examples=examples(35))
@given(
    segment_lists(most=9, references=3),
    st.sampled_from(SHAPES),
    st.sampled_from(SHAPES),
    st.integers(1, 30),
    st.integers(1, 5),
    st.integers(1, 4),
)
def test_shape_blocks_and_threads_do_not_matter(
    engine: str, segments: list[Segment], hypothesis: str, references: str, budget: int, rows: int, threads: int
) -> None:
    with block_sizes(budget, rows):
        found = bleupandas.components(frame_of(segments, hypothesis, references), threads=threads)
    assert found.to_numpy().tolist() == frames.component_rows(segments)


@settings(max_examples=examples(15))
@given(segment_lists(most=8, references=2), st.randoms(use_true_random=False))
def test_row_order_does_not_matter(engine: str, segments: list[Segment], shuffled: random.Random) -> None:
    order = list(range(len(segments)))
    shuffled.shuffle(order)
    frame = frame_of(segments)
    found = bleupandas.components(frame.iloc[order])
    assert found.equals(bleupandas.components(frame).iloc[order])


@settings(max_examples=examples(15))
@given(segment_lists(), st.randoms(use_true_random=False))
def test_reference_order_does_not_matter(engine: str, segments: list[Segment], shuffled: random.Random) -> None:
    reordered = [(tokens, shuffled.sample(lists, len(lists))) for tokens, lists in segments]
    assert bleupandas.components(frame_of(reordered)).equals(bleupandas.components(frame_of(segments)))


@settings(max_examples=examples(15))
@given(segment_lists(references=4))
def test_columns_of_references_are_one_set(engine: str, segments: list[Segment]) -> None:
    """The k-th references as the k-th column, missing where a row has fewer: the same as nested."""
    most = max((len(lists) for _, lists in segments), default=1)
    frame: Any = pd.DataFrame({"mt": frames.cells(frames.hypotheses(segments))})
    for k in range(most):
        frame[f"ref_{k}"] = frames.cells([[lists[k]] if k < len(lists) else None for _, lists in segments])
    found = frame.bleu(hypothesis="mt", references=[f"ref_{k}" for k in range(most)]).components()
    assert found.to_numpy().tolist() == frames.component_rows(segments)


def test_lower_orders_are_the_first_columns(engine: str) -> None:
    frame = frames.objects().frame
    eight = bleupandas.components(frame, max_order=8)
    for order in range(1, 8):
        found = bleupandas.components(frame, max_order=order)
        assert found.equals(eight[found.columns])


# ---- What others count ----


def random_segments(seed: int, size: int = 120, references: int = 3) -> list[Segment]:
    """Words as frequent as in a language, so that orders up to 4 match."""
    source = random.Random(seed)

    def tokens() -> list[str]:
        return [f"w{min(int(source.paretovariate(0.9)), 50)}" for _ in range(source.randint(1, 25))]

    return [(tokens(), [tokens() for _ in range(references)]) for _ in range(size)]


def sacrebleu_rows(segments: list[Segment], max_order: int = 4) -> list[list[int]]:
    """What sacreBLEU sums up, segment by segment; its own order is lengths, matches, totals."""
    metric = BLEU(tokenize="none", max_ngram_order=max_order, force=True)
    most = max(len(lists) for _, lists in segments)
    streams: Any = [[" ".join(lists[k]) if k < len(lists) else None for _, lists in segments] for k in range(most)]
    rows = metric._extract_corpus_statistics([" ".join(tokens) for tokens, _ in segments], streams)
    return [[int(number) for number in row] for row in rows]


@pytest.mark.parametrize("references", [1, 4])
@pytest.mark.parametrize("max_order", [4, 6])
def test_sacrebleu_on_random_segments(engine: str, references: int, max_order: int) -> None:
    segments = random_segments(references, references=references)
    found = bleupandas.components(frame_of(segments), max_order=max_order)
    assert found.to_numpy().tolist() == sacrebleu_rows(segments, max_order)


def test_sacrebleu_on_the_example(engine: str) -> None:
    frame = bleupandas.load_example()
    segments: list[Segment] = [
        (list(tokens), [list(reference) for reference in lists])
        for tokens, lists in zip(frame["hypothesis"], frame["references"], strict=True)
    ]
    assert bleupandas.components(frame).to_numpy().tolist() == sacrebleu_rows(segments)


def test_nltk_on_random_segments(engine: str) -> None:
    segments = random_segments(7)
    found = bleupandas.components(frame_of(segments))
    for (tokens, lists), row in zip(segments, found.itertuples(), strict=True):
        assert row.reference_length == closest_ref_length(lists, len(tokens))
        for order in range(1, 5):
            clipped = modified_precision(lists, tokens, order)
            total = getattr(row, f"totals_{order}")
            assert total == max(0, len(tokens) - order + 1)
            assert getattr(row, f"matches_{order}") * clipped.denominator == clipped.numerator * max(total, 1)


# ---- errors="coerce" ----


def bad_cells() -> list[tuple[Any, Any]]:
    """(hypothesis, references) pairs, each wrong in its own way."""
    good: Any = [["a", "b"]]
    return [
        (None, good), (float("nan"), good), (pd.NA, good), (pd.NaT, good), ("a b", good), (b"a", good), (3, good),
        ({"a", "b"}, good), ({"a": 1}, good), ((t for t in "ab"), good), (["a", None], good), (["a", ""], good),
        (["a", 5], good), ([["a"]], good), (np.array("a"), good), (np.array([1.5]), good), (object(), good),
        (["a"], None), (["a"], []), (["a"], [None]), (["a"], ["a"]), (["a"], "a b"), (["a"], ["a b"]), (["a"], 7),
        (["a"], [["a", None]]), (["a"], [["a"], ["", "a"]]), (["a"], [["a"], 3]), (["a"], [[["a"]]]), (["a"], {"a": 1}),
        (["a"], [["a"], "b"]), (["a"], [b"a"]), (["\ud800"], [["a", None]]), ([], []),
    ]  # fmt: skip


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("budget", [1, 1 << 18])
def test_coerce_when_every_second_row_is_bad(engine: str, threads: int, budget: int) -> None:
    bad = bad_cells()
    good: list[Segment] = [frames.PLAIN[i % len(frames.PLAIN)] for i in range(len(bad))]
    rows: list[tuple[Any, Any]] = [row for pair in zip(good, bad, strict=True) for row in pair]
    frame = pd.DataFrame(
        {k: frames.cells([row[i] for row in rows]) for i, k in enumerate(["hypothesis", "references"])}
    )
    with block_sizes(budget, 7):
        found = bleupandas.components(frame, errors="coerce", threads=threads)
        listed = bleupandas.ngrams(frame, errors="coerce", ngram="tuple", threads=threads)
    assert set(found.dtypes) == {pd.Int64Dtype()}
    assert found.iloc[1::2].isna().all(axis=None)
    assert found.iloc[::2].astype("int64").to_numpy().tolist() == frames.component_rows(good)
    expected = [(2 * position, *row) for position, *row in frames.ngram_rows(good)]
    assert list(listed.itertuples(index=False, name=None)) == expected
    assert found.sum().tolist() == np.array(frames.component_rows(good)).sum(axis=0).tolist()


def test_coerce_of_missing_arrow_cells(engine: str) -> None:
    kind = frames.LISTS
    hypothesis = frames.arrow(pa.array([["a"], None, ["b", None], [""], ["a", "b"]], kind))
    references = frames.arrow(pa.array([["a"], ["a"], ["b"], ["b"], None], kind))
    frame = pd.DataFrame({"hypothesis": hypothesis, "references": references})
    found = bleupandas.components(frame, errors="coerce", max_order=1)
    assert found.isna().all(axis=1).tolist() == [False, True, True, True, True]
    assert found.iloc[0].tolist() == [1, 1, 1, 1]
    assert bleupandas.ngrams(frame, errors="coerce")["segment"].tolist() == [0]


# ---- Frames that hold components ----


def test_components_frame_is_given_as_it_is(engine: str) -> None:
    counted: Any = bleupandas.components(frames.objects().frame)
    for given_frame in (counted, counted.astype("Int32"), counted.rolling(2).sum(), counted.assign(extra="x")):
        before = given_frame.copy()
        found = given_frame.bleu.components()
        assert found.equals(before[NAMES])
        assert found is not given_frame
        found["matches_1"] = 0
        assert given_frame.equals(before)


def test_fewer_orders_of_a_components_frame() -> None:
    counted: Any = bleupandas.components(frames.objects().frame)
    found = counted.bleu.components(max_order=2)
    assert found.to_numpy().tolist() == frames.component_rows(frames.PLAIN, 2)


def test_tokens_win_unless_components_are_asked_for(engine: str) -> None:
    frame = frames.objects().frame
    stale = bleupandas.components(frame) * 0
    both: Any = pd.concat([frame, stale], axis=1)
    assert both.bleu.components().to_numpy().tolist() == frames.component_rows(frames.PLAIN)
    assert both.bleu(components=True).components().equals(stale)
    assert both.bleu.components(components=True).equals(stale)
    renamed = both.rename(columns={"hypothesis": "mt"})
    assert renamed.bleu.components().equals(stale)
    assert renamed.bleu(hypothesis="mt").components().to_numpy().tolist() == frames.component_rows(frames.PLAIN)


def test_independent_count_of_long_rows(engine: str) -> None:
    """Rows longer than any block, beside short ones."""
    source = random.Random(3)
    segments = [
        ([str(source.randrange(40)) for _ in range(n)], [[str(source.randrange(40)) for _ in range(n + 7)]])
        for n in (3000, 2, 0, 1500, 1)
    ]
    with block_sizes(100, 2):
        found = bleupandas.components(frame_of(segments), threads=2)
    for (tokens, [reference]), row in zip(segments, found.to_numpy().tolist(), strict=True):
        for n in range(1, 5):
            own, other = (Counter(zip(*(t[i:] for i in range(n)), strict=False)) for t in (tokens, reference))
            assert row[1 + n] == (own & other).total()


def test_the_characters_of_a_str_subclass_decide(engine: str) -> None:
    """A str subclass may print as another text; its characters are compared all the same."""
    Mixed = enum.Enum("Mixed", {"A": "a", "B": "b"}, type=str)
    df = pd.DataFrame({"hypothesis": [[Mixed.A, Mixed.B]], "references": [[["a", "b"]]]})
    counts = df.bleu.components(max_order=2)
    assert counts[["matches_1", "matches_2"]].values.tolist() == [[2, 1]]
    for form, expected in {"text": "a b", "tuple": ("a", "b"), "list": ["a", "b"]}.items():
        assert df.bleu.ngrams(orders=2, ngram=form)["ngram"].tolist() == [expected]
