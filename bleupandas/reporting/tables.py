"""Tables of text, and how a report formats numbers."""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from bleupandas.viewing.html import visible_character


class Table(NamedTuple):
    """A table of text."""

    headers: list[str]
    rows: list[list[str]]
    texts: int  # how many of its first columns hold text, not numbers


def format_score(score: float) -> str:
    """Format a score of 0..1 on 0..100, as BLEU is written.

    Examples
    --------
    >>> format_score(0.31611), format_score(float("nan"))
    ('31.61', '–')
    """
    return "–" if pd.isna(score) else f"{100 * score:.2f}"


def format_signed(difference: float) -> str:
    """Format a difference of scores on 0..100; what rounds to 0 has no sign.

    Examples
    --------
    >>> format_signed(-0.0422), format_signed(0.0), format_signed(-0.00001)
    ('−4.22', '0.00', '0.00')
    """
    if pd.isna(difference):
        return "–"
    text = f"{100 * difference:+.2f}".replace("-", "−")
    return "0.00" if text[1:] == "0.00" else text


def format_interval(low: float, high: float, format_number: Callable[[float], str]) -> str:
    """Format a confidence interval.

    Examples
    --------
    >>> format_interval(-0.0532, -0.0311, format_signed), format_interval(float("nan"), 0.5, format_score)
    ('−5.32 to −3.11', '–')
    """
    return "–" if pd.isna(low) or pd.isna(high) else f"{format_number(low)} to {format_number(high)}"


def format_p_value(p: float) -> str:
    """Format a p-value.

    Examples
    --------
    >>> format_p_value(0.000999), format_p_value(0.0213), format_p_value(0.43)
    ('< 0.001', '0.021', '0.43')
    """
    if pd.isna(p):
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.2g}"


def format_cell(value: Any) -> str:
    """Format any other value: numbers short, labels unchanged, invisible characters as signs.

    Examples
    --------
    >>> format_cell(0.5), format_cell(3), format_cell(("news", 1)), format_cell(float("nan"))
    ('0.500', '3', 'news, 1', '–')
    """
    if isinstance(value, tuple | list):
        return ", ".join(map(format_cell, value))
    if pd.isna(value):
        return "–"
    if isinstance(value, float):
        return f"{value:.3f}".replace("-", "−") if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return f"{value:,}"
    return "".join(c if c == " " else visible_character(c) for c in str(value))


def to_table(frame: pd.DataFrame, texts: Iterable[Hashable], headers: Mapping[Any, str] | None = None) -> Table:
    """Return a frame without its index as a table; `texts` are the columns of text, which come first."""
    names, left = headers or {}, list(texts)
    columns = [*left, *(name for name in frame.columns if name not in left)]
    cells = [[format_cell(value) for value in frame[name].tolist()] for name in columns]
    return Table(
        [names.get(name, format_cell(name)) for name in columns],
        [list(row) for row in zip(*cells, strict=True)],
        len(left),
    )
