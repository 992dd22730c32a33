"""The same calls on Spark: functions of its frames, which count inside of Spark's own tasks.

Spark hands the rows of a partition over as Arrow (``mapInArrow``), where the counting engine reads them. Everything is
lazy; column labels and options are checked at once. Rows have neither labels nor order in Spark: carry columns along
with `id_vars` to know them again.

Examples
--------
>>> from pyspark.sql import SparkSession  # doctest: +SKIP
>>> import bleupandas.spark  # doctest: +SKIP
>>> spark = SparkSession.builder.getOrCreate()  # doctest: +SKIP
>>> sdf = spark.read.parquet("translations/")  # doctest: +SKIP
>>> bleupandas.spark.corpus(sdf, by="system").show()  # doctest: +SKIP
"""

import functools
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pyarrow as pa

from bleupandas.common import like, part_of_frame, typed_repr
from bleupandas.counting import components as components_of
from bleupandas.counting import id_columns
from bleupandas.counting import ngrams as ngrams_of
from bleupandas.reading import as_label_list, refuse_sum
from bleupandas.scaling import (
    FEWEST,
    MOST,
    Corpus,
    check_batch_options,
    component_sums,
    count_batch,
    group_table,
    list_batch,
    one_row,
    score_batch,
    sum_batch,
    used_columns,
)
from bleupandas.scoring import ScoreSettings
from bleupandas.scoring import corpus as corpus_of
from bleupandas.scoring import score as score_of

try:
    from pyspark import TaskContext
    from pyspark.sql import functions as sql
    from pyspark.sql import types
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
except ImportError as error:
    raise ImportError('bleupandas.spark needs Spark: pip install "bleupandas[spark]", and Java 17') from error

__all__ = ["components", "corpus", "ngrams", "score"]


@like(components_of, threads=1, id_vars=None)
def components(sdf: Any, /, **options: Any) -> Any:
    """Count what BLEU is made of, a row per segment; as `bleupandas.components`, lazily.

    Parameters
    ----------
    sdf : pyspark.sql.DataFrame
        A row per segment.
    hypothesis, references : str
        Columns of ``array<string>``; references of ``array<array<string>>`` as well, or a list of columns.
    max_order, errors, components
        As in `bleupandas.components`.
    threads : int, default 1
        How many threads count in a task; Spark itself runs several tasks at a time.
    id_vars : str or list of str, optional
        Columns of `sdf` to carry along, before the others.

    Returns
    -------
    pyspark.sql.DataFrame
        Columns of bigint, null where a row cannot be read (``errors="coerce"``).

    Raises
    ------
    KeyError, TypeError, ValueError
        At once for labels and options.
    pyspark.errors.PythonException
        By an action, for a cell that cannot be read: its text holds the same error as in `bleupandas.components`, with
        the row's position in its partition and the number of that.

    Examples
    --------
    >>> bleupandas.spark.components(sdf, id_vars="id").write.parquet("components/")  # doctest: +SKIP
    """
    carried = as_label_list(options.pop("id_vars"))
    return mapped(sdf, components_of, counted_rows, options, carried)


@like(score_of, threads=1, id_vars=None)
def score(sdf: Any, /, **options: Any) -> Any:
    """Score every row as a sentence; as `bleupandas.score`, lazily.

    Parameters
    ----------
    sdf : pyspark.sql.DataFrame
        A row per segment: token columns, or components columns.
    hypothesis, references, errors, threads, components, id_vars
        As in `components`.
    max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `bleupandas.score`.

    Returns
    -------
    pyspark.sql.DataFrame
        A column "score" of double, for a list of orders score_1 and so on; null where pandas has a missing value
        (``errors="coerce"``).

    Raises
    ------
    KeyError, TypeError, ValueError, pyspark.errors.PythonException
        As in `components`.

    Examples
    --------
    >>> bleupandas.spark.score(sdf, id_vars="id").orderBy("score").show()  # doctest: +SKIP
    """
    carried = as_label_list(options.pop("id_vars"))
    return mapped(sdf, score_of, scored_rows, options, carried)


@like(ngrams_of, without=("ignore_index",), threads=1)
def ngrams(sdf: Any, /, **options: Any) -> Any:
    """List the distinct n-grams of every segment; as `bleupandas.ngrams`, lazily.

    Parameters
    ----------
    sdf : pyspark.sql.DataFrame
        A row per segment.
    hypothesis, references, max_order, errors, threads, id_vars
        As in `components`.
    orders, side, sep
        As in `bleupandas.ngrams`.
    ngram : {"text", "list"}, default "text"
        string or ``array<string>``.

    Returns
    -------
    pyspark.sql.DataFrame
        As `bleupandas.ngrams` gives it; `segment` is the position of the row in its partition.

    Raises
    ------
    KeyError, TypeError, ValueError, pyspark.errors.PythonException
        As in `components`; for a token that holds `sep`.

    Examples
    --------
    >>> found = bleupandas.spark.ngrams(sdf, orders=2, id_vars="system")  # doctest: +SKIP
    >>> found.groupBy("system", "ngram").sum("count").show()  # doctest: +SKIP
    """
    return mapped(sdf, ngrams_of, listed_rows, options, as_label_list(options["id_vars"]))


@like(corpus_of, without=("observed", "margins"), threads=1)
def corpus(sdf: Any, /, **options: Any) -> Any:
    """Score all rows as one corpus, or each group of them; as `bleupandas.corpus`.

    Spark adds up the components, in every task before anything is sent.

    Parameters
    ----------
    sdf : pyspark.sql.DataFrame
        A row per segment: token columns, or components columns.
    by : str or list of str
        A row per group of these columns.
    sort : bool, default True
        Order groups by their keys, null last; else in no order.
    dropna : bool, default False
        Leave out rows with a null key.
    hypothesis, references, errors, threads, components
        As in `components`.
    max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `bleupandas.corpus`.

    Returns
    -------
    CorpusScore, or with `by` a pyspark.sql.DataFrame
        The keys, and the columns that `bleupandas.corpus` gives, lazily. Without `by` Spark works at once.

    Raises
    ------
    KeyError, TypeError, ValueError, pyspark.errors.PythonException
        As in `score`.

    Examples
    --------
    >>> print(bleupandas.spark.corpus(sdf))  # doctest: +SKIP
    >>> bleupandas.spark.corpus(sdf, by=["system", "domain"]).show()  # doctest: +SKIP
    """
    by, sort, dropna = options.pop("by"), options.pop("sort"), options.pop("dropna")
    frame, keys = checked_frame(sdf, "corpus"), as_label_list(by)
    for key in keys:
        if not isinstance(key, str):
            raise TypeError(f"by has {typed_repr(key)}; on a Spark frame it is a column name, or a list of these")
    check_batch_options(corpus_of, frame.columns, options | {"by": keys or None, "sort": sort, "dropna": dropna})
    job = Corpus.of(options)
    tokens = frame.select(*used_columns(pd.DataFrame(columns=frame.columns), options, keys))
    if not keys:
        sums = in_arrow(tokens, functools.partial(part_sums, options, job.settings), [])
        added = {name: sql.try_sum(name) for name in sums.columns}  # null where it does not fit
        added[FEWEST] = sql.min(sql.when(sql.col(FEWEST) > 0, sql.col(FEWEST)))
        added[MOST] = sql.max(MOST)
        [row] = sums.agg(sql.count(sql.lit(1)), *(total.alias(name) for name, total in added.items())).collect()
        return job.score(pd.DataFrame([fitting(row.asDict(), row[0])]))
    aliases = [f"key {i} in bleupandas" for i in range(len(keys))]
    rows = tokens.withColumns({alias: sql.col(f"`{key}`") for alias, key in zip(aliases, keys, strict=True)})
    counted = in_arrow(rows, functools.partial(row_sums, options, job.settings, aliases), aliases)
    counts = counted.columns[len(aliases) :]
    groups = counted.groupBy(*aliases).agg(*(sql.try_sum(name).alias(name) for name in counts))
    groups = groups.dropna(subset=aliases) if dropna else groups
    scored = in_arrow(groups, functools.partial(group_rows, options, job.settings, counts), aliases)
    if sort:
        scored = scored.orderBy(*(sql.asc_nulls_last(alias) for alias in aliases))
    return scored.toDF(*keys, *scored.columns[len(keys) :])


# ---- What they are made of ----


def mapped(
    sdf: Any, function: Callable[..., Any], work: Callable[..., Any], options: dict[str, Any], carried: list[Any]
) -> Any:
    """Apply work on Arrow tables to the token columns of a frame, and carry columns along.

    Parameters
    ----------
    sdf : pyspark.sql.DataFrame
    function : callable
        The function of a pandas frame that checks labels and options.
    work : callable
        Of options, a table and the number of rows before it.
    options : dict
        All keywords that `work` takes.
    carried : list of str
        Columns to carry along.
    """
    frame = checked_frame(sdf, function.__name__)
    shape = check_batch_options(function, frame.columns, options)
    given = pd.DataFrame(columns=frame.columns)
    if "id_vars" not in options:  # else they were checked above
        results = [str(name) for name in (shape.columns if isinstance(shape, pd.DataFrame) else ["score"])]
        id_columns(given, carried, results, f"frame of {function.__name__}()")
    used = used_columns(given, options, carried)
    return in_arrow(frame.select(*used), functools.partial(work, options), carried)


def in_arrow(frame: Any, work: Callable[[Any, int], tuple[Any, Any]], carried: list[str]) -> Any:
    """Apply work to the rows of every partition, batch by batch.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
    work : callable
        Of a table and the number of rows of the partition before it; gives a table, and which row of the first each of
        its rows is of, None if they are the same.
    carried : list of str
        Columns to put before those of the result.
    """
    found, _ = work(to_arrow_schema(frame.schema).empty_table(), 0)
    result = from_arrow_schema(found.schema)
    schema = types.StructType([frame.schema[label] for label in carried] + result.fields)
    return frame.mapInArrow(functools.partial(in_task, work, to_arrow_schema(result), carried), schema)


def in_task(
    work: Callable[[Any, int], tuple[Any, Any]], kinds: Any, carried: list[str], batches: Iterator[Any]
) -> Iterator[Any]:
    """Do the work of one task; what it gives has exactly the types that Spark was told."""
    context = TaskContext.get()
    place = f"partition {context.partitionId()}" if context else ""
    before = 0
    for batch in batches:
        table = pa.Table.from_batches([batch])
        with part_of_frame(before, place):
            found, rows = work(table, before)
        kept = table.select(carried) if rows is None else table.select(carried).take(pa.array(rows))
        columns = [*kept.columns, *found.cast(kinds).columns]
        fields = [*kept.schema, *kinds]
        yield from pa.Table.from_arrays(columns, schema=pa.schema(fields)).combine_chunks().to_batches()
        before += batch.num_rows


def counted_rows(options: dict[str, Any], table: Any, before: int) -> tuple[Any, None]:
    """Count rows."""
    return count_batch(table, options, before), None


def scored_rows(options: dict[str, Any], table: Any, before: int) -> tuple[Any, None]:
    """Score rows."""
    return score_batch(table, options, before), None


def listed_rows(options: dict[str, Any], table: Any, before: int) -> tuple[Any, Any]:
    """List n-grams."""
    return list_batch(table, options, before)


def part_sums(options: dict[str, Any], settings: ScoreSettings, table: Any, before: int) -> tuple[Any, None]:
    """Sum up all rows of a table."""
    total = one_row(sum_batch(table, "corpus", options, settings, before))
    return pa.table({name: total[name].to_numpy() for name in total}), None


def row_sums(
    options: dict[str, Any], settings: ScoreSettings, keys: list[str], table: Any, before: int
) -> tuple[Any, None]:
    """Give what is added up of every row."""
    return component_sums(table.drop_columns(keys), options, settings, before), None


def group_rows(
    options: dict[str, Any], settings: ScoreSettings, counts: list[str], table: Any, before: int
) -> tuple[Any, None]:
    """Score groups."""
    return group_table(table.select(counts), options, settings), None


def fitting(row: dict[str, Any], n_parts: int) -> dict[str, int]:
    """Return the sums of all parts, 0 without a part; raise ValueError for one that does not fit int64."""
    for name, total in row.items():
        if n_parts and total is None and name != FEWEST:  # which is null where the number is not known
            refuse_sum(name)
    return {name: total or 0 for name, total in row.items()}


def checked_frame(sdf: object, function: str) -> Any:
    """Give the frame as it is, or raise."""
    if not hasattr(sdf, "mapInArrow"):  # classic and Spark Connect have frames of their own
        kind = type(sdf).__name__
        raise TypeError(f"{function}() takes a Spark DataFrame here, not {kind}; a pandas DataFrame has df.bleu")
    return sdf
