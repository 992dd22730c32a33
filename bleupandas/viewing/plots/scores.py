"""plot.scores(): the distribution of sentence scores."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bleupandas.common import count_options, public_as, short_repr
from bleupandas.counting import read_sums
from bleupandas.scoring import score_rows, score_settings
from bleupandas.viewing.plots.axes import check_plot_frame, group_style, new_axes, set_legend, split_groups
from bleupandas.viewing.plots.labels import by_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@public_as("plot.scores")
def scores(
    df: pd.DataFrame,
    /,
    *,
    by: Any = None,
    bins: int = 20,
    ax: "Axes | None" = None,
    figsize: tuple[float, float] | None = None,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    convention: str = "paper",
    smoothing: str | None = None,
    weights: object = None,
    effective_order: bool | None = None,
    epsilon: float = 0.1,
    k: float = 5,
    alpha: float = 5,
    errors: str = "raise",
    threads: int | None = None,
    components: bool = False,
) -> "Axes":
    """Draw the distribution of sentence scores.

    Also a method: ``df.bleu.plot.scores()``.

    Parameters
    ----------
    df : DataFrame
        Token columns or components columns.
    by : label, list of labels, Series, function, ...
        Any argument of ``df.groupby``: one outline per group, as shares of the group's segments.
    bins : int, default 20
        The number of bins of equal width from 0 to 1.
    ax : Axes, optional
        The axes to draw on; by default those of a new figure.
    figsize : (float, float), optional
        The size of the figure in inches.
    hypothesis, references, max_order, errors, threads, components
        As in `score`.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `score`.

    Returns
    -------
    Axes
        A histogram. Dashed lines mark the means.

    Raises
    ------
    ImportError
        Without matplotlib.
    KeyError, TypeError, ValueError
        As in `score`.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> df.bleu.plot.scores(by="system").get_ylabel()
    "share of the group's segments"
    """
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 1:
        raise ValueError(f"bins is a whole number of at least 1, not {short_repr(bins)}")
    count = count_options(
        hypothesis=hypothesis, references=references, errors=errors, threads=threads, components=components
    )
    settings = score_settings(
        "score",
        max_order=max_order,
        convention=convention,
        smoothing=smoothing,
        weights=weights,
        effective_order=effective_order,
        epsilon=epsilon,
        k=k,
        alpha=alpha,
    )
    sums = read_sums(check_plot_frame(df, "scores"), "plot.scores", count, settings.max_order, settings.orders_for)
    values = pd.Series(np.where(sums.missing, np.nan, score_rows(sums, settings, "score")), df.index, name="score")
    groups = split_groups(df, values.to_frame(), by)
    ax = new_axes(ax, figsize)
    for number, (_, rows) in enumerate(groups):
        draw_histogram(ax, number, rows["score"], np.linspace(0, 1, bins + 1), by is not None)
    ax.set(xlim=(0, 1), xlabel="sentence score (dashed line: mean)")
    ax.set_ylabel("segments" if by is None else "share of the group's segments")
    if by is None:
        ax.locator_params(axis="y", integer=True)  # the numbers of segments are whole
    else:
        set_legend(ax, [name for name, _ in groups], by_label(by))
    return ax


def draw_histogram(ax: "Axes", number: int, scores: "pd.Series[Any]", edges: Any, outlined: bool) -> None:
    """Draw one group's histogram and its mean: filled, or outlined with shares in place of counts."""
    values = scores.dropna().to_numpy(np.float64)
    heights, _ = np.histogram(values, edges)
    colour, line = group_style(number)
    look: Any = {"fill": False, "alpha": 1} if outlined else {"fill": True, "alpha": 0.75}
    shares = heights / max(len(values), 1) if outlined else heights
    ax.stairs(shares, edges, color=colour, lw=1.5, ls=line, gid=str(number), **look)
    if len(values):
        ax.axvline(values.mean(), color=colour, linestyle="--", linewidth=1)
