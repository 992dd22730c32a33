"""buckets(): corpus BLEU by what segments are like, of several systems side by side."""

import itertools
import secrets
from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple, Never

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.auditing import reference_lists
from bleupandas.common import (
    check_proportion,
    check_threads,
    check_whole_number,
    progress_bar,
    refuse_keywords,
    short_repr,
)
from bleupandas.comparing.bins import bucketed
from bleupandas.comparing.compare import interval
from bleupandas.comparing.influence import KEYWORDS as PAIR_KEYWORDS
from bleupandas.comparing.influence import refuse_pairing
from bleupandas.comparing.resampling import Units, bootstrap_scores
from bleupandas.comparing.systems import baseline_position, systems_of
from bleupandas.reading import (
    SEGMENTS,
    SEGMENTS_MISSING,
    TokenColumns,
    check_frame,
    component_names,
    factorize,
    is_level,
    positions_of_groups,
    row_groups,
    row_values,
    sum_groups,
    token_columns,
    whole_sums,
)
from bleupandas.scoring import ScoreSettings, Sums, float_column, score_groups, score_settings, score_sums, sums_of

KEYWORDS = ("of", "bins", "n_resamples", "seed", "level", "progress", *PAIR_KEYWORDS)
OF_COMPONENTS = ("reference_length", "length_difference", "score")
OF_TOKENS = ("rarest_token", "references")
WINDOW = 2048  # rows whose cells are Python objects at once
SCORE_BANDS = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]


class Rows(NamedTuple):
    """What is put into buckets: components of rows, and of which rows the buckets are told."""

    values: NDArray[np.int64]  # (2 + 2 * orders, n), by component_columns.names
    missing: NDArray[np.bool_]  # (n,)
    segments: NDArray[np.int64]  # (n,)
    left_out: NDArray[np.int64]  # (n,)
    tellers: NDArray[np.int64]  # (n,), which of these rows tells the bucket of each
    positions: NDArray[np.int64]  # (n,), the position of that row in the frame
    systems: NDArray[np.int64]  # (n,), numbers of systems; 0 where there is one
    corpora: NDArray[
        np.int64
    ]  # (n_rows,) of the frame: rows of one number are a corpus of tellers, those of -1 of none
    labels: pd.Index | None  # of the systems
    nullable: bool


def buckets(
    df: pd.DataFrame,
    /,
    of: Any = "reference_length",
    *,
    bins: int | list[float] | None = None,
    system: Any = None,
    id: Any = None,  # the word of the published data
    hypothesis: Hashable | list[Any] | None = None,
    references: Hashable | list[Any] | None = None,
    baseline: Hashable | None = None,
    n_resamples: int = 1000,
    seed: int | None = 12345,
    level: float = 0.95,
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
    progress: bool | None = None,
    **unknown: Never,
) -> pd.DataFrame:
    """Score buckets of segments as corpora: by length, score, rare tokens, or anything else.

    Also a method: ``df.bleu.buckets()``.

    Parameters
    ----------
    df : DataFrame
        Token columns or components columns.
    of : str, label, Series, array or function, default "reference_length"
        What tells a segment's bucket:

        - "reference_length": tokens of the closest reference,
        - "length_difference": candidate_length minus reference_length,
        - "score": sentence BLEU, with the defaults of `score`,
        - "rarest_token": how often the rarest token of the segment's references stands in the references of all
          segments (of one system),
        - "references": the number of references,
        - any other column or index level, one value per row (a Series is aligned by its index), or a function of the
          frame that gives one.
    bins : int or list of numbers, optional
        Of numbers: about so many buckets, of about as many segments each, with edges rounded to be easy to read; or the
        edges. 5 by default, for "score" bands of 0.1, for "references" each number. The lower edge of a bucket is in
        it, the upper one is not; what lies beyond the edges has a bucket of its own at either end. What is no number
        is not binned: each value is a bucket.
    system, id, baseline, on_unpaired
        Several systems in long form, as in `compare`; only with ``system=``. With ``id=``, or a column "id", segments
        are paired, and the baseline's row tells the bucket for all systems, so that each bucket holds the same segments
        of every system; without it each row tells its own.
    hypothesis : label or list of labels, default "hypothesis"
        A list names the columns of several systems, paired by rows.
    n_resamples, seed, level
        Of the confidence intervals, as in `compare`.
    progress : bool, optional
        As in `compare`.
    references, max_order, errors, threads, components
        As in `components`.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `corpus`.

    Returns
    -------
    DataFrame
        A row per bucket, or per bucket and system in order of appearance; buckets ascend, and segments of which what
        tells the bucket is missing come last. Index: the bucket, for numbers an ordered category of intervals; and
        "system". Columns: score, score_low, score_high (missing with fewer than two segments), then those of
        ``corpus(by=...)``; a components frame itself, whose segments add up to those of `df`.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `corpus`; where systems do not pair; for an option out of range.

    Notes
    -----
    Intervals are percentiles of bootstrap resamples of a bucket's segments (Koehn 2004, section 3). Chance has a part
    in every score, so that buckets of the baseline's score favour it at the top and the other systems at the bottom.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> found = df.bleu.buckets(system="system", bins=[10, 20])
    >>> found[["score", "score_low", "score_high", "segments"]].round(3).reset_index()
      reference_length  system  score  score_low  score_high  segments
    0     [-inf, 10.0)  direct  0.272      0.210       0.333       107
    1     [-inf, 10.0)   pivot  0.246      0.189       0.304       107
    2     [10.0, 20.0)  direct  0.330      0.278       0.380        75
    3     [10.0, 20.0)   pivot  0.305      0.252       0.361        75
    4      [20.0, inf)  direct  0.321      0.277       0.361        58
    5      [20.0, inf)   pivot  0.264      0.224       0.298        58
    """
    refuse_keywords("buckets", unknown, KEYWORDS)
    check_frame(df, "buckets")
    given: Any = {"convention": convention, "max_order": max_order, "weights": weights}
    smooth: Any = {"smoothing": smoothing, "effective_order": effective_order, "epsilon": epsilon, "k": k}
    settings = score_settings("corpus", **given, **smooth, alpha=alpha)
    n = check_whole_number("n_resamples", n_resamples, 1)
    start = secrets.randbits(64) if seed is None else check_whole_number("seed", seed, 0)
    width = check_proportion("level", level, "0.95")
    n_threads = check_threads(threads)
    reading: Any = {"references": references, "components": components, "errors": errors, "threads": threads}
    form: Any = {"system": system, "id": id, "hypothesis": hypothesis, "on_unpaired": on_unpaired}
    rows = rows_of(df, settings, baseline, **form, **reading)
    first = hypothesis[0] if isinstance(hypothesis, list) else hypothesis
    if is_measure(of, OF_COMPONENTS):
        told: pd.Index = of_components(rows, of, score_settings("score", **given))
    elif is_measure(of, OF_TOKENS):
        tokens = token_columns(df, first, references, "buckets")
        told = of_tokens(tokens, of, rows)
    else:
        told = of_frame(df, of).take(rows.positions)
    key = bucketed(told, default_bins(of, told) if bins is None else bins, f"of={short_repr(named_of(of))}")
    keys = pd.DataFrame({"bucket": key, "system": rows.systems})
    by = ["bucket", "system"] if rows.labels is not None else "bucket"
    result = scores_of(keys, by, rows, settings)
    with progress_bar(n * len(result), progress, " resamples") as advance:
        samples = [
            bootstrap_scores(units, n, start, advance, n_threads)[0] if units.number > 1 else np.full(n, np.nan)
            for units in units_of(row_groups(keys, by)[1], len(result), rows, settings)
        ]
    bounds = interval(np.array(samples).reshape(-1, n), width)
    for at, name in enumerate(("score_low", "score_high")):
        result.insert(1 + at, name, float_column(bounds[:, at], rows.nullable))
    return result.set_axis(index_of(result.index, named_of(of), rows.labels))


# ---- What is put into buckets ----


def rows_of(
    df: pd.DataFrame,
    settings: ScoreSettings,
    baseline: Hashable | None,
    *,
    system: Any,
    id: Any,
    hypothesis: Any,
    on_unpaired: str,
    **reading: Any,
) -> Rows:
    """Read the rows: of one system, of several that are paired, or of several side by side."""
    if isinstance(hypothesis, list) or (system is not None and (id is not None or has_ids(df))):
        form: Any = {"system": system, "id": id, "hypothesis": hypothesis, "on_unpaired": on_unpaired}
        systems = systems_of(df, "buckets", settings=settings, **form, **reading)
        first = baseline_position(systems.names, baseline, "buckets")
        n_systems, fields, n_pairs = systems.values.shape
        missing = systems.missing.ravel()
        return Rows(
            systems.values.transpose(1, 0, 2).reshape(fields, -1),
            missing,
            (~missing).astype(np.int64),
            missing.astype(np.int64),
            np.tile(first * n_pairs + np.arange(n_pairs), n_systems),
            np.tile(systems.positions[first], n_systems),
            np.repeat(np.arange(n_systems), n_pairs),
            np.where(np.isin(np.arange(len(df)), systems.positions[first]), 0, -1),
            systems.labels,
            systems.nullable,
        )
    refuse_pairing("buckets", baseline=baseline, **({"id": id} if system is None else {}))
    sums = sums_of(df, "buckets", hypothesis, settings=settings, **reading)
    every = np.arange(len(df))
    codes, labels = np.zeros(len(df), np.int64), None
    if system is not None:
        codes, labels = factorize(row_values(df, system, "system", "buckets"), "system")
        if (codes < 0).any():
            [row] = df.index[[int((codes < 0).argmax())]].tolist()
            raise ValueError(
                f"{int((codes < 0).sum())} of {len(df)} rows have no system, such as row {short_repr(row)}; "
                "expected one "
                "for each row: drop these rows, or name their system"
            )
    parts = (sums.values, sums.missing, sums.segments, sums.left_out)
    return Rows(*parts, every, every, codes, codes, labels, sums.nullable)


def has_ids(df: pd.DataFrame) -> bool:
    """Tell whether there is a column or index level of ids."""
    return "id" in df.columns or is_level(df, "id")


# ---- What tells the bucket ----


def is_measure(of: object, measures: tuple[str, ...]) -> bool:
    """Tell whether buckets are by one of some measures of ours."""
    return isinstance(of, str) and of in measures


def named_of(of: Any) -> Hashable:
    """Give what the buckets are of as a name."""
    if isinstance(of, Hashable) and not callable(of):
        return of
    name = getattr(of, "name", None) if isinstance(of, pd.Series | pd.Index) else getattr(of, "__name__", None)
    return "bucket" if name is None or name == "<lambda>" else name


def default_bins(of: Any, told: pd.Index) -> Any:
    """Give the bins where none are said."""
    if is_measure(of, ("score",)):
        return SCORE_BANDS
    return max(len(told.unique()), 1) if is_measure(of, ("references",)) else None


def of_components(rows: Rows, of: str, sentences: ScoreSettings) -> pd.Index:
    """Give a measure of components of the row that tells, missing where that is, (n,)."""
    if of == "score":
        numbers = score_sums(rows.values, sentences).score
    else:
        numbers = (rows.values[1] if of == "reference_length" else rows.values[0] - rows.values[1]).astype(np.float64)
    return pd.Index(np.where(rows.missing, np.nan, numbers)[rows.tellers])


def of_tokens(tokens: TokenColumns, of: str, rows: Rows) -> pd.Index:
    """Give a measure of the references of the row that tells, missing where that is, (n,)."""
    missing = np.ones(len(tokens.index), np.bool_)
    missing[rows.positions] = rows.missing[rows.tellers]
    numbers, ids, lengths = np.full(len(missing), np.nan), [], np.zeros(len(missing), np.int64)
    vocabulary: defaultdict[str, int] = defaultdict(itertools.count().__next__)
    for start in range(0, len(missing), WINDOW):
        cells = zip(*(form.pylist(start, start + WINDOW) for form in tokens.forms[1:]), strict=True)
        for position, others in enumerate(cells, start):
            if not missing[position]:
                lists, _ = reference_lists(others, tokens.nested)
                numbers[position] = len(lists)
                if of == "rarest_token" and rows.corpora[position] >= 0:
                    found = [vocabulary[token] for text in lists for token in text]
                    ids.append(np.array(found, np.int64))
                    lengths[position] = len(found)
    if of == "rarest_token":
        numbers = rarest(np.concatenate([np.zeros(0, np.int64), *ids]), lengths, rows.corpora)
    measure: pd.Index = pd.Index(numbers[rows.positions])
    return measure


def rarest(ids: NDArray[np.int64], lengths: NDArray[np.int64], corpora: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give the frequency of the rarest token of each row in its corpus, (n_rows,), missing where there is none.

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
        there = lengths > 0
        starts = np.cumsum(lengths[there]) - lengths[there]
        result[there] = np.minimum.reduceat(frequencies, starts)
    return result


def of_frame(df: pd.DataFrame, of: Any) -> pd.Index:
    """Give the values of a column, index level, function or the caller's own, (n_rows,) of the frame."""
    if of is None:
        measures = ", ".join(map(repr, OF_COMPONENTS + OF_TOKENS))
        raise TypeError(f"of is one of {measures}, a column label, one value per row, or a function, not None")
    values = of(df) if callable(of) else of
    if callable(of) and (isinstance(values, str) or not hasattr(values, "__len__")):
        raise TypeError(
            f"of is a function that gave {short_repr(values)}; expected one value for each of {len(df)} rows"
        )
    found: pd.Index = row_values(df, values, "of", "buckets")
    return found


# ---- The frame ----


def scores_of(keys: pd.DataFrame, by: Any, rows: Rows, settings: ScoreSettings) -> pd.DataFrame:
    """Score the groups of rows by keys."""
    sums = pd.DataFrame(rows.values.T, columns=component_names(settings.orders_read), copy=False)
    sums[SEGMENTS], sums[SEGMENTS_MISSING] = rows.segments, rows.left_out
    groups = sum_groups(keys, sums, by, sort=True, observed=True, dropna=False, margins=False)
    return score_groups(Sums.from_frame(groups, settings.orders_read, nullable=rows.nullable), settings)


def units_of(numbers: NDArray[np.int64], n_groups: int, rows: Rows, settings: ScoreSettings) -> Iterator[Units]:
    """Walk what is resampled of each group; `numbers` are the groups of rows, (n,)."""

    def bleu(sums: NDArray[Any]) -> NDArray[np.float64]:
        return score_sums(whole_sums(sums), settings).score

    for positions in positions_of_groups(numbers, n_groups):
        yield Units(rows.values[np.newaxis, :, positions[~rows.missing[positions]]], bleu)


def index_of(index: pd.Index, name: Hashable, labels: pd.Index | None) -> pd.Index:
    """Name the levels of the result, and its systems."""
    if labels is None:
        return index.rename(name)
    systems = labels.take(index.get_level_values(1).to_numpy(np.int64))
    return pd.MultiIndex.from_arrays([index.get_level_values(0), systems], names=[name, "system"])
