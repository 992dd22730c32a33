"""Token columns of Parquet files as dictionaries: each word once, and a number for every token.

Most files store text like this. Reading it takes a quarter of the time and less memory; the engine counts both forms.
"""

from collections.abc import Collection, Sequence
from typing import Any

# A column chunk with more bytes per value holds words, not only numbers; Arrow would have to look up each word.
MAX_VALUE_BYTES = 3


def open_parquet(path: Any, labels: Collection[str], row_groups: Sequence[int] | None = None) -> Any:
    """Open a Parquet file so that text in list columns is read as dictionaries, if it is stored like that.

    Read several row groups of such columns one after another: Arrow cannot join lists of different dictionaries.

    Parameters
    ----------
    path : str or Path
    labels : list of str
        List columns that are only counted.
    row_groups : list of int, optional
        The row groups to read; all by default.

    Returns
    -------
    pyarrow.parquet.ParquetFile
    """
    import pyarrow.parquet as pq

    metadata = pq.read_metadata(path)
    groups = range(metadata.num_row_groups) if row_groups is None else row_groups
    return pq.ParquetFile(
        path, metadata=metadata, read_dictionary=find_dictionary_paths(metadata, groups, labels), pre_buffer=True
    )


def find_dictionary_paths(metadata: Any, row_groups: Sequence[int], labels: Collection[str]) -> list[str]:
    """Return the paths of text in list columns that all these row groups store as numbers of words."""
    columns = metadata.schema.to_arrow_schema().names
    found = []
    for i in range(metadata.num_columns):
        leaf = metadata.schema.column(i)
        within = [name for name in columns if leaf.path.startswith(f"{name}.")]  # a name may have dots itself
        if leaf.logical_type.type == "STRING" and within and max(within, key=len) in labels:
            chunks = [metadata.row_group(group).column(i) for group in row_groups]
            if all(chunk.total_uncompressed_size <= MAX_VALUE_BYTES * chunk.num_values for chunk in chunks):
                found.append(leaf.path)
    return found
