"""Data for tests of comparing: the example in both forms, a third system, numbers of a metric."""

from typing import Any

import numpy as np
import pandas as pd

import bleupandas

EXAMPLE: Any = bleupandas.load_example()
PAIR = ["direct", "pivot"]
COUNTS: Any = EXAMPLE.bleu.components().assign(system=EXAMPLE["system"], id=EXAMPLE["id"], domain=EXAMPLE["domain"])
COLUMNS = [
    *("baseline", "system", "baseline_score", "baseline_low", "baseline_high", "score", "score_low", "score_high"),
    *("difference", "difference_low", "difference_high", "p_value", "p_corrected", "segments", "segments_missing"),
]
FLOATS, INTEGERS = COLUMNS[2:13], COLUMNS[13:]


def wide_example() -> Any:
    direct, pivot = (EXAMPLE[EXAMPLE["system"] == name].set_index("id") for name in PAIR)
    return direct[["references", "domain"]].assign(direct=direct["hypothesis"], pivot=pivot["hypothesis"])


def three() -> Any:
    """Return components of both systems and of a third, which mixes them by odd and even ids."""
    keep = (COUNTS["id"] % 2 == 1) == (COUNTS["system"] == "direct")
    return pd.concat([COUNTS, COUNTS[keep].assign(system="third")], ignore_index=True)


def numbers_frame(seed: int = 4, n: int = 60) -> Any:
    rng = np.random.default_rng(seed)
    first = rng.normal(size=n)
    both = np.concatenate([first, first + rng.normal(0.1, 0.5, size=n)])
    return pd.DataFrame({"system": ["a"] * n + ["b"] * n, "id": [*range(n)] * 2, "comet": both})


def coerced(frame: pd.DataFrame) -> Any:
    return frame.astype(dict.fromkeys(FLOATS, "Float64") | dict.fromkeys(INTEGERS, "Int64"))


def same(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
