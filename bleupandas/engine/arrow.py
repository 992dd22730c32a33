"""Arrow columns of token lists, as views of their buffers."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from bleupandas.engine.interface import UNREADABLE, ArrowLists

# Flattening more rows than this at once gains nothing and would copy more of a column that has to be cast.
WINDOW_TOKENS = 1 << 20


def is_list(kind: pa.DataType) -> bool:
    """Return whether an Arrow type is one of the list types."""
    types = pa.types
    views = types.is_list_view(kind) or types.is_large_list_view(kind)
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind) or views)


def is_text(kind: pa.DataType) -> bool:
    """Return whether an Arrow type is text: string, large_string, string_view, or a dictionary of one of them."""
    types = pa.types
    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def depth(kind: pa.DataType) -> int:
    """Return how many lists surround the text of an Arrow type: 1 for token lists, 0 for other types."""
    levels = 0
    while is_list(kind):
        kind = kind.value_type
        levels += 1
    return levels if is_text(kind) else 0


class ArrowColumn:
    """A column of lists of tokens, or of lists of lists of them.

    Parameters
    ----------
    array : pyarrow.Array or pyarrow.ChunkedArray
        Of a type whose `depth` is 1 or 2.
    is_hypothesis : bool
        If true, a missing cell is a fault; otherwise the row lacks this reference.
    """

    def __init__(self, array: Any, is_hypothesis: bool) -> None:
        self.array = array
        self.is_hypothesis = is_hypothesis
        self.nested = depth(array.type) == 2

    def __len__(self) -> int:
        return len(self.array)

    def cells(self, start: int, stop: int) -> ArrowLists:
        """View rows start..stop; only forms without plain offsets (views, dictionaries) are copied."""
        part = contiguous(self.array.slice(start, stop - start))
        faults = np.zeros(len(part), np.uint8)
        if self.nested:
            inner = part.flatten()
            rows, lists = to_offsets(list_lengths(part)), list_lengths(inner)
            if inner.null_count:  # a missing reference is left out
                there = np.asarray(inner.is_valid())
                rows, lists = to_offsets(there)[rows], lists[there]
            lists, leaf = to_offsets(lists), inner.flatten()
        else:
            lists, leaf = to_offsets(list_lengths(part)), part.flatten()
            rows = np.arange(len(part) + 1, dtype=np.int64)
            if part.null_count:
                missing = np.asarray(part.is_null())
                if self.is_hypothesis:
                    faults[missing] = UNREADABLE
                else:
                    rows, lists = to_offsets(~missing), lists[np.r_[True, ~missing]]
        leaf = plain_text(leaf)
        if leaf.null_count:
            holes = np.flatnonzero(np.asarray(leaf.is_null()))
            in_list = np.searchsorted(lists, holes, "right") - 1
            faults[np.searchsorted(rows, in_list, "right") - 1] = UNREADABLE
        return ArrowLists(rows, lists, *text_buffers(leaf), faults)

    def pylist(self, start: int, stop: int) -> list[Any]:
        """Return rows start..stop as Python objects, None where missing."""
        cells: list[Any] = self.array.slice(start, stop - start).to_pylist()
        return cells

    def window(self, start: int, stop: int) -> int:
        """Return the end of the rows from start that are worth viewing at once; at least one row."""
        while stop - start > 1:
            part = contiguous(self.array.slice(start, stop - start)).flatten()
            if self.nested:
                part = part.flatten()
            if len(part) <= WINDOW_TOKENS:
                break
            stop = start + (stop - start) // 2
        return stop

    def lengths(self) -> NDArray[np.int64]:
        """Return the number of items of every cell, 0 where missing; (n_rows,)."""
        chunks = self.array.chunks if isinstance(self.array, pa.ChunkedArray) else [self.array]
        return np.concatenate([np.zeros(0, np.int64), *map(list_lengths, chunks)])


def contiguous(part: Any) -> Any:
    """Return a slice that may be chunked as one array."""
    if isinstance(part, pa.ChunkedArray):
        part = part.chunk(0) if part.num_chunks == 1 else part.combine_chunks()
        if isinstance(part, pa.ChunkedArray):  # some versions keep a chunked array
            part = part.chunk(0) if part.num_chunks else pa.array([], part.type)
    return part


def to_offsets(lengths: Any) -> NDArray[np.int64]:
    """Return offsets, (n + 1,), of lengths, (n,)."""
    ends = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=ends[1:])
    return ends


def list_lengths(array: Any) -> NDArray[np.int64]:
    """Return the length of every list, 0 where missing; (n,).

    They add up to the length of `array.flatten()`, which leaves out values of missing lists and values outside of a
    slice, for every list type.
    """
    if hasattr(array, "sizes"):  # a view: not every supported version computes the lengths of those
        lengths = np.array(array.sizes, dtype=np.int64)
        if array.null_count:
            lengths[np.asarray(array.is_null())] = 0
        return lengths
    measured = pc.list_value_length(array)
    return np.asarray(measured.fill_null(0) if measured.null_count else measured, dtype=np.int64)


def plain_text(leaf: Any) -> Any:
    """Return text as string or large_string."""
    kind = leaf.type
    if pa.types.is_dictionary(kind):
        if pa.types.is_string_view(kind.value_type):  # whose values no version can gather
            leaf = pa.DictionaryArray.from_arrays(leaf.indices, plain_text(leaf.dictionary))
        return plain_text(leaf.dictionary_decode())
    if not pa.types.is_string_view(kind):
        return leaf
    try:
        return leaf.cast(pa.large_string())
    except pa.ArrowNotImplementedError:  # versions that only store views
        return pa.array(leaf.to_pylist(), pa.large_string())


def text_buffers(leaf: Any) -> tuple[Any, NDArray[np.uint8]]:
    """Return the offsets, (n + 1,) of 32 or 64 bits, and the bytes of a string array."""
    _, offsets, data = leaf.buffers()
    kind = np.int32 if pa.types.is_string(leaf.type) else np.int64
    if offsets is None or offsets.size == 0:  # an empty array needs no buffers
        ends = np.zeros(1, kind)
    else:
        ends = np.frombuffer(offsets, kind, len(leaf) + 1, leaf.offset * np.dtype(kind).itemsize)
    return ends, np.frombuffer(data, np.uint8) if data is not None and data.size else np.empty(0, np.uint8)
