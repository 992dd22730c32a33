"""Whether references stand beside the hypotheses that they belong to: counted against the references of other rows."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.counting import count_rows
from bleupandas.engine import ArrowColumn, Form, ObjectColumn, as_list
from bleupandas.reading import TokenColumns

ORDERS = 2  # pairs of tokens: single ones match by chance
PAIRS = 1 + ORDERS  # the row of matches_2
LEAST_ROWS = 5
LEAST_GAIN = 10  # matched pairs, over a run of rows
LEAST_OF_GROUP = 5  # the same, over all rows that belong together
MOST_RUNS = 20
JUDGED = 5000  # rows of a group

Positions = NDArray[np.int64]


def shift_references(
    tokens: TokenColumns, own: NDArray[np.int64], groups: Positions, step: int, threads: int
) -> Positions:
    """Find runs of rows that match the references of the row `step` away in their group, and hardly their own.

    A run has at least LEAST_ROWS rows, and together at least LEAST_GAIN and twice as many matched pairs of tokens.

    Parameters
    ----------
    tokens : TokenColumns
    own : ndarray of shape (n_rows,)
        Pairs of tokens that match the row's own references.
    groups : ndarray of shape (n_rows,)
        Rows of one number stand one after another, and the first after the last.
    step : int
    threads : int

    Returns
    -------
    ndarray of int64
        Positions of the rows.
    """
    forms = tuple(taken(form, neighbours(groups, step)) for form in tokens.forms[1:])
    other = pairs_matched(tokens, forms, threads)
    found = []
    for positions in members(groups):
        for start, stop in runs(own[positions], other[positions]):
            found.append(positions[start:stop])
    return np.concatenate([np.zeros(0, np.int64), *found])


def transposed(tokens: TokenColumns, own: NDArray[np.int64], groups: Positions, threads: int) -> Positions:
    """Find groups of rows whose references match better when the table of them is read column by column.

    Judged by at most JUDGED rows of each group, evenly spaced.

    Parameters
    ----------
    tokens, own, groups, threads
        As in `shifted`.

    Returns
    -------
    ndarray of int64
        Positions of the rows of such groups.
    """
    found = []
    if len(tokens.forms) == 2 and tokens.nested[0]:
        lengths = tokens.forms[1].lengths()
        for positions in members(groups):
            some = np.unique(np.linspace(0, len(positions) - 1, min(len(positions), JUDGED)).astype(np.int64))
            columnwise = read_by_columns(tokens.forms[1], lengths, positions, some)
            if columnwise is None:
                continue
            judged = positions[some]
            part = replace(tokens, index=tokens.index[judged])
            part = replace(part, forms=(taken(tokens.forms[0], judged), tokens.forms[1]))
            gained = int(pairs_matched(part, (columnwise,), threads).sum())
            kept = int(own[judged].sum())
            if gained >= max(2 * kept, kept + LEAST_OF_GROUP):
                found.append(positions)
    return np.concatenate([np.zeros(0, np.int64), *found])


def pairs_matched(tokens: TokenColumns, references: tuple[Form, ...], threads: int) -> NDArray[np.int64]:
    """Count the pairs of tokens that match other references, (n_rows,); 0 in rows that cannot be read."""
    moved = replace(tokens, forms=(tokens.forms[0], *references))
    pairs: NDArray[np.int64] = count_rows(moved, ORDERS, "coerce", threads).values[PAIRS]
    return pairs


def runs(own: NDArray[np.int64], other: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Walk the runs of rows, start and stop, over which `other` is far more than `own`."""
    gain = other - own
    for _ in range(MOST_RUNS):
        sums = np.concatenate([[0], np.cumsum(gain)])
        stop = int((sums - np.minimum.accumulate(sums)).argmax())
        start = stop - int(sums[stop::-1].argmin())
        if sums[stop] - sums[start] < LEAST_GAIN:
            return
        gain[start:stop] = -LEAST_GAIN
        if stop - start >= LEAST_ROWS and other[start:stop].sum() >= 2 * own[start:stop].sum():
            yield start, stop


def members(groups: Positions) -> list[Positions]:
    """Give the positions of each group, in their order."""
    order = np.argsort(groups, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(groups[order])) + 1) if len(groups) else []


def neighbours(groups: Positions, step: int) -> Positions:
    """Give for each row the position of the one `step` away in its group, (n_rows,).

    Examples
    --------
    >>> neighbours(np.array([7, 8, 7, 8, 7]), 1).tolist()
    [2, 3, 4, 1, 0]
    """
    found = np.empty(len(groups), np.int64)
    for positions in members(groups):
        found[positions] = np.roll(positions, -step)
    return found


# ---- Columns in another order ----


def taken(form: Form, positions: Positions) -> Form:
    """Give the cells at some positions."""
    if isinstance(form, ObjectColumn):
        return ObjectColumn(form.values[positions], form.nested)
    try:
        return ArrowColumn(form.array.take(pa.array(positions)), form.is_hypothesis)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):  # no version takes everything
        return ObjectColumn(objects(form.array.to_pylist())[positions], form.nested)


def objects(cells: list[Any]) -> NDArray[np.object_]:
    """Give cells as an array of objects, whatever they hold."""
    values = np.empty(len(cells), object)
    values[:] = cells
    return values


def read_by_columns(form: Form, lengths: Positions, positions: Positions, some: Positions) -> Form | None:
    """Give some cells of the table of references of a group as they are when it is read by columns.

    Parameters
    ----------
    form : Form
        A nested column.
    lengths : ndarray of shape (n_rows,)
        References of each row.
    positions, some : ndarray of int64
        The rows of the group, and which of them to give, counted within it.

    Returns
    -------
    Form or None
        None where the rows have not all as many references, at least two.
    """
    n_rows = len(positions)
    width = int(lengths[positions[0]]) if n_rows else 0
    if n_rows < 2 or width < 2 or (lengths[positions] != width).any():
        return None
    # Written row by row, the table's reference k of column-wise row i stands at k * n_rows + i.
    row, column = np.divmod(some[:, np.newaxis] + np.arange(width) * n_rows, width)
    rows, where = np.unique(positions[row], return_inverse=True)
    cells = [list(as_list(cell) or ()) for cell in pylist(taken(form, rows))]
    items = [cells[at][k] for at, k in zip(where.ravel().tolist(), column.ravel().tolist(), strict=True)]
    return ObjectColumn(objects([items[at : at + width] for at in range(0, len(items), width)]), True)


def pylist(form: Form) -> list[Any]:
    """Give all cells of a column as Python objects."""
    return form.pylist(0, len(form))
