"""df.bleu.show(): rows as HTML by label."""

from pathlib import Path
from typing import Any

import frames
import numpy as np
import pandas as pd
import pytest
from frames import Case

import bleupandas
from bleupandas.viewing.html.page import STYLE
from bleupandas.viewing.html.segment_html import segment_html
from bleupandas.viewing.html.segment_view import segment_view


def positions(shown: Any) -> list[int]:
    return [view.position for view in shown.views]


def on_index(index: Any) -> Any:
    frame = frames.objects().frame
    frame.index = index
    return frame


def test_a_label() -> None:
    frame = on_index(list("abcdef"))
    shown = frame.bleu.show("c")
    assert repr(shown) == "<row 'c' as HTML>"
    assert shown._repr_html_() == f"<style>\n{STYLE}</style>\n{segment_html(segment_view(frame, 2))}"
    assert positions(frame.bleu.show("c", "a")) == [2, 0]
    assert repr(frame.bleu.show("c", "a")) == "<rows 'c', 'a' as HTML>"


def test_a_label_on_several_rows_shows_all() -> None:
    frame = on_index(list("xyxxyz"))
    assert positions(frame.bleu.show("x")) == [0, 2, 3]
    assert positions(frame.sort_index().bleu.show("x")) == [0, 1, 2]
    assert repr(frame.bleu.show("x", "y")) == "<rows 'x', 'x', 'x' and 2 more as HTML>"


@pytest.mark.parametrize(
    ("index", "label", "expected"),
    [
        (pd.RangeIndex(6), 3, [3]),
        (pd.Index([5, 4, 3, 2, 1, 0]), 3, [2]),
        (pd.MultiIndex.from_product([["a", "b"], [3, 1, 2]]), ("b", 1), [4]),
        (pd.MultiIndex.from_product([["a", "b"], [3, 1, 2]]), "b", [3, 4, 5]),
        (pd.date_range("2024-02-28", periods=6), pd.Timestamp("2024-03-01"), [2]),
        (pd.Index([0.5, np.nan, 1.5, 2.0, -1.0, 3.0]), np.nan, [1]),
        (pd.Index([("a", 1), None, "x", "y", "z", "w"], tupleize_cols=False), ("a", 1), [0]),
        (pd.Index([("a", 1), None, "x", "y", "z", "w"], tupleize_cols=False), None, [1]),
    ],
)
def test_labels_of_any_kind(index: Any, label: Any, expected: list[int]) -> None:
    assert positions(on_index(index).bleu.show(label)) == expected


def test_rows_by_position() -> None:
    frame = on_index(list("abcdef"))
    assert repr(frame.iloc[[3]].bleu.show()) == "<row 'd' as HTML>"
    assert positions(frame.bleu.show()) == list(range(6))


def test_first_rows_of_a_long_frame() -> None:
    df: Any = bleupandas.load_example()
    shown = df.bleu.show()
    assert (positions(shown), shown.left_out) == (list(range(20)), 460)
    assert "… and 460 more rows" in shown._repr_html_()
    assert repr(df.head(0).bleu.show()) == "<no rows>"


def test_unknown_labels() -> None:
    frame = on_index(list("abcdef"))
    with pytest.raises(KeyError) as raised:  # the whole text is compared below
        frame.bleu.show(3)
    assert str(raised.value) == (
        "no row 3: the index has 'a', 'b', 'c' and 3 more; for a position, df.iloc[[3]].bleu.show()"
    )
    with pytest.raises(TypeError) as raised_too:  # the whole text is compared below
        frame.bleu.show(["a", "b"])
    assert str(raised_too.value) == (
        "show() takes labels of the index, one by one, not list ['a', 'b']; for several, show('a', 'b')"
    )
    with pytest.raises(TypeError, match="not slice"):
        frame.bleu.show(slice(0, 2))


def test_options_are_passed_on() -> None:
    df: Any = bleupandas.load_example().rename(columns={"hypothesis": "mt"})
    shown = df.bleu(hypothesis="mt", max_order=2).show(3, smoothing="exp", extra=["source"])
    assert shown.views == [segment_view(df, 3, hypothesis="mt", max_order=2, smoothing="exp", extra=["source"])]
    for call, error, message in [
        ({"smoothing": "x"}, ValueError, "smoothing is one of"),
        ({"max_order": 9}, ValueError, "max_order is a whole number from 1 to 8"),
        ({"smooth": "exp"}, TypeError, r"^show\(\) has no keyword 'smooth'; did you mean 'smoothing'\?"),
        ({"hypothesis": "x"}, KeyError, "no column 'x' for the hypothesis"),
        ({"extra": ["x"]}, KeyError, "no column 'x' for extra"),
    ]:
        options: Any = call
        with pytest.raises(error, match=message):
            df.bleu(hypothesis="mt").show(3, **options)
    with pytest.raises(KeyError, match=r"for show\(\), which needs token lists and not only components"):
        df.bleu(hypothesis="mt").components().bleu.show(3)
    with pytest.raises(TypeError, match=r"^show\(\) takes a pandas DataFrame, not list$"):
        bleupandas.show([])  # type: ignore[arg-type]


def test_unreadable_rows() -> None:
    frame: Any = pd.DataFrame({"hypothesis": frames.cells([["a"], None]), "references": frames.cells([["a"], ["a"]])})
    with pytest.raises(ValueError, match=r"row 1 \(position 1\): the hypothesis is missing"):
        frame.bleu.show(1)
    assert "the hypothesis is missing" in frame.bleu(errors="coerce").show(1)._repr_html_()


def test_awkward_frames(awkward_frame: Case) -> None:
    frame: Any = awkward_frame.frame
    before = frames.snapshot(frame)
    shown = frame.bleu(**awkward_frame.columns).show()
    assert positions(shown) == list(range(len(frame)))
    assert shown._repr_html_() == frame.bleu(**awkward_frame.columns).show()._repr_html_()
    shown._repr_html_().encode()
    after = frames.snapshot(frame)
    assert before[:4] + before[5:] == after[:4] + after[5:]


def test_a_page(tmp_path: Path) -> None:
    df: Any = bleupandas.load_example()
    shown = df.bleu.show(3, 5)
    shown.to_html(tmp_path / "page.html", title="<two>")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "<title>&lt;two&gt;</title>" in text
    assert text.count("<section") == 2


def test_works_without_ipywidgets() -> None:
    import subprocess
    import sys

    code = (
        "import sys; sys.modules['ipywidgets'] = sys.modules['anywidget'] = None\n"
        "import bleupandas\n"
        "print(len(bleupandas.load_example().bleu.show(3)._repr_html_()) > 1000)\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "True\n"
