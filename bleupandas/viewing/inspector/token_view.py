"""The widget that shows one segment, or two beside each other; pointing at n-grams is answered in the page."""

from importlib import resources

import anywidget
import traitlets

from bleupandas.viewing.html import STYLE
from bleupandas.viewing.inspector.segment_list import LIST_STYLE

SCRIPT = (resources.files("bleupandas.viewing.inspector") / "token_view.js").read_text(encoding="utf-8")


class TokenView(anywidget.AnyWidget):
    """Shows segments as `segment_html` gives them, and tells by messages which n-gram was clicked.

    Attributes
    ----------
    html : str
        A section whose data-pinned is the id of an n-gram keeps that lit up.
    """

    _esm = SCRIPT
    _css = STYLE + LIST_STYLE
    html = traitlets.Unicode("").tag(sync=True)

    def __repr__(self) -> str:
        """Say what it is; nothing that changes from run to run."""
        return "<TokenView>"
