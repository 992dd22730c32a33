"""Tables of text, and how they show numbers."""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from bleupandas.viewing.html import visible_character


class Table(NamedTuple):
    """A table of text."""

    headers: list[str]
    rows: list[list[str]]
    texts: int  # the number of leading columns that have text; the others have numbers


def format_points(score: float) -> str:
    """Return a score of 0 to 1 on the scale of 0 to 100.

    Examples
    --------
    >>> format_points(0.31611), format_points(float("nan"))
    ('31.61', '–')
    """
    return "–" if pd.isna(score) else f"{100 * score:.2f}"


def format_signed_points(difference: float) -> str:
    """Return a difference of scores on the scale of 0 to 100; a difference that rounds to 0 has no sign.

    Examples
    --------
    >>> format_signed_points(-0.0422), format_signed_points(0.0), format_signed_points(-0.00001)
    ('−4.22', '0.00', '0.00')
    """
    if pd.isna(difference):
        return "–"
    text = f"{100 * difference:+.2f}".replace("-", "−")
    return "0.00" if text[1:] == "0.00" else text


def format_interval(low: float, high: float, formatter: Callable[[float], str]) -> str:
    """Return a confidence interval.

    Examples
    --------
    >>> format_interval(-0.0532, -0.0311, format_signed_points), format_interval(float("nan"), 0.5, format_points)
    ('−5.32 to −3.11', '–')
    """
    return "–" if pd.isna(low) or pd.isna(high) else f"{formatter(low)} to {formatter(high)}"


def format_p_value(p: float) -> str:
    """Return a p-value with two digits.

    Examples
    --------
    >>> format_p_value(0.000999), format_p_value(0.0213), format_p_value(0.43)
    ('< 0.001', '0.021', '0.43')
    """
    if pd.isna(p):
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.2g}"


def format_table_cell(value: Any) -> str:
    """Return any other value as text: short numbers, unchanged labels, signs for hidden characters.

    Examples
    --------
    >>> format_table_cell(0.5), format_table_cell(3), format_table_cell(("news", 1)), format_table_cell(float("nan"))
    ('0.500', '3', 'news, 1', '–')
    >>> format_table_cell(pd.Interval(2, 6, closed="left"))
    '2 to 5'
    """
    if isinstance(value, tuple | list):
        return ", ".join(map(format_table_cell, value))
    if isinstance(value, pd.Interval):
        return format_whole_numbers(value)
    if pd.isna(value):
        return "–"
    if isinstance(value, float):
        return f"{value:.3f}".replace("-", "−") if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return f"{value:,}"
    return "".join(character if character == " " else visible_character(character) for character in str(value))


def format_whole_numbers(interval: Any) -> str:
    """Return the whole numbers of an interval, "2 to 5" for [2, 6); any other interval unchanged."""
    low, high = interval.left, interval.right
    if interval.closed != "left" or not (float(low).is_integer() and float(high).is_integer()):
        return str(interval)
    return f"{low:g}" if high == low + 1 else f"{low:g} to {high - 1:g}"


def frame_table(frame: pd.DataFrame, texts: Iterable[Hashable], headers: Mapping[Any, str] | None = None) -> Table:
    """Return a frame as a table, without its index; `texts` are the columns of text, which come first."""
    renamed, first = headers or {}, list(texts)
    columns = [*first, *(name for name in frame.columns if name not in first)]
    cells = [[format_table_cell(value) for value in frame[name].tolist()] for name in columns]
    rows = [list(row) for row in zip(*cells, strict=True)]
    return Table([renamed.get(name, format_table_cell(name)) for name in columns], rows, len(first))
