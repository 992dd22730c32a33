"""Where a frame's score went, drawn: n-grams at fault, and the factors of BLEU."""

import math
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common.messages import refuse_keywords, shown
from bleupandas.comparing.influence import refuse_pairing
from bleupandas.comparing.waterfall import Difference, differences, refuse_nought
from bleupandas.counting.components import components as counted
from bleupandas.counting.ngrams import ngrams as listed_ngrams
from bleupandas.reading.component_columns import checked_sum
from bleupandas.scoring.formula import order_shares, row_scores, score_settings
from bleupandas.scoring.score import COLUMNS
from bleupandas.scoring.settings import ScoreSettings
from bleupandas.viewing.html.show import positions_of
from bleupandas.viewing.plots import axes as drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SEPARATOR = "\x1f"  # between the tokens of n-grams; where a token holds it, they are listed as tuples


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
    names = ("n", "orders", "ax", "figsize", *(name for name in COLUMNS if name != "components"))
    refuse_keywords("plot.ngrams", unknown, names)
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise ValueError(f"n is a whole number of at least 1, not {shown(n)}")
    options: dict[str, Any] = {"hypothesis": hypothesis, "references": references, "errors": errors}
    options |= {"max_order": max_order, "orders": orders, "threads": threads}
    table = faults(drawing.checked(df, "ngrams"), options)
    most = [table.loc[table[kind] > 0, kind].nlargest(int(n)).index for kind in ("over_produced", "missing")]
    picked = table.loc[most[0].union(most[1], sort=False)]
    picked = picked.iloc[np.argsort(picked["missing"] - picked["over_produced"], kind="stable")]
    ax = drawing.axes(ax, figsize, (7.0, 1.2 + 0.25 * max(len(picked), 4)))
    from matplotlib.ticker import MaxNLocator

    rows = np.arange(len(picked))
    ax.barh(rows, picked["over_produced"], color=drawing.ORANGE, label="over-produced")
    ax.barh(rows, -picked["missing"], color=drawing.PURPLE, label="missing")
    labels = [drawing.shortened(" ".join(map(drawing.drawable, tokens))) for tokens in picked.index]
    ax.set_yticks(rows, labels, **drawing.label_style(labels))
    ax.invert_yaxis()
    ax.axvline(0, color=drawing.GREY, linewidth=1)
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


def waterfall(
    df: pd.DataFrame,
    label: Hashable = None,
    /,
    *,
    system: Any = None,
    id: Any = None,  # noqa: A002  # the word of the published data
    baseline: Hashable | None = None,
    on_unpaired: str = "raise",
    ax: "Axes | None" = None,
    figsize: tuple[float, float] | None = None,
    hypothesis: Hashable | list[Any] | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    errors: str = "raise",
    threads: int | None = None,
    components: bool = False,
    **scoring: Any,
) -> "Axes":
    """Draw how ln BLEU comes about, ln BP + w_1 ln p_1 + ... + w_N ln p_N, or how it differs between two systems.

    Also a method: ``df.bleu.plot.waterfall()``. The numbers of a corpus and of two systems are those of
    `bleupandas.waterfall`.

    Parameters
    ----------
    df : DataFrame
        Token columns or components columns.
    label : hashable, optional
        Of one row, which is scored with the defaults of `score`; all rows as a corpus, with the defaults of `corpus`,
        unless given.
    system, id, baseline, on_unpaired
        Two systems in long form, as in `compare`; only with ``system=``. A list of two columns as `hypothesis` is the
        wide form.
    ax, figsize
        As in `scores`.
    hypothesis, references, max_order, errors, threads, components, **scoring
        As in `score`; of two systems as in `corpus`.

    Returns
    -------
    Axes
        A bar per factor, from where the one before ends, and the sum. A factor of 0, which makes the score 0, is a
        hatched bar to the bottom. Of two systems what each factor adds to or takes from the baseline's ln BLEU.

    Raises
    ------
    ImportError, KeyError, TypeError, ValueError
        As in `scores`; for a label that stands on several rows, and for a row that is missing; for a difference of
        systems of which one has a score of 0, and for more than two systems.

    Notes
    -----
    Papineni et al. 2002, section 2.3.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> [round(float(bar.get_height()), 3) for bar in df.bleu.plot.waterfall().patches]
    [0.0, -0.107, -0.251, -0.374, -0.489, -1.22]
    """
    drawing.refuse_unknown("waterfall", scoring, "system", "id", "baseline", "on_unpaired")
    options: dict[str, Any] = {"hypothesis": hypothesis, "references": references, "errors": errors}
    options |= {"threads": threads, "components": components}
    settings = score_settings("corpus" if label is None else "score", max_order=max_order, **scoring)
    if system is not None or isinstance(hypothesis, list):
        form = {"system": system, "id": id, "on_unpaired": on_unpaired}
        pair = two_systems(df, label, baseline, settings, {**options, **form})
        ax = drawing.axes(ax, figsize, (1.1 * (settings.max_order + 2) + 1.2, 4.0))
        draw_difference(ax, pair)
        return ax
    refuse_pairing("plot.waterfall", id=id, baseline=baseline)
    table = counted(drawing.checked(df, "waterfall"), max_order=settings.orders_read, **options)
    sums = totals(table) if label is None else one_row(table, label)
    n = settings.orders_read
    c, r, *counts = sums.tolist()
    result = row_scores([c], [r], [counts[:n]], [counts[n:]], settings)
    with np.errstate(divide="ignore"):
        shares = [float(np.log(result.brevity_penalty[0]))]
    shares += order_shares(result.precisions, [counts[n:]], settings)[0].tolist()
    names = [f"BP\n{c} to {r}\ntokens", *factor_names(counts, result.precisions[0].tolist(), n)]
    names.append(f"BLEU\n{result.score[0]:.3f}")
    ax = drawing.axes(ax, figsize, (1.1 * len(names) + 1.0, 4.0))
    draw_factors(ax, shares, float(result.score[0]))
    ax.set_xticks(range(len(names)), names, fontsize="small")
    ax.set_ylabel("ln BLEU")
    return ax


def draw_factors(ax: "Axes", shares: list[float], score: float) -> None:
    """Draw the logarithms of factors and their sum; minus infinity is a hatched bar to the bottom."""
    at, tops = 0.0, []
    for share in shares:
        tops.append(at)
        at += share if math.isfinite(share) else 0.0
    bottom = 1.2 * min(at, -0.1)
    for place, (share, top) in enumerate(zip(shares, tops, strict=True)):
        draw_bar(ax, place, top, share, bottom, drawing.ORANGE)
    draw_bar(ax, len(shares), 0.0, at if score > 0 else -math.inf, bottom, drawing.BLUE)
    ax.axhline(0, color=drawing.GREY, linewidth=1)
    ax.set_ylim(bottom, -0.1 * bottom)


def draw_bar(ax: "Axes", place: int, top: float, height: float, bottom: float, colour: str) -> None:
    """Draw one bar with its height."""
    if math.isfinite(height):
        ax.bar(place, height, bottom=top, color=colour)
        text, y, below = f"{height:.3f}", top + min(height, 0.0), True
    else:
        ax.bar(place, bottom - top, bottom=top, color="none", edgecolor=colour, hatch="//")
        text, y, below = "−∞", top, False
    position: Any = {"xytext": (0, -3 if below else 3), "textcoords": "offset points"}
    ax.annotate(text, (place, y), **position, ha="center", va="top" if below else "bottom")


def two_systems(
    df: pd.DataFrame, label: Hashable, baseline: Hashable | None, settings: ScoreSettings, reading: dict[str, Any]
) -> Difference:
    """Take two systems apart; raise where there are others besides, or a score is 0."""
    if label is not None:
        raise ValueError(
            f"plot.waterfall() draws one row, {shown(label)}, or the difference of systems: leave the label out, or "
            "system= and the list of hypothesis columns"
        )
    [pair, *others] = differences(df, "plot.waterfall", baseline, settings, **reading)
    if others:
        raise ValueError(
            f"plot.waterfall() draws the difference of two systems, and there are {len(others) + 2}: give the rows or "
            "columns of two"
        )
    for name, found in zip(pair.names.tolist(), pair[:2], strict=True):
        refuse_nought(found, settings, f"system {shown(name)}")
    return pair


def draw_difference(ax: "Axes", pair: Difference) -> None:
    """Draw what each factor adds to the baseline's ln BLEU, and the sum."""
    shares = (pair.system.logarithms - pair.baseline.logarithms).tolist()
    heights = [*shares, sum(shares)]
    starts = [0.0, *np.cumsum(shares[:-1]).tolist(), 0.0]
    rooms = [0.0, *np.cumsum(shares).tolist()]
    colours = [drawing.ORANGE if share < 0 else drawing.PURPLE for share in shares]
    for place, (height, start, colour) in enumerate(zip(heights, starts, [*colours, drawing.BLUE], strict=True)):
        ax.bar(place, height, bottom=start, color=colour)
        text = f"{height:+.3f}" if height else "0.000"
        position: Any = {"xytext": (0, -3 if height < 0 else 3), "textcoords": "offset points"}
        ax.annotate(text, (place, start + height), **position, ha="center", va="top" if height < 0 else "bottom")
    values = [*zip(pair.baseline.values, pair.system.values, strict=True), (pair.baseline.score, pair.system.score)]
    factors = ["BP", *(f"{order}-grams" for order in range(1, len(shares))), "BLEU"]
    names = [
        f"{name}\n{told_value(before)}\n→ {told_value(after)}"
        for name, (before, after) in zip(factors, values, strict=True)
    ]
    first, second = (drawing.shortened(drawing.group_name(name)) for name in pair.names.tolist())
    told = f"ln BLEU of {second} − ln BLEU of {first}"
    margin = 0.15 * max(max(rooms) - min(rooms), 1e-3)
    ax.axhline(0, color=drawing.GREY, linewidth=1)
    ax.set_ylim(min(rooms) - margin, max(rooms) + margin)
    ax.set_xticks(range(len(names)), names, fontsize="small")
    ax.set_ylabel(told, **drawing.label_style([told]))


def told_value(value: float) -> str:
    """Give a factor or score as text; an order without n-grams has none."""
    return "none" if math.isnan(value) else f"{value:.3f}"


def factor_names(counts: list[int], smoothed: list[float], orders_read: int) -> list[str]:
    """Give what stands under the bars of precisions: counts, and the smoothed precision where it is another."""
    names = []
    for order, p in enumerate(smoothed):
        matches, totals = counts[order], counts[orders_read + order]
        name = f"{order + 1}-grams\n{matches} of {totals}"
        names.append(name if totals == 0 or p == matches / totals else f"{name}\nsmoothed {p:.3f}")
    return names


def totals(table: pd.DataFrame) -> NDArray[np.int64]:
    """Return the sums of components; a missing row adds nothing."""
    return checked_sum(table.fillna(0).to_numpy(np.int64).T)


def one_row(table: pd.DataFrame, label: Hashable) -> NDArray[np.int64]:
    """Return the components of the row that a label stands on."""
    positions = list(positions_of(table.index, label))
    if len(positions) != 1:
        raise ValueError(f"the label {shown(label)} stands on {len(positions)} rows; expected one: df.iloc[[3]]")
    row = table.iloc[positions[0]]
    if row.isna().any():
        raise ValueError(f"row {shown(label)} is missing and has no factors")
    return row.to_numpy(np.int64)
