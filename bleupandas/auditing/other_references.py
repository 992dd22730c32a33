"""Hypotheses counted against the references of other rows."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.counting import Sums, count_sums, object_array
from bleupandas.engine import ArrowColumn, Form, ObjectColumn
from bleupandas.reading import TokenColumns

PAIR_ORDER = 2  # pairs of tokens are compared, because single tokens match by chance


def count_pairs(tokens: TokenColumns, references: tuple[Form, ...], threads: int) -> NDArray[np.int64]:
    """Return how many pairs of tokens match other references, (n_rows,); 0 for rows that cannot be read."""
    other = replace(tokens, forms=(tokens.forms[0], *references))
    return get_matched_pairs(count_sums(other, PAIR_ORDER, "coerce", threads))


def get_matched_pairs(sums: Sums) -> NDArray[np.int64]:
    """Return how many pairs of tokens match in each row, (n_rows,)."""
    pairs: NDArray[np.int64] = sums.matches[PAIR_ORDER - 1]
    return pairs


def take_cells(form: Form, positions: NDArray[np.int64]) -> Form:
    """Return a column of the cells at some positions."""
    if isinstance(form, ObjectColumn):
        return ObjectColumn(form.values[positions], form.nested)
    try:
        return ArrowColumn(form.array.take(pa.array(positions)), form.is_hypothesis)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):  # not every version takes every type
        return ObjectColumn(object_array(form.array.to_pylist())[positions], form.nested)
