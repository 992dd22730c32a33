"""plot.waterfall(): the factors of BLEU, or of the difference of two systems, as bars of ln BLEU."""

import math
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bleupandas.common import CountOptions, count_options, public_as, short_repr
from bleupandas.comparing import (
    FactorDifference,
    Factors,
    PairOptions,
    check_positive_score,
    pair_options,
    read_factor_differences,
    refuse_pair_keywords,
    split_factors,
)
from bleupandas.counting import Sums, read_sums
from bleupandas.scoring import ScoreSettings, score_settings
from bleupandas.viewing.html import label_positions
from bleupandas.viewing.plots.axes import BLUE, GREY, ORANGE, PURPLE, check_plot_frame, draw_bar, new_axes
from bleupandas.viewing.plots.labels import format_label, group_label, label_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@public_as("plot.waterfall")
def waterfall(
    df: pd.DataFrame,
    label: Hashable = None,
    /,
    *,
    system: Any = None,
    id: Any = None,  # the name in the published data
    baseline: Hashable | None = None,
    on_unpaired: str = "raise",
    ax: "Axes | None" = None,
    figsize: tuple[float, float] | None = None,
    hypothesis: Hashable | list[Any] | None = None,
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
    """Draw the factors of BLEU, or of the difference of two systems, as bars that add up.

    Also a method: ``df.bleu.plot.waterfall()``. ln BLEU is the sum ln BP + w_1 ln p_1 + ... + w_N ln p_N, and each bar
    is one of its terms. The numbers of a corpus and of two systems are those of `bleupandas.waterfall`.

    Parameters
    ----------
    df : DataFrame
        Token columns or components columns.
    label : hashable, optional
        The index label of one row, which is scored with the defaults of `score`. By default all rows are scored as a
        corpus, with the defaults of `corpus`.
    system, id, baseline, on_unpaired
        Two systems in long form, as in `compare`; only with ``system=``. For the wide form, pass a list of two columns
        as `hypothesis`.
    ax, figsize
        As in `scores`.
    hypothesis, references, max_order, errors, threads, components
        As in `score`; with two systems as in `corpus`.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `score`; with two systems as in `corpus`.

    Returns
    -------
    Axes
        One bar per factor, which starts where the previous one ends, and one bar for their sum. A factor of 0 makes the
        score 0; it is a hatched bar to the bottom. With two systems, a bar is the contribution of a factor to the
        difference from the baseline's ln BLEU.

    Raises
    ------
    ImportError
        Without matplotlib.
    KeyError, TypeError, ValueError
        As in `score`; if several rows have the label, or if its row is missing; if one of two systems has a score of 0,
        or if there are more than two systems.

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
    pairing = pair_options(system=system, id=id, baseline=baseline, on_unpaired=on_unpaired)
    count = count_options(
        hypothesis=hypothesis, references=references, errors=errors, threads=threads, components=components
    )
    settings = score_settings(
        "corpus" if label is None else "score",
        max_order=max_order,
        convention=convention,
        smoothing=smoothing,
        weights=weights,
        effective_order=effective_order,
        epsilon=epsilon,
        k=k,
        alpha=alpha,
    )
    if system is not None or isinstance(hypothesis, list):
        pair = read_pair(df, label, pairing, count, settings)
        ax = new_axes(ax, figsize, (1.1 * (settings.max_order + 2) + 1.2, 4.0))
        draw_difference(ax, pair)
        return ax
    refuse_pair_keywords("plot.waterfall", id=id, baseline=baseline)
    check_plot_frame(df, "waterfall")
    sums = read_sums(df, "plot.waterfall", count, settings.max_order, settings.orders_for)
    factors = split_factors(sums if label is None else take_row(sums, label), settings)
    ax = new_axes(ax, figsize, (1.1 * (settings.max_order + 2) + 1.0, 4.0))
    draw_factors(ax, factors)
    return ax


# ---- One score ----


def draw_factors(ax: "Axes", factors: Factors) -> None:
    """Draw the logarithms of the factors of one score, and their sum."""
    heights = factors.logarithms.tolist()
    starts = [0.0, *np.cumsum(np.where(np.isfinite(heights), heights, 0.0)).tolist()]
    bottom = 1.2 * min(starts[-1], -0.1)
    total = starts[-1] if factors.score > 0 else -math.inf
    colours = [*[ORANGE] * len(heights), BLUE]
    for place, (height, start, colour) in enumerate(zip([*heights, total], [*starts[:-1], 0.0], colours, strict=True)):
        if math.isfinite(height):
            draw_bar(ax, place, start, height, colour, f"{height:.3f}")
        else:
            draw_bar(ax, place, start, bottom - start, colour, "−∞", infinite=True)
    labels = factor_labels(factors)
    ax.axhline(0, color=GREY, linewidth=1)
    ax.set_ylim(bottom, -0.1 * bottom)
    ax.set_xticks(range(len(labels)), labels, fontsize="small")
    ax.set_ylabel("ln BLEU")


def factor_labels(factors: Factors) -> list[str]:
    """Return the labels of the bars: lengths, matches of totals, the smoothed precision if it differs, and BLEU."""
    total = factors.total
    labels = [f"BP\n{total.candidate_length[0]} vs {total.reference_length[0]}\ntokens"]
    for order, precision in enumerate(factors.values[1:].tolist(), 1):
        matches, totals = int(total.matches[order - 1, 0]), int(total.totals[order - 1, 0])
        smoothed = totals > 0 and precision != matches / totals
        labels.append(f"{order}-grams\n{matches} of {totals}" + (f"\nsmoothed {precision:.3f}" if smoothed else ""))
    return [*labels, f"BLEU\n{factors.score:.3f}"]


def take_row(sums: Sums, label: Hashable) -> Sums:
    """Return the only row with an index label; raise if there is another number of rows, or if it is missing."""
    positions = label_positions(sums.index, label)
    if len(positions) != 1:
        raise ValueError(f"{len(positions)} rows have the label {short_repr(label)}; expected one: df.iloc[[3]]")
    row = sums.take(np.array(positions))
    if row.missing[0]:
        raise ValueError(f"row {short_repr(label)} is missing and has no factors")
    return row


# ---- Two systems ----


def read_pair(
    df: pd.DataFrame, label: Hashable, pairing: PairOptions, count: CountOptions, settings: ScoreSettings
) -> FactorDifference:
    """Return the factors of two systems. Raise if there are more systems, or if a score is 0."""
    if label is not None:
        raise ValueError(
            f"plot.waterfall() draws one row, {short_repr(label)}, or the difference of two systems: leave out the "
            "label, or leave out system= and the list of hypothesis columns"
        )
    [pair, *others] = read_factor_differences(df, "plot.waterfall", pairing, count, settings)
    if others:
        raise ValueError(
            f"plot.waterfall() draws the difference of two systems, and there are {len(others) + 2}: select the rows "
            "or columns of two"
        )
    for name, factors in zip(pair.names.tolist(), (pair.baseline, pair.system), strict=True):
        check_positive_score(factors, settings, f"system {short_repr(name)}")
    return pair


def draw_difference(ax: "Axes", pair: FactorDifference) -> None:
    """Draw what each factor adds to the baseline's ln BLEU, and the sum."""
    heights = (pair.system.logarithms - pair.baseline.logarithms).tolist()
    ends = [0.0, *np.cumsum(heights).tolist()]
    colours = [*(ORANGE if height < 0 else PURPLE for height in heights), BLUE]
    bars = zip([*heights, sum(heights)], [*ends[:-1], 0.0], colours, strict=True)
    for place, (height, start, colour) in enumerate(bars):
        draw_bar(ax, place, start, height, colour, f"{height:+.3f}" if height else "0.000")
    values = [*zip(pair.baseline.values, pair.system.values, strict=True), (pair.baseline.score, pair.system.score)]
    factors = ["BP", *(f"{order}-grams" for order in range(1, len(heights))), "BLEU"]
    labels = [
        f"{factor}\n{format_factor(before)}\n→ {format_factor(after)}"
        for factor, (before, after) in zip(factors, values, strict=True)
    ]
    baseline, system = (format_label(group_label(name)) for name in pair.names.tolist())
    title = f"ln BLEU of {system} − ln BLEU of {baseline}"
    margin = 0.15 * max(max(ends) - min(ends), 1e-3)
    ax.axhline(0, color=GREY, linewidth=1)
    ax.set_ylim(min(ends) - margin, max(ends) + margin)
    ax.set_xticks(range(len(labels)), labels, fontsize="small")
    ax.set_ylabel(title, **label_style([title]))


def format_factor(value: float) -> str:
    """Return a factor or score as text; an order without n-grams has none."""
    return "none" if math.isnan(value) else f"{value:.3f}"
