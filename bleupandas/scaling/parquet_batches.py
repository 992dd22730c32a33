"""Parquet files in batches of bounded memory, as frames of Arrow columns."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from bleupandas.engine import depth, is_list

# The most that a batch holds, approximately. It bounds the memory for files of any size.
BATCH_BYTES = 16 << 20
BATCH_ROWS = 1 << 15

Frames = Iterator[pd.DataFrame]


def read_frames(
    file: Any, columns: Sequence[str], kinds: dict[str, Any] | None = None, rows: int = BATCH_ROWS
) -> Frames:
    """Yield a file in batches, as frames of Arrow columns; at least one frame, which may have no rows.

    Parameters
    ----------
    file : pyarrow.parquet.ParquetFile
    columns : list of str
    kinds : dict, optional
        Types for columns whose Arrow type is null, or lists of null.
    rows : int
        The most rows of a batch.
    """
    metadata = file.metadata
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    most = max(1, min(rows, BATCH_BYTES * metadata.num_rows // max(size, 1)))
    schema = pa.schema([file.schema_arrow.field(name) for name in columns])
    # Arrow cannot join dictionaries in lists, so batches of them end with their row group.
    every = range(metadata.num_row_groups)
    parts = [[group] for group in every] if any(map(has_dictionary, schema.types)) else [list(every)]
    batches = (batch for groups in parts for batch in file.iter_batches(most, row_groups=groups, columns=list(columns)))
    for batch in batches if metadata.num_rows else iter([schema.empty_table()]):
        data = {name: to_plain_column(batch.column(name), (kinds or {}).get(name)) for name in columns}
        series = {name: pd.Series(pd.arrays.ArrowExtensionArray(column)) for name, column in data.items()}
        yield pd.DataFrame(series, columns=list(columns), index=pd.RangeIndex(batch.num_rows))


def to_plain_column(column: Any, kind: Any = None) -> Any:
    """Return an Arrow column as a chunked array, with text as plain strings, which pandas can group."""
    chunks = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    if kind is not None:
        return chunks if depth(column.type) or not is_nothing(column.type) else chunks.cast(kind)
    kind = column.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_string_view(kind):
        kind = pa.large_string()
    return chunks if kind == column.type else chunks.cast(kind)


def has_dictionary(kind: Any) -> bool:
    """Return whether a type is lists of dictionaries."""
    return is_list(kind) and (pa.types.is_dictionary(kind.value_type) or has_dictionary(kind.value_type))


def is_nothing(kind: Any) -> bool:
    """Return whether a type is null, or lists of null."""
    while hasattr(kind, "value_type"):
        kind = kind.value_type
    return bool(pa.types.is_null(kind))
