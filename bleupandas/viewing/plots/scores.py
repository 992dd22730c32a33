"""df.bleu.plot: what a frame's scores are made of, drawn with matplotlib."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bleupandas.common.messages import refuse_keywords, shown
from bleupandas.counting.components import components as counted
from bleupandas.scoring.score import COLUMNS, corpus, score
from bleupandas.viewing.plots import axes as drawing
from bleupandas.viewing.plots.waterfall import ngrams, waterfall

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["lengths", "ngrams", "precisions", "scores", "waterfall"]

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
    drawing.refuse_unknown("scores", scoring, "by", "bins")
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 1:
        raise ValueError(f"bins is a whole number of at least 1, not {shown(bins)}")
    options: dict[str, Any] = {
        "hypothesis": hypothesis,
        "references": references,
        "max_order": max_order,
        "errors": errors,
    }
    found = score(drawing.checked(df, "scores"), **options, threads=threads, components=components, **scoring)
    parts = drawing.groups(df, found.to_frame(), by)
    ax = drawing.axes(ax, figsize)
    edges = np.linspace(0, 1, bins + 1)
    for at, (_, part) in enumerate(parts):
        values = part["score"].dropna().to_numpy(np.float64)
        heights, _ = np.histogram(values, edges)
        colour, line = drawing.style(at)
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
        drawing.set_legend(ax, [name for name, _ in parts], drawing.by_name(by))
    return ax


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
    drawing.refuse_unknown("precisions", scoring, "by")
    options: dict[str, Any] = {
        "hypothesis": hypothesis,
        "references": references,
        "max_order": max_order,
        "errors": errors,
    }
    options |= {"threads": threads, "components": components, **scoring}
    found = corpus(drawing.checked(df, "precisions"), by=by, **options)
    table = found.to_frame() if by is None else found
    orders = [int(name[10:]) for name in table.columns if str(name).startswith("precision_")]
    ax = drawing.axes(ax, figsize)
    names = []
    for at, (key, row) in enumerate(table.iterrows()):
        heights = [
            float(row[f"precision_{order}"]) if pd.notna(row[f"precision_{order}"]) else np.nan for order in orders
        ]
        colour, line = drawing.style(at)
        ax.plot(orders, heights, marker="o", color=colour, linestyle=line, gid=str(at))
        label = "all segments" if by is None else drawing.group_name(key)
        names.append(f"{label} (BLEU {row['score']:.3f})" if pd.notna(row["score"]) else f"{label} (no score)")
    ax.set(xticks=orders, xlabel="order", ylabel="precision", ylim=(0, 1))
    drawing.set_legend(ax, names, None if by is None else drawing.by_name(by))
    return ax


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
    refuse_keywords("plot.lengths", unknown, ("by", "ax", "figsize", *(n for n in COLUMNS if n != "max_order")))
    options: dict[str, Any] = {"hypothesis": hypothesis, "references": references, "errors": errors, "threads": threads}
    table = counted(drawing.checked(df, "lengths"), max_order=1, components=components, **options)
    parts = drawing.groups(df, table[["reference_length", "candidate_length"]], by)
    ax = drawing.axes(ax, figsize)
    pairs = table[["reference_length", "candidate_length"]].dropna()
    longest = 1.05 * float(max(pairs.to_numpy(np.float64).max(initial=0), 1))
    ax.fill_between([0, longest], [0, longest], color=drawing.ORANGE, alpha=0.12, linewidth=0, gid="brevity")
    ax.plot([0, longest], [0, longest], color=drawing.GREY, linewidth=1)
    ax.text(0.97 * longest, 0.03 * longest, "brevity penalty below 1", ha="right", color="#6b3200")
    for at, (_, part) in enumerate(parts):
        rows = part.dropna().to_numpy(np.int64)
        points, numbers = np.unique(rows, axis=0, return_counts=True)
        colour, _ = drawing.style(at)
        areas = np.minimum((12 if len(rows) > FEW_ROWS else 48) * numbers, 400)
        ax.scatter(points[:, 0], points[:, 1], s=areas, color=colour, alpha=0.5, linewidth=0, gid=str(at))
    ax.set(xlim=(0, longest), ylim=(0, longest))
    ax.set(xlabel="closest reference length (tokens)", ylabel="candidate length (tokens)")
    if by is not None:
        drawing.set_legend(ax, [name for name, _ in parts], drawing.by_name(by))
    return ax
