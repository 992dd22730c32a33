"""Turn results into plain trees of text that can be stored and compared.

A tree is a dict, a list or a str. `Prose` marks text that people read and that may be reworded.
"""

import dataclasses
import re
import tempfile
import warnings
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pandas as pd

PROSE_COLUMNS = {"reason", "what_to_do", "advice"}
NUMBER = re.compile(r"[-−]?\d(?:[\d,]*\d)?(?:\.\d+)?(?:e[-+]?\d+)?")
LABEL = r"(?:\(.*?\)|[A-Z]\w+\(.*?\)|'[^']*'|-?\d[\d.]*)"
PLACE = re.compile(rf"\b(?:(row|columns?) ({LABEL})|(position|token|reference) (\d+))")
TEMPORARY = re.compile(rf"{re.escape(tempfile.gettempdir())}/\w+")
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class Prose(str):
    """Text that may be reworded."""

    __slots__ = ()


Tree = Any


def freeze(value: Any) -> Tree:
    """Return the tree of any result."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return fields_of(value)
    kind = type(value).__name__
    if isinstance(value, pd.DataFrame):
        return frame_of(value, kind)
    if isinstance(value, pd.Series):
        return {"type": kind, "name": scalar(value.name), "index": index_of(value.index), **column(value)}
    if isinstance(value, pd.Index):
        return index_of(value)
    if isinstance(value, np.ndarray):
        return {"type": kind, "dtype": str(value.dtype), "shape": str(value.shape), "values": freeze(value.tolist())}
    if isinstance(value, Mapping):
        return {"type": kind, "items": {scalar(key): freeze(item) for key, item in value.items()}}
    if isinstance(value, (list, tuple)):
        return [f"<{kind}>", *(freeze(item) for item in value)]
    return scalar(value)


def scalar(value: object) -> str:
    """Return a value with its type; the text of a float is exact."""
    if isinstance(value, Prose):
        return value
    return f"{type(value).__name__} {ADDRESS.sub('', repr(value))}"


def fields_of(value: Any) -> Tree:
    """Return the public fields of a dataclass and its text."""
    fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    tree = {name: Prose(item) if name in PROSE_COLUMNS else freeze(item) for name, item in fields.items()}
    text: Any = Prose(value) if PROSE_COLUMNS & set(fields) else str(value)
    return {"type": type(value).__name__, "fields": tree, "text": text}


def frame_of(frame: pd.DataFrame, kind: str) -> Tree:
    names = [f"{i} {scalar(label)}" for i, label in enumerate(frame.columns)]
    return {
        "type": kind,
        "columns": [scalar(label) for label in frame.columns],
        "names of columns": scalar(list(frame.columns.names)),
        "type of columns": str(type(frame.columns).__name__),
        "index": index_of(frame.index),
        "attrs": scalar(frame.attrs),
        "values": {
            name: column(frame.iloc[:, i], str(frame.columns[i]) in PROSE_COLUMNS) for i, name in enumerate(names)
        },
    }


def column(series: "pd.Series[Any]", is_prose: bool = False) -> Tree:
    if is_prose:
        return {"dtype": str(series.dtype), "values": [Prose(cell) for cell in series.tolist()]}
    values = series.tolist()
    if series.dtype.kind in "iufb" and isinstance(series.dtype, np.dtype):  # the dtype says what they are
        return {"dtype": str(series.dtype), "values": [repr(value) for value in values]}
    texts = [freeze(value) for value in values]
    tree = {"dtype": str(series.dtype), "values": texts}
    if isinstance(series.dtype, pd.CategoricalDtype):
        tree["categories"] = index_of(series.dtype.categories)
    # The Series of one row of explain() has its prose in a cell.
    for i, label in enumerate(series.index if series.dtype == object else []):
        if isinstance(label, str) and label in PROSE_COLUMNS:
            texts[i] = Prose(values[i])
    return tree


def index_of(index: pd.Index) -> Tree:
    tree = {"type": type(index).__name__, "names": scalar(list(index.names)), "values": [scalar(x) for x in index]}
    if isinstance(index, pd.MultiIndex):
        tree["dtypes"] = [str(level.dtype) for level in index.levels]
    else:
        tree["dtype"] = str(index.dtype)
    return tree


# ---- Calls ----


def outcome(call: Callable[[], Any], form: Callable[[Any], Tree] = freeze, *, whole: bool = False) -> Tree:
    """Return what a call returns, warns of and raises; messages are prose unless they are published (`whole`)."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            tree: Tree = {"result": form(call())}
        except Exception as error:
            tree = {"error": error_of(error, whole)}
    seen = [warning for warning in caught if "bleupandas" in str(warning.message) or warning.category is UserWarning]
    if seen:
        tree["warnings"] = [[w.category.__name__, Prose(w.message)] for w in seen]
    return tree


def error_of(error: Exception, whole: bool = False) -> Tree:
    """Return the type of an error, and the column, row and position in its message."""
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    text = TEMPORARY.sub("...", ADDRESS.sub("", text))
    tree: Tree = {"type": public_type(type(error)), "places": places(text), "message": text if whole else Prose(text)}
    for name in ("code", "path"):
        if whole and hasattr(error, name):
            tree[name] = scalar(getattr(error, name))
    return tree


def places(text: str) -> list[str]:
    """Return the first column, row, position, reference and token that a message names: advice may name others."""
    found: dict[str, str] = {}
    for label, value, place, number in PLACE.findall(text):
        found.setdefault((label or place).rstrip("s"), value or number)
    return [f"{name} {value}" for name, value in sorted(found.items())]


def public_type(kind: type[Exception]) -> str:
    """Return the name of the first class that callers can name: not one of the package's private ones."""
    for base in kind.__mro__:
        if not base.__module__.startswith("bleupandas") or base.__name__ == "ContractError":
            return base.__name__
    return kind.__name__


# ---- Pages ----


class Page(HTMLParser):
    """Split HTML into table cells, marked tokens, drawings and prose."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.tokens: list[str] = []
        self.drawing: list[str] = []
        self.prose: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"br", "img", "input", "meta", "link", "hr", "wbr", "col"}:
            return
        self.open.append(tag)
        given = {name: value or "" for name, value in attrs}
        self.drawing += [f"{tag} {k}={given[k]}" for k in ("d", "points", "x", "y", "width", "height") if k in given]
        self.tokens += [f"{k}={given[k]}" for k in sorted(given) if k.startswith("data-") and k[5:6] != "j"]
        self.prose += [given[name] for name in ("title", "aria-label") if name in given]
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        while tag in self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if {"style", "script"} & set(self.open):
            return
        if "td" in self.open and "svg" not in self.open:
            self.cells[-1] += data
        elif "bdi" in self.open or "sub" in self.open:
            self.tokens.append(data)
        elif data.strip():
            self.prose.append(" ".join(data.split()))


def cell_of(text: str) -> str:
    """Return the numbers of a table cell that has some, else its text: an n-gram, a system or a label."""
    return " ".join(NUMBER.findall(text)) or " ".join(text.split())


def numbers_of(texts: list[str]) -> list[str]:
    """Return the numbers in prose in order of size of their text: sentences may move."""
    return sorted(number for text in texts for number in NUMBER.findall(text))


def page_of(html: str) -> Tree:
    page = Page()
    page.feed(html)
    return {
        "cells": [cell_of(cell) for cell in page.cells],
        "tokens": page.tokens,
        "drawing": page.drawing,
        "numbers": numbers_of(page.prose),
        "prose": [Prose(text) for text in page.prose],
    }


def markdown_of(text: str) -> Tree:
    lines = text.splitlines()
    tables = [line for line in lines if line.startswith("| ")]
    heads = {i - 1 for i, line in enumerate(tables) if line.startswith("| ---")}
    rows = [row for i, row in enumerate(tables) if i not in heads and not row.startswith("| ---")]
    prose = [*(line for line in lines if line and not line.startswith("| ")), *(tables[i] for i in heads)]
    return {
        "cells": [[cell_of(cell) for cell in row.strip("| ").split(" | ")] for row in rows],
        "numbers": numbers_of(prose),
        "prose": [Prose(text) for text in prose],
    }


def outline_of(patch: Any) -> str:
    """Return the corners of a bar or of a line of steps."""
    if hasattr(patch, "get_bbox"):
        return repr([float(x) for x in patch.get_bbox().bounds])
    return repr(np.asarray(patch.get_path().vertices).tolist())


def axes_of(axes: Any) -> Tree:
    """Return the data of a plot; labels, titles and tick labels are prose."""
    figure = axes.figure
    tree = []
    for ax in figure.axes:
        tree.append(
            {
                "limits": [repr(float(x)) for x in (*ax.get_xlim(), *ax.get_ylim())],
                "size": [repr(float(x)) for x in figure.get_size_inches()],
                "lines": [[repr(p) for p in np.asarray(line.get_xydata()).tolist()] for line in ax.lines],
                "bars": [outline_of(patch) for patch in ax.patches],
                "points": [repr(np.asarray(c.get_offsets()).tolist()) for c in ax.collections],
                "ticks": [Prose(t.get_text()) for t in (*ax.get_xticklabels(), *ax.get_yticklabels())],
                "numbers": numbers_of([t.get_text() for t in ax.texts]),
                "prose": [Prose(t) for t in (ax.get_title(), ax.get_xlabel(), ax.get_ylabel())],
                "texts": [Prose(t.get_text()) for t in ax.texts],
            }
        )
    return tree
