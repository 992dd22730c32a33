"""Rows of an n-gram frame, made block by block."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.common import Errors, Problem, short_repr
from bleupandas.counting.sums import nullable_integers
from bleupandas.engine import (
    REFERENCE_SURROGATE,
    SURROGATE,
    UNCOUNTED,
    Block,
    Ngrams,
    UnreadableError,
    map_blocks,
    read_blocks,
    read_references,
)
from bleupandas.reading import TokenColumns, changed_problem, row_error

# pandas' own str dtype of version 3, which 2.3 has too
TEXT: Any = pd.StringDtype("pyarrow", na_value=np.nan)
TOKENS = pa.list_(pa.string())


# ---- Rows ----


class NgramLister:
    """Lists the n-grams of token columns as number columns and an n-gram column."""

    def __init__(self, orders: list[int], references: bool, form: str, sep: str) -> None:
        self.orders = orders
        self.references = references
        self.form = form
        self.sep = sep
        self.names = ["segment", "order", "ngram", "count", "max_reference_count", "clipped_count", "first_position"]
        if references:
            self.names += ["missing", "reference"]

    def list_ngrams(
        self, tokens: TokenColumns, errors: Errors, threads: int
    ) -> tuple[dict[str, NDArray[np.int64]], Any]:
        """Return the number columns, (n_ngrams,) each, and the n-gram column."""
        table = GrowingColumns([name for name in self.names if name != "ngram"], self.count_bound(tokens))
        parts: list[Any] = []
        unusable = False
        share = 8 / sum(self.orders)  # text grows with the orders
        for start, (faults, found) in map_blocks(self.list_block, read_blocks(tokens.forms, share), threads):
            if errors == "raise" and (faults & UNCOUNTED).any():
                raise row_error(tokens, start + int(((faults & UNCOUNTED) != 0).argmax()))
            unusable = unusable or found is None
            if found is not None and not unusable:
                table.append(self.number_columns(start, found))
                parts.append(self.ngram_part(tokens, start, found))
        if unusable:
            raise text_error(tokens, self.references, self.sep if self.form == "text" else None)
        return table.columns(), self.ngram_column(parts)

    def table(self, tokens: TokenColumns, errors: Errors, threads: int) -> tuple[NDArray[np.int64], dict[str, Any]]:
        """Return the row of each n-gram, (n_ngrams,), and the columns of an n-gram frame by name."""
        numbers, ngram_column = self.list_ngrams(tokens, errors, threads)
        segment = numbers["segment"]
        data: dict[str, Any] = {name: numbers.get(name, ngram_column) for name in self.names}
        if errors == "coerce":
            whole = np.zeros(len(segment), np.bool_)
            data = {k: v if k == "ngram" else nullable_integers(v, whole) for k, v in data.items()}
        return segment, data

    def count_bound(self, tokens: TokenColumns) -> int:
        """Return an upper bound of the n-grams of the hypotheses; for references it is a first guess."""
        lengths = tokens.forms[0].lengths()
        return int(sum(np.maximum(lengths - order + 1, 0).sum() for order in self.orders))

    def list_block(self, start: int, block: Block) -> tuple[NDArray[np.uint8], Ngrams | None]:
        """Return a block's fault bits and its n-grams; None for these if a token makes their text unusable."""
        faults = block.faults
        surrogate = REFERENCE_SURROGATE if self.references else SURROGATE
        if self.form != "tuple" and (faults[(faults & UNCOUNTED) == 0] & surrogate).any():
            return faults, None
        found = block.ngrams(self.orders, self.sep if self.form == "text" else None, self.references)
        return faults, None if found.ambiguous else found

    def number_columns(self, start: int, found: Ngrams) -> dict[str, Any]:
        """Return a block's numbers by the names of the frame's columns."""
        count, most = (found.other, found.own) if self.references else (found.own, found.other)
        columns: dict[str, Any] = {
            "segment": found.row.astype(np.int64) + start,
            "order": found.order,
            "count": count,
            "max_reference_count": most,
        }
        columns |= {"clipped_count": np.minimum(count, most), "first_position": found.first}
        if self.references:
            columns |= {"missing": np.maximum(most - count, 0), "reference": found.reference}
        return columns

    def ngram_part(self, tokens: TokenColumns, start: int, found: Ngrams) -> Any:
        """Return a block's n-grams: an Arrow array, or a list of tuples."""
        if self.form == "text":
            buffers = [None, pa.py_buffer(found.offsets), pa.py_buffer(found.text)]
            return pa.Array.from_buffers(pa.large_string(), len(found.row), buffers)
        ngrams = self.token_ngrams(tokens, start, found)
        return [tuple(ngram) for ngram in ngrams] if self.form == "tuple" else pa.array(ngrams, TOKENS)

    def token_ngrams(self, tokens: TokenColumns, start: int, found: Ngrams) -> Iterator[list[str]]:
        """Yield a block's n-grams as slices of the caller's token lists."""
        last = -1
        lists: list[list[str]] = []
        for row, order, first, which in zip(
            found.row.tolist(), found.order.tolist(), found.first.tolist(), found.reference.tolist(), strict=True
        ):
            if row != last:
                try:
                    lists, last = tokens.lists(start + row), row
                except UnreadableError:
                    raise row_error(tokens, start + row) from None
            place = 1 + which if self.references else 0
            ngram = lists[place][first : first + order] if place < len(lists) else []
            if len(ngram) < order:
                raise changed_problem(tokens, start + row).error()
            yield ngram

    def ngram_column(self, parts: list[Any]) -> Any:
        """Join the n-grams of all blocks to a column."""
        if self.form == "tuple":
            column = np.empty(sum(map(len, parts)), object)
            column[:] = [ngram for part in parts for ngram in part]
            return column
        if self.form == "list":
            return pd.arrays.ArrowExtensionArray(pa.chunked_array(parts, TOKENS))
        return TEXT.__from_arrow__(pa.chunked_array(parts, pa.large_string()))


class GrowingColumns:
    """Number columns that grow block by block. Their memory is reserved at once: untouched pages cost nothing."""

    def __init__(self, names: list[str], room: int) -> None:
        self.names = names
        self.values = np.empty((len(names), room), np.int64)
        self.used = 0

    def append(self, numbers: dict[str, Any]) -> None:
        """Add a block's rows."""
        stop = self.used + len(numbers["segment"])
        if stop > self.values.shape[1]:
            larger = np.empty((len(self.names), stop + stop // 2), np.int64)
            larger[:, : self.used] = self.values[:, : self.used]
            self.values = larger
        for i, name in enumerate(self.names):
            self.values[i, self.used : stop] = numbers[name]
        self.used = stop

    def columns(self) -> dict[str, NDArray[np.int64]]:
        """Return the columns, (n_ngrams,) each."""
        return {name: self.values[i, : self.used] for i, name in enumerate(self.names)}


# ---- Tokens that n-gram text cannot hold ----


FORMS = "pass ngram='tuple' or 'list'"  # the offer of problems with tokens that n-gram text cannot hold


def text_error(columns: TokenColumns, references: bool, sep: str | None, forms: bool = True) -> Exception:
    """Return the exception for the first token that makes n-gram text ambiguous or impossible.

    Parameters
    ----------
    columns : TokenColumns
    references : bool
        Whether the n-grams of references are listed.
    sep : str or None
        None for n-grams as lists.
    forms : bool
        Whether the caller can have n-grams in another form than text.
    """
    problem = text_problem(columns, references, sep)
    if problem is None:
        return RuntimeError("the frame changed while its n-grams were listed; do not change it in another thread")
    return (problem if forms else replace(problem, offer="")).error()


def text_problem(columns: TokenColumns, references: bool, sep: str | None) -> Problem | None:
    """Return the problem of the first token that n-gram text cannot hold, or None."""
    first: Problem | None = None
    how_many = 0
    for position in range(len(columns.index)):
        for token, which in side_tokens(columns, position, references):
            if first is None and any("\ud800" <= character <= "\udfff" for character in token):
                return Problem(
                    ValueError,
                    f"the token {short_repr(token)} holds a lone surrogate, which UTF-8 cannot encode",
                    columns=(columns.labels[which],),
                    row=columns.place(position),
                    advice="repair the text",
                    offer="pass ngram='tuple'",
                )
            if sep is not None and sep in token:
                how_many += 1
                first = first or Problem(
                    ValueError,
                    f"the token {short_repr(token)} holds the separator {sep!r}, so n-gram text would be ambiguous",
                    columns=(columns.labels[which],),
                    row=columns.place(position),
                    advice="pass another sep, one character that no token holds",
                    offer=FORMS,
                )
    if first is None:
        return None
    return replace(first, came=f"{first.came} ({how_many} such token{'s' * (how_many > 1)})")


def side_tokens(columns: TokenColumns, position: int, references: bool) -> Iterator[tuple[str, int]]:
    """Yield the tokens of the listed side of a row, each with the position of its column."""
    try:
        lists = columns.lists(position)
    except UnreadableError:
        return
    if len(lists) == 1:  # no reference
        return
    if not references:
        yield from ((token, 0) for token in lists[0])
        return
    cells = columns.cells(position)
    for which, nested in enumerate(columns.nested, 1):
        for tokens in read_references(cells[which], nested):
            yield from ((token, which) for token in tokens)
