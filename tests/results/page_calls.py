"""Calls of what people look at: show(), inspect(), report() and plots."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import odd_frames
import pandas as pd
from frame_calls import EXAMPLE, PLOTS, SMALL, Calls, options_frame, shown, with_holes
from frozen import Prose, Tree, axes_of, freeze, markdown_of, outcome, page_of, scalar

import bleupandas

mpl.use("agg")
from matplotlib import pyplot as plt

SCORING: list[dict[str, Any]] = [
    {}, {"max_order": 2}, {"convention": "nltk"}, {"smoothing": "exp"}, {"weights": [0.5, 0.5]}, {"errors": "coerce"},
    {"effective_order": True}, {"smoothing": "floor", "epsilon": 0.5}, {"smoothing": "method4", "k": 2},
    {"smoothing": "method6", "alpha": 2}, {"hypothesis": "other"}, {"references": ["references", "flat"]},
]  # fmt: skip
THREADS: list[dict[str, Any]] = [{"threads": 1}, {"threads": 2}]
TRAITS = (
    *("query", "score_range", "search", "search_in", "main_cause", "by", "group", "sort_by", "ascending"),
    *("list_columns", "page", "page_size", "position", "order", "smoothing", "tag", "note"),
)
REPORT_ROWS = 80


# ---- show() ----


def shown_rows(found: Any) -> Tree:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.html"
        found.to_html(path, title="Rows")
        written = page_of(path.read_text(encoding="utf-8"))
    return {"text": Prose(repr(found)), "page": page_of(found._repr_html_()), "file": written}


def showing(frame: Any, *labels: Any, **options: Any) -> Callable[[], Tree]:
    return lambda: outcome(lambda: bleupandas.show(frame, *labels, **options), shown_rows)


def show_calls() -> Calls:
    frame = options_frame()
    for options in [*SCORING, {"extra": []}, {"extra": ["id", "domain"]}, {"extra": ["nowhere"]}]:
        yield f"show({shown(options)})", showing(frame, 3, 7, **options)
    for labels in ((), (0,), (59, 0), (60,), ("x",)):
        yield f"show {labels!r}", showing(frame, *labels)
    yield "show holes", showing(with_holes(frame), 2, 3, 10, errors="coerce")
    for title, make in odd_frames.AWKWARD.items():
        case = make()
        for options in ({}, {"max_order": 2}):
            yield (
                f"show awkward {title} {options}",
                showing(case.frame, *case.frame.index[:2], **case.columns, **options),
            )


# ---- inspect() ----


def state_of(inspector: Any) -> Tree:
    """Return the traits, the rows and the page of an inspector; `error` is prose."""
    tree: Tree = {name: freeze(getattr(inspector, name)) for name in TRAITS}
    tree["has an error"] = scalar(bool(inspector.error))
    tree["error"] = Prose(inspector.error)
    tree |= {"selected": freeze(inspector.selected["id"] if "id" in inspector.selected else len(inspector.selected))}
    tree["mask"] = freeze(inspector.mask)
    tree["rows"] = freeze(inspector.frame.index)
    tree["tags"] = freeze(inspector.tags)
    tree["page of html"] = page_of(inspector.static_html())
    tree["text"] = scalar(repr(inspector))
    return tree


Steps = list[dict[str, Any] | int]


def inspecting(frame: Any, steps: Steps, **options: Any) -> Callable[[], Tree]:
    """Return a call that makes an inspector and takes steps: traits that are set, or step(by)."""

    def walk(inspector: Any) -> Tree:
        try:
            trees = [state_of(inspector)]
            for step in steps:
                trees.append(outcome(lambda step=step: take(inspector, step), lambda _: state_of(inspector)))  # type: ignore[misc]
            return trees
        finally:
            inspector.close()

    return lambda: outcome(lambda: bleupandas.inspect(frame, **options), walk)


def take(inspector: Any, step: dict[str, Any] | int) -> None:
    if isinstance(step, int):
        inspector.step(step)
        return
    with inspector.hold_trait_notifications():
        for name, value in step.items():
            setattr(inspector, name, value)


WALKS: dict[str, Steps] = {
    "filters": [
        {"query": "score < 0.3"}, {"query": "scor < 1"}, {"query": "", "score_range": (0.1, 0.4)},
        {"score_range": (0.0, 1.0), "main_cause": "word choice"}, {"main_cause": "", "search": "the"},
        {"search_in": "hypothesis", "search": ("of", "the")}, {"search_in": "references"}, {"search_in": "missing"},
        {"search_in": "over-produced"}, {"search_in": "matched"}, {"search": "nowhere at all"},
    ],
    "order of rows": [
        {"sort_by": "score"}, {"ascending": False}, {"page": 1}, {"position": 5}, 1, -1, 3, {"page": 99}, -99, 99,
        {"page_size": 4}, {"list_columns": ("score", "id", "domain")}, {"sort_by": "nowhere"}, {"sort_by": "domain"},
        {"sort_by": None},
    ],
    "groups": [{"by": "domain", "group": "news"}, {"group": "x"}, {"group": None}, {"by": "nowhere"}],
    "scores": [
        {"order": 2}, {"smoothing": "add-k"}, {"order": 9}, {"smoothing": "x"}, {"smoothing": "method5", "order": 3},
        {"sort_by": "score"},
    ],
    "tags": [{"tag": "odd"}, 1, {"note": "a note"}, 2, {"tag": "x", "note": "y"}, {"query": "id > 3"}, {"tag": ""}],
}  # fmt: skip


def inspect_calls() -> Calls:
    frame = options_frame()
    for title, steps in WALKS.items():
        yield f"inspect {title}", inspecting(frame, steps)
    made: list[dict[str, Any]] = [
        {"by": "domain"}, {"page_size": 3}, {"compare": "other"}, {"compare": "other", "max_order": 2},
        {"compare": ["direct", "pivot"], "system": "system", "id": "id"}, {"system": "system", "id": "id"},
        {"compare": ["pivot", "direct"], "system": "system", "id": "id"}, {"compare": "nowhere"},
        {"tags": pd.DataFrame({"tag": "t", "note": None}, index=frame.index[:2])},
    ]  # fmt: skip
    for options in [*made, *SCORING, *THREADS]:
        first: Steps = [{"sort_by": "difference" if options.get("compare") else "score"}, 2]
        yield f"inspect({', '.join(options)}: {list(options.values())!r:.60})", inspecting(frame, first, **options)
    counted = pd.concat([bleupandas.components(frame), frame], axis=1)
    yield "inspect components", inspecting(counted, [{"order": 2}], components=True)
    yield "inspect holes", inspecting(with_holes(frame), [{"sort_by": "score"}], errors="coerce")
    for title, make in odd_frames.AWKWARD.items():
        case = make()
        yield f"inspect awkward {title}", inspecting(case.frame, [], **case.columns)


# ---- report() ----


def reporting(frame: Any, name: str, **options: Any) -> Callable[[], Tree]:
    def write() -> Tree:
        with tempfile.TemporaryDirectory() as folder:
            path = bleupandas.report(frame, Path(folder) / name, **options)
            text = path.read_text(encoding="utf-8")
            return {"name": path.name, "page": page_of(text) if name.endswith("html") else markdown_of(text)}

    return lambda: outcome(write, lambda tree: tree)


def report_calls() -> Calls:
    frame = EXAMPLE.head(REPORT_ROWS)
    few = {"n_resamples": 50}
    tried: list[dict[str, Any]] = [
        {}, {"by": "domain"}, {"by": ["domain", "system"]}, {"title": "A & B"}, {"system": "system", "id": "id"},
        {"baseline": "pivot"}, {"n_segments": 0}, {"n_segments": 2}, {"n_ngrams": 0}, {"n_ngrams": 3}, {"seed": 7},
        {"level": 0.8}, {"n_resamples": 100}, *THREADS,
    ]  # fmt: skip
    for name in ("report.md", "report.html"):
        for options in tried:
            yield f"{name}({shown(options)})", reporting(frame, name, **few | options)
    for options in SCORING:
        yield f"report.md of columns({shown(options)})", reporting(options_frame(), "report.md", **few | options)
    two = options_frame().drop(columns="system")
    yield "report.md, two columns", reporting(two, "report.md", hypothesis=["hypothesis", "other"], **few)
    yield "report.txt", reporting(frame, "report.txt")
    yield "report of holes", reporting(with_holes(frame), "report.md", errors="coerce", on_nothing=1)
    for title in ("no rows", "one row", "several reference columns", "dictionary", "MultiIndex", "lone surrogates"):
        case = odd_frames.AWKWARD[title]()
        yield f"report.md awkward {title}", reporting(case.frame, "report.md", **case.columns, **few)


# ---- Plots ----


def plotting(frame: Any, name: str, *arguments: Any, **options: Any) -> Callable[[], Tree]:
    def draw(axes: Any) -> Tree:
        axes.figure.canvas.draw()
        tree = axes_of(axes)
        plt.close("all")
        return tree

    return lambda: outcome(lambda: getattr(frame.bleu.plot, name)(*arguments, **options), draw)


def plot_calls() -> Calls:
    frame = options_frame()
    counted = pd.concat([bleupandas.components(frame), frame], axis=1)
    paired: dict[str, Any] = {"system": "system", "id": "id"}
    own: dict[str, list[dict[str, Any]]] = {
        "scores": [{"by": "system"}, {"bins": 5}, {"smoothing": "exp"}, {"convention": "nltk"}],
        "precisions": [{"by": "system"}, {"by": "domain"}, {"smoothing": "exp"}],
        "lengths": [{"by": "system"}, {"by": "domain"}],
        "ngrams": [{"n": 3}, {"n": 0}, {"orders": 2}, {"orders": [1, 3]}],
        "waterfall": [paired, paired | {"baseline": "pivot"}, {"smoothing": "exp"}, {"on_unpaired": "drop"}],
    }
    common: list[dict[str, Any]] = [
        {}, {"figsize": (3, 2)}, {"max_order": 2}, {"hypothesis": "other"}, {"references": "flat"}, {"nothing": 1},
        {"errors": "coerce"}, *THREADS,
    ]  # fmt: skip
    for name in PLOTS:
        for options in [*common, *own[name]]:
            yield f"plot.{name}({shown(options)})", plotting(frame, name, **options)
        yield f"plot.{name} components", plotting(counted, name, components=True)
        yield f"plot.{name} holes", plotting(with_holes(frame), name, errors="coerce")
        for title in ("no rows", "one row", "several reference columns", "dictionary", "MultiIndex", "Parquet"):
            case = odd_frames.AWKWARD[title]()
            yield f"plot.{name} awkward {title}", plotting(case.frame, name, **case.columns)
    for label in (0, 5, 99):
        yield f"plot.waterfall of row {label}", plotting(SMALL, "waterfall", label)
