"""The rows that pass the filters: their order, the current one's neighbours, and pages of them."""

from collections.abc import Hashable, Sequence

import numpy as np

from bleupandas.common import is_missing
from bleupandas.engine import UnreadableError
from bleupandas.reading import TokenColumns
from bleupandas.viewing.inspector.filters import Mask
from bleupandas.viewing.inspector.row_table import Positions, RowTable
from bleupandas.viewing.inspector.segment_list import Column, Page
from bleupandas.viewing.inspector.tags import Tags


class VisibleRows:
    """The rows that pass the filters, in the order of the list. Only the cells of a page are read.

    Attributes
    ----------
    mask : ndarray of shape (n_rows,), bool
        Which rows pass.
    positions : ndarray of shape (n_visible,)
        Their positions in the frame, in the order of the list.
    sort_by : label or None
    ascending : bool
    """

    def __init__(self, table: RowTable, tokens: TokenColumns) -> None:
        self.table = table
        self.tokens = tokens
        self.update(np.zeros(len(table), np.bool_), None, True)

    def update(self, mask: Mask, sort_by: Hashable | None, ascending: bool) -> None:
        """Change the rows or their order; raise TypeError if a column cannot be sorted."""
        order = self.table.order(sort_by, ascending)
        self.positions: Positions = order[mask[order]]
        self.mask, self.sort_by, self.ascending = mask, sort_by, ascending

    def __len__(self) -> int:
        return len(self.positions)

    def first(self) -> int:
        """Return the position of the first row, -1 if no row passes."""
        return int(self.positions[0]) if len(self) else -1

    def rank(self, position: int) -> int:
        """Return the place of a row in the list, from 0; -1 if it does not pass."""
        if position < 0 or not self.mask[position]:
            return -1
        return int((self.positions == position).argmax())

    def step(self, position: int, by: int) -> int:
        """Return the position of the row `by` places further down, at most the first or last row."""
        if not len(self):
            return -1
        return int(self.positions[min(max(self.rank(position) + by, 0), len(self) - 1)])

    def count_pages(self, size: int) -> int:
        """Return the number of pages, at least 1."""
        return max(-(-len(self) // size), 1)

    def turn_page(self, page: int, direction: str, size: int) -> int:
        """Return the number of the "first", "previous", "next" or "last" page."""
        last = self.count_pages(size) - 1
        return min(max({"first": 0, "previous": page - 1, "next": page + 1, "last": last}[direction], 0), last)

    def page(self, number: int, size: int, labels: Sequence[Hashable], current: int, tags: Tags, error: str) -> Page:
        """Return one page of the list, numbered from 0."""
        positions = self.positions[number * size : (number + 1) * size]
        index = self.table.df.index
        names = " ".join(str(name) for name in index.names if name is not None)
        columns = [
            Column(None, names or "row"),
            *(Column(label, self.table.title(label)) for label in labels),
            Column(None, str(self.tokens.labels[0]), sortable=False),
        ]
        row_labels = [None if is_missing(label) else label for label in index[positions].tolist()]
        hypotheses = [self._hypothesis(int(position)) for position in positions]
        cells = [row_labels, *(self.table.values(label, positions) for label in labels), hypotheses]
        return Page(
            columns=columns,
            cells=list(zip(*cells, strict=True)),
            positions=positions.tolist(),
            current=current,
            sort_by=self.sort_by,
            ascending=self.ascending,
            offset=number * size,
            n_visible=len(self),
            n_rows=len(self.table),
            tags=[tags.get("tag", position) for position in positions.tolist()],
            error=error,
        )

    def _hypothesis(self, position: int) -> list[str]:
        """Return the tokens of a hypothesis, none if it cannot be read."""
        try:
            return self.tokens.lists(position)[0]
        except (UnreadableError, IndexError):
            return []
