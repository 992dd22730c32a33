"""Components of rows as arrays: counted from tokens."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import Errors
from bleupandas.engine import UNCOUNTED, Block, map_blocks, read_blocks
from bleupandas.reading import TokenColumns, row_error


class RowCounts(NamedTuple):
    """Components of the rows of a frame, as arrays."""

    values: NDArray[np.int64]  # (2 + 2 * max_order, n_rows), by component_columns.names
    missing: NDArray[np.bool_]  # (n_rows,), rows that cannot be read; their values are 0
    references: set[int]  # how many references rows have


def count_rows(tokens: TokenColumns, max_order: int, errors: Errors, threads: int) -> RowCounts:
    """Count token columns; with errors="raise" the first row that cannot be read raises."""
    n_rows = len(tokens.index)
    values = np.empty((2 + 2 * max_order, n_rows), np.int64)
    missing = np.zeros(n_rows, np.bool_)

    references: set[int] = set()

    def count(start: int, block: Block) -> bool:
        stop = start + len(block.faults)
        block.components(max_order, values[:, start:stop])
        missing[start:stop] = block.faults & UNCOUNTED
        numbers = block.reference_counts()[~missing[start:stop]]
        if len(numbers):
            references.update((int(numbers.min()), int(numbers.max())))
        return bool(missing[start:stop].any())

    for start, faulty in map_blocks(count, read_blocks(tokens.forms), threads):
        if faulty and errors == "raise":
            raise row_error(tokens, start + int(missing[start:].argmax()))
    return RowCounts(values, missing, references)


def nullable_integers(values: NDArray[np.int64], missing: NDArray[np.bool_]) -> Any:
    """Give a nullable Int64 column from values and a mask, both (n_rows,)."""
    return pd.arrays.IntegerArray(values, missing.copy())
