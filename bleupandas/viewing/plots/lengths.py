"""plot.lengths(): candidate length against reference length."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bleupandas.common import count_options, public_as
from bleupandas.counting import read_sums
from bleupandas.viewing.plots.axes import (
    GREY,
    ORANGE,
    check_plot_frame,
    group_style,
    new_axes,
    set_legend,
    split_groups,
)
from bleupandas.viewing.plots.labels import by_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEW_ROWS = 100  # up to here markers are larger, because a few small ones are hard to see


@public_as("plot.lengths")
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
) -> "Axes":
    """Draw candidate lengths against closest reference lengths.

    Also a method: ``df.bleu.plot.lengths()``.

    Parameters
    ----------
    df : DataFrame
        Token columns or components columns.
    by : label, list of labels, Series, function, ...
        Any argument of ``df.groupby``: one colour per group.
    ax, figsize
        As in `scores`.
    hypothesis, references, errors, threads, components
        As in `components`.

    Returns
    -------
    Axes
        One marker per pair of lengths; its area grows with the number of segments. The brevity penalty is below 1 in
        the shaded region.

    Raises
    ------
    ImportError
        Without matplotlib.
    KeyError, TypeError, ValueError
        As in `components`.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> df.bleu.plot.lengths().get_ylabel()
    'candidate length (tokens)'
    """
    count = count_options(
        hypothesis=hypothesis, references=references, errors=errors, threads=threads, components=components
    )
    sums = read_sums(check_plot_frame(df, "lengths"), "plot.lengths", count, 1)
    lengths = {"reference_length": sums.reference_length, "candidate_length": sums.candidate_length}
    pairs = pd.DataFrame(lengths, df.index)[~sums.missing]
    groups = split_groups(df, pairs, by)
    ax = new_axes(ax, figsize)
    longest = 1.05 * float(max(pairs.dropna().to_numpy(np.float64).max(initial=0), 1))
    ax.fill_between([0, longest], [0, longest], color=ORANGE, alpha=0.12, linewidth=0, gid="brevity")
    ax.plot([0, longest], [0, longest], color=GREY, linewidth=1)
    ax.text(0.97 * longest, 0.03 * longest, "brevity penalty below 1", ha="right", color="#6b3200")
    for number, (_, rows) in enumerate(groups):
        values = rows.dropna().to_numpy(np.int64)
        points, numbers = np.unique(values, axis=0, return_counts=True)
        areas = np.minimum((12 if len(values) > FEW_ROWS else 48) * numbers, 400)
        colour, _ = group_style(number)
        ax.scatter(points[:, 0], points[:, 1], s=areas, color=colour, alpha=0.5, linewidth=0, gid=str(number))
    ax.set(xlim=(0, longest), ylim=(0, longest))
    ax.set(xlabel="closest reference length (tokens)", ylabel="candidate length (tokens)")
    if by is not None:
        set_legend(ax, [name for name, _ in groups], by_label(by))
    return ax
