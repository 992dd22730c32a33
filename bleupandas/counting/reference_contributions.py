"""What each reference of a segment contributes, as arrays: the hypothesis counted with and without it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import CountOptions, is_missing
from bleupandas.counting.object_array import object_array
from bleupandas.counting.sums import Sums, count_sums
from bleupandas.engine import ObjectColumn, as_list
from bleupandas.reading import TokenColumns, changed_problem

# Rows that are split at the same time: limits the memory for their lists.
WINDOW_ROWS = 1 << 14


class Contributions(NamedTuple):
    """What each reference contributes, an item for each segment and reference."""

    segment: NDArray[np.int64]  # position of the row
    reference: NDArray[np.int64]  # position among the references of the segment
    reference_length: NDArray[np.int64]
    closest: NDArray[np.bool_]  # the first reference of the closest length
    matches: NDArray[np.int64]  # (max_order, n) with this reference alone
    only: NDArray[np.int64]  # (max_order, n) that no other reference supplies


def count_contributions(tokens: TokenColumns, count: CountOptions) -> Contributions:
    """Count what each reference contributes, segment by segment; rows that cannot be read contribute nothing."""
    max_order, threads = count.order, count.threads
    rows = count_sums(tokens, max_order, count.errors, threads)
    empty = np.zeros(0, np.int64)
    parts = [(empty, empty, empty, np.zeros((max_order, 0), np.int64), np.zeros((max_order, 0), np.int64))]
    for start in range(0, len(tokens.index), WINDOW_ROWS):
        split = split_references(tokens, start, rows.missing[start : start + WINDOW_ROWS])
        every = np.arange(len(split.segment))
        alone = count_against(tokens, split, split.single, every, max_order, threads)
        with_others = np.flatnonzero([len(others) for others in split.others])
        without = count_against(tokens, split, split.others, with_others, max_order, threads)
        only = alone.matches.copy()  # if there is no other reference
        only[:, with_others] = rows.matches[:, split.segment[with_others]] - without.matches
        parts.append((split.segment, split.reference, alone.reference_length, alone.matches, only))
    segment, reference, reference_length, matches, only = (np.hstack(arrays) for arrays in zip(*parts, strict=True))
    closest = mark_closest(segment, reference_length, rows.reference_length)
    return Contributions(segment, reference, reference_length, closest, matches, only)


def mark_closest(
    segment: NDArray[np.int64], reference_length: NDArray[np.int64], closest_lengths: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return a mask of the first reference of each segment that has the segment's closest length."""
    closest = np.zeros(len(segment), np.bool_)
    equal = np.flatnonzero(reference_length == closest_lengths[segment])
    closest[equal[np.unique(segment[equal], return_index=True)[1]]] = True
    return closest


class SplitReferences(NamedTuple):
    """Rows split by reference, an item for each segment and reference."""

    segment: NDArray[np.int64]
    reference: NDArray[np.int64]
    hypotheses: list[Any]  # cells
    single: list[list[Any]]  # nested cells with this reference
    others: list[list[Any]]  # nested cells with the other references of the segment


def split_references(tokens: TokenColumns, start: int, missing: NDArray[np.bool_]) -> SplitReferences:
    """Split the rows from `start`, as many as `missing` has values, except those that are missing."""
    cells = [form.pylist(start, start + len(missing)) for form in tokens.forms]
    segment, reference, hypotheses, single, others = [], [], [], [], []
    for i in np.flatnonzero(~missing).tolist():
        items = [
            item
            for column, nested in zip(cells[1:], tokens.nested, strict=True)
            for item in list_references(column[i], nested)
        ]
        places = [place for place, item in enumerate(items) if not is_missing(item)]
        lists = [items[place] for place in places]
        for k, (place, item) in enumerate(zip(places, lists, strict=True)):
            segment.append(start + i)
            reference.append(place)
            hypotheses.append(cells[0][i])
            single.append([item])
            others.append(lists[:k] + lists[k + 1 :])
    return SplitReferences(np.array(segment, np.int64), np.array(reference, np.int64), hypotheses, single, others)


def list_references(cell: Any, nested: bool) -> Sequence[Any]:
    """Return the references of a readable cell, missing ones included."""
    if not nested:
        return [cell]
    return () if is_missing(cell) else as_list(cell) or ()


def count_against(
    tokens: TokenColumns,
    split: SplitReferences,
    references: list[list[Any]],
    items: NDArray[np.int64],
    max_order: int,
    threads: int,
) -> Sums:
    """Count the hypotheses of some items against the references of these items."""
    hypotheses = object_array([split.hypotheses[i] for i in items.tolist()])
    chosen = object_array([references[i] for i in items.tolist()])
    forms = (ObjectColumn(hypotheses, False), ObjectColumn(chosen, True))
    rows = TokenColumns(pd.RangeIndex(len(items)), tokens.labels[:2], forms, (None, None))
    sums = count_sums(rows, max_order, "coerce", threads)
    if sums.missing.any():  # each of these rows could be read before
        raise changed_problem(tokens, int(split.segment[items[sums.missing.argmax()]])).error()
    return sums
