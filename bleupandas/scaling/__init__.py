"""Larger data: batches, scan_parquet(), and what Dask, Polars and Spark share."""

from bleupandas.scaling.batches import (
    check_batch_options,
    component_sums,
    count_batch,
    group_table,
    list_batch,
    score_batch,
    sum_batch,
)
from bleupandas.scaling.partial_sums import (
    COUNTS,
    FEWEST,
    MOST,
    Corpus,
    add_parts,
    added_groups,
    one_row,
    refuse_undecided,
    text_labels,
    used_columns,
)
from bleupandas.scaling.scan_parquet import BATCH_BYTES, BATCH_ROWS, frames_of, scan_parquet

__all__ = [
    "BATCH_BYTES",
    "BATCH_ROWS",
    "COUNTS",
    "FEWEST",
    "MOST",
    "Corpus",
    "add_parts",
    "added_groups",
    "check_batch_options",
    "component_sums",
    "count_batch",
    "frames_of",
    "group_table",
    "list_batch",
    "one_row",
    "refuse_undecided",
    "scan_parquet",
    "score_batch",
    "sum_batch",
    "text_labels",
    "used_columns",
]
