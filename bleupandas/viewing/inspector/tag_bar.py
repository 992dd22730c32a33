"""The bar above the segment: the buttons Previous and Next, and the boxes for a tag and a note."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import anywidget
import traitlets

from bleupandas.viewing.inspector.page_source import WIDGET_STYLE, read_script
from bleupandas.viewing.inspector.tags import KINDS

EMPTY = {"row": -1, "tag": "", "note": "", "used": [], "previous": False, "next": False, "answer": ""}


class TagBar(anywidget.AnyWidget):
    """The widget that shows the tag and the note of one row. Each message names the row that its text is for.

    The page only sends messages and Python only sends the state, so neither overwrites a change of the other.

    Attributes
    ----------
    state : dict
        ``row``, ``tag``, ``note``, ``used`` (tags to suggest), ``previous`` and ``next`` (whether there is a row), and
        ``answer``: the view and number of the last step of the page that was handled.
    """

    _esm = read_script("tag_bar.js")
    _css = WIDGET_STYLE
    state = traitlets.Dict(EMPTY).tag(sync=True)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._answer = ""
        self._newest: dict[tuple[str, int, str], int] = {}

    def update(self, row: int, texts: dict[str, str], used: Sequence[str], previous: bool, following: bool) -> None:
        """Show the tag and the note of a row, in one message to the page."""
        buttons = {"previous": previous, "next": following}
        self.state = {"row": row, **texts, "used": list(used), **buttons, "answer": self._answer}

    @contextmanager
    def answering(self, message: dict[str, Any]) -> Iterator[None]:
        """Answer a step of the page together with the new row, or at the end if the row stays the same.

        The page locks the boxes until the answer. An answer after the segment is drawn would come too late: text that
        a fast user types in between would be lost.
        """
        if message.get("kind") == "step" and "view" in message:
            self._answer = f"{message['view']} {message['number']}"
        try:
            yield
        finally:
            self.state = {**self.state, "answer": self._answer}

    def newest_texts(self, message: dict[str, Any]) -> dict[str, str]:
        """Return the texts of a message, except those that a later message has already replaced."""
        texts = {}
        for kind in KINDS:
            if kind not in message["texts"]:
                continue
            key = (message["view"], message["row"], kind)
            if message["number"] > self._newest.get(key, 0):
                self._newest[key] = message["number"]
                texts[kind] = message["texts"][kind]
        return texts

    def __repr__(self) -> str:
        """Return the same text in every run."""
        return "<TagBar>"
