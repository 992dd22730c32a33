"""The rows of n-grams in an output, and their size before they are made."""

from collections.abc import Sequence
from json.encoder import encode_basestring
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleupandas.contracts.compact_json import count_json_bytes
from bleupandas.contracts.limits import Strings
from bleupandas.engine import Block, Ngrams

COUNT_FIELDS = ("count", "max_reference_count", "clipped_count")
POWERS_OF_TEN = 10 ** np.arange(1, 19)


class NgramRows:
    """The n-grams of a block as rows of an output.

    Parameters
    ----------
    block : Block
    hypotheses : sequence of token lists
        Those of the block.
    max_order : int
    with_segment : bool
        Whether a row has the position of its segment.
    """

    def __init__(self, block: Block, hypotheses: Sequence[Strings], max_order: int, with_segment: bool) -> None:
        self.ngrams: Ngrams = block.ngrams(range(1, max_order + 1), None, False)
        self.hypotheses = [list(tokens) for tokens in hypotheses]  # they may be tuples
        self.with_segment = with_segment
        counts, reference_counts = self.ngrams.own, self.ngrams.other
        self.columns = [counts, reference_counts, np.minimum(counts, reference_counts)]

    def count_output_bytes(self, output: dict[str, Any]) -> int:
        """Return the size of `output` with these rows, as compact JSON in UTF-8."""
        n_rows = len(self.ngrams.row)
        empty_row: dict[str, Any] = {"segment": 0} if self.with_segment else {}
        empty_row |= {"order": 0, "ngram": []} | dict.fromkeys(COUNT_FIELDS, 0)
        numbers = [*self.columns, self.ngrams.row] if self.with_segment else self.columns
        # An order has one digit, like the 0 in its place.
        size = n_rows * (count_json_bytes(empty_row) - len(numbers))
        size += sum(int(count_digits(values).sum()) for values in numbers)
        size += int(self.count_ngram_bytes().sum()) + max(n_rows - 1, 0)
        return size + count_json_bytes(output | {"ngrams": []})

    def count_ngram_bytes(self) -> NDArray[np.int64]:
        """Return the size of each n-gram's tokens as JSON strings with commas between them, (n_ngrams,)."""
        tokens = [token for tokens in self.hypotheses for token in tokens]
        ends = np.zeros(len(tokens) + 1, np.int64)
        np.cumsum([len(encode_basestring(token).encode()) for token in tokens], out=ends[1:])
        starts = np.cumsum([0, *map(len, self.hypotheses)])
        first = starts[self.ngrams.row] + self.ngrams.first
        sizes: NDArray[np.int64] = ends[first + self.ngrams.order] - ends[first] + self.ngrams.order - 1
        return sizes

    def to_list(self) -> list[dict[str, Any]]:
        """Return the rows as a list of dicts."""
        ngrams, hypotheses = self.ngrams, self.hypotheses
        columns = (ngrams.row, ngrams.order, ngrams.first, *self.columns)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        # Both forms are spelled out for speed: a large output has ten thousand rows.
        if not self.with_segment:
            return [
                {
                    "order": order,
                    "ngram": hypotheses[segment][first : first + order],
                    "count": count,
                    "max_reference_count": reference_count,
                    "clipped_count": clipped,
                }
                for segment, order, first, count, reference_count, clipped in rows
            ]
        return [
            {
                "segment": segment,
                "order": order,
                "ngram": hypotheses[segment][first : first + order],
                "count": count,
                "max_reference_count": reference_count,
                "clipped_count": clipped,
            }
            for segment, order, first, count, reference_count, clipped in rows
        ]


def count_digits(values: NDArray[Any]) -> NDArray[np.int64]:
    """Return the number of digits of whole numbers from 0.

    Examples
    --------
    >>> count_digits(np.array([0, 9, 10, 12345])).tolist()
    [1, 1, 2, 5]
    """
    return np.searchsorted(POWERS_OF_TEN, values, side="right") + 1
