"""The life of an inspector: one redraw for a change, and nothing that stays behind."""

import gc
import subprocess
import sys
import weakref

import pandas as pd
import pytest
from inspected import say
from ipywidgets.widgets import widget as registry

import bleupandas
from bleupandas.viewing.inspector import live
from bleupandas.viewing.inspector.live import parts as parts_of
from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector


def test_one_change_is_one_redraw(inspector: SentenceInspector) -> None:
    drawn: list[str] = []
    for widget, name in ((inspector._list, "list"), (inspector._view, "segment")):
        widget.observe(lambda _, name=name: drawn.append(name), names="html")

    def redraws() -> list[str]:
        found = sorted(drawn)
        drawn.clear()
        return found

    inspector.query = "domain == 'travel'"
    assert redraws() == ["list", "segment"]
    inspector.position = int(inspector.frame.index[4])
    assert redraws() == ["list", "segment"]
    inspector.page = 1
    assert redraws() == ["list"]
    inspector.page = 0
    inspector.tag = "x"
    assert redraws() == ["list", "list"]
    inspector._controls.by_trait["smoothing"].value = "method3"
    assert redraws() == ["list", "segment"]
    say(inspector, kind="sort", column=1)
    assert redraws() == ["list", "segment"]
    say(inspector, kind="ngram", segment=0, id=0, where=None)
    assert redraws() == ["list", "segment"]
    with inspector.hold_trait_notifications():
        inspector.query, inspector.by, inspector.group, inspector.order = "score > 0", "domain", "news", 3
    assert redraws() == ["list", "segment"]
    inspector.query = "score > 0"
    assert redraws() == []


def test_closing_leaves_no_widget_and_no_observer(example: pd.DataFrame) -> None:
    before = set(registry._instances)
    inspector = bleupandas.inspect(example, by="domain")
    inspector.query, inspector.tag = "score < 0.1", "x"
    parts = list(parts_of(inspector))
    assert len(parts) > 30
    inspector.observe(lambda change: None)
    inspector.close()
    assert set(registry._instances) == before
    assert not any(part._trait_notifiers for part in parts)
    assert inspector.tags["tag"].count() == 1
    assert 0 < len(inspector.frame) < 480
    inspector.close()


def test_a_closed_inspector_is_freed(example: pd.DataFrame) -> None:
    inspector = bleupandas.inspect(example, by="domain")
    references = [weakref.ref(thing) for thing in (inspector, inspector._list, inspector._view, inspector._controls)]
    inspector.close()
    del inspector
    gc.collect()
    assert [reference() for reference in references] == [None] * 4


def test_hundreds_of_redraws_leak_nothing() -> None:
    df = pd.DataFrame({"hypothesis": [["a"], ["b"], ["a", "b"]], "references": [["a"], ["a"], ["b", "a"]]})
    inspector = bleupandas.inspect(df, max_order=1)
    inspector.step()
    gc.collect()
    widgets = len(registry._instances)
    views = []
    for at in range(200):
        inspector.step(1 if at % 2 else -1)
        views += [weakref.ref(view) for view in inspector._views]
    gc.collect()
    assert len(registry._instances) == widgets
    assert [view() for view in views if view() is not None] == inspector._views
    inspector.close()


def test_running_a_cell_again_replaces_its_inspector(example: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    before = len(registry._instances)
    run = ["cell-a", "run-1"]
    monkeypatch.setattr(live, "running_cell", lambda: tuple(run))
    pair = [bleupandas.inspect(example), bleupandas.inspect(example)]
    held = len(registry._instances) - before
    run[:] = "cell-b", "run-2"
    elsewhere = bleupandas.inspect(example)
    run[:] = "cell-a", "run-3"
    again = bleupandas.inspect(example)
    assert [inspector.comm is None for inspector in (*pair, elsewhere, again)] == [True, True, False, False]
    assert len(registry._instances) - before == held
    for inspector in (elsewhere, again):
        inspector.close()
    assert len(registry._instances) == before


def test_importing_the_package_imports_no_widgets() -> None:
    code = "import sys, bleupandas; print([m for m in ('ipywidgets', 'anywidget', 'matplotlib') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
