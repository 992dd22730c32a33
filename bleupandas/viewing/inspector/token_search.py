"""Looking for an n-gram or a text in every row, when it is asked for: nothing is kept between two searches."""

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
OfList = Callable[[Tokens], int]


class NgramCounts(NamedTuple):
    """What there is of one n-gram in every row, (n_rows,) each."""

    in_hypothesis: Counts
    max_reference_count: Counts  # in the reference that has it most often


def ngram_counts(tokens: TokenColumns, missing: NDArray[np.bool_], ngram: Sequence[str]) -> NgramCounts:
    """Count one n-gram in every row.

    Parameters
    ----------
    tokens : TokenColumns
    missing : ndarray of bool, (n_rows,)
        Rows that cannot be read: nothing is found there.
    ngram : sequence of str
        At least one token.

    Examples
    --------
    >>> import pandas as pd
    >>> from bleupandas.reading.token_columns import token_columns
    >>> df = pd.DataFrame({"hypothesis": [["a", "b", "a", "b"]], "references": [[["a", "b"], ["b", "a"]]]})
    >>> tokens = token_columns(df, None, None, "inspect")
    >>> [counts.tolist() for counts in ngram_counts(tokens, np.zeros(1, bool), ["a", "b"])]
    [[2], [1]]
    """
    wanted = list(ngram)
    in_list = counter_of(wanted)
    hypothesis, *references = tokens.forms

    def in_arrow(cells: ArrowLists) -> Counts:
        return _arrow_occurrences(cells, wanted)

    own = highest(hypothesis, missing, in_list, in_arrow)
    most = np.zeros(len(missing), np.int64)
    for form in references:
        np.maximum(most, highest(form, missing, in_list, in_arrow), out=most)
    return NgramCounts(own, most)


def text_rows(tokens: TokenColumns, missing: NDArray[np.bool_], text: str) -> NDArray[np.bool_]:
    """Tell the rows, (n_rows,), where a text stands in the hypothesis or a reference, their tokens joined by spaces.

    Case does not matter.

    Examples
    --------
    >>> import pandas as pd
    >>> from bleupandas.reading.token_columns import token_columns
    >>> df = pd.DataFrame({"hypothesis": [["A", "bat"], []], "references": [["a", "b"], ["c"]]})
    >>> text_rows(token_columns(df, None, None, "inspect"), np.zeros(2, bool), "a BA").tolist()
    [True, False]
    """
    wanted = text.casefold()

    def in_arrow(cells: ArrowLists) -> Counts:
        flat = _flat(cells)
        lists = pa.LargeListArray.from_arrays(cells.lists, flat)
        joined = pc.binary_join(lists, pa.scalar(b" ", flat.type)).to_pylist()
        return np.array([wanted in line.decode().casefold() for line in joined], np.int64)

    def in_list(held: Tokens) -> int:
        return wanted in " ".join(held).casefold()

    found = np.zeros(len(missing), np.bool_)
    for form in tokens.forms:
        found |= highest(form, missing, in_list, in_arrow) > 0
    return found


def counter_of(ngram: list[str]) -> OfList:
    """Give a function that counts the occurrences of an n-gram in a list, overlapping ones too.

    Most lists lack its longest token, which one pass in C tells.

    Examples
    --------
    >>> counter_of(["a", "a"])(["a", "a", "a"])
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


def highest(
    form: Form, missing: NDArray[np.bool_], of_list: OfList, of_arrow: Callable[[ArrowLists], Counts]
) -> Counts:
    """Give the highest number that a list of each row has, 0 where there is no list; (n_rows,)."""
    found = np.zeros(len(missing), np.int64)
    start, n_rows = 0, len(missing)
    while start < n_rows:
        stop = form.window(start, min(start + WINDOW_ROWS, n_rows))
        if isinstance(form, ArrowColumn):
            cells = form.cells(start, stop)
            which = np.repeat(np.arange(start, stop), np.diff(cells.rows))
            np.maximum.at(found, which, of_arrow(cells))
        else:
            found[start:stop] = _of_objects(form.cells(start, stop), form.nested, of_list)
        start = stop
    found[missing] = 0
    return found


def _of_objects(cells: list[Any], nested: bool, of_list: OfList) -> list[int]:
    """Give the highest number of each cell."""
    rows = [cell if type(cell) is list else _items(cell) for cell in cells]
    if not nested:
        return [of_list(row) for row in rows]
    return [
        max([of_list(item if type(item) is list else _items(item)) for item in row]) if len(row) else 0 for row in rows
    ]


def _items(cell: Any) -> Any:
    """Give what a cell holds; nothing for one that was not counted either."""
    return as_list(cell) or ()


def _flat(cells: ArrowLists) -> Any:
    """Give the tokens of a window as an Arrow array of bytes."""
    kind = pa.large_binary() if cells.tokens.dtype == np.int64 else pa.binary()
    buffers = [None, pa.py_buffer(np.ascontiguousarray(cells.tokens)), pa.py_buffer(np.ascontiguousarray(cells.data))]
    return pa.Array.from_buffers(kind, len(cells.tokens) - 1, buffers)


def _arrow_occurrences(cells: ArrowLists, ngram: list[str]) -> Counts:
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
