"""What there is to choose from in the inspector's controls: pairs of a text and a value."""

from collections.abc import Hashable
from typing import Any

import numpy as np

from bleupandas.common import is_missing
from bleupandas.explaining import CAUSES
from bleupandas.viewing.inspector.filters import MISSING
from bleupandas.viewing.inspector.row_table import RowTable
from bleupandas.viewing.inspector.subject import SMOOTHINGS, Subject

ANY_CAUSE = "any cause"
NO_COLUMN = "no column"
ANY_GROUP = "all"
MOST_GROUPS = 1000
LONGEST = 40  # characters

Options = list[tuple[str, Any]]


def column_options(table: RowTable, by: Hashable | None, group: Any) -> dict[str, Options]:
    """Give the columns, and the groups of the chosen one."""
    return {
        "by": [(NO_COLUMN, None), *((cut(str(label)), label) for label in table.labels)],
        "group": group_options(table, by, group),
    }


def group_options(table: RowTable, by: Hashable | None, group: Any) -> Options:
    """Give the values of a column with how often each stands there; of too many the most frequent.

    Examples
    --------
    >>> cut("a" * 50)[-3:]
    'aa…'
    """
    if by is None:
        return [(ANY_GROUP, None)]
    try:
        counts = table.series(by).value_counts(dropna=False).iloc[:MOST_GROUPS]
    except TypeError:  # a list further down
        return [(ANY_GROUP, None)]
    pairs = list(zip(counts.index.tolist(), counts.tolist(), strict=True))
    try:
        pairs.sort(key=lambda pair: (is_missing(pair[0]), pair[0]))
    except TypeError:  # values of several kinds, or missing ones
        pairs.sort(key=lambda pair: (is_missing(pair[0]), str(pair[0])))
    options: Options = [(ANY_GROUP, None)]
    for value, count in pairs:
        name = "(missing)" if is_missing(value) else cut(str(value))
        options.append((f"{name} ({count:,})", MISSING if is_missing(value) else value))
    if all(group != value for _, value in options):
        options.append((cut(str(group)), group))
    return options


def setting_options(table: RowTable, subject: Subject, order: int, main_cause: str) -> dict[str, Options]:
    """Give what depends on the settings: causes with how often each is the main one, orders, smoothings, columns."""
    counts = np.bincount(table.cause, minlength=len(CAUSES)).tolist()
    causes = [(f"{cause} ({n:,})", cause) for cause, n in zip(CAUSES, counts, strict=True) if n or cause == main_cause]
    return {
        "main_cause": [(ANY_CAUSE, ""), *causes],
        "order": [(str(order), order) for order in subject.orders],
        "smoothing": [(SMOOTHINGS[method], method) for method in subject.smoothings(order)],
        "list_columns": [(cut(str(label)), label) for label in table.choices],
    }


def cut(text: str) -> str:
    """Give text no longer than an option may be."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
