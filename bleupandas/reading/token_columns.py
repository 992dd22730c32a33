"""Which columns hold tokens, in which physical form, nested or flat; and the words of every input error."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.common import messages as wording
from bleupandas.common.messages import listed, missing_column, named, refuse_choice, shown
from bleupandas.engine.arrow import ArrowColumn, depth
from bleupandas.engine.blocks import Form, ObjectColumn, default_threads
from bleupandas.engine.interface import MAX_ROW_TOKENS
from bleupandas.engine.python import WHITE_SPACE, UnreadableError, is_missing, read_row, sequence
from bleupandas.reading.component_columns import orders_in
from bleupandas.reading.text_advice import advice as tokenizing
from bleupandas.reading.text_advice import text_advice

HYPOTHESIS = "hypothesis"
REFERENCES = "references"
MAX_ORDER = 8
DEFAULT_ORDER = 4
SAMPLE = 1000  # rows that tell whether a column holds texts

COERCE = ", or pass errors='coerce'"  # how messages end of rows that may as well be missing

Errors = Literal["raise", "coerce"]


@dataclass(frozen=True, eq=False)
class TokenColumns:
    """The token columns of one call, the hypothesis first: what the engines read and what an error has to name."""

    index: pd.Index
    labels: tuple[Hashable, ...]
    forms: tuple[Form, ...]
    tells: tuple[int | None, ...]  # position of the cell that made a column nested or flat
    in_pandas: bool = True  # whether the caller's frame is one of pandas, for advice

    @property
    def nested(self) -> list[bool]:
        """Whether each reference column is nested."""
        return [form.nested for form in self.forms[1:]]

    def cells(self, position: int) -> list[Any]:
        """Give the cells of one row as Python objects."""
        return [form.pylist(position, position + 1)[0] for form in self.forms]

    def lists(self, position: int) -> list[list[str]]:
        """Give the token lists of one row, the hypothesis first; UnreadableError where there are none."""
        first, *others = ([cell] for cell in self.cells(position))
        return read_row(first, others, self.nested, 0)

    def texts(self, position: int = 0) -> list[Hashable]:
        """Give the labels of the columns that hold texts, or lists of them, as their first rows and that one tell."""
        found = []
        for which, (label, form) in enumerate(zip(self.labels, self.forms, strict=True)):
            cells = [*form.pylist(0, min(len(form), SAMPLE)), *form.pylist(position, min(len(form), position + 1))]
            first = next((cell for cell in cells if not is_missing(cell)), None)
            spaced = which and not form.nested and any(first_white_space(cell) is not None for cell in cells)
            if isinstance(first, str) or spaced:
                found.append(label)
        return found


# ---- Options that every function has ----


def checked_order(max_order: object, what: str = "max_order") -> int:
    """Give an n-gram order as int, or raise."""
    if isinstance(max_order, bool) or not isinstance(max_order, int | np.integer):
        raise TypeError(f"{what} is a whole number from 1 to {MAX_ORDER}, not {shown(max_order)}")
    if not 1 <= max_order <= MAX_ORDER:
        raise ValueError(f"{what} is from 1 to {MAX_ORDER}, not {max_order}")
    return int(max_order)


def checked_errors(errors: object) -> Errors:
    """Give errors= as it is, or raise."""
    if isinstance(errors, str) and errors in ("raise", "coerce"):
        return "raise" if errors == "raise" else "coerce"
    refuse_choice("errors", errors, ["raise", "coerce"])


def checked_threads(threads: object) -> int:
    """Give how many threads count, or raise."""
    if threads is None:
        return default_threads()
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer):
        raise TypeError(
            f"threads is a whole number of at least 1, or None for the CPUs there are, not {shown(threads)}"
        )
    if threads < 1:
        raise ValueError(f"threads is at least 1, or None for the CPUs there are, not {threads}")
    return int(threads)


# ---- Which columns ----


def checked_frame(df: object, function: str) -> pd.DataFrame:
    """Give the frame as it is, or raise."""
    if not isinstance(df, pd.DataFrame):
        raise TypeError(f"{function}() takes a pandas DataFrame, not {type(df).__name__}")
    return df


def column(df: pd.DataFrame, label: Hashable, what: str) -> "pd.Series[Any]":
    """Give the one column that a label names, or raise KeyError, TypeError or ValueError."""
    try:
        where = df.columns.get_loc(label)
    except KeyError:
        raise missing_column(label, df.columns, what) from None
    except (TypeError, pd.errors.InvalidIndexError):
        if isinstance(label, list) and what == "the hypothesis":
            raise TypeError(several_hypotheses(label)) from None
        one = "a column label" if what == "the hypothesis" else "a column label or a list of labels"
        raise TypeError(
            f"{what} is named by {one}, not by {named(label)}; the columns are {listed(df.columns)}"
        ) from None
    found = np.arange(df.shape[1])[where].reshape(-1)  # a position, a slice or a mask
    if len(found) != 1:
        do = "rename the others" if df.columns.nlevels == 1 else "give a label of every level"
        raise ValueError(
            f"the column label {label!r} for {what} stands for {len(found)} columns of the frame; expected one: {do}"
        )
    return df.iloc[:, int(found[0])]


def several_hypotheses(labels: list[Any]) -> str:
    """Say what to do with a list of hypothesis columns, which compare() and its like take."""
    one = f"hypothesis={shown(labels[0])}" if labels else 'hypothesis="mt"'
    pair = f", or look at two with inspect({one}, compare={shown(labels[1])})" if len(labels) > 1 else ""
    return (
        f"the hypothesis is named by a column label, not by {named(labels)}, which is for comparing: give one, "
        f"df.bleu({one}, ...){pair}"
    )


def labels_of(given: Any) -> list[Any]:
    """Give one label, a list of labels or None as a list."""
    return [] if given is None else given if isinstance(given, list) else [given]


def uses_components(df: pd.DataFrame, hypothesis: object, references: object, components: bool) -> bool:
    """Tell whether a call works from components columns: forced, or there are no token columns and none are named."""
    if not isinstance(components, bool):
        raise TypeError(f"components is True or False, not {shown(components)}")
    if components:
        return True
    if hypothesis is not None or references is not None or {HYPOTHESIS, REFERENCES} <= set(df.columns):
        return False
    return orders_in(df.columns) > 0


def token_columns(df: pd.DataFrame, hypothesis: Hashable, references: object, needs: str) -> TokenColumns:
    """Find the token columns of a frame.

    Parameters
    ----------
    df : DataFrame
    hypothesis : label or None
        None for "hypothesis".
    references : label, list of labels, or None
        None for "references".
    needs : str
        The function that needs tokens, for the error that a components frame gets.
    """
    if hypothesis is None and references is None and HYPOTHESIS not in df.columns and orders_in(df.columns):
        raise missing_column(HYPOTHESIS, df.columns, f"{needs}(), which needs token lists and not only components")
    hypothesis = HYPOTHESIS if hypothesis is None else hypothesis
    references = REFERENCES if references is None else references
    if isinstance(references, list) and not references:
        raise ValueError("references is an empty list; expected a column label or a list of column labels")
    labels = [hypothesis, *(references if isinstance(references, list) else [references])]
    forms: list[Form] = []
    tells: list[int | None] = []
    for i, label in enumerate(labels):
        form, tell = physical_form(column(df, label, "references" if i else "the hypothesis"), is_hypothesis=i == 0)
        forms.append(form)
        tells.append(tell)
    return TokenColumns(df.index, tuple(labels), tuple(forms), tuple(tells))


def physical_form(series: "pd.Series[Any]", is_hypothesis: bool) -> tuple[Form, int | None]:
    """Give a column in the form that the engines read, and the position of the cell that made it nested or flat."""
    if isinstance(series.dtype, pd.ArrowDtype):
        return arrow_form(pa.array(series), is_hypothesis)
    values = series.array if series.dtype == object else series.astype(object).array
    return object_form(np.asarray(values, dtype=object), is_hypothesis)


def arrow_form(array: Any, is_hypothesis: bool) -> tuple[Form, int | None]:
    """Give an Arrow column in the form that the engines read: as it is, unless its type is none of token lists."""
    if depth(array.type) == 1 or (depth(array.type) == 2 and not is_hypothesis):
        return ArrowColumn(array, is_hypothesis), None
    values = np.empty(len(array), object)
    values[:] = array.to_pylist()
    return object_form(values, is_hypothesis)


def object_form(values: NDArray[np.object_], is_hypothesis: bool) -> tuple[Form, int | None]:
    """Give Python cells in the form that the engines read, and the position of the one that tells nested or flat."""
    if is_hypothesis:
        return ObjectColumn(values, False), None
    for position, cell in enumerate(values):
        nested = tells_nested(cell)
        if nested is not None:
            return ObjectColumn(values, nested), position
    return ObjectColumn(values, True), None


def tells_nested(cell: object) -> bool | None:
    """Tell whether a reference cell holds token lists (True) or tokens (False); None where it does not tell."""
    for item in sequence(cell) or ():
        if isinstance(item, str):
            return False
        if sequence(item) is not None:
            return True
    return None


# ---- The words of an error: one row is read again, in plain Python ----


def row_name(columns: TokenColumns, position: int) -> str:
    """Give "row 'label' (position i)"."""
    [label] = columns.index[position : position + 1].tolist()  # of Python's types, whose repr is plain
    return wording.row_name(label, position)


def where(columns: TokenColumns, which: int, position: int) -> str:
    """Give "column 'x', row 'label' (position i)"."""
    return f"column {columns.labels[which]!r}, {row_name(columns, position)}"


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
        f"{row_name(columns, position)} changed while it was counted; do not change the frame's lists in another "
        "thread meanwhile"
    )


def cell_errors(columns: TokenColumns, cells: list[Any], position: int) -> Iterator[Exception]:
    """Walk what is wrong with one row, the hypothesis first."""
    if is_missing(cells[0]):
        yield ValueError(
            f"{where(columns, 0, position)}: the hypothesis is missing ({shown(cells[0])}); expected a list of tokens: "
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
                f"space in {shown(white[which])} says: {tokenizing(columns.texts(position), columns.in_pandas)}; if it "
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
            f"{noun} {names}, {row_name(columns, position)}: no reference ({', '.join(map(shown, cells[1:]))}); "
            f"expected at least one: drop the row or give {empty} for one empty reference{COERCE}"
        )
    if sum(map(len, lists)) > MAX_ROW_TOKENS:
        yield ValueError(f"{where(columns, 0, position)}: more than {MAX_ROW_TOKENS} tokens in one row; split it")


def first_white_space(cell: object) -> str | None:
    """Give the first token of a flat cell that holds white space."""
    tokens = (item for item in sequence(cell) or () if isinstance(item, str))
    return next((token for token in tokens if not WHITE_SPACE.isdisjoint(token)), None)


def list_errors(
    columns: TokenColumns, which: int, position: int, cell: object, expected: str, inside: str = ""
) -> Iterator[Exception]:
    """Walk what is wrong with one token list; `inside` says which reference of a nested cell it is."""
    place = where(columns, which, position) + inside
    if isinstance(cell, str):
        texts = columns.texts(position)
        advised = text_advice(cell, texts if columns.labels[which] in texts else [], columns.in_pandas)
        yield TypeError(f"{place}: the text {shown(cell[:40], 50)} where {expected} is expected; {advised}")
        return
    items = sequence(cell)
    if items is None:
        yield TypeError(f"{place}: {expected} is expected, not {named(cell)}; give a list, tuple or array")
        return
    for i, token in enumerate(items):
        if is_missing(token):
            yield ValueError(f"{place}, token {i}: a missing token ({shown(token)}); expected str: leave it out")
        elif not isinstance(token, str):
            yield TypeError(f"{place}, token {i}: expected str, not {named(token)}; {advice(token)}")
        elif token == "":
            yield ValueError(f"{place}, token {i}: an empty token (''); expected at least one character: leave it out")


def advice(token: object) -> str:
    """Say what to do with a token that is no str."""
    if sequence(token) is not None:
        return "the cell is nested too deep: give the inner list"
    return "decode it" if isinstance(token, bytes) else "make it text with str()"


def reference_errors(columns: TokenColumns, which: int, position: int, cell: object) -> Iterator[Exception]:
    """Walk what is wrong with one reference cell that is there."""
    nested = columns.nested[which - 1]
    kind = tells_nested(cell)
    if kind is not None and kind != nested:
        yield kind_error(columns, which, position, cell, nested)
    if not nested:
        yield from list_errors(columns, which, position, cell, "a list of tokens")
        return
    items = sequence(cell)
    if items is None or isinstance(cell, str):
        yield from list_errors(columns, which, position, cell, "a list of token lists")
        return
    for i, item in enumerate(items):
        if not is_missing(item):
            yield from list_errors(columns, which, position, item, "a list of tokens", f", reference {i}")


def kind_error(columns: TokenColumns, which: int, position: int, cell: object, nested: bool) -> TypeError:
    """Give the error for a flat cell in a nested column, or the other way round; it names both rows."""
    tell = columns.tells[which]
    as_in = "" if tell is None else f", as in {row_name(columns, tell)}"
    if nested:
        return TypeError(
            f"{where(columns, which, position)}: one token list {shown(cell)} in a column whose cells are lists of "
            f"token lists{as_in}; write [[...]] for one reference, or make every cell of the column one token list"
        )
    return TypeError(
        f"{where(columns, which, position)}: a list of token lists {shown(cell)} in a column whose cells are one token "
        f"list each{as_in}; nest every cell of the column: [[...]]"
    )


def coerced_integers(values: NDArray[np.int64], missing: NDArray[np.bool_]) -> Any:
    """Give a nullable Int64 column from values and a mask, both (n_rows,)."""
    return pd.arrays.IntegerArray(values, missing.copy())
