"""Pairs of hypotheses: a row with another column, or with the row of another system."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import join_values, short_repr
from bleupandas.counting import Sums
from bleupandas.reading import find_column


class Pairing(NamedTuple):
    """The other hypothesis of every row.

    Attributes
    ----------
    names : tuple of two str
        The names of the hypotheses in the list and of the others.
    sums : Sums
        Components of the others. A row is missing if it has no partner, or if the partner cannot be read.
    in_list : ndarray of shape (n_rows,), bool
        Which rows the list can show: all, or those of the first system.
    partner : ndarray of shape (n_rows,), int64
        The position of the other row, -1 for none; the row itself if another column is compared.
    hypothesis : label or None
        The other hypothesis column; None if two systems are compared.
    """

    names: tuple[str, str]
    sums: Sums
    in_list: NDArray[np.bool_]
    partner: NDArray[np.int64]
    hypothesis: Hashable | None


def column_pairing(names: tuple[str, str], other: Sums, hypothesis: Hashable) -> Pairing:
    """Pair each row with another hypothesis column."""
    return Pairing(names, other, np.ones(len(other), np.bool_), np.arange(len(other)), hypothesis)


def system_pairing(df: pd.DataFrame, source: Sums, system: Hashable, key: Hashable, compare: object) -> Pairing:
    """Pair each row of a system with the row of another that has the same id.

    Parameters
    ----------
    df : DataFrame
    source : Sums
        Components of its rows.
    system, key : label
        Column of the systems, and the column that tells which rows belong together.
    compare : list of two values, or None
        Which systems, the listed one first; None where the column holds just two.

    Raises
    ------
    ValueError
        If an id is missing, stands twice for a system, or is not there for both.
    """
    systems, ids = find_column(df, system, "system"), find_column(df, key, "id")
    pair = two_systems(systems, compare)
    first, second = (np.flatnonzero((systems == name).to_numpy(bool, na_value=False)) for name in pair)
    sides = {name: ids.iloc[rows] for name, rows in zip(pair, (first, second), strict=True)}
    for name, side in sides.items():
        if side.isna().any():
            lacking = int(side.isna().sum())
            raise ValueError(f"id column {key!r}: {lacking} ids of {name!r} are missing; drop these rows")
        twice = side[side.duplicated()].unique().tolist()
        if twice:
            raise ValueError(
                f"id column {key!r}: {len(twice)} ids stand more than once for {name!r}: {join_values(twice, 5)}; "
                "expected one row for each system and id"
            )
    here, there = (pd.Index(side) for side in sides.values())
    alone = here.symmetric_difference(there).tolist()
    if alone:
        raise ValueError(
            f"id column {key!r}: {len(alone)} ids are not there for both of {pair[0]!r} and {pair[1]!r}: "
            f"{join_values(alone, 5)}; drop their rows, or mend the ids"
        )
    partner = np.full(len(df), -1)
    partner[first] = second[there.get_indexer(here)]
    named = (str(pair[0]), str(pair[1]))
    other = source.take(partner)
    other = replace(other, missing=other.missing | (partner < 0))
    return Pairing(named, other, partner >= 0, partner, None)


def two_systems(systems: "pd.Series[Any]", compare: object) -> tuple[Any, Any]:
    """Give the two systems to compare, or raise."""
    there = systems.dropna().unique().tolist()
    if compare is None:
        if len(there) != 2:
            raise ValueError(
                f"system column {systems.name!r} holds {len(there)} systems ({join_values(there, 5)}); say "
                "which two, as "
                "compare=['a', 'b']"
            )
        return there[0], there[1]
    if not isinstance(compare, list | tuple) or len(compare) != 2 or compare[0] == compare[1]:
        raise ValueError(
            f"with system=, compare is a list of two systems, such as {there[:2]!r}, not {short_repr(compare)}"
        )
    lacking = [name for name in compare if name not in there]
    if lacking:
        raise ValueError(f"system column {systems.name!r} has no {lacking[0]!r}; there are {join_values(there, 5)}")
    return compare[0], compare[1]
