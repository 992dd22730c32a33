"""A segment as escaped HTML, and show()."""

from bleupandas.viewing.html.page import STYLE, page_html
from bleupandas.viewing.html.row_labels import label_positions
from bleupandas.viewing.html.segment_html import segment_html
from bleupandas.viewing.html.segment_view import NgramView, SegmentView, segment_view
from bleupandas.viewing.html.show import show
from bleupandas.viewing.html.side_by_side import pair_html, views_html
from bleupandas.viewing.html.text_html import (
    bar_html,
    escape_text,
    format_number,
    text_direction,
    token_html,
    visible_character,
    visible_text,
)

__all__ = [
    "STYLE",
    "NgramView",
    "SegmentView",
    "bar_html",
    "escape_text",
    "format_number",
    "label_positions",
    "page_html",
    "pair_html",
    "segment_html",
    "segment_view",
    "show",
    "text_direction",
    "token_html",
    "views_html",
    "visible_character",
    "visible_text",
]
