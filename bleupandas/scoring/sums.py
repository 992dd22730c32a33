"""Older ways to sums, until every room uses `bleupandas.counting.read_sums`."""

from collections.abc import Hashable
from typing import Any

import pandas as pd

from bleupandas.common import CountOptions, Errors, count_options
from bleupandas.counting import Sums, count_sums, read_sums
from bleupandas.counting import reads_components as reads_components_of
from bleupandas.reading import SEGMENTS, TokenColumns, check_frame
from bleupandas.scoring.settings import ScoreSettings


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
    """Return the components of the rows of a frame: counted, or read from its components columns."""
    count = count_options(
        hypothesis=hypothesis, references=references, errors=errors, threads=threads, components=components
    )
    return read_sums(df, function, count, settings.max_order, settings.orders_for)


def sums_of_tokens(tokens: TokenColumns, orders: int, errors: Errors, threads: int) -> Sums:
    """Count token columns; every row is a segment, or left out."""
    return count_sums(tokens, orders, errors, threads)


def segment_sums(source: Sums) -> tuple[int, int]:
    """Return how many segments all rows are, and how many were left out."""
    total = source.sum()
    return int(total.segments[0]), int(total.segments_missing[0])


def reads_components(df: pd.DataFrame, hypothesis: object, references: object, components: bool) -> bool:
    """Return whether to read components columns."""
    return reads_components_of(df, CountOptions(hypothesis=hypothesis, references=references, components=components))


def holds_sums(df: object, function: str, hypothesis: object, references: object, components: bool) -> bool:
    """Return whether a call works from components columns with a column of how many segments each row sums up."""
    if isinstance(df, pd.Series):
        return SEGMENTS in df.index
    frame = check_frame(df, function)
    return reads_components(frame, hypothesis, references, components) and SEGMENTS in frame.columns
