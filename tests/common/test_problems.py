"""Problems of input rows as data."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from frames import cells

import bleupandas
from bleupandas.common import COERCE, Problem, RowPlace, get_problem, is_missing, part_of_frame


def problem_of(frame: Any, function: Any = bleupandas.components, **options: Any) -> Problem:
    with pytest.raises((TypeError, ValueError, RuntimeError)) as raised:
        function(frame, **options)
    problem = get_problem(pickle.loads(pickle.dumps(raised.value)))
    assert problem is not None
    assert type(raised.value) is problem.error_type
    assert str(raised.value) == problem.message()
    return problem


def test_fields_of_a_token_that_is_not_text(engine: str) -> None:
    frame = pd.DataFrame({"mt": [["a"], ["b"]], "refs": cells([[["a"]], [["b"], ["a", 3]]])})
    frame.index = pd.Index(["x", "y"])
    problem = problem_of(frame, hypothesis="mt", references="refs")
    assert problem == Problem(
        TypeError,
        "got int 3",
        "str",
        columns=("refs",),
        row=RowPlace("y", 1),
        reference=1,
        token=1,
        advice="make it text with str()",
    )
    assert problem.column == "refs"


def test_fields_of_a_missing_hypothesis(engine: str) -> None:
    frame = pd.DataFrame({"hypothesis": cells([["a"], None]), "references": cells([[["a"]], [["b"]]])})
    problem = problem_of(frame)
    assert (problem.column, problem.row, problem.expected) == ("hypothesis", RowPlace(1, 1), "a list of tokens")
    assert (problem.empty, problem.empty_form, problem.offer) == ("an empty hypothesis", "[]", COERCE)
    reason = bleupandas.explain(frame, errors="coerce")["reason"][1]
    assert reason == replace(problem, offer="").message()


def test_fields_of_a_text(engine: str) -> None:
    problem = problem_of(pd.DataFrame({"hypothesis": ["a b"], "references": ["a"]}))
    expected = "df = bleupandas.tokenize(df, {'hypothesis': 'hypothesis', 'references': 'references'})"
    assert problem.tokenize == f"tokenize first: {expected}"


def test_fields_of_two_kinds_in_one_column(engine: str) -> None:
    frame = pd.DataFrame({"hypothesis": cells([["a"]] * 2), "references": cells([["a"], [["b"]]])})
    frame.index = pd.Index([5, 7])
    problem = problem_of(frame)
    assert (problem.row, problem.as_in) == (RowPlace(7, 1), RowPlace(5, 0))


def test_fields_of_components_columns() -> None:
    counts = bleupandas.load_example().head(3).bleu.components(max_order=1)
    counts.loc[2, "matches_1"] = -1
    problem = problem_of(counts, bleupandas.score, max_order=1)
    assert (problem.noun, problem.column, problem.row) == ("components column", "matches_1", RowPlace(2, 2))


def test_fields_of_a_cell_to_tokenize() -> None:
    problem = problem_of(pd.Series([["a"], ["b", 3]], name="refs"), bleupandas.tokenize)
    assert (problem.noun, problem.column, problem.row, problem.text) == ("series", "refs", RowPlace(1, 1), 1)


def test_a_part_of_a_larger_frame() -> None:
    problem = Problem(TypeError, "got 1", row=RowPlace("x", 2), as_in=RowPlace("w", 0), columns=("a",))
    with pytest.raises(TypeError) as raised, part_of_frame(10, "partition 3"):
        raise problem.error()
    moved = get_problem(raised.value)
    assert moved == replace(problem, row=RowPlace("x", 12, "partition 3"), as_in=RowPlace("w", 10, "partition 3"))
    assert str(moved.row) == "row 'x' (position 12 of partition 3)"
    assert raised.value.__suppress_context__
    with pytest.raises(KeyError, match="other"), part_of_frame(10):
        raise KeyError("other")


@pytest.mark.parametrize("value", [None, float("nan"), np.float32("nan"), np.float64("nan"), pd.NA, pd.NaT])
def test_missing_values_are_missing_everywhere(engine: str, value: Any) -> None:
    assert is_missing(value)
    tokens = bleupandas.tokenize(pd.Series(cells([value, ["a b", value]])))
    assert tokens[0] is value
    assert tokens[1] == [["a", "b"], None]
    frame = pd.DataFrame({"hypothesis": [["a"], ["b"]], "one": cells([["a"], value]), "two": cells([value, ["b"]])})
    found = bleupandas.components(frame, references=["one", "two"], max_order=1)
    assert found["matches_1"].tolist() == [1, 1]


@pytest.mark.parametrize("value", [0, "", "nan", [], [None], np.array([np.nan, np.nan]), np.float32(1)])
def test_what_is_not_missing(value: Any) -> None:
    assert not is_missing(value)
