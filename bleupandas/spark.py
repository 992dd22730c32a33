"""The same calls on Spark: functions of its frames, which count inside Spark's tasks.

The counting engine reads the rows of a partition as Arrow (``mapInArrow``). Everything is lazy, but column labels and
options are checked at once. Rows have neither labels nor order in Spark: use `id_vars` to copy columns that identify
them.

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
    FEWEST_REFERENCES,
    MOST_REFERENCES,
    CorpusParts,
    check_table_options,
    components_table,
    count_table,
    find_used_columns,
    list_table_ngrams,
    score_group_sums,
    score_table,
    sum_rows,
    sum_table,
)
from bleupandas.scoring import ScoreSettings
from bleupandas.scoring import corpus as corpus_of
from bleupandas.scoring import score as score_of

try:
    from pyspark import TaskContext
    from pyspark.sql import DataFrame, types
    from pyspark.sql import functions as sql
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
except ImportError as error:
    raise ImportError('bleupandas.spark needs Spark: pip install "bleupandas[spark]", and Java 17') from error

__all__ = ["components", "corpus", "ngrams", "score"]


@like(components_of, threads=1, id_vars=None)
def components(sdf: DataFrame, /, **options: Any) -> DataFrame:
    """Count the components of BLEU of every segment, lazily, like `bleupandas.components`.

    Parameters
    ----------
    sdf : pyspark.sql.DataFrame
        A row per segment.
    hypothesis, references : str
        Columns of ``array<string>``; references of ``array<array<string>>`` as well, or a list of columns.
    max_order, errors, components
        As in `bleupandas.components`.
    threads : int, default 1
        The number of threads that count in a task. Spark runs several tasks at a time.
    id_vars : str or list of str, optional
        Columns of `sdf` to copy to the result, in front of the others.

    Returns
    -------
    pyspark.sql.DataFrame
        Columns of bigint, null where a row cannot be read (``errors="coerce"``).

    Raises
    ------
    KeyError, TypeError, ValueError
        At once for labels and options.
    pyspark.errors.PythonException
        From an action, for a cell that cannot be read. The text holds the error of `bleupandas.components`, with the
        row's position in its partition and the partition's number.

    Examples
    --------
    >>> bleupandas.spark.components(sdf, id_vars="id").write.parquet("components/")  # doctest: +SKIP
    """
    carried = as_label_list(options.pop("id_vars"))
    return apply_to_columns(sdf, components_of, count_rows_in_task, options, carried)


@like(score_of, threads=1, id_vars=None)
def score(sdf: DataFrame, /, **options: Any) -> DataFrame:
    """Score every row as a sentence, lazily, like `bleupandas.score`.

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
        A column "score" of double; for a list of orders, score_1 and so on. It is null where pandas has a missing
        value (``errors="coerce"``).

    Raises
    ------
    KeyError, TypeError, ValueError, pyspark.errors.PythonException
        As in `components`.

    Examples
    --------
    >>> bleupandas.spark.score(sdf, id_vars="id").orderBy("score").show()  # doctest: +SKIP
    """
    carried = as_label_list(options.pop("id_vars"))
    return apply_to_columns(sdf, score_of, score_rows_in_task, options, carried)


@like(ngrams_of, without=("ignore_index",), threads=1)
def ngrams(sdf: DataFrame, /, **options: Any) -> DataFrame:
    """List the distinct n-grams of every segment, lazily, like `bleupandas.ngrams`.

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
        The columns of `bleupandas.ngrams`; `segment` is the position of the row in its partition.

    Raises
    ------
    KeyError, TypeError, ValueError, pyspark.errors.PythonException
        As in `components`, and for a token that contains `sep`.

    Examples
    --------
    >>> found = bleupandas.spark.ngrams(sdf, orders=2, id_vars="system")  # doctest: +SKIP
    >>> found.groupBy("system", "ngram").sum("count").show()  # doctest: +SKIP
    """
    return apply_to_columns(sdf, ngrams_of, list_ngrams_in_task, options, as_label_list(options["id_vars"]))


@like(corpus_of, without=("observed", "margins"), threads=1)
def corpus(sdf: DataFrame, /, **options: Any) -> Any:
    """Score all rows as one corpus, or each group of rows, like `bleupandas.corpus`.

    Spark adds up the components in every task before it sends them.

    Parameters
    ----------
    sdf : pyspark.sql.DataFrame
        A row per segment: token columns, or components columns.
    by : str or list of str
        Return a row for each group of these columns.
    sort : bool, default True
        Sort groups by their keys, null last; with False, they have no order.
    dropna : bool, default False
        Leave out rows with a null key.
    hypothesis, references, errors, threads, components
        As in `components`.
    max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `bleupandas.corpus`.

    Returns
    -------
    CorpusScore, or with `by` a pyspark.sql.DataFrame
        The keys, and the columns of `bleupandas.corpus`, lazily. Without `by` Spark computes at once.

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
    frame, keys = check_frame(sdf, "corpus"), as_label_list(by)
    for key in keys:
        if not isinstance(key, str):
            raise TypeError(f"by has {typed_repr(key)}; on a Spark frame it is a column name, or a list of these")
    check_table_options(corpus_of, frame.columns, options | {"by": keys or None, "sort": sort, "dropna": dropna})
    parts = CorpusParts.from_options(options)
    tokens = frame.select(*find_used_columns(pd.DataFrame(columns=frame.columns), options, keys))
    if not keys:
        sums = apply_in_arrow(tokens, functools.partial(sum_rows_in_task, options, parts.settings), [])
        added = {name: sql.try_sum(name) for name in sums.columns}  # null where it does not fit
        added[FEWEST_REFERENCES] = sql.min(sql.when(sql.col(FEWEST_REFERENCES) > 0, sql.col(FEWEST_REFERENCES)))
        added[MOST_REFERENCES] = sql.max(MOST_REFERENCES)
        [row] = sums.agg(sql.count(sql.lit(1)), *(total.alias(name) for name, total in added.items())).collect()
        return parts.score(pd.DataFrame([check_row_sums(row.asDict(), row[0])]))
    aliases = [f"key {i} in bleupandas" for i in range(len(keys))]
    rows = tokens.withColumns({alias: sql.col(f"`{key}`") for alias, key in zip(aliases, keys, strict=True)})
    counted = apply_in_arrow(
        rows, functools.partial(count_components_in_task, options, parts.settings, aliases), aliases
    )
    counts = counted.columns[len(aliases) :]
    groups = counted.groupBy(*aliases).agg(*(sql.try_sum(name).alias(name) for name in counts))
    groups = groups.dropna(subset=aliases) if dropna else groups
    scored = apply_in_arrow(groups, functools.partial(score_groups_in_task, options, parts.settings, counts), aliases)
    if sort:
        scored = scored.orderBy(*(sql.asc_nulls_last(alias) for alias in aliases))
    return scored.toDF(*keys, *scored.columns[len(keys) :])


# ---- Applying functions to the frame ----


def apply_to_columns(
    sdf: Any, function: Callable[..., Any], work: Callable[..., Any], options: dict[str, Any], carried: list[Any]
) -> Any:
    """Apply a function of Arrow tables to the token columns of a frame, and copy columns.

    Parameters
    ----------
    sdf : pyspark.sql.DataFrame
    function : callable
        The function of a pandas frame that checks labels and options.
    work : callable
        A function of options, a table and the number of rows before it.
    options : dict
        All keywords that `work` takes.
    carried : list of str
        Columns to copy.
    """
    frame = check_frame(sdf, function.__name__)
    shape = check_table_options(function, frame.columns, options)
    given = pd.DataFrame(columns=frame.columns)
    if "id_vars" not in options:  # otherwise `function` has checked them
        results = [str(name) for name in (shape.columns if isinstance(shape, pd.DataFrame) else ["score"])]
        id_columns(given, carried, results, f"frame of {function.__name__}()")
    used = find_used_columns(given, options, carried)
    return apply_in_arrow(frame.select(*used), functools.partial(work, options), carried)


def apply_in_arrow(frame: Any, work: Callable[[Any, int], tuple[Any, Any]], carried: list[str]) -> Any:
    """Apply a function to the rows of every partition, batch by batch.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
    work : callable
        A function of a table and the number of rows of the partition before it. It returns a table, and the row of
        the first table for each of its rows; None if the rows are the same.
    carried : list of str
        Columns to put before those of the result.
    """
    found, _ = work(to_arrow_schema(frame.schema).empty_table(), 0)
    result = from_arrow_schema(found.schema)
    schema = types.StructType([frame.schema[label] for label in carried] + result.fields)
    return frame.mapInArrow(functools.partial(run_task, work, to_arrow_schema(result), carried), schema)


def run_task(
    work: Callable[[Any, int], tuple[Any, Any]], kinds: Any, carried: list[str], batches: Iterator[Any]
) -> Iterator[Any]:
    """Yield the results of one task, in exactly the types of the schema that Spark has."""
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


def count_rows_in_task(options: dict[str, Any], table: Any, before: int) -> tuple[Any, None]:
    """Return the components of every row."""
    return count_table(table, options, before), None


def score_rows_in_task(options: dict[str, Any], table: Any, before: int) -> tuple[Any, None]:
    """Return the score of every row."""
    return score_table(table, options, before), None


def list_ngrams_in_task(options: dict[str, Any], table: Any, before: int) -> tuple[Any, Any]:
    """Return the n-grams of every row."""
    return list_table_ngrams(table, options, before)


def sum_rows_in_task(options: dict[str, Any], settings: ScoreSettings, table: Any, before: int) -> tuple[Any, None]:
    """Return the sum of all rows."""
    total = sum_rows(sum_table(table, "corpus", options, settings, before))
    return pa.table({name: total[name].to_numpy() for name in total}), None


def count_components_in_task(
    options: dict[str, Any], settings: ScoreSettings, keys: list[str], table: Any, before: int
) -> tuple[Any, None]:
    """Return the components and numbers of segments of every row."""
    return components_table(table.drop_columns(keys), options, settings, before), None


def score_groups_in_task(
    options: dict[str, Any], settings: ScoreSettings, counts: list[str], table: Any, before: int
) -> tuple[Any, None]:
    """Return the scores of groups."""
    return score_group_sums(table.select(counts), options, settings), None


def check_row_sums(row: dict[str, Any], n_parts: int) -> dict[str, int]:
    """Return the sums of all parts, 0 without a part; raise ValueError for one that does not fit int64."""
    for name, total in row.items():
        if n_parts and total is None and name != FEWEST_REFERENCES:  # null means an unknown number
            refuse_sum(name)
    return {name: total or 0 for name, total in row.items()}


def check_frame(sdf: object, function: str) -> Any:
    """Return the frame, or raise TypeError for one of another library."""
    if not hasattr(sdf, "mapInArrow"):  # classic Spark and Spark Connect have different classes
        kind = type(sdf).__name__
        raise TypeError(f"{function}() takes a Spark DataFrame here, not {kind}; a pandas DataFrame has df.bleu")
    return sdf
