"""The life of an inspector: one redraw for a change, and nothing remains open after closing."""

import gc
import subprocess
import sys
import weakref

import pandas as pd
import pytest
from inspected import count_widgets, find_control, find_widget, send

import bleupandas
from bleupandas.viewing.html import SegmentView
from bleupandas.viewing.inspector import notebook_cells
from bleupandas.viewing.inspector.segment_list import SegmentList
from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector
from bleupandas.viewing.inspector.tag_bar import TagBar
from bleupandas.viewing.inspector.token_view import TokenView
from bleupandas.viewing.inspector.widget_tree import iterate_widgets


def test_one_change_is_one_redraw(inspector: SentenceInspector) -> None:
    draws: list[str] = []
    for kind, name in ((SegmentList, "list"), (TokenView, "segment")):
        find_widget(inspector, kind).observe(lambda _, name=name: draws.append(name), names="html")

    def redraws() -> list[str]:
        names = sorted(draws)
        draws.clear()
        return names

    inspector.query = "domain == 'travel'"
    assert redraws() == ["list", "segment"]
    inspector.position = int(inspector.frame.index[4])
    assert redraws() == ["list", "segment"]
    inspector.page = 1
    assert redraws() == ["list"]
    inspector.page = 0
    inspector.tag = "x"
    assert redraws() == ["list", "list"]
    find_control(inspector, "smoothing").value = "method3"
    assert redraws() == ["list", "segment"]
    send(inspector, kind="sort", column=1)
    assert redraws() == ["list", "segment"]
    send(inspector, kind="ngram", segment=0, id=0, where=None)
    assert redraws() == ["list", "segment"]
    with inspector.hold_trait_notifications():
        inspector.query, inspector.by, inspector.group, inspector.order = "score > 0", "domain", "news", 3
    assert redraws() == ["list", "segment"]
    inspector.query = "score > 0"
    assert redraws() == []


def test_closing_leaves_no_widget_open_and_no_observer(example: pd.DataFrame) -> None:
    before = count_widgets()
    inspector = bleupandas.inspect(example, by="domain")
    inspector.query, inspector.tag = "score < 0.1", "x"
    parts = list(iterate_widgets(inspector))
    assert len(parts) > 30
    calls: list[object] = []
    for part in parts:
        part.observe(calls.append)
    inspector.close()
    assert count_widgets() == before
    calls.clear()
    inspector.query = ""
    find_widget(inspector, SegmentList).html = ""
    assert calls == []
    assert inspector.tags["tag"].count() == 1
    assert 0 < len(inspector.frame) < 480
    inspector.close()


def test_a_closed_inspector_is_freed(example: pd.DataFrame) -> None:
    inspector = bleupandas.inspect(example, by="domain")
    parts = [find_widget(inspector, kind) for kind in (SegmentList, TokenView, TagBar)]
    references = [weakref.ref(part) for part in (inspector, *parts, find_control(inspector, "by"))]
    inspector.close()
    del inspector, parts
    gc.collect()
    assert [reference() for reference in references] == [None] * 5


def test_hundreds_of_redraws_leak_nothing() -> None:
    df = pd.DataFrame({"hypothesis": [["a"], ["b"], ["a", "b"]], "references": [["a"], ["a"], ["b", "a"]]})
    inspector = bleupandas.inspect(df, max_order=1)
    inspector.step()
    gc.collect()
    widgets, views = count_widgets(), count_views()
    for at in range(200):
        inspector.step(1 if at % 2 else -1)
    gc.collect()
    assert (count_widgets(), count_views()) == (widgets, views)
    inspector.close()


def count_views() -> int:
    """Return the number of segment views in memory."""
    return sum(isinstance(thing, SegmentView) for thing in gc.get_objects())


def test_running_a_cell_again_replaces_its_inspector(example: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    before = count_widgets()
    run = ["cell-a", "run-1"]
    monkeypatch.setattr(notebook_cells, "get_running_cell", lambda: tuple(run))
    pair = [bleupandas.inspect(example), bleupandas.inspect(example)]
    n_open = count_widgets() - before
    run[:] = "cell-b", "run-2"
    elsewhere = bleupandas.inspect(example)
    run[:] = "cell-a", "run-3"
    again = bleupandas.inspect(example)
    assert [inspector.comm is None for inspector in (*pair, elsewhere, again)] == [True, True, False, False]
    assert count_widgets() - before == n_open
    for inspector in (elsewhere, again):
        inspector.close()
    assert count_widgets() == before


def test_importing_the_package_imports_no_widgets() -> None:
    code = "import sys, bleupandas; print([m for m in ('ipywidgets', 'anywidget', 'matplotlib') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
