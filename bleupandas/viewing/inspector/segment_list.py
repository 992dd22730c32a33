"""The list of segments: draws one page of it as HTML, and the widget that shows it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import anywidget
import numpy as np
import traitlets

from bleupandas.viewing.html import bar_html, escape_text, format_number, text_direction, token_html
from bleupandas.viewing.inspector.page_source import WIDGET_STYLE, read_script

LONGEST_CELL = 80  # characters
PREVIEW_TOKENS = 40
BAR_COLUMNS = ("score", "other_score")


@dataclass(frozen=True)
class Column:
    """One column of the list.

    Attributes
    ----------
    label : hashable or None
        None for the index.
    heading : str
    sortable : bool
    """

    label: Hashable | None
    heading: str
    sortable: bool = True


@dataclass(frozen=True)
class Page:
    """The content of one page of the list.

    Attributes
    ----------
    columns : sequence of Column
        The index first, the hypothesis last.
    cells : sequence of sequences
        Row by row, None where missing; the last cell is the hypothesis as a list of tokens.
    positions : sequence of int
        The positions of the rows in the frame.
    current : int
        The position of the current row.
    sort_by : hashable or None
        None for the order of the frame.
    ascending : bool
    offset : int
        The number of rows on the pages before this one.
    n_visible : int
        The number of rows that pass the filters.
    n_rows : int
        The number of rows of the frame.
    tags : sequence of str
        "" for a row without a tag.
    error : str
    """

    columns: Sequence[Column]
    cells: Sequence[Sequence[Any]]
    positions: Sequence[int]
    current: int
    sort_by: Hashable | None
    ascending: bool
    offset: int
    n_visible: int
    n_rows: int
    tags: Sequence[str]
    error: str = ""


class SegmentList(anywidget.AnyWidget):
    """The widget that shows a page of the list. The page sends a message for each click and key."""

    _esm = read_script("segment_list.js")
    _css = WIDGET_STYLE
    html = traitlets.Unicode("").tag(sync=True)

    def __repr__(self) -> str:
        """Return the same text in every run."""
        return "<SegmentList>"


def list_html(page: Page, *, live: bool = True) -> str:
    """Return the HTML of a page of the list.

    Parameters
    ----------
    page : Page
    live : bool, default True
        Whether to add buttons for the widget.

    Returns
    -------
    str
        Rows have data-position. Buttons in the header have data-column, the number of the column; those that turn pages
        have data-page.
    """
    numeric = [is_numeric_column(page, at) for at in range(len(page.columns))]
    head = "".join(header_cell_html(page, at, live, numeric[at]) for at in range(len(page.columns)))
    rows = "\n".join(row_html(page, at, live, numeric) for at in range(len(page.positions)))
    role = ' role="grid" aria-label="segments"' if live else ""
    error = f'<p class="bleu-error" role="alert">{escape_text(page.error)}</p>\n' if page.error else ""
    return (
        f'<div class="bleupandas bleu-list tex2jax_ignore mathjax_ignore">\n{pager_html(page, live)}\n{error}'
        f"<table{role}>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n</div>\n"
    )


def pager_html(page: Page, live: bool) -> str:
    """Return the number of rows, which of them are on this page, and the buttons that turn pages."""
    last = page.offset + len(page.positions)
    status = ' role="status"' if live else ""
    count = f"<p{status}><strong>{page.n_visible:,}</strong> of {page.n_rows:,} segments</p>"
    if not page.positions:
        return f'<div class="bleu-pager">{count}</div>'
    place = f"<span>{page.offset + 1:,}–{last:,}</span>"
    if live:
        buttons = [
            page_button_html("first", "«", "first page", page.offset > 0),
            page_button_html("previous", "‹", "previous page", page.offset > 0),
            place,
            page_button_html("next", "›", "next page", last < page.n_visible),
            page_button_html("last", "»", "last page", last < page.n_visible),
        ]
        place = "".join(buttons)
    return f'<div class="bleu-pager">{count}<div class="bleu-turn">{place}</div></div>'


def page_button_html(where: str, sign: str, name: str, enabled: bool) -> str:
    """Return a button that turns pages."""
    off = "" if enabled else " disabled"
    return f'<button type="button" data-page="{where}" aria-label="{name}" title="{name}"{off}>{sign}</button>'


def header_cell_html(page: Page, at: int, live: bool, numeric: bool) -> str:
    """Return the header cell of a column."""
    column = page.columns[at]
    kind = ' class="bleu-number"' if numeric else ""
    name = escape_text(column.heading)
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
    """Return one row."""
    position = page.positions[at]
    current = position == page.current
    focusable = current or (at == 0 and page.current not in page.positions)
    selected = f' aria-selected="{"true" if current else "false"}" tabindex="{0 if focusable else -1}"' if live else ""
    kind = ' class="bleu-current"' if current else ""
    label, *values, tokens = page.cells[at]
    cells = [f'<th scope="row"><bdi>{format_cell(label)}</bdi></th>']
    for place, value in enumerate(values, 1):
        cells.append(value_html(page.columns[place].label, value, numeric[place]))
    tag = f' <span class="bleu-tag"><bdi>{escape_text(page.tags[at])}</bdi></span>' if page.tags[at] else ""
    cells.append(f'<td class="bleu-text">{tag}{preview_html(tokens)}</td>')
    return f'<tr data-position="{position}"{selected}{kind}>{"".join(cells)}</tr>'


def value_html(label: Hashable | None, value: Any, numeric: bool) -> str:
    """Return one cell, with a bar if it is a score."""
    if str(label).removesuffix("_bleu") in BAR_COLUMNS and isinstance(value, float):
        return f'<td class="bleu-number bleu-score">{format_number(value)}{bar_html(value)}</td>'
    kind = ' class="bleu-number"' if numeric else ""
    return f"<td{kind}><bdi>{format_cell(value)}</bdi></td>"


def format_cell(value: Any) -> str:
    """Return a value as escaped text: floats rounded, long text cut, "" for None."""
    if value is None:
        return ""
    text = str(value)
    if isinstance(value, float):  # NumPy's float64 too
        text = f"{value:.3f}" if abs(value) < 1000 else f"{value:.6g}"
    return escape_text(text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…")


def preview_html(tokens: Sequence[str]) -> str:
    """Return the first tokens of a hypothesis."""
    text = " ".join(token_html(token[:LONGEST_CELL]) for token in tokens[:PREVIEW_TOKENS])
    more = " …" if len(tokens) > PREVIEW_TOKENS else ""
    return f'<span class="bleu-preview" dir="{text_direction(tokens)}">{text}{more}</span>'


def is_numeric_column(page: Page, at: int) -> bool:
    """Return whether a column of this page holds numbers."""
    if at in (0, len(page.columns) - 1):
        return False
    cells = [row[at] for row in page.cells if row[at] is not None]
    return bool(cells) and all(
        isinstance(cell, int | float | np.number) and not isinstance(cell, bool) for cell in cells
    )
