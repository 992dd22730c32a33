"""A segment as escaped HTML, and show()."""

from bleupandas.viewing.html.segment_html import (
    STYLE,
    direction,
    escaped,
    isolated,
    number,
    page_html,
    segment_html,
    visible,
    visible_character,
)
from bleupandas.viewing.html.segment_view import SegmentView, ViewedNgram, segment_view
from bleupandas.viewing.html.show import positions_of, show
from bleupandas.viewing.html.side_by_side import pair_html, views_html

__all__ = [
    "STYLE",
    "SegmentView",
    "ViewedNgram",
    "direction",
    "escaped",
    "isolated",
    "number",
    "page_html",
    "pair_html",
    "positions_of",
    "segment_html",
    "segment_view",
    "show",
    "views_html",
    "visible",
    "visible_character",
]
