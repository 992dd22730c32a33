"""The main cause of a score: the numbers of each row, and the rules that choose a cause from them."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bleupandas.counting import Sums
from bleupandas.scoring import RowScores, ScoreSettings, order_shares, score_sums

CAUSES = (
    *("not scored", "empty hypothesis", "empty reference", "no match", "perfect", "brevity", "too short to judge"),
    *("word order", "extra words", "word choice"),
)


class Diagnosis(NamedTuple):
    """The numbers behind the score of each row. Arrays by order have shape (N, n_rows)."""

    settings: ScoreSettings
    candidate_length: NDArray[np.int64]
    reference_length: NDArray[np.int64]
    matches: NDArray[np.int64]
    totals: NDArray[np.int64]
    missing: NDArray[np.bool_]
    result: RowScores  # the score is NaN where there is none
    share_brevity: NDArray[np.float64]  # NaN where the score is 0, as are the shares of orders
    shares: NDArray[np.float64]
    zero_order: NDArray[np.int64]  # the order that makes the score 0; 0 for none
    cause: NDArray[np.int64]  # index into CAUSES


def diagnose(sums: Sums, settings: ScoreSettings) -> Diagnosis:
    """Score rows, split their scores into shares and find the main cause of each."""
    matches, totals = sums.matches[: settings.max_order], sums.totals[: settings.max_order]
    result = score_sums(sums, settings)
    has_segments = ~sums.missing & ((sums.segments > 0) | ~np.bool_(sums.segments_known))
    result = result._replace(score=np.where(has_segments, result.score, np.nan))
    with np.errstate(divide="ignore"):
        share_brevity = np.log(result.brevity_penalty)
    shares = order_shares(result.precisions, totals.T, settings).T
    is_short = find_short_rows(sums, settings, result, share_brevity, shares)
    is_positive = result.score > 0
    return Diagnosis(
        settings=settings,
        candidate_length=sums.candidate_length,
        reference_length=sums.reference_length,
        matches=matches,
        totals=totals,
        missing=sums.missing,
        result=result,
        share_brevity=np.where(is_positive, share_brevity, np.nan),
        shares=np.where(is_positive, shares, np.nan),
        zero_order=find_zero_orders(matches, totals, settings, result, shares),
        cause=find_causes(sums, settings, result, is_short),
    )


def mark_weighted(settings: ScoreSettings) -> NDArray[np.bool_]:
    """Return which orders have a weight above 0, (N, 1)."""
    return np.array(settings.weights)[:, np.newaxis] > 0


def find_zero_orders(
    matches: NDArray[np.int64],
    totals: NDArray[np.int64],
    settings: ScoreSettings,
    result: RowScores,
    shares: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Return the first order that makes the score of each row 0, from 1, or 0 if there is none; (n_rows,)."""
    weighted = mark_weighted(settings)
    is_zero = weighted & ~(result.precisions.T > 0) & (shares == -np.inf)
    is_zero |= weighted & ((totals == 0) | ~weighted).all(axis=0)  # every order is left out
    is_zero[0] |= matches[0] == 0
    return np.where((result.score == 0) & is_zero.any(axis=0), is_zero.argmax(axis=0) + 1, 0)


def find_short_rows(
    sums: Sums,
    settings: ScoreSettings,
    result: RowScores,
    share_brevity: NDArray[np.float64],
    shares: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Return a mask of rows in which the brevity penalty takes at least as much as all precisions together.

    If the score is 0, the shares of the precisions are those under smoothing "floor" (0.1) with effective_order.
    """
    all_orders = shares.sum(axis=0)
    zeros = np.flatnonzero((result.score == 0) & (sums.matches[0] > 0))
    floor = replace(settings, smoothing="method1", effective_order=True, epsilon=0.1, convention="paper")
    rows = sums.take(zeros)
    totals = rows.totals[: settings.max_order]
    all_orders[zeros] = order_shares(score_sums(rows, floor).precisions, totals.T, floor).T.sum(axis=0)
    is_short: NDArray[np.bool_] = (share_brevity < 0) & (share_brevity <= all_orders)
    return is_short


def find_causes(
    sums: Sums, settings: ScoreSettings, result: RowScores, is_short: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return the first cause whose rule applies to each row, as an index into CAUSES, (n_rows,)."""
    c, r = sums.candidate_length, sums.reference_length
    matches, totals = sums.matches[: settings.max_order], sums.totals[: settings.max_order]
    weighted = mark_weighted(settings)
    longest = int(np.flatnonzero(weighted)[-1])
    unmatched_tokens = totals[0] - matches[0]
    unmatched_pairs = totals[1] - matches[1] if len(totals) > 1 else np.zeros_like(c)
    all_match = ((matches == totals) | ~weighted).all(axis=0)
    rules = {
        "not scored": np.isnan(result.score),
        "empty hypothesis": c == 0,
        "empty reference": (r == 0) & (matches[0] == 0),
        "no match": matches[0] == 0,
        "perfect": (result.score >= 1) & (result.brevity_penalty == 1) & all_match,
        "brevity": is_short,
        "too short to judge": totals[longest] == 0,
        # An unmatched token breaks at most two 2-grams.
        "word order": (unmatched_tokens == 0) | (unmatched_pairs > 4 * unmatched_tokens),
        "extra words": 3 * (c - r) > 2 * unmatched_tokens,
    }
    indexes = [CAUSES.index(cause) for cause in rules]
    return np.select(list(rules.values()), indexes, CAUSES.index("word choice")).astype(np.int64)
