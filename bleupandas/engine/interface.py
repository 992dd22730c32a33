"""The interface of both counting engines: the types of a block of rows, and of what is counted in it."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

# Both engines carry this number. A different one means a stale compiled file, which the first use reports.
INTERFACE = 3

# Fault bits of a row. A row with one of the first two is not counted; the room `reading` finds out what is wrong.
UNREADABLE = 1
NO_REFERENCE = 2
# Lone surrogates count exactly, but no UTF-8 text can hold them.
SURROGATE = 4
REFERENCE_SURROGATE = 8
UNCOUNTED = UNREADABLE | NO_REFERENCE

# Positions are 32 bits wide; a row of more tokens than this, its references included, is unreadable.
MAX_ROW_TOKENS = 2**30


class ArrowLists(NamedTuple):
    """Token lists of a run of rows in Arrow's layout: views of a column's buffers.

    Row i holds lists rows[i]..rows[i + 1], list j tokens lists[j]..lists[j + 1], token k the bytes
    tokens[k]..tokens[k + 1] of data.
    """

    rows: NDArray[np.int64]  # (n_rows + 1,) into lists
    lists: NDArray[np.int64]  # (n_lists + 1,) into tokens
    tokens: NDArray[np.int32] | NDArray[np.int64]  # (n_tokens + 1,) into data
    data: NDArray[np.uint8]
    faults: NDArray[np.uint8]  # (n_rows,)


Cells = list[object] | ArrowLists


class Ngrams(NamedTuple):
    """Distinct n-grams of a block of rows: by row, order, first occurrence.

    `own` and `other` are counts on the side that is listed and on the side that it is compared with: for the
    hypothesis side count and max_reference_count, for the references' side max_reference_count and count.
    """

    row: NDArray[np.int32]  # (n_ngrams,) counted from the block's first row
    order: NDArray[np.int32]
    own: NDArray[np.int32]
    other: NDArray[np.int32]
    first: NDArray[np.int32]  # first position in its list, in tokens
    reference: NDArray[np.int32]  # the reference that has it most often, the first of several; 0 for hypotheses
    offsets: NDArray[np.int64]  # (n_ngrams + 1,) into text; (1,) if no text was requested
    text: NDArray[np.uint8]
    ambiguous: bool  # a token of the listed side contains the separator: the text is not usable


class Coverage(NamedTuple):
    """For each token of one side of a block the longest n-gram that covers it, in the layout of the token lists.

    Row i holds lists rows[i]..rows[i + 1], list j the values lists[j]..lists[j + 1]. Of hypotheses every row holds one
    list; a row that cannot be counted holds an empty one of hypotheses, none of references.
    """

    rows: NDArray[np.int32]  # (n_rows + 1,) into lists
    lists: NDArray[np.int32]  # (n_lists + 1,) into values
    values: NDArray[np.uint8]  # by token: the order of the longest n-gram, 0 for none


class Summary(NamedTuple):
    """Distinct n-grams of both sides of many rows, summed over the rows.

    By order, then count + missing, the larger first, then the tokens, one after another by their UTF-8 bytes.
    """

    # (8, n_ngrams): order, count (in the hypotheses), clipped_count, over_produced (count - clipped_count), missing
    # (sum over rows of max(0, max_reference_count - count)); rows in which a side has it; in which the hypothesis has
    # it more often than any reference; in which a reference has it more often
    numbers: NDArray[np.int64]
    offsets: NDArray[np.int64]  # (n_ngrams + 1,) into text
    text: NDArray[np.uint8]


class Contrasts(NamedTuple):
    """Distinct n-grams of the references of pairs of rows, and which of two systems matches them.

    By order, then the tokens, one after another by their UTF-8 bytes.
    """

    # (9, n_ngrams): order; how often it is matched by the first system only, the second only, both, neither (clipped
    # counts a and b, m the larger max_reference_count: a - min(a, b), b - min(a, b), min(a, b), m - max(a, b), summed
    # over pairs); in how many pairs each of the four is above 0
    numbers: NDArray[np.int64]
    offsets: NDArray[np.int64]  # (n_ngrams + 1,) into text
    text: NDArray[np.uint8]
    # For each n-gram and each of the four the first pairs, as many as there are and are asked for, end to end
    examples: NDArray[np.int64]


class Block(Protocol):
    """Rows that were read: owns copies of objects' tokens, or holds Arrow's buffers; immutable."""

    @property
    def stop(self) -> int:
        """First row not read: the token budget ended the block."""

    @property
    def faults(self) -> NDArray[np.uint8]:
        """Fault bits, (n_rows,)."""

    def reference_counts(self) -> NDArray[np.int32]:
        """Return the number of references of every row, (n_rows,); it has no meaning if the row cannot be read."""

    def components(self, max_order: int, out: NDArray[np.int64]) -> None:
        """Fill out, (2 + 2 * max_order, n_rows); rows that cannot be counted get 0."""

    def ngrams(self, orders: Sequence[int], sep: str | None, references: bool) -> Ngrams:
        """Return the distinct n-grams of the hypotheses, or of the references."""

    def coverage(self, max_order: int, references: bool) -> Coverage:
        """Return the longest matched n-gram over each token; for references, the longest that the hypothesis has."""


class Tally(Protocol):
    """The tokens of rows, kept to sum their n-grams: some 16 bytes a token while it works."""

    def add(self, start: int, block: Any, /) -> int:
        """Add the rows of a block that begins with row `start`; return the number of tokens and lists so far.

        Threads may add at once, in any order, before the first summary. Rows that cannot be counted are left out.
        """

    def holds(self, text: str) -> bool:
        """Return whether a token contains a text."""

    def summary(
        self, rows: NDArray[np.int64] | None, orders: Sequence[int], min_count: int, sep: str, threads: int
    ) -> Summary:
        """Sum the n-grams of rows, or of all rows for None; `rows` ascend, and no token contains `sep`.

        N-grams whose count + missing is below min_count are left out.
        """

    def contrasts(
        self,
        pairs: NDArray[np.int64],
        orders: Sequence[int],
        min_count: int,
        sep: str,
        examples: int,
        threads: int,
    ) -> Contrasts:
        """Count for each n-gram which of two systems matches it.

        `pairs` are (2, n_pairs) rows, no row twice. No token contains `sep`.

        N-grams with fewer than min_count occurrences, matched by the first, the second, both or neither, are left out.
        """


class Engine(Protocol):
    """A counting engine: a module with these names."""

    INTERFACE: int

    def read(
        self,
        hypothesis: Cells,
        references: Sequence[Cells],
        nested: Sequence[bool],
        start: int,
        stop: int,
        budget: int,
    ) -> Block:
        """Read rows from start until stop, or until they hold `budget` tokens; at least one row."""

    def tally(self) -> Tally:
        """Return an empty tally."""
