"""What users of other tools reported as wrong, with the values that are right."""

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from frames import LISTS, arrow, cells

import bleupandas

ZERO = [0] * 8


def frame_of(*segments: tuple[Any, Any]) -> Any:
    hypotheses, references = zip(*segments, strict=True)
    return pd.DataFrame({"hypothesis": cells(hypotheses), "references": cells(references)})


def row(frame: pd.DataFrame, position: int = 0) -> tuple[int, int, list[int], list[int]]:
    """(candidate_length, reference_length, matches, totals) of one row, up to order 8."""
    numbers = [int(number) for number in bleupandas.components(frame, max_order=8).iloc[position]]
    return numbers[0], numbers[1], numbers[2:10], numbers[10:]


# ---- Counting ----


def test_of_two_lengths_equally_far_the_shorter_is_taken(engine: str) -> None:
    """Implementations that keep the first of two kept 5 and lost a fifth of the score."""
    words = ["red", "fox", "runs", "home"]
    for references in ([[*words, "now"], words[:3]], [words[:3], [*words, "now"]]):
        assert row(frame_of((words, references))) == (4, 3, [4, 3, 2, 1, 0, 0, 0, 0], [4, 3, 2, 1, 0, 0, 0, 0])


def test_the_closest_length_is_taken_not_the_shortest(engine: str) -> None:
    words = ["she", "reads", "old", "maps", "daily"]
    found = row(frame_of((words, [["maps"], [*words, "indeed"]])))
    assert found == (5, 6, [5, 4, 3, 2, 1, 0, 0, 0], [5, 4, 3, 2, 1, 0, 0, 0])


def test_empty_sides(engine: str) -> None:
    frame = frame_of(([], [["a", "b", "c"]]), (["a", "b"], [[]]), ([], [[]]))
    assert row(frame, 0) == (0, 3, ZERO, ZERO)
    assert row(frame, 1) == (2, 0, ZERO, [2, 1, 0, 0, 0, 0, 0, 0])
    assert row(frame, 2) == (0, 0, ZERO, ZERO)
    frame.loc["last"] = [["a", "b"], []]
    with pytest.raises(ValueError, match=r"^column 'references', row 'last' \(position 3\): no reference"):
        bleupandas.components(frame)


def test_orders_up_to_8(engine: str) -> None:
    words = [f"k{i}" for i in range(1, 9)]
    one_wrong = [*words[:4], "zz", *words[5:]]
    frame = frame_of((one_wrong, [words]), (words, [words]))
    assert row(frame, 0) == (8, 8, [7, 5, 3, 1, 0, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    assert row(frame, 1) == (8, 8, [8, 7, 6, 5, 4, 3, 2, 1], [8, 7, 6, 5, 4, 3, 2, 1])


def test_tokens_with_spaces_are_not_joined_to_the_same_key(engine: str) -> None:
    frame = frame_of(
        (["New York", "is"], [["New", "York is"]]), (["we", "go", "home", " "], [["we", "go", "out", " "]])
    )
    assert row(frame, 0) == (2, 2, ZERO, [2, 1, 0, 0, 0, 0, 0, 0])
    assert row(frame, 1) == (4, 4, [3, 1, 0, 0, 0, 0, 0, 0], [4, 3, 2, 1, 0, 0, 0, 0])
    pairs = bleupandas.ngrams(frame.head(1), orders=2, ngram="tuple")
    assert pairs["ngram"].tolist() == [("New York", "is")]
    assert pairs["clipped_count"].tolist() == [0]


def test_markup_is_counted_and_given_as_it_is(engine: str) -> None:
    tokens = ["<s>", "R", "&", "D", "<unk>", "</s>", "</script>", '"q"']
    frame = frame_of((tokens, [["<s>", "R", "&", "D", "</s>"]]))
    assert row(frame) == (8, 5, [5, 3, 2, 1, 0, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    assert bleupandas.ngrams(frame, orders=1)["ngram"].tolist() == tokens


def test_text_from_right_to_left(engine: str) -> None:
    frame = frame_of(
        (["שלום", "עולם", "BLEU", "2024", "."], [["שלום", "עולם", "BLEU", "2025", "."]]),
        (["مرحبا", "بك"], [["مرحبا", "بكم"]]),
    )
    assert row(frame, 0) == (5, 5, [4, 2, 1, 0, 0, 0, 0, 0], [5, 4, 3, 2, 1, 0, 0, 0])
    assert row(frame, 1) == (2, 2, [1, 0, 0, 0, 0, 0, 0, 0], [2, 1, 0, 0, 0, 0, 0, 0])
    assert bleupandas.ngrams(frame, orders=2)["ngram"].tolist()[0] == "שלום עולם"


# ---- pandas ----


def test_parquet_brings_arrays_or_arrow_lists(engine: str, tmp_path: Any) -> None:
    frame = frame_of((["ein", "kleines", "boot"], [["ein", "boot"], ["das", "kleine", "boot"]]), ([], [["leer"]]))
    frame.to_parquet(tmp_path / "f.parquet")
    read = [pd.read_parquet(tmp_path / "f.parquet"), pd.read_parquet(tmp_path / "f.parquet", dtype_backend="pyarrow")]
    assert isinstance(read[0]["hypothesis"][0], np.ndarray)
    assert isinstance(read[1]["hypothesis"].dtype, pd.ArrowDtype)
    for given in (frame, *read):
        assert row(given, 0) == (3, 3, [2, 0, 0, 0, 0, 0, 0, 0], [3, 2, 1, 0, 0, 0, 0, 0])
        assert row(given, 1) == (0, 1, ZERO, ZERO)


@pytest.mark.parametrize("kind", [LISTS, pa.large_list(pa.string())])
def test_arrow_columns_with_nulls(engine: str, kind: Any) -> None:
    column = arrow(pa.array([["a", "b"], None, [], ["c", None]], kind))
    frame = pd.DataFrame({"hypothesis": column, "references": cells([[["a", "b"]]] * 4)})
    assert row(frame.iloc[[0, 2]], 0) == (2, 2, [2, 1, 0, 0, 0, 0, 0, 0], [2, 1, 0, 0, 0, 0, 0, 0])
    assert row(frame.iloc[[0, 2]], 1) == (0, 2, ZERO, ZERO)
    with pytest.raises(ValueError, match=r"row 1 \(position 1\): the hypothesis is missing \(None\)"):
        bleupandas.components(frame)
    with pytest.raises(ValueError, match=r"row 3 \(position 1\), token 1: a missing token \(None\)"):
        bleupandas.components(frame.iloc[2:])
    assert bleupandas.components(frame, errors="coerce")["matches_1"].isna().tolist() == [False, True, False, True]


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_missing_is_not_empty(engine: str, missing: Any) -> None:
    frame = frame_of((["a"], [["a"]]), (missing, [["a"]]), ([], [["a"]]))
    with pytest.raises(ValueError, match=r"row 1 \(position 1\): the hypothesis is missing"):
        bleupandas.components(frame)
    found = bleupandas.components(frame, errors="coerce", max_order=1)
    assert found.isna().all(axis=1).tolist() == [False, True, False]
    assert found.sum().tolist() == [1, 2, 1, 1]  # candidate_length, reference_length, matches_1, totals_1
    assert found.iloc[2].tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize("dtype", [object, "str", "string", pd.ArrowDtype(pa.string()), "category"])
def test_text_is_not_counted_by_characters(engine: str, dtype: Any) -> None:
    frame = frame_of(("the cat", [["the", "hat"]]), ("a dog", [["a", "dog"]]))
    frame["hypothesis"] = frame["hypothesis"].astype(dtype)
    with pytest.raises(
        TypeError, match=r"^column 'hypothesis', row 0 .*: got the text 'the cat'.* bleupandas\.tokenize"
    ):
        bleupandas.components(frame)


def test_a_flat_cell_is_one_reference(engine: str) -> None:
    """Taken for four references of one token it would have no bigrams and the length 1."""
    tokens = ["a", "b", "c", "d"]
    assert row(frame_of((tokens, tokens))) == (4, 4, [4, 3, 2, 1, 0, 0, 0, 0], [4, 3, 2, 1, 0, 0, 0, 0])


def test_joins_and_sums_do_not_lean_on_a_unique_index(engine: str) -> None:
    """Rows keep their place under repeated labels, and n-gram rows repeat theirs."""
    frame = frame_of((["a", "b"], [["a"]]), (["c"], [["c"]]), (["d", "d"], [["d"]]))
    frame.index = ["x", "x", "y"]
    found = bleupandas.components(frame)
    assert found["matches_1"].tolist() == [1, 1, 1]
    assert found.index.tolist() == ["x", "x", "y"]
    listed = bleupandas.ngrams(frame)
    assert listed.index.tolist() == ["x", "x", "x", "x", "y", "y"]
    assert listed["segment"].tolist() == [0, 0, 0, 1, 2, 2]
    assert pd.concat([frame, found], axis=1)["totals_1"].tolist() == [2, 1, 2]


@pytest.mark.parametrize(
    "empty", [pd.DataFrame({"hypothesis": [], "references": []}), frame_of((["a"], [["a"]])).head(0)]
)
def test_no_rows(engine: str, empty: pd.DataFrame) -> None:
    found = bleupandas.components(empty, max_order=8)
    assert found.shape == (0, 18)
    assert set(found.dtypes) == {np.dtype("int64")}
    assert found.sum().tolist() == [0] * 18
    listed = bleupandas.ngrams(empty)
    assert listed.shape == (0, 7)
    assert {str(dtype) for name, dtype in listed.dtypes.items() if name != "ngram"} == {"int64"}


def test_ngrams_can_be_grouped(engine: str) -> None:
    frame = frame_of((["tea", "or", "tea"], [["tea"]]), (["tea", "or"], [["or", "tea"]]))
    for form in ("text", "tuple"):
        listed = bleupandas.ngrams(frame, max_order=2, ngram=form)
        sums = listed.groupby(["order", "ngram"])["count"].sum()
        assert len(sums) == 4  # tea, or, tea or, or tea
        assert sums.sum() == 3 + 2 + 2 + 1
        assert listed["order"].dtype == "int64"
    assert listed["ngram"].tolist()[0] == ("tea",)


def test_categorical_cells_are_their_values(engine: str) -> None:
    cell = pd.Categorical(["red", "fox"], categories=["red", "fox", "zebra"])
    assert row(frame_of((cell, [["red", "fox"]]))) == (2, 2, [2, 1, 0, 0, 0, 0, 0, 0], [2, 1, 0, 0, 0, 0, 0, 0])
    turned = pd.Categorical(["red", "fox"], categories=["fox", "zebra", "red"])
    assert row(frame_of((cell, [turned]))) == (2, 2, [2, 1, 0, 0, 0, 0, 0, 0], [2, 1, 0, 0, 0, 0, 0, 0])


def test_counting_warns_of_nothing_and_changes_nothing(engine: str) -> None:
    """Warnings are errors in these tests; a slice is no view that is written to."""
    frame = frame_of((["a"], [["x"]]), (["b", "c"], [["b", "c"]]))
    part = frame[frame.index > 0]
    before = part["hypothesis"].iloc[0]
    found = part.bleu.components()
    found["matches_1"] += 1
    assert part["hypothesis"].iloc[0] is before
    assert before == ["b", "c"]
    assert list(part.columns) == ["hypothesis", "references"]
