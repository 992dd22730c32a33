"""The list of segments: one page of it as HTML, and the widget that shows it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import anywidget
import numpy as np
import traitlets

from bleupandas.viewing.html import STYLE, bar_html, escape_text, format_number, text_direction, token_html

_HERE = resources.files("bleupandas.viewing.inspector")
LIST_STYLE = (_HERE / "inspector.css").read_text(encoding="utf-8")
SCRIPT = (_HERE / "segment_list.js").read_text(encoding="utf-8")

LONGEST_CELL = 80  # characters
PREVIEW_TOKENS = 40
BARS = ("score", "other_score")


@dataclass(frozen=True)
class Column:
    """One column of the list.

    Attributes
    ----------
    label : hashable or None
        None for the index.
    name : str
        What stands above it.
    sortable : bool
    """

    label: Hashable | None
    name: str
    sortable: bool = True


@dataclass(frozen=True)
class Page:
    """What one page of the list shows.

    Attributes
    ----------
    columns : sequence of Column
        The index first, the hypothesis last.
    cells : sequence of sequences
        Row by row, None where missing; the last cell is the hypothesis as a list of tokens.
    positions : sequence of int
        Of the rows in the frame.
    selected : int
        Position of the current row.
    sort_by : hashable or None
        None for the frame's own order.
    ascending : bool
    first : int
        How many listed rows stand before this page.
    shown, total : int
        How many rows are listed, and how many there are.
    tags : sequence of str
        "" for none.
    error : str
    """

    columns: Sequence[Column]
    cells: Sequence[Sequence[Any]]
    positions: Sequence[int]
    selected: int
    sort_by: Hashable | None
    ascending: bool
    first: int
    shown: int
    total: int
    tags: Sequence[str]
    error: str = ""


class SegmentList(anywidget.AnyWidget):
    """Shows a page of the list, and tells by messages what was clicked or typed."""

    _esm = SCRIPT
    _css = STYLE + LIST_STYLE
    html = traitlets.Unicode("").tag(sync=True)

    def __repr__(self) -> str:
        """Say what it is; nothing that changes from run to run."""
        return "<SegmentList>"


def list_html(page: Page, *, live: bool = True) -> str:
    """Give a page of the list as HTML.

    Parameters
    ----------
    page : Page
    live : bool, default True
        With buttons for a widget; without, for where nothing runs.

    Returns
    -------
    str
        A row has data-position, a button of the head data-column (its place), a button below data-page.
    """
    numeric = [numeric_column(page, at) for at in range(len(page.columns))]
    head = "".join(head_cell(page, at, live, numeric[at]) for at in range(len(page.columns)))
    rows = "\n".join(row_html(page, at, live, numeric) for at in range(len(page.positions)))
    role = ' role="grid" aria-label="segments"' if live else ""
    error = f'<p class="bleu-error" role="alert">{escape_text(page.error)}</p>\n' if page.error else ""
    return (
        f'<div class="bleupandas bleu-list tex2jax_ignore mathjax_ignore">\n{count_html(page, live)}\n{error}'
        f"<table{role}>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n</div>\n"
    )


def count_html(page: Page, live: bool) -> str:
    """Give how many rows are listed, which of them are on this page, and the buttons that turn pages."""
    last = page.first + len(page.positions)
    status = ' role="status"' if live else ""
    count = f"<p{status}><strong>{page.shown:,}</strong> of {page.total:,} segments</p>"
    if not page.positions:
        return f'<div class="bleu-pager">{count}</div>'
    place = f"<span>{page.first + 1:,}–{last:,}</span>"
    if live:
        buttons = [
            page_button("first", "«", "first page", page.first > 0),
            page_button("previous", "‹", "previous page", page.first > 0),
            place,
            page_button("next", "›", "next page", last < page.shown),
            page_button("last", "»", "last page", last < page.shown),
        ]
        place = "".join(buttons)
    return f'<div class="bleu-pager">{count}<div class="bleu-turn">{place}</div></div>'


def page_button(where: str, sign: str, name: str, enabled: bool) -> str:
    """Give one button that turns pages."""
    off = "" if enabled else " disabled"
    return f'<button type="button" data-page="{where}" aria-label="{name}" title="{name}"{off}>{sign}</button>'


def head_cell(page: Page, at: int, live: bool, numeric: bool) -> str:
    """Give the head of a column."""
    column = page.columns[at]
    kind = ' class="bleu-number"' if numeric else ""
    name = escape_text(column.name)
    sorted_here = column.sortable and column.label == page.sort_by and (at == 0) == (page.sort_by is None)
    if not sorted_here or (page.sort_by is None and page.ascending):
        aria, sign = "", ""
    else:
        aria = f' aria-sort="{"ascending" if page.ascending else "descending"}"'
        sign = f' <span class="bleu-sort" aria-hidden="true">{"▲" if page.ascending else "▼"}</span>'
    if live and column.sortable:
        name = f'<button type="button" data-column="{at}" title="sort by {name}">{name}{sign}</button>'
    else:
        name += sign
    return f'<th scope="col"{kind}{aria}>{name}</th>'


def row_html(page: Page, at: int, live: bool, numeric: Sequence[bool]) -> str:
    """Give one row."""
    position = page.positions[at]
    current = position == page.selected
    focusable = current or (at == 0 and page.selected not in page.positions)
    chosen = f' aria-selected="{"true" if current else "false"}" tabindex="{0 if focusable else -1}"' if live else ""
    kind = ' class="bleu-current"' if current else ""
    label, *values, tokens = page.cells[at]
    cells = [f'<th scope="row"><bdi>{cell_html(label)}</bdi></th>']
    for place, value in enumerate(values, 1):
        cells.append(value_html(page.columns[place].label, value, numeric[place]))
    tag = f' <span class="bleu-tag"><bdi>{escape_text(page.tags[at])}</bdi></span>' if page.tags[at] else ""
    cells.append(f'<td class="bleu-text">{tag}{preview(tokens)}</td>')
    return f'<tr data-position="{position}"{chosen}{kind}>{"".join(cells)}</tr>'


def value_html(label: Hashable | None, value: Any, numeric: bool) -> str:
    """Give one cell."""
    if str(label).removesuffix("_bleu") in BARS and isinstance(value, float):
        return f'<td class="bleu-number bleu-score">{format_number(value)}{bar_html(value)}</td>'
    kind = ' class="bleu-number"' if numeric else ""
    return f"<td{kind}><bdi>{cell_html(value)}</bdi></td>"


def cell_html(value: Any) -> str:
    """Give a value as escaped text: floats rounded, long text cut, nothing for what is missing."""
    if value is None:
        return ""
    text = str(value)
    if isinstance(value, float):  # NumPy's float64 too
        text = f"{value:.3f}" if abs(value) < 1000 else f"{value:.6g}"
    return escape_text(text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…")


def preview(tokens: Sequence[str]) -> str:
    """Give the beginning of a hypothesis."""
    shown = " ".join(token_html(token[:LONGEST_CELL]) for token in tokens[:PREVIEW_TOKENS])
    more = " …" if len(tokens) > PREVIEW_TOKENS else ""
    return f'<span class="bleu-preview" dir="{text_direction(tokens)}">{shown}{more}</span>'


def numeric_column(page: Page, at: int) -> bool:
    """Tell whether a column of this page holds numbers."""
    if at in (0, len(page.columns) - 1):
        return False
    cells = [row[at] for row in page.cells if row[at] is not None]
    return bool(cells) and all(
        isinstance(cell, int | float | np.number) and not isinstance(cell, bool) for cell in cells
    )
