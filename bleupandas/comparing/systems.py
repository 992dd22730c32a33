"""Systems: the sums of several systems on the same segments."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import CountOptions, join_values, short_repr
from bleupandas.comparing.pair_options import PairOptions
from bleupandas.comparing.paired_rows import PairedRows, read_paired_rows
from bleupandas.counting import Sums, read_sums
from bleupandas.reading import check_frame
from bleupandas.scoring import ScoreSettings


@dataclass(frozen=True, eq=False)
class Systems:
    """Several systems on the same segments.

    Attributes
    ----------
    rows : PairedRows
        The systems, the ids of segments, and their rows in the frame.
    sums : list of Sums
        Of each system, a row for each paired segment.
    nullable : bool
        Whether results have pandas' nullable dtypes.
    """

    rows: PairedRows
    sums: list[Sums]
    nullable: bool

    @property
    def names(self) -> list[Hashable]:
        """The systems as Python objects."""
        return self.rows.names

    @property
    def labels(self) -> pd.Index:
        """The systems in the dtype of their column, (n_systems,)."""
        return self.rows.labels

    @property
    def ids(self) -> pd.Index:
        """The ids of the segments, (n_pairs,)."""
        return self.rows.ids

    def missing(self, *systems: int) -> NDArray[np.bool_]:
        """Return which segments cannot be read for at least one of the systems, (n_pairs,)."""
        missing: NDArray[np.bool_] = np.logical_or.reduce([self.sums[system].missing for system in systems])
        return missing


def read_systems(
    df: pd.DataFrame, function: str, pairing: PairOptions, count: CountOptions, settings: ScoreSettings
) -> Systems:
    """Read the systems of a frame in long or wide form.

    Parameters
    ----------
    df : DataFrame
        Token columns, or in long form components columns.
    function : str
        The public function that asks, for errors.
    pairing : PairOptions
    count : CountOptions
        A list as `hypothesis` is the wide form.
    settings : ScoreSettings

    Returns
    -------
    Systems
        Any number of systems, also one or none.

    Raises
    ------
    KeyError, TypeError, ValueError
        If the frame does not say what the systems are, if rows do not pair, or if they cannot be counted.
    """
    check_frame(df, function)
    rows = read_paired_rows(df, function, count.hypothesis, pairing)
    if isinstance(count.hypothesis, list):
        if count.components:
            raise ValueError(
                f"{function}() has components=True and hypothesis={short_repr(count.hypothesis)}, a list of token "
                "columns: the wide form is counted from tokens; leave components out, or pass system= and id= with a "
                "components frame"
            )
        columns = [replace(count, hypothesis=column) for column in count.hypothesis]
        sums = [read_sums(df, function, column, settings.max_order, settings.orders_for) for column in columns]
    else:
        every = read_sums(df, function, count, settings.max_order, settings.orders_for)
        sums = [every.take(positions) for positions in rows.positions]
    return Systems(rows, sums, count.coerce)


def baseline_position(names: list[Hashable], baseline: object, function: str) -> int:
    """Return the position of the baseline, by default the first system; raise ValueError if there is only one."""
    if len(names) < 2:
        one = f"the frame has one system, {short_repr(names[0])}" if names else "the frame has no system"
        raise ValueError(
            f"{function}() compares at least two systems, and {one}; pass a frame with the rows of both, or "
            'hypothesis=["mt_a", "mt_b"]'
        )
    if baseline is None:
        return 0
    if not isinstance(baseline, Hashable) or baseline not in names:
        raise ValueError(f"baseline is one of the systems {join_values(names)}, not {short_repr(baseline)}")
    return names.index(baseline)
