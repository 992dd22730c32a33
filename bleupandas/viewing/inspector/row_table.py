"""The table of all rows: the caller's columns and the computed ones, to show, sort, filter and query."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.common import is_missing
from bleupandas.counting import Sums, nullable_integers
from bleupandas.explaining import CAUSES, diagnose
from bleupandas.reading import find_column
from bleupandas.scoring import ScoreSettings, raw_precisions, score_sums
from bleupandas.viewing.inspector.pairing import Pairing

Positions = NDArray[np.int64]

SAMPLE_ROWS = 100  # cells that are looked at to see whether a column holds values or lists
TITLES = {
    "main_cause": "main cause",
    "brevity_penalty": "BP",
    "candidate_length": "length",
    "reference_length": "ref. length",
    "difference": "Δ",
}


class RowTable:
    """The caller's columns and the computed ones, under one choice of settings.

    Parameters
    ----------
    df : DataFrame
    sums : Sums
        Components of its rows.
    settings : ScoreSettings
        Its order is the largest that has columns.
    labels : list of labels
        The columns of `df` that hold values, see `plain_columns`.
    pairing : Pairing, optional
        What each row is compared with.

    Attributes
    ----------
    score : ndarray of shape (n_rows,)
        NaN for rows without a score.
    cause : ndarray of shape (n_rows,)
        Index into `CAUSES`.
    computed : dict
        Name to values, (n_rows,) each. If `df` already has a column of that name, "_bleu" is appended.
    """

    def __init__(
        self,
        df: pd.DataFrame,
        sums: Sums,
        settings: ScoreSettings,
        labels: list[Hashable],
        pairing: Pairing | None = None,
    ) -> None:
        self.df = df
        self.sums = sums
        self.pairing = pairing
        self.max_order = settings.max_order
        self.labels = labels
        self.rescore(settings)

    def rescore(self, settings: ScoreSettings) -> None:
        """Compute all columns with other settings."""
        self.settings = settings
        sums = self.sums
        diagnosis = diagnose(sums, settings)
        self.score = diagnosis.result.score
        self.cause = diagnosis.cause
        columns: dict[str, Any] = {"score": self.score}
        if self.pairing is not None:
            other = score_sums(self.pairing.sums, settings).score
            columns["other_score"] = np.where(self.pairing.sums.missing, np.nan, other)
            columns["difference"] = self.score - columns["other_score"]
        codes: Any = self.cause
        columns["main_cause"] = pd.Categorical.from_codes(codes, pd.Index(CAUSES, dtype=object))
        columns["brevity_penalty"] = np.where(sums.missing, np.nan, diagnosis.result.brevity_penalty)
        orders = range(1, self.max_order + 1)
        columns |= {f"precision_{n}": raw_precisions(sums.matches[n - 1], sums.totals[n - 1]) for n in orders}
        counts = {"candidate_length": sums.candidate_length, "reference_length": sums.reference_length}
        counts |= {f"matches_{n}": sums.matches[n - 1] for n in orders}
        counts |= {f"totals_{n}": sums.totals[n - 1] for n in orders}
        if sums.missing.any():
            columns |= {name: nullable_integers(column, sums.missing) for name, column in counts.items()}
        else:
            columns |= counts
        self.computed = {self._free_name(name): column for name, column in columns.items()}
        self._extended: pd.DataFrame | None = None
        self._order: tuple[object, Positions] | None = None

    def __len__(self) -> int:
        return len(self.df)

    @property
    def extended(self) -> pd.DataFrame:
        """The caller's frame, followed by the computed columns."""
        if self._extended is None:
            self._extended = self.df.assign(**self.computed)
        return self._extended

    @property
    def choices(self) -> list[Hashable]:
        """The columns that can be shown and sorted: the computed ones, then the caller's, without columns of lists."""
        return [*self.computed, *(label for label in self.labels if label not in self.computed)]

    def computed_name(self, name: str) -> str:
        """Return the name of a computed column in this table: "score", or "score_bleu" if that is taken."""
        return name if name in self.computed else f"{name}_bleu"

    def title(self, label: Hashable) -> str:
        """Return the heading of a column; for compared scores, the name of the system."""
        titles = TITLES
        if self.pairing is not None:
            titles = titles | dict(zip(("score", "other_score"), self.pairing.names, strict=True))
        by_label = {self.computed_name(name): title for name, title in titles.items()}
        return by_label.get(str(label), str(label))

    def series(self, label: Hashable) -> "pd.Series[Any]":
        """Return one column, numbered from 0; raise KeyError if there is none."""
        if label in self.computed:
            return pd.Series(self.computed[str(label)])
        column = find_column(self.df, label, "the list").reset_index(drop=True)
        if isinstance(column.dtype, pd.ArrowDtype) and pa.types.is_dictionary(column.dtype.pyarrow_dtype):
            return column.astype(pd.ArrowDtype(column.dtype.pyarrow_dtype.value_type))  # Arrow cannot sort a dictionary
        return column

    def order(self, label: Hashable | None, ascending: bool) -> Positions:
        """Return the positions of all rows, sorted; rows without a value come last, equal ones keep their order."""
        if label is None:
            positions = np.arange(len(self))
            return positions if ascending else positions[::-1]
        key = (label, ascending)
        if self._order is None or self._order[0] != key:
            column = self.series(label).sort_values(ascending=ascending, kind="stable")
            self._order = key, column.index.to_numpy()
        return self._order[1]

    def values(self, label: Hashable, positions: Positions) -> list[Any]:
        """Return cells of a column, None where missing."""
        cells = self.series(label).iloc[positions].tolist()
        return [None if is_missing(cell) else cell for cell in cells]

    def _free_name(self, name: str) -> str:
        return f"{name}_bleu" if name in self.df.columns else name


def plain_columns(df: pd.DataFrame) -> list[Hashable]:
    """Return the labels of columns whose cells are values, not lists; labels that occur twice are left out.

    Examples
    --------
    >>> plain_columns(pd.DataFrame({"a": [1], "b": [["x"]], "c": ["x"]}))
    ['a', 'c']
    """
    once = ~df.columns.duplicated(keep=False)
    return [label for at, label in enumerate(df.columns) if once[at] and is_plain(df.iloc[:, at])]


def is_plain(series: "pd.Series[Any]") -> bool:
    """Return whether a column holds values and not lists; of object columns only the first cells are read."""
    if isinstance(series.dtype, pd.ArrowDtype):
        return not pa.types.is_nested(series.dtype.pyarrow_dtype)
    if series.dtype != object:
        return True
    cells = series.iloc[:SAMPLE_ROWS].tolist()
    return all(is_missing(cell) or (isinstance(cell, Hashable) and not isinstance(cell, tuple)) for cell in cells)
