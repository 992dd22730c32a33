"""df.bleu.plot: what a frame's scores are made of, drawn with matplotlib."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bleupandas.common import short_repr
from bleupandas.scoring import score
from bleupandas.viewing.plots.axes import (
    by_name,
    check_plot_frame,
    new_axes,
    refuse_unknown,
    set_legend,
    split_groups,
    style_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FEW_ROWS = 100  # whose markers are larger, as few small ones are hardly seen


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
    errors: str = "raise",
    threads: int | None = None,
    components: bool = False,
    **scoring: Any,
) -> "Axes":
    """Draw the distribution of sentence scores.

    Also a method: ``df.bleu.plot.scores()``.

    Parameters
    ----------
    df : DataFrame
        Token columns or components columns.
    by : label, list of labels, Series, function, ...
        Whatever ``df.groupby`` takes: an outline per group, of its own segments' shares.
    bins : int, default 20
        Of equal width, from 0 to 1.
    ax : Axes, optional
        Where to draw; a new figure unless given.
    figsize : (float, float), optional
        Of the figure, in inches.
    hypothesis, references, max_order, errors, threads, components
        As in `score`.
    **scoring
        convention, smoothing, weights, effective_order, epsilon, k, alpha, as in `score`.

    Returns
    -------
    Axes
        A broken line stands at each mean.

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
    >>> df.bleu.plot.scores(by="system").get_xlabel()
    'sentence score'
    """
    refuse_unknown("scores", scoring, "by", "bins")
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 1:
        raise ValueError(f"bins is a whole number of at least 1, not {short_repr(bins)}")
    options: dict[str, Any] = {
        "hypothesis": hypothesis,
        "references": references,
        "max_order": max_order,
        "errors": errors,
    }
    found = score(check_plot_frame(df, "scores"), **options, threads=threads, components=components, **scoring)
    parts = split_groups(df, found.to_frame(), by)
    ax = new_axes(ax, figsize)
    edges = np.linspace(0, 1, bins + 1)
    for at, (_, part) in enumerate(parts):
        values = part["score"].dropna().to_numpy(np.float64)
        heights, _ = np.histogram(values, edges)
        colour, line = style_axes(at)
        tall = heights if by is None else heights / max(len(values), 1)
        ax.stairs(
            tall, edges, color=colour, fill=by is None, alpha=0.75 if by is None else 1, lw=1.5, ls=line, gid=str(at)
        )
        if len(values):
            ax.axvline(values.mean(), color=colour, linestyle="--", linewidth=1)
    ax.set(xlim=(0, 1), xlabel="sentence score", ylabel="segments" if by is None else "share of the group's segments")
    if by is None:
        ax.locator_params(axis="y", integer=True)  # segments are counted
    else:
        set_legend(ax, [name for name, _ in parts], by_name(by))
    return ax
