"""references(): what each reference of a segment contributes."""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Never

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import (
    DEFAULT_ORDER,
    Errors,
    check_errors,
    check_order,
    check_threads,
    is_missing,
    refuse_keywords,
)
from bleupandas.counting.ngrams import id_columns
from bleupandas.counting.sums import count_rows, nullable_integers
from bleupandas.engine import ObjectColumn, as_list
from bleupandas.reading import TokenColumns, changed_problem, check_frame, token_columns

KEYWORDS = ("hypothesis", "references", "max_order", "id_vars", "errors", "threads")
# Rows that are taken apart at once: bounds the lists that are made for it.
WINDOW_ROWS = 1 << 14


def references(
    df: pd.DataFrame,
    /,
    *,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    id_vars: Hashable | list[Any] | None = None,
    errors: str = "raise",
    threads: int | None = None,
    **unknown: Never,
) -> pd.DataFrame:
    """Tell of every reference of every segment what it contributes to the counts.

    Also a method: ``df.bleu.references()``. Sums over the rows of one reference say what it is worth to the corpus, as
    in ``df.bleu.references().groupby("reference").sum()``.

    Parameters
    ----------
    df : DataFrame
        A row per segment.
    hypothesis, references, max_order, errors, threads
        As in `components`. With ``errors="coerce"`` a row that cannot be read gives no rows.
    id_vars : label or list of labels, optional
        Columns of `df` to carry along, before the others, as in ``DataFrame.melt``.

    Returns
    -------
    DataFrame
        A row per segment and reference, under the segment's label of `df`, repeated: segment (position of the row in
        `df`, from 0), reference (its place among the segment's references, from 0; one that is missing has no row, and
        keeps its place, so that of several columns the number is the column's),
        reference_length (its own, in tokens), closest (bool: whether its length is the reference_length of
        `components`; of equal lengths the first one's, so exactly one reference of a segment is closest),
        matches_1..N (clipped counts against this reference alone), only_1..N (clipped counts that no other reference
        supplies: matches against all references less matches without this one; all of them where there is no other).
        Numbers are int64, closest bool (Int64 and boolean with ``errors="coerce"``).

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`.

    Notes
    -----
    Papineni et al. 2002, sections 2.1 (clipping by the largest count in a reference) and 2.2.2 (the closest length).
    A clipped count that two references supply is in the only_n of neither, so that only_n of a segment add up to at
    most its matches_n, and matches_n of its references to at least that.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({
    ...     "hypothesis": [["the", "cat", "sat"]],
    ...     "references": [[["the", "cat"], ["a", "cat", "sat"]]],
    ... })
    >>> bleupandas.references(df, max_order=1)
       segment  reference  reference_length  closest  matches_1  only_1
    0        0          0                 2    False          2       1
    0        0          1                 3     True          2       1
    """
    refuse_keywords("references", unknown, KEYWORDS)
    check_frame(df, "references")
    order = DEFAULT_ORDER if max_order is None else check_order(max_order)
    mode, n_threads = check_errors(errors), check_threads(threads)
    labels = result_names(order)
    carried = id_columns(df, id_vars, labels, "frame of references")
    tokens = token_columns(df, hypothesis, references, "references")
    values, closest = contributions(tokens, order, mode, n_threads)
    data: dict[str, Any] = dict(zip(labels, values, strict=True))
    data["closest"] = closest
    if mode == "coerce":
        whole = np.zeros(values.shape[1], np.bool_)
        data = {name: nullable_integers(v, whole) for name, v in data.items() if name != "closest"}
        data["closest"] = pd.arrays.BooleanArray(closest, whole)
    index = df.index.repeat(np.bincount(values[0], minlength=len(df)))
    result = pd.DataFrame({label: data[label] for label in labels}, index=index, copy=False)
    for at, (label, series) in enumerate(carried):
        result.insert(at, label, series.array.take(values[0]), allow_duplicates=True)
    return result


def result_names(max_order: int) -> list[str]:
    """Give the columns of the result."""
    orders = range(1, max_order + 1)
    numbers = [f"matches_{n}" for n in orders] + [f"only_{n}" for n in orders]
    return ["segment", "reference", "reference_length", "closest", *numbers]


def contributions(
    tokens: TokenColumns, max_order: int, errors: Errors, threads: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Give the numbers, (4 + 2 * max_order, n) by `result_names` (of no meaning in place of closest), and closest."""
    whole = count_rows(tokens, max_order, errors, threads)
    parts = [np.empty((4 + 2 * max_order, 0), np.int64)]
    for start in range(0, len(tokens.index), WINDOW_ROWS):
        apart = taken_apart(tokens, start, whole.missing[start : start + WINDOW_ROWS])
        segment = apart.segment
        alone = counted_again(tokens, apart, apart.alone, max_order, threads)
        only = alone[2 : 2 + max_order].copy()
        shared = np.flatnonzero(apart.n_others)
        some = Apart(segment[shared], apart.reference[shared], [apart.hypotheses[i] for i in shared], [], [])
        without = counted_again(tokens, some, [apart.others[i] for i in shared], max_order, threads)
        only[:, shared] = whole.values[2 : 2 + max_order, segment[shared]] - without[2 : 2 + max_order]
        parts.append(np.vstack([segment, apart.reference, alone[1], alone[1], alone[2 : 2 + max_order], only]))
    values = np.hstack(parts)
    return values, first_of_length(values[0], values[2], whole.values[1])


def first_of_length(
    segment: NDArray[np.int64], lengths: NDArray[np.int64], wanted: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Mark the first reference of each segment that has the wanted length; all by reference, wanted by segment."""
    first = np.zeros(len(segment), np.bool_)
    there = np.flatnonzero(lengths == wanted[segment])
    first[there[np.unique(segment[there], return_index=True)[1]]] = True
    return first


class Apart(NamedTuple):
    """Rows taken apart, an item for each segment and reference."""

    segment: NDArray[np.int64]
    reference: NDArray[np.int64]
    hypotheses: list[Any]  # cells
    alone: list[list[Any]]  # nested cells of this reference
    others: list[list[Any]]  # nested cells of the segment's other references

    @property
    def n_others(self) -> list[int]:
        """How many other references there are."""
        return [len(cell) for cell in self.others]


def taken_apart(tokens: TokenColumns, start: int, missing: NDArray[np.bool_]) -> Apart:
    """Take the rows from start apart, as many as there are in missing; those that are missing give nothing."""
    cells = [form.pylist(start, start + len(missing)) for form in tokens.forms]
    segments, numbers, hypotheses, alone, others = [], [], [], [], []
    for i in np.flatnonzero(~missing).tolist():
        given = [
            item
            for column, nested in zip(cells[1:], tokens.nested, strict=True)
            for item in items_of(column[i], nested)
        ]
        places = [place for place, item in enumerate(given) if not is_missing(item)]
        lists = [given[place] for place in places]
        for k, (place, item) in enumerate(zip(places, lists, strict=True)):
            segments.append(start + i)
            numbers.append(place)
            hypotheses.append(cells[0][i])
            alone.append([item])
            others.append(lists[:k] + lists[k + 1 :])
    return Apart(np.array(segments, np.int64), np.array(numbers, np.int64), hypotheses, alone, others)


def items_of(cell: Any, nested: bool) -> Sequence[Any]:
    """Give the references of a cell that was read before, also missing ones."""
    if not nested:
        return [cell]
    return () if is_missing(cell) else as_list(cell) or ()


def counted_again(
    tokens: TokenColumns, apart: Apart, references: list[list[Any]], max_order: int, threads: int
) -> NDArray[np.int64]:
    """Count the hypotheses against other references, (2 + 2 * max_order, n)."""
    forms = (ObjectColumn(as_objects(apart.hypotheses), False), ObjectColumn(as_objects(references), True))
    rows = TokenColumns(pd.RangeIndex(len(references)), tokens.labels[:2], forms, (None, None))
    found = count_rows(rows, max_order, "coerce", threads)
    if found.missing.any():
        raise changed_problem(tokens, int(apart.segment[found.missing.argmax()])).error()
    return found.values


def as_objects(cells: list[Any]) -> NDArray[np.object_]:
    """Give cells as an array, (n,), whatever they are."""
    values = np.empty(len(cells), object)
    for i, cell in enumerate(cells):  # assigned at once, cells of equal lengths would make a second dimension
        values[i] = cell
    return values
