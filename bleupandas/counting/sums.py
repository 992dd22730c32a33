"""Sums: BLEU's components of rows, counted from tokens or read from components columns."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import CountOptions, Errors
from bleupandas.engine import UNCOUNTED, Block, map_blocks, read_blocks
from bleupandas.reading import (
    SEGMENTS,
    SEGMENTS_MISSING,
    TokenColumns,
    component_names,
    exact_sum,
    read_components,
    read_whole_numbers,
    reads_components,
    row_error,
    sum_groups,
    token_columns,
)

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Sums:
    """BLEU's components of rows: segments, groups of segments, or a whole corpus. Components add up.

    Attributes
    ----------
    index : Index of shape (n_rows,)
    array : ndarray of shape (2 + 2 * max_order, n_rows), int64
        The components, in the order of `component_names`; 0 where the row is missing. Use the properties below to
        take it apart.
    missing : ndarray of shape (n_rows,), bool
        Rows that cannot be read, or that are missing values.
    segments : ndarray of shape (n_rows,), int64
        How many segments each row sums up; 0 where it is missing.
    segments_missing : ndarray of shape (n_rows,), int64
        How many segments could not be read.
    nullable : bool
        Whether results have pandas' nullable dtypes.
    reference_counts : frozenset of int, or None
        The smallest and the largest number of references of a row; None if only components are known.
    segments_known : bool
        False for a row of sums that does not say how many segments it sums up.
    """

    index: pd.Index
    array: Counts
    missing: NDArray[np.bool_]
    segments: Counts
    segments_missing: Counts
    nullable: bool = False
    reference_counts: frozenset[int] | None = None
    segments_known: bool = True

    def __len__(self) -> int:
        return int(self.array.shape[1])

    @property
    def max_order(self) -> int:
        """The largest n-gram length that was counted."""
        return (len(self.array) - 2) // 2

    @property
    def candidate_length(self) -> Counts:
        """Tokens of the hypotheses, (n_rows,)."""
        lengths: Counts = self.array[0]
        return lengths

    @property
    def reference_length(self) -> Counts:
        """Tokens of the closest references, (n_rows,)."""
        lengths: Counts = self.array[1]
        return lengths

    @property
    def matches(self) -> Counts:
        """Clipped counts of order 1 to N, (N, n_rows)."""
        return self.array[2 : 2 + self.max_order]

    @property
    def totals(self) -> Counts:
        """N-grams of the hypotheses of order 1 to N, (N, n_rows)."""
        return self.array[2 + self.max_order :]

    @classmethod
    def of_rows(cls, index: pd.Index, array: Counts, missing: NDArray[np.bool_] | None = None, **more: Any) -> Self:
        """Make sums of rows that are one segment each, or missing.

        Examples
        --------
        >>> Sums.of_rows(pd.RangeIndex(2), np.array([[3, 2], [3, 2], [1, 2], [3, 2]])).sum().matches.tolist()
        [[3]]
        """
        n_rows = array.shape[1]
        if missing is None or not missing.any():
            one, none = np.broadcast_to(np.int64(1), (n_rows,)), np.broadcast_to(np.int64(0), (n_rows,))
            return cls(index, array, np.zeros(n_rows, np.bool_) if missing is None else missing, one, none, **more)
        return cls(index, array, missing, (~missing).astype(np.int64), missing.astype(np.int64), **more)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, max_order: int, *, nullable: bool = False) -> Self:
        """Take sums back from a frame that `to_frame` made, with int64 columns and no missing rows."""
        array = frame[component_names(max_order)].to_numpy(np.int64).T
        segments, segments_missing = frame[[SEGMENTS, SEGMENTS_MISSING]].to_numpy(np.int64).T
        return cls(frame.index, array, np.zeros(len(frame), np.bool_), segments, segments_missing, nullable)

    def to_frame(self) -> pd.DataFrame:
        """Return components, segments and segments_missing as int64 columns; the components are not copied."""
        frame = pd.DataFrame(self.array.T, self.index, component_names(self.max_order), copy=False)
        frame[SEGMENTS], frame[SEGMENTS_MISSING] = self.segments, self.segments_missing
        return frame

    def sum(self) -> "Sums":
        """Return the sum of all rows as one row; it is missing if all rows are, or if there are none.

        Raises
        ------
        ValueError
            If a sum does not fit int64; the message names the column.
        """
        [segments] = exact_sum(self.segments[np.newaxis], [SEGMENTS])
        [left_out] = exact_sum(self.segments_missing[np.newaxis], [SEGMENTS_MISSING])
        return Sums(
            pd.RangeIndex(1),
            exact_sum(self.array)[:, np.newaxis],
            np.array([self.missing.all()]),
            np.array([segments]),
            np.array([left_out]),
            self.nullable,
            self.reference_counts,
            self.segments_known,
        )

    def take(self, positions: NDArray[np.integer[Any]]) -> "Sums":
        """Return the rows at the given positions."""
        return Sums(
            self.index.take(positions),
            self.array.take(positions, axis=1),
            self.missing.take(positions),
            self.segments.take(positions),
            self.segments_missing.take(positions),
            self.nullable,
            self.reference_counts,
            self.segments_known,
        )

    def by(
        self,
        df: pd.DataFrame,
        by: Any,
        *,
        sort: bool = True,
        observed: bool = True,
        dropna: bool = False,
        margins: bool = False,
    ) -> "Sums":
        """Return the sums of groups of rows.

        Parameters
        ----------
        df : DataFrame
            The frame whose rows these are; keys are looked up in it.
        by, sort, observed, dropna, margins
            As in `bleupandas.corpus`.
        """
        plain = bool((self.segments == 1).all()) and not self.segments_missing.any()
        table = self.to_frame()
        if plain:  # the sizes of groups are faster than sums of 1 and 0
            table = table.drop(columns=[SEGMENTS, SEGMENTS_MISSING])
        groups = sum_groups(df, table, by, sort=sort, observed=observed, dropna=dropna, margins=margins)
        return Sums.from_frame(groups, self.max_order, nullable=self.nullable)

    def column(self, numbers: NDArray[np.float64]) -> Any:
        """Return floats, (n_rows,), as a column that is missing where the row is."""
        numbers = np.where(self.missing, np.nan, numbers) if self.missing.any() else numbers
        return float_column(numbers, self.nullable)


# ---- Where sums come from ----


def read_sums(
    df: "pd.DataFrame | pd.Series[Any]",
    function: str,
    count: CountOptions,
    max_order: int,
    orders_for: Callable[[int], int] = lambda order: order,
) -> Sums:
    """Return the components of the rows of a frame: counted, or read from its components columns.

    Parameters
    ----------
    df : DataFrame or Series
        A Series is one row of components.
    function : str
        The public function that asks, for errors.
    count : CountOptions
        Its max_order is not read.
    max_order : int
        The largest order of the score.
    orders_for : function
        How many orders have to be counted for a max_order: more for some smoothings.
    """
    if isinstance(df, pd.Series):
        return read_component_rows(df.to_frame().T, function, count.coerce, max_order, orders_for, segments_known=False)
    if not isinstance(df, pd.DataFrame):
        kinds = "a pandas DataFrame, or a Series that is a row of components"
        raise TypeError(f"{function}() takes {kinds}, not {type(df).__name__}")
    if reads_components(df, count):
        return read_component_rows(df, function, count.coerce, max_order, orders_for, segments_known=True)
    tokens = token_columns(df, count.hypothesis, count.references, function)
    return count_sums(tokens, orders_for(max_order), count.errors, count.threads)


def read_component_rows(
    df: pd.DataFrame,
    function: str,
    coerce: bool,
    max_order: int,
    orders_for: Callable[[int], int],
    *,
    segments_known: bool,
) -> Sums:
    """Return the sums in components columns; a row is one segment, or as many as a column "segments" says."""
    read = read_components(df, max_order, f"{function}()", orders_for)
    rows = Sums.of_rows(df.index, read.values, read.missing)
    segments, segments_missing = rows.segments, rows.segments_missing
    if SEGMENTS in df.columns:
        numbers, unknown = read_whole_numbers(df, SEGMENTS)
        segments = segments * (numbers if unknown is None else np.where(unknown, 1, numbers))
        segments_known = segments_known or unknown is None
    if SEGMENTS_MISSING in df.columns:
        segments_missing = np.where(read.missing, 1, read_whole_numbers(df, SEGMENTS_MISSING)[0])
    return Sums(df.index, read.values, read.missing, segments, segments_missing, coerce, None, segments_known)


def count_sums(tokens: TokenColumns, max_order: int, errors: Errors, threads: int) -> Sums:
    """Count token columns; with errors="raise" the first row that cannot be read raises."""
    n_rows = len(tokens.index)
    array = np.empty((2 + 2 * max_order, n_rows), np.int64)
    missing = np.zeros(n_rows, np.bool_)
    reference_counts: set[int] = set()

    def count(start: int, block: Block) -> bool:
        stop = start + len(block.faults)
        block.components(max_order, array[:, start:stop])
        missing[start:stop] = block.faults & UNCOUNTED
        numbers = block.reference_counts()[~missing[start:stop]]
        if len(numbers):
            reference_counts.update((int(numbers.min()), int(numbers.max())))
        return bool(missing[start:stop].any())

    for start, faulty in map_blocks(count, read_blocks(tokens.forms), threads):
        if faulty and errors == "raise":
            raise row_error(tokens, start + int(missing[start:].argmax()))
    numbers = frozenset({min(reference_counts), max(reference_counts)} if reference_counts else ())
    return Sums.of_rows(tokens.index, array, missing, nullable=errors == "coerce", reference_counts=numbers)


# ---- Columns of results ----


def float_column(numbers: NDArray[np.float64], nullable: bool) -> Any:
    """Return floats as float64, or as Float64 in which NaN is missing."""
    return pd.arrays.FloatingArray(numbers, np.isnan(numbers)) if nullable else numbers


def nullable_integers(values: Counts, missing: NDArray[np.bool_]) -> Any:
    """Return a nullable Int64 column of values and a mask, both (n_rows,)."""
    return pd.arrays.IntegerArray(values, missing.copy())
