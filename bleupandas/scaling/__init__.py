"""Data larger than memory: scan_parquet(), and the shared parts of bleupandas.dask, .polars and .spark."""

from bleupandas.scaling.arrow_tables import (
    check_table_options,
    components_table,
    count_table,
    list_table_ngrams,
    score_group_sums,
    score_table,
    sum_table,
)
from bleupandas.scaling.corpus_parts import (
    COMPONENT_COLUMNS,
    FEWEST_REFERENCES,
    MOST_REFERENCES,
    CorpusParts,
    add_groups,
    add_parts,
    find_text_labels,
    find_used_columns,
    refuse_undecided,
    sum_rows,
)
from bleupandas.scaling.parquet_batches import BATCH_BYTES, BATCH_ROWS, read_frames
from bleupandas.scaling.scan_parquet import scan_parquet

__all__ = [
    "BATCH_BYTES",
    "BATCH_ROWS",
    "COMPONENT_COLUMNS",
    "FEWEST_REFERENCES",
    "MOST_REFERENCES",
    "CorpusParts",
    "add_groups",
    "add_parts",
    "check_table_options",
    "components_table",
    "count_table",
    "find_text_labels",
    "find_used_columns",
    "list_table_ngrams",
    "read_frames",
    "refuse_undecided",
    "scan_parquet",
    "score_group_sums",
    "score_table",
    "sum_rows",
    "sum_table",
]
