"""What the plots share: axes, colours, bars with their values, legends and groups."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from bleupandas.reading import check_frame, group_column, group_keys
from bleupandas.viewing.plots.labels import format_label, group_label, label_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The palette of Okabe and Ito, which is safe for colour-blind readers, without yellow, which is too pale for lines.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#000000")
LINES = ("-", "--", ":", "-.")
BLUE, ORANGE, PURPLE, GREY = "#2a78b5", "#c05a00", "#6a4fa3", "#8a9097"


def new_axes(
    ax: "Axes | None", figsize: tuple[float, float] | None, default: tuple[float, float] | None = None
) -> "Axes":
    """Return `ax`, or the axes of a new figure. `figsize` resizes the figure; a new one has the size `default` without.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    try:
        from matplotlib import pyplot
    except ModuleNotFoundError:
        raise ImportError('df.bleu.plot needs matplotlib: pip install "bleupandas[plot]"') from None
    if ax is None:
        return pyplot.subplots(figsize=figsize or default, layout="constrained")[1]
    if figsize is not None:
        figure = ax.get_figure(root=True)
        assert figure is not None
        figure.set_size_inches(figsize)
    return ax


def group_style(number: int) -> tuple[str, str]:
    """Return the colour and the line style of a group by its number."""
    return COLOURS[number % len(COLOURS)], LINES[number // len(COLOURS) % len(LINES)]


def draw_bar(
    ax: "Axes", place: int, start: float, height: float, colour: str, text: str, infinite: bool = False
) -> None:
    """Draw one bar from `start` with its value as text at its end; a bar of an infinite value is hatched.

    The text of an infinite bar is at its start, because its end is the border of the axes.
    """
    look: Any = {"color": "none", "edgecolor": colour, "hatch": "//"} if infinite else {"color": colour}
    ax.bar(place, height, bottom=start, **look)
    below = height < 0 and not infinite
    position: Any = {"xytext": (0, -3 if below else 3), "textcoords": "offset points"}
    end = start if infinite else start + height
    ax.annotate(text, (place, end), **position, ha="center", va="top" if below else "bottom")


def set_legend(ax: "Axes", labels: Sequence[str], title: str | None) -> None:
    """Draw a legend of the artists whose gid is the number of a label."""
    artists = {artist.get_gid(): artist for artist in ax.get_children() if artist.get_gid() is not None}
    handles = [artists[str(at)] for at in range(len(labels))]
    # Labels are set afterwards because matplotlib leaves out labels that begin with an underscore.
    legend = ax.legend(handles, [str(at) for at in range(len(labels))], title=title)
    texts = [format_label(label) for label in labels]
    for artist, text in zip(legend.get_texts(), texts, strict=True):
        artist.set(text=text, **label_style(texts))
    if title is not None:
        legend.get_title().set(**label_style([title]))


def split_groups(df: pd.DataFrame, values: pd.DataFrame, by: Any) -> list[tuple[str, pd.DataFrame]]:
    """Return the name and the rows of `values` for each group of `df`; without `by` one group with an empty name."""
    if by is None:
        return [("", values)]
    table = values.copy()
    keys = group_keys(df, by)
    for key in keys:
        label = getattr(key, "key", None) if isinstance(key, pd.Grouper) else None
        if label is not None:  # pandas looks up the column of a Grouper in the grouped frame
            table[label] = group_column(df, label).array
    grouped = table.groupby(keys if isinstance(by, list) else keys[0], observed=True, dropna=False)
    return [(group_label(key), rows[list(values.columns)]) for key, rows in grouped]


def check_plot_frame(df: object, name: str) -> pd.DataFrame:
    """Return the frame, or raise TypeError if it is no DataFrame."""
    return check_frame(df, f"plot.{name}")
