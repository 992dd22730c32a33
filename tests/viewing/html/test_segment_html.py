"""A segment as HTML is escaped once, deterministic, and legible in light and dark, also in a real browser."""

import html
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import lab
import pandas as pd
import pytest
from frames import Segment
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples, frame_of, segment_lists

import bleupandas
from bleupandas.viewing.html.page import page_html
from bleupandas.viewing.html.palette import COLOURS, SHADES, shade_level
from bleupandas.viewing.html.segment_html import segment_html
from bleupandas.viewing.html.segment_view import SegmentView, segment_view
from bleupandas.viewing.html.text_html import escape_text, text_direction, token_html, visible_text

VOID = {"meta", "br", "wbr", "img", "input", "hr", "link"}
# Cases C01 and C03.
MARKUP: Segment = (
    ["<s>", "R", "&", "D", "<unk>", "</s>", "</script>", '"q"'],
    [["<s>", "R", "&", "D", "</s>"]],
)
HEBREW: Segment = (["שלום", "עולם", "BLEU", "2024", "."], [["שלום", "עולם", "BLEU", "2025", "."]])
ARABIC: Segment = (["مرحبا", "بك"], [["مرحبا", "بكم"]])
JAPANESE: Segment = (["今日", "は", "良い", "天気", "です", "。"], [["今日", "は", "天気", "が", "良い", "です", "。"]])
ODD: Segment = (["a\nb", " ", "x\0", "\ud800", "$x$", "&amp;", "&lt;", "'", "\x85", "\x7f"], [["a\nb", "$x$"]])
ALL = [MARKUP, HEBREW, ARABIC, JAPANESE, ODD]


def view_of(segment: Segment, **options: Any) -> SegmentView:
    return segment_view(frame_of([segment]), 0, **options)


class Page(HTMLParser):
    """Parse HTML into lists of tokens and rows of clipping tables; check that every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, dict[str, Any]]] = []
        self.tags: list[tuple[str, dict[str, Any]]] = []
        self.lists: list[tuple[dict[str, Any], list[tuple[str, str, dict[str, Any]]]]] = []
        self.rows: list[dict[str, Any]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        if tag not in VOID:
            self.open.append((tag, attributes))
        if tag == "p" and "data-side" in attributes:
            self.lists.append((attributes, []))
        if tag == "span" and "data-position" in attributes:
            self.lists[-1][1].append(("", "", attributes))
        if tag == "tr" and "data-ngram" in attributes:
            self.rows.append(attributes)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        kinds = [tag for tag, _ in self.open]
        if len(self.open) > 1 and "data-position" in self.open[-2][1]:
            token, digit, attributes = self.lists[-1][1].pop()
            changed = (token + data, digit, attributes) if kinds[-1] == "bdi" else (token, digit + data, attributes)
            self.lists[-1][1].append(changed)


# ---- Escaping ----


def test_markup_in_tokens() -> None:
    """Case C01."""
    found = segment_html(view_of(MARKUP))
    for text in ("&lt;s&gt;", "&amp;", "&lt;unk&gt;", "&lt;/s&gt;", "&lt;/script&gt;", "&quot;q&quot;"):
        assert f"<bdi>{text}</bdi>" in found
    for text in ("<s>", "<unk>", "</s>", "</script>", "<script", "&amp;lt;", "&amp;quot;", "&amp;amp;"):
        assert text not in found
        assert text not in page_html(found, "a page")
    components = bleupandas.components(frame_of([MARKUP]), max_order=8).iloc[0]
    assert components.tolist() == [8, 5, 5, 3, 2, 1, 0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1]


def test_values_in_frames_are_not_escaped() -> None:
    assert bleupandas.ngrams(frame_of([MARKUP]), orders=1)["ngram"].tolist() == MARKUP[0]


@settings(max_examples=examples(40))
@given(segment_lists(surrogates=True, most=2, references=3), st.integers(1, 8))
def test_tokens_are_read_back(segments: list[Segment], max_order: int) -> None:
    """A parser finds every token once, in logical order, with its coverage."""
    for at, segment in enumerate(segments):
        view = segment_view(frame_of(segments), at, max_order=max_order)
        page = Page(segment_html(view))
        lists = [(view.hypothesis, view.coverage), *zip(view.references, view.reference_coverage, strict=True)]
        assert [attributes["data-side"] for attributes, _ in page.lists] == ["hypothesis"] + ["references"] * len(
            segment[1]
        )
        assert [attributes.get("data-reference") for attributes, _ in page.lists[1:]] == [
            str(i) for i in range(len(segment[1]))
        ]
        for (tokens, levels), (_, chips) in zip(lists, page.lists, strict=True):
            assert [token for token, _, _ in chips] == [visible_text(token) for token in tokens]
            assert [digit for _, digit, _ in chips] == [str(level) for level in levels]
            assert [attributes["data-position"] for *_, attributes in chips] == [str(i) for i in range(len(tokens))]
            assert [attributes["data-coverage"] for *_, attributes in chips] == [str(level) for level in levels]
            shades = [f"bleu-token bleu-c{shade_level(level, max_order)}" for level in levels]
            assert [attributes["class"] for *_, attributes in chips] == shades


@given(st.text())
def test_visible_text(text: str) -> None:
    """Visible text has no control characters or surrogates, and other text is escaped and read back unchanged."""
    shown = visible_text(text)
    shown.encode()
    assert not any(ord(letter) < 0x21 or 0x7F <= ord(letter) < 0xA0 for letter in shown)
    page = Page(f"<p>{token_html(text)}</p>")
    assert page.text == shown
    assert html.unescape(escape_text(text)) == text.encode("utf-8", "backslashreplace").decode()


def test_signs_for_hidden_characters() -> None:
    assert [visible_text(token) for token in ODD[0]] == [
        *("a␊b", "␣", "x␀", "\\ud800", "$x$", "&amp;", "&lt;", "'", "\\u0085", "␡"),
    ]


@pytest.mark.parametrize(
    "value", ["<b>x</b>", "</script><script>alert(1)</script>", '" onload="x', "&amp;", "$x$", "\ud800"]
)
def test_labels_columns_and_reasons(value: str) -> None:
    frame = frame_of([(["a"], [["b"]])])
    frame.index = pd.Index([value], dtype=object)
    frame.columns = frame.columns.astype(object)
    frame[value] = pd.Series([value], index=frame.index, dtype=object)
    found = segment_html(segment_view(frame, 0))
    page = Page(page_html(found, value))
    assert {tag for tag, _ in page.tags}.isdisjoint({"b", "script"})
    assert page.text.count(value.encode("utf-8", "backslashreplace").decode()) == 5  # title, h1, row, dt, dd


def test_reason_of_a_row_that_cannot_be_read() -> None:
    frame = pd.DataFrame({"hypothesis": ["<b>text</b>"], "references": [[["a"]]]})
    found = segment_html(segment_view(frame, 0, errors="coerce"))
    assert "got the text &#x27;&lt;b&gt;text&lt;/b&gt;&#x27;, expected a list of tokens" in found
    assert "not scored" in found
    assert Page(found).lists == []


# ---- Direction, MathJax ----


def test_right_to_left() -> None:
    """Case C03: tokens are in logical order and isolated; lists have dir="rtl", as browsers ignore <bdi> in "auto"."""
    for segment in (HEBREW, ARABIC):
        page = Page(segment_html(view_of(segment)))
        assert [attributes["dir"] for attributes, _ in page.lists] == ["rtl", "rtl"]
        assert [token for token, *_ in page.lists[0][1]] == segment[0]
    others: list[Segment] = [(["2024", "BLEU", "שלום"], [["x"]]), (["1"], [["."]]), ([], [[]])]
    for segment in (MARKUP, JAPANESE, *others):
        assert {attributes["dir"] for attributes, _ in Page(segment_html(view_of(segment))).lists} == {"auto"}
    assert text_direction(["2024", "שלום", "x"]) == "rtl"


def test_mathjax_is_kept_out() -> None:
    [(tag, attributes)] = Page(segment_html(view_of(ODD))).tags[:1]
    assert tag == "section"
    assert {"bleupandas", "tex2jax_ignore", "mathjax_ignore"} <= set(attributes["class"].split())


# ---- Numbers ----


def test_numbers() -> None:
    df = bleupandas.load_example()
    found = segment_html(segment_view(df, 3))
    assert "<strong>row <bdi>3</bdi></strong>" in found
    assert "score <strong>0.039</strong>" in found
    row = bleupandas.explain(df.iloc[[3]]).iloc[0]
    assert html.escape(row["reason"]) in found
    assert f"<span>{row['main_cause']}</span>" in found
    assert '<tr><th scope="row">1</th><td>4 of 8</td><td><span class="bleu-bar"><span style="width: 50.0%">' in found
    assert "brevity penalty <strong>1.000</strong>: hypothesis 8 tokens, closest reference 8 tokens" in found
    assert "1-grams: 4 of 8 matched, 4 over-produced, 23 missing" in found
    assert "La lluvia obligó a suspender el partido." in found


def test_orders_without_ngrams() -> None:
    found = segment_html(view_of((["a", "b"], [["a", "b", "c"]])))
    assert '<tr><th scope="row">3</th><td>0 of 0</td>' in found
    assert "<td>–</td>" in found
    assert [attributes["data-order"] for tag, attributes in Page(found).tags if tag == "details"] == ["1", "2", "3"]
    empty = Page(segment_html(view_of(([], [[]]))))
    assert [attributes for tag, attributes in empty.tags if tag == "details"] == []


def test_without_smoothing_there_is_no_smoothed_column() -> None:
    assert "smoothed" not in segment_html(view_of(HEBREW, smoothing="none"))


def test_the_position_is_shown_if_the_label_differs() -> None:
    frame = frame_of([(["a"], [["a"]])] * 2)
    assert "(position" not in segment_html(segment_view(frame, 1))
    frame.index = pd.Index(["x", "x"])
    assert "<bdi>x</bdi></strong> <small>(position 1)</small>" in segment_html(segment_view(frame, 1))


# ---- The clipping table ----


def test_data_attributes_of_rows() -> None:
    """The n-gram's id, its order, its positions on both sides, and the positions of matched occurrences."""
    view = view_of((["the", "cat", "the", "cat"], [["a", "cat", "the", "cat"], ["the"]]))
    rows = {attributes["data-ngram"]: attributes for attributes in Page(segment_html(view)).rows}
    assert len(rows) == len(view.ngrams)
    for ngram in view.ngrams:
        row = rows[str(ngram.id)]
        assert row["data-order"] == str(ngram.order)
        assert row["data-hypothesis"].split() == [str(at) for at in ngram.hypothesis]
        assert row["data-matched"].split() == [str(at) for at in ngram.hypothesis[: ngram.clipped_count]]
        places = [f"{which}:{at}" for which, starts in enumerate(ngram.references) for at in starts]
        assert row["data-references"].split() == places
    the = next(row for row in rows.values() if row["data-hypothesis"] == "0 2" and row["data-order"] == "1")
    assert (the["data-matched"], the["data-references"]) == ("0", "0:2 1:0")


def test_unmatched_ngrams_are_first_and_open() -> None:
    view = view_of((["a", "b", "c"], [["a", "b", "d"]]))
    page = Page(segment_html(view))
    opened = [attributes["data-order"] for tag, attributes in page.tags if tag == "details" and "open" in attributes]
    assert opened == ["1"]
    first = [view.ngrams[int(row["data-ngram"])] for row in page.rows if row["data-order"] == "1"]
    assert [(ngram.tokens, ngram.status) for ngram in first] == [
        *((("c",), "over-produced"), (("d",), "missing"), (("a",), "matched"), (("b",), "matched")),
    ]
    perfect = Page(segment_html(view_of((["a", "b"], [["a", "b"]]))))
    assert not [attributes for tag, attributes in perfect.tags if tag == "details" and "open" in attributes]
    ordered = Page(segment_html(view_of((["b", "a"], [["a", "b"]]))))
    assert [
        attributes["data-order"] for tag, attributes in ordered.tags if tag == "details" and "open" in attributes
    ] == ["2"]


def test_long_segments_are_cut() -> None:
    tokens: Any = [f"w{i}" for i in range(3000)]
    page = Page(segment_html(view_of((tokens, [["x", *tokens[:10]]]))))
    assert len(page.lists[0][1]) == 2000
    assert "… and 1000 more tokens" in page.text
    assert sum(row["data-order"] == "1" for row in page.rows) == 200
    assert "… and 2801 more" in page.text


# ---- Deterministic and self-contained ----


def test_determinism() -> None:
    for segment in ALL:
        assert segment_html(view_of(segment)) == segment_html(view_of(segment))
    assert not re.search(r"""\sid=|0x[0-9a-f]{6}""", segment_html(view_of(ODD)))


def test_self_contained() -> None:
    page = page_html("".join(segment_html(view_of(segment)) for segment in ALL), "page")
    assert not re.search(r"https?:|//|@import|url\(|src=|href=", page)


# ---- In a browser ----


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a page of all segments above, and a page of only two short ones of the example, because axe is slow."""
    folder = tmp_path_factory.mktemp("pages")
    for name, frame in (("odd", frame_of(ALL)), ("example", bleupandas.load_example().iloc[4:6])):
        frame = frame.assign(note=["<i>x</i>"] * len(frame))
        body = "".join(segment_html(segment_view(frame, at)) for at in range(len(frame)))
        (folder / f"{name}.html").write_text(page_html(body, f"<{name}>"), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with lab.browser_page(1000, 800) as page:
        yield page


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["odd", "example"])
def test_page_in_a_browser(browser: Any, pages: Path, name: str, scheme: str) -> None:
    """The page has no error, no request, no serious accessibility fault, and the right colours."""
    from axe_playwright_python.sync_playwright import Axe

    browser.emulate_media(color_scheme=scheme)
    browser.goto((pages / f"{name}.html").as_uri())
    assert browser.title() == f"<{name}>"
    dark = scheme == "dark"
    paper = browser.evaluate("getComputedStyle(document.querySelector('.bleupandas')).backgroundColor")
    assert paper == rgb(COLOURS["paper"][dark])
    for shade in range(0, SHADES + 1, 2):
        chips = browser.query_selector_all(f".bleu-token.bleu-c{shade}")
        assert chips
        colours = chips[0].evaluate("e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]")
        assert colours == [rgb(COLOURS[f"{kind}{shade}"][dark]) for kind in "ct"]
    tags = ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"]
    found = Axe().run(browser, options={"runOnly": {"type": "tag", "values": tags}})
    faults = [fault for fault in found.response["violations"] if fault["impact"] in ("serious", "critical")]
    assert faults == []
    assert browser.faults == []


def rgb(colour: str) -> str:
    return "rgb({}, {}, {})".format(*(int(colour[i : i + 2], 16) for i in (1, 3, 5)))


@pytest.mark.browser
def test_tokens_are_in_reading_direction(browser: Any, pages: Path) -> None:
    """The first token of a right-to-left list is at the right; that of any other list is at the left."""
    browser.goto((pages / "odd.html").as_uri())
    for at, segment in enumerate(ALL):
        hypothesis = browser.query_selector_all(f'[data-row="{at}"] [data-side="hypothesis"] [data-position]')
        assert len(hypothesis) == len(segment[0])
        edges = [chip.bounding_box()["x"] for chip in hypothesis]
        assert edges == sorted(edges, reverse=segment in (HEBREW, ARABIC))
        shown = [chip.query_selector("bdi").inner_text() for chip in hypothesis]
        assert shown == [visible_text(token) for token in segment[0]]


@pytest.mark.browser
def test_a_narrow_page_does_not_overflow(browser: Any, pages: Path) -> None:
    browser.set_viewport_size({"width": 360, "height": 700})
    browser.goto((pages / "example.html").as_uri())
    width = browser.evaluate("document.documentElement.scrollWidth")
    browser.set_viewport_size({"width": 1000, "height": 800})
    assert width <= 360


def test_a_segment_without_styles() -> None:
    """If a host strips styles, classes and data attributes, digits and text still have all the information."""
    page = Page(segment_html(view_of((["a", "b", "c"], [["a", "b"]]))))
    words = " ".join(page.text.split())
    assert "hypothesis, 3 tokens a2 b2 c0 reference, 2 tokens a2 b2" in words
    assert "12 of 3 0.667" in words  # cells of a row: order 1, 2 of 3
