from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from bleupandas.counting.interface import Cells, Contrasts, Coverage, Ngrams, Summary

INTERFACE: int

@final
class Block:
    @property
    def stop(self) -> int: ...
    @property
    def faults(self) -> NDArray[np.uint8]: ...
    def reference_counts(self) -> NDArray[np.int32]: ...
    def components(self, max_order: int, out: NDArray[np.int64]) -> None: ...
    def ngrams(self, orders: Sequence[int], sep: str | None, references: bool) -> Ngrams: ...
    def coverage(self, max_order: int, references: bool) -> Coverage: ...

def read(
    hypothesis: Cells,
    references: Sequence[Cells],
    nested: Sequence[bool],
    start: int,
    stop: int,
    budget: int,
) -> Block: ...

@final
class Tally:
    def add(self, start: int, block: Block) -> int: ...
    def holds(self, text: str) -> bool: ...
    def summary(
        self, rows: NDArray[np.int64] | None, orders: Sequence[int], min_count: int, sep: str, threads: int
    ) -> Summary: ...
    def contrasts(
        self,
        pairs: NDArray[np.int64],
        orders: Sequence[int],
        min_count: int,
        sep: str,
        examples: int,
        threads: int,
    ) -> Contrasts: ...

def tally() -> Tally: ...
