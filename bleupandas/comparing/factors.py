"""The factors of BLEU: brevity penalty and precisions of a corpus, and of two systems."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import CountOptions
from bleupandas.comparing.pair_options import PairOptions
from bleupandas.comparing.systems import baseline_position, read_systems
from bleupandas.counting import TEXT, Sums
from bleupandas.scoring import ScoreSettings, order_shares, score_sums


class Factors(NamedTuple):
    """The factors of BLEU of a corpus."""

    values: NDArray[np.float64]  # (1 + N,), the brevity penalty and the scored precisions
    logarithms: NDArray[np.float64]  # (1 + N,), ln BP and w_n ln p_n; minus infinity for a factor that makes BLEU 0
    total: Sums  # one row
    score: float


class FactorDifference(NamedTuple):
    """The factors of two systems on the same segments."""

    baseline: Factors
    system: Factors
    names: pd.Index  # (2,), of the baseline and the system


def split_factors(sums: Sums, settings: ScoreSettings) -> Factors:
    """Split the score of the sum of all rows into its factors."""
    total = sums.sum()
    result = score_sums(total, settings)
    with np.errstate(divide="ignore"):
        brevity = np.log(result.brevity_penalty)
    shares = order_shares(result.precisions, total.totals.T, settings)[0]
    return Factors(
        np.concatenate([result.brevity_penalty, result.precisions[0]]),
        np.concatenate([brevity, shares]),
        total,
        float(result.score[0]),
    )


def read_factor_differences(
    df: pd.DataFrame, function: str, pairing: PairOptions, count: CountOptions, settings: ScoreSettings
) -> list[FactorDifference]:
    """Return the factors of every system but the baseline, and those of the baseline on the same segments."""
    systems = read_systems(df, function, pairing, count, settings)
    first = baseline_position(systems.names, pairing.baseline, function)
    pairs = []
    for second in range(len(systems.names)):
        if second != first:
            readable = np.flatnonzero(~systems.missing(first, second))
            factors = [split_factors(systems.sums[at].take(readable), settings) for at in (first, second)]
            pairs.append(FactorDifference(factors[0], factors[1], systems.labels.take([first, second])))
    return pairs


def factor_names(settings: ScoreSettings) -> Any:
    """Return the names of the factors as a text column."""
    orders = range(1, settings.max_order + 1)
    return pd.array(["brevity_penalty", *(f"precision_{n}" for n in orders)], dtype=TEXT)


def check_positive_score(factors: Factors, settings: ScoreSettings, whose: str) -> None:
    """Raise ValueError if a score is 0; the message says why it is."""
    if factors.score > 0:
        return
    reason = explain_zero(factors.total, settings)
    raise ValueError(f"waterfall() splits ln BLEU, and the score of {whose} is 0: {reason}")


def explain_zero(total: Sums, settings: ScoreSettings) -> str:
    """Return why a score is 0, and what to do."""
    matches, totals = total.matches[:, 0].tolist(), total.totals[:, 0].tolist()
    tokens = int(total.candidate_length[0])
    if tokens == 0:
        return "there is no hypothesis token; pass rows with tokens"
    if matches[0] == 0:
        return f"none of {tokens} tokens matched; look at the input with audit()"
    for n in range(settings.max_order):
        if settings.weights[n] > 0 and totals[n] == 0:
            return f"there are no {n + 1}-grams; pass a smaller max_order"
        if settings.weights[n] > 0 and matches[n] == 0:
            return (
                f"none of {totals[n]} {n + 1}-grams matched; pass smoothing, such as smoothing='exp', or a smaller "
                "max_order"
            )
    return "it is too small for a number; look at the input with audit()"
