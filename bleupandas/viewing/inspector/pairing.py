"""Pairs of hypotheses: a row with another column, or with the row of another system."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import join_values, short_repr
from bleupandas.comparing import pair_rows
from bleupandas.counting import Sums
from bleupandas.reading import factorize, row_values

ADVICE = "expected a row for each id of both systems: correct the ids, or leave these rows out"


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


def system_pairing(df: pd.DataFrame, source: Sums, system: object, key: object, compare: object) -> Pairing:
    """Pair each row of a system with the row of another system that has the same id.

    Parameters
    ----------
    df : DataFrame
    source : Sums
        Components of its rows.
    system, key : label, or one value per row
        The systems and the ids, as `bleupandas.compare` takes them.
    compare : list of two systems, or None
        The system in the list first; None if there are just two systems.

    Raises
    ------
    KeyError, TypeError, ValueError
        If the frame has no such systems or ids, or if rows do not pair.
    """
    codes, labels = factorize(row_values(df, system, "system", "inspect"), "system")
    systems = two_systems(labels.tolist(), compare)
    rows = np.flatnonzero(np.isin(codes, [labels.tolist().index(name) for name in systems]))
    ids = row_values(df, key, "id", "inspect").take(rows)
    paired = pair_rows(labels.take(codes[rows]), ids, df.index.take(rows), advice=ADVICE)
    first, second = (rows[paired.positions[paired.names.index(name)]] for name in systems)
    partner = np.full(len(df), -1)
    partner[first] = second
    names = (str(systems[0]), str(systems[1]))
    others = source.take(partner)
    others = replace(others, missing=others.missing | (partner < 0))
    return Pairing(names, others, partner >= 0, partner, None)


def two_systems(names: list[Any], compare: object) -> tuple[Any, Any]:
    """Return the two systems to compare; raise ValueError if `compare` does not name two of them."""
    if compare is None:
        if len(names) != 2:
            raise ValueError(
                f"system= has {len(names)} systems ({join_values(names, 5)}); name two of them, as compare=['a', 'b']"
            )
        return names[0], names[1]
    if not isinstance(compare, list | tuple) or len(compare) != 2 or compare[0] == compare[1]:
        raise ValueError(
            f"with system=, compare is a list of two systems, such as {names[:2]!r}, not {short_repr(compare)}"
        )
    unknown = [name for name in compare if name not in names]
    if unknown:
        raise ValueError(f"system= has no {short_repr(unknown[0])}; the systems are {join_values(names, 5)}")
    return compare[0], compare[1]
