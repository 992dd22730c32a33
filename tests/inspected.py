"""What tests of the inspector share: messages as the page sends them, and the HTML that comes back."""

from html.parser import HTMLParser
from typing import Any

import pandas as pd

from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector


def bleu(df: pd.DataFrame) -> Any:
    """Give the accessor, which type checkers take for a column."""
    return df.bleu


def say(inspector: SentenceInspector, **message: Any) -> None:
    """Send what the list, the segment or the bar in the page would."""
    inspector._heard(None, message, None)


def label(inspector: SentenceInspector, row: int, number: int = 1, view: str = "v", **texts: str) -> None:
    """Send a tag or a note that was typed on a row."""
    say(inspector, kind="label", row=row, texts=texts, view=view, number=number)


def listed(inspector: SentenceInspector) -> list[int]:
    """Give the positions on the page that is shown."""
    shown = Elements.of(inspector._list.html)
    return [
        int(attributes["data-position"]) for tag, attributes in shown if tag == "tr" and "data-position" in attributes
    ]


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
    def of(cls, html: str) -> list[tuple[str, dict[str, str]]]:
        parser = cls()
        parser.feed(html)
        return parser.elements


def text_of(html: str) -> str:
    parser = Elements()
    parser.feed(html)
    return "".join(parser.text)
