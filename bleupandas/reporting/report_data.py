"""The data of a report: the rows of all systems in one frame, their components, and the settings of the score."""

import dataclasses
from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import CountOptions
from bleupandas.comparing import PairedRows, PairOptions, pair_rows, wide_rows
from bleupandas.counting import Sums, read_sums
from bleupandas.reading import (
    as_label_list,
    check_frame,
    component_names,
    find_column,
    reads_components,
    row_values,
    token_columns,
)
from bleupandas.scoring import ScoreSettings

Key = Any  # a Series with one value per row
# report() has no on_unpaired=.
UNPAIRED_ADVICE = "expected a row for each id of each system: correct the rows, or leave these ids out of the frame"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReportData:
    """Rows of all systems, one system below the other, and their components, all on a RangeIndex.

    Attributes
    ----------
    rows : DataFrame
    labels : list of hashable
        The row labels in the caller's index.
    positions : ndarray of shape (n_rows,)
        The row positions in the caller's frame.
    components : DataFrame
        Missing in rows that are left out.
    missing : int
        The number of unreadable rows.
    unpaired : int
        The number of readable rows that are left out because another system's row of the segment is unreadable.
    reference_counts : frozenset of int, or None
        The smallest and the largest number of references of a row; None if only components are known.
    systems : Series or None
        The system of each row, named "system"; None if there is only one.
    ids : Series or None
        The segment of each row; None if systems are not compared.
    by : list of Series
        The keys of groups.
    tokens : dict
        The keywords `hypothesis` and `references`; empty if only components are known.
    count : CountOptions
    settings : ScoreSettings
    scoring : dict
        The settings as keywords of `corpus`.
    """

    rows: pd.DataFrame
    labels: list[Hashable]
    positions: NDArray[np.int64]
    components: pd.DataFrame
    missing: int
    unpaired: int
    reference_counts: frozenset[int] | None
    systems: Key | None
    ids: Key | None
    by: list[Key]
    tokens: dict[str, Any]
    count: CountOptions
    settings: ScoreSettings
    scoring: dict[str, Any]

    @property
    def names(self) -> list[Hashable]:
        """The systems, in order of appearance."""
        return [] if self.systems is None else self.systems.unique().tolist()

    @property
    def orders(self) -> list[int]:
        """The n-gram orders of the score."""
        return list(range(1, self.settings.max_order + 1))

    def take(self, kept: NDArray[np.integer[Any]]) -> "ReportData":
        """Return the rows at the given positions, on a new RangeIndex."""
        if len(kept) == len(self.rows):
            return self
        return dataclasses.replace(
            self,
            rows=self.rows.take(kept).reset_index(drop=True),
            labels=[self.labels[at] for at in kept.tolist()],
            positions=self.positions[kept],
            components=self.components.take(kept).reset_index(drop=True),
            systems=take_key(self.systems, kept),
            ids=take_key(self.ids, kept),
            by=[take_key(key, kept) for key in self.by],
        )

    def complete(self) -> "ReportData":
        """Return the rows that are not left out."""
        return self.take(np.flatnonzero(self.components.notna().all(axis=1)))

    def paired(self) -> PairedRows:
        """Return the rows of each segment that is compared."""
        assert self.systems is not None
        assert self.ids is not None
        return pair_keys(self.systems, self.ids, self.rows.index)


def take_key(key: Key | None, kept: NDArray[np.integer[Any]]) -> Key | None:
    """Return the values of a key at the given positions."""
    return None if key is None else key.take(kept).reset_index(drop=True)


def pair_keys(systems: Key, ids: Key, index: pd.Index) -> PairedRows:
    """Pair rows, or raise ValueError if an id is missing in a system."""
    names, segments = (pd.Index(key.array, tupleize_cols=False) for key in (systems, ids))
    return pair_rows(names, segments, index, advice=UNPAIRED_ADVICE)


# ---- Reading ----


def read_report_data(
    df: pd.DataFrame,
    pairing: PairOptions,
    count: CountOptions,
    settings: ScoreSettings,
    *,
    by: Hashable | list[Any] | None,
    scoring: dict[str, Any],
) -> ReportData:
    """Read a frame in long or wide form, with tokens or components, of one system or of several."""
    check_frame(df, "report")
    keys = [find_column(df, label, "by") for label in as_label_list(by)]
    positions = np.arange(len(df))
    rows, systems, ids = df, None, None
    if isinstance(count.hypothesis, list):
        rows, positions, systems, ids = stack_systems(df, count.hypothesis, pairing)
        count = dataclasses.replace(count, hypothesis=count.hypothesis[0])
    else:
        if pairing.system is not None or "system" in df.columns:
            systems = pd.Series(row_values(df, pairing.system, "system", "report"), name="system")
        if systems is not None and (pairing.id is not None or "id" in df.columns):
            ids = pd.Series(row_values(df, pairing.id, "id", "report"), name="id")
    if systems is None or systems.nunique() < 2:
        systems = ids = None
    sums = read_sums(rows, "report", count, settings.max_order, settings.orders_for)
    left_out = sums.missing
    if systems is not None and ids is not None:
        left_out = incomplete_segments(pair_keys(systems, ids, df.index.take(positions)), sums.missing)
    has_tokens = not reads_components(rows, count)
    return ReportData(
        rows=rows.reset_index(drop=True),
        labels=df.index.take(positions).tolist(),
        positions=positions,
        components=complete_components(sums, left_out),
        missing=int(sums.missing.sum()),
        unpaired=int((left_out & ~sums.missing).sum()),
        reference_counts=sums.reference_counts,
        systems=systems,
        ids=ids,
        by=[pd.Series(key.array.take(positions), name=key.name) for key in keys],
        tokens={"hypothesis": count.hypothesis, "references": count.references} if has_tokens else {},
        count=count,
        settings=settings,
        scoring=scoring,
    )


def read_report_tokens(data: ReportData, rows: pd.DataFrame) -> Any:
    """Return the token columns of rows of a report."""
    return token_columns(rows, data.count.hypothesis, data.count.references, "report")


def stack_systems(
    df: pd.DataFrame, hypothesis: list[Any], pairing: PairOptions
) -> tuple[pd.DataFrame, NDArray[np.int64], Key, Key]:
    """Return the wide form as the long one: rows, their positions in `df`, systems and ids."""
    wide = wide_rows(df, "report", hypothesis, pairing)
    if len(hypothesis) < 2:
        raise ValueError(f"hypothesis is a label, or a list of two or more different ones, not {hypothesis!r}")
    columns = [find_column(df, label, "the hypothesis") for label in hypothesis]
    positions = wide.positions.reshape(-1)
    first, *others = hypothesis
    rows = df.drop(columns=others).take(positions)
    rows[first] = pd.concat(columns, ignore_index=True).array
    systems = pd.Series(np.repeat(np.arange(len(hypothesis)), len(df))).map(dict(enumerate(hypothesis)))
    return rows, positions, systems.rename("system"), pd.Series(positions, name="id")


def incomplete_segments(paired: PairedRows, missing: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which rows belong to a segment with an unreadable row, so that all systems have the same segments.

    Every table then has the same score of a system as `compare`.
    """
    left_out = missing.copy()
    left_out[paired.positions[:, missing[paired.positions].any(axis=0)]] = True
    return left_out


def complete_components(sums: Sums, left_out: NDArray[np.bool_]) -> pd.DataFrame:
    """Return components as a frame on a RangeIndex; rows that are left out are missing."""
    components = pd.DataFrame(sums.array.T, columns=component_names(sums.max_order), copy=False)
    if left_out.any():
        components = components.astype("Int64")
        components.loc[left_out] = pd.NA
    return components
