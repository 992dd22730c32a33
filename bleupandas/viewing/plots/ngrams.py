"""plot.ngrams(): the n-grams at fault."""

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bleupandas.common import COUNT_KEYWORDS, refuse_keywords, short_repr
from bleupandas.counting import ngrams as listed_ngrams
from bleupandas.viewing.plots.axes import (
    GREY,
    ORANGE,
    PURPLE,
    check_plot_frame,
    drawable,
    label_style,
    new_axes,
    shortened,
)
from bleupandas.viewing.plots.waterfall import SEPARATOR

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def ngrams(
    df: pd.DataFrame,
    /,
    *,
    n: int = 10,
    orders: int | Iterable[int] | None = None,
    ax: "Axes | None" = None,
    figsize: tuple[float, float] | None = None,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    errors: str = "raise",
    threads: int | None = None,
    **unknown: Any,
) -> "Axes":
    """Draw the n-grams that the hypotheses have too often, and those that they lack, over all segments.

    Also a method: ``df.bleu.plot.ngrams()``.

    Parameters
    ----------
    df : DataFrame
        With token columns.
    n : int, default 10
        How many of each kind.
    orders, max_order
        Which n-grams, as in `ngrams`.
    ax, figsize
        As in `scores`.
    hypothesis, references, errors, threads
        As in `components`.

    Returns
    -------
    Axes
        A row per n-gram: to the right the sum of count - clipped_count, to the left that of missing.

    Raises
    ------
    ImportError, KeyError, TypeError, ValueError
        As in `bleupandas.ngrams`.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> df.bleu.plot.ngrams(n=3, orders=2).get_xlabel()
    'occurrences: missing to the left, over-produced to the right'
    """
    names = ("n", "orders", "ax", "figsize", *(name for name in COUNT_KEYWORDS if name != "components"))
    refuse_keywords("plot.ngrams", unknown, names)
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise ValueError(f"n is a whole number of at least 1, not {short_repr(n)}")
    options: dict[str, Any] = {"hypothesis": hypothesis, "references": references, "errors": errors}
    options |= {"max_order": max_order, "orders": orders, "threads": threads}
    table = faults(check_plot_frame(df, "ngrams"), options)
    most = [table.loc[table[kind] > 0, kind].nlargest(int(n)).index for kind in ("over_produced", "missing")]
    picked = table.loc[most[0].union(most[1], sort=False)]
    picked = picked.iloc[np.argsort(picked["missing"] - picked["over_produced"], kind="stable")]
    ax = new_axes(ax, figsize, (7.0, 1.2 + 0.25 * max(len(picked), 4)))
    from matplotlib.ticker import MaxNLocator

    rows = np.arange(len(picked))
    ax.barh(rows, picked["over_produced"], color=ORANGE, label="over-produced")
    ax.barh(rows, -picked["missing"], color=PURPLE, label="missing")
    labels = [shortened(" ".join(map(drawable, tokens))) for tokens in picked.index]
    ax.set_yticks(rows, labels, **label_style(labels))
    ax.invert_yaxis()
    ax.axvline(0, color=GREY, linewidth=1)
    ax.set_xlabel("occurrences: missing to the left, over-produced to the right")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.xaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    ax.legend()
    return ax


def faults(df: pd.DataFrame, options: dict[str, Any]) -> pd.DataFrame:
    """Sum what is over-produced and what is missing by n-gram; on an index of token tuples."""
    try:
        return summed_faults(df, {**options, "sep": SEPARATOR})
    except ValueError:  # where it is not the separator, listing tuples raises the same again
        return summed_faults(df, {**options, "ngram": "tuple"})


def summed_faults(df: pd.DataFrame, options: dict[str, Any]) -> pd.DataFrame:
    """Sum them in one form of n-grams."""
    own = listed_ngrams(df, **options)
    over = (own["count"] - own["clipped_count"]).groupby(own["ngram"], sort=False).sum()
    other = listed_ngrams(df, side="references", **options)
    missing = other["missing"].groupby(other["ngram"], sort=False).sum()
    table = pd.DataFrame({"over_produced": over, "missing": missing}).fillna(0).astype(np.int64)
    keys = np.empty(len(table), object)
    keys[:] = [key if isinstance(key, tuple) else tuple(key.split(SEPARATOR)) for key in table.index]
    return table.set_axis(pd.Index(keys, tupleize_cols=False))
