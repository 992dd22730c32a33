"""The plain Python engine: the definition of every number. It counts where the compiled engine was not built."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from bleupandas.common import is_missing
from bleupandas.engine.interface import INTERFACE as INTERFACE
from bleupandas.engine.interface import (
    MAX_ROW_TOKENS,
    NO_REFERENCE,
    REFERENCE_SURROGATE,
    SURROGATE,
    UNCOUNTED,
    UNREADABLE,
    ArrowLists,
    Cells,
    Contrasts,
    Coverage,
    Ngrams,
    Summary,
)

WHITE_SPACE = frozenset("\t\n\v\f\r ")

Tokens = list[str]


class UnreadableError(Exception):
    """A cell is no token list. The room `reading` reads the row again and finds out what is wrong."""


def as_list(value: object) -> list[object] | tuple[object, ...] | None:
    """Return a list or tuple unchanged, an array (anything with tolist) as a list, and None for anything else."""
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, str) or not hasattr(value, "tolist"):
        return None
    items = value.tolist()
    return items if isinstance(items, list) else None


def read_tokens(cell: object) -> Tokens:
    """Read one token list."""
    items = as_list(cell)
    if items is None:
        raise UnreadableError
    tokens = list(items)  # count what was checked, even if another thread changes the cell
    if not all(isinstance(token, str) and token != "" for token in tokens):
        raise UnreadableError
    return [str.__str__(token) for token in tokens]  # a subclass may have a __str__ of another text


def read_references(cell: object, nested: bool) -> list[Tokens]:
    """Read the references of one cell without the missing ones."""
    if is_missing(cell):
        return []
    if not nested:
        return [read_tokens(cell)]
    items = as_list(cell)
    if items is None:
        raise UnreadableError
    return [read_tokens(item) for item in items if not is_missing(item)]


def has_white_space(tokens: Tokens) -> bool:
    """Return whether a token contains ASCII white space."""
    return any(not WHITE_SPACE.isdisjoint(token) for token in tokens)


def has_surrogate(tokens: Tokens) -> bool:
    """Return whether a token contains a lone surrogate, which UTF-8 cannot encode."""
    return any("\ud800" <= character <= "\udfff" for token in tokens for character in token)


def read_arrow_lists(cells: ArrowLists, row: int) -> list[Tokens]:
    """Read the lists of one row of an Arrow column."""
    if cells.faults[row]:
        raise UnreadableError
    lists = []
    for i in range(cells.rows[row], cells.rows[row + 1]):
        ends = cells.tokens[cells.lists[i] : cells.lists[i + 1] + 1]
        tokens = [bytes(cells.data[a:b]).decode() for a, b in itertools.pairwise(ends)]
        lists.append(read_tokens(tokens))
    return lists


def read_row(hypothesis: Cells, references: Sequence[Cells], nested: Sequence[bool], row: int) -> list[Tokens]:
    """Read one row: the hypothesis, then its references."""
    first = read_arrow_lists(hypothesis, row)[0] if isinstance(hypothesis, ArrowLists) else read_tokens(hypothesis[row])
    lists = [first]
    for cells, is_nested in zip(references, nested, strict=True):
        found = (
            read_arrow_lists(cells, row) if isinstance(cells, ArrowLists) else read_references(cells[row], is_nested)
        )
        # Sentences in a flat cell are untokenized texts, not tokens.
        if not is_nested and any(map(has_white_space, found)) and not has_white_space(first):
            raise UnreadableError
        lists += found
    if sum(map(len, lists)) > MAX_ROW_TOKENS:
        raise UnreadableError
    return lists


def read(
    hypothesis: Cells, references: Sequence[Cells], nested: Sequence[bool], start: int, stop: int, budget: int
) -> "Block":
    """Read rows from start until stop, or until they hold `budget` tokens; at least one row."""
    rows: list[list[Tokens]] = []
    faults = []
    used = 0
    at = start
    while at < stop and (at == start or used < budget):
        try:
            lists = read_row(hypothesis, references, nested, at)
        except UnreadableError:
            lists, fault = [[]], UNREADABLE
        else:
            fault = NO_REFERENCE if len(lists) == 1 else 0
            fault |= SURROGATE if has_surrogate(lists[0]) else 0
            fault |= REFERENCE_SURROGATE if any(map(has_surrogate, lists[1:])) else 0
        rows.append(lists)
        faults.append(fault)
        used += sum(map(len, lists))
        at += 1
    return Block(rows, np.array(faults, np.uint8), at)


def ngram_counts(tokens: Tokens, order: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams of one order, in order of first occurrence."""
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def max_counts(lists: Sequence[Tokens], order: int) -> dict[tuple[str, ...], tuple[int, int]]:
    """Return for each n-gram its largest count in one list, and the first list with that count."""
    most: dict[tuple[str, ...], tuple[int, int]] = {}
    for which, tokens in enumerate(lists):
        for ngram, count in ngram_counts(tokens, order).items():
            if count > most.get(ngram, (0, 0))[0]:
                most[ngram] = (count, which)
    return most


def closest_length(length: int, lists: Sequence[Tokens]) -> int:
    """Return the length closest to `length`, the shorter of two (Papineni et al. 2002, section 2.2.2)."""
    return min((len(tokens) for tokens in lists), key=lambda r: (abs(r - length), r))


def first_positions(tokens: Tokens, order: int) -> dict[tuple[str, ...], int]:
    """Return the first position of each n-gram of one order."""
    firsts: dict[tuple[str, ...], int] = {}
    for i in range(len(tokens) - order + 1):
        firsts.setdefault(tuple(tokens[i : i + order]), i)
    return firsts


class Block:
    """Rows that were read."""

    def __init__(self, rows: list[list[Tokens]], faults: NDArray[np.uint8], stop: int) -> None:
        self._rows = rows
        self.faults = faults
        self.stop = stop

    def reference_counts(self) -> NDArray[np.int32]:
        """Return the number of references of every row, (n_rows,)."""
        return np.array([len(lists) - 1 for lists in self._rows], np.int32)

    def components(self, max_order: int, out: NDArray[np.int64]) -> None:
        """Fill out, (2 + 2 * max_order, n_rows)."""
        out[:] = 0
        for i, (hypothesis, *references) in enumerate(self._rows):
            if self.faults[i] & UNCOUNTED:
                continue
            out[0, i] = len(hypothesis)
            out[1, i] = closest_length(len(hypothesis), references)
            for order in range(1, max_order + 1):
                counts = ngram_counts(hypothesis, order)
                limits = max_counts(references, order)
                out[1 + order, i] = sum(min(count, limits.get(g, (0, 0))[0]) for g, count in counts.items())
                out[1 + max_order + order, i] = max(0, len(hypothesis) - order + 1)

    def ngrams(self, orders: Sequence[int], sep: str | None, references: bool) -> Ngrams:
        """Return the distinct n-grams of the hypotheses, or of the references."""
        fields: list[tuple[int, ...]] = []
        texts = []
        ambiguous = False
        for i, (hypothesis, *others) in enumerate(self._rows):
            if self.faults[i] & UNCOUNTED:
                continue
            own, other = (others, [hypothesis]) if references else ([hypothesis], others)
            ambiguous = ambiguous or (sep is not None and any(sep in token for tokens in own for token in tokens))
            for ngram, facts in list_ngrams(own, other, orders):
                fields.append((i, *facts))
                if sep is not None:
                    texts.append(sep.join(ngram).encode("utf-8", "surrogatepass"))
        row, order, own_count, other_count, first, which = np.array(fields, np.int32).reshape(-1, 6).T
        ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        text = np.frombuffer(b"".join(texts), np.uint8)
        return Ngrams(row, order, own_count, other_count, first, which, ends, text, ambiguous)

    def coverage(self, max_order: int, references: bool) -> Coverage:
        """Return the longest matched n-gram over each token; for references, the longest that the hypothesis has."""
        covered: list[list[list[int]]] = []
        for i, (hypothesis, *others) in enumerate(self._rows):
            if self.faults[i] & UNCOUNTED:
                covered.append([] if references else [[]])
            elif references:
                covered.append([shared_levels(tokens, hypothesis, max_order) for tokens in others])
            else:
                covered.append([matched_levels(hypothesis, others, max_order)])
        lists = [levels for row in covered for levels in row]
        return Coverage(
            np.cumsum([0, *map(len, covered)], dtype=np.int32),
            np.cumsum([0, *map(len, lists)], dtype=np.int32),
            np.array([level for levels in lists for level in levels], np.uint8),
        )


def matched_levels(hypothesis: Tokens, references: Sequence[Tokens], max_order: int) -> list[int]:
    """Return the longest matched n-gram over each token; an n-gram's first occurrences are the matched ones."""
    levels = [0] * len(hypothesis)
    for order in range(1, max_order + 1):
        left = {ngram: count for ngram, (count, _) in max_counts(references, order).items()}
        for at in range(len(hypothesis) - order + 1):
            ngram = tuple(hypothesis[at : at + order])
            if left.get(ngram, 0) > 0:
                left[ngram] -= 1
                levels[at : at + order] = [order] * order
    return levels


def shared_levels(tokens: Tokens, others: Tokens, max_order: int) -> list[int]:
    """Return for each token the longest n-gram over it that the other list has too."""
    levels = [0] * len(tokens)
    for order in range(1, max_order + 1):
        shared = ngram_counts(others, order)
        for at in range(len(tokens) - order + 1):
            if tuple(tokens[at : at + order]) in shared:
                levels[at : at + order] = [order] * order
    return levels


def list_ngrams(
    own: Sequence[Tokens], other: Sequence[Tokens], orders: Sequence[int]
) -> Iterator[tuple[tuple[str, ...], tuple[int, int, int, int, int]]]:
    """Yield the n-grams of one side: (n-gram, (order, own count, other count, first position, reference))."""
    for order in sorted(orders):
        limits = max_counts(other, order)
        firsts = [first_positions(tokens, order) for tokens in own]
        for ngram, (count, which) in max_counts(own, order).items():
            yield ngram, (order, count, limits.get(ngram, (0, 0))[0], firsts[which][ngram], which)


class Tally:
    """The tokens of rows, kept to sum their n-grams."""

    def __init__(self) -> None:
        self._rows: dict[int, list[Tokens]] = {}
        self._size = 0

    def add(self, start: int, block: Block) -> int:
        """Add the rows of a block; return the number of tokens and lists so far."""
        for i, lists in enumerate(block._rows):
            if not block.faults[i] & UNCOUNTED:
                self._rows[start + i] = lists
                self._size += sum(len(tokens) + 1 for tokens in lists)
        return self._size

    def holds(self, text: str) -> bool:
        """Return whether a token contains a text."""
        return any(text in token for lists in self._rows.values() for tokens in lists for token in tokens)

    def summary(
        self, rows: NDArray[np.int64] | None, orders: Sequence[int], min_count: int, sep: str, threads: int
    ) -> Summary:
        """Sum the n-grams of rows."""
        chosen = self._rows.values() if rows is None else [self._rows[i] for i in rows.tolist() if i in self._rows]
        sums: dict[tuple[str, ...], list[int]] = {}
        for hypothesis, *references in chosen:
            for order in orders:
                counts, limits = ngram_counts(hypothesis, order), max_counts(references, order)
                for ngram in counts.keys() | limits.keys():
                    count, most = counts[ngram], limits.get(ngram, (0, 0))[0]
                    clipped = min(count, most)
                    facts = count, clipped, count - clipped, most - clipped, 1, count > most, count < most
                    sums[ngram] = [a + b for a, b in zip(sums.get(ngram, [0] * 7), facts, strict=True)]
        kept = [(ngram, facts) for ngram, facts in sums.items() if facts[0] + facts[3] >= min_count]
        kept.sort(key=lambda item: (len(item[0]), -item[1][0] - item[1][3], item[0]))
        return Summary(*to_arrays(kept, 8, sep))

    def contrasts(
        self,
        pairs: NDArray[np.int64],
        orders: Sequence[int],
        min_count: int,
        sep: str,
        examples: int,
        threads: int,
    ) -> Contrasts:
        """Count for each n-gram which of two systems matches it."""
        sums: dict[tuple[str, ...], list[int]] = {}
        places: dict[tuple[str, ...], list[list[int]]] = {}
        for pair, rows in enumerate(np.asarray(pairs).T.tolist()):
            for order in orders:
                for ngram, facts in compare_matches(self._rows[rows[0]], self._rows[rows[1]], order):
                    there = [int(count > 0) for count in facts]
                    sums[ngram] = [a + b for a, b in zip(sums.get(ngram, [0] * 8), facts + there, strict=True)]
                    for some, wanted in zip(places.setdefault(ngram, [[], [], [], []]), there, strict=True):
                        some += [pair] if wanted and len(some) < examples else []
        kept = [(ngram, facts) for ngram, facts in sums.items() if sum(facts[:4]) >= min_count]
        kept.sort(key=lambda item: (len(item[0]), item[0]))
        named = [pair for ngram, _ in kept for some in places[ngram] for pair in some]
        return Contrasts(*to_arrays(kept, 9, sep), np.array(named, np.int64))


def compare_matches(a: list[Tokens], b: list[Tokens], order: int) -> Iterator[tuple[tuple[str, ...], list[int]]]:
    """Yield the references' n-grams of a pair of rows, with the matches of the first only, second only, both, none."""
    counts = [ngram_counts(row[0], order) for row in (a, b)]
    limits = [max_counts(row[1:], order) for row in (a, b)]
    for ngram in limits[0].keys() | limits[1].keys():
        first, second = (limit.get(ngram, (0, 0))[0] for limit in limits)
        x, y = min(counts[0][ngram], first), min(counts[1][ngram], second)
        yield ngram, [x - min(x, y), y - min(x, y), min(x, y), max(first, second) - max(x, y)]


def to_arrays(
    kept: list[tuple[tuple[str, ...], list[int]]], n_numbers: int, sep: str
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """Return n-grams as numbers, the order first, (n_numbers, n), and as text with its offsets."""
    texts = [sep.join(ngram).encode("utf-8", "surrogatepass") for ngram, _ in kept]
    numbers = np.array([[len(ngram), *facts] for ngram, facts in kept], np.int64).reshape(-1, n_numbers)
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    return np.ascontiguousarray(numbers.T), ends, np.frombuffer(b"".join(texts), np.uint8)


def tally() -> Tally:
    """Return an empty tally."""
    return Tally()
