"""plot.precisions(): n-gram precisions of groups."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bleupandas.scoring import corpus
from bleupandas.viewing.plots.axes import (
    by_name,
    check_plot_frame,
    group_name,
    new_axes,
    refuse_unknown,
    set_legend,
    style_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    errors: str = "raise",
    threads: int | None = None,
    components: bool = False,
    **scoring: Any,
) -> "Axes":
    """Draw the corpus' precisions by order.

    Also a method: ``df.bleu.plot.precisions()``.

    Parameters
    ----------
    df : DataFrame
        Token columns or components columns.
    by : label, list of labels, Series, function, ...
        As in `corpus`: a line per group.
    ax, figsize
        As in `scores`.
    hypothesis, references, max_order, errors, threads, components, **scoring
        As in `corpus`.

    Returns
    -------
    Axes
        Matches / totals, without smoothing; the legend has the groups' scores.

    Raises
    ------
    ImportError, KeyError, TypeError, ValueError
        As in `scores`.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> df.bleu.plot.precisions(by="system").get_ylabel()
    'precision'
    """
    refuse_unknown("precisions", scoring, "by")
    options: dict[str, Any] = {
        "hypothesis": hypothesis,
        "references": references,
        "max_order": max_order,
        "errors": errors,
    }
    options |= {"threads": threads, "components": components, **scoring}
    found = corpus(check_plot_frame(df, "precisions"), by=by, **options)
    table = found.to_frame() if by is None else found
    orders = [int(name[10:]) for name in table.columns if str(name).startswith("precision_")]
    ax = new_axes(ax, figsize)
    names = []
    for at, (key, row) in enumerate(table.iterrows()):
        heights = [
            float(row[f"precision_{order}"]) if pd.notna(row[f"precision_{order}"]) else np.nan for order in orders
        ]
        colour, line = style_axes(at)
        ax.plot(orders, heights, marker="o", color=colour, linestyle=line, gid=str(at))
        label = "all segments" if by is None else group_name(key)
        names.append(f"{label} (BLEU {row['score']:.3f})" if pd.notna(row["score"]) else f"{label} (no score)")
    ax.set(xticks=orders, xlabel="order", ylabel="precision", ylim=(0, 1))
    set_legend(ax, names, None if by is None else by_name(by))
    return ax
