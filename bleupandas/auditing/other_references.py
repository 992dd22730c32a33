"""Hypotheses counted against the references of other rows."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.counting import count_rows, object_array
from bleupandas.engine import ArrowColumn, Form, ObjectColumn
from bleupandas.reading import TokenColumns

PAIR_ORDER = 2  # pairs of tokens are compared, because single tokens match by chance
MATCHED_PAIRS = 1 + PAIR_ORDER  # the row of matches_2 in the components


def count_pairs(tokens: TokenColumns, references: tuple[Form, ...], threads: int) -> NDArray[np.int64]:
    """Return how many pairs of tokens match other references, (n_rows,); 0 for rows that cannot be read."""
    other = replace(tokens, forms=(tokens.forms[0], *references))
    pairs: NDArray[np.int64] = count_rows(other, PAIR_ORDER, "coerce", threads).values[MATCHED_PAIRS]
    return pairs


def take_cells(form: Form, positions: NDArray[np.int64]) -> Form:
    """Return a column of the cells at some positions."""
    if isinstance(form, ObjectColumn):
        return ObjectColumn(form.values[positions], form.nested)
    try:
        return ArrowColumn(form.array.take(pa.array(positions)), form.is_hypothesis)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):  # not every version takes every type
        return ObjectColumn(object_array(form.array.to_pylist())[positions], form.nested)
