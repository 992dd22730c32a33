"""plot.lengths(): hypothesis length against reference length."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bleupandas.common import COUNT_KEYWORDS, refuse_keywords
from bleupandas.counting import components as counted
from bleupandas.viewing.plots.axes import (
    GREY,
    ORANGE,
    by_name,
    check_plot_frame,
    new_axes,
    set_legend,
    split_groups,
    style_axes,
)
from bleupandas.viewing.plots.scores import FEW_ROWS

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def lengths(
    df: pd.DataFrame,
    /,
    *,
    by: Any = None,
    ax: "Axes | None" = None,
    figsize: tuple[float, float] | None = None,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    errors: str = "raise",
    threads: int | None = None,
    components: bool = False,
    **unknown: Any,
) -> "Axes":
    """Draw candidate against closest reference lengths; the region where the brevity penalty is below 1 is shaded.

    Also a method: ``df.bleu.plot.lengths()``.

    Parameters
    ----------
    df : DataFrame
        Token columns or components columns.
    by : label, list of labels, Series, function, ...
        Whatever ``df.groupby`` takes: a colour per group.
    ax, figsize
        As in `scores`.
    hypothesis, references, errors, threads, components
        As in `components`.

    Returns
    -------
    Axes
        A marker per pair of lengths, the larger the more segments have it.

    Raises
    ------
    ImportError, KeyError, TypeError, ValueError
        As in `scores`.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> df.bleu.plot.lengths().get_ylabel()
    'candidate length (tokens)'
    """
    refuse_keywords("plot.lengths", unknown, ("by", "ax", "figsize", *(n for n in COUNT_KEYWORDS if n != "max_order")))
    options: dict[str, Any] = {"hypothesis": hypothesis, "references": references, "errors": errors, "threads": threads}
    table = counted(check_plot_frame(df, "lengths"), max_order=1, components=components, **options)
    parts = split_groups(df, table[["reference_length", "candidate_length"]], by)
    ax = new_axes(ax, figsize)
    pairs = table[["reference_length", "candidate_length"]].dropna()
    longest = 1.05 * float(max(pairs.to_numpy(np.float64).max(initial=0), 1))
    ax.fill_between([0, longest], [0, longest], color=ORANGE, alpha=0.12, linewidth=0, gid="brevity")
    ax.plot([0, longest], [0, longest], color=GREY, linewidth=1)
    ax.text(0.97 * longest, 0.03 * longest, "brevity penalty below 1", ha="right", color="#6b3200")
    for at, (_, part) in enumerate(parts):
        rows = part.dropna().to_numpy(np.int64)
        points, numbers = np.unique(rows, axis=0, return_counts=True)
        colour, _ = style_axes(at)
        areas = np.minimum((12 if len(rows) > FEW_ROWS else 48) * numbers, 400)
        ax.scatter(points[:, 0], points[:, 1], s=areas, color=colour, alpha=0.5, linewidth=0, gid=str(at))
    ax.set(xlim=(0, longest), ylim=(0, longest))
    ax.set(xlabel="closest reference length (tokens)", ylabel="candidate length (tokens)")
    if by is not None:
        set_legend(ax, [name for name, _ in parts], by_name(by))
    return ax
