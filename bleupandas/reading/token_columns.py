"""Find the columns that hold tokens, and read them in the form that the engines take."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.common import (
    CountOptions,
    RowPlace,
    is_missing,
    join_values,
    missing_column_error,
    row_place,
    short_repr,
    typed_repr,
)
from bleupandas.engine import WHITE_SPACE, ArrowColumn, Form, ObjectColumn, as_list, depth, read_row
from bleupandas.reading.component_columns import complete_orders, has_component_columns

HYPOTHESIS = "hypothesis"
REFERENCES = "references"
SAMPLE = 1000  # rows that are looked at to see whether a column holds texts


class Shape(NamedTuple):
    """Whether a reference column holds lists of token lists, and the row whose cell decided it."""

    nested: bool
    row: RowPlace | None = None


@dataclass(frozen=True, eq=False)
class TokenColumns:
    """The token columns of one call, the hypothesis first.

    Attributes
    ----------
    index : Index
        Of the frame, for errors.
    labels : tuple of labels
    forms : tuple of ObjectColumn or ArrowColumn
    deciding_rows : tuple of RowPlace or None
        The row whose cell made each column nested or flat; None where the type did.
    in_pandas : bool
        Whether the caller's frame is one of pandas, for advice.
    """

    index: pd.Index
    labels: tuple[Hashable, ...]
    forms: tuple[Form, ...]
    deciding_rows: tuple[RowPlace | None, ...]
    in_pandas: bool = True

    @property
    def nested(self) -> list[bool]:
        """Whether each reference column is nested."""
        return [form.nested for form in self.forms[1:]]

    def place(self, position: int) -> RowPlace:
        """Return the place of a row, for errors."""
        return row_place(self.index, position)

    def cells(self, position: int) -> list[Any]:
        """Return the cells of one row as Python objects."""
        return [form.pylist(position, position + 1)[0] for form in self.forms]

    def lists(self, position: int) -> list[list[str]]:
        """Return the token lists of one row, the hypothesis first; raise UnreadableError where a cell has none."""
        first, *others = ([cell] for cell in self.cells(position))
        return read_row(first, others, self.nested, 0)

    def texts(self, position: int = 0) -> list[Hashable]:
        """Return the labels of the columns that hold texts or lists of texts, in the first rows or in this one."""
        found = []
        for which, (label, form) in enumerate(zip(self.labels, self.forms, strict=True)):
            cells = [*form.pylist(0, min(len(form), SAMPLE)), *form.pylist(position, min(len(form), position + 1))]
            first = next((cell for cell in cells if not is_missing(cell)), None)
            spaced = which and not form.nested and any(first_white_space(cell) is not None for cell in cells)
            if isinstance(first, str) or spaced:
                found.append(label)
        return found


# ---- Which columns ----


def check_frame(df: object, function: str) -> pd.DataFrame:
    """Return the frame, or raise TypeError for anything else."""
    if not isinstance(df, pd.DataFrame):
        raise TypeError(f"{function}() takes a pandas DataFrame, not {type(df).__name__}")
    return df


def find_column(df: pd.DataFrame, label: Hashable, what: str) -> "pd.Series[Any]":
    """Return the one column that a label names, or raise KeyError, TypeError or ValueError."""
    try:
        where = df.columns.get_loc(label)
    except KeyError:
        raise missing_column_error(label, df.columns, what) from None
    except (TypeError, pd.errors.InvalidIndexError):
        if isinstance(label, list) and what == "the hypothesis":
            raise TypeError(several_hypotheses(label)) from None
        one = "a column label" if what == "the hypothesis" else "a column label or a list of labels"
        raise TypeError(
            f"{what} is named by {one}, not by {typed_repr(label)}; the columns are {join_values(df.columns)}"
        ) from None
    found = np.arange(df.shape[1])[where].reshape(-1)  # a position, a slice or a mask
    if len(found) != 1:
        do = "rename the others" if df.columns.nlevels == 1 else "give a label of every level"
        raise ValueError(
            f"the column label {label!r} for {what} stands for {len(found)} columns of the frame; expected one: {do}"
        )
    return df.iloc[:, int(found[0])]


def several_hypotheses(labels: list[Any]) -> str:
    """Return the message for a list of hypothesis columns, which only functions that compare systems take."""
    one = f"hypothesis={short_repr(labels[0])}" if labels else 'hypothesis="mt"'
    pair = f", or look at two with inspect({one}, compare={short_repr(labels[1])})" if len(labels) > 1 else ""
    return (
        f"the hypothesis is named by a column label, not by {typed_repr(labels)}, which is for comparing: give one, "
        f"df.bleu({one}, ...){pair}"
    )


def as_label_list(labels: Any) -> list[Any]:
    """Return one label, a list of labels or None as a list."""
    return [] if labels is None else labels if isinstance(labels, list) else [labels]


def reads_components(df: pd.DataFrame, count: CountOptions) -> bool:
    """Return whether a call reads components columns: it asks for them, or the frame has no token columns."""
    if count.components:
        return True
    if count.hypothesis is not None or count.references is not None:
        return False
    names = set(df.columns)
    if names.isdisjoint((HYPOTHESIS, REFERENCES)):
        return has_component_columns(names)
    return not names.issuperset((HYPOTHESIS, REFERENCES)) and complete_orders(names) > 0


def token_columns(
    df: pd.DataFrame,
    hypothesis: Hashable,
    references: object,
    needs: str,
    shapes: Mapping[Hashable, Shape] | None = None,
) -> TokenColumns:
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
    shapes : mapping of label to Shape, optional
        Of reference columns of Python objects, where `df` is part of a larger frame that decides it.
    """
    if hypothesis is None and references is None and HYPOTHESIS not in df.columns and complete_orders(df.columns):
        raise missing_column_error(
            HYPOTHESIS, df.columns, f"{needs}(), which needs token lists and not only components"
        )
    hypothesis = HYPOTHESIS if hypothesis is None else hypothesis
    references = REFERENCES if references is None else references
    if isinstance(references, list) and not references:
        raise ValueError("references is an empty list; expected a column label or a list of column labels")
    labels = [hypothesis, *(references if isinstance(references, list) else [references])]
    found = []
    for i, label in enumerate(labels):
        series = find_column(df, label, "references" if i else "the hypothesis")
        found.append(column_form(series, is_hypothesis=i == 0, shape=(shapes or {}).get(label)))
    forms, rows = zip(*found, strict=True)
    return TokenColumns(df.index, tuple(labels), forms, rows)


# ---- Nested or flat ----


def find_shape(cells: Iterable[object], index: pd.Index) -> Shape | None:
    """Return the shape of a reference column by the first cell that decides it; None where no cell does."""
    for position, cell in enumerate(cells):
        nested = is_nested_cell(cell)
        if nested is not None:
            return Shape(nested, row_place(index, position))
    return None


def is_nested_cell(cell: object) -> bool | None:
    """Return whether a reference cell holds token lists (True) or tokens (False); None for an empty cell or no list."""
    for item in as_list(cell) or ():
        if isinstance(item, str):
            return False
        if as_list(item) is not None:
            return True
    return None


def first_white_space(cell: object) -> str | None:
    """Return the first token of a flat cell that holds white space, or None."""
    tokens = (item for item in as_list(cell) or () if isinstance(item, str))
    return next((token for token in tokens if not WHITE_SPACE.isdisjoint(token)), None)


# ---- Forms ----

FormAndRow: TypeAlias = tuple[Form, RowPlace | None]  # a column, and the row that made it nested or flat


def column_form(series: "pd.Series[Any]", is_hypothesis: bool, shape: Shape | None = None) -> FormAndRow:
    """Return a column in the form that the engines read.

    Parameters
    ----------
    series : Series
    is_hypothesis : bool
    shape : Shape, optional
        Of a reference column whose type does not decide it; by its first cells unless given.
    """
    if isinstance(series.dtype, pd.ArrowDtype):
        return arrow_form(pa.array(series), series.index, is_hypothesis, shape)
    values = series.array if series.dtype == object else series.astype(object).array
    return object_form(np.asarray(values, dtype=object), series.index, is_hypothesis, shape)


def arrow_form(array: Any, index: pd.Index, is_hypothesis: bool, shape: Shape | None = None) -> FormAndRow:
    """Return an Arrow column in the form that the engines read: not copied if its type is lists of text."""
    if depth(array.type) == 1 or (depth(array.type) == 2 and not is_hypothesis):
        return ArrowColumn(array, is_hypothesis), None
    values = np.empty(len(array), object)
    values[:] = array.to_pylist()
    return object_form(values, index, is_hypothesis, shape)


def object_form(
    values: NDArray[np.object_], index: pd.Index, is_hypothesis: bool, shape: Shape | None = None
) -> FormAndRow:
    """Return Python cells in the form that the engines read."""
    if is_hypothesis:
        return ObjectColumn(values, False), None
    shape = shape or find_shape(values, index) or Shape(True)
    return ObjectColumn(values, shape.nested), shape.row
