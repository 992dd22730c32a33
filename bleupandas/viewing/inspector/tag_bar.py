"""The bar above the segment: Previous, Next, and the boxes for a tag and a note."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import resources
from typing import Any

import anywidget
import traitlets

from bleupandas.viewing.html import STYLE
from bleupandas.viewing.inspector.segment_list import LIST_STYLE
from bleupandas.viewing.inspector.tags import KINDS

SCRIPT = (resources.files("bleupandas.viewing.inspector") / "tag_bar.js").read_text(encoding="utf-8")
EMPTY = {"row": -1, "tag": "", "note": "", "used": [], "previous": False, "next": False, "answer": ""}


class TagBar(anywidget.AnyWidget):
    """Shows the tag and the note of one row; a message says which row a text belongs to.

    The page only sends messages and Python only sends the state, so neither overwrites what the other one changes.

    Attributes
    ----------
    state : dict
        ``row``, ``tag``, ``note``, ``used`` (tags to suggest), ``previous`` and ``next`` (whether there is a row), and
        ``answer``: the last step that was taken, as the page named it.
    """

    _esm = SCRIPT
    _css = STYLE + LIST_STYLE
    state = traitlets.Dict(EMPTY).tag(sync=True)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._answer = ""
        self._newest: dict[tuple[str, int, str], int] = {}

    def show(self, row: int, texts: dict[str, str], used: Sequence[str], previous: bool, following: bool) -> None:
        """Show a row's tag and note, in one message to the page."""
        shown = {"row": row, **texts, "used": list(used), "previous": previous, "next": following}
        self.state = {**shown, "answer": self._answer}

    @contextmanager
    def answering(self, message: dict[str, Any]) -> Iterator[None]:
        """Answer a step of the page, together with the new row, or when there is none: until then the boxes are locked.

        An answer after the segment is drawn would be too late: what a fast person types by then would be dropped.
        """
        if message.get("kind") == "step" and "view" in message:
            self._answer = f"{message['view']} {message['number']}"
        try:
            yield
        finally:
            self.state = {**self.state, "answer": self._answer}

    def newest(self, message: dict[str, Any]) -> dict[str, str]:
        """Return the texts of a message without those that an overtaking message has already replaced."""
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
        """Return a text that is the same in every run."""
        return "<TagBar>"
