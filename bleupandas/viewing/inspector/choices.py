"""The options of the inspector's dropdowns: pairs of a text and a value."""

from collections.abc import Hashable
from typing import Any

import numpy as np

from bleupandas.common import is_missing
from bleupandas.explaining import CAUSES
from bleupandas.viewing.inspector.filters import MISSING
from bleupandas.viewing.inspector.inspected_data import SMOOTHINGS, InspectedData
from bleupandas.viewing.inspector.row_table import RowTable

ANY_CAUSE = "any cause"
NO_COLUMN = "no column"
ANY_GROUP = "all"
MOST_GROUPS = 1000
LONGEST_TEXT = 40  # characters

Options = list[tuple[str, Any]]


def column_options(table: RowTable, by: Hashable | None, group: Any) -> dict[str, Options]:
    """Return the options for the column of groups, and for its values."""
    return {
        "by": [(NO_COLUMN, None), *((shorten(str(label)), label) for label in table.labels)],
        "group": group_options(table, by, group),
    }


def group_options(table: RowTable, by: Hashable | None, group: Any) -> Options:
    """Return the values of a column, each with its number of rows; only the most frequent if there are too many."""
    if by is None:
        return [(ANY_GROUP, None)]
    try:
        counts = table.series(by).value_counts(dropna=False).iloc[:MOST_GROUPS]
    except TypeError:  # a list after the cells that `plain_columns` reads
        return [(ANY_GROUP, None)]
    pairs = list(zip(counts.index.tolist(), counts.tolist(), strict=True))
    try:
        pairs.sort(key=lambda pair: (is_missing(pair[0]), pair[0]))
    except TypeError:  # values of several types, or missing ones
        pairs.sort(key=lambda pair: (is_missing(pair[0]), str(pair[0])))
    options: Options = [(ANY_GROUP, None)]
    for value, count in pairs:
        name = "(missing)" if is_missing(value) else shorten(str(value))
        options.append((f"{name} ({count:,})", MISSING if is_missing(value) else value))
    if all(group != value for _, value in options):
        options.append((shorten(str(group)), group))
    return options


def setting_options(table: RowTable, data: InspectedData, order: int, main_cause: str) -> dict[str, Options]:
    """Return the options that depend on the settings: causes with their row counts, orders, smoothings, columns."""
    counts = np.bincount(table.cause, minlength=len(CAUSES)).tolist()
    causes = [(f"{cause} ({n:,})", cause) for cause, n in zip(CAUSES, counts, strict=True) if n or cause == main_cause]
    return {
        "main_cause": [(ANY_CAUSE, ""), *causes],
        "order": [(str(order), order) for order in data.orders],
        "smoothing": [(SMOOTHINGS[method], method) for method in data.smoothings(order)],
        "list_columns": [(shorten(str(label)), label) for label in table.choices],
    }


def shorten(text: str) -> str:
    """Return text cut to the length of an option.

    Examples
    --------
    >>> shorten("a" * 50)[-3:]
    'aa…'
    """
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
