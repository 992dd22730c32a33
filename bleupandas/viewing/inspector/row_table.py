"""Every row's numbers beside the columns of the caller: what can be listed, sorted, filtered and queried."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import is_missing
from bleupandas.counting import nullable_integers
from bleupandas.explaining import CAUSES, diagnose
from bleupandas.reading import component_names, find_column
from bleupandas.scoring import ScoreSettings, Sums, raw_precisions, score_sums
from bleupandas.viewing.inspector.pairing import Pairing

Positions = NDArray[np.int64]

PEEK_ROWS = 100  # cells that tell whether a column holds values or lists
TITLES = {
    "main_cause": "main cause",
    "brevity_penalty": "BP",
    "candidate_length": "length",
    "reference_length": "ref. length",
    "difference": "Δ",
}


class RowTable:
    """The numbers of every row under one set of settings.

    Parameters
    ----------
    df : DataFrame
    source : Sums
        Components of its rows.
    settings : ScoreSettings
        Its order is the highest that columns are made of.
    labels : list of labels
        The columns of `df` that hold values, see `plain_columns`.
    pairing : Pairing, optional
        What each row is compared with.

    Attributes
    ----------
    score : ndarray of shape (n_rows,)
        NaN where there is none.
    cause : ndarray of shape (n_rows,)
        Index into `CAUSES`.
    computed : dict
        Name to values, (n_rows,) each. A name that is a column of `df` already has "_bleu" behind it.
    """

    def __init__(
        self,
        df: pd.DataFrame,
        source: Sums,
        settings: ScoreSettings,
        labels: list[Hashable],
        pairing: Pairing | None = None,
    ) -> None:
        self.df = df
        self.source = source
        self.pairing = pairing
        self.max_order = settings.max_order
        self.labels = labels
        self.rescore(settings)

    def rescore(self, settings: ScoreSettings) -> None:
        """Make all numbers anew, as other settings have them."""
        self.settings = settings
        diagnosis = diagnose(self.source, settings)
        self.score = diagnosis.result.score
        self.cause = diagnosis.cause
        columns: dict[str, Any] = {"score": self.score}
        if self.pairing is not None:
            other = score_sums(self.pairing.values, settings).score
            columns["other_score"] = np.where(self.pairing.missing, np.nan, other)
            columns["difference"] = self.score - columns["other_score"]
        codes: Any = self.cause
        columns["main_cause"] = pd.Categorical.from_codes(codes, pd.Index(CAUSES, dtype=object))
        columns["brevity_penalty"] = np.where(self.source.missing, np.nan, diagnosis.result.brevity_penalty)
        counts = dict(zip(component_names(self.source.orders), self.source.values, strict=True))
        for n in range(1, self.max_order + 1):
            columns[f"precision_{n}"] = raw_precisions(counts[f"matches_{n}"], counts[f"totals_{n}"])
        columns |= {name: self._counts(counts[name]) for name in component_names(self.max_order)}
        self.computed = {self._free_name(name): column for name, column in columns.items()}
        self._extended: pd.DataFrame | None = None
        self._order: tuple[object, Positions] | None = None

    def __len__(self) -> int:
        return len(self.df)

    @property
    def extended(self) -> pd.DataFrame:
        """The caller's frame with the computed columns behind its own."""
        if self._extended is None:
            self._extended = self.df.assign(**self.computed)
        return self._extended

    @property
    def choices(self) -> list[Hashable]:
        """What can be listed and sorted: computed columns, then the caller's, but for lists."""
        return [*self.computed, *(label for label in self.labels if label not in self.computed)]

    def name_of(self, name: str) -> str:
        """Give what a computed column is called here."""
        return name if name in self.computed else f"{name}_bleu"

    def title(self, label: Hashable) -> str:
        """Give what stands above a column: of compared scores, whose they are."""
        titles = TITLES
        if self.pairing is not None:
            titles = titles | dict(zip(("score", "other_score"), self.pairing.names, strict=True))
        named = {self.name_of(name): title for name, title in titles.items()}
        return named.get(str(label), str(label))

    def series(self, label: Hashable) -> "pd.Series[Any]":
        """Give one column, numbered from 0; KeyError if there is none."""
        if label in self.computed:
            return pd.Series(self.computed[str(label)])
        return find_column(self.df, label, "the list").reset_index(drop=True)

    def order(self, label: Hashable | None, ascending: bool) -> Positions:
        """Give the positions of all rows, sorted; rows without a value come last, equal ones stay in their order."""
        if label is None:
            positions = np.arange(len(self))
            return positions if ascending else positions[::-1]
        key = (label, ascending)
        if self._order is None or self._order[0] != key:
            column = self.series(label).sort_values(ascending=ascending, kind="stable")
            self._order = key, column.index.to_numpy()
        return self._order[1]

    def values(self, label: Hashable, positions: Positions) -> list[Any]:
        """Give cells of a column, None where missing."""
        cells = self.series(label).iloc[positions].tolist()
        return [None if is_missing(cell) else cell for cell in cells]

    def _counts(self, row: NDArray[np.int64]) -> Any:
        return nullable_integers(row, self.source.missing) if self.source.missing.any() else row

    def _free_name(self, name: str) -> str:
        return f"{name}_bleu" if name in self.df.columns else name


def plain_columns(df: pd.DataFrame) -> list[Hashable]:
    """Give the labels of columns whose cells are values, not lists; no label that stands twice.

    Examples
    --------
    >>> plain_columns(pd.DataFrame({"a": [1], "b": [["x"]], "c": ["x"]}))
    ['a', 'c']
    """
    once = ~df.columns.duplicated(keep=False)
    return [label for at, label in enumerate(df.columns) if once[at] and is_plain(df.iloc[:, at])]


def is_plain(series: "pd.Series[Any]") -> bool:
    """Tell whether a column holds values and not lists, by its first cells."""
    if isinstance(series.dtype, pd.ArrowDtype):
        return series.dtype.pyarrow_dtype.num_fields == 0 and not isinstance(series.dtype.type(), list | dict)
    if series.dtype != object:
        return True
    cells = series.iloc[:PEEK_ROWS].tolist()
    return all(is_missing(cell) or (isinstance(cell, Hashable) and not isinstance(cell, tuple)) for cell in cells)
