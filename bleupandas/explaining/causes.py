"""Which causes a score has."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bleupandas.scoring import RowScores, ScoreSettings, Sums, order_shares, score_sums

CAUSES = (
    *("not scored", "empty hypothesis", "empty reference", "no match", "perfect", "brevity", "too short to judge"),
    *("word order", "extra words", "word choice"),
)


class Diagnosis(NamedTuple):
    """What is known of each row; arrays by order have shape (N, n_rows)."""

    settings: ScoreSettings
    lengths: NDArray[np.int64]  # (2, n_rows), c and r
    matches: NDArray[np.int64]
    totals: NDArray[np.int64]
    scored: NDArray[np.bool_]
    missing: NDArray[np.bool_]
    result: RowScores  # its score is NaN where there is none
    share_brevity: NDArray[np.float64]
    shares: NDArray[np.float64]
    zero_order: NDArray[np.int64]  # the order that makes the score 0; 0 for none
    cause: NDArray[np.int64]  # index into CAUSES


# ---- Numbers ----


def diagnose(source: Sums, settings: ScoreSettings) -> Diagnosis:
    """Score rows, take their scores apart and find each one's main cause."""
    n, orders, values = settings.max_order, source.orders, source.values
    matches, totals = values[2 : 2 + n], values[2 + orders : 2 + orders + n]
    result = score_sums(values, settings)
    counted = ~source.missing & ((source.segments > 0) | ~np.bool_(source.known_segments))
    result = result._replace(score=np.where(counted, result.score, np.nan))
    share_brevity, shares = order_losses(result, totals, settings)
    positive = result.score > 0
    weighted = np.array(settings.weights)[:, np.newaxis] > 0
    zero = weighted & ~(result.precisions.T > 0) & (shares == -np.inf)
    zero |= weighted & ((totals == 0) | ~weighted).all(axis=0)  # every order is left out
    zero[0] |= matches[0] == 0
    zero_order = np.where((result.score == 0) & zero.any(axis=0), zero.argmax(axis=0) + 1, 0)
    diagnosis = Diagnosis(
        settings, values[:2], matches, totals, ~np.isnan(result.score), source.missing, result,
        np.where(positive, share_brevity, np.nan), np.where(positive, shares, np.nan), zero_order, zero_order,
    )  # fmt: skip
    short = is_short(values, diagnosis, share_brevity, shares)
    return diagnosis._replace(cause=find_causes(diagnosis, short, weighted))


def order_losses(
    result: RowScores, totals: NDArray[np.int64], settings: ScoreSettings
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give ln BP, (n_rows,), and w_n ln p_n, (N, n_rows)."""
    with np.errstate(divide="ignore"):
        return np.log(result.brevity_penalty), order_shares(result.precisions, totals.T, settings).T


def is_short(
    values: NDArray[np.int64], d: Diagnosis, share_brevity: NDArray[np.float64], shares: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Tell the rows in which the brevity penalty takes at least as much as all precisions."""
    others = shares.sum(axis=0)
    rows = np.flatnonzero((d.result.score == 0) & (d.matches[0] > 0))
    floor = replace(d.settings, smoothing="method1", effective_order=True, epsilon=0.1, convention="paper")
    others[rows] = order_losses(score_sums(values[:, rows], floor), d.totals[:, rows], floor)[1].sum(axis=0)
    short: NDArray[np.bool_] = (share_brevity < 0) & (share_brevity <= others)
    return short


def find_causes(d: Diagnosis, short: NDArray[np.bool_], weighted: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Give the first of the rules that applies, as index into CAUSES."""
    (c, r), m, t = d.lengths, d.matches, d.totals
    last = int(np.flatnonzero(weighted)[-1])
    unmatched = t[0] - m[0]
    broken = t[1] - m[1] if len(t) > 1 else np.zeros_like(c)
    rules = [
        ~d.scored,
        c == 0,
        (r == 0) & (m[0] == 0),
        m[0] == 0,
        (d.result.score >= 1) & (d.result.brevity_penalty == 1) & ((m == t) | ~weighted).all(axis=0),
        short,
        t[last] == 0,
        (unmatched == 0) | (broken > 4 * unmatched),
        3 * (c - r) > 2 * unmatched,
    ]
    return np.select(rules, list(range(len(rules))), len(rules)).astype(np.int64)
