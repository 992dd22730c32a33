"""Systems: long and wide form, pairing by ids, dropped segments, and errors."""

from collections.abc import Callable
from typing import Any

import frames
import naive
import numpy as np
import pandas as pd
import pytest

import bleupandas
from bleupandas.common import count_options
from bleupandas.comparing.pair_options import pair_options
from bleupandas.comparing.systems import Systems, baseline_position, read_systems
from bleupandas.scoring.settings import score_settings

A = naive.random_segments(5, 6)
B = [(other, references) for (_, references), (other, _) in zip(A, naive.random_segments(6, 6), strict=True)]
ROWS = np.array([frames.component_rows(A), frames.component_rows(B)]).transpose(0, 2, 1)


def long_frame() -> Any:
    """Return systems "a" and "b" on ids 10 to 15."""
    parts = [
        frames.objects(segments).frame.assign(system=name, id=range(10, 16)) for name, segments in (("a", A), ("b", B))
    ]
    return pd.concat(parts, ignore_index=True)


def wide_frame() -> Any:
    frame = frames.objects(A).frame.rename(columns={"hypothesis": "a"})
    frame["b"] = frames.cells(frames.hypotheses(B))
    return frame.set_index(pd.Index(range(10, 16)))


def read(df: Any, **options: Any) -> Systems:
    pairing = pair_options(**{name: options.pop(name) for name in ("system", "id", "on_unpaired") if name in options})
    return read_systems(df, "compare", pairing, count_options(**options), score_settings("corpus"))


def arrays(found: Systems) -> list[Any]:
    return [sums.array.tolist() for sums in found.sums]


def check(found: Systems, names: list[Any] | None = None) -> None:
    assert found.names == (names or ["a", "b"])
    assert found.ids.tolist() == list(range(10, 16))
    assert {sums.array.dtype for sums in found.sums} == {np.dtype(np.int64)}
    assert arrays(found) == ROWS.tolist()
    assert not found.missing(0, 1).any()
    assert found.rows.dropped == 0


def test_long_form() -> None:
    frame = long_frame()
    before = frames.snapshot(frame)
    found = read(frame)
    check(found)
    assert found.rows.positions.tolist() == [list(range(6)), list(range(6, 12))]
    assert not found.nullable
    assert frames.snapshot(frame)[:4] == before[:4]


FORMS: dict[str, Callable[[Any], tuple[Any, dict[str, Any]]]] = {
    "other labels": lambda df: (df.rename(columns={"system": "mt", "id": 3}), {"system": "mt", "id": 3}),
    "tuples as labels": lambda df: (df.rename(columns={"id": ("x", 1)}), {"id": ("x", 1)}),
    "index levels": lambda df: (df.set_index(["system", "id"]), {}),
    "named index levels": lambda df: (df.set_index("id").rename_axis("line"), {"id": "line"}),
    "Series": lambda df: (df.drop(columns=["id", "system"]), {"system": df["system"], "id": df["id"]}),
    "Series in another order": lambda df: (df, {"system": df["system"][::-1], "id": df["id"][::-1]}),
    "arrays": lambda df: (df, {"system": df["system"].to_numpy(), "id": df["id"].to_numpy()}),
    "lists": lambda df: (df, {"system": df["system"].tolist(), "id": df["id"].tolist()}),
    "Index": lambda df: (df, {"system": pd.Index(df["system"]), "id": pd.Index(df["id"])}),
    "categories": lambda df: (df.astype({"system": pd.CategoricalDtype(["z", "b", "a"])}), {}),
    "nullable ids": lambda df: (df.astype({"id": "Int64", "system": "string[pyarrow]"}), {}),
    "components": lambda df: (df.bleu.components().assign(system=df["system"], id=df["id"]), {}),
    "components beside tokens": lambda df: (df.join(df.bleu.components()), {"components": True}),
    "more orders than are read": lambda df: (df.bleu.components(max_order=6).join(df[["system", "id"]]), {}),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_forms_of_system_and_id(form: Any) -> None:
    frame, options = form(long_frame())
    check(read(frame, **options))


def test_ids_may_be_tuples() -> None:
    ids = [("doc", i) for i in [*range(6), *range(6)]]
    assert read(long_frame(), id=pd.Series(ids)).ids.tolist() == ids[:6]


def test_rows_of_systems_may_be_in_any_order() -> None:
    shuffled = pd.concat([long_frame()[:6], long_frame()[6:].sample(frac=1, random_state=2)])
    check(read(shuffled))
    mixed = long_frame().sample(frac=1, random_state=3)
    found = read(mixed)
    assert found.ids.tolist() == list(dict.fromkeys(mixed["id"]))
    assert found.names == list(dict.fromkeys(mixed["system"]))
    for system, positions in zip(found.names, found.rows.positions, strict=True):
        assert mixed["id"].to_numpy()[positions].tolist() == found.ids.tolist()
        assert set(mixed["system"].to_numpy()[positions]) == {system}
    order = [int(i) - 10 for i in found.ids]
    assert arrays(found) == ROWS[["ab".index(str(name)) for name in found.names]][:, :, order].tolist()


def test_wide_form() -> None:
    found = read(wide_frame(), hypothesis=["a", "b"])
    check(found)
    assert found.rows.positions.tolist() == [list(range(6))] * 2
    check(read(wide_frame().rename(columns={"a": ("x", 1)}), hypothesis=[("x", 1), "b"]), [("x", 1), "b"])


def test_unreadable_rows_are_missing() -> None:
    frame = long_frame()
    frame.at[7, "hypothesis"] = None
    found = read(frame, errors="coerce")
    assert found.nullable
    assert [sums.missing.tolist() for sums in found.sums] == [[False] * 6, [False, True, *[False] * 4]]
    assert not found.sums[1].array[:, 1].any()


def test_no_rows() -> None:
    found = read(long_frame()[:0])
    assert (found.names, found.ids.tolist(), found.rows.positions.shape, found.sums) == ([], [], (0, 0), [])
    wide = read(wide_frame()[:0], hypothesis=["a", "b"])
    assert (wide.names, [sums.array.shape for sums in wide.sums]) == (["a", "b"], [(10, 0)] * 2)


# ---- Dropped segments ----


def gaps() -> Any:
    """Remove id 10 from b and 11 from a; remove the id of a row (12 is left in a) and the system of one (15)."""
    frame = long_frame().astype({"id": "Int64", "system": object}).drop(index=[1, 6])
    frame.loc[8, "id"] = pd.NA
    frame.loc[11, "system"] = None
    return frame


def test_dropping_keeps_what_all_systems_have_and_says_what_it_dropped() -> None:
    message = (
        "on_unpaired='drop' left out 4 of 6 segments: 1 row has no system: row 11; 1 row has no id: row 8; "
        "4 of 6 ids are not in every system: 10 (not in 'b'), 12 (not in 'b'), 15 (not in 'b') and 1 more"
    )
    with pytest.warns(RuntimeWarning) as caught:
        found = read(gaps(), on_unpaired="drop")
    assert [str(one.message) for one in caught] == [message]
    assert found.ids.tolist() == [13, 14]
    assert found.rows.dropped == 4
    assert arrays(found) == ROWS[:, :, 3:5].tolist()


def test_dropping_says_nothing_where_all_pairs() -> None:
    check(read(long_frame(), on_unpaired="drop"))


def test_three_systems() -> None:
    third = long_frame()[:6].assign(system="c")
    found = read(pd.concat([long_frame(), third]))
    assert found.names == ["a", "b", "c"]
    assert arrays(found) == ROWS[[0, 1, 0]].tolist()
    with pytest.raises(ValueError, match=r"^1 of 6 ids is not in every system: 13 \(not in 'b', 'c'\)"):
        read(pd.concat([long_frame().drop(index=9), third.drop(index=3)]))


# ---- Errors ----

WAY_OUT = "; expected a row for each id of each system: correct them, or pass on_unpaired='drop' to leave them out"
COLUMNS = "the columns are 'hypothesis', 'references', 'system', 'id'"
ERRORS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "no frame": (lambda: read([1]), TypeError, "compare() takes a pandas DataFrame, not list"),
    "no system": (
        lambda: read(long_frame().drop(columns="system")),
        KeyError,
        "no column 'system' for compare(), which needs system=, a column or one value per row, or "
        "hypothesis=[\"mt_a\", \"mt_b\"], a column for each system: the columns are 'hypothesis', 'references', 'id'",
    ),
    "no such column": (
        lambda: read(long_frame(), id="ids"),
        KeyError,
        f"no column 'ids' for id=: {COLUMNS}; did you mean 'id'?",
    ),
    "too few values": (
        lambda: read(long_frame(), id=[1, 2]),
        ValueError,
        "id has 2 values, and the frame has 12 rows; expected one value per row",
    ),
    "two dimensions": (
        lambda: read(long_frame(), system=np.zeros((12, 1))),
        ValueError,
        "system is a ndarray of 2 dimensions; expected one value per row",
    ),
    "neither label nor values": (
        lambda: read(long_frame(), system={"a"}),
        TypeError,
        "system is a column label or one value per row, not {'a'}",
    ),
    "Series with duplicates": (
        lambda: read(long_frame(), id=pd.Series(range(12), index=[0] * 12)),
        ValueError,
        "id is a Series whose index has duplicates and differs from the frame's, so its values cannot be matched "
        "to rows; pass it on the frame's index, or as an array",
    ),
    "lists as ids": (
        lambda: read(long_frame(), id=pd.Series([[1]] * 12)),
        TypeError,
        "id holds [1], a list, which cannot be a key; expected text, numbers or tuples",
    ),
    "missing id": (lambda: read(gaps(), system=[*"aaaaabbbbb"]), ValueError, f"1 row has no id: row 8{WAY_OUT}"),
    "missing both": (
        lambda: read(gaps(), id="id"),
        ValueError,
        f"1 row has no system: row 11; 1 row has no id (column 'id'): row 8{WAY_OUT}",
    ),
    "many missing": (
        lambda: read(long_frame(), system=pd.Series(["a", "b"])),
        ValueError,
        f"10 rows have no system: rows 2, 3, 4 and 7 more{WAY_OUT}",
    ),
    "unpaired": (
        lambda: read(long_frame()[:8]),
        ValueError,
        f"4 of 6 ids are not in every system: 12 (not in 'b'), 13 (not in 'b'), 14 (not in 'b') and 1 more{WAY_OUT}",
    ),
    "twice": (
        lambda: read(pd.concat([long_frame(), long_frame()[7:8]]), on_unpaired="drop"),
        ValueError,
        "1 id appears more than once in a system: 11 of 'b'; expected each id once in each system: drop the "
        "duplicates, or pass ids that are different for each segment",
    ),
    "many twice": (
        lambda: read(long_frame(), id=[1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]),
        ValueError,
        "4 ids appear more than once in a system: 1 of 'a', 2 of 'a', 4 of 'b' and 1 more; expected each id once in "
        "each system: drop the duplicates, or pass ids that are different for each segment",
    ),
    "unknown on_unpaired": (
        lambda: read(long_frame(), on_unpaired="skip"),
        ValueError,
        "on_unpaired is one of 'raise', 'drop', not 'skip'",
    ),
    "no labels": (
        lambda: read(wide_frame(), hypothesis=[]),
        ValueError,
        "hypothesis is an empty list; expected a column label for each system",
    ),
    "label twice": (
        lambda: read(wide_frame(), hypothesis=["a", "b", "a"]),
        ValueError,
        "hypothesis has 'a' more than once; expected each system's column once",
    ),
    "list of a list": (
        lambda: read(wide_frame(), hypothesis=["a", ["b"]]),
        TypeError,
        "hypothesis is a list of column labels, and ['b'] is not a label",
    ),
    "wide and system": (
        lambda: read(wide_frame(), hypothesis=["a", "b"], system="x"),
        ValueError,
        "compare() has system= and a list of hypothesis columns: with a column for each system a row is a segment; "
        "leave system out, or pass one hypothesis column",
    ),
    "wide and components": (
        lambda: read(wide_frame(), hypothesis=["a", "b"], components=True),
        ValueError,
        "compare() has components=True and hypothesis=['a', 'b'], a list of token columns: the wide form is counted "
        "from tokens; leave components out, or pass system= and id= with a components frame",
    ),
    "one system": (
        lambda: baseline_position(["a"], None, "compare"),
        ValueError,
        "compare() compares at least two systems, and the frame has one system, 'a'; pass a frame with the rows of "
        'both, or hypothesis=["mt_a", "mt_b"]',
    ),
    "no such baseline": (
        lambda: baseline_position(["a", "b"], "c", "compare"),
        ValueError,
        "baseline is one of the systems 'a', 'b', not 'c'",
    ),
}


@pytest.mark.parametrize(("call", "kind", "message"), ERRORS.values(), ids=ERRORS)
def test_error_messages(call: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message


def test_baseline() -> None:
    assert baseline_position(["a", "b"], None, "compare") == 0
    assert baseline_position(["a", "b"], "b", "compare") == 1


def test_example_data_pairs() -> None:
    found = read(bleupandas.load_example())
    assert found.names == ["direct", "pivot"]
    assert len(found.ids) == 240
