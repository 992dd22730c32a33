"""The inspector without a kernel: the list and a segment as HTML, in a notebook's output or as a file."""

import os
from pathlib import Path

from bleupandas.viewing.html import STYLE, page_html
from bleupandas.viewing.inspector.page_source import INSPECTOR_STYLE
from bleupandas.viewing.inspector.segment_list import Page, list_html
from bleupandas.viewing.inspector.token_view import SCRIPT


def static_html(page: Page, segment: str) -> str:
    """Return a page of the list and a segment's HTML, with their styles and without scripts."""
    return f"<style>\n{STYLE}{INSPECTOR_STYLE}</style>\n{body_html(page, segment)}"


def write_page(path: str | os.PathLike[str], title: str, page: Page, segment: str) -> None:
    """Write a page of the list and a segment to an HTML file that loads nothing else; its script highlights n-grams."""
    script = f'<script type="module">\n{SCRIPT}\nattach(document.querySelector("main"));\n</script>\n'
    body = f"<style>\n{INSPECTOR_STYLE}</style>\n{body_html(page, segment)}{script}"
    Path(path).write_text(page_html(body, title), encoding="utf-8")


def body_html(page: Page, segment: str) -> str:
    """Return the list and the segment."""
    return f'<div class="bleu-static">\n{list_html(page, live=False)}{segment}</div>\n'
