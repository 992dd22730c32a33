"""Slices of paired segments: the groups of `by`, the clusters of segments, and which pairs share their segments."""

import itertools
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import join_values
from bleupandas.comparing.pair_options import PairOptions
from bleupandas.comparing.paired_data import PairedData
from bleupandas.comparing.paired_rows import PairedRows, format_source
from bleupandas.comparing.systems import baseline_position
from bleupandas.reading import FEW, factorize, missing_text, positions_of_groups, row_groups, row_values

Pair = tuple[int, int]  # positions of two systems, the baseline first


class PairGroup(NamedTuple):
    """Pairs of systems that are tested on the same segments of a slice."""

    slice: int
    places: list[int]  # of the pairs in the result
    pairs: list[Pair]
    segments: NDArray[np.int64]  # positions of paired segments
    unreadable: int  # segments that are left out


def list_pairs(rows: PairedRows, n_rows: int, pairing: PairOptions) -> list[Pair]:
    """Return the pairs of systems to test; a long frame without rows has none."""
    names = rows.names
    if not names and not n_rows:
        return []
    first = baseline_position(names, pairing.baseline, "compare")
    order = [first, *(system for system in range(len(names)) if system != first)]
    if pairing.pairs == "all":
        return list(itertools.combinations(order, 2))
    return [(first, other) for other in order[1:]]


def read_clusters(df: pd.DataFrame, cluster: object, rows: PairedRows) -> NDArray[np.int64] | None:
    """Return the number of each paired segment's cluster, (n_pairs,); None if there are no clusters."""
    if cluster is None:
        return None
    codes, _ = factorize(row_values(df, cluster, "cluster", "compare"), "cluster")
    if (codes < 0).any():
        raise ValueError(
            f"{missing_text('cluster', codes < 0, df.index)}; expected one for each row: fill them in, or leave the "
            "rows out"
        )
    return segment_codes(codes, rows, f"cluster{format_source(cluster)}")


def read_slices(df: pd.DataFrame, by: Any, rows: PairedRows) -> tuple[pd.Index | None, list[NDArray[np.int64]]]:
    """Return the index of groups, and the positions of each group's paired segments."""
    if by is None:
        return None, [np.arange(len(rows.ids))]
    index, numbers = row_groups(df, by)
    return index, positions_of_groups(segment_codes(numbers, rows, "by"), len(index))


def segment_codes(codes: NDArray[np.int64], rows: PairedRows, what: str) -> NDArray[np.int64]:
    """Return a code for each paired segment, (n_pairs,), from one for each row; raise if a segment's rows differ."""
    if not len(rows.labels):
        return np.zeros(0, np.int64)
    each = codes[rows.positions]
    unequal = np.flatnonzero((each != each[0]).any(axis=0))
    if len(unequal):
        noun = "segment" if len(unequal) == 1 else "segments"
        raise ValueError(
            f"{what} differs between the rows of {len(unequal)} {noun}, id "
            f"{join_values(rows.ids[unequal].tolist(), FEW)}; expected the same for all systems' rows of a segment"
        )
    codes = each[0]
    return codes


def group_pairs(data: PairedData, pairs: list[Pair], number: int, segments: NDArray[np.int64]) -> list[PairGroup]:
    """Return the groups of pairs of a slice: one, or several if pairs cannot read the same segments."""
    groups: dict[bytes, PairGroup] = {}
    none = np.zeros(len(segments), np.bool_)
    any_missing = any(missing.any() for missing in data.missing)
    for place, (first, second) in enumerate(pairs):
        out = (data.missing[first] | data.missing[second])[segments] if any_missing else none
        key = out.tobytes() if any_missing else b""
        if key not in groups:
            groups[key] = PairGroup(number, [], [], segments[~out] if any_missing else segments, int(out.sum()))
        groups[key].places.append(place)
        groups[key].pairs.append((first, second))
    return list(groups.values())
