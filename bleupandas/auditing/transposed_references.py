"""Tables of references that were written by columns and read by rows, or the reverse."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bleupandas.auditing.checks import MIN_TOKENS
from bleupandas.auditing.other_references import count_pairs, take_cells
from bleupandas.auditing.readable_rows import Tokens
from bleupandas.auditing.system_rows import Positions, positions_by_system
from bleupandas.counting import object_array
from bleupandas.engine import Form, ObjectColumn, as_list
from bleupandas.reading import TokenColumns

MIN_GAIN = 5  # pairs of tokens that a system has to match in addition
MAX_ROWS = 5000  # of a system are counted


# ---- The table of a system ----


def find_transposed(
    tokens: TokenColumns, pairs: NDArray[np.int64], systems: NDArray[np.int64], threads: int
) -> Positions:
    """Return the positions of the rows of systems whose references match better when read by columns.

    Each system is judged by at most MAX_ROWS rows, evenly spaced.

    Parameters
    ----------
    tokens : TokenColumns
    pairs : ndarray of shape (n_rows,)
        Pairs of tokens in a hypothesis that match the references of the same row.
    systems : ndarray of shape (n_rows,)
    threads : int
    """
    transposed = [np.zeros(0, np.int64)]
    if len(tokens.forms) == 2 and tokens.nested[0]:
        widths = tokens.forms[1].lengths()
        for positions in positions_by_system(systems):
            sample = np.unique(np.linspace(0, len(positions) - 1, min(len(positions), MAX_ROWS)).astype(np.int64))
            by_columns = read_by_columns(tokens.forms[1], widths, positions, sample)
            if by_columns is None:
                continue
            rows = positions[sample]
            hypotheses = take_cells(tokens.forms[0], rows)
            sampled = replace(tokens, index=tokens.index[rows], forms=(hypotheses, tokens.forms[1]))
            pairs_by_columns = int(count_pairs(sampled, (by_columns,), threads).sum())
            pairs_by_rows = int(pairs[rows].sum())
            if pairs_by_columns >= max(2 * pairs_by_rows, pairs_by_rows + MIN_GAIN):
                transposed.append(positions)
    return np.concatenate(transposed)


def read_by_columns(form: Form, widths: NDArray[np.int64], positions: Positions, sample: Positions) -> Form | None:
    """Return some cells of a system's table of references, read by columns.

    Parameters
    ----------
    form : Form
        A nested column.
    widths : ndarray of shape (n_rows,)
        How many references each row has.
    positions : ndarray of int64
        The rows of the system.
    sample : ndarray of int64
        Which of these rows to return.

    Returns
    -------
    Form or None
        None unless all rows have the same number of references, at least two.
    """
    n_rows = len(positions)
    width = int(widths[positions[0]]) if n_rows else 0
    if n_rows < 2 or width < 2 or (widths[positions] != width).any():
        return None
    # Read by columns, reference k of row i is item k * n_rows + i of the table, counted row by row.
    row, column = np.divmod(sample[:, np.newaxis] + np.arange(width) * n_rows, width)
    needed, where = np.unique(positions[row], return_inverse=True)
    cells = [list(as_list(cell) or ()) for cell in take_cells(form, needed).pylist(0, len(needed))]
    items = [cells[at][k] for at, k in zip(where.ravel().tolist(), column.ravel().tolist(), strict=True)]
    return ObjectColumn(object_array([items[at : at + width] for at in range(0, len(items), width)]), True)


# ---- One row ----


def has_transposed_references(hypothesis: Tokens, references: Sequence[Tokens]) -> bool:
    """Return whether the first tokens of all references look like one reference, the second ones like another.

    Examples
    --------
    >>> has_transposed_references("a cat sat here .".split(), [["a"], ["cat"], ["sat"], ["."]])
    True
    """
    if len(references) < 4 or len(hypothesis) < MIN_TOKENS or len(set(map(len, references))) > 1:
        return False
    length = len(references[0])
    if length == 1:
        return True
    if not 1 < length <= len(references) / 2:
        return False
    pairs = set(itertools.pairwise(hypothesis))
    return count_shared_pairs(pairs, zip(*references, strict=True)) > count_shared_pairs(pairs, references)


def count_shared_pairs(pairs: set[tuple[str, str]], lists: Iterable[Sequence[str]]) -> int:
    """Count the pairs of neighbouring tokens that occur in any of the lists, too."""
    return len(pairs.intersection(pair for tokens in lists for pair in itertools.pairwise(tokens)))
