"""score(): sentence BLEU of every row."""

import math
from collections.abc import Hashable
from typing import Any, TypeAlias, Unpack, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import CountKeywords, ScoreKeywords, count_options, join_values, public, warn
from bleupandas.counting import Sums, read_sums
from bleupandas.scoring.formula import refusal, score_sums
from bleupandas.scoring.settings import ScoreSettings, score_settings

Orders: TypeAlias = list[int] | tuple[int, ...] | range


class Keywords(ScoreKeywords, CountKeywords, total=False):
    """The keywords of score() besides max_order."""


@overload
def score(df: pd.DataFrame, /, *, max_order: int | None = None, **options: Unpack[Keywords]) -> "pd.Series[float]": ...
@overload
def score(df: pd.DataFrame, /, *, max_order: Orders, **options: Unpack[Keywords]) -> pd.DataFrame: ...
@overload
def score(df: "pd.Series[Any]", /, *, max_order: int | None = None, **options: Unpack[Keywords]) -> float: ...
@overload
def score(df: "pd.Series[Any]", /, *, max_order: Orders, **options: Unpack[Keywords]) -> "pd.Series[float]": ...
@public
def score(
    df: "pd.DataFrame | pd.Series[Any]",
    /,
    *,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | Orders | None = None,
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
) -> "pd.Series[float] | pd.DataFrame | float":
    """Score every row as a sentence.

    Also a method: ``df.bleu.score()``. For rows that are sums of many segments use `corpus`: its defaults have no
    smoothing, and every order counts.

    Parameters
    ----------
    df : DataFrame or Series
        Token columns or components columns; a Series is one row of components.
    hypothesis, references, errors, threads, components
        As in `components`.
    max_order : int or list of int, default 4
        Largest n-gram length; by default the number of weights, if there are any. With a list or range the result is a
        frame with a column for each.
    convention : {"paper", "sacrebleu", "nltk"}, default "paper"
        Defaults and formulas. "paper": method1 with effective_order. "sacrebleu": exp with effective_order. "nltk":
        method0 without effective_order, totals of at least 1, and NLTK's own formulas of methods 4 to 7.
    smoothing : str, optional
        "none" or "method0"; "floor" or "method1"; "add-k" or "method2"; "exp" or "method3"; "method4" to "method7".
    weights : list of float, optional
        One for each order, used unchanged; 1/N by default.
    effective_order : bool, optional
        Leave out orders without n-grams, and scale the other weights up.
    epsilon, k, alpha : float
        Parameters of method1, of methods 4 and 7, and of method6.

    Returns
    -------
    Series of float64, named "score", on the index of `df`
        BLEU, 0..1; missing where the row is. Float64 with ``errors="coerce"``. For a list of orders a frame with
        columns score_1, score_2, ... For a Series a float, or for a list of orders a Series.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`, and for an option out of range.

    Notes
    -----
    Papineni et al. 2002, section 2.3; smoothing by Chen and Cherry 2014, see `bleupandas.scoring.smoothing`.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({"hypothesis": [["a", "b", "c", "d"]], "references": [[["a", "b", "c", "e"]]]})
    >>> bleupandas.score(df).round(4).tolist()
    [0.3976]
    """
    count = count_options(
        hypothesis=hypothesis, references=references, errors=errors, threads=threads, components=components
    )
    several = isinstance(max_order, list | tuple | range)
    orders: list[Any] = list(max_order) if isinstance(max_order, list | tuple | range) else [max_order]
    if not orders:
        raise ValueError("max_order is an empty list; expected orders from 1 to 8, such as max_order=[1, 2, 3, 4]")
    settings = [
        score_settings(
            "score",
            max_order=order,
            convention=convention,
            smoothing=smoothing,
            weights=weights,
            effective_order=effective_order,
            epsilon=epsilon,
            k=k,
            alpha=alpha,
        )
        for order in orders
    ]
    widest = max(settings, key=lambda one: one.orders_read)
    sums = read_sums(df, "score", count, widest.max_order, widest.orders_for)
    labels = [f"score_{one.max_order}" if several else "score" for one in settings]
    columns = {name: score_rows(sums, one, name) for name, one in zip(labels, settings, strict=True)}
    if isinstance(df, pd.Series):
        scores = {name: math.nan if sums.missing[0] else float(values[0]) for name, values in columns.items()}
        return pd.Series(scores) if several else scores["score"]
    if several:
        return pd.DataFrame({name: sums.column(values) for name, values in columns.items()}, index=sums.index)
    return pd.Series(sums.column(columns["score"]), index=sums.index, name="score")


def score_rows(sums: Sums, settings: ScoreSettings, name: str) -> NDArray[np.float64]:
    """Score each row; where NLTK raises the row is NaN and one warning names the rows."""
    result = score_sums(sums, settings)
    if result.refused.any():
        rows = join_values(sums.index[result.refused].tolist(), 5)  # Python objects, whose repr is plain
        warn(f"{name} is NaN for {int(result.refused.sum())} of {len(sums)} rows, {rows}: {refusal(settings)}")
    return result.score
