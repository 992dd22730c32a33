"""The counting engines, compiled and plain Python, over blocks of rows."""

from bleupandas.engine.arrow import ArrowColumn, depth, is_list
from bleupandas.engine.blocks import Form, ObjectColumn, map_blocks, read_blocks
from bleupandas.engine.choice import get_engine
from bleupandas.engine.interface import (
    MAX_ROW_TOKENS,
    REFERENCE_SURROGATE,
    SURROGATE,
    UNCOUNTED,
    ArrowLists,
    Block,
    Contrasts,
    Coverage,
    Ngrams,
    Summary,
    Tally,
)
from bleupandas.engine.python import WHITE_SPACE, Tokens, UnreadableError, as_list, read_references, read_row
from bleupandas.engine.show_versions import show_versions

__all__ = [
    "MAX_ROW_TOKENS",
    "REFERENCE_SURROGATE",
    "SURROGATE",
    "UNCOUNTED",
    "WHITE_SPACE",
    "ArrowColumn",
    "ArrowLists",
    "Block",
    "Contrasts",
    "Coverage",
    "Form",
    "Ngrams",
    "ObjectColumn",
    "Summary",
    "Tally",
    "Tokens",
    "UnreadableError",
    "as_list",
    "depth",
    "get_engine",
    "is_list",
    "map_blocks",
    "read_blocks",
    "read_references",
    "read_row",
    "show_versions",
]
