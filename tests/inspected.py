"""Helpers for tests of the inspector: its widgets, messages as the page sends them, and elements of its HTML."""

from html.parser import HTMLParser
from typing import Any

import comm
import pandas as pd
from ipywidgets import Button, Dropdown

from bleupandas.viewing.inspector.segment_list import SegmentList
from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector
from bleupandas.viewing.inspector.tag_bar import TagBar
from bleupandas.viewing.inspector.token_view import TokenView
from bleupandas.viewing.inspector.widget_tree import iterate_widgets

# The widget that sends each kind of message; the list sends steps too.
SENDERS = {
    "select": SegmentList,
    "sort": SegmentList,
    "page": SegmentList,
    "jump": SegmentList,
    "step": TagBar,
    "label": TagBar,
    "ngram": TokenView,
}
DESCRIPTIONS = {
    "by": "Column",
    "group": "Value",
    "main_cause": "Cause",
    "score_range": "Score",
    "search": "Find",
    "search_in": "as",
    "query": "Query",
    "order": "Max. order",
    "smoothing": "Smoothing",
    "list_columns": "Columns",
}


def bleu(df: pd.DataFrame) -> Any:
    """Return the accessor, which type checkers take for a column."""
    return df.bleu


# ---- Widgets ----


def find_widget(inspector: SentenceInspector, kind: type) -> Any:
    """Return the one widget of a class."""
    [widget] = [widget for widget in iterate_widgets(inspector) if isinstance(widget, kind)]
    return widget


def find_control(inspector: SentenceInspector, trait: str) -> Any:
    """Return the control of a trait, by its description on the page."""
    described = [w for w in iterate_widgets(inspector) if getattr(w, "description", None) == DESCRIPTIONS[trait]]
    [control] = [widget for widget in described if not isinstance(widget, Button)]
    return control


def find_dropdowns(inspector: SentenceInspector) -> list[Any]:
    """Return all dropdowns."""
    return [widget for widget in iterate_widgets(inspector) if isinstance(widget, Dropdown)]


def clear_filters(inspector: SentenceInspector) -> None:
    """Press the button "Clear filters"."""
    find_widget(inspector, Button).click()


def list_html(inspector: SentenceInspector) -> str:
    """Return the HTML of the list."""
    return str(find_widget(inspector, SegmentList).html)


def segment_html(inspector: SentenceInspector) -> str:
    """Return the HTML of the current segment."""
    return str(find_widget(inspector, TokenView).html)


def bar_state(inspector: SentenceInspector) -> dict[str, Any]:
    """Return the state of the tag bar."""
    state: dict[str, Any] = find_widget(inspector, TagBar).state
    return state


def count_widgets() -> int:
    """Return the number of open widgets in this process."""
    return len(comm.get_comm_manager().comms)


# ---- Messages ----


def receive(channel: Any, **data: Any) -> None:
    """Pass a message of the page to a widget's comm, as the kernel does."""
    channel.handle_msg({"content": {"data": data}, "buffers": []})


def send(inspector: SentenceInspector, **message: Any) -> None:
    """Send a message of the list, the segment or the tag bar."""
    receive(find_widget(inspector, SENDERS[message["kind"]]).comm, method="custom", content=message)


def send_label(inspector: SentenceInspector, row: int, number: int = 1, view: str = "v", **texts: str) -> None:
    """Send a tag or a note that was typed for a row."""
    send(inspector, kind="label", row=row, texts=texts, view=view, number=number)


# ---- HTML ----


def page_positions(inspector: SentenceInspector) -> list[int]:
    """Return the positions of the rows on the page of the list."""
    elements = Elements.parse(list_html(inspector))
    return [int(a["data-position"]) for tag, a in elements if tag == "tr" and "data-position" in a]


def segment_positions(inspector: SentenceInspector) -> list[int]:
    """Return the positions of the rows whose segments are visible: one, or two if they are compared."""
    return [int(a["data-row"]) for tag, a in Elements.parse(segment_html(inspector)) if tag == "section"]


def ngram_id(inspector: SentenceInspector, *tokens: str) -> int:
    """Return the id of an n-gram in the clipping table of the first segment."""
    parser = NgramRows()
    parser.feed(segment_html(inspector))
    return parser.ids[tokens]


class Elements(HTMLParser):
    """Collects the elements of HTML, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    @classmethod
    def parse(cls, html: str) -> list[tuple[str, dict[str, str]]]:
        parser = cls()
        parser.feed(html)
        return parser.elements


class NgramRows(HTMLParser):
    """Collects the ids of the n-grams in clipping tables, by their tokens; the first of each."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: dict[tuple[str, ...], int] = {}
        self.id = -1
        self.tokens: list[str] = []
        self.in_token = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr" and (found := dict(attrs).get("data-ngram")):
            self.id, self.tokens = int(found), []
        self.in_token = tag == "bdi" and self.id >= 0

    def handle_data(self, data: str) -> None:
        if self.in_token:
            self.tokens.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "bdi":
            self.in_token = False
        elif tag == "tr" and self.id >= 0:
            self.ids.setdefault(tuple(self.tokens), self.id)
            self.id = -1


def visible_text(html: str) -> str:
    """Return the text of HTML."""
    parser = Elements()
    parser.feed(html)
    return "".join(parser.text)
