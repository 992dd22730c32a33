"""The same calls on Dask: importing this module registers ``ddf.bleu``.

Every partition is a pandas frame, and is counted like any other. Everything is lazy, but column labels and options are
checked at once.

Examples
--------
>>> import bleupandas, bleupandas.dask
>>> import dask.dataframe as dd, pandas as pd, pyarrow as pa
>>> df = bleupandas.load_example()
>>> tokens = pa.list_(pa.string())  # Arrow columns: Dask would turn Python lists into text
>>> df = df.astype({"hypothesis": pd.ArrowDtype(tokens), "references": pd.ArrowDtype(pa.list_(tokens))})
>>> ddf = dd.from_pandas(df, npartitions=4)
>>> print(ddf.bleu.corpus().compute())
BLEU = 29.52 65.3/36.7/22.4/14.1 (BP = 1.000 ratio = 1.028 hyp_len = 6966 ref_len = 6778)
>>> ddf.bleu.corpus(by="system")["score"].compute().round(4).to_dict()
{'direct': 0.3161, 'pivot': 0.2739}
"""

import dataclasses
import functools
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np
import pandas as pd

from bleupandas.common import CountOptions, FrameAccessor, as_method, like, part_of_frame, short_repr
from bleupandas.counting import components as components_of
from bleupandas.counting import ngrams as ngrams_of
from bleupandas.explaining import explain as explain_of
from bleupandas.reading import as_label_list, find_problem, format_columns, mapping, reads_components, token_columns
from bleupandas.scaling import CorpusParts, add_groups, add_parts, find_text_labels, find_used_columns, refuse_undecided
from bleupandas.scoring import corpus as corpus_of
from bleupandas.scoring import score as score_of

try:
    import dask
    import dask.dataframe as dd
    from dask.dataframe.extensions import register_dataframe_accessor
except ImportError as error:
    raise ImportError('bleupandas.dask needs Dask: pip install "bleupandas[dask]"') from error

from bleupandas.scaling.dask_keys import add_keys

try:
    from bleupandas.scaling.dask_parquet import read_token_dictionaries
except ImportError:  # it uses internal names of Dask, which may change; without it Dask reads files as usual

    def read_token_dictionaries(frame: Any, copied: Iterable[Hashable]) -> Any:
        """Return the frame unchanged."""
        return frame


__all__ = ["components", "corpus", "explain", "ngrams", "score"]

PARTITION = "its partition"


@like(components_of, threads=1)
def components(ddf: dd.DataFrame, /, **options: Any) -> dd.DataFrame:
    """Count the components of BLEU of every segment, lazily, like `bleupandas.components`.

    Also a method: ``ddf.bleu.components()``.

    Parameters
    ----------
    ddf : dask.dataframe.DataFrame
        A row per segment.
    hypothesis, references, max_order, errors, components
        As in `bleupandas.components`. In a reference column of Python objects, each partition shows whether it holds
        token lists or lists of token lists; in an Arrow column, the type shows it.
    threads : int, default 1
        The number of threads that count a partition. Dask works on several partitions at a time.

    Returns
    -------
    dask.dataframe.DataFrame
        The columns, dtypes and index are those of pandas; divisions are kept.

    Raises
    ------
    KeyError, TypeError, ValueError
        At once for labels and options, and if Dask has turned token lists into text. ``compute()`` raises for a cell
        that cannot be read; the message has the row's label and its position in the partition.

    Examples
    --------
    >>> import dask, dask.dataframe as dd, pandas as pd, bleupandas.dask
    >>> df = pd.DataFrame({"hypothesis": [["a", "b"], ["c"]], "references": [[["a"]], [["c", "d"]]]}, index=["x", "y"])
    >>> with dask.config.set({"dataframe.convert-string": False}):
    ...     ddf = dd.from_pandas(df, npartitions=2)
    >>> bleupandas.dask.components(ddf, max_order=1).compute()
       candidate_length  reference_length  matches_1  totals_1
    x                 2                 1          1         2
    y                 1                 2          1         1
    """
    return map_partitions(ddf, components_of, options)


@like(ngrams_of, threads=1)
def ngrams(ddf: dd.DataFrame, /, **options: Any) -> dd.DataFrame:
    """List the distinct n-grams of every segment, lazily, like `bleupandas.ngrams`.

    Also a method: ``ddf.bleu.ngrams()``.

    Parameters
    ----------
    ddf : dask.dataframe.DataFrame
        A row per segment.
    hypothesis, references, max_order, errors, threads
        As in `components`.
    orders, side, ngram, sep, id_vars
        As in `bleupandas.ngrams`.
    ignore_index : bool, default False
        Number the rows of each partition from 0, as ``ddf.reset_index`` does.

    Returns
    -------
    dask.dataframe.DataFrame
        The frame of `bleupandas.ngrams`. `segment` is the position of the row in `ddf`, so every partition waits for
        the numbers of rows of those before it.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`, and for a token that contains `sep`.

    Examples
    --------
    >>> import dask, dask.dataframe as dd, pandas as pd, bleupandas.dask
    >>> df = pd.DataFrame({"hypothesis": [["a", "b"], ["c"]], "references": [[["a"]], [["c", "d"]]]})
    >>> with dask.config.set({"dataframe.convert-string": False}):
    ...     ddf = dd.from_pandas(df, npartitions=2)
    >>> bleupandas.dask.ngrams(ddf, orders=1).compute()[["segment", "ngram", "clipped_count"]]
       segment ngram  clipped_count
    0        0     a              1
    0        0     b              0
    1        1     c              1
    """
    carried = as_label_list(options["id_vars"])
    return map_partitions(ddf, ngrams_of, options, carried, positions=True, clear_divisions=options["ignore_index"])


@like(score_of, threads=1)
def score(ddf: dd.DataFrame, /, **options: Any) -> Any:
    """Score every row as a sentence, lazily, like `bleupandas.score`.

    Also a method: ``ddf.bleu.score()``.

    Parameters
    ----------
    ddf : dask.dataframe.DataFrame
        A row per segment: token columns, or components columns.
    hypothesis, references, errors, threads, components
        As in `components`.
    max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `bleupandas.score`.

    Returns
    -------
    dask.dataframe.Series or DataFrame
        The result of `bleupandas.score`.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`, and for an option out of range.

    Examples
    --------
    >>> import dask.dataframe as dd, bleupandas, bleupandas.dask
    >>> df = bleupandas.load_example()
    >>> counted = dd.from_pandas(df.bleu.components(), npartitions=2)
    >>> counted.bleu.score().compute().equals(df.bleu.score())
    True
    """
    return map_partitions(ddf, score_of, options)


@like(explain_of, threads=1)
def explain(ddf: dd.DataFrame, /, **options: Any) -> dd.DataFrame:
    """Explain the score of every row, lazily, like `bleupandas.explain`.

    Also a method: ``ddf.bleu.explain()``.

    Parameters
    ----------
    ddf : dask.dataframe.DataFrame
        A row per segment: token columns, or components columns.
    hypothesis, references, errors, threads, components
        As in `components`.
    max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `bleupandas.score`.

    Returns
    -------
    dask.dataframe.DataFrame
        The frame of `bleupandas.explain`.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `score`.

    Examples
    --------
    >>> import dask.dataframe as dd, bleupandas, bleupandas.dask
    >>> counted = dd.from_pandas(bleupandas.load_example().bleu.components(), npartitions=2)
    >>> counted.bleu.explain()["main_cause"].value_counts().compute().idxmax()
    'word choice'
    """
    return map_partitions(ddf, explain_of, options, positions=options["errors"] == "coerce")


@like(corpus_of, threads=1, split_every=8)
def corpus(ddf: dd.DataFrame, /, **options: Any) -> Any:
    """Score all rows as one corpus, or each group of rows, lazily, like `bleupandas.corpus`.

    Also a method: ``ddf.bleu.corpus()``. Every partition is summed up, and the sums are added up as a tree; rows
    are never collected.

    Parameters
    ----------
    ddf : dask.dataframe.DataFrame
        A row per segment: token columns, or components columns.
    by : label, Dask Series, function of the index label, or list of these
        Return a row for each group. A Series needs the partitions of `ddf`.
    sort, observed, dropna, margins
        As in `bleupandas.corpus`.
    hypothesis, references, errors, threads, components
        As in `components`.
    max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `bleupandas.corpus`.
    split_every : int, default 8
        The number of sums to add up at a time.

    Returns
    -------
    dask.delayed.Delayed, or with `by` dask.dataframe.DataFrame
        A delayed `bleupandas.CorpusScore`; with `by` the frame of `bleupandas.corpus` in one partition.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `score`.

    Examples
    --------
    >>> import dask.dataframe as dd, bleupandas, bleupandas.dask
    >>> df = bleupandas.load_example()
    >>> counted = dd.from_pandas(df.bleu.components().assign(domain=df["domain"]), npartitions=4)
    >>> counted.bleu.corpus().compute().segments
    480
    >>> counted.bleu.corpus(by="domain")["segments"].sum().compute()
    np.int64(480)
    """
    split_every = options.pop("split_every")
    if split_every is not False and (not isinstance(split_every, int) or split_every < 2):
        raise ValueError(
            f"split_every is a whole number of at least 2, or False for no tree, not {short_repr(split_every)}"
        )
    frame, keys = add_keys(check_frame(ddf, "corpus"), options.pop("by"))
    refuse_text(frame._meta, options)
    corpus_of(frame._meta, by=keys.by, **options)  # raises for wrong labels and options
    parts = CorpusParts.from_options(options)
    labels = [key for key in keys.all if not callable(key) and key in frame.columns]
    tokens = read_token_dictionaries(frame[find_used_columns(frame._meta, options, labels)], labels)
    chunk = functools.partial(
        call_in_partition, functools.partial(parts.sum_part, by=keys.by), options, tokens.npartitions
    )
    meta = chunk(tokens._meta)
    if keys.by is None:
        total = tokens.reduction(chunk, add_parts, meta=meta, split_every=split_every)
        return dask.delayed(parts.score, pure=True)(total)
    like = meta.index.set_names(keys.names)
    finish = functools.partial(parts.score_groups, like=like, several=isinstance(keys.by, list))
    added = add_groups
    return tokens.reduction(chunk, finish, added, meta=finish(meta), split_every=split_every)


# ---- Applying functions to the frame ----


def map_partitions(
    ddf: Any,
    function: Callable[..., Any],
    options: dict[str, Any],
    carried: Iterable[Hashable] = (),
    *,
    positions: bool = False,
    clear_divisions: bool = False,
) -> Any:
    """Apply a function of a pandas frame to every partition.

    Parameters
    ----------
    ddf : dask.dataframe.DataFrame
    function : callable
    options : dict
        All keywords of the function.
    carried : iterable of labels
        Columns to read besides the tokens.
    positions : bool
        Whether the result has positions of rows in the whole of `ddf`.
    clear_divisions : bool
        Whether the result gets another index.
    """
    frame = check_frame(ddf, function.__name__)
    refuse_text(frame._meta, options)
    meta = function(frame._meta, **options)  # raises for wrong labels and options
    tokens = read_token_dictionaries(frame[find_used_columns(frame._meta, options, carried)], carried)
    work = functools.partial(call_in_partition, functools.partial(function, **options), options, tokens.npartitions)
    ends = []
    if positions and tokens.npartitions > 1:
        counts = tokens.map_partitions(count_partition_rows, meta=pd.Series([], dtype="int64"), clear_divisions=True)
        ends = [counts.cumsum()]
    return tokens.map_partitions(work, *ends, meta=meta, enforce_metadata=False, clear_divisions=clear_divisions)


def call_in_partition(
    work: Callable[[pd.DataFrame], Any],
    options: dict[str, Any],
    n_partitions: int,
    part: pd.DataFrame,
    ends: "pd.Series[int] | None" = None,
) -> Any:
    """Return the result for one partition; `ends` has the number of rows of `ddf` up to its end."""
    start = 0 if ends is None else int(ends.iloc[0]) - len(part)
    with part_of_frame(start, PARTITION if n_partitions > 1 and ends is None else ""):
        if n_partitions > 1:
            refuse_undecided(part, options)
        result = work(part)
    if start and "segment" in result:
        result["segment"] += start
    if start and "reason" in result:
        place_reasons(result, part, options, start)
    return result


def place_reasons(explained: pd.DataFrame, part: pd.DataFrame, options: dict[str, Any], start: int) -> None:
    """Write the reasons of rows that cannot be read with their positions in the whole of `ddf`."""
    hypothesis, references = options["hypothesis"], options["references"]
    columns = {"hypothesis": hypothesis, "references": references}
    if reads_components(part, CountOptions(**columns, components=options["components"])):
        return
    tokens = token_columns(part, hypothesis, references, "explain")
    reasons = explained["reason"].tolist()
    for position in np.flatnonzero(explained["score"].isna()).tolist():
        problem = find_problem(tokens, position)
        if problem is not None:
            reasons[position] = dataclasses.replace(problem.in_part(start), offer="").message()
    explained["reason"] = pd.Series(reasons, explained.index, explained["reason"].dtype)


def count_partition_rows(part: pd.DataFrame) -> "pd.Series[int]":
    """Return the number of rows of a partition."""
    return pd.Series([len(part)], dtype="int64")


# ---- Checks of Dask frames ----


def check_frame(ddf: object, function: str) -> Any:
    """Return the frame, or raise TypeError for one of another library."""
    if not isinstance(ddf, dd.DataFrame):
        kind = type(ddf).__name__
        raise TypeError(f"{function}() takes a Dask DataFrame here, not {kind}; a pandas DataFrame has df.bleu")
    return ddf


def refuse_text(meta: pd.DataFrame, options: dict[str, Any]) -> None:
    """Raise TypeError if a token column is text; Dask turns Python lists into text by default."""
    texts = find_text_labels(meta.columns, options, lambda label: isinstance(meta[label].dtype, pd.StringDtype))
    if texts:
        raise TypeError(
            f"{format_columns(texts)}: text where token lists are expected. If it held lists, Dask turned "
            "them into text, as in \"['a', 'b']\": give Arrow lists (pd.ArrowDtype), or call "
            "dask.config.set({'dataframe.convert-string': False}) before you make the frame. If it is text, tokenize "
            f"first: ddf = ddf.map_partitions(bleupandas.tokenize, {mapping(texts)})"
        )


@register_dataframe_accessor("bleu")
class BleuDask(FrameAccessor):
    """The methods of ``ddf.bleu``, for a frame with a row per segment; calling it stores columns and options."""

    components = as_method(components)
    ngrams = as_method(ngrams)
    score = as_method(score)
    explain = as_method(explain)
    corpus = as_method(corpus)
