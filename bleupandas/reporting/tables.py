"""Frames as tables of text: what a reader sees of a number."""

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


def points(score: float) -> str:
    """Give a score of 0..1 on 0..100, as BLEU is written.

    Examples
    --------
    >>> points(0.31611), points(float("nan"))
    ('31.61', '–')
    """
    return "–" if pd.isna(score) else f"{100 * score:.2f}"


def signed(difference: float) -> str:
    """Format a difference of scores on 0..100; what rounds to 0 has no sign.

    Examples
    --------
    >>> signed(-0.0422), signed(0.0), signed(-0.00001)
    ('−4.22', '0.00', '0.00')
    """
    if pd.isna(difference):
        return "–"
    text = f"{100 * difference:+.2f}".replace("-", "−")
    return "0.00" if text[1:] == "0.00" else text


def ends(low: float, high: float, told: Callable[[float], str]) -> str:
    """Give the ends of a confidence interval.

    Examples
    --------
    >>> ends(-0.0532, -0.0311, signed), ends(float("nan"), 0.5, points)
    ('−5.32 to −3.11', '–')
    """
    return "–" if pd.isna(low) or pd.isna(high) else f"{told(low)} to {told(high)}"


def p_value(p: float) -> str:
    """Give a p-value.

    Examples
    --------
    >>> p_value(0.000999), p_value(0.0213), p_value(0.43)
    ('< 0.001', '0.021', '0.43')
    """
    if pd.isna(p):
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.2g}"


def plain(value: Any) -> str:
    """Give any other value as text: numbers short, labels as they are, what cannot be seen as signs.

    Examples
    --------
    >>> plain(0.5), plain(3), plain(("news", 1)), plain(float("nan"))
    ('0.500', '3', 'news, 1', '–')
    """
    if isinstance(value, tuple | list):
        return ", ".join(map(plain, value))
    if pd.isna(value):
        return "–"
    if isinstance(value, float):
        return f"{value:.3f}".replace("-", "−") if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return f"{value:,}"
    return "".join(c if c == " " else visible_character(c) for c in str(value))


def table_of(frame: pd.DataFrame, texts: Iterable[Hashable], headers: Mapping[Any, str] | None = None) -> Table:
    """Give a frame, without its index, as a table; `texts` are the columns of text, which stand first."""
    named, left = headers or {}, list(texts)
    columns = [*left, *(name for name in frame.columns if name not in left)]
    cells = [[plain(value) for value in frame[name].tolist()] for name in columns]
    return Table(
        [named.get(name, plain(name)) for name in columns], [list(row) for row in zip(*cells, strict=True)], len(left)
    )
