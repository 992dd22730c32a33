"""The formula of BLEU: from the sums of sentences, groups or a corpus to scores, on arrays with a row for each sum.

BLEU = BP exp(sum w_n ln p_n), Papineni et al. 2002, section 2.3. `ScoreSettings` decides on p_n, w_n and the orders.
"""

import numbers
import warnings
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bleupandas.common import DEFAULT_ORDER, public, short_repr
from bleupandas.counting import Sums
from bleupandas.scoring.settings import ScoreSettings, score_settings
from bleupandas.scoring.smoothing import AVERAGING, smoothed_precisions

Floats = NDArray[np.float64]

BLOCK = 8192  # rows


class RowScores(NamedTuple):
    """What `row_scores` returns."""

    score: Floats  # (n_rows,), 0..1; NaN only where NLTK raises
    precisions: Floats  # (n_rows, N), smoothed; NaN for an order without n-grams
    brevity_penalty: Floats  # (n_rows,)
    refused: NDArray[np.bool_]  # (n_rows,), rows on which NLTK raises: `refusal` explains why


def row_scores(
    candidate_length: ArrayLike,
    reference_length: ArrayLike,
    matches: ArrayLike,
    totals: ArrayLike,
    settings: ScoreSettings,
) -> RowScores:
    """Return the score of each row of sums.

    The score is exactly 0.0 if the p_n of a weighted order is 0, if no unigram matches (with any smoothing), and if
    c = 0. It is exactly BP if M_n = L_n > 0 for every weighted order. A weighted order without n-grams makes it 0.0,
    unless `effective_order` leaves the order out (if no order is left, the score is 0.0) or method 2 turns it into
    (0 + 1) / (0 + 1). Under "nltk" only two of these rules apply: the score is 0 if nothing matches, and
    `effective_order` works if it is requested.

    sacreBLEU stops at the first order without n-grams, and looks at all orders to see whether nothing matches. On
    counts that text can have the result is the same. Its percentage can be 100.00000000000004 where this is exactly 1.

    Parameters
    ----------
    candidate_length, reference_length : array-like of shape (n_rows,)
        c and r, in tokens.
    matches, totals : array-like of shape (n_rows, orders)
        M_n and L_n; at least ``settings.orders_read`` orders. Further orders are not read.
    settings : ScoreSettings
        From `score_settings`.

    Returns
    -------
    RowScores

    Raises
    ------
    ValueError
        If orders are missing.

    Examples
    --------
    >>> scored = row_scores([8], [8], [[7, 5, 3, 1]], [[8, 7, 6, 5]], score_settings("corpus"))
    >>> round(float(scored.score[0]), 12)
    0.5
    """
    c, r, m, t = (np.asarray(values) for values in (candidate_length, reference_length, matches, totals))
    n_rows = len(c)
    score, penalty, refused = np.empty(n_rows), np.empty(n_rows), np.empty(n_rows, dtype=bool)
    precisions = np.empty((settings.max_order, n_rows)).T
    # Block by block, so that intermediate arrays stay in the cache: several times as fast as all rows at once.
    for start in range(0, max(n_rows, 1), BLOCK):
        rows = slice(start, start + BLOCK)
        block = _block_scores(c[rows], r[rows], m[rows], t[rows], settings)
        score[rows], precisions[rows], penalty[rows], refused[rows] = block
    return RowScores(score, precisions, penalty, refused)


def _block_scores(
    c: NDArray[Any], r: NDArray[Any], matches: NDArray[Any], totals: NDArray[Any], settings: ScoreSettings
) -> RowScores:
    n, nltk = settings.max_order, settings.convention == "nltk"
    parameters = {"epsilon": settings.epsilon, "k": settings.k, "alpha": settings.alpha}
    p = smoothed_precisions(
        matches, totals, c, settings.smoothing, max_order=n, convention=settings.convention, **parameters
    ).T
    m, t = matches.T[:n], totals.T[:n]
    penalty = _brevity_penalties(c.astype(np.float64), r.astype(np.float64))
    alive = (m[0] > 0) & (c > 0)
    empty = _left_out(t, settings)
    if nltk:
        refused = np.isnan(p).any(axis=0) & alive
        p[:, ~alive] = 0.0
    else:
        refused = np.zeros(len(c), dtype=bool)
        p *= alive
        if settings.smoothing in ("method5", "method6", "method7"):
            # Over several segments, or with weights of 0, these three fall short of 1 though nothing is missing.
            counted = ~empty & (np.array(settings.weights) > 0)[:, np.newaxis]
            p[counted & (t > 0) & ((m == t) | ~counted).all(axis=0)] = 1.0
    logarithm, judged = _weighted_logarithms(p, empty, settings)
    score = penalty * np.exp(logarithm) * (alive & judged)
    score[refused] = np.nan
    return RowScores(score, p.T, penalty, refused)


def _left_out(t: NDArray[Any], settings: ScoreSettings) -> NDArray[np.bool_]:
    """Return which orders to leave out because they have no n-grams, (N, n_rows)."""
    empty: NDArray[np.bool_] = np.zeros(t.shape, dtype=bool)
    if settings.effective_order and (settings.convention == "nltk" or settings.smoothing != "method2"):
        empty = t == 0
    return empty


def _factors(p: Floats, empty: NDArray[np.bool_], settings: ScoreSettings) -> Floats:
    """Return the arguments of the logarithms, (N, n_rows): 1 for an order that is left out, 0 for 0/0."""
    if settings.convention == "nltk":  # NLTK skips what is still 0 after smoothing
        return np.where(empty | (p == 0), 1.0, p)
    return np.fmax(p, empty)


def _weighted_logarithms(
    p: Floats, empty: NDArray[np.bool_], settings: ScoreSettings
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return sum w_n ln p_n over the orders that are not left out, and whether there is one, (n_rows,) each.

    The weights of those orders are scaled up to the sum of all. A NaN is 0/0, except in NLTK's refused rows.
    """
    factors = _factors(p, empty, settings)
    total, kept = np.zeros(p.shape[1]), np.zeros(p.shape[1])
    # ln 0 is minus infinity here, and so is what a very large weight makes of a logarithm.
    with np.errstate(divide="ignore", over="ignore"):
        # Order by order, not as a matrix product: a row's sum must not depend on its position in the array.
        for order, weight in enumerate(settings.weights):
            if weight > 0:
                total += weight * np.log(factors[order])
                kept += weight * ~empty[order]
        if settings.effective_order:
            whole = np.add.accumulate(settings.weights)[-1]
            total *= whole / (kept + (kept == 0))
    return total, kept > 0


def order_shares(precisions: Floats, totals: ArrayLike, settings: ScoreSettings) -> Floats:
    """Return w_n ln p_n of each order: with ln BP they add up to ln BLEU if the score is above 0.

    Parameters
    ----------
    precisions : ndarray of shape (n_rows, N)
        The smoothed precisions of `row_scores`.
    totals : array-like of shape (n_rows, orders)
        L_n, at least N orders.
    settings : ScoreSettings
        The same as for `row_scores`.

    Returns
    -------
    ndarray of shape (n_rows, N), float64
        0 for an order that is left out, minus infinity for one without a match.

    Examples
    --------
    >>> settings = score_settings("corpus", max_order=2)
    >>> scored = row_scores([8], [8], [[4, 2]], [[8, 7]], settings)
    >>> order_shares(scored.precisions, [[8, 7]], settings).round(4).tolist()
    [[-0.3466, -0.6264]]
    """
    p = precisions.T
    empty = _left_out(np.asarray(totals).T[: settings.max_order], settings)
    weights = np.array(settings.weights)[:, np.newaxis]
    with np.errstate(divide="ignore", over="ignore"):
        logarithms = np.log(np.where(weights > 0, _factors(p, empty, settings), 1.0))
        if settings.effective_order:
            kept = (weights * ~empty).sum(axis=0)
            weights = weights * (weights.sum() / (kept + (kept == 0)))
        return (weights * logarithms).T


def refusal(settings: ScoreSettings) -> str:
    """Explain why NLTK raises on the rows that `row_scores` flags as refused.

    Examples
    --------
    >>> refusal(score_settings("score", convention="nltk", smoothing="method6"))
    "NLTK's method6 raises where no trigram matches"
    """
    if settings.max_order < 3:
        return "NLTK's method6 raises with fewer than 3 orders"
    zero_division = ", and with alpha=0 where an order has no n-grams" if settings.alpha == 0 else ""
    return f"NLTK's method6 raises where no trigram matches{zero_division}"


@overload
def brevity_penalty(candidate_length: float, reference_length: float) -> float: ...
@overload
def brevity_penalty(candidate_length: ArrayLike, reference_length: ArrayLike) -> float | Floats: ...
def brevity_penalty(candidate_length: ArrayLike, reference_length: ArrayLike) -> float | Floats:
    """Return BLEU's brevity penalty: 1 if c > r, else exp(1 - r / c) (Papineni et al. 2002, section 2.3).

    Parameters
    ----------
    candidate_length, reference_length : int or array-like
        c and r, in tokens; shapes that broadcast.

    Returns
    -------
    float, or ndarray of float64
        0 if c = 0 < r, 1 if both are 0, NaN if a length is NaN.

    Raises
    ------
    TypeError
        If a length is not a number.
    ValueError
        If a length is negative, or the shapes do not broadcast.

    Examples
    --------
    >>> round(brevity_penalty(12, 28), 4)
    0.2636
    >>> brevity_penalty([5, 0, 0], [5, 3, 0]).tolist()
    [1.0, 0.0, 1.0]
    """
    lengths = []
    for name, value in (("candidate_length", candidate_length), ("reference_length", reference_length)):
        try:
            given = np.asarray(value)
            length = given.astype(np.float64)
        except (TypeError, ValueError):
            given = length = np.empty(0, dtype=bool)
        if value is None or given.dtype.kind not in "iufO":  # NumPy makes numbers of None, "12" and True
            raise TypeError(f"{name} is a number or an array of numbers, not {short_repr(value)}")
        if (length < 0).any():
            raise ValueError(f"{name} is at least 0, not {short_repr(float(length[length < 0][0]))}")
        lengths.append(length)
    try:
        c, r = np.broadcast_arrays(*lengths)
    except ValueError:
        shapes = " and ".join(str(length.shape) for length in lengths)
        raise ValueError(f"candidate_length and reference_length have shapes that do not fit: {shapes}") from None
    penalties = _brevity_penalties(c, r)
    return penalties if penalties.ndim else float(penalties)


def _brevity_penalties(c: Floats, r: Floats) -> Floats:
    ratio = np.divide(r, c, out=np.where(r > 0, np.inf, 1.0), where=c > 0)
    ratio[np.isnan(c) | np.isnan(r)] = np.nan
    return np.exp(1.0 - np.maximum(ratio, 1.0))


@public
def bleu_from_components(
    candidate_length: int,
    reference_length: int,
    matches: ArrayLike,
    totals: ArrayLike,
    *,
    max_order: int | None = None,
    ngrams: object = None,
    weights: object = None,
    smoothing: str | None = None,
    effective_order: bool | None = None,
    epsilon: float = 0.1,
    k: float = 5,
    alpha: float = 5,
    convention: str = "paper",
) -> float:
    """Return BLEU of plain numbers: the components of a sentence, or sums of them.

    The output of the published tool ``bleu-sentence-components`` fits as keywords: ``bleu_from_components(**output)``.
    Without `smoothing` this is BLEU as defined by Papineni et al. 2002: 0.0 if an order has no match.

    Parameters
    ----------
    candidate_length, reference_length : int
        c and r, in tokens.
    matches, totals : sequence of int
        Clipped matches and n-grams of order 1, 2, ...
    max_order : int, optional
        N. By default the number of weights, otherwise 4, or fewer if there are fewer orders. Methods 5 and 7 read one
        more.
    ngrams : object
        Ignored: the tool's table of n-grams.
    weights, smoothing, effective_order, epsilon, k, alpha, convention
        As in `score_settings`, with the defaults of sums.

    Returns
    -------
    float
        From 0 to 1. Under convention "nltk" NaN with a warning where NLTK raises.

    Raises
    ------
    TypeError, ValueError
        For an unknown keyword, a number that is not a count, or counts that contradict each other.

    Examples
    --------
    >>> output = {"candidate_length": 8, "reference_length": 8, "matches": [7, 5, 3, 1], "totals": [8, 7, 6, 5]}
    >>> round(bleu_from_components(**output, max_order=4), 12)
    0.5
    """
    c = _count("candidate_length", candidate_length)
    r = _count("reference_length", reference_length)
    m, t = _matches_and_totals(matches, totals)
    if max_order is None and weights is None:
        max_order = max(min(DEFAULT_ORDER, len(m) - (str(smoothing) in AVERAGING)), 1)
    settings = score_settings(
        "components",
        convention=convention,
        max_order=max_order,
        weights=weights,
        smoothing=smoothing,
        effective_order=effective_order,
        epsilon=epsilon,
        k=k,
        alpha=alpha,
    )
    n, read = settings.max_order, settings.orders_read
    if len(m) < read:
        ways = f"count with max_order={read}" + (f" and give max_order={n} here" if read > n else "")
        raise ValueError(
            f"{settings.smoothing} with max_order={n} reads {read} orders, and matches has {len(m)}: {ways}"
        )
    scored = row_scores([c], [r], [m], [t], settings)
    if scored.refused[0]:
        warnings.warn(f"the score is NaN: {refusal(settings)}", RuntimeWarning, stacklevel=2)
    return float(scored.score[0])


def _matches_and_totals(matches: object, totals: object) -> tuple[list[int], list[int]]:
    """Return the checked counts of order 1, 2, ..."""
    m, t = _counts("matches", matches), _counts("totals", totals)
    if len(m) != len(t):
        raise ValueError(f"matches has {len(m)} numbers and totals has {len(t)}; expected one of each for every order")
    for position, (matched, total) in enumerate(zip(m, t, strict=True)):
        if matched > total:
            raise ValueError(
                f"matches[{position}] is {matched} and totals[{position}] is {total}: "
                f"no more n-grams of order {position + 1} can match than there are"
            )
    return m, t


def _counts(name: str, values: object) -> list[int]:
    items = values.tolist() if hasattr(values, "tolist") else values
    if not isinstance(items, list | tuple):
        raise TypeError(f"{name} is a list of whole numbers, one for each order, not {short_repr(values)}")
    if not items:
        raise ValueError(f"{name} is empty: one whole number is expected for each order, from order 1")
    return [_count(f"{name}[{position}]", item) for position, item in enumerate(items)]


def _count(name: str, value: object) -> int:
    """Return a checked count; whole-number floats are counts too, because sums in frames are often floats."""
    expected = f"{name} is a whole number from 0 to 2**63 - 1, not {short_repr(value)}"
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise TypeError(expected)
    number = int(value) if isinstance(value, numbers.Integral) else float(value)
    # Written so that NaN and infinity, which have no int, fail at the first comparison.
    if not 0 <= number < 2**63 or number != int(number):
        raise ValueError(expected)
    return int(number)


def score_sums(sums: Sums, settings: ScoreSettings) -> RowScores:
    """Score each row of sums."""
    return row_scores(sums.candidate_length, sums.reference_length, sums.matches.T, sums.totals.T, settings)


def raw_precisions(matches: NDArray[Any], totals: NDArray[Any]) -> NDArray[np.float64]:
    """Return matches / totals, NaN for 0/0."""
    precisions: NDArray[np.float64] = np.full(matches.shape, np.nan)
    np.divide(matches, totals, out=precisions, where=totals > 0)
    return precisions
