"""Bucket measures: the values that decide the buckets of segments."""

import itertools
from collections import defaultdict
from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.auditing import reference_lists
from bleupandas.common import CountOptions, short_repr
from bleupandas.comparing.bucket_rows import BucketRows
from bleupandas.reading import TokenColumns, row_values, token_columns
from bleupandas.scoring import ScoreSettings, score_sums

COMPONENT_MEASURES = ("reference_length", "length_difference", "score")
TOKEN_MEASURES = ("rarest_token", "references")
WINDOW = 2048  # rows whose cells are Python objects at once
SCORE_BANDS = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]


def measure_segments(
    df: pd.DataFrame, of: Any, rows: BucketRows, count: CountOptions, sentence_settings: ScoreSettings
) -> pd.Index:
    """Return the value that decides the bucket of each row, (n,)."""
    if is_measure(of, COMPONENT_MEASURES):
        return measure_components(rows, of, sentence_settings)
    if is_measure(of, TOKEN_MEASURES):
        column = count.hypothesis[0] if isinstance(count.hypothesis, list) else count.hypothesis
        return measure_tokens(token_columns(df, column, count.references, "buckets"), of, rows)
    return read_values(df, of).take(rows.positions)


def is_measure(of: object, measures: tuple[str, ...]) -> bool:
    """Return whether `of` is one of some built-in measures."""
    return isinstance(of, str) and of in measures


def bucket_name(of: Any) -> Hashable:
    """Return the name of the buckets."""
    if isinstance(of, Hashable) and not callable(of):
        return of
    name = getattr(of, "name", None) if isinstance(of, pd.Series | pd.Index) else getattr(of, "__name__", None)
    return "bucket" if name is None or name == "<lambda>" else name


def default_bins(of: Any, values: pd.Index) -> Any:
    """Return the bins if the caller passed none."""
    if is_measure(of, ("score",)):
        return SCORE_BANDS
    return max(len(values.unique()), 1) if is_measure(of, ("references",)) else None


def measure_components(rows: BucketRows, of: str, sentence_settings: ScoreSettings) -> pd.Index:
    """Return a measure of the components of the deciding row, missing where that row is, (n,)."""
    sums = rows.sums
    if of == "score":
        values = score_sums(sums, sentence_settings).score
    elif of == "reference_length":
        values = sums.reference_length.astype(np.float64)
    else:
        values = (sums.candidate_length - sums.reference_length).astype(np.float64)
    return pd.Index(np.where(sums.missing, np.nan, values)[rows.deciding])


def measure_tokens(tokens: TokenColumns, of: str, rows: BucketRows) -> pd.Index:
    """Return a measure of the references of the deciding row, missing where that row is, (n,)."""
    missing = np.ones(len(tokens.index), np.bool_)
    missing[rows.positions] = rows.sums.missing[rows.deciding]
    numbers, ids, lengths = np.full(len(missing), np.nan), [], np.zeros(len(missing), np.int64)
    vocabulary: defaultdict[str, int] = defaultdict(itertools.count().__next__)
    for start in range(0, len(missing), WINDOW):
        cells = zip(*(form.pylist(start, start + WINDOW) for form in tokens.forms[1:]), strict=True)
        for position, cell in enumerate(cells, start):
            if not missing[position]:
                lists, _ = reference_lists(cell, tokens.nested)
                numbers[position] = len(lists)
                if of == "rarest_token" and rows.corpora[position] >= 0:
                    row_ids = [vocabulary[token] for text in lists for token in text]
                    ids.append(np.array(row_ids, np.int64))
                    lengths[position] = len(row_ids)
    if of == "rarest_token":
        numbers = rarest_frequencies(np.concatenate([np.zeros(0, np.int64), *ids]), lengths, rows.corpora)
    measure: pd.Index = pd.Index(numbers[rows.positions])
    return measure


def rarest_frequencies(
    ids: NDArray[np.int64], lengths: NDArray[np.int64], corpora: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the frequency in its corpus of the rarest token of each row, (n_rows,); NaN without tokens.

    Parameters
    ----------
    ids : ndarray of shape (n_tokens,)
        Numbers of tokens, row by row.
    lengths, corpora : ndarray of shape (n_rows,)
        Tokens of each row, and the number of its corpus.
    """
    result = np.full(len(lengths), np.nan)
    if len(ids):
        keys = np.repeat(corpora, lengths) * (int(ids.max()) + 1) + ids
        frequencies = np.bincount(keys)[keys]
        has_tokens = lengths > 0
        starts = np.cumsum(lengths[has_tokens]) - lengths[has_tokens]
        result[has_tokens] = np.minimum.reduceat(frequencies, starts)
    return result


def read_values(df: pd.DataFrame, of: Any) -> pd.Index:
    """Return the values of a column, an index level or a function, or the caller's values, (n_rows,)."""
    if of is None:
        measures = ", ".join(map(repr, COMPONENT_MEASURES + TOKEN_MEASURES))
        raise TypeError(f"of is one of {measures}, a column label, one value per row, or a function, not None")
    values = of(df) if callable(of) else of
    if callable(of) and (isinstance(values, str) or not hasattr(values, "__len__")):
        raise TypeError(
            f"of is a function that returned {short_repr(values)}; expected one value for each of {len(df)} rows"
        )
    found: pd.Index = row_values(df, values, "of", "buckets")
    return found
