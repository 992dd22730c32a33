"""What the inspector leaves where nothing runs."""

from pathlib import Path

import pandas as pd
from inspected import Elements, bleu, text_of

import bleupandas
from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector

HOSTILE = ["<s>", "</script>", "&amp;", "$x$", '"q"', "'", "<img src=x onerror=alert(1)>", "\\(y\\)"]


def test_the_mimebundle_holds_a_static_twin(inspector: SentenceInspector) -> None:
    inspector.query = "score < 0.1"
    bundle = inspector._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"}
    assert bundle["text/plain"] == repr(inspector)
    text = text_of(bundle["text/html"])
    count = len(inspector.frame)
    assert f"{count} of 480 segments" in text
    assert inspector._views[0].reason in text
    assert "over-produced" in text
    elements = Elements.of(bundle["text/html"])
    assert {tag for tag, _ in elements}.isdisjoint({"script", "button", "noscript"})
    assert not any(
        name.startswith("on") or name in ("role", "hidden") for tag, a in elements for name in a if tag == "tr"
    )


def test_two_runs_show_the_same(example: pd.DataFrame) -> None:
    shown = []
    for _ in range(2):
        inspector = bleu(example).inspect(by="domain")
        inspector.group, inspector.sort_by, inspector.tag = "news", "score", "x"
        bundle = inspector._repr_mimebundle_()
        shown.append((bundle["text/html"], bundle["text/plain"], inspector._list.html, inspector._view.html))
        inspector.close()
    assert shown[0] == shown[1]
    assert "0x" not in "".join(map(repr, [inspector, inspector._list, inspector._view]))


def test_what_is_text_stays_text(tmp_path: Path) -> None:
    df = pd.DataFrame({"hypothesis": [HOSTILE], "references": [[HOSTILE[:4]]], "<b>": ["<i>&amp;$y$"]}, index=["<u>"])
    inspector = bleupandas.inspect(df, by="<b>")
    inspector.list_columns = ("score", "<b>")
    inspector.tag, inspector.note = "<script>alert(1)</script>", "<b>"
    inspector.query = "score < '<img src=x>'"
    inspector.to_html(tmp_path / "page.html", title="<title>")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for html in (inspector._list.html, inspector._view.html, inspector.static_html(), page):
        assert {tag for tag, _ in Elements.of(html)}.isdisjoint({"s", "img", "b", "i", "u"})
        assert "&amp;lt;" not in html
        assert "$" not in html or "mathjax_ignore" in html
    assert page.count("</script>") == 1
    assert inspector.frame["hypothesis"].iloc[0] == HOSTILE
    inspector.close()


def test_right_to_left_text_runs_that_way() -> None:
    tokens = ["שלום", "עולם", "BLEU", "2024", "."]
    df = pd.DataFrame({"hypothesis": [tokens], "references": [[[*tokens[:3], "2025", "."]]]})
    inspector = bleupandas.inspect(df)
    for html in (inspector._list.html, inspector._view.html):
        assert 'dir="rtl"' in html
        starts = [html.index(f"<bdi>{token}</bdi>") for token in tokens]
        assert starts == sorted(starts)
    inspector.close()


def test_the_page_of_to_html_needs_nothing_else(inspector: SentenceInspector, tmp_path: Path) -> None:
    inspector.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    elements = Elements.of(page)
    assert not [a for _, a in elements if {"src", "href"} & a.keys()]
    assert "import " not in page.partition("<script")[2]
    assert "url(" not in page
