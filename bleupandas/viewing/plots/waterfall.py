"""Where a frame's score went, drawn: n-grams at fault, and the factors of BLEU."""

import math
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import CountOptions, count_options, short_repr
from bleupandas.comparing import (
    FactorDifference,
    PairOptions,
    check_positive_score,
    pair_options,
    read_factor_differences,
    refuse_pair_keywords,
)
from bleupandas.counting import components as counted
from bleupandas.reading import exact_sum
from bleupandas.scoring import ScoreSettings, order_shares, row_scores, score_settings
from bleupandas.viewing.html import label_positions
from bleupandas.viewing.plots.axes import (
    BLUE,
    GREY,
    ORANGE,
    PURPLE,
    check_plot_frame,
    group_name,
    label_style,
    new_axes,
    refuse_unknown,
    shortened,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SEPARATOR = "\x1f"  # between the tokens of n-grams; where a token holds it, they are listed as tuples


def waterfall(
    df: pd.DataFrame,
    label: Hashable = None,
    /,
    *,
    system: Any = None,
    id: Any = None,  # the word of the published data
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
    refuse_unknown("waterfall", scoring, "system", "id", "baseline", "on_unpaired")
    options: dict[str, Any] = {"hypothesis": hypothesis, "references": references, "errors": errors}
    options |= {"threads": threads, "components": components}
    settings = score_settings("corpus" if label is None else "score", max_order=max_order, **scoring)
    if system is not None or isinstance(hypothesis, list):
        pairing = pair_options(system=system, id=id, baseline=baseline, on_unpaired=on_unpaired)
        pair = two_systems(df, label, pairing, count_options(**options), settings)
        ax = new_axes(ax, figsize, (1.1 * (settings.max_order + 2) + 1.2, 4.0))
        draw_difference(ax, pair)
        return ax
    refuse_pair_keywords("plot.waterfall", id=id, baseline=baseline)
    table = counted(check_plot_frame(df, "waterfall"), max_order=settings.orders_read, **options)
    sums = totals(table) if label is None else one_row(table, label)
    n = settings.orders_read
    c, r, *counts = sums.tolist()
    result = row_scores([c], [r], [counts[:n]], [counts[n:]], settings)
    with np.errstate(divide="ignore"):
        shares = [float(np.log(result.brevity_penalty[0]))]
    shares += order_shares(result.precisions, [counts[n:]], settings)[0].tolist()
    names = [f"BP\n{c} to {r}\ntokens", *factor_names(counts, result.precisions[0].tolist(), n)]
    names.append(f"BLEU\n{result.score[0]:.3f}")
    ax = new_axes(ax, figsize, (1.1 * len(names) + 1.0, 4.0))
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
        draw_bar(ax, place, top, share, bottom, ORANGE)
    draw_bar(ax, len(shares), 0.0, at if score > 0 else -math.inf, bottom, BLUE)
    ax.axhline(0, color=GREY, linewidth=1)
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
    df: pd.DataFrame, label: Hashable, pairing: PairOptions, count: CountOptions, settings: ScoreSettings
) -> FactorDifference:
    """Take two systems apart; raise where there are others besides, or a score is 0."""
    if label is not None:
        raise ValueError(
            f"plot.waterfall() draws one row, {short_repr(label)}, or the difference of systems: leave the "
            "label out, or "
            "system= and the list of hypothesis columns"
        )
    [pair, *others] = read_factor_differences(df, "plot.waterfall", pairing, count, settings)
    if others:
        raise ValueError(
            f"plot.waterfall() draws the difference of two systems, and there are {len(others) + 2}: give the rows or "
            "columns of two"
        )
    for name, found in zip(pair.names.tolist(), (pair.baseline, pair.system), strict=True):
        check_positive_score(found, settings, f"system {short_repr(name)}")
    return pair


def draw_difference(ax: "Axes", pair: FactorDifference) -> None:
    """Draw what each factor adds to the baseline's ln BLEU, and the sum."""
    shares = (pair.system.logarithms - pair.baseline.logarithms).tolist()
    heights = [*shares, sum(shares)]
    starts = [0.0, *np.cumsum(shares[:-1]).tolist(), 0.0]
    rooms = [0.0, *np.cumsum(shares).tolist()]
    colours = [ORANGE if share < 0 else PURPLE for share in shares]
    for place, (height, start, colour) in enumerate(zip(heights, starts, [*colours, BLUE], strict=True)):
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
    first, second = (shortened(group_name(name)) for name in pair.names.tolist())
    told = f"ln BLEU of {second} − ln BLEU of {first}"
    margin = 0.15 * max(max(rooms) - min(rooms), 1e-3)
    ax.axhline(0, color=GREY, linewidth=1)
    ax.set_ylim(min(rooms) - margin, max(rooms) + margin)
    ax.set_xticks(range(len(names)), names, fontsize="small")
    ax.set_ylabel(told, **label_style([told]))


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
    return exact_sum(table.fillna(0).to_numpy(np.int64).T)


def one_row(table: pd.DataFrame, label: Hashable) -> NDArray[np.int64]:
    """Return the components of the row that a label stands on."""
    positions = label_positions(table.index, label)
    if len(positions) != 1:
        raise ValueError(f"the label {short_repr(label)} stands on {len(positions)} rows; expected one: df.iloc[[3]]")
    row = table.iloc[positions[0]]
    if row.isna().any():
        raise ValueError(f"row {short_repr(label)} is missing and has no factors")
    return row.to_numpy(np.int64)
