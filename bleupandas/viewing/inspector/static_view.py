"""What an inspector leaves where nothing runs: the list and a segment as HTML, for notebooks and as a page."""

import os
from pathlib import Path

from bleupandas.viewing.html import STYLE, page_html
from bleupandas.viewing.inspector.segment_list import LIST_STYLE, Page, list_html
from bleupandas.viewing.inspector.token_view import SCRIPT


def twin_html(page: Page, segment: str) -> str:
    """Give a page of the list and a segment's HTML with the styles that they need; without scripts."""
    return f"<style>\n{STYLE}{LIST_STYLE}</style>\n{body_html(page, segment)}"


def write_page(path: str | os.PathLike[str], title: str, page: Page, segment: str) -> None:
    """Write them as a page that needs nothing else; its script lights up n-grams."""
    script = f'<script type="module">\n{SCRIPT}\nattach(document.querySelector("main"));\n</script>\n'
    body = f"<style>\n{LIST_STYLE}</style>\n{body_html(page, segment)}{script}"
    Path(path).write_text(page_html(body, title), encoding="utf-8")


def body_html(page: Page, segment: str) -> str:
    """Give the list and the segment."""
    return f'<div class="bleu-static">\n{list_html(page, live=False)}{segment}</div>\n'
