"""waterfall(): ln BLEU, or the difference of two, split into the factors of BLEU."""

from collections.abc import Hashable
from typing import Any, NamedTuple, Never

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import refuse_keywords, short_repr
from bleupandas.comparing.influence import KEYWORDS, refuse_pairing
from bleupandas.comparing.systems import baseline_position, systems_of
from bleupandas.counting import TEXT
from bleupandas.reading import check_frame, exact_sum
from bleupandas.scoring import ScoreSettings, order_shares, score_settings, score_sums, sums_of


class Factors(NamedTuple):
    """BLEU of a corpus, taken apart."""

    values: NDArray[np.float64]  # (1 + N,), the brevity penalty and p_1..p_N as scored
    logarithms: NDArray[np.float64]  # (1 + N,), ln BP and w_n ln p_n; minus infinity where the score is 0 for it
    sums: NDArray[np.int64]  # (2 + 2 * orders,), by component_columns.names
    score: float


class Difference(NamedTuple):
    """Two systems, taken apart on the same segments."""

    baseline: Factors
    system: Factors
    names: pd.Index  # (2,), of the baseline and the system


def waterfall(
    df: pd.DataFrame,
    /,
    *,
    system: Any = None,
    id: Any = None,  # the word of the published data
    hypothesis: Hashable | list[Any] | None = None,
    references: Hashable | list[Any] | None = None,
    baseline: Hashable | None = None,
    max_order: int | None = None,
    convention: str = "paper",
    smoothing: str | None = None,
    weights: object = None,
    effective_order: bool | None = None,
    epsilon: float = 0.1,
    k: float = 5,
    alpha: float = 5,
    on_unpaired: str = "raise",
    errors: str = "raise",
    threads: int | None = None,
    components: bool = False,
    **unknown: Never,
) -> pd.DataFrame:
    """Split ln BLEU of a corpus into its factors, or the difference of two systems: ln BLEU_B - ln BLEU_A.

    Also a method: ``df.bleu.waterfall()``; ``df.bleu.plot.waterfall()`` draws it. All rows are one corpus, unless
    ``system=`` or a list of hypothesis columns says that there are several systems.

    Parameters
    ----------
    df : DataFrame
        Token columns or components columns.
    system, id, baseline, on_unpaired
        Several systems in long form, as in `compare`; only with ``system=``.
    hypothesis : label or list of labels, default "hypothesis"
        A list names the columns of several systems.
    references, max_order, errors, threads, components
        As in `components`. Rows that cannot be read are left out with ``errors="coerce"``, of pairs of systems both.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `corpus`.

    Returns
    -------
    DataFrame
        A row per factor. Of one corpus: factor (text, "brevity_penalty" and "precision_1" to "precision_N"), value
        (float64, the brevity penalty and the precisions as scored, smoothed if there is smoothing; missing for an order
        without n-grams), contribution (float64, ln BP and w_n ln p_n), which add up to ln BLEU.

        Of several systems, for every system but the baseline: baseline, system, factor, baseline_value, value, and
        contribution, the system's minus the baseline's, which add up to ln BLEU of the system minus ln BLEU of the
        baseline; exp of a contribution is the ratio of the scores that this factor makes.

    Raises
    ------
    KeyError, TypeError
        As in `corpus`.
    ValueError
        As in `corpus`; where systems do not pair; where a score is 0, of which there is no logarithm: the message says
        which factor makes it 0.

    Notes
    -----
    Papineni et al. 2002, section 2.3: ln BLEU = min(1 - r / c, 0) + sum w_n ln p_n. The logarithm is what makes a
    product of factors a sum of parts, exactly.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> split = df.bleu.waterfall(system="system")
    >>> split[["factor", "baseline_value", "value", "contribution"]].round(3)
                factor  baseline_value  value  contribution
    0  brevity_penalty           1.000  1.000         0.000
    1      precision_1           0.671  0.634        -0.014
    2      precision_2           0.389  0.344        -0.031
    3      precision_3           0.243  0.205        -0.043
    4      precision_4           0.157  0.126        -0.055
    >>> float(split["contribution"].sum().round(3))
    -0.143
    """
    refuse_keywords("waterfall", unknown, KEYWORDS)
    given: Any = {"convention": convention, "smoothing": smoothing, "weights": weights, "epsilon": epsilon, "k": k}
    given |= {"effective_order": effective_order, "alpha": alpha, "max_order": max_order}
    settings = score_settings("corpus", **given)
    more: Any = {"references": references, "components": components, "errors": errors, "threads": threads}
    if system is None and not isinstance(hypothesis, list):
        refuse_pairing("waterfall", id=id, baseline=baseline)
        check_frame(df, "waterfall")
        sums = sums_of(df, "waterfall", hypothesis, settings=settings, **more)
        found = factors_of(sums.values, settings)
        refuse_nought(found, settings, "the corpus")
        names = factor_names(settings)
        return pd.DataFrame({"factor": names, "value": found.values, "contribution": found.logarithms})
    form: Any = {"system": system, "id": id, "hypothesis": hypothesis, "on_unpaired": on_unpaired}
    split = differences(df, "waterfall", baseline, settings, **form, **more)
    for pair in split:
        for name, found in zip(pair.names.tolist(), pair[:2], strict=True):
            refuse_nought(found, settings, f"system {short_repr(name)}")
    return pd.concat([difference_frame(pair, settings) for pair in split], ignore_index=True)


def differences(
    df: pd.DataFrame, function: str, baseline: Hashable | None, settings: ScoreSettings, **reading: Any
) -> list[Difference]:
    """Take every system but the baseline apart, and the baseline on the same segments; `reading` as in `systems_of`."""
    systems = systems_of(df, function, settings=settings, **reading)
    first = baseline_position(systems.names, baseline, function)
    split = []
    for second in range(len(systems.names)):
        if second != first:
            there = ~(systems.missing[first] | systems.missing[second])
            parts = [factors_of(systems.values[at][:, there], settings) for at in (first, second)]
            split.append(Difference(parts[0], parts[1], systems.labels.take([first, second])))
    return split


def factors_of(values: NDArray[np.int64], settings: ScoreSettings) -> Factors:
    """Take the score of the sum of rows apart, of shape (2 + 2 * orders, n_rows)."""
    sums = exact_sum(values)
    result = score_sums(sums[:, np.newaxis], settings)
    orders = (len(sums) - 2) // 2
    with np.errstate(divide="ignore"):
        brevity = np.log(result.brevity_penalty)
    shares = order_shares(result.precisions, sums[np.newaxis, 2 + orders :], settings)[0]
    return Factors(
        np.concatenate([result.brevity_penalty, result.precisions[0]]),
        np.concatenate([brevity, shares]),
        sums,
        float(result.score[0]),
    )


def factor_names(settings: ScoreSettings) -> Any:
    """Give the names of the factors as a column."""
    orders = range(1, settings.max_order + 1)
    return pd.array(["brevity_penalty", *(f"precision_{n}" for n in orders)], dtype=TEXT)


def difference_frame(pair: Difference, settings: ScoreSettings) -> pd.DataFrame:
    """Lay a difference out as rows."""
    n = 1 + settings.max_order
    data = {
        "baseline": pair.names.take(np.zeros(n, np.int64)).array,
        "system": pair.names.take(np.ones(n, np.int64)).array,
        "factor": factor_names(settings),
        "baseline_value": pair.baseline.values,
        "value": pair.system.values,
        "contribution": pair.system.logarithms - pair.baseline.logarithms,
    }
    return pd.DataFrame(data)


def refuse_nought(found: Factors, settings: ScoreSettings, whose: str) -> None:
    """Raise ValueError where a score is 0, and say why it is."""
    if found.score > 0:
        return
    raise ValueError(f"waterfall() splits ln BLEU, and the score of {whose} is 0: {why_nought(found.sums, settings)}")


def why_nought(sums: NDArray[np.int64], settings: ScoreSettings) -> str:
    """Say why a score is 0, and what to do."""
    orders = (len(sums) - 2) // 2
    matches, totals = sums[2:].tolist(), sums[2 + orders :].tolist()
    if sums[0] == 0:
        return "there is no hypothesis token; give rows that have some"
    if matches[0] == 0:
        return f"none of {sums[0]} tokens matched; look at the input with audit()"
    weighted = [n for n in range(settings.max_order) if settings.weights[n] > 0]
    for n in weighted:
        if totals[n] == 0:
            return f"there are no {n + 1}-grams; pass a smaller max_order"
        if matches[n] == 0:
            return (
                f"none of {totals[n]} {n + 1}-grams matched; pass smoothing, such as smoothing='exp', or a smaller "
                "max_order"
            )
    return "it is too small for a number; look at the input with audit()"
