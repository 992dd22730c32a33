"""The data of a report: the rows of all systems in one frame, their components, and how they are scored."""

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import count_options
from bleupandas.comparing import pair_options, pair_rows, wide_rows
from bleupandas.counting import Sums, read_sums
from bleupandas.reading import (
    as_label_list,
    check_frame,
    component_names,
    factorize,
    find_column,
    reads_components,
    row_values,
)
from bleupandas.scoring import ScoreSettings, score_settings

Key = Any  # a Series with a value for each row


class ReportData(NamedTuple):
    """The rows of all systems, one below the other, with their labels and counts; all on a RangeIndex."""

    rows: pd.DataFrame
    labels: list[Hashable]  # of each row, in the caller's index
    positions: NDArray[np.int64]  # of each row, in the caller's frame
    counts: pd.DataFrame  # components; missing where a row is left out
    missing: int  # rows that cannot be read
    unpaired: int  # rows that can, left out because another system's row of the segment cannot
    references: frozenset[int] | None  # how many references rows have, None where only components are known
    systems: Key | None  # named "system"; None where there is one
    ids: Key | None  # what pairs rows; None where nothing is compared
    by: list[Key]
    tokens: dict[str, Any]  # hypothesis and references as keywords; empty where only components are known
    settings: ScoreSettings
    scoring: dict[str, Any]  # the same as keywords of `corpus`
    errors: str
    threads: int | None

    @property
    def names(self) -> list[Hashable]:
        """The systems, in order of appearance."""
        return [] if self.systems is None else self.systems.unique().tolist()

    def readable(self) -> "ReportData":
        """Return the rows that are not left out."""
        kept = np.flatnonzero(self.counts.notna().all(axis=1))
        if len(kept) == len(self.counts):
            return self
        keys: Any = {
            name: None if key is None else key.take(kept).reset_index(drop=True)
            for name, key in (("systems", self.systems), ("ids", self.ids))
        }
        return self._replace(
            **keys,
            rows=self.rows.take(kept).reset_index(drop=True),
            counts=self.counts.take(kept).reset_index(drop=True),
            labels=[self.labels[at] for at in kept.tolist()],
            positions=self.positions[kept],
            by=[key.take(kept).reset_index(drop=True) for key in self.by],
        )


def read_report_data(
    df: pd.DataFrame,
    *,
    system: Any,
    id: Any,
    by: Any,
    hypothesis: Hashable | list[Any] | None,
    references: Hashable | list[Any] | None,
    scoring: dict[str, Any],
    errors: str,
    threads: int | None,
) -> ReportData:
    """Read a frame in long or wide form, of tokens or of components, with one system or several."""
    check_frame(df, "report")
    settings = score_settings("corpus", **scoring)
    keys = [find_column(df, label, "by") for label in as_label_list(by)]
    positions = np.arange(len(df))
    rows, systems, ids = df, None, None
    label: Any = hypothesis
    if isinstance(hypothesis, list):
        rows, positions, systems, ids = stack_columns(df, hypothesis, system, id)
        label = hypothesis[0]
    else:
        if system is not None or "system" in df.columns:
            systems = pd.Series(row_values(df, system, "system", "report"), name="system")
        if systems is not None and (id is not None or "id" in df.columns):
            ids = pd.Series(row_values(df, id, "id", "report"), name="id")
    compared = systems is not None and systems.nunique() > 1
    if systems is not None and ids is not None and compared:
        check_pairs(systems, ids, df.index.take(positions))
    count = count_options(hypothesis=label, references=references, errors=errors, threads=threads)
    tokens = not reads_components(rows, count)
    sums = read_sums(rows, "report", count, settings.max_order, settings.orders_for)
    left_out = sums.missing if ids is None or not compared else unpaired_rows(sums.missing, ids)
    return ReportData(
        rows=rows.reset_index(drop=True),
        labels=df.index.take(positions).tolist(),
        positions=positions,
        counts=counts_frame(sums, left_out),
        missing=int(sums.missing.sum()),
        unpaired=int((left_out & ~sums.missing).sum()),
        references=sums.reference_counts,
        systems=systems if compared else None,
        ids=ids if compared else None,
        by=[pd.Series(key.array.take(positions), name=key.name) for key in keys],
        tokens={"hypothesis": label, "references": references} if tokens else {},
        settings=settings,
        scoring=scoring,
        errors=errors,
        threads=threads,
    )


def stack_columns(
    df: pd.DataFrame,
    hypothesis: list[Any],
    system: object,
    id: object,
) -> tuple[pd.DataFrame, NDArray[np.int64], Key, Key]:
    """Return the wide form as the long one: rows, their positions in `df`, systems and ids."""
    wide = wide_rows(df, "report", hypothesis, pair_options(system=system, id=id))
    if len(hypothesis) < 2:
        raise ValueError(f"hypothesis is a label, or a list of two or more different ones, not {hypothesis!r}")
    columns = [find_column(df, label, "the hypothesis") for label in hypothesis]
    positions = wide.positions.reshape(-1)
    first, *others = hypothesis
    rows = df.drop(columns=others).take(positions)
    rows[first] = pd.concat(columns, ignore_index=True).array
    systems = pd.Series(np.repeat(np.arange(len(hypothesis)), len(df))).map(dict(enumerate(hypothesis)))
    return rows, positions, systems.rename("system"), pd.Series(positions, name="id")


def check_pairs(systems: Key, ids: Key, index: pd.Index) -> None:
    """Raise ValueError if a system lacks an id or has it twice. The advice names only keywords that report() has."""
    advice = "expected a row for each id of each system: correct the rows, or leave these ids out of the frame"
    names, keys = (pd.Index(key.array, tupleize_cols=False) for key in (systems, ids))
    pair_rows(names, keys, index, advice=advice)


def unpaired_rows(missing: NDArray[np.bool_], ids: Key) -> NDArray[np.bool_]:
    """Return which rows belong to a segment that some system's row lacks, so that all systems have the same segments.

    Every table then shows the same score of a system as `compare` does.
    """
    if not missing.any():
        return missing
    codes, _ = factorize(pd.Index(ids.array, tupleize_cols=False), "id")
    return np.isin(codes, codes[missing])


def counts_frame(sums: Sums, left_out: NDArray[np.bool_]) -> pd.DataFrame:
    """Return components as a frame on a RangeIndex, missing in rows that are left out."""
    counts = pd.DataFrame(sums.array.T, columns=component_names(sums.max_order), copy=False)
    if left_out.any():
        counts = counts.astype("Int64")
        counts.loc[left_out] = pd.NA
    return counts
