"""The same calls on Polars: importing this module registers ``df.bleu`` and ``lf.bleu`` of its frames.

Polars hands its columns over as Arrow, where the counting engine reads them; results go back as Arrow. Rows are named
by their positions.

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

from bleupandas.common import Binding, like, method_of, part_of_frame, typed_repr
from bleupandas.counting import components as components_of
from bleupandas.counting import ngrams as ngrams_of
from bleupandas.reading import (
    SEGMENTS,
    SEGMENTS_MISSING,
    WRAPPED,
    as_label_list,
    columns_named,
    component_names,
    mapping,
)
from bleupandas.scaling import (
    Corpus,
    add_parts,
    check_batch_options,
    component_sums,
    count_batch,
    group_table,
    list_batch,
    one_row,
    score_batch,
    sum_batch,
    text_labels,
    used_columns,
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
# Work needs all of its columns and rows, whatever of its result is used; the defaults of older versions differ.
AS_IT_IS: Any = {"predicate_pushdown": False, "projection_pushdown": False, "slice_pushdown": False}

Frame = pl.DataFrame | pl.LazyFrame


@like(components_of)
def components(frame: Frame, /, **options: Any) -> Any:
    """Count what BLEU is made of, a row per segment; as `bleupandas.components`.

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
        As in `bleupandas.components`; of a LazyFrame by ``collect()`` for a cell that cannot be read.

    Examples
    --------
    >>> import polars as pl, bleupandas.polars
    >>> df = pl.DataFrame({"hypothesis": [["a", "b"], ["c"]], "references": [[["a"]], [["c", "d"]]]})
    >>> bleupandas.polars.components(df, max_order=1).rows()
    [(2, 1, 1, 2), (1, 2, 1, 1)]
    """
    return mapped(frame, components_of, count_batch, options)


@like(score_of)
def score(frame: Frame, /, **options: Any) -> Any:
    """Score every row as a sentence; as `bleupandas.score`.

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
    found = mapped(frame, score_of, score_batch, options)
    one = isinstance(found, pl.DataFrame) and found.columns == ["score"]
    return found["score"] if one else found


@like(ngrams_of, without=("ignore_index",))
def ngrams(frame: Frame, /, **options: Any) -> Any:
    """List the distinct n-grams of every segment; as `bleupandas.ngrams`.

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
        Columns of `frame` to carry along, before the others.

    Returns
    -------
    polars.DataFrame, or for a LazyFrame a LazyFrame
        As `bleupandas.ngrams` gives it; `segment` is the position of the row in `frame`.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`; a token that holds `sep`.

    Examples
    --------
    >>> import polars as pl, bleupandas.polars
    >>> df = pl.DataFrame({"id": ["x"], "hypothesis": [["a", "b"]], "references": [[["a", "b"]]]})
    >>> bleupandas.polars.ngrams(df, orders=2, id_vars="id").select("id", "ngram", "clipped_count").rows()
    [('x', 'a b', 1)]
    """
    carried = as_label_list(options["id_vars"])

    def listed(part: pl.DataFrame, before: int) -> pl.DataFrame:
        found, rows = list_batch(arrow(part), options, before)
        kept: Any = part.select(carried)[rows] if carried else []
        return pl.DataFrame([*kept, *pl.DataFrame(found)])

    return applied(frame, ngrams_of, listed, options, carried)


@like(corpus_of, without=("observed", "margins"))
def corpus(frame: Frame, /, **options: Any) -> Any:
    """Score all rows as one corpus, or each group of them; as `bleupandas.corpus`.

    Also a method: ``df.bleu.corpus()``, ``lf.bleu.corpus()``.

    Parameters
    ----------
    frame : polars.DataFrame or LazyFrame
        A row per segment: token columns, or components columns.
    by : str, Polars expression, or list of these
        A row per group.
    sort : bool, default True
        Order groups by their keys, null last; else by their first rows.
    dropna : bool, default False
        Leave out rows with a null key.
    hypothesis, references, errors, threads, components
        As in `components`.
    max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `bleupandas.corpus`.

    Returns
    -------
    CorpusScore, or with `by` a polars.DataFrame, for a LazyFrame a LazyFrame
        The keys, and the columns that `bleupandas.corpus` gives. Without `by` a LazyFrame is collected, batch by batch.

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
    rows = checked_frame(frame, "corpus")
    columns = rows.collect_schema().names()
    check_batch_options(corpus_of, columns, options | {"by": labels or None, "sort": sort, "dropna": dropna})
    job = Corpus.of(options)
    if by is None:

        def summed(part: pl.DataFrame, before: int) -> pl.DataFrame:
            total = one_row(sum_batch(arrow(part), "corpus", options, job.settings, before))
            return pl.DataFrame({name: total[name].to_numpy() for name in total})

        found = collected(applied(frame, corpus_of, summed, options))
        return job.score(add_parts(pd.DataFrame({name: found[name].to_numpy() for name in found.columns})))
    aliases = [KEY.format(i) for i in range(len(several))]
    keys = [expression(key) for key in several]
    rows = rows.with_columns([key.alias(alias) for key, alias in zip(keys, aliases, strict=True)])

    def counted(part: pl.DataFrame, before: int) -> pl.DataFrame:
        counts = component_sums(arrow(part).drop_columns(aliases), options, job.settings, before)
        position = pl.Series(POSITION, np.arange(before, before + len(part)))
        numbers = [pl.Series(name, counts.column(name).to_numpy()) for name in counts.column_names]
        return pl.DataFrame([*map(part.get_column, aliases), position, *numbers])

    groups = applied(rows, corpus_of, counted, options, aliases).lazy()
    counts = [*component_names(job.settings.orders_read), SEGMENTS, SEGMENTS_MISSING]
    groups = groups.group_by(aliases).agg(pl.col(POSITION).min(), *map(fitting_sum, counts))
    if dropna:
        groups = groups.drop_nulls(aliases)
    groups = groups.sort(aliases if sort else POSITION, nulls_last=True).drop(POSITION)

    def finished(part: pl.DataFrame) -> pl.DataFrame:
        table = group_table(arrow(part.drop(aliases)), options, job.settings)
        named_keys = [part[alias].alias(key.meta.output_name()) for alias, key in zip(aliases, keys, strict=True)]
        return pl.DataFrame([*named_keys, *pl.DataFrame(table)])

    empty = pl.DataFrame(schema=groups.collect_schema())
    scored = groups.map_batches(finished, schema=finished(empty).schema, **AS_IT_IS)
    return scored if isinstance(frame, pl.LazyFrame) else collected(scored)


# ---- What they are made of ----


def mapped(frame: Any, function: Callable[..., Any], work: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Apply a function of Arrow tables to a frame."""
    return applied(frame, function, lambda part, before: pl.DataFrame(work(arrow(part), options, before)), options)


def applied(
    frame: Any,
    function: Callable[..., Any],
    work: Callable[[pl.DataFrame, int], pl.DataFrame],
    options: dict[str, Any],
    carried: Iterable[str] = (),
) -> Any:
    """Apply work to a DataFrame at once, or to each batch of a LazyFrame.

    Parameters
    ----------
    frame : polars.DataFrame or LazyFrame
    function : callable
        The function of a pandas frame that checks labels and options.
    work : callable
        Of a part of the frame, and the number of rows before it.
    options : dict
        All keywords.
    carried : iterable of str
        Columns that `work` reads besides tokens.
    """
    rows = checked_frame(frame, function.__name__)
    columns = rows.collect_schema().names()
    check_batch_options(function, columns, options)
    refuse_text(frame, options)
    rows = rows.select(used_columns(pd.DataFrame(columns=columns), options, carried))
    if isinstance(rows, pl.DataFrame):
        return work(rows, 0)

    def in_batch(part: pl.DataFrame) -> pl.DataFrame:
        before = int(part[POSITION][0]) if len(part) else 0
        with part_of_frame(before):
            # No select, drop or group_by in here: while those wait for Polars' threads, it reads ahead, 2 GB in all.
            rest = [column for column in part.get_columns() if column.name != POSITION]
            return work(pl.DataFrame(rest), before)

    schema = work(pl.DataFrame(schema=rows.collect_schema()), 0).schema
    return rows.with_row_index(POSITION).map_batches(in_batch, schema=schema, streamable=True, **AS_IT_IS)


def refuse_text(frame: Frame, options: dict[str, Any]) -> None:
    """Raise TypeError where a token column is text."""
    schema = frame.collect_schema()
    texts = text_labels(schema, options, lambda label: schema[label] in (pl.String, pl.Categorical, pl.Enum))
    if texts:
        split = rf"df = df.with_columns(pl.col({texts!r}).cast(pl.String).str.extract_all(r'\S+'))"
        rows = "df.collect()" if isinstance(frame, pl.LazyFrame) else "df"
        raise TypeError(
            f"{columns_named(texts)}: text where token lists are expected; split it at white space: "
            f"{split}; or tokenize it in pandas: bleupandas.tokenize({rows}.to_pandas(), {mapping(texts)})"
        )


def arrow(part: pl.DataFrame) -> Any:
    """Give a frame as an Arrow table without copying text: in string views, as Polars keeps it."""
    return part.to_arrow(compat_level=pl.CompatLevel.newest())


def fitting_sum(name: str) -> pl.Expr:
    """Return the sum of a column of counts, null where it does not fit int64; Polars itself wraps around."""
    total, as_float = pl.col(name).sum(), pl.col(name).cast(pl.Float64).sum()
    return pl.when((total >= 0) & (as_float < WRAPPED)).then(total).alias(name)


def collected(frame: Any) -> pl.DataFrame:
    """Give a LazyFrame's rows, worked on batch by batch; a DataFrame as it is."""
    return frame.collect(engine="streaming") if isinstance(frame, pl.LazyFrame) else frame


def expression(key: object) -> pl.Expr:
    """Give a key of groups as an expression, or raise."""
    if isinstance(key, str | pl.Expr):
        return pl.col(key) if isinstance(key, str) else key
    raise TypeError(
        f"by has {typed_repr(key)}; on a Polars frame it is a column name, an expression, or a list of these"
    )


def checked_frame(frame: object, function: str) -> Any:
    """Give the frame as it is, or raise."""
    if not isinstance(frame, pl.DataFrame | pl.LazyFrame):
        kind = type(frame).__name__
        raise TypeError(f"{function}() takes a Polars DataFrame or LazyFrame here, not {kind}; pandas has df.bleu")
    return frame


@pl.api.register_lazyframe_namespace("bleu")
@pl.api.register_dataframe_namespace("bleu")
class BleuPolars(Binding):
    """BLEU's statistics of a Polars frame with a row per segment; calling it binds columns and options."""

    components = method_of(components)
    ngrams = method_of(ngrams)
    score = method_of(score)
    corpus = method_of(corpus)
