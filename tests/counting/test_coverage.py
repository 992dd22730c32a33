"""coverage(): the longest matched n-gram over every token, against the definition and on every awkward frame."""

from typing import Any

import frames
import naive
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from frames import Case, Segment
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SHAPES, block_sizes, examples, frame_of, segment_lists

import bleupandas
from bleupandas.engine.python import matched_levels, shared_levels

SIDES = ["hypothesis", "references"]
LEVELS = pa.list_(pa.uint8())
DTYPES = {"hypothesis": pd.ArrowDtype(LEVELS), "references": pd.ArrowDtype(pa.list_(LEVELS))}


def expected(segments: list[Segment], side: str, max_order: int = 4) -> list[Any]:
    covered = naive.coverage if side == "hypothesis" else naive.reference_coverage
    return [covered(hypothesis, references, max_order) for hypothesis, references in segments]


@pytest.mark.parametrize("side", SIDES)
def test_by_hand(engine: str, side: Any) -> None:
    """Of two "the" the first is matched; "the cat" only where it stands first; overlaps are painted by the longer."""
    texts = [("the cat the cat sat", ["a cat the cat", "the"]), ("a b c", ["a b x b c"]), ("a a a", ["a a"])]
    texts += [("x", ["", "y"]), ("", ["a"])]
    segments: list[Segment] = [(text.split(), [other.split() for other in others]) for text, others in texts]
    right = {
        "hypothesis": [[2, 3, 3, 3, 0], [2, 2, 2], [2, 2, 0], [0], []],
        "references": [[[0, 3, 3, 3], [1]], [[2, 2, 0, 2, 2]], [[2, 2]], [[], [0]], [[0]]],
    }
    assert bleupandas.coverage(frame_of(segments), side=side).tolist() == right[side] == expected(segments, side)


@pytest.mark.parametrize("side", SIDES)
def test_awkward_frames(engine: str, awkward_frame: Case, side: Any) -> None:
    """Numbers, dtype, index; the input is left alone."""
    frame = awkward_frame.frame
    right = expected(awkward_frame.segments, side)
    before = frames.snapshot(frame)
    for errors in ("raise", "coerce"):
        found = bleupandas.coverage(frame, **awkward_frame.columns, side=side, errors=errors)
        assert found.tolist() == right
        assert found.dtype == DTYPES[side]
        assert found.name == "coverage"
        assert found.index.identical(frame.index)
    with block_sizes(budget=2, rows=2):
        found = bleupandas.coverage(frame, **awkward_frame.columns, side=side, threads=2)
    assert found.tolist() == right
    after = frames.snapshot(frame)
    assert before[4].identical(after[4])
    assert before[:4] + before[5:] == after[:4] + after[5:]


@settings(max_examples=examples(60))
@given(segment_lists(surrogates=True, most=4), st.integers(1, 8), st.sampled_from(SIDES))
def test_definition(engine: str, segments: list[Segment], max_order: int, side: Any) -> None:
    found = bleupandas.coverage(frame_of(segments), max_order=max_order, side=side)
    assert found.tolist() == expected(segments, side, max_order)


@settings(max_examples=examples(60))
@given(
    segment_lists(most=6, references=3),
    *(st.sampled_from(choices) for choices in (SHAPES, SHAPES, SIDES)),
    st.integers(1, 3),
    st.integers(1, 4),
)
def test_shape_blocks_and_threads_do_not_matter(
    engine: str, segments: list[Segment], first: str, second: str, side: Any, rows: int, threads: int
) -> None:
    with block_sizes(7, rows):
        found = bleupandas.coverage(frame_of(segments, first, second), side=side, threads=threads)
    assert found.tolist() == expected(segments, side)


@settings(max_examples=examples(60))
@given(segment_lists(surrogates=True, references=3), st.integers(1, 8))
def test_flagged_starts_number_the_matches(engine: str, segments: list[Segment], max_order: int) -> None:
    """Start positions that the definition flags number matches_n, and coverage is what they paint."""
    frame = frame_of(segments)
    components = bleupandas.components(frame, max_order=max_order)
    for row, (hypothesis, references) in enumerate(segments):
        for order in range(1, max_order + 1):
            starts = naive.matched_starts(hypothesis, references, order)
            assert len(starts) == components[f"matches_{order}"].iloc[row]


@settings(max_examples=examples(40))
@given(segment_lists(references=3), st.integers(1, 8), st.sampled_from(SIDES))
def test_relations_of_orders_and_sides(engine: str, segments: list[Segment], max_order: int, side: Any) -> None:
    frame = frame_of(segments)
    found = bleupandas.coverage(frame, max_order=max_order, side=side).tolist()
    lists = [levels for row in found for levels in row] if side == "references" else found
    tokens = [r for _, refs in segments for r in refs] if side == "references" else [h for h, _ in segments]
    assert [len(levels) for levels in lists] == [len(some) for some in tokens]
    assert all(0 <= level <= max_order for levels in lists for level in levels)
    wider = bleupandas.coverage(frame, max_order=8, side=side).tolist()
    wider = [levels for row in wider for levels in row] if side == "references" else wider
    for narrow, wide in zip(lists, wider, strict=True):
        if side == "references":
            assert narrow == [min(level, max_order) for level in wide]
        else:  # of a repeated n-gram other occurrences may count than of the longer ones that hold it
            assert all(a == b or b > max_order for a, b in zip(narrow, wide, strict=True))
    for levels in lists:  # a run of tokens that an n-gram covers is at least n long
        for order in set(levels) - {0}:
            assert longest_run(levels, order) >= order


def longest_run(levels: list[int], order: int) -> int:
    longest = run = 0
    for level in levels:
        run = run + 1 if level >= order else 0
        longest = max(longest, run)
    return longest


def test_unigrams_covered_number_matches_1(engine: str) -> None:
    df = bleupandas.load_example()
    covered = df.bleu.coverage(max_order=1)
    assert covered.map(sum).tolist() == df.bleu.components(max_order=1)["matches_1"].tolist()
    assert covered.map(len).tolist() == df["hypothesis"].map(len).tolist()


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("budget", [1, 3, 1 << 18])
def test_coerce(engine: str, side: Any, budget: int) -> None:
    frame = pd.DataFrame(
        {
            "hypothesis": frames.cells([["a"], None, ["b", "c"], ["a", 1], ["a"], []]),
            "references": frames.cells([[["a"], None], [["a"]], [["c"]], [["a"]], [], [["a"], []]]),
        }
    )
    right: dict[str, list[Any]] = {
        "hypothesis": [[1], None, [0, 1], None, None, []],
        "references": [[[1]], None, [[1]], None, None, [[0], []]],
    }
    with block_sizes(budget, 2):
        found = bleupandas.coverage(frame, side=side, errors="coerce", threads=2)
        with pytest.raises(ValueError, match=r"row 1 \(position 1\): the hypothesis is missing"):
            bleupandas.coverage(frame, side=side, threads=2)
    assert found.isna().tolist() == [False, True, False, True, True, False]
    assert found.dropna().tolist() == [levels for levels in right[side] if levels is not None]
    assert found.dtype == DTYPES[side]


def test_nothing_to_count(engine: str) -> None:
    frame = pd.DataFrame({"hypothesis": frames.cells([None]), "references": frames.cells([[]])})
    assert bleupandas.coverage(frame, errors="coerce").isna().tolist() == [True]
    assert bleupandas.coverage(frame, errors="coerce", side="references").isna().tolist() == [True]


def test_long_rows(engine: str) -> None:
    """Rows beyond the block's budget, with far more repetition than language has."""
    generator = np.random.default_rng(5)
    hypothesis, first, second = (generator.choice(list("abc"), n).tolist() for n in (3000, 2000, 2500))
    frame = frame_of([(hypothesis, [first, second])])
    with block_sizes(100, 10):
        found = bleupandas.coverage(frame).tolist()
        shared = bleupandas.coverage(frame, side="references").tolist()
    assert found == [matched_levels(hypothesis, [first, second], 4)]
    assert shared == [[shared_levels(tokens, hypothesis, 4) for tokens in (first, second)]]


def test_result_is_kept_in_parquet_and_explodes(engine: str, tmp_path: Any) -> None:
    frame = frames.objects().frame
    covered = frame.assign(coverage=bleupandas.coverage(frame))[["coverage"]]
    covered.to_parquet(tmp_path / "coverage.parquet")
    if pa.__version__.startswith("16."):  # which does not understand the dtype of lists that pandas notes in the file
        table = pq.read_table(tmp_path / "coverage.parquet")
        back = table.to_pandas(types_mapper=pd.ArrowDtype, ignore_metadata=True)
    else:
        back = pd.read_parquet(tmp_path / "coverage.parquet", dtype_backend="pyarrow")
    assert back["coverage"].tolist() == covered["coverage"].tolist()
    assert covered["coverage"].list.len().tolist() == frame["hypothesis"].map(len).tolist()


# ---- Arguments ----


def test_method_is_the_function(engine: str) -> None:
    frame: Any = frames.objects().frame.rename(columns={"hypothesis": "mt"})
    bound = frame.bleu(hypothesis="mt", max_order=2)
    assert bound.coverage().equals(bleupandas.coverage(frame, hypothesis="mt", max_order=2))
    assert bound.coverage(side="references").dtype == DTYPES["references"]


def test_wrong_arguments() -> None:
    frame = frames.objects().frame
    for call, error, message in [
        ({"side": "left"}, ValueError, "side is one of 'hypothesis', 'references', not 'left'"),
        ({"max_order": 9}, ValueError, "max_order is a whole number from 1 to 8, not 9"),
        ({"errors": "ignore"}, ValueError, "errors is one of 'raise', 'coerce', not 'ignore'"),
        ({"threads": 0}, ValueError, "threads is a whole number of at least 1, or None for the CPUs there are, not 0"),
        ({"references": "mt"}, KeyError, "no column 'mt' for references: the columns are 'hypothesis', 'references'"),
        (
            {"refs": "r"},
            TypeError,
            "coverage() has no keyword 'refs'; did you mean 'references'? its keywords are hypothesis, references, "
            "max_order, side, errors, threads",
        ),
    ]:
        options: Any = call
        with pytest.raises(error) as raised:  # the whole text is compared below
            bleupandas.coverage(frame, **options)
        assert str(raised.value) == message
    with pytest.raises(TypeError, match=r"^coverage\(\) takes a pandas DataFrame, not list$"):
        bleupandas.coverage([])  # type: ignore[arg-type]
    with pytest.raises(KeyError, match=r"for coverage\(\), which needs token lists and not only components"):
        bleupandas.coverage(bleupandas.components(frame))
