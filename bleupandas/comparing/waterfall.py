"""waterfall(): ln BLEU, or the difference of two systems, split into the factors of BLEU."""

from collections.abc import Hashable
from typing import Any

import pandas as pd

from bleupandas.common import count_options, public, short_repr
from bleupandas.comparing.factors import (
    FactorDifference,
    check_positive_score,
    factor_names,
    read_factor_differences,
    split_factors,
)
from bleupandas.comparing.pair_options import pair_options, refuse_pair_keywords
from bleupandas.counting import read_sums
from bleupandas.reading import check_frame
from bleupandas.scoring import ScoreSettings, score_settings


@public
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
) -> pd.DataFrame:
    """Split ln BLEU of a corpus into its factors, or the difference of two systems: ln BLEU_B - ln BLEU_A.

    Also a method: ``df.bleu.waterfall()``; ``df.bleu.plot.waterfall()`` draws it. All rows are one corpus, unless
    ``system=`` or a list of hypothesis columns makes several systems.

    Parameters
    ----------
    df : DataFrame
        Token columns or components columns.
    system, id, baseline, on_unpaired
        Several systems in long form, as in `compare`; only with ``system=``.
    hypothesis : label or list of labels, default "hypothesis"
        A list has the columns of several systems.
    references, max_order, errors, threads, components
        As in `components`. With ``errors="coerce"`` rows that cannot be read are left out; of several systems, a
        segment is left out for both systems of a pair.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `corpus`.

    Returns
    -------
    DataFrame
        A row for each factor. Of one corpus: factor (text, "brevity_penalty" and "precision_1" to "precision_N"), value
        (float64, the brevity penalty and the scored precisions, smoothed if there is smoothing; missing for an order
        without n-grams), contribution (float64, ln BP and w_n ln p_n). Contributions add up to ln BLEU.

        Of several systems, for every system but the baseline: baseline, system, factor, baseline_value, value, and
        contribution, the system's minus the baseline's. Contributions add up to ln BLEU of the system minus ln BLEU of
        the baseline; exp of a contribution is the factor's share in the ratio of the scores.

    Raises
    ------
    KeyError, TypeError
        As in `corpus`.
    ValueError
        As in `corpus`, if systems do not pair, and if a score is 0, which has no logarithm: the message names the
        factor that makes it 0.

    Notes
    -----
    Papineni et al. 2002, section 2.3: ln BLEU = min(1 - r / c, 0) + sum w_n ln p_n. The logarithm turns a product of
    factors into a sum, so the split is exact.

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
    pairing = pair_options(system=system, id=id, baseline=baseline, on_unpaired=on_unpaired)
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
    if system is None and not isinstance(hypothesis, list):
        refuse_pair_keywords("waterfall", id=id, baseline=baseline)
        check_frame(df, "waterfall")
        factors = split_factors(read_sums(df, "waterfall", count, settings.max_order, settings.orders_for), settings)
        check_positive_score(factors, settings, "the corpus")
        names = factor_names(settings)
        return pd.DataFrame({"factor": names, "value": factors.values, "contribution": factors.logarithms})
    pairs = read_factor_differences(df, "waterfall", pairing, count, settings)
    for pair in pairs:
        for name, factors in zip(pair.names.tolist(), (pair.baseline, pair.system), strict=True):
            check_positive_score(factors, settings, f"system {short_repr(name)}")
    return pd.concat([difference_frame(pair, settings) for pair in pairs], ignore_index=True)


def difference_frame(pair: FactorDifference, settings: ScoreSettings) -> pd.DataFrame:
    """Return a row for each factor of a difference."""
    n = 1 + settings.max_order
    data = {
        "baseline": pair.names.repeat([n, 0]).array,
        "system": pair.names.repeat([0, n]).array,
        "factor": factor_names(settings),
        "baseline_value": pair.baseline.values,
        "value": pair.system.values,
        "contribution": pair.system.logarithms - pair.baseline.logarithms,
    }
    return pd.DataFrame(data)
