"""Which rows are listed, in which order, and what one page of them shows."""

from collections.abc import Hashable, Sequence

import numpy as np

from bleupandas.common import is_missing
from bleupandas.engine import UnreadableError
from bleupandas.reading import TokenColumns
from bleupandas.viewing.inspector.filters import Mask
from bleupandas.viewing.inspector.row_table import Positions, RowTable
from bleupandas.viewing.inspector.segment_list import Column, Page
from bleupandas.viewing.inspector.tags import Tags


class Listing:
    """The listed rows; only the cells of a page are ever read.

    Attributes
    ----------
    mask : ndarray of bool, (n_rows,)
    positions : ndarray of shape (n_listed,)
        Sorted.
    sort_by, ascending
        How.
    """

    def __init__(self, table: RowTable, tokens: TokenColumns) -> None:
        self.table = table
        self.tokens = tokens
        self.update(np.zeros(len(table), np.bool_), None, True)

    def update(self, mask: Mask, sort_by: Hashable | None, ascending: bool) -> None:
        """List other rows, or in another order; TypeError where a column cannot be sorted."""
        order = self.table.order(sort_by, ascending)
        self.positions: Positions = order[mask[order]]
        self.mask, self.sort_by, self.ascending = mask, sort_by, ascending

    def __len__(self) -> int:
        return len(self.positions)

    def first(self) -> int:
        """Give the position of the first listed row, -1 where there is none."""
        return int(self.positions[0]) if len(self) else -1

    def rank(self, position: int) -> int:
        """Give the place of a row in the list, from 0; -1 where it is not listed."""
        if position < 0 or not self.mask[position]:
            return -1
        return int((self.positions == position).argmax())

    def stepped(self, position: int, by: int) -> int:
        """Give the position of the row so many places further, at most the first or last one."""
        if not len(self):
            return -1
        return int(self.positions[min(max(self.rank(position) + by, 0), len(self) - 1)])

    def pages(self, size: int) -> int:
        """Give how many pages there are, at least one."""
        return max(-(-len(self) // size), 1)

    def turned(self, page: int, where: str, size: int) -> int:
        """Return the number of the "first", "previous", "next" or "last" page."""
        last = self.pages(size) - 1
        return min(max({"first": 0, "previous": page - 1, "next": page + 1, "last": last}[where], 0), last)

    def page(self, number: int, size: int, labels: Sequence[Hashable], selected: int, tags: Tags, error: str) -> Page:
        """Give one page, numbered from 0."""
        positions = self.positions[number * size : (number + 1) * size]
        index = self.table.df.index
        names = " ".join(str(name) for name in index.names if name is not None)
        columns = [
            Column(None, names or "row"),
            *(Column(label, self.table.title(label)) for label in labels),
        ]
        columns.append(Column(None, str(self.tokens.labels[0]), sortable=False))
        cells = [index[positions].tolist(), *(self.table.values(label, positions) for label in labels)]
        cells[0] = [None if is_missing(label) else label for label in cells[0]]
        cells.append([self._tokens(int(position)) for position in positions])
        return Page(
            columns=columns,
            cells=list(zip(*cells, strict=True)),
            positions=positions.tolist(),
            selected=selected,
            sort_by=self.sort_by,
            ascending=self.ascending,
            first=number * size,
            shown=len(self),
            total=len(self.table),
            tags=[tags.get("tag", position) for position in positions.tolist()],
            error=error,
        )

    def _tokens(self, position: int) -> list[str]:
        try:
            return self.tokens.lists(position)[0]
        except (UnreadableError, IndexError):
            return []
