"""Charts as inline SVG in the colours of the page. A table with the same numbers is next to each chart."""

import html
import math
from collections.abc import Sequence

WIDTH = 640
LABEL_WIDTH = 200
VALUE_WIDTH = 70
ROW_HEIGHT = 24
LONGEST_LABEL = 30  # characters


def interval_chart(
    labels: Sequence[str], values: Sequence[float], lows: Sequence[float], highs: Sequence[float], *, title: str
) -> str:
    """Return a chart with a dot and its interval for each row, and a line at 0.

    Examples
    --------
    >>> interval_chart(["pivot"], [-4.2], [-5.3], [-3.1], title="Difference").count("<circle")
    1
    """
    low, high = value_range([*lows, *values, *highs])
    shapes = [vertical_line(x_position(0.0, low, high), len(labels))]
    for at, (value, start, stop) in enumerate(zip(values, lows, highs, strict=True)):
        middle = ROW_HEIGHT * at + ROW_HEIGHT / 2
        if math.isnan(value):
            continue
        if not math.isnan(start + stop):
            left, right = x_position(start, low, high), x_position(stop, low, high)
            shapes.append(f'<line class="bar" x1="{left:.1f}" x2="{right:.1f}" y1="{middle}" y2="{middle}"/>')
        shapes.append(f'<circle class="dot" cx="{x_position(value, low, high):.1f}" cy="{middle}" r="4"/>')
    return chart_svg(labels, values, shapes, title, digits=2)


def bar_chart(labels: Sequence[str], values: Sequence[float], *, title: str) -> str:
    """Return a chart with a bar from 0 for each row.

    Examples
    --------
    >>> bar_chart(["p1", "p2"], [-0.1, -0.3], title="ln BLEU").count('<rect class="bar"')
    2
    """
    low, high = value_range(values)
    zero = x_position(0.0, low, high)
    shapes = []
    for at, value in enumerate(values):
        if not math.isnan(value):
            end = x_position(value, low, high)
            left, width, top = min(zero, end), abs(end - zero), ROW_HEIGHT * at + 5
            shapes.append(
                f'<rect class="bar" x="{left:.1f}" y="{top}" width="{width:.1f}" height="{ROW_HEIGHT - 10}"/>'
            )
    shapes.append(vertical_line(zero, len(labels)))
    return chart_svg(labels, values, shapes, title, digits=3)


def value_range(values: Sequence[float]) -> tuple[float, float]:
    """Return the smallest and the largest finite value, or 0 if it is smaller or larger."""
    finite = [0.0, *(value for value in values if math.isfinite(value))]
    return min(finite), max(finite)


def x_position(value: float, low: float, high: float) -> float:
    """Return the x coordinate of a value."""
    return LABEL_WIDTH + (WIDTH - LABEL_WIDTH - VALUE_WIDTH) * (value - low) / ((high - low) or 1.0)


def vertical_line(x: float, rows: int) -> str:
    """Return a line through all rows."""
    return f'<line class="zero" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{ROW_HEIGHT * rows}"/>'


def chart_svg(labels: Sequence[str], values: Sequence[float], shapes: Sequence[str], title: str, *, digits: int) -> str:
    """Return a chart of shapes, with labels at the left and values at the right."""
    texts = []
    for at, (label, value) in enumerate(zip(labels, values, strict=True)):
        y = ROW_HEIGHT * at + ROW_HEIGHT / 2 + 4
        short = label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"
        texts.append(f'<text x="{LABEL_WIDTH - 10}" y="{y}" text-anchor="end">{html.escape(short)}</text>')
        texts.append(f'<text x="{WIDTH - 2}" y="{y}" text-anchor="end">{chart_value(value, digits)}</text>')
    name = html.escape(title)
    return (
        f"<figure><figcaption>{name}</figcaption>"
        f'<svg role="img" viewBox="0 0 {WIDTH} {ROW_HEIGHT * max(len(labels), 1)}" width="{WIDTH}">'
        f"<title>{name}</title>{''.join([*shapes, *texts])}</svg></figure>"
    )


def chart_value(value: float, digits: int) -> str:
    """Return a value as text, without a sign if it rounds to 0.

    Examples
    --------
    >>> chart_value(-4.216, 2), chart_value(-0.001, 2), chart_value(float("nan"), 2)
    ('−4.22', '0.00', '–')
    """
    if math.isnan(value):
        return "–"
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "−")
