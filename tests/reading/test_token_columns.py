"""Every input error: its type and its whole text, on both engines, for components() and ngrams()."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from frames import arrow
from malformed import CELLS, EMPTY_TOKEN, H1, MISSING, NO_LIST, NO_REFERENCE, NO_STR, H, R, frame_of
from malformed_calls import GOOD, LABELS, OPTIONS
from strategies import block_sizes

import bleupandas
from bleupandas.reading.row_problems import row_error
from bleupandas.reading.token_columns import is_nested_cell, token_columns

FUNCTIONS: dict[str, Callable[..., Any]] = {"components": bleupandas.components, "ngrams": bleupandas.ngrams}
CASES = {
    f"{name} | {function}": (case, function)
    for table in (CELLS, LABELS, OPTIONS)
    for name, case in table.items()
    for function in case.functions
}


@pytest.mark.parametrize("name", CASES)
def test_whole_message(engine: str, name: str) -> None:
    case, function = CASES[name]
    with pytest.raises(case.error) as raised:  # the whole text is compared below
        FUNCTIONS[function](case.frame, **case.options)
    assert str(raised.value) == case.message.replace("FUNCTION", function)
    assert "\n" not in str(raised.value)
    assert isinstance(raised.value, KeyError) == (case.error is KeyError)
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__ or raised.value.__context__ is None


def test_there_are_many_malformed_inputs() -> None:
    assert len(CELLS) + len(LABELS) + len(OPTIONS) > 120


# ---- Which row is named ----


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("budget", [1, 40])
def test_lowest_row_is_named_whatever_the_blocks(engine: str, threads: int, budget: int) -> None:
    good: Any = ["a", "b", "a"]
    hypotheses: list[Any] = [good] * 200
    hypotheses[197] = None
    hypotheses[63] = ["a", 1]
    references: list[Any] = [[good]] * 200
    references[62] = [good, ["a", ""]]
    references[150] = []
    frame: Any = frame_of(hypotheses, references)
    for position, message in [
        (62, R + "62 (position 62), reference 1" + EMPTY_TOKEN),
        (63, H + "63 (position 63)" + NO_STR.format("int 1")),
        (150, R + "150 (position 150)" + NO_REFERENCE.format("[]", "[[]]")),
        (197, H + "197 (position 197)" + MISSING.format("None")),
    ]:
        for function in FUNCTIONS.values():
            with block_sizes(budget, 32), pytest.raises((TypeError, ValueError)) as raised:
                function(frame, threads=threads)
            assert str(raised.value) == message
        frame.at[position, "hypothesis"], frame.at[position, "references"] = good, [good]
    assert bleupandas.components(frame, threads=threads)["matches_1"].tolist() == [3] * 200


def test_lowest_row_of_an_arrow_column(engine: str) -> None:
    values: list[Any] = [["a", "b"]] * 50
    values[20], values[31] = ["a", None], None
    frame = frame_of(arrow(pa.chunked_array([pa.array(values[:15]), pa.array(values[15:])])), [["a"]] * 50)
    for threads in (1, 3):
        with block_sizes(4, 7), pytest.raises(ValueError, match=r"row 20 \(position 20\), token 1: a missing token"):
            bleupandas.components(frame, threads=threads)


def test_bad_options_are_told_before_bad_rows(engine: str) -> None:
    with pytest.raises(ValueError, match=r"^max_order is a whole number from 1 to 8, not 9$"):
        bleupandas.components(frame_of([None, None]), max_order=9)
    with pytest.raises(ValueError, match=r"^sep is exactly one character, not ''$"):
        bleupandas.ngrams(frame_of([None, None]), sep="")


def test_an_unreadable_row_is_told_before_an_ambiguous_token(engine: str) -> None:
    with pytest.raises(ValueError, match=r"^column 'hypothesis', row 1 \(position 1\): the hypothesis is missing"):
        bleupandas.ngrams(frame_of([["a b"], None]))


def test_a_row_that_is_right_again(engine: str) -> None:
    """What is told when an engine flags a row in which nothing is wrong any more."""
    tokens = token_columns(GOOD, None, None, "components")
    error = row_error(tokens, 1)
    assert type(error) is RuntimeError
    assert str(error) == (
        "row 1 (position 1): the row changed while it was counted; do not change the frame's lists in another thread "
        "meanwhile"
    )


def test_errors_of_values_whose_repr_fails(engine: str) -> None:
    class Odd:
        def __repr__(self) -> str:
            raise RuntimeError("no repr")

    with pytest.raises(TypeError) as raised:  # the whole text is compared below
        bleupandas.components(frame_of([["a"], Odd()]))
    assert str(raised.value) == H1 + NO_LIST.format("<Odd>")


# ---- What tells nested from flat ----


@pytest.mark.parametrize(
    ("cell", "nested"),
    [
        (["a"], False), (("a", "b"), False), (np.array(["a"]), False), ([None, "a"], False), ([["a"]], True),
        ([[]], True), ([None, []], True), (([],), True), (np.array([["a"]]), True), ([], None), ([None], None),
        (None, None), (float("nan"), None), (pd.NA, None), ("a b", None), (3, None), ({"a"}, None),
        (np.array([]), None),
    ],
)  # fmt: skip
def test_tells_nested(cell: Any, nested: bool | None) -> None:
    assert is_nested_cell(cell) is nested


def test_empty_list_is_a_reference_only_in_a_flat_column(engine: str) -> None:
    found = bleupandas.components(frame_of([["a"], ["b"]], [[], ["b"]]))
    assert found["reference_length"].tolist() == [0, 1]
    found = bleupandas.components(frame_of([["a"], ["b"]], [[], [["b"]]]), errors="coerce")
    assert found["reference_length"].isna().tolist() == [True, False]


def test_the_column_decides_not_the_row(engine: str) -> None:
    """Cells of one-letter tokens must not be taken for references of one token."""
    found = bleupandas.components(frame_of([["a", "b", "c", "d"]] * 2, [["a", "b", "c", "d"]] * 2))
    assert found[["matches_1", "matches_4", "reference_length"]].to_numpy().tolist() == [[4, 1, 4]] * 2
