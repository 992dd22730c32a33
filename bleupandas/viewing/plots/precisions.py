"""plot.precisions(): n-gram precisions by order."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bleupandas.common import count_options, public_as
from bleupandas.counting import read_sums
from bleupandas.scoring import score_groups, score_settings
from bleupandas.viewing.plots.axes import check_plot_frame, group_style, new_axes, set_legend
from bleupandas.viewing.plots.labels import by_label, group_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@public_as("plot.precisions")
def precisions(
    df: pd.DataFrame,
    /,
    *,
    by: Any = None,
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
    """Draw the precisions of the corpus, or of each group, by n-gram order.

    Also a method: ``df.bleu.plot.precisions()``.

    Parameters
    ----------
    df : DataFrame
        Token columns or components columns.
    by : label, list of labels, Series, function, ...
        As in `corpus`: one line per group.
    ax, figsize
        As in `scores`.
    hypothesis, references, max_order, errors, threads, components
        As in `corpus`.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `corpus`; they change the BLEU in the legend, not the precisions.

    Returns
    -------
    Axes
        One line per group of matches / totals, without smoothing. The legend has the group's BLEU.

    Raises
    ------
    ImportError
        Without matplotlib.
    KeyError, TypeError, ValueError
        As in `corpus`.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> df.bleu.plot.precisions(by="system").get_ylabel()
    'precision'
    """
    count = count_options(
        hypothesis=hypothesis, references=references, errors=errors, threads=threads, components=components
    )
    settings = score_settings(
        "corpus",
        max_order=max_order,
        convention=convention,
        smoothing=smoothing,
        weights=weights,
        effective_order=effective_order,
        epsilon=epsilon,
        k=k,
        alpha=alpha,
    )
    check_plot_frame(df, "precisions")
    sums = read_sums(df, "plot.precisions", count, settings.max_order, settings.orders_for)
    table = score_groups(sums.sum() if by is None else sums.by(df, by), settings)
    orders = [int(name.removeprefix("precision_")) for name in table.columns if str(name).startswith("precision_")]
    ax = new_axes(ax, figsize)
    labels = []
    for number, (key, row) in enumerate(table.iterrows()):
        values = [row[f"precision_{order}"] for order in orders]
        heights = [float(value) if pd.notna(value) else np.nan for value in values]
        colour, line = group_style(number)
        ax.plot(orders, heights, marker="o", color=colour, linestyle=line, gid=str(number))
        label = "all segments" if by is None else group_label(key)
        labels.append(f"{label} (BLEU {row['score']:.3f})" if pd.notna(row["score"]) else f"{label} (no score)")
    ax.set(xticks=orders, xlabel="n-gram order", ylabel="precision", ylim=(0, 1))
    set_legend(ax, labels, None if by is None else by_label(by))
    return ax
