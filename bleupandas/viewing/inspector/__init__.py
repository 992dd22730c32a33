"""The sentence inspector: inspect(), its widgets, and the data behind them."""

from bleupandas.viewing.inspector.inspect import inspect
from bleupandas.viewing.inspector.row_table import plain_columns

__all__ = [
    "inspect",
    "plain_columns",
]
