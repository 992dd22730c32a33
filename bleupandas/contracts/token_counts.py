"""Token lists of a request to counts, by the package's own engine."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bleupandas.contracts.limits import Limits, Strings
from bleupandas.engine import Block, get_engine


def read_block(hypotheses: Sequence[Strings], references: Sequence[Sequence[Strings]], limits: Limits) -> Block:
    """Read all segments as one block; the limit on tokens bounds its size."""
    budget = 1 + limits["max_total_tokens"]
    return get_engine().read(list(hypotheses), [list(references)], [True], 0, len(hypotheses), budget)


def count_components(block: Block, max_order: int, n_rows: int) -> NDArray[np.int64]:
    """Count a block: lengths, matches and totals, an array of shape (2 + 2 * max_order, n_rows)."""
    values = np.zeros((2 + 2 * max_order, n_rows), np.int64)
    if block.stop != n_rows or block.faults.any():
        raise RuntimeError("an input that was checked cannot be counted")
    block.components(max_order, values)
    return values
