"""Parquet files that Dask reads only to count: tokens are read as dictionaries, which is faster."""

from collections.abc import Hashable, Iterable
from typing import Any

import pandas as pd
import pyarrow as pa
from dask.dataframe.dask_expr import new_collection
from dask.dataframe.dask_expr._expr import Projection
from dask.dataframe.dask_expr.io.parquet import ReadParquetFSSpec
from dask.dataframe.io.parquet.arrow import ArrowDatasetEngine
from fsspec.implementations.local import LocalFileSystem

from bleupandas.engine import depth
from bleupandas.scaling.parquet_dictionaries import open_parquet


class DictionaryEngine(ArrowDatasetEngine):  # type: ignore[misc]  # Dask's is not typed
    """Dask's reader of Parquet, except that token lists of local files become lists of dictionaries."""

    @classmethod
    def _read_table(
        cls,
        path_or_frag: Any,
        fs: Any,
        row_groups: Any,
        columns: Any,
        schema: Any,
        filters: Any,
        partitions: Any,
        partition_keys: Any,
        **options: Any,
    ) -> Any:
        local = isinstance(fs, LocalFileSystem) and isinstance(path_or_frag, str)
        if local and not partitions and not filters:
            labels = [field.name for field in schema if field.name in columns and depth(field.type)]
            groups = None if row_groups == [None] else row_groups
            with open_parquet(path_or_frag, labels, groups) as file:
                parts = [
                    file.read_row_group(group, columns, use_threads=False, use_pandas_metadata=True)
                    for group in (range(file.num_row_groups) if groups is None else groups)
                ]
            if parts:
                return pa.concat_tables(parts)
        return super()._read_table(
            path_or_frag, fs, row_groups, columns, schema, filters, partitions, partition_keys, **options
        )


def read_token_dictionaries(frame: Any, copied: Iterable[Hashable]) -> Any:
    """Return a frame that `DictionaryEngine` reads, if `frame` is only columns of Parquet files; else `frame`.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
        A frame whose lists are only counted.
    copied : labels
        The columns that are copied to a result, and keep their types.
    """
    read = frame.expr
    while isinstance(read, Projection):
        read = read.frame
    kinds = frame._meta.dtypes
    lists = [label for label, kind in kinds.items() if isinstance(kind, pd.ArrowDtype) and depth(kind.pyarrow_dtype)]
    if not isinstance(read, ReadParquetFSSpec) or not lists or not set(lists).isdisjoint(copied):
        return frame
    as_usual = {"engine": "pyarrow", "filters": None, "kwargs": {"dtype_backend": "pyarrow"}}
    if any(read.operand(name) != usual for name, usual in as_usual.items()):
        return frame
    return new_collection(frame.expr.substitute(read, read.substitute_parameters({"engine": DictionaryEngine})))
