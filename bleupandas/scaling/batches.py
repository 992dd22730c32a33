"""The package's functions on Arrow tables, for engines that hand their rows over as such: Arrow in, Arrow out.

Options and labels are checked by the function of pandas frames, on a frame without rows; what comes from there is also
what the result looks like.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.common import check_errors, check_threads, refuse_choice
from bleupandas.counting import NgramLister, check_listed_orders, components, ngrams
from bleupandas.reading import TokenColumns, arrow_form, component_names, refuse_sum
from bleupandas.reading import token_columns as token_columns_of
from bleupandas.scaling.partial_sums import COUNTS, SETTINGS
from bleupandas.scoring import (
    ScoreSettings,
    Sums,
    reads_components,
    score,
    score_groups,
    score_rows,
    score_settings,
    sums_of,
    sums_of_tokens,
)

Options = dict[str, Any]


def check_batch_options(function: Callable[..., Any], columns: Sequence[str], options: Options) -> Any:
    """Give the result of a function of a pandas frame for no rows, or raise for labels and options."""
    if options.get("ngram") == "tuple":
        refuse_choice("ngram", "tuple", ["text", "list"])
    return function(pd.DataFrame(columns=list(columns)), **options)


def token_columns(table: Any, options: Options, needs: str, before: int) -> TokenColumns:
    """Find the token columns of an Arrow table; nothing is copied.

    Parameters
    ----------
    table : pyarrow.Table
    options : dict
        With hypothesis and references.
    needs : str
        The function that needs them, for errors.
    before : int
        How many rows of the frame that the table is a part of are before it: its rows are named by their positions.
    """
    labelled = pd.DataFrame(columns=table.column_names)
    labels = token_columns_of(labelled, options["hypothesis"], options["references"], needs).labels
    index = pd.RangeIndex(before, before + table.num_rows)
    found = [arrow_form(table.column(label), index, i == 0) for i, label in enumerate(labels)]
    forms, rows = zip(*found, strict=True)
    return TokenColumns(index, labels, forms, rows, in_pandas=False)


def sum_batch(table: Any, function: str, options: Options, settings: ScoreSettings, before: int = 0) -> Sums:
    """Give the components of the rows: counted, or read from components columns."""
    hypothesis, references = options["hypothesis"], options["references"]
    errors, threads = check_errors(options["errors"]), check_threads(options["threads"])
    labelled = pd.DataFrame(columns=table.column_names)
    if not reads_components(labelled, hypothesis, references, options["components"]):
        tokens = token_columns(table, options, function, before)
        return sums_of_tokens(tokens, settings.orders_read, errors, threads)
    counts = table.select([name for name in table.column_names if name in COUNTS])
    data = {name: pd.Series(pd.arrays.ArrowExtensionArray(counts.column(name))) for name in counts.column_names}
    frame = pd.DataFrame(data, columns=counts.column_names).set_index(pd.RangeIndex(before, before + counts.num_rows))
    return sums_of(frame, function, None, None, True, settings, errors, threads)


def numbers(values: NDArray[Any], missing: NDArray[np.bool_] | None) -> Any:
    """Give an Arrow array of numbers, null where missing."""
    return pa.array(values, mask=missing if missing is not None and missing.any() else None)


# ---- The functions ----


def count_batch(table: Any, options: Options, before: int = 0) -> Any:
    """Give the components of every row as a table of int64 columns, null where a row cannot be read."""
    columns = check_batch_options(components, table.column_names, options).columns
    order = (len(columns) - 2) // 2
    settings = score_settings("score", max_order=order, smoothing="none")
    source = sum_batch(table, "components", options, settings, before)
    return pa.table({name: numbers(row, source.missing) for name, row in zip(columns, source.values, strict=True)})


def score_batch(table: Any, options: Options, before: int = 0) -> Any:
    """Give the score of every row as a table of float64 columns; null where pandas has a missing value."""
    shape = check_batch_options(score, table.column_names, options)
    several = isinstance(shape, pd.DataFrame)
    orders = list(options["max_order"]) if several else [options["max_order"]]
    given = {name: options[name] for name in SETTINGS if name != "max_order"}
    settings = [score_settings("score", max_order=order, **given) for order in orders]
    source = sum_batch(table, "score", options, max(settings, key=lambda one: one.orders_read), before)
    columns = {}
    for name, one in zip(shape.columns if several else ["score"], settings, strict=True):
        found = np.where(source.missing, np.nan, score_rows(source, one, name))
        columns[name] = numbers(found, np.isnan(found) if source.nullable else None)
    return pa.table(columns)


def list_batch(table: Any, options: Options, before: int = 0) -> tuple[Any, NDArray[np.int64]]:
    """Give the n-grams of every row as a table, without id_vars, and the row in `table` that each is of."""
    check_batch_options(ngrams, table.column_names, options)
    orders = check_listed_orders(options["orders"], options["max_order"])
    listing = NgramLister(orders, options["side"] == "references", options["ngram"], options["sep"])
    errors, threads = check_errors(options["errors"]), check_threads(options["threads"])
    found, text = listing.list_ngrams(token_columns(table, options, "ngrams", before), errors, threads)
    rows = found["segment"]
    found["segment"] = rows + before
    columns = {name: pa.array(found.get(name, text)) for name in listing.names}
    return pa.table(columns), rows


def component_sums(table: Any, options: Options, settings: ScoreSettings, before: int = 0) -> Any:
    """Give what corpus() adds up of every row, as a table of int64 columns: components and numbers of segments."""
    source = sum_batch(table, "corpus", options, settings, before)
    columns = dict(zip(component_names(source.orders), source.values, strict=True))
    columns |= {"segments": source.segments, "segments_missing": source.left_out}
    return pa.table({name: np.ascontiguousarray(column) for name, column in columns.items()})


def group_table(sums: Any, options: Options, settings: ScoreSettings) -> Any:
    """Score rows of sums, a table of components and numbers of segments, null where one does not fit int64."""
    for name in sums.column_names:
        if sums.column(name).null_count:
            refuse_sum(name)
    frame = pd.DataFrame({name: sums.column(name).to_numpy() for name in sums.column_names})
    nullable = options["errors"] == "coerce"
    scores = score_groups(Sums.from_frame(frame, settings.orders_read, nullable=nullable), settings)
    return pa.table({name: pa.array(scores[name], from_pandas=False) for name in scores})
