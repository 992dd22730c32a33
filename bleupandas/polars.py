"""The same calls on Polars: importing this module registers ``df.bleu`` and ``lf.bleu`` of its frames.

The counting engine reads the columns as Arrow, and results go back as Arrow. Errors show the positions of rows.

Examples
--------
>>> import polars as pl, bleupandas.polars
>>> df = pl.DataFrame({
...     "hypothesis": [["the", "cat", "sat"], ["a", "dog"]],
...     "references": [[["the", "cat", "sits"]], [["a", "dog", "barks"], ["a", "dog"]]],
... })
>>> df.bleu.score(max_order=2).round(4).to_list()
[0.5774, 1.0]
>>> print(df.lazy().bleu.corpus(max_order=2))
BLEU = 73.03 80.0/66.7 (BP = 1.000 ratio = 1.000 hyp_len = 5 ref_len = 5)
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd

from bleupandas.common import FrameAccessor, as_method, like, part_of_frame, typed_repr
from bleupandas.counting import components as components_of
from bleupandas.counting import ngrams as ngrams_of
from bleupandas.reading import (
    SEGMENTS,
    SEGMENTS_MISSING,
    WRAPPED,
    as_label_list,
    component_names,
    format_columns,
    mapping,
)
from bleupandas.scaling import (
    CorpusParts,
    add_parts,
    check_table_options,
    components_table,
    count_table,
    find_text_labels,
    find_used_columns,
    list_table_ngrams,
    score_group_sums,
    score_table,
    sum_rows,
    sum_table,
)
from bleupandas.scoring import corpus as corpus_of
from bleupandas.scoring import score as score_of

try:
    import polars as pl
except ImportError as error:
    raise ImportError('bleupandas.polars needs Polars: pip install "bleupandas[polars]"') from error

__all__ = ["components", "corpus", "ngrams", "score"]

POSITION = "position in bleupandas"
KEY = "key {} in bleupandas"
# A batch needs all of its columns and rows, even if a query uses only some results; older versions differ in defaults.
NO_PUSHDOWN: Any = {"predicate_pushdown": False, "projection_pushdown": False, "slice_pushdown": False}

Frame = pl.DataFrame | pl.LazyFrame


@like(components_of)
def components(frame: Frame, /, **options: Any) -> Any:
    """Count the components of BLEU of every segment, like `bleupandas.components`.

    Also a method: ``df.bleu.components()``, ``lf.bleu.components()``.

    Parameters
    ----------
    frame : polars.DataFrame or LazyFrame
        A row per segment.
    hypothesis, references : str
        Columns of ``List(String)``, Categorical or Enum; references of lists of these as well, or a list of columns.
    max_order, errors, threads, components
        As in `bleupandas.components`.

    Returns
    -------
    polars.DataFrame, or for a LazyFrame a LazyFrame
        Int64 columns, null where a row cannot be read (``errors="coerce"``).

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `bleupandas.components`. For a LazyFrame, ``collect()`` raises for a cell that cannot be read.

    Examples
    --------
    >>> import polars as pl, bleupandas.polars
    >>> df = pl.DataFrame({"hypothesis": [["a", "b"], ["c"]], "references": [[["a"]], [["c", "d"]]]})
    >>> bleupandas.polars.components(df, max_order=1).rows()
    [(2, 1, 1, 2), (1, 2, 1, 1)]
    """
    return apply_to_tables(frame, components_of, count_table, options)


@like(score_of)
def score(frame: Frame, /, **options: Any) -> Any:
    """Score every row as a sentence, like `bleupandas.score`.

    Also a method: ``df.bleu.score()``, ``lf.bleu.score()``.

    Parameters
    ----------
    frame : polars.DataFrame or LazyFrame
        A row per segment: token columns, or components columns.
    hypothesis, references, errors, threads, components
        As in `components`.
    max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `bleupandas.score`.

    Returns
    -------
    polars.Series named "score", for a list of orders a DataFrame; for a LazyFrame a LazyFrame
        Float64; null where pandas has a missing value (``errors="coerce"``).

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`, and for an option out of range.

    Examples
    --------
    >>> import polars as pl, bleupandas.polars
    >>> df = pl.DataFrame({"hypothesis": [["a", "b"]], "references": [[["a", "b"]]]})
    >>> bleupandas.polars.score(df, max_order=2).to_list()
    [1.0]
    """
    found = apply_to_tables(frame, score_of, score_table, options)
    one = isinstance(found, pl.DataFrame) and found.columns == ["score"]
    return found["score"] if one else found


@like(ngrams_of, without=("ignore_index",))
def ngrams(frame: Frame, /, **options: Any) -> Any:
    """List the distinct n-grams of every segment, like `bleupandas.ngrams`.

    Also a method: ``df.bleu.ngrams()``, ``lf.bleu.ngrams()``.

    Parameters
    ----------
    frame : polars.DataFrame or LazyFrame
        A row per segment.
    hypothesis, references, max_order, errors, threads
        As in `components`.
    orders, side, sep
        As in `bleupandas.ngrams`.
    ngram : {"text", "list"}, default "text"
        String or ``List(String)``.
    id_vars : str or list of str, optional
        Columns of `frame` to copy to the result, in front of the others.

    Returns
    -------
    polars.DataFrame, or for a LazyFrame a LazyFrame
        The columns of `bleupandas.ngrams`; `segment` is the position of the row in `frame`.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`, and for a token that contains `sep`.

    Examples
    --------
    >>> import polars as pl, bleupandas.polars
    >>> df = pl.DataFrame({"id": ["x"], "hypothesis": [["a", "b"]], "references": [[["a", "b"]]]})
    >>> bleupandas.polars.ngrams(df, orders=2, id_vars="id").select("id", "ngram", "clipped_count").rows()
    [('x', 'a b', 1)]
    """
    carried = as_label_list(options["id_vars"])

    def list_batch(part: pl.DataFrame, before: int) -> pl.DataFrame:
        found, rows = list_table_ngrams(to_arrow(part), options, before)
        kept: Any = part.select(carried)[rows] if carried else []
        return pl.DataFrame([*kept, *pl.DataFrame(found)])

    return apply_to_batches(frame, ngrams_of, list_batch, options, carried)


@like(corpus_of, without=("observed", "margins"))
def corpus(frame: Frame, /, **options: Any) -> Any:
    """Score all rows as one corpus, or each group of rows, like `bleupandas.corpus`.

    Also a method: ``df.bleu.corpus()``, ``lf.bleu.corpus()``.

    Parameters
    ----------
    frame : polars.DataFrame or LazyFrame
        A row per segment: token columns, or components columns.
    by : str, Polars expression, or list of these
        Return a row for each group.
    sort : bool, default True
        Sort groups by their keys, null last; with False, by their first rows.
    dropna : bool, default False
        Leave out rows with a null key.
    hypothesis, references, errors, threads, components
        As in `components`.
    max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `bleupandas.corpus`.

    Returns
    -------
    CorpusScore, or with `by` a polars.DataFrame, for a LazyFrame a LazyFrame
        The keys, and the columns of `bleupandas.corpus`. Without `by` a LazyFrame is collected, batch by batch.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `score`.

    Examples
    --------
    >>> import polars as pl, bleupandas.polars
    >>> df = pl.DataFrame({"hypothesis": [["a"], ["b"]], "references": [[["a"]], [["c"]]], "system": ["x", "y"]})
    >>> df.bleu.corpus(by="system", max_order=1).select("system", "score").rows()
    [('x', 1.0), ('y', 0.0)]
    """
    by = options.pop("by")
    sort, dropna = options.pop("sort"), options.pop("dropna")
    several = by if isinstance(by, list) else [by]
    labels = [key for key in several if isinstance(key, str)]
    rows = check_frame(frame, "corpus")
    columns = rows.collect_schema().names()
    check_table_options(corpus_of, columns, options | {"by": labels or None, "sort": sort, "dropna": dropna})
    parts = CorpusParts.from_options(options)
    if by is None:

        def sum_batch(part: pl.DataFrame, before: int) -> pl.DataFrame:
            total = sum_rows(sum_table(to_arrow(part), "corpus", options, parts.settings, before))
            return pl.DataFrame({name: total[name].to_numpy() for name in total})

        found = collect(apply_to_batches(frame, corpus_of, sum_batch, options))
        return parts.score(add_parts(pd.DataFrame({name: found[name].to_numpy() for name in found.columns})))
    aliases = [KEY.format(i) for i in range(len(several))]
    keys = [to_expression(key) for key in several]
    rows = rows.with_columns([key.alias(alias) for key, alias in zip(keys, aliases, strict=True)])

    def count_batch(part: pl.DataFrame, before: int) -> pl.DataFrame:
        counts = components_table(to_arrow(part).drop_columns(aliases), options, parts.settings, before)
        position = pl.Series(POSITION, np.arange(before, before + len(part)))
        numbers = [pl.Series(name, counts.column(name).to_numpy()) for name in counts.column_names]
        return pl.DataFrame([*map(part.get_column, aliases), position, *numbers])

    groups = apply_to_batches(rows, corpus_of, count_batch, options, aliases).lazy()
    counts = [*component_names(parts.settings.orders_read), SEGMENTS, SEGMENTS_MISSING]
    groups = groups.group_by(aliases).agg(pl.col(POSITION).min(), *map(sum_or_null, counts))
    if dropna:
        groups = groups.drop_nulls(aliases)
    groups = groups.sort(aliases if sort else POSITION, nulls_last=True).drop(POSITION)

    def score_batch(part: pl.DataFrame) -> pl.DataFrame:
        table = score_group_sums(to_arrow(part.drop(aliases)), options, parts.settings)
        named_keys = [part[alias].alias(key.meta.output_name()) for alias, key in zip(aliases, keys, strict=True)]
        return pl.DataFrame([*named_keys, *pl.DataFrame(table)])

    empty = pl.DataFrame(schema=groups.collect_schema())
    scored = groups.map_batches(score_batch, schema=score_batch(empty).schema, **NO_PUSHDOWN)
    return scored if isinstance(frame, pl.LazyFrame) else collect(scored)


# ---- Applying functions to the frame ----


def apply_to_tables(frame: Any, function: Callable[..., Any], work: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Apply a function of Arrow tables to a frame."""
    return apply_to_batches(
        frame, function, lambda part, before: pl.DataFrame(work(to_arrow(part), options, before)), options
    )


def apply_to_batches(
    frame: Any,
    function: Callable[..., Any],
    work: Callable[[pl.DataFrame, int], pl.DataFrame],
    options: dict[str, Any],
    carried: Iterable[str] = (),
) -> Any:
    """Apply a function to a DataFrame at once, or to each batch of a LazyFrame.

    Parameters
    ----------
    frame : polars.DataFrame or LazyFrame
    function : callable
        The function of a pandas frame that checks labels and options.
    work : callable
        A function of a part of the frame and the number of rows before it.
    options : dict
        All keywords.
    carried : iterable of str
        Columns that `work` reads besides the tokens.
    """
    rows = check_frame(frame, function.__name__)
    columns = rows.collect_schema().names()
    check_table_options(function, columns, options)
    refuse_text(frame, options)
    rows = rows.select(find_used_columns(pd.DataFrame(columns=columns), options, carried))
    if isinstance(rows, pl.DataFrame):
        return work(rows, 0)

    def in_batch(part: pl.DataFrame) -> pl.DataFrame:
        before = int(part[POSITION][0]) if len(part) else 0
        with part_of_frame(before):
            # Avoid select, drop and group_by here: while they wait for its threads, Polars reads ahead up to 2 GB.
            rest = [column for column in part.get_columns() if column.name != POSITION]
            return work(pl.DataFrame(rest), before)

    schema = work(pl.DataFrame(schema=rows.collect_schema()), 0).schema
    return rows.with_row_index(POSITION).map_batches(in_batch, schema=schema, streamable=True, **NO_PUSHDOWN)


def refuse_text(frame: Frame, options: dict[str, Any]) -> None:
    """Raise TypeError if a token column is text."""
    schema = frame.collect_schema()
    texts = find_text_labels(schema, options, lambda label: schema[label] in (pl.String, pl.Categorical, pl.Enum))
    if texts:
        split = rf"df = df.with_columns(pl.col({texts!r}).cast(pl.String).str.extract_all(r'\S+'))"
        rows = "df.collect()" if isinstance(frame, pl.LazyFrame) else "df"
        raise TypeError(
            f"{format_columns(texts)}: text where token lists are expected; split it at white space: "
            f"{split}; or tokenize it in pandas: bleupandas.tokenize({rows}.to_pandas(), {mapping(texts)})"
        )


def to_arrow(part: pl.DataFrame) -> Any:
    """Return a frame as an Arrow table with string views, which needs no copy of the text."""
    return part.to_arrow(compat_level=pl.CompatLevel.newest())


def sum_or_null(name: str) -> pl.Expr:
    """Return the sum of a column of counts, null where it does not fit int64; Polars itself wraps around."""
    total, as_float = pl.col(name).sum(), pl.col(name).cast(pl.Float64).sum()
    return pl.when((total >= 0) & (as_float < WRAPPED)).then(total).alias(name)


def collect(frame: Any) -> pl.DataFrame:
    """Return the rows of a LazyFrame, computed batch by batch; a DataFrame is returned unchanged."""
    return frame.collect(engine="streaming") if isinstance(frame, pl.LazyFrame) else frame


def to_expression(key: object) -> pl.Expr:
    """Return a group key as an expression, or raise."""
    if isinstance(key, str | pl.Expr):
        return pl.col(key) if isinstance(key, str) else key
    raise TypeError(
        f"by has {typed_repr(key)}; on a Polars frame it is a column name, an expression, or a list of these"
    )


def check_frame(frame: object, function: str) -> Any:
    """Return the frame, or raise TypeError for one of another library."""
    if not isinstance(frame, pl.DataFrame | pl.LazyFrame):
        kind = type(frame).__name__
        raise TypeError(f"{function}() takes a Polars DataFrame or LazyFrame here, not {kind}; pandas has df.bleu")
    return frame


@pl.api.register_lazyframe_namespace("bleu")
@pl.api.register_dataframe_namespace("bleu")
class BleuPolars(FrameAccessor):
    """The methods of ``df.bleu`` and ``lf.bleu``; calling it stores columns and options for them."""

    components = as_method(components)
    ngrams = as_method(ngrams)
    score = as_method(score)
    corpus = as_method(corpus)
