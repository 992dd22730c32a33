"""Token search: count one n-gram, or find a text, in every row. Nothing is kept between two searches."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from bleupandas.engine import ArrowColumn, ArrowLists, Form, as_list
from bleupandas.reading import TokenColumns

WINDOW_ROWS = 1 << 14

Counts = NDArray[np.int64]
Tokens = Sequence[str]
ListCounter = Callable[[Tokens], int]


class NgramCounts(NamedTuple):
    """The counts of one n-gram in every row, (n_rows,) each."""

    in_hypothesis: Counts
    max_reference_count: Counts  # in the reference that has it most often


def count_ngram(tokens: TokenColumns, missing: NDArray[np.bool_], ngram: Sequence[str]) -> NgramCounts:
    """Count one n-gram in every row.

    Parameters
    ----------
    tokens : TokenColumns
    missing : ndarray of bool, (n_rows,)
        Rows that cannot be read; their counts are 0.
    ngram : sequence of str
        At least one token.

    Examples
    --------
    >>> import pandas as pd
    >>> from bleupandas.reading.token_columns import token_columns
    >>> df = pd.DataFrame({"hypothesis": [["a", "b", "a", "b"]], "references": [[["a", "b"], ["b", "a"]]]})
    >>> tokens = token_columns(df, None, None, "inspect")
    >>> [counts.tolist() for counts in count_ngram(tokens, np.zeros(1, bool), ["a", "b"])]
    [[2], [1]]
    """
    target = list(ngram)
    count_in_list = make_ngram_counter(target)
    hypothesis, *references = tokens.forms

    def count_in_arrow(cells: ArrowLists) -> Counts:
        return _count_in_arrow(cells, target)

    own = max_per_row(hypothesis, missing, count_in_list, count_in_arrow)
    most = np.zeros(len(missing), np.int64)
    for form in references:
        np.maximum(most, max_per_row(form, missing, count_in_list, count_in_arrow), out=most)
    return NgramCounts(own, most)


def find_text(tokens: TokenColumns, missing: NDArray[np.bool_], text: str) -> NDArray[np.bool_]:
    """Return which rows contain a text, (n_rows,): in the hypothesis or a reference, with tokens joined by spaces.

    Upper and lower case are equal.

    Examples
    --------
    >>> import pandas as pd
    >>> from bleupandas.reading.token_columns import token_columns
    >>> df = pd.DataFrame({"hypothesis": [["A", "bat"], []], "references": [["a", "b"], ["c"]]})
    >>> find_text(token_columns(df, None, None, "inspect"), np.zeros(2, bool), "a BA").tolist()
    [True, False]
    """
    target = text.casefold()

    def count_in_arrow(cells: ArrowLists) -> Counts:
        flat = _flat(cells)
        lists = pa.LargeListArray.from_arrays(cells.lists, flat)
        joined = pc.binary_join(lists, pa.scalar(b" ", flat.type)).to_pylist()
        return np.array([target in line.decode().casefold() for line in joined], np.int64)

    def count_in_list(items: Tokens) -> int:
        return target in " ".join(items).casefold()

    found = np.zeros(len(missing), np.bool_)
    for form in tokens.forms:
        found |= max_per_row(form, missing, count_in_list, count_in_arrow) > 0
    return found


def make_ngram_counter(ngram: list[str]) -> ListCounter:
    """Return a function that counts the occurrences of an n-gram in a list, including overlapping ones.

    Most lists do not contain the longest token of the n-gram, and `list.count` finds that quickly.

    Examples
    --------
    >>> make_ngram_counter(["a", "a"])(["a", "a", "a"])
    2
    """
    span = len(ngram)
    longest = max(range(span), key=lambda at: len(ngram[at]))
    anchor = ngram[longest]

    def count(tokens: Tokens) -> int:
        anchors = tokens.count(anchor)
        if span == 1 or not anchors:
            return anchors
        found, at = 0, -1
        for _ in range(anchors):
            at = tokens.index(anchor, at + 1)
            if at >= longest and list(tokens[at - longest : at - longest + span]) == ngram:
                found += 1
        return found

    return count


# ---- Columns, window by window ----


def max_per_row(
    form: Form,
    missing: NDArray[np.bool_],
    count_in_list: ListCounter,
    count_in_arrow: Callable[[ArrowLists], Counts],
) -> Counts:
    """Return the largest count of the lists of each row, 0 if a row has no list; (n_rows,)."""
    found = np.zeros(len(missing), np.int64)
    start, n_rows = 0, len(missing)
    while start < n_rows:
        stop = form.window(start, min(start + WINDOW_ROWS, n_rows))
        if isinstance(form, ArrowColumn):
            cells = form.cells(start, stop)
            which = np.repeat(np.arange(start, stop), np.diff(cells.rows))
            np.maximum.at(found, which, count_in_arrow(cells))
        else:
            found[start:stop] = _max_per_cell(form.cells(start, stop), form.nested, count_in_list)
        start = stop
    found[missing] = 0
    return found


def _max_per_cell(cells: list[Any], nested: bool, count: ListCounter) -> list[int]:
    """Return the largest count of each cell."""
    rows = [cell if type(cell) is list else _items(cell) for cell in cells]
    if not nested:
        return [count(row) for row in rows]
    return [
        max([count(item if type(item) is list else _items(item)) for item in row]) if len(row) else 0 for row in rows
    ]


def _items(cell: Any) -> Any:
    """Return the items of a cell, none for a cell that is not a list."""
    return as_list(cell) or ()


def _flat(cells: ArrowLists) -> Any:
    """Return the tokens of a window as an Arrow array of bytes."""
    kind = pa.large_binary() if cells.tokens.dtype == np.int64 else pa.binary()
    buffers = [None, pa.py_buffer(np.ascontiguousarray(cells.tokens)), pa.py_buffer(np.ascontiguousarray(cells.data))]
    return pa.Array.from_buffers(kind, len(cells.tokens) - 1, buffers)


def _count_in_arrow(cells: ArrowLists, ngram: list[str]) -> Counts:
    """Count an n-gram in every list of a window, (n_lists,)."""
    flat = _flat(cells)
    n_lists, span = len(cells.lists) - 1, len(ngram)
    room = len(flat) - span + 1
    if room <= 0:
        return np.zeros(n_lists, np.int64)
    hits = np.ones(room, np.bool_)
    for at, token in enumerate(ngram):
        same = pc.equal(flat, pa.scalar(token.encode("utf-8", "surrogatepass"), flat.type))
        hits &= np.asarray(same)[at : at + room]
    starts = np.flatnonzero(hits)
    place = np.searchsorted(cells.lists, starts, "right") - 1
    place = place[starts + span <= cells.lists[place + 1]]
    return np.bincount(place, minlength=n_lists)
