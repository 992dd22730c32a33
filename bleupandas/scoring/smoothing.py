"""Chen and Cherry's smoothing of BLEU's n-gram precisions, on arrays with one row per segment or group.

There are two sets of formulas. The ``"paper"`` formulas are those of Chen and Cherry 2014, "A Systematic Comparison of
Smoothing Techniques for Sentence-Level BLEU", section 3. Methods 0 to 3 are sacreBLEU's none, floor, add-k and exp. The
``"nltk"`` formulas are what NLTK 3.10 computes under the same names, its deviations included.

Inside this module arrays have shape (orders, n_rows), so that each order is contiguous.
"""

import sys
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bleupandas.common import refuse_choice

Floats = NDArray[np.float64]

ALIASES = {"none": "method0", "floor": "method1", "add-k": "method2", "exp": "method3"}
METHODS = tuple(f"method{number}" for number in range(8))
AVERAGING = ("method5", "method7")
NLTK_EXTRA_ORDER = 5  # NLTK's method 5 takes the 5-grams for "order N + 1", however many orders are weighted


class _Counts(NamedTuple):
    matches: Floats  # (orders, n_rows)
    totals: Floats  # (orders, n_rows)
    length: Floats  # (n_rows,), the candidate length
    orders: int  # N, the orders to return; the arrays may hold more
    epsilon: float
    k: float
    alpha: float


def method_name(smoothing: object) -> str:
    """Return the name "method0" to "method7" of a smoothing.

    Parameters
    ----------
    smoothing : str
        One of "method0" to "method7", or an alias: "none" is method0, "floor" method1, "add-k" method2, "exp" method3.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there is no such smoothing.

    Examples
    --------
    >>> method_name("exp")
    'method3'
    """
    if isinstance(smoothing, str) and (name := ALIASES.get(smoothing, smoothing)) in METHODS:
        return name
    refuse_choice("smoothing", smoothing, [*ALIASES, *METHODS])


def orders_read(method: str, max_order: int, convention: str = "paper") -> int:
    """Return how many orders have to be counted so that `method` can smooth `max_order` of them.

    Parameters
    ----------
    method : str
        A smoothing, as in `method_name`.
    max_order : int
        N, the number of orders in the score.
    convention : {"paper", "sacrebleu", "nltk"}
        Which formulas.

    Returns
    -------
    int
        N. For methods 5 and 7 N + 1, or at least 5 under "nltk", which always reads the fifth order.

    Examples
    --------
    >>> orders_read("method3", 4), orders_read("method5", 4), orders_read("method5", 2, "nltk")
    (4, 5, 5)
    """
    if method_name(method) not in AVERAGING:
        return max_order
    return max(max_order, NLTK_EXTRA_ORDER) if convention == "nltk" else max_order + 1


def smoothed_precisions(
    matches: ArrayLike,
    totals: ArrayLike,
    candidate_length: ArrayLike,
    method: str,
    *,
    max_order: int | None = None,
    epsilon: float = 0.1,
    k: float = 5,
    alpha: float = 5,
    convention: Literal["paper", "sacrebleu", "nltk"] = "paper",
) -> Floats:
    """Return the smoothed precisions p_n of each row.

    With M_n = matches, L_n = totals and c = candidate_length of a row:

    ======= =============================================================================================
    method  p_n under "paper" and "sacrebleu"
    ======= =============================================================================================
    method0 M_n / L_n
    method1 epsilon / L_n where M_n = 0 ("floor")
    method2 (M_n + 1) / (L_n + 1) for n >= 2 ("add-k" with 1), also where L_n = 0
    method3 1/2, 1/4, ... of a count for the first, second, ... order without a match ("exp", NIST)
    method4 ln(c) / k, (ln(c) / k)^2, ... of a count for the first, second, ... order without a match
    method5 m'_n / L_n, m'_n = (m'_(n-1) + M_n + M_(n+1)) / 3, m'_0 = M_1 + 1
    method6 (M_n + alpha q_n) / (L_n + alpha) for n >= 3, q_n = p_(n-1)^2 / p_(n-2)
    method7 method5 on the counts of method4; the count of order N + 1 is not smoothed first
    ======= =============================================================================================

    The formulas work on the sums of a sentence or of a corpus, so no result depends on the order of rows. Methods 4 to
    7 were made for sentences. Their smoothed p_n is capped at 1: beyond 148 tokens method 4 counts an unmatched order
    as more than a whole match, and over several segments methods 5 to 7 can exceed 1. For c = 1 method 4 adds nothing,
    because ln(1) is 0. If p_(n-2) is 0, the prior q_n is 0.

    Under "nltk" the result is what NLTK 3.10's ``sentence_bleu`` takes the logarithm of. Totals are at least 1. A zero
    is `sys.float_info.min` in method 0. Method 4 has ln(c) / (2^i k) where the paper has powers. Methods 5 and 7
    average precisions instead of counts, and use the precision of the 5-grams after the last. Nothing is capped. Where
    NLTK raises (method 6 without a matching trigram, or with fewer than three orders) the whole row is NaN.

    Parameters
    ----------
    matches, totals : array-like of shape (n_rows, orders)
        Clipped matches and n-grams of each order, from order 1. At least `orders_read` orders; N are enough for totals,
        except under "nltk". Further orders are not read.
    candidate_length : array-like of shape (n_rows,)
        Tokens of the hypothesis or hypotheses.
    method : str
        "method0" to "method7", or "none", "floor", "add-k", "exp".
    max_order : int, optional
        N. By default the number of orders in `matches`, for methods 5 and 7 one less.
    epsilon, k, alpha : float
        Parameters of method 1, of methods 4 and 7, and of method 6. Names and defaults are NLTK's.
    convention : {"paper", "sacrebleu", "nltk"}
        Which formulas; "sacrebleu" uses those of "paper".

    Returns
    -------
    ndarray of shape (n_rows, N), float64
        NaN for an order without n-grams (0/0), except where the method or NLTK says otherwise.

    Raises
    ------
    ValueError
        If there is no such method, or it reads more orders than there are.

    Examples
    --------
    Four of six tokens and two bigrams match; methods 3 and 4 fill in orders 3 and 4:

    >>> smoothed_precisions([[4, 2, 0, 0]], [[6, 5, 4, 3]], [6], "method3").round(4).tolist()
    [[0.6667, 0.4, 0.125, 0.0833]]
    >>> smoothed_precisions([[4, 2, 0, 0]], [[6, 5, 4, 3]], [6], "method4").round(4).tolist()
    [[0.6667, 0.4, 0.0896, 0.0428]]
    """
    method = method_name(method)
    m, t = (np.array(np.asarray(counts).T, dtype=np.float64, order="C") for counts in (matches, totals))
    n = max_order if max_order is not None else max(len(m) - (method in AVERAGING), 1)
    read = orders_read(method, n, convention)
    if len(m) < read or len(t) < (read if convention == "nltk" else n):
        raise ValueError(f"{method} with max_order={n} reads {read} orders, and matches has {len(m)}, totals {len(t)}")
    counts = _Counts(m, t, np.asarray(candidate_length, dtype=np.float64), n, epsilon, k, alpha)
    # 0/0 becomes NaN, and a tiny k may overflow to a count that the cap reduces to 1.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return (_nltk if convention == "nltk" else _paper)(method, counts).T


def _paper(method: str, counts: _Counts) -> Floats:
    """Return Chen and Cherry's p_n, (N, n_rows)."""
    n, m, t = counts.orders, counts.matches[: counts.orders], counts.totals[: counts.orders]
    zero: NDArray[np.bool_] = (m == 0) & (t > 0)  # an order without n-grams has nothing to fill in and stays 0/0
    if method == "method0":
        return m / t
    if method == "method1":
        return (m + zero * counts.epsilon) / t
    if method == "method2":
        return np.concatenate([m[:1] / t[:1], (m[1:] + 1) / (t[1:] + 1)])
    if method == "method3":
        return _fill_zeros(m, zero, 0.5) / t
    if method == "method6":
        smoothed = _interpolate(m / t, m, t, counts.alpha, cap=1.0)
    else:
        first = m if method == "method5" else _fill_zeros(m, zero, _log_length_over_k(counts))
        if method in AVERAGING:
            first = _average_neighbours(np.concatenate([first, counts.matches[n : n + 1]]))
        smoothed = np.minimum(first / t, 1.0)
    smoothed[t == 0] = np.nan  # methods 5 to 7 return a number even for an order without n-grams
    return smoothed


def _nltk(method: str, counts: _Counts) -> Floats:
    """Return the p_n of NLTK 3.10, (N, n_rows); rows on which it raises are NaN."""
    n, m, t = counts.orders, counts.matches[: counts.orders], np.maximum(counts.totals, 1)
    raw, t = counts.matches / t, t[:n]
    zero: NDArray[np.bool_] = m == 0
    if method == "method0":
        return raw[:n] + zero * sys.float_info.min
    if method == "method1":
        return (m + zero * counts.epsilon) / t
    if method == "method2":
        return np.concatenate([raw[:1], (m[1:] + 1) / (t[1:] + 1)])
    if method == "method3":
        return _fill_zeros(m, zero, 0.5) / t
    if method == "method6":
        raises = zero[2] if n > 2 else np.ones(m.shape[1], dtype=bool)
        smoothed = _interpolate(raw[:n], m, counts.totals[:n], counts.alpha, cap=np.inf)
        # With alpha = 0 an order without n-grams is a division by zero, 0/0 here.
        smoothed[:, raises | np.isnan(smoothed).any(axis=0)] = np.nan
        return smoothed
    first = raw[:n]
    if method != "method5":
        first = _fill_zeros(m, zero, 0.5, _log_length_over_k(counts)) / t
    if method in AVERAGING:
        fifth = raw[NLTK_EXTRA_ORDER - 1 : NLTK_EXTRA_ORDER]
        return _average_neighbours(np.concatenate([first, fifth]))
    return first


def _log_length_over_k(counts: _Counts) -> Floats:
    """Return ln(c) / k, (n_rows,): 0 for c = 0, where every order is empty, and finite for any k."""
    return np.minimum(np.log(np.maximum(counts.length, 1.0)) / counts.k, 1e30)


def _fill_zeros(m: Floats, zero: NDArray[np.bool_], ratio: Floats | float, scale: Floats | float = 1.0) -> Floats:
    """Return the counts m with scale * ratio^i in place of the i-th zero (i = 1, 2, ...) of each row, (N, n_rows)."""
    filled = m.copy()
    power = np.zeros(m.shape[1]) + scale
    # Adding and multiplying by 0 and 1 is exact, and several times as fast as choosing by a mask.
    for order, unmatched in enumerate(zero):
        power *= unmatched * ratio + ~unmatched
        filled[order] += unmatched * power
    return filled


def _average_neighbours(values: Floats) -> Floats:
    """Return method 5's running averages of N + 1 orders of counts (precisions under NLTK), (N, n_rows)."""
    averages = np.empty((len(values) - 1, *values.shape[1:]))
    before = values[0] + 1
    for order in range(len(averages)):
        before = (before + values[order] + values[order + 1]) / 3
        averages[order] = before
    return averages


def _interpolate(p: Floats, m: Floats, t: Floats, alpha: float, cap: float) -> Floats:
    """Return method 6's precisions, (N, n_rows); the raw precisions are changed in place."""
    for order in range(2, len(p)):
        before, last = p[order - 2], p[order - 1]
        prior = np.where(before == 0, 0.0, last**2 / before)
        p[order] = np.minimum((m[order] + alpha * prior) / (t[order] + alpha), cap)
    return p
