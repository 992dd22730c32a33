"""ngrams(): the clipping table against the definition, in every form and on every awkward frame."""

from typing import Any

import frames
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from frames import Case, Segment
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SHAPES, block_sizes, examples, frame_of, segment_lists

import bleupandas
from bleupandas.engine import blocks

NAMES = ["segment", "order", "ngram", "count", "max_reference_count", "clipped_count", "first_position"]
SIDES = ["hypothesis", "references"]
TEXT = pd.StringDtype("pyarrow", na_value=np.nan)
DTYPES: dict[str, Any] = {"text": TEXT, "tuple": np.dtype(object), "list": pd.ArrowDtype(pa.list_(pa.string()))}


def names(side: str) -> list[str]:
    return NAMES if side == "hypothesis" else [*NAMES, "missing", "reference"]


def expected_rows(segments: list[Segment], side: str, max_order: int = 4) -> list[tuple[Any, ...]]:
    rows = frames.ngram_rows if side == "hypothesis" else frames.reference_ngram_rows
    return rows(segments, max_order)


def rows_of(frame: pd.DataFrame, form: str, sep: str = " ") -> list[tuple[Any, ...]]:
    """An n-gram frame as the oracle gives it, its n-grams as tuples."""
    split: Any = {"text": lambda text: tuple(text.split(sep)), "tuple": lambda tokens: tokens, "list": tuple}[form]
    columns = [frame[name].tolist() for name in frame.columns]
    columns[2] = [split(ngram) for ngram in columns[2]]
    return list(zip(*columns, strict=True))


# ---- Every awkward frame ----


@pytest.mark.parametrize("side", SIDES)
def test_awkward_frames(engine: str, awkward_frame: Case, side: str) -> None:
    """Numbers, n-grams, columns, dtypes, index; the input is left alone."""
    frame = awkward_frame.frame
    expected = expected_rows(awkward_frame.segments, side)
    index = frame.index.repeat([sum(row[0] == i for row in expected) for i in range(len(frame))])
    before = frames.snapshot(frame)
    for form, dtype in DTYPES.items():
        options: Any = {**awkward_frame.columns, "ngram": form, "side": side, "sep": awkward_frame.sep}
        if awkward_frame.has_surrogates and form != "tuple":
            with pytest.raises(ValueError, match="holds a lone surrogate, which UTF-8 cannot encode"):
                bleupandas.ngrams(frame, **options)
            continue
        modes: dict[str, Any] = {"raise": np.dtype("int64"), "coerce": pd.Int64Dtype()}
        for errors, integer in list(modes.items())[: 2 if form == "tuple" else 1]:
            found = bleupandas.ngrams(frame, **options, errors=errors)
            assert rows_of(found, form, awkward_frame.sep) == expected
            assert type(found) is pd.DataFrame
            assert list(found.columns) == names(side)
            assert [found[n].dtype for n in found.columns] == [dtype if n == "ngram" else integer for n in names(side)]
            assert found.index.identical(index)
            assert found.attrs == {}
    after = frames.snapshot(frame)
    assert before[4].identical(after[4])
    assert before[:4] + before[5:] == after[:4] + after[5:]


@pytest.mark.parametrize("side", SIDES)
def test_blocks_and_columns_carried_along(engine: str, awkward_frame: Case, side: str) -> None:
    frame = awkward_frame.frame.copy()
    carried = "carried" if frame.columns.nlevels == 1 else ("carried", "x")
    frame[carried] = pd.Categorical([f"row {i}" for i in range(len(frame))])
    options: Any = {**awkward_frame.columns, "ngram": "tuple", "side": side, "id_vars": carried, "ignore_index": True}
    with block_sizes(budget=2, rows=2):
        found = bleupandas.ngrams(frame, **options, threads=2)
    expected = expected_rows(awkward_frame.segments, side)
    assert found.columns.tolist() == [carried, *names(side)]
    assert found.index.identical(pd.RangeIndex(len(expected)))
    assert found.iloc[:, 0].dtype == frame[carried].dtype
    assert found.iloc[:, 0].tolist() == [f"row {row[0]}" for row in expected]
    assert rows_of(found.iloc[:, 1:], "tuple") == expected


# ---- The definition ----


@settings(max_examples=examples(35))
@given(segment_lists(surrogates=True, most=4, references=8), st.integers(1, 8), st.sampled_from(SIDES))
def test_definition(engine: str, segments: list[Segment], max_order: int, side: Any) -> None:
    found = bleupandas.ngrams(frame_of(segments), max_order=max_order, side=side, ngram="tuple")
    assert rows_of(found, "tuple") == expected_rows(segments, side, max_order)


@settings(max_examples=examples(35))
@given(
    segment_lists(most=6, references=3),
    *(st.sampled_from(choices) for choices in (SHAPES, SHAPES, SIDES, list(DTYPES))),
    st.integers(1, 3),
    st.integers(1, 4),
)
def test_shape_form_blocks_and_threads_do_not_matter(
    engine: str, segments: list[Segment], first: str, second: str, side: Any, form: Any, rows: int, threads: int
) -> None:
    sep = next(c for c in "|~¦\u2028\U0001f600\U0001f601abc" if not any(c in t for s in segments for t in tokens_of(s)))
    with block_sizes(7, rows):
        frame = frame_of(segments, first, second)
        found = bleupandas.ngrams(frame, side=side, ngram=form, sep=sep, threads=threads)
    assert rows_of(found, form, sep) == expected_rows(segments, side)


def tokens_of(segment: Segment) -> list[str]:
    return [token for tokens in (segment[0], *segment[1]) for token in tokens]


@settings(max_examples=examples(15))
@given(segment_lists(references=3), st.integers(1, 8))
def test_sums_are_the_components(engine: str, segments: list[Segment], max_order: int) -> None:
    frame = frame_of(segments)
    listed = bleupandas.ngrams(frame, max_order=max_order, ngram="tuple")
    components = bleupandas.components(frame, max_order=max_order)
    sums = listed.groupby(["segment", "order"])[["count", "clipped_count"]].sum()
    for order in range(1, max_order + 1):
        for kind, name in (("totals", "count"), ("matches", "clipped_count")):
            found = [int(sums[name].get((i, order), 0)) for i in range(len(segments))]
            assert found == components[f"{kind}_{order}"].tolist()


@settings(max_examples=examples(15))
@given(segment_lists(references=4))
def test_both_sides_agree_on_shared_ngrams(engine: str, segments: list[Segment]) -> None:
    frame = frame_of(segments)
    keys = ["segment", "order", "ngram"]
    first = bleupandas.ngrams(frame, ngram="tuple")
    second = bleupandas.ngrams(frame, ngram="tuple", side="references")
    both = first.merge(second, on=keys, suffixes=("", "_of_references"))
    assert len(both) == (first["max_reference_count"] > 0).sum() == (second["count"] > 0).sum()
    for name in ("count", "max_reference_count", "clipped_count"):
        assert both[name].equals(both[f"{name}_of_references"])


@settings(max_examples=examples(15))
@given(segment_lists(most=3), st.sets(st.integers(1, 8), min_size=1), st.sampled_from(SIDES))
def test_picked_orders_are_the_same_rows(engine: str, segments: list[Segment], orders: set[int], side: Any) -> None:
    frame = frame_of(segments)
    found = bleupandas.ngrams(frame, orders=orders, side=side, ngram="tuple")
    assert rows_of(found, "tuple") == [row for row in expected_rows(segments, side, 8) if row[1] in orders]


# ---- Arguments ----


@pytest.mark.parametrize("orders", [2, [2], (2,), {2}, np.array([2]), np.int64(2), range(2, 3), [2, 2], pd.Series([2])])
def test_orders_may_be_given_in_many_ways(engine: str, orders: Any) -> None:
    found = bleupandas.ngrams(frames.objects().frame, orders=orders)
    assert rows_of(found, "text") == [row for row in frames.ngram_rows(frames.PLAIN) if row[1] == 2]


def test_orders_are_listed_ascending_and_may_exceed_the_default(engine: str) -> None:
    found = bleupandas.ngrams(frames.objects().frame, orders=[6, 1])
    assert rows_of(found, "text") == [row for row in frames.ngram_rows(frames.PLAIN, 6) if row[1] in (1, 6)]


@pytest.mark.parametrize("sep", ["\0", "\n", "é", "日", "😀", "\x7f", "\u0301"])
@pytest.mark.parametrize("side", SIDES)
def test_separators_of_any_length_in_utf8(engine: str, sep: str, side: Any) -> None:
    """Tokens share bytes with the separator, but not the character."""
    segments: list[Segment] = [(["è", "旦", "😁", "ab"], [["旦", "😁", "è"], ["è", "旦"]])]
    found = bleupandas.ngrams(frame_of(segments), sep=sep, side=side)
    assert rows_of(found, "text", sep) == expected_rows(segments, side)
    for position, token in ((0, sep), (1, f"a{sep}"), (2, f"{sep}a")):
        tokens = ["a", "b", "c"]
        tokens[position] = token
        held: list[Segment] = [(tokens, [["a"]]), (["a"], [tokens])]
        with pytest.raises(ValueError, match=r"holds the separator .* \(1 such token\)"):
            bleupandas.ngrams(frame_of(held), sep=sep, side=side)


def test_separator_in_the_other_side_is_no_matter(engine: str) -> None:
    segments: list[Segment] = [(["a", "b"], [["a b", "a"]])]
    assert rows_of(bleupandas.ngrams(frame_of(segments)), "text") == expected_rows(segments, "hypothesis")
    turned: list[Segment] = [(["a b", "a"], [["a", "b"]])]
    found = bleupandas.ngrams(frame_of(turned), side="references")
    assert rows_of(found, "text") == expected_rows(turned, "references")


def test_rows_left_out_hold_no_separator_and_no_surrogate(engine: str) -> None:
    """With errors="coerce" only the tokens that are listed have to fit into text."""
    frame: Any = pd.DataFrame(
        {
            "hypothesis": frames.cells([["a b", "\ud800"], ["a b", None], ["x"], ["\ud800"]]),
            "references": frames.cells([[], [["x"]], [["x"]], [None]]),
        }
    )
    found = bleupandas.ngrams(frame, errors="coerce")
    assert found["ngram"].tolist() == ["x"]
    frame.loc[len(frame)] = [["x", " y"], [["x"]]]
    with pytest.raises(ValueError, match=r"row 4 \(position 4\): the token ' y' .* \(1 such token\)"):
        bleupandas.ngrams(frame, errors="coerce")


@pytest.mark.parametrize("id_vars", [["system", 0], [0], "system", 0, None, [], ["system", "system"]])
def test_columns_carried_along(engine: str, id_vars: Any) -> None:
    frame = frames.objects().frame
    frame["system"] = pd.array(list("aabbcc"), dtype="str")
    frame[0] = np.arange(6, dtype=np.int8)
    labels = [] if id_vars is None else id_vars if isinstance(id_vars, list) else [id_vars]
    found = bleupandas.ngrams(frame, id_vars=id_vars)
    assert found.columns.tolist() == [*labels, *NAMES]
    expected = frames.ngram_rows(frames.PLAIN)
    for at, label in enumerate(labels):
        assert found.iloc[:, at].dtype == frame[label].dtype
        assert found.iloc[:, at].tolist() == [frame[label].iloc[row[0]] for row in expected]


def test_token_columns_may_be_carried_along(engine: str) -> None:
    frame = frames.objects().frame
    found = bleupandas.ngrams(frame, id_vars=["hypothesis"])
    assert all(
        tokens is frame["hypothesis"].iloc[i] for tokens, i in zip(found["hypothesis"], found["segment"], strict=True)
    )


def test_result_is_the_callers_own(engine: str) -> None:
    frame = frames.objects().frame
    found = bleupandas.ngrams(frame, id_vars=["references"])
    found["count"] = -1
    found.loc[0, "order"] = -1
    assert rows_of(bleupandas.ngrams(frame), "text") == frames.ngram_rows(frames.PLAIN)


def test_text_groups_joins_and_survives_parquet(engine: str, tmp_path: Any) -> None:
    frame = pd.concat([frames.objects().frame] * 2, ignore_index=True)
    with block_sizes(budget=1, rows=3):
        found = bleupandas.ngrams(frame)
    found.to_parquet(tmp_path / "ngrams.parquet")
    back = pd.read_parquet(tmp_path / "ngrams.parquet")
    assert rows_of(back, "text") == frames.ngram_rows([*frames.PLAIN, *frames.PLAIN])
    summed = found.groupby("ngram")["count"].sum()
    assert summed.loc["the cat"] == 4
    lists = bleupandas.ngrams(frame, ngram="list")
    assert lists["ngram"].list.len().tolist() == lists["order"].tolist()


def test_numbers_of_a_million_tokens_come_in_blocks(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks that end within a window, here of 4096 tokens, the least that ngrams takes."""
    if engine == "python":
        monkeypatch.setattr(blocks, "WINDOW_ROWS", 100)
    monkeypatch.setattr(blocks, "BUDGET", 1)
    segments = [([f"w{i % 7}", f"w{i % 11}", "x"] * 4, [["x", f"w{i % 5}"]]) for i in range(700)]
    found = bleupandas.ngrams(frame_of(segments), orders=[1, 2], threads=2)
    assert rows_of(found, "text") == frames.ngram_rows(segments, 2)
    assert found["segment"].is_monotonic_increasing
