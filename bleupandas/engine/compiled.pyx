# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: freethreading_compatible=True, embedsignature=True
"""The compiled counting engine: blocks of rows in Arrow's layout, counted without the GIL.

Reading holds the GIL and copies every token of a Python object as UTF-8, so that nothing is borrowed from objects that
another thread may change; Arrow's buffers are used where they lie. Counting never touches a Python object: tokens get
small local ids, and the key of an n-gram is (id of its prefix, id of its last token), so that no text is hashed twice.
`python.py` is the definition that this is held to.

The map, in the order of the work. Two files are extension modules; the others hold inline functions over C structs, and
are compiled into the modules that use them, so that no call crosses a module.

    kernel/text.h, text.pxd   hash, compare, copy and encode tokens
    kernel/memory.pxd         Memory: owns allocations and frees them all at once
    kernel/rows.pxd           TokenLists, Rows, Span: a block's rows and their lists
    kernel/copying.pxd        Python's strings as UTF-8 in Arrow's layout
    compiled.pyx              this file: `read`, Column (cells and Arrow buffers), Block (what is counted of it)
    kernel/work.pxd           Work: tables and counts that one row after another uses
    kernel/short_rows.pxd     count a row with a short hypothesis, ids in bytes: nearly all rows
    kernel/long_rows.pxd      count a row of any length
    kernel/listing.pxd        write n-grams
    kernel/counting.pxd       components, n-grams and coverage of all rows, by these three
    tallying.pyx              Tally: n-grams summed up over rows, by
    kernel/words.pxd          the distinct tokens of a block and of all blocks, numbered
    kernel/corpus.pxd         all rows end to end, tokens numbered by the order of their text
    kernel/runs.pxd           n-grams found by sorting positions
    kernel/summing.pxd        what Tally.summary notes of an n-gram, and writes
    kernel/contrasting.pxd    what Tally.contrasts notes of an n-gram, and writes
"""
cimport cython
from cpython.list cimport PyList_Check, PyList_GET_SIZE
from cpython.object cimport PyObject
from cpython.tuple cimport PyTuple_GET_SIZE
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

from bleupandas.engine.kernel.copying cimport (
    Copies,
    copy_tokens,
    end_at,
    reserve,
    show_copies,
    start_copies,
)
from bleupandas.engine.kernel.counting cimport (
    count_components,
    cover_rows,
    lay_out_coverage,
    list_rows,
    lists_to_cover,
)
from bleupandas.engine.kernel.listing cimport Listing, bound_listing
from bleupandas.engine.kernel.memory cimport grown, release
from bleupandas.engine.kernel.rows cimport (
    NO_REFERENCE,
    REFERENCE_SURROGATE,
    SURROGATE,
    UNREADABLE,
    TokenLists,
    first_token,
    lists_of,
    token_end,
)
from bleupandas.engine.kernel.text cimport NOTHING, has_empty, has_white_space, set_keys
from bleupandas.engine.kernel.work cimport start_work

cdef extern from "Python.h":
    PyObject **PySequence_Fast_ITEMS(object cell)   # of a list or tuple

import os

import numpy as np

from bleupandas.engine import interface as _interface
from bleupandas.common.missing import is_missing
from bleupandas.engine.python import as_list

INTERFACE = 3

cdef int64_t MAX_ROW_TOKENS = _interface.MAX_ROW_TOKENS
cdef object ArrowLists = _interface.ArrowLists
cdef object NDARRAY = np.ndarray   # asked for by type: much faster than `as_list`

set_keys(int.from_bytes(os.urandom(8), "little"), int.from_bytes(os.urandom(8), "little"))


# ---- Reading: Python cells are copied, Arrow's buffers are looked at ----


@cython.final
cdef class Column:
    """One column's token lists for the rows of a block."""
    cdef TokenLists lists
    cdef Copies copies
    cdef object cells          # a list of Python cells, or ArrowLists, which keeps the buffers alive
    cdef bint is_arrow, is_hypothesis, is_nested
    cdef const uint8_t[::1] arrow_faults
    cdef int64_t n_rows        # read so far

    def __cinit__(self, object cells, bint is_hypothesis, bint is_nested, Py_ssize_t start, Py_ssize_t stop):
        self.cells = cells
        self.is_hypothesis = is_hypothesis
        self.is_nested = is_nested
        self.is_arrow = isinstance(cells, ArrowLists)
        if self.is_arrow:
            self.look_at(cells, start)
        else:
            start_copies(&self.copies, min(stop - start, 4096))
            show_copies(&self.copies, &self.lists)

    def __dealloc__(self):
        release(&self.copies.memory)

    cdef int look_at(self, object cells, Py_ssize_t start) except -1:
        """Point at Arrow's buffers; the first row of the block is row `start` of these."""
        cdef const int64_t[::1] rows = cells.rows
        cdef const int64_t[::1] lists = cells.lists
        cdef const int32_t[::1] tokens32
        cdef const int64_t[::1] tokens64
        cdef const uint8_t[::1] data = cells.data
        self.lists.rows = &rows[0] + start
        self.lists.lists = &lists[0]
        if cells.tokens.dtype == np.int32:
            tokens32 = cells.tokens
            self.lists.tokens32 = &tokens32[0]
        else:
            tokens64 = cells.tokens
            self.lists.tokens64 = &tokens64[0]
        self.lists.data = NOTHING
        if data.shape[0]:
            self.lists.data = <const char *>&data[0]
        self.lists.limit = self.lists.data + data.shape[0]
        self.arrow_faults = cells.faults
        return 0

    cdef int take(self, Py_ssize_t row) except -1:
        """Read the next row; return its fault bits."""
        cdef int faults
        if self.is_arrow:
            faults = self.arrow_faults[row]
            if has_empty(self.lists.tokens32, self.lists.tokens64,
                         first_token(&self.lists, self.n_rows), first_token(&self.lists, self.n_rows + 1)):
                faults |= UNREADABLE
        else:
            reserve(&self.copies.memory, &self.copies.rows, 1)
            if self.is_hypothesis:
                faults = self.add_list((<list>self.cells)[row])
            else:
                faults = self.add_references((<list>self.cells)[row])
            end_at(&self.copies.rows, self.copies.lists.n)
            show_copies(&self.copies, &self.lists)
        self.n_rows += 1
        return faults

    cdef int add_references(self, object cell) except -1:
        """Copy the references of one cell; a missing one is left out."""
        cdef object item
        cdef int faults = 0
        if type(cell) is not list and is_missing(cell):
            return 0
        if not self.is_nested:
            return self.add_list(cell)
        if type(cell) is not list:
            cell = as_list(cell)
            if cell is None:
                return UNREADABLE
        for item in cell:
            if type(item) is list or type(item) is NDARRAY or not is_missing(item):
                faults |= self.add_list(item)
        return faults

    cdef int add_list(self, object cell) except -1:
        """Copy one token list; return its fault bits."""
        cdef Copies *copies = &self.copies
        cdef int faults
        if type(cell) is not list:
            cell = cell.tolist() if type(cell) is NDARRAY else as_list(cell)
            if not isinstance(cell, (list, tuple)):
                return UNREADABLE
        reserve(&copies.memory, &copies.lists, 1)
        if PyList_Check(cell):
            with cython.critical_section(cell):
                faults = copy_tokens(copies, PySequence_Fast_ITEMS(cell), PyList_GET_SIZE(cell))
        else:
            faults = copy_tokens(copies, PySequence_Fast_ITEMS(cell), PyTuple_GET_SIZE(cell))
        end_at(&copies.lists, copies.tokens.n)
        return faults

    # Of the row that was read last:

    cdef int64_t row_lists(self) noexcept:
        return self.lists.rows[self.n_rows] - self.lists.rows[self.n_rows - 1]

    cdef int64_t row_tokens(self) noexcept:
        return first_token(&self.lists, self.n_rows) - first_token(&self.lists, self.n_rows - 1)

    cdef bint row_has_white_space(self) noexcept:
        """Look for ASCII white space in the row's bytes."""
        cdef int64_t begin = token_end(&self.lists, first_token(&self.lists, self.n_rows - 1))
        cdef int64_t end = token_end(&self.lists, first_token(&self.lists, self.n_rows))
        return has_white_space(self.lists.data + begin, end - begin)


def read(hypothesis, references, nested, Py_ssize_t start, Py_ssize_t stop, int64_t budget):
    """Read rows from start until stop, or until they hold `budget` tokens; at least one row."""
    cdef Py_ssize_t row = start
    cdef int64_t used = 0, tokens, n_lists
    cdef int faults, more
    cdef bint sentences
    cdef Column column, first = Column(hypothesis, True, False, start, stop)
    cdef list others = [Column(cells, False, n, start, stop) for cells, n in zip(references, nested, strict=True)]
    cdef Py_ssize_t k, n_others = len(others)
    out = np.empty(stop - start, np.uint8)
    cdef uint8_t[::1] status = out
    while row < stop and (row == start or used < budget):
        faults = first.take(row)
        tokens = first.row_tokens()
        n_lists = 0
        sentences = False
        for k in range(n_others):
            column = <Column>others[k]
            more = column.take(row)
            faults |= (more & UNREADABLE) | (REFERENCE_SURROGATE if more & SURROGATE else 0)
            n_lists += column.row_lists()
            tokens += column.row_tokens()
            # Sentences in a flat cell are texts that nobody tokenized, not tokens.
            sentences = sentences or (not column.is_nested and column.row_has_white_space())
        if tokens > MAX_ROW_TOKENS or (sentences and not first.row_has_white_space()):
            faults |= UNREADABLE
        if faults & UNREADABLE:
            faults = UNREADABLE
        elif n_lists == 0:
            faults |= NO_REFERENCE
        status[row - start] = faults
        used += tokens
        row += 1
    return Block([first, *others], out[:row - start], row)


# ---- Counting: no GIL, no Python object ----


@cython.final
cdef class Workspace:
    """Memory to go through the rows of a block; every call has its own, so that threads may share a block."""

    def __cinit__(self, Block block):
        if start_work(&self.work, &block.rows) < 0:
            raise MemoryError()

    def __dealloc__(self):
        release(&self.work.memory)


@cython.final
cdef class Block:
    """Rows that were read: owns copies of objects' tokens, or holds Arrow's buffers; immutable."""

    def __cinit__(self, list columns, object faults, Py_ssize_t stop):
        cdef Py_ssize_t i
        cdef Column column
        self.columns = columns
        self.faults = faults
        self.status = faults
        self.stop = stop
        self.rows.faults = &self.status[0]
        self.rows.n = len(faults)
        self.rows.n_columns = len(columns)
        self.rows.columns = <TokenLists *>grown(&self.memory, NULL, self.rows.n_columns * sizeof(TokenLists))
        for i in range(self.rows.n_columns):
            column = columns[i]
            self.rows.columns[i] = column.lists
        for i in range(self.rows.n):
            self.rows.most_lists = max(self.rows.most_lists, lists_of(&self.rows, i))

    def __dealloc__(self):
        release(&self.memory)

    def reference_counts(self):
        """Return the number of references of every row, (n_rows,) of int32."""
        cdef Py_ssize_t i
        cdef const int64_t *first = self.rows.columns[0].rows
        out = np.empty(self.rows.n, np.int32)
        cdef int32_t[::1] counts = out
        for i in range(self.rows.n):
            counts[i] = <int32_t>(lists_of(&self.rows, i) - (first[i + 1] - first[i]))
        return out

    def components(self, int max_order, int64_t[:, :] out):
        """Fill out, (2 + 2 * max_order, n_rows)."""
        cdef Workspace space
        cdef int rc
        if out.shape[0] != 2 + 2 * max_order or out.shape[1] != self.rows.n or max_order > 63:
            raise ValueError("out is of shape (2 + 2 * max_order, n_rows)")
        if self.rows.n == 0:
            return
        space = Workspace(self)
        with nogil:
            rc = count_components(&space.work, &self.rows, max_order, &out[0, 0], out.strides[0] // 8,
                                  out.strides[1] // 8)
        if rc < 0:
            raise MemoryError()

    def ngrams(self, orders, sep, bint references):
        """Return the distinct n-grams of the hypotheses, or of the references."""
        cdef Workspace space = Workspace(self)
        cdef Listing listing
        cdef bytes separator = b"" if sep is None else sep.encode()
        cdef bint ambiguous = False
        cdef int max_order = max(orders), rc
        cdef int64_t most = 0, size = 0
        cdef int32_t[:, ::1] table
        cdef int64_t[::1] ends
        cdef uint8_t[::1] text
        memset(&listing, 0, sizeof(Listing))
        for order in orders:
            listing.orders |= 1 << <int>order
        listing.sep = separator
        listing.sep_length = len(separator)
        bound_listing(&listing, &self.rows, max_order, references, &most, &size)
        numbers = np.empty((6, most + 1), np.int32)
        offsets = np.empty(most + 1 if sep is not None else 1, np.int64)
        data = np.empty(size + 32 if sep is not None else 1, np.uint8)
        table = numbers
        ends = offsets
        text = data
        ends[0] = 0
        listing.row = &table[0, 0]
        listing.order = &table[1, 0]
        listing.own = &table[2, 0]
        listing.other = &table[3, 0]
        listing.first = &table[4, 0]
        listing.reference = &table[5, 0]
        listing.offsets = &ends[0]
        listing.text = <char *>&text[0] if sep is not None else NULL
        with nogil:
            rc = list_rows(&space.work, &self.rows, max_order, references, &listing, &ambiguous)
        if rc < 0:
            raise MemoryError()
        return _interface.Ngrams(
            *numbers[:, :listing.n_ngrams], offsets[:listing.n_ngrams + 1 if sep is not None else 1],
            data[:listing.n_bytes], ambiguous)

    def coverage(self, int max_order, bint references):
        """Return, by token, the longest matched n-gram over it; of references, the longest that the hypothesis has."""
        cdef Workspace space = Workspace(self)
        cdef int64_t n_lists, n_tokens
        cdef int32_t[::1] row_ends, list_ends
        cdef uint8_t[::1] levels
        cdef int rc
        with nogil:
            n_lists = lists_to_cover(&self.rows, &space.work, references)
        rows = np.zeros(self.rows.n + 1, np.int32)
        lists = np.zeros(n_lists + 1, np.int32)
        row_ends = rows
        list_ends = lists
        with nogil:
            n_tokens = lay_out_coverage(&self.rows, &space.work, references, &row_ends[0], &list_ends[0])
        values = np.zeros(n_tokens + 1, np.uint8)
        levels = values
        with nogil:
            rc = cover_rows(&space.work, &self.rows, max_order, references, &row_ends[0], &list_ends[0], &levels[0])
        if rc < 0:
            raise MemoryError()
        return _interface.Coverage(rows, lists, values[:n_tokens])


def tally():
    """Return an empty tally."""
    return Tally()


from bleupandas.engine.tallying import Tally  # at the end: it needs Block
