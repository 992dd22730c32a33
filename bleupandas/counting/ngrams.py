"""ngrams(): the clipping table as a frame, a row per segment and n-gram."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, Literal, Never

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.common.messages import named, refuse_choice, refuse_keywords, shown
from bleupandas.engine import blocks
from bleupandas.engine.interface import REFERENCE_SURROGATE, SURROGATE, UNCOUNTED, Block, Ngrams
from bleupandas.engine.python import UnreadableError, reference_lists
from bleupandas.reading import token_columns as _columns
from bleupandas.reading.token_columns import TokenColumns, where

KEYWORDS = (
    "hypothesis", "references", "max_order", "orders", "side", "ngram", "sep", "id_vars", "ignore_index", "errors",
    "threads",
)  # fmt: skip
# pandas' own str dtype of version 3, which 2.3 has too
TEXT: Any = pd.StringDtype("pyarrow", na_value=np.nan)
TOKENS = pa.list_(pa.string())


def ngrams(
    df: pd.DataFrame,
    /,
    *,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    orders: int | Iterable[int] | None = None,
    side: Literal["hypothesis", "references"] = "hypothesis",
    ngram: Literal["text", "tuple", "list"] = "text",
    sep: str = " ",
    id_vars: Hashable | list[Any] | None = None,
    ignore_index: bool = False,
    errors: str = "raise",
    threads: int | None = None,
    **unknown: Never,
) -> pd.DataFrame:
    """List the distinct n-grams of every segment with what clipping made of them.

    Also a method: ``df.bleu.ngrams()``. Per segment and order, ``count`` sums to totals_n and ``clipped_count`` to
    matches_n of `components`.

    Parameters
    ----------
    df : DataFrame
        A row per segment.
    hypothesis, references, max_order, errors, threads
        As in `components`. With ``errors="coerce"`` a row that cannot be read gives no n-grams.
    orders : int or list of int, optional
        Only these orders; 1..max_order unless given.
    side : {"hypothesis", "references"}, default "hypothesis"
        Whose distinct n-grams are listed.
    ngram : {"text", "tuple", "list"}, default "text"
        Text (tokens joined by `sep`) groups, plots and saves well; tuples of str and Arrow lists give tokens exactly.
    sep : str, default " "
        One character that no token holds.
    id_vars : label or list of labels, optional
        Columns of `df` to carry along, before the others, as in ``DataFrame.melt``.
    ignore_index : bool, default False
        Number the rows 0, 1, ... instead of repeating the labels of `df`, as in ``DataFrame.explode``.

    Returns
    -------
    DataFrame
        A row per segment and distinct n-gram, by segment, order, first occurrence: segment (position of the row in
        `df`, from 0), order, ngram, count (in the hypothesis), max_reference_count (largest in one reference),
        clipped_count (the smaller), first_position (in tokens, from 0). With ``side="references"`` also missing
        (max(0, max_reference_count - count)) and reference, the first that reaches the maximum, in which
        first_position counts (numbered from 0 among those that the segment has). Numbers are int64 (Int64 with
        ``errors="coerce"``).

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`; a token that holds `sep`, or a lone surrogate in text.

    Notes
    -----
    Papineni et al. 2002, section 2.1 and footnote 2.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({"hypothesis": [["the", "the", "cat"]], "references": [[["the", "cat"], ["a", "cat"]]]})
    >>> bleupandas.ngrams(df, orders=1)[["order", "ngram", "count", "max_reference_count", "clipped_count"]]
       order ngram  count  max_reference_count  clipped_count
    0      1   the      2                    1              1
    0      1   cat      1                    1              1
    """
    refuse_keywords("ngrams", unknown, KEYWORDS)
    _columns.checked_frame(df, "ngrams")
    listing = Listing(checked_orders(orders, max_order), is_references(side), checked_form(ngram), checked_sep(sep))
    mode, n_threads = _columns.checked_errors(errors), _columns.checked_threads(threads)
    carried = id_columns(df, id_vars, listing.names)
    tokens = _columns.token_columns(df, hypothesis, references, "ngrams")
    numbers, ngram_column = listing.listed(tokens, mode, n_threads)
    segment = numbers["segment"]
    data: dict[str, Any] = {name: numbers.get(name, ngram_column) for name in listing.names}
    if mode == "coerce":
        whole = np.zeros(len(segment), np.bool_)
        data = {k: v if k == "ngram" else _columns.coerced_integers(v, whole) for k, v in data.items()}
    if ignore_index:
        index: pd.Index = pd.RangeIndex(len(segment))
    else:
        index = df.index.repeat(np.bincount(segment, minlength=len(df)))
    result = pd.DataFrame(data, index=index, copy=False)
    for at, (label, series) in enumerate(carried):
        result.insert(at, label, series.array.take(segment), allow_duplicates=True)
    return result


# ---- Arguments ----


def checked_orders(orders: object, max_order: object) -> list[int]:
    """Give the orders to list, ascending."""
    limit = _columns.DEFAULT_ORDER if max_order is None else _columns.checked_order(max_order)
    if orders is None:
        return list(range(1, limit + 1))
    try:
        given = [orders] if isinstance(orders, str | bytes) else list(orders)  # type: ignore[call-overload]
    except TypeError:  # one number
        given = [orders]
    if not given:
        raise ValueError("orders is empty; expected whole numbers from 1 to 8, such as orders=[2, 3]")
    wanted = sorted({_columns.checked_order(order, "orders") for order in given})
    if max_order is not None and wanted[-1] > limit:
        raise ValueError(f"orders has {wanted[-1]}, above max_order={limit}; give one of the two")
    return wanted


def is_references(side: object) -> bool:
    """Tell whether the references' n-grams are listed."""
    if not isinstance(side, str) or side not in ("hypothesis", "references"):
        refuse_choice("side", side, ["hypothesis", "references"])
    return side == "references"


def checked_form(ngram: object) -> str:
    """Give the form of n-grams, or raise."""
    if not isinstance(ngram, str) or ngram not in ("text", "tuple", "list"):
        refuse_choice("ngram", ngram, ["text", "tuple", "list"])
    return ngram


def checked_sep(sep: object) -> str:
    """Give the separator, or raise: several characters are ambiguous even where no token holds them."""
    if not isinstance(sep, str):
        raise TypeError(f"sep is one character, not {named(sep)}")
    if len(sep) != 1 or "\ud800" <= sep <= "\udfff":
        raise ValueError(f"sep is exactly one character, not {shown(sep)}")
    return sep


def id_columns(
    df: pd.DataFrame, id_vars: object, names: Sequence[str], frame: str = "n-gram frame"
) -> list[tuple[Hashable, "pd.Series[Any]"]]:
    """Give the columns to carry along."""
    carried = []
    for label in _columns.labels_of(id_vars):
        series = _columns.column(df, label, "id_vars")
        if label in names:
            raise ValueError(f"id_vars has {label!r}, which is a column of the {frame}; rename it first")
        carried.append((label, series))
    return carried


# ---- The listing ----


class Listing:
    """What to list, and how it becomes columns."""

    def __init__(self, orders: list[int], references: bool, form: str, sep: str) -> None:
        self.orders = orders
        self.references = references
        self.form = form
        self.sep = sep
        self.names = ["segment", "order", "ngram", "count", "max_reference_count", "clipped_count", "first_position"]
        if references:
            self.names += ["missing", "reference"]

    def listed(
        self, tokens: TokenColumns, errors: _columns.Errors, threads: int
    ) -> tuple[dict[str, NDArray[np.int64]], Any]:
        """Give the number columns, (n_ngrams,) each, and the n-gram column."""
        table = Table([name for name in self.names if name != "ngram"], self.bound(tokens))
        parts: list[Any] = []
        unusable = False
        budget = 8 * blocks.BUDGET // sum(self.orders)  # text grows with the orders
        for start, (faults, found) in blocks.in_order(self.of_block, blocks.read(tokens.forms, budget), threads):
            if errors == "raise" and (faults & UNCOUNTED).any():
                raise _columns.row_error(tokens, start + int(((faults & UNCOUNTED) != 0).argmax()))
            unusable = unusable or found is None
            if found is not None and not unusable:
                table.append(self.numbers(start, found))
                parts.append(self.ngram_part(tokens, start, found))
        if unusable:
            raise text_error(tokens, self.references, self.sep if self.form == "text" else None)
        return table.columns(), self.ngram_column(parts)

    def bound(self, tokens: TokenColumns) -> int:
        """Bound the n-grams of the hypotheses; a first guess for those of the references."""
        lengths = tokens.forms[0].lengths()
        return int(sum(np.maximum(lengths - order + 1, 0).sum() for order in self.orders))

    def of_block(self, start: int, block: Block) -> tuple[NDArray[np.uint8], Ngrams | None]:
        """List a block's n-grams; None where a token makes their text unusable."""
        faults = block.faults
        surrogate = REFERENCE_SURROGATE if self.references else SURROGATE
        if self.form != "tuple" and (faults[(faults & UNCOUNTED) == 0] & surrogate).any():
            return faults, None
        found = block.ngrams(self.orders, self.sep if self.form == "text" else None, self.references)
        return faults, None if found.ambiguous else found

    def numbers(self, start: int, found: Ngrams) -> dict[str, Any]:
        """Name a block's numbers."""
        count, most = (found.other, found.own) if self.references else (found.own, found.other)
        named: dict[str, Any] = {
            "segment": found.row.astype(np.int64) + start,
            "order": found.order,
            "count": count,
            "max_reference_count": most,
        }
        named |= {"clipped_count": np.minimum(count, most), "first_position": found.first}
        if self.references:
            named |= {"missing": np.maximum(most - count, 0), "reference": found.reference}
        return named

    def ngram_part(self, tokens: TokenColumns, start: int, found: Ngrams) -> Any:
        """Give a block's n-grams: an Arrow array, or a list of tuples."""
        if self.form == "text":
            buffers = [None, pa.py_buffer(found.offsets), pa.py_buffer(found.text)]
            return pa.Array.from_buffers(pa.large_string(), len(found.row), buffers)
        ngrams = self.token_ngrams(tokens, start, found)
        return [tuple(ngram) for ngram in ngrams] if self.form == "tuple" else pa.array(ngrams, TOKENS)

    def token_ngrams(self, tokens: TokenColumns, start: int, found: Ngrams) -> Iterator[list[str]]:
        """Walk a block's n-grams as slices of the caller's token lists."""
        last = -1
        lists: list[list[str]] = []
        for row, order, first, which in zip(
            found.row.tolist(), found.order.tolist(), found.first.tolist(), found.reference.tolist(), strict=True
        ):
            if row != last:
                try:
                    lists, last = tokens.lists(start + row), row
                except UnreadableError:
                    raise _columns.row_error(tokens, start + row) from None
            place = 1 + which if self.references else 0
            ngram = lists[place][first : first + order] if place < len(lists) else []
            if len(ngram) < order:
                raise _columns.changed_error(tokens, start + row)
            yield ngram

    def ngram_column(self, parts: list[Any]) -> Any:
        """Join the blocks' n-grams to a column."""
        if self.form == "tuple":
            column = np.empty(sum(map(len, parts)), object)
            column[:] = [ngram for part in parts for ngram in part]
            return column
        if self.form == "list":
            return pd.arrays.ArrowExtensionArray(pa.chunked_array(parts, TOKENS))
        return TEXT.__from_arrow__(pa.chunked_array(parts, pa.large_string()))


class Table:
    """Number columns that grow block by block, in memory that is reserved at once: untouched pages cost nothing."""

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
        """Give the columns, (n_ngrams,) each."""
        return {name: self.values[i, : self.used] for i, name in enumerate(self.names)}


# ---- Tokens that n-gram text cannot hold ----


def text_error(columns: TokenColumns, references: bool, sep: str | None, forms: bool = True) -> Exception:
    """Give the exception for the first token that makes n-gram text ambiguous or impossible; sep None for lists.

    `forms` tells whether the caller could have n-grams in another form than text.
    """
    first: tuple[int, int, str] | None = None
    how_many = 0
    for position in range(len(columns.index)):
        for token, which in listed_tokens(columns, position, references):
            if first is None and any("\ud800" <= character <= "\udfff" for character in token):
                return ValueError(
                    f"{where(columns, which, position)}: the token {shown(token)} holds a lone surrogate, for which "
                    "UTF-8 has no form; mend the text" + (", or pass ngram='tuple'" if forms else "")
                )
            if sep is not None and sep in token:
                how_many += 1
                first = first or (which, position, token)
    if first is None:
        return RuntimeError("the frame changed while its n-grams were listed; do not change it in another thread")
    which, position, token = first
    return ValueError(
        f"{where(columns, which, position)}: the token {shown(token)} holds the separator {sep!r}, so that n-gram "
        f"text would be ambiguous ({how_many} such token{'s' * (how_many > 1)}); pass another sep, one character "
        "that no token holds" + (", or ngram='tuple' or 'list'" if forms else "")
    )


def listed_tokens(columns: TokenColumns, position: int, references: bool) -> Iterator[tuple[str, int]]:
    """Walk the tokens of the listed side of a row that is counted, with the column that each stands in."""
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
        for tokens in reference_lists(cells[which], nested):
            yield from ((token, which) for token in tokens)
