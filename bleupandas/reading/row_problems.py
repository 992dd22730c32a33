"""Problems of input rows: a row that an engine flagged is read again, in plain Python."""

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any

from bleupandas.common import COERCE, Problem, is_missing, short_repr, typed_repr
from bleupandas.engine import MAX_ROW_TOKENS, UnreadableError, as_list
from bleupandas.reading.text_advice import Advice, text_advice, tokenize_call
from bleupandas.reading.token_columns import TokenColumns, first_white_space, is_nested_cell

TOKENS = "a list of tokens"
TOKEN_LISTS = "a list of token lists"


def row_error(columns: TokenColumns, position: int) -> Exception:
    """Return the exception for a row that an engine flagged."""
    return row_problem(columns, position).error()


def row_problem(columns: TokenColumns, position: int) -> Problem:
    """Return the first problem of a row that an engine flagged."""
    return find_problem(columns, position) or changed_problem(columns, position)


def find_problem(columns: TokenColumns, position: int) -> Problem | None:
    """Return the first problem of a row, the hypothesis before the references; None where the row can be counted."""
    return next(cell_problems(columns, columns.cells(position), position), None)


def changed_problem(columns: TokenColumns, position: int) -> Problem:
    """Return the problem of a row that was flagged, and in which nothing is wrong any more."""
    return Problem(
        RuntimeError,
        "the row changed while it was counted",
        noun="",
        row=columns.place(position),
        advice="do not change the frame's lists in another thread meanwhile",
    )


def cell_problems(columns: TokenColumns, cells: list[Any], position: int) -> Iterator[Problem]:
    """Yield what is wrong with the cells of a row, one by one and together."""
    row = columns.place(position)
    hypothesis = Cell(columns, 0, position)
    if is_missing(cells[0]):
        yield Problem(
            ValueError,
            f"the hypothesis is missing ({short_repr(cells[0])})",
            TOKENS,
            columns=columns.labels[:1],
            row=row,
            advice="drop the row",
            empty="an empty hypothesis",
            offer=COERCE,
        )
    yield from hypothesis.token_list(cells[0], TOKENS)
    for which, cell in enumerate(cells[1:], 1):
        if not is_missing(cell):
            yield from Cell(columns, which, position).references(cell)
    yield from white_space_problems(columns, cells, position)
    yield from size_problems(columns, cells, position)


def white_space_problems(columns: TokenColumns, cells: list[Any], position: int) -> Iterator[Problem]:
    """Yield flat reference cells whose tokens look like sentences."""
    white = [first_white_space(cell) for cell in cells]
    for which, nested in enumerate(columns.nested, 1):
        if not nested and white[which] is not None and white[0] is None:
            yield Problem(
                TypeError,
                f"got a list of texts, with white space in {short_repr(white[which])}",
                TOKENS,
                columns=(columns.labels[which],),
                row=columns.place(position),
                tokenize=tokenize_call(columns.texts(position), columns.in_pandas),
                advice="nest the cell if these are tokens: [[...]]",
            )


def size_problems(columns: TokenColumns, cells: list[Any], position: int) -> Iterator[Problem]:
    """Yield what is wrong with a row whose cells are right one by one: no reference, or too many tokens."""
    try:
        lists = columns.lists(position)
    except UnreadableError:
        return
    row = columns.place(position)
    if len(lists) == 1:
        yield Problem(
            ValueError,
            f"no reference ({', '.join(map(short_repr, cells[1:]))})",
            "at least one",
            columns=columns.labels[1:],
            row=row,
            advice="drop the row",
            empty="one empty reference",
            empty_form="[[]]" if columns.nested[0] else "[]",
            offer=COERCE,
        )
    n_tokens = sum(map(len, lists))
    if n_tokens > MAX_ROW_TOKENS:
        yield Problem(
            ValueError,
            f"got {n_tokens} tokens in one row",
            f"at most {MAX_ROW_TOKENS}",
            columns=columns.labels[:1],
            row=row,
            advice="split the row",
        )


class Cell:
    """A cell of a token column: where it is, for the problems that it may have."""

    def __init__(self, columns: TokenColumns, which: int, position: int) -> None:
        self.columns = columns
        self.which = which
        self.position = position

    @property
    def label(self) -> Hashable:
        """The label of the column."""
        return self.columns.labels[self.which]

    def problem(self, error_type: type[Exception], came: str, expected: str, **fields: Any) -> Problem:
        """Return a problem of this cell."""
        row = self.columns.place(self.position)
        return Problem(error_type, came, expected, columns=(self.label,), row=row, **fields)

    def token_list(self, cell: object, expected: str, reference: int | None = None) -> Iterator[Problem]:
        """Yield what is wrong with a token list: the cell, or the reference of this number."""
        if isinstance(cell, str):
            yield replace(self.text(cell, expected), reference=reference)
            return
        items = as_list(cell)
        if items is None:
            came = f"got {typed_repr(cell)}"
            yield self.problem(TypeError, came, expected, reference=reference, advice="pass a list, tuple or array")
            return
        for i, token in enumerate(items):
            found = token_problem(token)
            if found is not None:
                yield replace(found, columns=(self.label,), row=self.columns.place(self.position), reference=reference,
                              token=i)  # fmt: skip

    def text(self, text: str, expected: str) -> Problem:
        """Return the problem of a text where tokens belong."""
        texts = self.columns.texts(self.position)
        advice: Advice = text_advice(text, texts if self.label in texts else [], self.columns.in_pandas)
        came = f"got the text {short_repr(text[:40], 50)}"
        return self.problem(TypeError, came, expected, tokenize=advice.tokenize, advice=advice.other)

    def references(self, cell: object) -> Iterator[Problem]:
        """Yield what is wrong with a reference cell that is not missing."""
        nested = self.columns.nested[self.which - 1]
        kind = is_nested_cell(cell)
        if kind is not None and kind != nested:
            yield self.other_kind(cell, nested)
        if not nested:
            yield from self.token_list(cell, TOKENS)
            return
        items = as_list(cell)
        if items is None or isinstance(cell, str):
            yield from self.token_list(cell, TOKEN_LISTS)
            return
        for i, item in enumerate(items):
            if not is_missing(item):
                yield from self.token_list(item, TOKENS, i)

    def other_kind(self, cell: object, nested: bool) -> Problem:
        """Return the problem of a flat cell in a nested column, or the other way round; it names both rows."""
        kinds = ["one token list", TOKEN_LISTS]
        came, expected = f"got {kinds[not nested]} {short_repr(cell)}", kinds[nested]
        if nested:
            advice = "write [[...]] for one reference, or make every cell of the column one token list"
        else:
            advice = "nest every cell of the column: [[...]]"
        as_in = self.columns.deciding_rows[self.which]
        return self.problem(TypeError, came, expected, as_in=as_in, advice=advice)


def token_problem(token: object) -> Problem | None:
    """Return what is wrong with one token, without its place; None where nothing is."""
    if is_missing(token):
        return Problem(ValueError, f"a missing token ({short_repr(token)})", "str", advice="leave it out")
    if not isinstance(token, str):
        return Problem(TypeError, f"got {typed_repr(token)}", "str", advice=token_advice(token))
    if token == "":
        return Problem(ValueError, "an empty token ('')", "at least one character", advice="leave it out")
    return None


def token_advice(token: object) -> str:
    """Return what to do with a token that is not a str."""
    if as_list(token) is not None:
        return "the cell is nested too deep: pass the inner list"
    return "decode it" if isinstance(token, bytes) else "make it text with str()"
