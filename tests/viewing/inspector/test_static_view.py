"""The static view: the HTML of an inspector without a kernel, and its page of to_html()."""

from pathlib import Path

import pandas as pd
from inspected import Elements, bleu, find_widget, list_html, segment_html, visible_text

import bleupandas
from bleupandas.viewing.inspector.segment_list import SegmentList
from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector
from bleupandas.viewing.inspector.token_view import TokenView

HOSTILE = ["<s>", "</script>", "&amp;", "$x$", '"q"', "'", "<img src=x onerror=alert(1)>", "\\(y\\)"]


def test_the_mimebundle_has_a_static_view(inspector: SentenceInspector, example: pd.DataFrame) -> None:
    inspector.query = "score < 0.1"
    bundle = inspector._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"}
    assert bundle["text/plain"] == repr(inspector)
    text = visible_text(bundle["text/html"])
    count = len(inspector.frame)
    assert f"{count} of 480 segments" in text
    assert bleu(example).explain()["reason"].iloc[inspector.position] in text
    assert "over-produced" in text
    elements = Elements.parse(bundle["text/html"])
    assert {tag for tag, _ in elements}.isdisjoint({"script", "button", "noscript"})
    assert not any(
        name.startswith("on") or name in ("role", "hidden") for tag, a in elements for name in a if tag == "tr"
    )


def test_two_runs_have_the_same_output(example: pd.DataFrame) -> None:
    outputs = []
    for _ in range(2):
        inspector = bleu(example).inspect(by="domain")
        inspector.group, inspector.sort_by, inspector.tag = "news", "score", "x"
        bundle = inspector._repr_mimebundle_()
        outputs.append((bundle["text/html"], bundle["text/plain"], list_html(inspector), segment_html(inspector)))
        widgets = [inspector, find_widget(inspector, SegmentList), find_widget(inspector, TokenView)]
        inspector.close()
    assert outputs[0] == outputs[1]
    assert "0x" not in "".join(map(repr, widgets))


def test_text_is_escaped(tmp_path: Path) -> None:
    df = pd.DataFrame({"hypothesis": [HOSTILE], "references": [[HOSTILE[:4]]], "<b>": ["<i>&amp;$y$"]}, index=["<u>"])
    inspector = bleupandas.inspect(df, by="<b>")
    inspector.list_columns = ("score", "<b>")
    inspector.tag, inspector.note = "<script>alert(1)</script>", "<b>"
    inspector.query = "score < '<img src=x>'"
    inspector.to_html(tmp_path / "page.html", title="<title>")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for html in (list_html(inspector), segment_html(inspector), inspector.static_html(), page):
        assert {tag for tag, _ in Elements.parse(html)}.isdisjoint({"s", "img", "b", "i", "u"})
        assert "&amp;lt;" not in html
        assert "$" not in html or "mathjax_ignore" in html
    assert page.count("</script>") == 1
    assert inspector.frame["hypothesis"].iloc[0] == HOSTILE
    inspector.close()


def test_right_to_left_text_has_its_direction() -> None:
    tokens = ["שלום", "עולם", "BLEU", "2024", "."]
    df = pd.DataFrame({"hypothesis": [tokens], "references": [[[*tokens[:3], "2025", "."]]]})
    inspector = bleupandas.inspect(df)
    for html in (list_html(inspector), segment_html(inspector)):
        assert 'dir="rtl"' in html
        starts = [html.index(f"<bdi>{token}</bdi>") for token in tokens]
        assert starts == sorted(starts)
    inspector.close()


def test_the_page_of_to_html_loads_nothing(inspector: SentenceInspector, tmp_path: Path) -> None:
    inspector.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    elements = Elements.parse(page)
    assert not [a for _, a in elements if {"src", "href"} & a.keys()]
    assert "import " not in page.partition("<script")[2]
    assert "url(" not in page
