"""audit(): each fault that is planted into the example data is found, once, and nothing else."""

import itertools
from collections.abc import Callable
from typing import Any

import frames
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from malformed import CELLS
from planted import (
    EXAMPLE,
    FAULTS,
    FEW,
    LONG,
    Planted,
    changed,
    decomposed,
    escaped_in_pieces,
    shifted_up,
    transposed_rows,
    transposed_square,
    transposed_table,
)
from strategies import SHAPES, column, examples, segment_lists

import bleupandas
from bleupandas.engine.choice import VARIABLE

COLUMNS = ["check", "severity", "rows", "share", "examples", "what_to_do"]


def audited(frame: pd.DataFrame, **options: Any) -> dict[str, Any]:
    """The rows above "info", by check; the frame is checked for its form."""
    found = bleupandas.audit(frame, **options)
    assert found.columns.tolist() == COLUMNS
    assert [str(kind) for kind in found.dtypes] == ["str", "category", "int64", "float64", "object", "str"]
    assert found["severity"].cat.categories.tolist() == ["info", "warning", "error"]
    assert found["severity"].cat.ordered
    assert found["check"].is_unique
    order = list(zip(-found["severity"].cat.codes, -found["rows"], strict=True))
    assert order == sorted(order)
    for row in found.to_dict("records"):
        assert row["share"] == row["rows"] / len(frame)
        assert len(row["examples"]) == min(row["rows"], 5)
        assert len(row["what_to_do"]) > 20
        assert "{" not in row["what_to_do"].replace("{'", "")
    return {str(row["check"]): row for row in found[found["severity"] > "info"].to_dict("records")}


# ---- The clean data ----


def test_the_example_data() -> None:
    assert audited(EXAMPLE) == {}
    assert audited(EXAMPLE, id="id", system="system", source="source") == {}
    assert audited(EXAMPLE.drop(columns=["system", "source"])).keys() <= {"duplicate hypothesis"}
    found = bleupandas.audit(EXAMPLE).set_index("check")
    assert set(found.index) == {
        "tokens differ only by case",
        "tokens differ only by punctuation",
        "hypothesis equals a reference",
    }
    equal = [
        i for i, (h, refs) in enumerate(zip(EXAMPLE["hypothesis"], EXAMPLE["references"], strict=True))
        if len(h) >= 5 and h in refs
    ]  # fmt: skip
    assert found.loc["hypothesis equals a reference", "rows"] == len(equal)
    assert found.loc["hypothesis equals a reference", "examples"] == equal[:5]


def test_case_is_counted_as_one_would() -> None:
    rows = [
        i
        for i, (h, refs) in enumerate(zip(EXAMPLE["hypothesis"], EXAMPLE["references"], strict=True))
        if any(
            a != b and a.lower() == b.lower() and a not in itertools.chain(*refs) and b not in h
            for a in h
            for b in itertools.chain(*refs)
        )
    ]
    found = bleupandas.audit(EXAMPLE).set_index("check").loc["tokens differ only by case"]
    assert found["rows"] == len(rows)
    assert found["examples"] == rows[:5]


# ---- Planted faults ----


@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__)
def test_planted_faults(plant: Callable[[], Planted]) -> None:
    frame, options, check, severity, rows = plant()
    before = frames.snapshot(frame)
    found = audited(frame, **options)
    assert list(found) == [check]
    assert found[check]["severity"] == severity
    if rows:
        assert found[check]["rows"] == len(rows)
        assert found[check]["examples"] == rows[:5]
    assert frames.snapshot(frame)[:4] == before[:4]


# ---- Input of every kind ----

CELL_ERRORS = {"missing hypothesis", "no reference", "text instead of tokens", "unreadable cell"}


@pytest.mark.parametrize("bad", CELLS.values(), ids=CELLS)
def test_what_others_refuse_is_a_finding(bad: Any) -> None:
    if issubclass(bad.error, KeyError) or len(bad.frame) == 0:
        pytest.skip("no row of it is wrong")
    refused = bleupandas.components(bad.frame, errors="coerce", **bad.options)["candidate_length"].isna()
    found = bleupandas.audit(bad.frame, **bad.options)
    errors = found[found["check"].isin(CELL_ERRORS)]
    assert (errors["severity"] == "error").all()
    assert set(itertools.chain(*errors["examples"])) == set(bad.frame.index[refused])


def test_awkward_frames(awkward_frame: frames.Case) -> None:
    before = frames.snapshot(awkward_frame.frame)
    found = bleupandas.audit(awkward_frame.frame, **awkward_frame.columns)
    assert frames.snapshot(awkward_frame.frame)[:4] == before[:4]
    assert CELL_ERRORS.isdisjoint(found["check"])
    labels = awkward_frame.frame.index.tolist()
    empty = [label for label, (tokens, _) in zip(labels, awkward_frame.segments, strict=True) if not tokens]
    told = found.set_index("check")["examples"]
    assert told.get("empty hypothesis", []) == empty


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_of_columns(shape: str) -> None:
    for plant in (shifted_up, transposed_table, transposed_square, transposed_rows, escaped_in_pieces, decomposed):
        frame, options, *_ = plant()
        other = frame.assign(
            hypothesis=column(frame["hypothesis"].tolist(), shape, False),
            references=column(frame["references"].tolist(), shape, True),
        )
        pd.testing.assert_frame_equal(bleupandas.audit(other, **options), bleupandas.audit(frame, **options))


def test_chunks_and_slices() -> None:
    frame = shifted_up()[0]
    cells = frame.assign(
        hypothesis=column(frame["hypothesis"].tolist(), "list<string>", False),
        references=column(frame["references"].tolist(), "list<string>", True),
    )
    pieces = pd.concat([cells.iloc[:7], cells.iloc[7:200], cells.iloc[200:]])
    pd.testing.assert_frame_equal(bleupandas.audit(pieces), bleupandas.audit(frame))


@settings(max_examples=examples(60))
@given(segment_lists(surrogates=True, most=9), st.data())
def test_nothing_raises_and_engines_agree(segments: list[frames.Segment], data: st.DataObject) -> None:
    odd = st.sampled_from([None, "text", 5, [], [None], [["a"]], ["a b"], [""], ["a", 3], {"a": 1}, [[["a"]]]])
    frame = frames.objects(segments).frame
    for name in ("hypothesis", "references"):
        cells = [data.draw(st.just(cell) | odd) for cell in frame[name]]
        frame[name] = frames.cells(cells)
    frame["system"] = frames.cells([data.draw(st.sampled_from(["a", "b", None])) for _ in segments])
    found = []
    for name in ("compiled", "python"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, name)
            found.append(bleupandas.audit(frame))
    pd.testing.assert_frame_equal(found[0], found[1])
    refused = bleupandas.components(frame, errors="coerce")["candidate_length"].isna()
    assert (int(refused.sum()) > 0) == bool(CELL_ERRORS & set(found[0]["check"]))


def test_several_reference_columns() -> None:
    frame: Any = EXAMPLE[EXAMPLE["references"].map(len) > 1].reset_index(drop=True)
    first, second = (frames.cells([cell[k] for cell in frame["references"]]) for k in (0, 1))
    second[7] = None
    second[9] = "a text"
    wide = frame.assign(first=first, second=second).drop(columns="references")
    table = bleupandas.audit(wide, references=["first", "second"])
    facts: dict[Any, Any] = {row["check"]: row for row in table.to_dict("records")}
    gap = facts["some references missing"]
    assert [gap["severity"], gap["rows"], gap["examples"]] == ["info", 1, [7]]
    assert facts["text instead of tokens"]["examples"] == [9]
    assert facts["text instead of tokens"]["what_to_do"].endswith(
        "bleupandas.tokenize(df, {'hypothesis': 'hypothesis', 'first': 'first', 'second': 'second'})."
    )


def test_several_systems_in_columns() -> None:
    parts = {name: part.reset_index(drop=True) for name, part in EXAMPLE.groupby("system")}
    wide = parts["direct"].assign(pivot=parts["pivot"]["hypothesis"]).drop(columns="system")
    columns = ["hypothesis", "pivot"]
    assert audited(wide, hypothesis=columns, id="id") == {}
    cells = wide["pivot"].tolist()
    cells[3] = cells[5] = None
    hypotheses = wide["hypothesis"].tolist()
    hypotheses[3] = None
    found = audited(wide.assign(pivot=frames.cells(cells), hypothesis=frames.cells(hypotheses)), hypothesis=columns)
    assert list(found) == ["missing hypothesis"]
    assert found["missing hypothesis"]["examples"] == [3, 5]  # rows of the frame, each once
    same = audited(wide.assign(id=1), hypothesis=columns, id="id")
    assert same["duplicate id"]["rows"] == len(wide) - 1


def test_lists_saved_as_text() -> None:
    frame = EXAMPLE.assign(hypothesis=EXAMPLE["hypothesis"].map(repr), references=EXAMPLE["references"].map(repr))
    found = audited(frame)
    assert list(found) == ["text instead of tokens"]
    assert found["text instead of tokens"]["rows"] == 480
    assert "to_csv" in found["text instead of tokens"]["what_to_do"]


def test_labels_of_the_index() -> None:
    index = pd.MultiIndex.from_product([["x", "y"], range(240)])
    frame = changed("hypothesis", [3, 300], lambda _: None).set_index(index)
    assert audited(frame)["missing hypothesis"]["examples"] == [("x", 3), ("y", 60)]
    frame = changed("hypothesis", [3, 300], lambda _: None).set_index(pd.Index(["a", "b"] * 240))
    assert audited(frame)["missing hypothesis"]["examples"] == ["b", "a"]


def test_the_worst_comes_first() -> None:
    frame = changed("hypothesis", FEW[:1], lambda _: None)
    cells = frame["references"].tolist()
    for row in FEW[1:4]:
        cells[row] = []
    cells[LONG[-1]] = [*cells[LONG[-1]], []]
    frame["references"] = frames.cells(cells)
    found = bleupandas.audit(frame)
    assert found["check"].tolist()[:3] == ["no reference", "missing hypothesis", "empty reference"]
    assert found["severity"].tolist()[3:] == ["info"] * 3
    assert len(bleupandas.audit(frame, source="source")) == 6


def test_no_rows() -> None:
    for frame in (EXAMPLE.head(0), pd.DataFrame({"hypothesis": [], "references": []})):
        assert audited(frame) == {}
        assert len(bleupandas.audit(frame)) == 0


def test_systems_are_looked_at_by_themselves() -> None:
    """The same output of two systems is no duplicate; without systems it is."""
    twice = pd.concat([EXAMPLE[EXAMPLE["system"] == "direct"]] * 2, ignore_index=True)
    twice["system"] = ["a"] * 240 + ["b"] * 240
    assert audited(twice) == {}
    assert list(audited(twice.drop(columns="system"))) == ["duplicate hypothesis"]
    assert audited(twice.drop(columns="system"), system=twice["system"]) == {}
    assert audited(twice.drop(columns="system"), system=["a"] * 240 + ["b"] * 240) == {}


def test_scripts() -> None:
    """Words of scripts without spaces are no fault; sentences are."""
    words = [
        ["我", "喜欢", "吃", "苹果", "。"],
        ["インターネットエクスプローラー", "を", "使う"],
        ["เขา", "ไป", "โรงเรียน"],
    ]
    right = pd.DataFrame({"hypothesis": words, "references": [[tokens] for tokens in words]})
    assert audited(right) == {}
    sentences = [["我喜欢吃苹果，他也喜欢。"], ["私は学校へ行きますので、また明日"], ["เขาไปโรงเรียนทุกวันกับเพื่อน"]]
    wrong = right.assign(hypothesis=frames.cells(sentences))
    assert audited(wrong)["text of a script without spaces as one token"]["rows"] == 3
    characters = right.assign(hypothesis=frames.cells([list("他也喜欢吃"), *words[1:]]))
    assert audited(characters) == {}


# ---- What is no fault of the data ----


def test_refusals() -> None:
    with pytest.raises(KeyError, match="no column 'mt' for the hypothesis"):
        bleupandas.audit(EXAMPLE, hypothesis="mt")
    with pytest.raises(KeyError, match="no column 'refs' for references"):
        bleupandas.audit(EXAMPLE, references="refs")
    absent: Any
    for name in ("source", "system", "id"):
        absent = {name: "x"}
        with pytest.raises(KeyError, match=f"no column 'x' for {name}"):
            bleupandas.audit(EXAMPLE, **absent)
    with pytest.raises(KeyError, match="needs token lists and not only components"):
        bleupandas.audit(EXAMPLE.bleu.components())
    with pytest.raises(TypeError, match=r"audit\(\) takes a pandas DataFrame, not list"):
        bleupandas.audit([])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"audit\(\) has no keyword 'refs'; did you mean 'references'\?"):
        bleupandas.audit(EXAMPLE, refs="x")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="hypothesis is an empty list; expected a column label or a list of"):
        bleupandas.audit(EXAMPLE, hypothesis=[])
    with pytest.raises(ValueError, match="system has 3 values, and the frame has 480 rows"):
        bleupandas.audit(EXAMPLE, system=np.arange(3))
    with pytest.raises(TypeError, match=r"system holds .*, a list, which cannot be a key"):
        bleupandas.audit(EXAMPLE, system="references")


def test_method() -> None:
    frame = EXAMPLE.rename(columns={"hypothesis": "mt", "references": "refs"})
    bound: Any = frame.bleu(hypothesis="mt", references="refs")
    pd.testing.assert_frame_equal(bound.audit(id="id"), bleupandas.audit(EXAMPLE, id="id"))
