"""plot.waterfall(): the factors of BLEU, or of the difference of two systems, as bars of ln BLEU."""

import math
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Never

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import COUNT_KEYWORDS, SCORE_KEYWORDS, refuse_keywords, short_repr
from bleupandas.comparing import Difference, differences, refuse_nought, refuse_pairing
from bleupandas.counting import components as count_components
from bleupandas.reading import checked_sum
from bleupandas.scoring import ScoreSettings, order_shares, row_scores, score_settings
from bleupandas.viewing.html import label_positions
from bleupandas.viewing.plots.axes import BLUE, GREY, ORANGE, PURPLE, check_plot_frame, draw_bar, new_axes
from bleupandas.viewing.plots.labels import format_label, group_label, label_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KEYWORDS = ("system", "id", "baseline", "on_unpaired", "ax", "figsize", *COUNT_KEYWORDS, *SCORE_KEYWORDS)


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
    **unknown: Never,
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
    refuse_keywords("plot.waterfall", unknown, KEYWORDS)
    counting: Any = {"hypothesis": hypothesis, "references": references, "errors": errors}
    counting |= {"threads": threads, "components": components}
    scoring: Any = {"convention": convention, "smoothing": smoothing, "weights": weights, "epsilon": epsilon, "k": k}
    scoring |= {"effective_order": effective_order, "alpha": alpha, "max_order": max_order}
    settings = score_settings("corpus" if label is None else "score", **scoring)
    if system is not None or isinstance(hypothesis, list):
        pairing: Any = {"system": system, "id": id, "on_unpaired": on_unpaired}
        pair = two_systems(df, label, baseline, settings, {**counting, **pairing})
        ax = new_axes(ax, figsize, (1.1 * (settings.max_order + 2) + 1.2, 4.0))
        draw_difference(ax, pair)
        return ax
    refuse_pairing("plot.waterfall", id=id, baseline=baseline)
    table = count_components(check_plot_frame(df, "waterfall"), max_order=settings.orders_read, **counting)
    ax = new_axes(ax, figsize, (1.1 * (settings.max_order + 2) + 1.0, 4.0))
    draw_factors(ax, corpus_sums(table) if label is None else row_sums(table, label), settings)
    return ax


# ---- One score ----


def draw_factors(ax: "Axes", sums: NDArray[np.int64], settings: ScoreSettings) -> None:
    """Draw the logarithms of the factors of one score, and their sum."""
    n = settings.orders_read
    c, r, *counts = sums.tolist()
    result = row_scores([c], [r], [counts[:n]], [counts[n:]], settings)
    with np.errstate(divide="ignore"):
        heights = [float(np.log(result.brevity_penalty[0]))]
    heights += order_shares(result.precisions, [counts[n:]], settings)[0].tolist()
    score = float(result.score[0])
    labels = [f"BP\n{c} vs {r}\ntokens", *precision_labels(counts, result.precisions[0].tolist(), n)]
    labels.append(f"BLEU\n{score:.3f}")
    starts = [0.0, *np.cumsum([height if math.isfinite(height) else 0.0 for height in heights]).tolist()]
    bottom = 1.2 * min(starts[-1], -0.1)
    total = starts[-1] if score > 0 else -math.inf
    colours = [*[ORANGE] * len(heights), BLUE]
    bars = zip([*heights, total], [*starts[:-1], 0.0], colours, strict=True)
    for place, (height, start, colour) in enumerate(bars):
        if math.isfinite(height):
            draw_bar(ax, place, start, height, colour, f"{height:.3f}")
        else:
            draw_bar(ax, place, start, bottom - start, colour, "−∞", infinite=True)
    ax.axhline(0, color=GREY, linewidth=1)
    ax.set_ylim(bottom, -0.1 * bottom)
    ax.set_xticks(range(len(labels)), labels, fontsize="small")
    ax.set_ylabel("ln BLEU")


def precision_labels(counts: list[int], precisions: list[float], orders: int) -> list[str]:
    """Return the labels of the precisions: matches and totals, and the smoothed precision if it differs."""
    labels = []
    for order, precision in enumerate(precisions):
        matches, totals = counts[order], counts[orders + order]
        label = f"{order + 1}-grams\n{matches} of {totals}"
        smoothed = totals > 0 and precision != matches / totals
        labels.append(f"{label}\nsmoothed {precision:.3f}" if smoothed else label)
    return labels


def corpus_sums(table: pd.DataFrame) -> NDArray[np.int64]:
    """Return the sums of components; a missing row adds nothing."""
    return checked_sum(table.fillna(0).to_numpy(np.int64).T)


def row_sums(table: pd.DataFrame, label: Hashable) -> NDArray[np.int64]:
    """Return the components of the only row with an index label."""
    positions = label_positions(table.index, label)
    if len(positions) != 1:
        raise ValueError(f"{len(positions)} rows have the label {short_repr(label)}; expected one: df.iloc[[3]]")
    row = table.iloc[positions[0]]
    if row.isna().any():
        raise ValueError(f"row {short_repr(label)} is missing and has no factors")
    return row.to_numpy(np.int64)


# ---- Two systems ----


def two_systems(
    df: pd.DataFrame, label: Hashable, baseline: Hashable | None, settings: ScoreSettings, reading: dict[str, Any]
) -> Difference:
    """Return the factors of two systems. Raise if there are more systems, or if a score is 0."""
    if label is not None:
        raise ValueError(
            f"plot.waterfall() draws one row, {short_repr(label)}, or the difference of two systems: leave out the "
            "label, or leave out system= and the list of hypothesis columns"
        )
    [pair, *others] = differences(df, "plot.waterfall", baseline, settings, **reading)
    if others:
        raise ValueError(
            f"plot.waterfall() draws the difference of two systems, and there are {len(others) + 2}: select the rows "
            "or columns of two"
        )
    for name, factors in zip(pair.names.tolist(), pair[:2], strict=True):
        refuse_nought(factors, settings, f"system {short_repr(name)}")
    return pair


def draw_difference(ax: "Axes", pair: Difference) -> None:
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
