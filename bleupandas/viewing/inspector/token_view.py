"""The widget that shows the tokens and n-grams of one segment, or of two beside each other."""

import anywidget
import traitlets

from bleupandas.viewing.inspector.page_source import WIDGET_STYLE, read_script

SCRIPT = read_script("token_view.js")


class TokenView(anywidget.AnyWidget):
    """The widget that shows segments. The page highlights n-grams itself, and sends a message for each click on one.

    Attributes
    ----------
    html : str
        The HTML of `segment_html`. A section's data-pinned is the id of the n-gram that stays highlighted.
    """

    _esm = SCRIPT
    _css = WIDGET_STYLE
    html = traitlets.Unicode("").tag(sync=True)

    def __repr__(self) -> str:
        """Return the same text in every run."""
        return "<TokenView>"
