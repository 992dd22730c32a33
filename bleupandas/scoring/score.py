"""score() and corpus(): sentence and corpus BLEU, from tokens or from components."""

import functools
import math
from collections.abc import Hashable
from typing import Any, NamedTuple, Never

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common.messages import listed, refuse_keywords, shown, warn
from bleupandas.counting.components import counted
from bleupandas.reading import component_columns as _components
from bleupandas.reading import token_columns as _columns
from bleupandas.reading.component_columns import SEGMENTS, SEGMENTS_MISSING, names
from bleupandas.reading.groups import grouped_sums
from bleupandas.scoring.corpus_score import CorpusScore
from bleupandas.scoring.formula import (
    RowScores,
    ScoreSettings,
    bleu_from_components,
    brevity_penalty,
    refusal,
    row_scores,
    score_settings,
    signature,
)
from bleupandas.scoring.smoothing import orders_read

__all__ = ["bleu_from_components", "brevity_penalty", "corpus", "score"]

SCORING = ("convention", "smoothing", "weights", "effective_order", "epsilon", "k", "alpha")
COLUMNS = ("hypothesis", "references", "max_order", "errors", "threads", "components")


def score(
    df: "pd.DataFrame | pd.Series[Any]",
    /,
    *,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | list[int] | tuple[int, ...] | range | None = None,
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
) -> Any:
    """Score every row as a sentence.

    Also a method: ``df.bleu.score()``. For rows that are sums of many segments, `corpus` has the right defaults:
    without smoothing, and every order counts.

    Parameters
    ----------
    df : DataFrame or Series
        Token columns or components columns; a Series is one row of components.
    hypothesis, references, errors, threads, components
        As in `components`.
    max_order : int or list of int, default 4
        Largest n-gram length, or the number of weights. With a list or range, a frame with a column for each.
    convention : {"paper", "sacrebleu", "nltk"}, default "paper"
        Which defaults and formulas. "paper": method1 with effective_order. "sacrebleu": exp with effective_order.
        "nltk": method0 without, totals of at least 1, and NLTK's own formulas of methods 4 to 7.
    smoothing : str, optional
        "none" or "method0"; "floor" or "method1"; "add-k" or "method2"; "exp" or "method3"; "method4" to "method7".
    weights : list of float, optional
        One for each order, used as given; 1/N unless given.
    effective_order : bool, optional
        Leave out orders of which there is no n-gram, and scale the other weights up.
    epsilon, k, alpha : float
        Parameters of method1, of methods 4 and 7, and of method6.

    Returns
    -------
    Series of float64, named "score", on the index of `df`
        0..1; missing where the row is. Float64 with ``errors="coerce"``. A frame with columns score_1 and so on for a
        list of orders. Of a Series a float, or a Series for a list of orders.

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
    refuse_keywords("score", unknown, (*COLUMNS, *SCORING))
    given = {"convention": convention, "smoothing": smoothing, "weights": weights, "effective_order": effective_order}
    given |= {"epsilon": epsilon, "k": k, "alpha": alpha}
    several = isinstance(max_order, list | tuple | range)
    orders: list[Any] = list(max_order) if isinstance(max_order, list | tuple | range) else [max_order]
    if not orders:
        raise ValueError("max_order is an empty list; expected orders from 1 to 8, such as max_order=[1, 2, 3, 4]")
    settings = [score_settings("score", max_order=order, **given) for order in orders]  # type: ignore[arg-type]
    widest = max(settings, key=lambda one: one.orders_read)
    source = sums_of(df, "score", hypothesis, references, components, widest, errors, threads)
    named = [(f"score_{one.max_order}" if several else "score", one) for one in settings]
    columns = {name: sentence_scores(source, one, name) for name, one in named}
    if isinstance(df, pd.Series):
        scores = {name: math.nan if source.missing[0] else float(values[0]) for name, values in columns.items()}
        return pd.Series(scores) if several else scores["score"]
    if several:
        return pd.DataFrame({name: source.column(values) for name, values in columns.items()}, index=source.rows)
    return pd.Series(source.column(columns["score"]), index=source.rows, name="score")


def corpus(
    df: "pd.DataFrame | pd.Series[Any]",
    /,
    *,
    by: Any = None,
    sort: bool = True,
    observed: bool = True,
    dropna: bool = False,
    margins: bool = False,
    hypothesis: Hashable | None = None,
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
) -> Any:
    """Score all rows as one corpus, or each group of them: the sums of their components, scored.

    Also a method: ``df.bleu.corpus()``. For rows as sentences use `score`, whose defaults smooth.

    Parameters
    ----------
    df : DataFrame or Series
        Token columns or components columns; a Series is the sums of a corpus, such as ``c.sum()``. A components row is
        one segment, or as many as a column "segments" says.
    by : label, list of labels, Series, function, ...
        Whatever ``df.groupby`` takes: a row per group.
    sort, observed, dropna : bool
        As in ``df.groupby``; a missing key is a group of its own unless `dropna`.
    margins : bool, default False
        With `by`: a last row "All", the sum of the groups.
    convention : {"paper", "sacrebleu"}, default "paper"
        Without smoothing, or with "exp"; both without effective_order.
    hypothesis, references, max_order, errors, threads, components
        As in `components`. Rows that cannot be read are left out with ``errors="coerce"``, and counted in
        segments_missing.
    smoothing, weights, effective_order, epsilon, k, alpha
        As in `score`.

    Returns
    -------
    CorpusScore, or with `by` a DataFrame
        A row per group: score, brevity_penalty, precision_1..N (and smoothed_precision_n with smoothing),
        candidate_length, reference_length, length_ratio, segments, segments_missing, matches_1..N, totals_1..N: a
        components frame itself. The score of a group without segments is missing.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `score`.

    Notes
    -----
    Papineni et al. 2002, sections 2.1.1 and 2.3.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> print(bleupandas.corpus(df))
    BLEU = 29.52 65.3/36.7/22.4/14.1 (BP = 1.000 ratio = 1.028 hyp_len = 6966 ref_len = 6778)
    >>> bleupandas.corpus(df, by="system")["score"].round(4).to_dict()
    {'direct': 0.3161, 'pivot': 0.2739}
    """
    refuse_keywords("corpus", unknown, ("by", "sort", "observed", "dropna", "margins", *COLUMNS, *SCORING))
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
    for name, option in {"sort": sort, "observed": observed, "dropna": dropna, "margins": margins}.items():
        if not isinstance(option, bool | np.bool_):
            raise TypeError(f"{name} is True or False, not {shown(option)}")
    source = sums_of(df, "corpus", hypothesis, references, components, settings, errors, threads)
    if by is None:
        if margins:
            raise ValueError("margins=True adds a row to the groups of `by`; give by=, or leave margins out")
        return corpus_score(source, settings)
    if isinstance(df, pd.Series):
        raise TypeError("corpus(by=...) takes a frame, and a Series is one row of components: leave by out")
    sums = pd.DataFrame(source.values.T, index=source.rows, columns=names(settings.orders_read), copy=False)
    if source.left_out.any() or (source.segments != 1).any():
        sums[SEGMENTS], sums[SEGMENTS_MISSING] = source.segments, source.left_out
    groups = grouped_sums(df, sums, by, sort=sort, observed=observed, dropna=dropna, margins=margins)
    return group_scores(groups, settings, nullable=source.nullable)


# ---- Sums of rows ----


class Sums(NamedTuple):
    """Components of the rows of a frame, wherever they came from."""

    rows: pd.Index
    values: NDArray[np.int64]  # (2 + 2 * orders, n_rows), by component_columns.names
    missing: NDArray[np.bool_]  # (n_rows,)
    segments: NDArray[np.int64]  # (n_rows,), 0 where missing
    left_out: NDArray[np.int64]  # (n_rows,), segments that could not be read
    nullable: bool
    references: set[int] | None  # how many references rows have; None where only components are known
    known_segments: bool

    @property
    def orders(self) -> int:
        """How many orders there are."""
        return (len(self.values) - 2) // 2

    def column(self, numbers: NDArray[np.float64]) -> Any:
        """Give floats, (n_rows,), as a column, missing where the row is."""
        return float_column(np.where(self.missing, np.nan, numbers) if self.missing.any() else numbers, self.nullable)


def float_column(numbers: NDArray[np.float64], nullable: bool) -> Any:
    """Give floats as float64, or as Float64 in which NaN is missing."""
    return pd.arrays.FloatingArray(numbers, np.isnan(numbers)) if nullable else numbers


def sums_of(
    df: "pd.DataFrame | pd.Series[Any]",
    function: str,
    hypothesis: Hashable | None,
    references: object,
    components: bool,
    settings: ScoreSettings,
    errors: str,
    threads: int | None,
) -> Sums:
    """Give the components of the rows of a frame: counted, or read from its components columns."""
    mode, n_threads = _columns.checked_errors(errors), _columns.checked_threads(threads)
    one_row = isinstance(df, pd.Series)
    if isinstance(df, pd.Series):
        df, components = df.to_frame().T, True
    elif not isinstance(df, pd.DataFrame):
        kinds = "a pandas DataFrame, or a Series that is a row of components"
        raise TypeError(f"{function}() takes {kinds}, not {type(df).__name__}")
    if not uses_components(df, hypothesis, references, components):
        tokens = _columns.token_columns(df, hypothesis, references, function)
        return sums_of_tokens(tokens, settings.orders_read, mode, n_threads)
    reads = functools.partial(_orders_read, settings)
    read = _components.read(df, settings.max_order, f"{function}()", reads)
    # A row is one segment, or as many as it says; a row of sums without a word about them is of unknown many.
    segments, left_out = _rows_as_segments(read.missing)
    known = not one_row
    if SEGMENTS in df.columns:
        told, untold = _components.whole_numbers(df, SEGMENTS)
        segments = segments * (told if untold is None else np.where(untold, 1, told))
        known = known or untold is None
    if SEGMENTS_MISSING in df.columns:
        left_out = np.where(read.missing, 1, _components.whole_numbers(df, SEGMENTS_MISSING)[0])
    return Sums(df.index, read.values, read.missing, segments, left_out, mode == "coerce", None, known)


def sums_of_tokens(tokens: _columns.TokenColumns, orders: int, errors: _columns.Errors, threads: int) -> Sums:
    """Count token columns; every row is a segment, or left out."""
    found = counted(tokens, orders, errors, threads)
    counts = _rows_as_segments(found.missing)
    return Sums(tokens.index, found.values, found.missing, *counts, errors == "coerce", found.references, True)


def _orders_read(settings: ScoreSettings, max_order: int) -> int:
    return orders_read(settings.smoothing, max_order, settings.convention)


def _rows_as_segments(missing: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give for each row how many segments it is and how many were left out, where a row is one of either."""
    if missing.any():
        return (~missing).astype(np.int64), missing.astype(np.int64)
    return np.broadcast_to(np.int64(1), missing.shape), np.broadcast_to(np.int64(0), missing.shape)


def uses_components(df: pd.DataFrame, hypothesis: object, references: object, components: bool) -> bool:
    """Tell whether to read components columns; also where some are lacking and there is nothing else to read."""
    if _columns.uses_components(df, hypothesis, references, components):
        return True
    unnamed = hypothesis is None and references is None and {"hypothesis", "references"}.isdisjoint(df.columns)
    return unnamed and _components.looks_like_components(df.columns)


def holds_sums(df: object, function: str, hypothesis: object, references: object, components: bool) -> bool:
    """Tell whether a call works from components columns with one that says how many segments each row sums up."""
    if isinstance(df, pd.Series):
        return SEGMENTS in df.index
    frame = _columns.checked_frame(df, function)
    return uses_components(frame, hypothesis, references, components) and SEGMENTS in frame.columns


def scored(values: NDArray[np.int64], settings: ScoreSettings) -> RowScores:
    """Score rows of sums, (2 + 2 * orders, n_rows)."""
    orders = (len(values) - 2) // 2
    return row_scores(values[0], values[1], values[2 : 2 + orders].T, values[2 + orders :].T, settings)


def sentence_scores(source: Sums, settings: ScoreSettings, name: str) -> NDArray[np.float64]:
    """Score rows; where NLTK raises the row is NaN and one warning names the rows."""
    result = scored(source.values, settings)
    if result.refused.any():
        rows = listed(source.rows[result.refused].tolist(), 5)  # of Python's types, whose repr is plain
        warn(f"{name} is NaN for {int(result.refused.sum())} of {len(source.rows)} rows, {rows}: {refusal(settings)}")
    return result.score


def raw_precisions(matches: NDArray[Any], totals: NDArray[Any]) -> NDArray[np.float64]:
    """Give matches / totals, NaN for 0/0."""
    precisions: NDArray[np.float64] = np.full(matches.shape, np.nan)
    np.divide(matches, totals, out=precisions, where=totals > 0)
    return precisions


def segment_sums(source: Sums) -> tuple[int, int]:
    """Return how many segments all rows are, and how many were left out."""
    [segments] = _components.checked_sum(source.segments[np.newaxis], [SEGMENTS]).tolist()
    [left_out] = _components.checked_sum(source.left_out[np.newaxis], [SEGMENTS_MISSING]).tolist()
    return segments, left_out


def corpus_score(source: Sums, settings: ScoreSettings, tokenizer: str | None = None) -> CorpusScore:
    """Score the sum of all rows; `tokenizer` is for the signature, where it is known."""
    sums = _components.checked_sum(source.values)[:, np.newaxis]
    result = scored(sums, settings)
    n, orders = settings.max_order, source.orders
    c, r = (int(length) for length in sums[:2, 0])
    matches, totals = sums[2 : 2 + n, 0], sums[2 + orders : 2 + orders + n, 0]
    segments, left_out = segment_sums(source)
    known = source.known_segments
    numbers = source.references
    nrefs = None if not numbers else min(numbers) if len(numbers) == 1 else "var"
    return CorpusScore(
        score=math.nan if source.missing.all() or (known and segments == 0) else float(result.score[0]),
        precisions=tuple(raw_precisions(matches, totals).tolist()),
        smoothed_precisions=tuple(result.precisions[0].tolist()),
        brevity_penalty=float(result.brevity_penalty[0]),
        candidate_length=c,
        reference_length=r,
        length_ratio=c / r if r else math.nan,
        segments=segments if known else None,
        segments_missing=left_out,
        matches=tuple(matches.tolist()),
        totals=tuple(totals.tolist()),
        signature=signature(settings, nrefs, tokenizer),
    )


def group_scores(groups: pd.DataFrame, settings: ScoreSettings, nullable: bool) -> pd.DataFrame:
    """Score each row of group sums, a frame of components, segments and segments_missing."""
    orders = settings.orders_read
    values = groups[names(orders)].to_numpy(np.int64).T
    result = scored(values, settings)
    matches, totals = values[2 : 2 + settings.max_order], values[2 + orders : 2 + orders + settings.max_order]
    data: dict[str, Any] = {
        "score": np.where(groups[SEGMENTS].to_numpy() == 0, np.nan, result.score),
        "brevity_penalty": result.brevity_penalty,
    }
    data |= {f"precision_{n}": p for n, p in enumerate(raw_precisions(matches, totals), 1)}
    if settings.smoothing != "method0":
        data |= {f"smoothed_precision_{n}": p for n, p in enumerate(result.precisions.T, 1)}
    floats = set(data) | {"length_ratio"}
    data |= {"candidate_length": values[0], "reference_length": values[1]}
    data["length_ratio"] = raw_precisions(values[0], values[1])
    data |= {name: groups[name].to_numpy(np.int64) for name in (SEGMENTS, SEGMENTS_MISSING)}
    data |= dict(zip(names(orders)[2:], values[2:], strict=True))
    if nullable:
        whole = np.zeros(len(groups), np.bool_)
        for name, column in data.items():
            data[name] = float_column(column, True) if name in floats else _columns.coerced_integers(column, whole)
    return pd.DataFrame(data, index=groups.index)
