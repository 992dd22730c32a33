"""Sums of rows."""

import functools
from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import Errors, check_errors, check_threads
from bleupandas.counting import count_rows
from bleupandas.reading import (
    SEGMENTS,
    SEGMENTS_MISSING,
    TokenColumns,
    check_frame,
    has_component_columns,
    read_components,
    read_whole_numbers,
    token_columns,
)
from bleupandas.reading import uses_components as uses_components_of
from bleupandas.scoring.settings import ScoreSettings
from bleupandas.scoring.smoothing import orders_read

# ---- Sums of rows ----


class Sums(NamedTuple):
    """Components of the rows of a frame, wherever they came from."""

    rows: pd.Index
    values: NDArray[np.int64]  # (2 + 2 * orders, n_rows), by component_columns.names
    missing: NDArray[np.bool_]  # (n_rows,)
    segments: NDArray[np.int64]  # (n_rows,), 0 where missing
    left_out: NDArray[np.int64]  # (n_rows,), segments that could not be read
    nullable: bool
    references: set[int] | None  # how many references rows have; None where only components are known
    known_segments: bool

    @property
    def orders(self) -> int:
        """How many orders there are."""
        return (len(self.values) - 2) // 2

    def column(self, numbers: NDArray[np.float64]) -> Any:
        """Give floats, (n_rows,), as a column, missing where the row is."""
        return float_column(np.where(self.missing, np.nan, numbers) if self.missing.any() else numbers, self.nullable)


def float_column(numbers: NDArray[np.float64], nullable: bool) -> Any:
    """Give floats as float64, or as Float64 in which NaN is missing."""
    return pd.arrays.FloatingArray(numbers, np.isnan(numbers)) if nullable else numbers


def sums_of(
    df: "pd.DataFrame | pd.Series[Any]",
    function: str,
    hypothesis: Hashable | None,
    references: object,
    components: bool,
    settings: ScoreSettings,
    errors: str,
    threads: int | None,
) -> Sums:
    """Give the components of the rows of a frame: counted, or read from its components columns."""
    mode, n_threads = check_errors(errors), check_threads(threads)
    one_row = isinstance(df, pd.Series)
    if isinstance(df, pd.Series):
        df, components = df.to_frame().T, True
    elif not isinstance(df, pd.DataFrame):
        kinds = "a pandas DataFrame, or a Series that is a row of components"
        raise TypeError(f"{function}() takes {kinds}, not {type(df).__name__}")
    if not reads_components(df, hypothesis, references, components):
        tokens = token_columns(df, hypothesis, references, function)
        return sums_of_tokens(tokens, settings.orders_read, mode, n_threads)
    reads = functools.partial(_orders_read, settings)
    read = read_components(df, settings.max_order, f"{function}()", reads)
    # A row is one segment, or as many as it says; a row of sums without a word about them is of unknown many.
    segments, left_out = _rows_as_segments(read.missing)
    known = not one_row
    if SEGMENTS in df.columns:
        told, untold = read_whole_numbers(df, SEGMENTS)
        segments = segments * (told if untold is None else np.where(untold, 1, told))
        known = known or untold is None
    if SEGMENTS_MISSING in df.columns:
        left_out = np.where(read.missing, 1, read_whole_numbers(df, SEGMENTS_MISSING)[0])
    return Sums(df.index, read.values, read.missing, segments, left_out, mode == "coerce", None, known)


def sums_of_tokens(tokens: TokenColumns, orders: int, errors: Errors, threads: int) -> Sums:
    """Count token columns; every row is a segment, or left out."""
    found = count_rows(tokens, orders, errors, threads)
    counts = _rows_as_segments(found.missing)
    return Sums(tokens.index, found.values, found.missing, *counts, errors == "coerce", found.references, True)


def _orders_read(settings: ScoreSettings, max_order: int) -> int:
    return orders_read(settings.smoothing, max_order, settings.convention)


def _rows_as_segments(missing: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give for each row how many segments it is and how many were left out, where a row is one of either."""
    if missing.any():
        return (~missing).astype(np.int64), missing.astype(np.int64)
    return np.broadcast_to(np.int64(1), missing.shape), np.broadcast_to(np.int64(0), missing.shape)


def reads_components(df: pd.DataFrame, hypothesis: object, references: object, components: bool) -> bool:
    """Tell whether to read components columns; also where some are lacking and there is nothing else to read."""
    if uses_components_of(df, hypothesis, references, components):
        return True
    unnamed = hypothesis is None and references is None and {"hypothesis", "references"}.isdisjoint(df.columns)
    return unnamed and has_component_columns(df.columns)


def holds_sums(df: object, function: str, hypothesis: object, references: object, components: bool) -> bool:
    """Tell whether a call works from components columns with one that says how many segments each row sums up."""
    if isinstance(df, pd.Series):
        return SEGMENTS in df.index
    frame = check_frame(df, function)
    return reads_components(frame, hypothesis, references, components) and SEGMENTS in frame.columns
