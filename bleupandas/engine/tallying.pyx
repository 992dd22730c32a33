# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: freethreading_compatible=True, embedsignature=True
"""The compiled engine's Tally: the tokens of rows, kept to sum their n-grams up. compiled.pyx has the map.

Threads add blocks: the tokens of each are numbered, then those of all. Before the first sums the numbers become ranks
by the order of text, and rows are laid end to end. Threads then search ranges of ranks, each a part of the n-grams;
what all parts found is laid out, and each writes its own.
"""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from bleupandas.engine.compiled cimport Block, Workspace
from bleupandas.engine.kernel.contrasting cimport (
    SIDES,
    Contrasting,
    Found,
    start_contrasting,
    write_contrasts,
)
from bleupandas.engine.kernel.corpus cimport (
    Corpus,
    count_positions,
    end_rows,
    lay_down,
    rank_words,
    start_corpus,
)
from bleupandas.engine.kernel.memory cimport drop, grown, release
from bleupandas.engine.kernel.runs cimport Search, search_rows
from bleupandas.engine.kernel.summing cimport LIGHT, Places, Sums, start_sums, write_sums
from bleupandas.engine.kernel.text cimport set_keys
from bleupandas.engine.kernel.words cimport Piece, Words, any_holds, number_rows, take_words

import itertools
import os
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np

from bleupandas.engine import interface as _interface

set_keys(int.from_bytes(os.urandom(8), "little"), int.from_bytes(os.urandom(8), "little"))


@cython.final
cdef class Vocabulary:
    """The distinct tokens of one block, which has their text."""
    cdef Words words

    def __dealloc__(self):
        release(&self.words.memory)


@cython.final
cdef class Numbers:
    """The tokens of one block as numbers."""
    cdef Piece piece

    def __dealloc__(self):
        release(&self.piece.memory)


def get_start(Numbers numbers):
    return numbers.piece.start


@cython.final
cdef class Tally:
    """The tokens of rows as numbers, kept to sum their n-grams up."""
    cdef Words words           # own copies of their texts
    cdef Corpus corpus         # filled before the first sums
    cdef bint sealed
    cdef uint32_t[::1] cells   # of the corpus; NumPy's, as that asks for large pages
    cdef list pieces
    cdef int64_t n_cells
    cdef object lock

    def __cinit__(self):
        self.pieces = []
        self.lock = Lock()

    def __dealloc__(self):
        release(&self.words.memory)
        release(&self.corpus.memory)

    def add(self, Py_ssize_t start, Block block):
        """Take the rows of a block, which begins with row `start`; return how many tokens, and lists, there are now."""
        cdef Vocabulary own = Vocabulary()
        cdef Numbers numbers = Numbers()
        cdef Workspace space = Workspace(block)
        cdef int rc
        numbers.piece.start = start
        with nogil:
            rc = number_rows(&numbers.piece, &block.rows, space.work.spans, &own.words)
        if rc < 0:
            raise MemoryError()
        with self.lock:
            if self.sealed:
                raise RuntimeError("rows are added before the first summary")
            if take_words(&self.words, &own.words, numbers.piece.numbers + 1) < 0:
                raise MemoryError()
            self.pieces.append(numbers)
            self.n_cells += numbers.piece.n_tokens
            return self.n_cells

    def holds(self, str text):
        """Return whether a token holds a text."""
        cdef bytes sought = text.encode()
        return any_holds(&self.words, sought, len(sought))

    cdef int seal(self) except -1:
        """Number tokens by the order of their text, and lay all rows end to end."""
        cdef Numbers numbers
        cdef int64_t n_rows = 0, n_lists = 0
        cdef int32_t *ranks
        cdef int rc
        if self.sealed:
            return 0
        self.pieces.sort(key=get_start)
        for numbers in self.pieces:
            n_lists += numbers.piece.n_lists
            n_rows = max(n_rows, numbers.piece.start + numbers.piece.n_rows)
        self.cells = np.empty(self.n_cells + 1, np.uint32)
        self.corpus.cells = &self.cells[0]
        start_corpus(&self.corpus, &self.words, n_rows, n_lists)
        ranks = <int32_t *>grown(&self.corpus.memory, NULL, (self.words.n + 1) * sizeof(int32_t))
        with nogil:
            rc = rank_words(&self.corpus, &self.words, ranks)
        if rc < 0:
            raise MemoryError()
        self.sealed = True
        for numbers in self.pieces:
            with nogil:
                lay_down(&self.corpus, &numbers.piece, ranks)
        end_rows(&self.corpus, n_rows + 1)
        drop(&self.corpus.memory, ranks)
        self.pieces.clear()
        return 0

    def summary(self, rows, orders, int64_t min_count, str sep, int threads):
        """Sum the n-grams of rows up; None for all rows."""
        cdef const int64_t[::1] chosen
        cdef bint few = False
        with self.lock:
            self.seal()
        if rows is not None:
            rows = chosen = self.check_rows(rows)
            few = count_positions(&self.corpus, &chosen[0], chosen.shape[0]) <= self.words.n
        bounds = [1, self.words.n + 1] if few else self.shares(threads)
        parts = [SummaryPart(self, rows, few, lo, hi, orders, min_count, sep.encode())
                 for lo, hi in itertools.pairwise(bounds)]
        at_once(SummaryPart.find, [(part,) for part in parts])
        n, size = lay_out_sums(parts, orders)
        numbers = np.empty((8, n), np.int64)
        offsets = np.empty(n + 1, np.int64)
        text = np.empty(size, np.uint8)
        offsets[0] = 0
        at_once(SummaryPart.write, [(part, numbers, offsets, text) for part in parts])
        return _interface.Summary(numbers, offsets, text)

    def contrasts(self, pairs, orders, int64_t min_count, str sep, int64_t examples, int threads):
        """Return by n-gram which of two systems matches it; pairs of rows, (2, n_pairs)."""
        with self.lock:
            self.seal()
        rows = self.check_rows(np.asarray(pairs, np.int64).T.reshape(-1))
        units = self.find_units(rows)
        parts = [ContrastPart(self, rows, False, lo, hi, orders, min_count, sep.encode(), units, examples)
                 for lo, hi in itertools.pairwise(self.shares(threads))]
        at_once(ContrastPart.find, [(part,) for part in parts])
        n, size, n_shown, places = lay_out_contrasts(parts, orders)
        numbers = np.empty((1 + 2 * SIDES, n), np.int64)
        offsets = np.empty(n + 1, np.int64)
        text = np.empty(size, np.uint8)
        shown = np.empty(n_shown, np.int64)
        offsets[0] = 0
        at_once(ContrastPart.write, [(part, *place, numbers, offsets, text, shown) for part, *place in places])
        return _interface.Contrasts(numbers, offsets, text, shown)

    cdef object check_rows(self, rows):
        rows = np.ascontiguousarray(rows, np.int64)
        if len(rows) and not (0 <= rows.min() and rows.max() < self.corpus.n_rows):
            raise ValueError("rows are numbers of rows that were added")
        return rows

    cdef object find_units(self, const int64_t[::1] rows):
        """Return by list the place of its row in rows, -1 elsewhere."""
        cdef int64_t i, k
        cdef int32_t[::1] units = np.full(self.corpus.n_lists + 1, -1, np.int32)
        for i in range(rows.shape[0]):
            for k in range(self.corpus.row_list[rows[i]], self.corpus.row_list[rows[i] + 1]):
                units[k] = <int32_t>i
        return units

    cdef list shares(self, int threads):
        """Return the bounds of ranges of tokens that are about equally frequent."""
        cdef int64_t total = 0, so_far = 0
        cdef int32_t i, n = self.words.n
        cdef list bounds = [1]
        for i in range(1, n + 1):
            total += self.corpus.frequency[i]
        for i in range(1, n + 1):
            if so_far * threads >= total * len(bounds) and len(bounds) < threads:
                bounds.append(i)
            so_far += self.corpus.frequency[i]
        bounds.append(n + 1)
        return bounds


def at_once(work, calls):
    """Call a function with each of several argument tuples, each in a separate thread."""
    if len(calls) == 1:
        work(*calls[0])
        return
    with ThreadPoolExecutor(len(calls), thread_name_prefix="bleupandas") as pool:
        for done in [pool.submit(work, *call) for call in calls]:
            done.result()


# ---- Parts: the n-grams that begin with a token of a range of ranks, lo to hi ----


cdef class Part:
    """What a search looks at, kept alive for it."""
    cdef Tally tally
    cdef const int64_t[::1] rows
    cdef bint all_rows, few
    cdef bytes separator

    def __cinit__(self, Tally tally, rows, bint few, *others):
        self.tally = tally
        self.all_rows = rows is None
        self.few = few
        if rows is not None:
            self.rows = rows

    cdef int start(self, Search *search, int64_t lo, int64_t hi, orders, int64_t min_count, bytes separator) except -1:
        self.separator = separator
        search.corpus = &self.tally.corpus
        search.of_list = self.tally.corpus.row_of
        search.lo = lo
        search.hi = hi
        search.min_count = min_count
        search.sep = separator
        search.sep_length = len(separator)
        search.max_order = max(orders)
        for order in orders:
            search.orders |= 1 << <int>order
        return 0

    cdef int search(self, Search *search) except -1:
        """Find the n-grams."""
        cdef int64_t n = self.tally.corpus.n_rows
        cdef const int64_t *first = NULL
        cdef int rc
        if not self.all_rows:
            n = self.rows.shape[0]
            if n == 0:
                return 0
            first = &self.rows[0]
        with nogil:
            rc = search_rows(search, first, n, self.few)
        if rc < 0:
            raise MemoryError()
        return 0


@cython.final
cdef class SummaryPart(Part):
    """Sums over rows."""
    cdef Sums sums

    def __cinit__(self, tally, rows, few, lo, hi, orders, min_count, separator):
        self.start(&self.sums.search, lo, hi, orders, min_count, separator)
        start_sums(&self.sums)

    def __dealloc__(self):
        release(&self.sums.search.scratch)
        release(&self.sums.memory)

    def find(self):
        self.search(&self.sums.search)

    def write(self, int64_t[:, ::1] numbers, int64_t[::1] offsets, uint8_t[::1] text):
        """Write the n-grams where they belong."""
        if numbers.shape[1]:
            with nogil:
                write_sums(&self.sums, &numbers[0, 0], numbers.shape[1], &offsets[0], <char *>&text[0])


def lay_out_sums(list parts, orders):
    """Compute the place of each part's n-grams, by order, weight (descending) and text; return rows and bytes."""
    cdef SummaryPart part
    cdef Places *p
    cdef int64_t row = 0, at = 0, n, size
    cdef int order, w
    for order in orders:
        heavy = []
        for which, part in enumerate(parts):
            p = &part.sums.of_order[order]
            heavy += [(-p.heavy[k].weight, which, k) for k in range(p.n_heavy)]
        for _, which, k in sorted(heavy):
            part = parts[which]
            p = &part.sums.of_order[order]
            p.heavy[k].row = row
            p.heavy[k].at = at
            row += 1
            at += p.heavy[k].size
        for w in range(LIGHT - 1, -1, -1):
            for part in parts:
                p = &part.sums.of_order[order]
                n = p.rows[w]
                size = p.bytes[w]
                p.rows[w] = row
                p.text_rows[w] = row
                p.bytes[w] = at
                row += n
                at += size
                p.ends[w] = at
    return row, at


@cython.final
cdef class ContrastPart(Part):
    """What two systems match, summed up over pairs of rows."""
    cdef Contrasting contrasting
    cdef const int32_t[::1] units

    def __cinit__(self, tally, rows, few, lo, hi, orders, min_count, separator, units, int64_t examples):
        self.units = units
        self.start(&self.contrasting.search, lo, hi, orders, min_count, separator)
        self.contrasting.search.of_list = &self.units[0]
        self.contrasting.examples = examples
        start_contrasting(&self.contrasting)

    def __dealloc__(self):
        release(&self.contrasting.search.scratch)
        release(&self.contrasting.memory)

    def find(self):
        self.search(&self.contrasting.search)

    def write(self, int order, int64_t row, int64_t at, int64_t first, int64_t[:, ::1] numbers, int64_t[::1] offsets,
              uint8_t[::1] text, int64_t[::1] shown):
        """Write the n-grams of an order: their first row, byte and example."""
        if self.contrasting.of_order[order].n:
            with nogil:
                write_contrasts(&self.contrasting, order, row, at, &numbers[0, 0], numbers.shape[1], &offsets[0],
                                <char *>&text[0], &shown[0] + first)


def lay_out_contrasts(list parts, orders):
    """Lay the n-grams of all parts out by order and text: return rows, bytes, examples, and where each part begins."""
    cdef ContrastPart part
    cdef Found *found
    cdef int64_t row = 0, at = 0, first = 0
    places = []
    for order in orders:
        for part in parts:
            found = &part.contrasting.of_order[<int>order]
            places.append((part, order, row, at, first))
            row += found.n
            at += found.size
            first += found.n_shown
    return row, at, first, places
