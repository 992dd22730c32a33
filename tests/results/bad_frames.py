"""Malformed frames and options: what must be refused, and with errors='coerce' be a missing row."""

import decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from odd_cells import LISTS, arrow, cells

MISSING: dict[str, Any] = {"None": None, "nan": float("nan"), "<NA>": pd.NA, "NaT": pd.NaT}
DTYPES: list[Any] = [object, "str", "string", "category"]
DTYPES += [pd.ArrowDtype(kind) for kind in (pa.string(), pa.large_string(), pa.string_view())]


def frame_of(hypothesis: Any = None, references: Any = None, **more: Any) -> pd.DataFrame:
    """Return two rows; a column that is not given is right."""
    hypothesis = [["a", "b"], ["c"]] if hypothesis is None else hypothesis
    references = [[["a", "c"]], [["c"]]] if references is None else references
    columns = {"hypothesis": hypothesis, "references": references, **more}
    return pd.DataFrame({k: v if isinstance(v, pd.Series) else cells(v) for k, v in columns.items()})


def on_index(frame: pd.DataFrame, index: Any) -> pd.DataFrame:
    frame.index = index
    return frame


def bad_hypotheses() -> dict[str, Any]:
    """Return cells for the second row, or whole columns."""
    return {
        **{f"text as {dtype}": pd.Series(["a b", "c"], dtype=dtype) for dtype in DTYPES},
        "text as a dictionary": arrow(pa.array(["a b", "c"]).dictionary_encode()),
        "text": 'it\'s "b"\nc  d',
        "long text": "x" * 41,
        "np.str_": np.str_("a b"),
        "bytes": b"a b",
        "integers": pd.Series([1, 2]),
        "floats": pd.Series([1.5, 2]),
        "bool": True,
        "dates": pd.Series(pd.to_datetime(["2024-05-01"] * 2)),
        "set": {"a"},
        "dict": {"a": 1},
        "dict keys": {"a": 1}.keys(),
        "range": range(10**12),
        "generator": (t for t in "ab"),
        "object": object(),
        "0-d array": np.array("a b"),
        "Arrow structs": arrow(pa.array([{"a": 1}] * 2)),
        **MISSING,
        **{f"token {text}": ["b", value] for text, value in MISSING.items()},
        "Arrow null": arrow(pa.array([["a"], None], LISTS)),
        "Arrow nulls": arrow(pa.nulls(2)),
        "Arrow token null": arrow(pa.array([["a"], ["b", None]], LISTS)),
        "Arrow lists of nulls": arrow(pa.array([[], [None] * 2])),
        "empty token": ["b", ""],
        "empty token of an array": np.array(["b", ""]),
        "Arrow empty token": arrow(pa.array([["a"], ["b", ""]], LISTS)),
        "integer": ["a", 3],
        "NumPy integer": ["a", np.int64(3)],
        "array of numbers": np.array([1.5]),
        "decimal": ("a", decimal.Decimal("1.5")),
        "bytes token": ["a", b"b"],
        "Arrow lists of binary": arrow(pa.array([[], [b"a", b"b"]])),
        "Arrow lists of integers": arrow(pa.array([[1], [2]])),
        "nested": [["a", "b"]],
        "Arrow nested": arrow(pa.array([[["a"]], [["b"]]])),
        "2-D array": np.array([["a", "b"]]),
        "tuple as token": ["a", ("a", "b")],
        "surrogate": ["b", "\ud800"],
        "separator": ["b c", "d"],
    }


def bad_references() -> dict[str, Any]:
    """Return cells for the second row behind a nested one, or whole columns."""
    return {
        **{f"text as {dtype}": pd.Series(["a b", "c"], dtype=dtype) for dtype in DTYPES},
        "text": "a b",
        "text as a reference": [["b"], "a b"],
        "set": {"a"},
        "frozenset as a reference": [frozenset("a")],
        "number": 3,
        "number as a reference": [["a"], 3],
        "iterator": iter(["a"]),
        **MISSING,
        "empty": [],
        "only missing ones": [None, pd.NA],
        "all empty": cells([[], []]),
        "Arrow empty": arrow(pa.array([[["a"]], []])),
        "Arrow null": arrow(pa.array([[["a"]], None])),
        "token None": [["b"], ["c", None]],
        "Arrow token null": arrow(pa.array([[["a"]], [None, ["c", None]]])),
        "empty token": [["b"], ["c", ""]],
        "integer": [["b"], ["c", 3]],
        "nested too deep": [[["a"]]],
        "Arrow nested too deep": arrow(pa.array([[[["a"]]], []])),
        "flat": ["a", "b"],
        "flat array": np.array(["b"]),
        "surrogate": [["b", "x\udfff"]],
    }


def bad_flat() -> dict[str, Any]:
    """Return cells for the second row behind one token list, or whole columns."""
    return {
        "missing": None,
        "Arrow null": arrow(pa.array([["a"], None])),
        "token None": ["c", None],
        "empty token": ["c", ""],
        "nested": [["a"], ["b"]],
        "empty nested": [[]],
        "a list in the cell": ["a", ["b"]],
        "text": "a b",
        "sentences": ["b", "one two"],
        "tab": ("one\ttwo", "b"),
        "Arrow sentences": arrow(pa.array([["a"], ["one two"]])),
    }


def bad_frames() -> dict[str, tuple[pd.DataFrame, dict[str, Any]]]:
    """Return new frames, as iterators are used up, each with the options that go with it."""
    both = {"references": ["references", "second"]}
    made: dict[str, tuple[Any, dict[str, Any]]] = {}
    for name, cell in bad_hypotheses().items():
        made[f"hypothesis: {name}"] = frame_of(cell if isinstance(cell, pd.Series) else [["a"], cell]), {}
    for kind, first, found in (("references", [["a"]], bad_references()), ("flat", ["a"], bad_flat())):
        for name, cell in found.items():
            column = cell if isinstance(cell, pd.Series) else [first, cell]
            made[f"{kind}: {name}"] = frame_of(references=column), {}
    made["sentences in the second column"] = frame_of([["c"], []], second=[("c",), ("c d", "e")]), both
    made["missing in every column"] = frame_of(references=[["a"], None], second=[[["a"]], []]), both
    for name, index in {
        "MultiIndex": pd.MultiIndex.from_tuples([("x", 1), ("y", 2)]),
        "dates": pd.to_datetime(["2024-05-01", "2024-05-02"]),
        "integers": [7, 9],
        "duplicates": ["x", "x"],
        "text": ["a", "b c"],
    }.items():
        made[f"index of {name}"] = on_index(frame_of([["a"], None]), index), {}
        made[f"index of {name}, depth"] = on_index(frame_of(references=[["a", "b"], [["a"]]]), index), {}
    made["two faults"] = frame_of([["a"], ["b", ""]], [[["a"]], None]), {}
    made["no hypothesis"] = frame_of().drop(columns="hypothesis"), {}
    made["no references"] = frame_of().drop(columns="references"), {}
    made["no columns"] = pd.DataFrame(index=[0]), {}
    made["many columns"] = pd.DataFrame([range(14)], columns=[*"abcdefghijklmn"]), {}
    for label in ("hypothesis", "references"):
        frame = frame_of()
        frame.insert(2, label, 2, allow_duplicates=True)
        made[f"duplicate {label}"] = frame, {}
    levels = frame_of()
    levels.columns = pd.MultiIndex.from_tuples([("mt", "x"), ("mt", "y")])
    for wanted in ("mt", ("mt", "z"), ("mt", "x", "y")):
        made[f"levels: {wanted}"] = levels, {"hypothesis": wanted}
    wrong: Any
    for wrong in ("a list", [["a"]], {"hypothesis": []}, None, frame_of()["hypothesis"]):
        made[f"no frame: {type(wrong).__name__}"] = wrong, {}
    return made


BAD_OPTIONS: dict[str, list[Any]] = {
    "hypothesis": ["hypotesis", 0, ["hypothesis"]],
    "references": [["references", "ref_b"], ("a", "b"), [None], {"r"}, slice(0, 1), np.array(["a"]), [["r"]], []],
    "max_order": [0, 9, -1, np.int64(9), True, "4", 2.5, np.float64(4), [1, 2]],
    "errors": ["ignore", "corce", None, pd.NA, ["raise"]],
    "threads": [0, -1, "2", 1.5, True],
    "components": ["yes", True],
    "sep": ["", "ab", "  ", "\ud800", None, b" ", "b"],
    "orders": [[], [0], [1, 9], 0, "12", b"12", [1, "2"], True, 2.5, np.array(2)],
    "ngram": ["words", "Text", None, ["text"]],
    "side": ["both", "reference", pd.NA],
    "id_vars": ["system", ["hypothesis", "system"], ("a", "b"), [["a"]]],
    "convention": ["papr", None, 3],
    "smoothing": ["method8", "flor", 1, ["none"]],
    "weights": [[], [1, 1], [0.5], "abc", [float("nan")] * 4, [0, 0, 0, 0], [-1, 1, 1, 1]],
    "effective_order": ["yes", 1],
    "epsilon": [0, -1, float("nan"), "x", True],
    "k": [0, -1, float("inf"), "x"],
    "alpha": [0, -1, "x"],
    "by": ["nowhere", ["system", "nowhere"], []],
    "system": ["nowhere"],
    "id": ["nowhere", "domain"],
    "baseline": ["nowhere"],
    "n_resamples": [0, -1, 1.5, "x"],
    "seed": [-1, "x", 1.5],
    "level": [0, 1, 2, "x"],
    "correction": ["bonferoni", None],
    "method": ["boot", None],
    "pairs": ["some"],
    "on_unpaired": ["keep"],
    "bins": [0, -1, "x", [3, 2]],
    "rank": ["size"],
    "examples": [-1, "x"],
    "min_count": [0, -1, "x"],
    "page_size": [0, "x", True],
    "significance": [0, 2, "x"],
    "intent": ["something"],
    "sort": ["x"],
    "margins": ["x"],
    "lowercase": ["x"],
    "n_segments": [-1, "x"],
    "n_ngrams": [-1, "x"],
    "max_ordr": [1],
    "reference": ["x"],
    "n_jobs": [2],
}
