"""Random weights of resamples, drawn block by block: together they are the numbers that sacreBLEU draws at once."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BLOCK = 2**20  # weights at a time, of 8 bytes each, and as many draws; each thread holds two such blocks
WORD = 32  # NumPy makes this many booleans of one random word, and drops the rest of the word at the end of a call
MOST_ROWS = 4096
FEW_UNITS = 4096


def rows_at_once(n_units: int) -> int:
    """Return how many resamples are drawn at a time."""
    return min(max(BLOCK // max(n_units, 1), 1), MOST_ROWS)


def draw_units(n_units: int, n_resamples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Yield blocks of drawn units, (n, n_units): together ``default_rng(seed).choice(n_units, size=...)``."""
    rng, step = np.random.default_rng(seed), rows_at_once(n_units)
    for start in range(0, n_resamples, step):
        yield rng.integers(0, n_units, size=(min(step, n_resamples - start), n_units))


def count_draws(draws: NDArray[np.int64], n_units: int) -> Floats:
    """Count how often each unit was drawn in each resample, (n, n_units)."""
    n = len(draws)
    if n_units <= FEW_UNITS:  # a call for each resample would cost more than counting
        flat = (draws + np.arange(0, n * n_units, n_units)[:, np.newaxis]).ravel()
        return np.bincount(flat, minlength=n * n_units).reshape(n, n_units).astype(np.float64)
    result = np.empty((n, n_units))
    for row, one in zip(result, draws, strict=True):
        row[:] = np.bincount(one, minlength=n_units)
    return result


def draw_selections(n_units: int, n_resamples: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of 0 and 1, (n, n_units): together ``default_rng(seed).integers(2, size=..., dtype=bool)``."""
    rng, step = np.random.default_rng(seed), rows_at_once(n_units)
    whole = -(-step // WORD) * WORD
    for start in range(0, n_resamples, whole):
        # Always whole words, so that the next block begins where sacreBLEU's numbers continue.
        block = rng.integers(2, size=(whole, n_units), dtype=bool)[: n_resamples - start]
        for at in range(0, len(block), step):
            yield block[at : at + step].astype(np.float64)


def number_blocks(blocks: Iterator[NDArray[Any]]) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield each block with the number of its first resample."""
    start = 0
    for block in blocks:
        yield start, block
        start += len(block)
