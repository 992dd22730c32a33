"""Hypotheses that occur twice in a system."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.auditing.checks import MIN_TOKENS
from bleupandas.reading import TokenColumns


def find_duplicates(
    hashes: NDArray[np.int64], tokens: TokenColumns, lengths: NDArray[np.int64], systems: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return the rows whose hypothesis occurs in an earlier row of the system, (n_rows,).

    A short hypothesis is a duplicate only if the references are the same, too.
    """
    readable = lengths > 0  # nor empty
    keys = pd.DataFrame({"system": systems, "hypothesis": hashes})[readable]
    repeated = keys.duplicated(keep=False)  # by hash: the lists are compared below
    seen: set[tuple[Any, ...]] = set()
    duplicates = np.zeros(len(lengths), np.bool_)
    for position in keys.index[repeated.to_numpy()].tolist():
        hypothesis, *references = map(tuple, tokens.lists(position))
        system = int(systems[position])
        segment, alone = (system, hypothesis, *references), (system, hypothesis)
        duplicates[position] = segment in seen or (len(hypothesis) >= MIN_TOKENS and alone in seen)
        seen.update((segment, alone))
    return duplicates
