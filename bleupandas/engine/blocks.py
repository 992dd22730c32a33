"""Blocks of rows: read one after another, counted by threads, returned in order."""

import collections
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bleupandas.engine.arrow import ArrowColumn
from bleupandas.engine.choice import get_engine
from bleupandas.engine.interface import Block, Cells

Item = TypeVar("Item")
Result = TypeVar("Result")

# Tokens of a block: bounds the memory of what is in flight, and the time for which reading keeps the GIL.
BUDGET = 1 << 17
# Rows whose cells the engine gets at once.
WINDOW_ROWS = 1 << 14


class ObjectColumn:
    """A column of Python cells.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        Of dtype object.
    nested : bool
        Whether a cell is a list of token lists.
    """

    def __init__(self, values: NDArray[np.object_], nested: bool) -> None:
        self.values = values
        self.nested = nested

    def __len__(self) -> int:
        return len(self.values)

    def cells(self, start: int, stop: int) -> list[Any]:
        """Return the cells of rows start..stop."""
        cells: list[Any] = self.values[start:stop].tolist()
        return cells

    pylist = cells

    def window(self, start: int, stop: int) -> int:
        """Return the end of the rows from start that are worth reading at once."""
        return stop

    def lengths(self) -> NDArray[np.int64]:
        """Return the number of items of every cell, 0 if it has none; (n_rows,)."""
        measure = len if {list, tuple}.issuperset(map(type, self.values)) else cell_length
        return np.fromiter(map(measure, self.values), np.int64, len(self.values))


def cell_length(cell: Any) -> int:
    """Return the number of items of a list, tuple or array, 0 for anything else."""
    if isinstance(cell, str) or not (isinstance(cell, (list, tuple)) or hasattr(cell, "tolist")):
        return 0
    try:
        return len(cell)
    except TypeError:  # an array without dimensions
        return 0


Form = ObjectColumn | ArrowColumn


def read_blocks(columns: Sequence[Form], share: float = 1.0) -> Iterator[tuple[int, Block]]:
    """Read all rows of a hypothesis column and its reference columns: (first row, block) after block.

    A block ends at `share` of the token budget.
    """
    budget = int(share * BUDGET)
    counting = get_engine()
    nested = [column.nested for column in columns[1:]]
    n_rows = len(columns[0])
    start = 0
    while start < n_rows:
        stop = min(start + WINDOW_ROWS, n_rows)
        for column in columns:
            stop = column.window(start, stop)
        cells: list[Cells] = [column.cells(start, stop) for column in columns]
        at = 0
        while at < stop - start:
            block = counting.read(cells[0], cells[1:], nested, at, stop - start, budget)
            yield start + at, block
            at = block.stop
        start = stop


def map_blocks(
    work: Callable[[int, Item], Result], blocks: Iterator[tuple[int, Item]], threads: int
) -> Iterator[tuple[int, Result]]:
    """Yield (first row, work(first row, block)) in the order of the blocks.

    At most 2 * threads blocks are in flight, so that memory stays bounded and an interrupt waits for few of them.
    The pool lives no longer than the call, so that a fork later finds no threads.
    """
    first = next(blocks, None)
    second = next(blocks, None) if threads > 1 else None
    if second is None:
        while first is not None:
            yield first[0], work(*first)
            first = next(blocks, None)
        return
    assert first is not None
    pool = ThreadPoolExecutor(threads, thread_name_prefix="bleupandas")
    flight: collections.deque[tuple[int, Future[Result]]] = collections.deque()
    try:
        flight.append((first[0], pool.submit(work, *first)))
        flight.append((second[0], pool.submit(work, *second)))
        del first, second
        for start, block in blocks:
            flight.append((start, pool.submit(work, start, block)))
            del block  # counted blocks are freed at once
            while len(flight) >= 2 * threads:
                start, future = flight.popleft()
                yield start, future.result()
        while flight:
            start, future = flight.popleft()
            yield start, future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
