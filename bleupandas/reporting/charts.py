"""Charts as inline SVG in the colours of the page, light or dark. A table next to each has its numbers."""

import html
import math
from collections.abc import Sequence

WIDTH = 640
LABELS = 200  # width of the labels
ROW = 24


def interval_chart(
    labels: Sequence[str], values: Sequence[float], lows: Sequence[float], highs: Sequence[float], *, title: str
) -> str:
    """Return a chart with a dot and its interval for each row, and a line at 0.

    Examples
    --------
    >>> interval_chart(["pivot"], [-4.2], [-5.3], [-3.1], title="Difference").count("<circle")
    1
    """
    low, high = value_range([*lows, *values], [*highs, *values])
    low, high = min(low, 0.0), max(high, 0.0)
    parts = [zero_line(x_position(0.0, low, high), len(labels))]
    for at, (value, start, stop) in enumerate(zip(values, lows, highs, strict=True)):
        middle = ROW * at + ROW / 2
        if math.isnan(value):
            continue
        if not math.isnan(start + stop):
            ends = x_position(start, low, high), x_position(stop, low, high)
            parts.append(f'<line class="bar" x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{middle}" y2="{middle}"/>')
        parts.append(f'<circle class="dot" cx="{x_position(value, low, high):.1f}" cy="{middle}" r="4"/>')
    return svg_chart(labels, values, parts, title)


def bar_chart(labels: Sequence[str], values: Sequence[float], title: str) -> str:
    """Return a chart with a bar from 0 for each row.

    Examples
    --------
    >>> bar_chart(["p1", "p2"], [-0.1, -0.3], "ln BLEU").count('<rect class="bar"')
    2
    """
    low, high = value_range(values, values)
    low, high = min(low, 0.0), max(high, 0.0)
    zero = x_position(0.0, low, high)
    parts = []
    for at, value in enumerate(values):
        if not math.isnan(value):
            end = x_position(value, low, high)
            left, width = min(zero, end), abs(end - zero)
            parts.append(
                f'<rect class="bar" x="{left:.1f}" y="{ROW * at + 5}" width="{width:.1f}" height="{ROW - 10}"/>'
            )
    parts.append(zero_line(zero, len(labels)))
    return svg_chart(labels, values, parts, title)


def value_range(lows: Sequence[float], highs: Sequence[float]) -> tuple[float, float]:
    """Return the smallest and the largest number, without missing ones."""
    known = [value for value in (*lows, *highs) if math.isfinite(value)]
    return (min(known), max(known)) if known else (0.0, 1.0)


def x_position(value: float, low: float, high: float) -> float:
    """Return the x coordinate of a number."""
    width = WIDTH - LABELS - 70
    return LABELS + width * (value - low) / ((high - low) or 1.0)


def zero_line(x: float, rows: int) -> str:
    """Return a vertical line through all rows."""
    return f'<line class="zero" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{ROW * rows}"/>'


def svg_chart(labels: Sequence[str], values: Sequence[float], parts: Sequence[str], title: str) -> str:
    """Return the SVG: labels on the left, numbers on the right."""
    texts = []
    for at, (label, value) in enumerate(zip(labels, values, strict=True)):
        y = ROW * at + ROW / 2 + 4
        short = label if len(label) <= 30 else label[:29] + "…"
        texts.append(f'<text x="{LABELS - 10}" y="{y}" text-anchor="end">{html.escape(short)}</text>')
        number = "–" if math.isnan(value) else f"{value:.2f}".replace("-", "−")
        texts.append(f'<text x="{WIDTH - 2}" y="{y}" text-anchor="end">{number}</text>')
    inside = "".join([*parts, *texts])
    return (
        f'<svg role="img" viewBox="0 0 {WIDTH} {ROW * max(len(labels), 1)}" width="{WIDTH}">'
        f"<title>{html.escape(title)}</title>{inside}</svg>"
    )
