"""The sentence inspector: inspect()."""

from bleupandas.viewing.inspector.inspect import inspect
from bleupandas.viewing.inspector.row_table import plain_columns

__all__ = [
    "inspect",
    "plain_columns",
]
