"""The package's functions on Arrow tables, for Polars and Spark: Arrow in, Arrow out.

The function of pandas frames checks options and labels on a frame without rows. Its result shows the columns of the
table to return.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.common import check_errors, check_threads, count_options, refuse_choice
from bleupandas.counting import (
    NgramLister,
    Sums,
    check_orders,
    components,
    count_sums,
    ngrams,
    read_sums,
)
from bleupandas.reading import TokenColumns, arrow_form, reads_components, refuse_sum
from bleupandas.reading import token_columns as token_columns_of
from bleupandas.scaling.corpus_parts import COMPONENT_COLUMNS, SCORE_OPTIONS
from bleupandas.scoring import ScoreSettings, score, score_groups, score_rows, score_settings

Options = dict[str, Any]


def check_table_options(function: Callable[..., Any], columns: Sequence[str], options: Options) -> Any:
    """Return the result of a pandas function for a frame without rows; raise for wrong labels and options."""
    if options.get("ngram") == "tuple":
        refuse_choice("ngram", "tuple", ["text", "list"])
    return function(pd.DataFrame(columns=list(columns)), **options)


def token_columns(table: Any, options: Options, needs: str, before: int) -> TokenColumns:
    """Return the token columns of an Arrow table, without copying them.

    Parameters
    ----------
    table : pyarrow.Table
    options : dict
        With hypothesis and references.
    needs : str
        The function that needs the columns, for errors.
    before : int
        The number of rows of the whole frame before this table; errors show positions in the whole frame.
    """
    labelled = pd.DataFrame(columns=table.column_names)
    labels = token_columns_of(labelled, options["hypothesis"], options["references"], needs).labels
    index = pd.RangeIndex(before, before + table.num_rows)
    found = [arrow_form(table.column(label), index, i == 0) for i, label in enumerate(labels)]
    forms, rows = zip(*found, strict=True)
    return TokenColumns(index, labels, forms, rows, in_pandas=False)


def sum_table(table: Any, function: str, options: Options, settings: ScoreSettings, before: int = 0) -> Sums:
    """Return the components of the rows: counted, or read from components columns."""
    names = ("hypothesis", "references", "errors", "threads", "components")
    count = count_options(**{name: options[name] for name in names})
    labels = pd.DataFrame(columns=table.column_names)
    if not reads_components(labels, count):
        tokens = token_columns(table, options, function, before)
        return count_sums(tokens, settings.orders_read, count.errors, count.threads)
    counts = table.select([name for name in table.column_names if name in COMPONENT_COLUMNS])
    data = {name: pd.Series(pd.arrays.ArrowExtensionArray(counts.column(name))) for name in counts.column_names}
    frame = pd.DataFrame(data, columns=counts.column_names).set_index(pd.RangeIndex(before, before + counts.num_rows))
    count = dataclasses.replace(count, hypothesis=None, references=None, components=True)
    return read_sums(frame, function, count, settings.max_order, settings.orders_for)


def to_arrow_array(values: NDArray[Any], missing: NDArray[np.bool_] | None) -> Any:
    """Return numbers as an Arrow array, null where missing."""
    return pa.array(values, mask=missing if missing is not None and missing.any() else None)


# ---- The functions ----


def count_table(table: Any, options: Options, before: int = 0) -> Any:
    """Return the components of every row as a table of int64 columns, null where a row cannot be read."""
    columns = check_table_options(components, table.column_names, options).columns
    order = (len(columns) - 2) // 2
    settings = score_settings("score", max_order=order, smoothing="none")
    sums = sum_table(table, "components", options, settings, before)
    frame = sums.to_frame()
    return pa.table({name: to_arrow_array(frame[name].to_numpy(), sums.missing) for name in columns})


def score_table(table: Any, options: Options, before: int = 0) -> Any:
    """Return the score of every row as a table of float64 columns, null where pandas has a missing value."""
    shape = check_table_options(score, table.column_names, options)
    several = isinstance(shape, pd.DataFrame)
    orders = list(options["max_order"]) if several else [options["max_order"]]
    given = {name: options[name] for name in SCORE_OPTIONS if name != "max_order"}
    settings = [score_settings("score", max_order=order, **given) for order in orders]
    sums = sum_table(table, "score", options, max(settings, key=lambda one: one.orders_read), before)
    columns = {}
    for name, one in zip(shape.columns if several else ["score"], settings, strict=True):
        found = np.where(sums.missing, np.nan, score_rows(sums, one, name))
        columns[name] = to_arrow_array(found, np.isnan(found) if sums.nullable else None)
    return pa.table(columns)


def list_table_ngrams(table: Any, options: Options, before: int = 0) -> tuple[Any, NDArray[np.int64]]:
    """Return the n-grams of every row as a table without id_vars, and the row of `table` of each n-gram."""
    check_table_options(ngrams, table.column_names, options)
    orders = check_orders(options["orders"], options["max_order"])
    listing = NgramLister(orders, options["side"] == "references", options["ngram"], options["sep"])
    errors, threads = check_errors(options["errors"]), check_threads(options["threads"])
    found, text = listing.list_ngrams(token_columns(table, options, "ngrams", before), errors, threads)
    rows = found["segment"]
    found["segment"] = rows + before
    columns = {name: pa.array(found.get(name, text)) for name in listing.names}
    return pa.table(columns), rows


def components_table(table: Any, options: Options, settings: ScoreSettings, before: int = 0) -> Any:
    """Return the components and numbers of segments of every row, which corpus() adds up, as int64 columns."""
    frame = sum_table(table, "corpus", options, settings, before).to_frame()
    return pa.table({name: np.ascontiguousarray(frame[name].to_numpy()) for name in frame})


def score_group_sums(sums: Any, options: Options, settings: ScoreSettings) -> Any:
    """Return the scores of group sums, a table of components and numbers of segments; null is a sum beyond int64."""
    for name in sums.column_names:
        if sums.column(name).null_count:
            refuse_sum(name)
    frame = pd.DataFrame({name: sums.column(name).to_numpy() for name in sums.column_names})
    nullable = options["errors"] == "coerce"
    scores = score_groups(Sums.from_frame(frame, settings.orders_read, nullable=nullable), settings)
    return pa.table({name: pa.array(scores[name], from_pandas=False) for name in scores})
