"""Rows that cannot be read: a hypothesis or all references missing, text instead of tokens, other cells."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleupandas.auditing.findings import Findings
from bleupandas.common import is_missing
from bleupandas.engine import as_list
from bleupandas.reading import TokenColumns, first_white_space, row_problem


def check_unreadable_rows(findings: Findings, tokens: TokenColumns, unreadable: NDArray[np.bool_]) -> None:
    """Find out what is wrong with each unreadable row."""
    for position in np.flatnonzero(unreadable).tolist():
        cells = tokens.cells(position)
        names = list(matching_checks(cells, tokens.nested))
        for name in names or ["unreadable cell"]:
            findings.add(name, [position])
        if not names:
            findings.add_detail("unreadable cell", row_problem(tokens, position).message())
        elif "text instead of tokens" in names:
            findings.add_detail("text instead of tokens", next((cell for cell in cells if isinstance(cell, str)), ""))


def matching_checks(cells: Sequence[Any], nested: Sequence[bool]) -> Iterator[str]:
    """Yield the names of the checks that fit the cells of a row."""
    hypothesis, *references = cells
    if is_missing(hypothesis):
        yield "missing hypothesis"
    if has_text(hypothesis, references, nested):
        yield "text instead of tokens"
    elif not any(has_references(cell, is_nested) for cell, is_nested in zip(references, nested, strict=True)):
        yield "no reference"


def has_text(hypothesis: object, references: Sequence[Any], nested: Sequence[bool]) -> bool:
    """Return whether a cell has text where a token list belongs."""
    if any(isinstance(cell, str) for cell in (hypothesis, *references)):
        return True
    for cell, is_nested in zip(references, nested, strict=True):
        if is_nested and any(isinstance(item, str) for item in as_list(cell) or ()):
            return True
        # A list of texts in a column of token lists: its "tokens" have spaces, those of the hypothesis do not.
        if not is_nested and first_white_space(cell) is not None and first_white_space(hypothesis) is None:
            return True
    return False


def has_references(cell: object, nested: bool) -> bool:
    """Return whether a cell of references has any item, readable or not."""
    if is_missing(cell):
        return False
    items = as_list(cell)
    return not nested or items is None or any(not is_missing(item) for item in items)
