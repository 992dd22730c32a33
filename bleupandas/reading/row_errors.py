"""Errors of input cells: one row is read again, in plain Python, and the first problem is worded."""

from collections.abc import Iterator
from typing import Any

from bleupandas.common import describe_row, is_missing, short_repr, typed_repr
from bleupandas.engine import MAX_ROW_TOKENS, UnreadableError, as_list
from bleupandas.reading.text_advice import text_advice
from bleupandas.reading.text_advice import tokenize_advice as tokenizing
from bleupandas.reading.token_columns import TokenColumns, first_white_space, is_nested_cell

COERCE = ", or pass errors='coerce'"  # how messages end of rows that may as well be missing


# ---- The words of an error: one row is read again, in plain Python ----


def row_of(columns: TokenColumns, position: int) -> str:
    """Give "row 'label' (position i)"."""
    [label] = columns.index[position : position + 1].tolist()  # of Python's types, whose repr is plain
    return describe_row(label, position)


def where(columns: TokenColumns, which: int, position: int) -> str:
    """Give "column 'x', row 'label' (position i)"."""
    return f"column {columns.labels[which]!r}, {row_of(columns, position)}"


def row_error(columns: TokenColumns, position: int, coerced: bool = False) -> Exception:
    """Give the exception for a row that an engine flagged; with `coerced` it does not advise errors="coerce"."""
    cells = columns.cells(position)
    found = next(cell_errors(columns, cells, position), None)
    if found is None:
        return changed_error(columns, position)
    return type(found)(str(found).removesuffix(COERCE)) if coerced else found


def changed_error(columns: TokenColumns, position: int) -> RuntimeError:
    """Give the error for a row in which nothing wrong is found any more."""
    return RuntimeError(
        f"{row_of(columns, position)} changed while it was counted; do not change the frame's lists in another "
        "thread meanwhile"
    )


def cell_errors(columns: TokenColumns, cells: list[Any], position: int) -> Iterator[Exception]:
    """Walk what is wrong with one row, the hypothesis first."""
    if is_missing(cells[0]):
        yield ValueError(
            f"{where(columns, 0, position)}: the hypothesis is missing ({short_repr(cells[0])}); expected a "
            "list of tokens: "
            f"drop the row or give [] for an empty hypothesis{COERCE}"
        )
    yield from list_errors(columns, 0, position, cells[0], "a list of tokens")
    for which, cell in enumerate(cells[1:], 1):
        if not is_missing(cell):
            yield from reference_errors(columns, which, position, cell)
    yield from row_errors(columns, cells, position)


def row_errors(columns: TokenColumns, cells: list[Any], position: int) -> Iterator[Exception]:
    """Walk what is wrong with a row whose cells are right one by one."""
    white = [first_white_space(cell) for cell in cells]
    for which, nested in enumerate(columns.nested, 1):
        if not nested and white[which] is not None and white[0] is None:
            yield TypeError(
                f"{where(columns, which, position)}: a list of texts where one token list is expected, as the white "
                f"space in {short_repr(white[which])} says: "
                f"{tokenizing(columns.texts(position), columns.in_pandas)}; if it "
                "is a token, nest the cell: [[...]]"
            )
    try:
        lists = columns.lists(position)
    except UnreadableError:
        return
    if len(lists) == 1:
        names = ", ".join(repr(label) for label in columns.labels[1:])
        noun = "column" if len(cells) == 2 else "columns"
        empty = "[[]]" if columns.nested[0] else "[]"
        yield ValueError(
            f"{noun} {names}, {row_of(columns, position)}: no reference ({', '.join(map(short_repr, cells[1:]))}); "
            f"expected at least one: drop the row or give {empty} for one empty reference{COERCE}"
        )
    if sum(map(len, lists)) > MAX_ROW_TOKENS:
        yield ValueError(f"{where(columns, 0, position)}: more than {MAX_ROW_TOKENS} tokens in one row; split it")


def list_errors(
    columns: TokenColumns, which: int, position: int, cell: object, expected: str, inside: str = ""
) -> Iterator[Exception]:
    """Walk what is wrong with one token list; `inside` says which reference of a nested cell it is."""
    place = where(columns, which, position) + inside
    if isinstance(cell, str):
        texts = columns.texts(position)
        advised = text_advice(cell, texts if columns.labels[which] in texts else [], columns.in_pandas)
        yield TypeError(f"{place}: the text {short_repr(cell[:40], 50)} where {expected} is expected; {advised}")
        return
    items = as_list(cell)
    if items is None:
        yield TypeError(f"{place}: {expected} is expected, not {typed_repr(cell)}; give a list, tuple or array")
        return
    for i, token in enumerate(items):
        if is_missing(token):
            yield ValueError(f"{place}, token {i}: a missing token ({short_repr(token)}); expected str: leave it out")
        elif not isinstance(token, str):
            yield TypeError(f"{place}, token {i}: expected str, not {typed_repr(token)}; {advice(token)}")
        elif token == "":
            yield ValueError(f"{place}, token {i}: an empty token (''); expected at least one character: leave it out")


def advice(token: object) -> str:
    """Say what to do with a token that is no str."""
    if as_list(token) is not None:
        return "the cell is nested too deep: give the inner list"
    return "decode it" if isinstance(token, bytes) else "make it text with str()"


def reference_errors(columns: TokenColumns, which: int, position: int, cell: object) -> Iterator[Exception]:
    """Walk what is wrong with one reference cell that is there."""
    nested = columns.nested[which - 1]
    kind = is_nested_cell(cell)
    if kind is not None and kind != nested:
        yield kind_error(columns, which, position, cell, nested)
    if not nested:
        yield from list_errors(columns, which, position, cell, "a list of tokens")
        return
    items = as_list(cell)
    if items is None or isinstance(cell, str):
        yield from list_errors(columns, which, position, cell, "a list of token lists")
        return
    for i, item in enumerate(items):
        if not is_missing(item):
            yield from list_errors(columns, which, position, item, "a list of tokens", f", reference {i}")


def kind_error(columns: TokenColumns, which: int, position: int, cell: object, nested: bool) -> TypeError:
    """Give the error for a flat cell in a nested column, or the other way round; it names both rows."""
    tell = columns.tells[which]
    as_in = "" if tell is None else f", as in {row_of(columns, tell)}"
    if nested:
        return TypeError(
            f"{where(columns, which, position)}: one token list {short_repr(cell)} in a column whose cells are "
            "lists of "
            f"token lists{as_in}; write [[...]] for one reference, or make every cell of the column one token list"
        )
    return TypeError(
        f"{where(columns, which, position)}: a list of token lists {short_repr(cell)} in a column whose cells "
        "are one token "
        f"list each{as_in}; nest every cell of the column: [[...]]"
    )
