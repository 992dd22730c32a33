"""Rows that can be read: their token lists, a window of rows at a time."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bleupandas.common import is_missing
from bleupandas.engine import as_list
from bleupandas.reading import TokenColumns

Tokens = list[str]

WINDOW = 2048  # rows whose cells are Python objects at the same time


class Row(NamedTuple):
    """The token lists of one row."""

    position: int
    hypothesis: Tokens
    references: Sequence[Tokens]
    reference_tokens: set[str]  # the distinct tokens of all references
    source: str  # without white space, empty if there is none
    lacks_reference: bool  # some of its references are missing


def read_windows(
    tokens: TokenColumns, unreadable: NDArray[np.bool_], sources: NDArray[np.object_] | None
) -> Iterator[list[Row]]:
    """Yield the readable rows of one window after another."""
    for start in range(0, len(unreadable), WINDOW):
        cells = zip(*(form.pylist(start, start + WINDOW) for form in tokens.forms), strict=True)
        nested, rows = tokens.nested, []
        for position, (hypothesis, *others) in enumerate(cells, start):
            if unreadable[position]:
                continue
            references, lacks_reference = reference_lists(others, nested)
            distinct = set[str]().union(*references)
            source = "" if sources is None else sources[position]
            rows.append(Row(position, to_list(hypothesis), references, distinct, source, lacks_reference))
        yield rows


def reference_lists(cells: Sequence[Any], nested: Sequence[bool]) -> tuple[list[Tokens], bool]:
    """Return the references of a readable row, and whether some are missing."""
    if len(cells) == 1 and type(cells[0]) is list and set(map(type, cells[0])) == {list}:
        return cells[0], False
    references: list[Tokens] = []
    has_gaps = False
    for cell, is_nested in zip(cells, nested, strict=True):
        items = to_list(cell) if is_nested and not is_gap(cell) else [cell]
        present = [to_list(item) for item in items if not is_gap(item)]
        has_gaps = has_gaps or len(present) < len(items)
        references += present
    return references, has_gaps


def is_gap(cell: Any) -> bool:
    """Return whether a cell, or an item of it, is missing."""
    return type(cell) is not list and is_missing(cell)


def to_list(cell: Any) -> list[Any]:
    """Return a list, tuple or array as a list."""
    return cell if type(cell) is list else list(as_list(cell) or ())
