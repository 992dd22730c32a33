# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: freethreading_compatible=True, embedsignature=True
"""The compiled counting engine: blocks of rows in Arrow's layout, counted without the GIL.

Reading holds the GIL and copies every token of a Python object as UTF-8, so that nothing is borrowed from objects that
another thread may change; Arrow's buffers are used where they lie. Counting never touches a Python object: tokens get
small local ids, and the key of an n-gram is (id of its prefix, id of its last token), so that no text is hashed twice.
`python.py` is the definition that this file is held to.
"""
cimport cython
from cpython.list cimport PyList_Check, PyList_GET_ITEM, PyList_GET_SIZE
from cpython.object cimport PyObject
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE
from cpython.unicode cimport PyUnicode_Check
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, qsort, realloc
from libc.string cimport memchr, memcmp, memcpy, memset

import itertools
import os
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np

from bleupandas.engine.interface import MAX_ROW_TOKENS as _MAX_ROW_TOKENS
from bleupandas.engine.interface import ArrowLists, Contrasts, Coverage, Ngrams, Summary
from bleupandas.common.missing import is_missing
from bleupandas.engine.python import as_list

INTERFACE = 3

cdef enum:
    UNREADABLE = 1
    NO_REFERENCE = 2
    SURROGATE = 4
    REFERENCE_SURROGATE = 8
    UNCOUNTED = 3

cdef int64_t MAX_ROW_TOKENS = _MAX_ROW_TOKENS
cdef object NDARRAY = np.ndarray   # asked for by type: much faster than `sequence`

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #ifdef _MSC_VER
    #include <intrin.h>
    #endif
    /* A hash of the folded-multiply kind, keyed anew in every process: nobody can choose tokens that collide. */
    static uint64_t bp_key0, bp_key1;
    static inline uint64_t bp_fold(uint64_t a, uint64_t b) {
    #ifdef _MSC_VER
        uint64_t high, low = _umul128(a, b, &high); return low ^ high;
    #else
        __uint128_t r = (__uint128_t)a * b; return (uint64_t)r ^ (uint64_t)(r >> 64);
    #endif
    }
    static inline uint64_t bp_read8(const char *p) { uint64_t v; memcpy(&v, p, 8); return v; }
    static inline uint64_t bp_read4(const char *p) { uint32_t v; memcpy(&v, p, 4); return v; }
    static inline uint64_t bp_hash(const char *p, int64_t n) {
        uint64_t a = 0, b = 0, seed = bp_key0;
        int64_t left = n;
        const unsigned char *u = (const unsigned char *)p;
        if (n > 8) {
            for (; left > 16; p += 16, left -= 16) seed = bp_fold(bp_read8(p) ^ bp_key1, bp_read8(p + 8) ^ seed);
            /* The last 16 bytes, or of a shorter token its first and last 8: overlapping, never outside the token. */
            if (n >= 16) { a = bp_read8(p + left - 16); b = bp_read8(p + left - 8); }
            else { a = bp_read8(p); b = bp_read8(p + n - 8); }
        } else if (n >= 4) { a = bp_read4(p); b = bp_read4(p + n - 4); }
        else if (n > 0) a = ((uint64_t)u[0] << 16) | ((uint64_t)u[n >> 1] << 8) | u[n - 1];
        return bp_fold(bp_key1 ^ (uint64_t)n, bp_fold(a ^ bp_key1, b ^ seed));
    }
    /* A token of at most 16 bytes as two words, the rest of them zero; with its length they are the token. One load of
       each, whatever the length, where 16 bytes may be read (little-endian machines). */
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define BP_MASKED 0
    #else
    #define BP_MASKED 1
    #endif
    #define BP_M(n) ((n) >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << (8 * (n) & 63)) - 1)
    static const uint64_t bp_masks[25] = {
        0, 0, 0, 0, 0, 0, 0, 0, BP_M(0), BP_M(1), BP_M(2), BP_M(3), BP_M(4), BP_M(5), BP_M(6), BP_M(7),
        BP_M(8), BP_M(8), BP_M(8), BP_M(8), BP_M(8), BP_M(8), BP_M(8), BP_M(8), BP_M(8)};
    static inline uint64_t bp_words(const char *p, int64_t n, const char *limit, uint64_t *a, uint64_t *b) {
        if (n > 16) { *a = bp_hash(p, n); *b = 0; return *a; }
        if (BP_MASKED && limit - p >= 16) {
            *a = bp_read8(p) & bp_masks[8 + n];
            *b = bp_read8(p + 8) & bp_masks[n];
        } else {
            char both[16] = {0};
            memcpy(both, p, n);
            *a = bp_read8(both);
            *b = bp_read8(both + 8);
        }
        return bp_fold(bp_key1 ^ (uint64_t)n, bp_fold(*a ^ bp_key1, *b ^ bp_key0));
    }
    /* memcpy without a call for what is short: overlapping, never outside. */
    static inline void bp_copy(char *to, const char *source, int64_t n) {
        uint64_t x, y; uint32_t v, w;
        if (n > 16) memcpy(to, source, n);
        else if (n >= 8) {
            memcpy(&x, source, 8); memcpy(&y, source + n - 8, 8);
            memcpy(to, &x, 8); memcpy(to + n - 8, &y, 8);
        } else if (n >= 4) {
            memcpy(&v, source, 4); memcpy(&w, source + n - 4, 4);
            memcpy(to, &v, 4); memcpy(to + n - 4, &w, 4);
        } else if (n > 0) {
            char first = source[0], middle = source[n >> 1], last = source[n - 1];
            to[0] = first; to[n >> 1] = middle; to[n - 1] = last;
        }
    }
    /* The same where 32 bytes may be read and written. */
    static inline void bp_copy_loose(char *to, const char *source, int64_t n) {
        if (n <= 32) memcpy(to, source, 32); else memcpy(to, source, n);
    }
    /* Where `room` bytes may be written and 64 read. */
    static inline void bp_copy_within(char *to, const char *source, int64_t n, int64_t room) {
        if (n <= 32 && room >= 32) memcpy(to, source, 32);
        else if (n <= 64 && room >= 64) memcpy(to, source, 64);
        else memcpy(to, source, n);
    }
    static inline uint64_t bp_mix(uint64_t key) { return bp_fold(key ^ bp_key0, bp_key1); }

    /* UTF-8, a lone surrogate as three bytes, so that different strings stay different. PyUnicode_AsUTF8AndSize would
       keep a copy in the caller's string for as long as that lives. dst holds 4 bytes a character. */
    static inline int64_t bp_utf8(PyObject *o, char *dst, int *surrogate) {
        Py_ssize_t n = PyUnicode_GET_LENGTH(o);
        int kind = PyUnicode_KIND(o);
        const void *d = PyUnicode_DATA(o);
        unsigned char *q = (unsigned char *)dst;
        for (Py_ssize_t i = 0; i < n; i++) {
            Py_UCS4 c = PyUnicode_READ(kind, d, i);
            if (c < 0x80) *q++ = (unsigned char)c;
            else if (c < 0x800) { *q++ = 0xC0 | (c >> 6); *q++ = 0x80 | (c & 63); }
            else if (c < 0x10000) {
                if (c >= 0xD800 && c < 0xE000) *surrogate = 1;
                *q++ = 0xE0 | (c >> 12); *q++ = 0x80 | ((c >> 6) & 63); *q++ = 0x80 | (c & 63);
            } else {
                *q++ = 0xF0 | (c >> 18); *q++ = 0x80 | ((c >> 12) & 63);
                *q++ = 0x80 | ((c >> 6) & 63); *q++ = 0x80 | (c & 63);
            }
        }
        return (int64_t)((char *)q - dst);
    }
    /* Both loops run to the end, so that compilers do several steps at once. */
    static inline int bp_has_white_space(const char *p, int64_t n) {
        int found = 0;
        for (int64_t i = 0; i < n; i++) found |= (p[i] == ' ') | ((unsigned char)(p[i] - 9) < 5);
        return found;
    }
    static inline int bp_has_empty(const int32_t *ends32, const int64_t *ends64, int64_t first, int64_t last) {
        int found = 0;
        if (ends32) for (int64_t i = first; i < last; i++) found |= ends32[i] == ends32[i + 1];
        else for (int64_t i = first; i < last; i++) found |= ends64[i] == ends64[i + 1];
        return found;
    }
    #if defined(__GNUC__) || defined(__clang__)
    #define bp_prefetch(p) __builtin_prefetch(p)
    #else
    #define bp_prefetch(p) ((void)(p))
    #endif
    static const char bp_nothing[1] = {0};   /* the address of an empty buffer */
    static inline int bp_is_ascii(PyObject *o) { return PyUnicode_IS_COMPACT_ASCII(o); }
    """
    uint64_t bp_key0, bp_key1
    const char bp_nothing[1]
    bint bp_has_white_space(const char *p, int64_t n) noexcept nogil
    bint bp_has_empty(const int32_t *ends32, const int64_t *ends64, int64_t first, int64_t last) noexcept nogil
    uint64_t bp_words(const char *p, int64_t n, const char *limit, uint64_t *a, uint64_t *b) noexcept nogil
    void bp_copy(char *to, const char *source, int64_t n) noexcept nogil
    void bp_copy_loose(char *to, const char *source, int64_t n) noexcept nogil
    void bp_copy_within(char *to, const char *source, int64_t n, int64_t room) noexcept nogil
    uint64_t bp_mix(uint64_t key) noexcept nogil
    void bp_prefetch(const void *p) noexcept nogil
    bint bp_is_ascii(PyObject *o)
    int64_t bp_utf8(PyObject *o, char *dst, int *surrogate)
    void *PyUnicode_DATA(PyObject *o)
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject *o)

bp_key0 = int.from_bytes(os.urandom(8), "little")
bp_key1 = int.from_bytes(os.urandom(8), "little") | 1


# ---- Reading: Python cells are copied, Arrow's buffers are looked at ----

cdef struct Side:
    # One column of a block. Row i holds lists rows[i]..rows[i + 1] and so on, as in ArrowLists; of the two widths of
    # token offsets one is NULL.
    const int64_t *rows
    const int64_t *lists
    const int32_t *tokens32
    const int64_t *tokens64
    const char *data
    const char *limit          # end of what may be read


cdef inline int64_t token_end(const Side *s, int64_t i) noexcept nogil:
    """Give where token i - 1 ends and token i begins, in bytes."""
    return s.tokens32[i] if s.tokens32 != NULL else s.tokens64[i]


@cython.final
cdef class Column:
    """One column's token lists for the rows of a block."""
    cdef Side side
    cdef object cells          # a list of Python cells, or ArrowLists, which keeps the buffers alive
    cdef bint is_arrow, is_hypothesis, is_nested
    cdef const uint8_t[::1] arrow_faults
    cdef Py_ssize_t start
    cdef int64_t *own_rows
    cdef int64_t *own_lists
    cdef int64_t *own_tokens
    cdef char *own_data
    cdef int64_t n_rows, n_lists, n_tokens, n_bytes, room_rows, room_lists, room_tokens, room_bytes

    def __cinit__(self, object cells, bint is_hypothesis, bint is_nested, Py_ssize_t start, Py_ssize_t stop):
        self.cells = cells
        self.is_hypothesis = is_hypothesis
        self.is_nested = is_nested
        self.start = start
        self.is_arrow = isinstance(cells, ArrowLists)
        if self.is_arrow:
            self.look_at(cells)
        else:
            self.reserve_rows(min(stop - start, 4096))
            self.reserve_lists(min(stop - start, 4096))
            self.reserve_tokens(1024)
            self.reserve_bytes(4096)

    def __dealloc__(self):
        free(self.own_rows)
        free(self.own_lists)
        free(self.own_tokens)
        free(self.own_data)

    cdef int look_at(self, object cells) except -1:
        cdef const int64_t[::1] rows = cells.rows
        cdef const int64_t[::1] lists = cells.lists
        cdef const int32_t[::1] tokens32
        cdef const int64_t[::1] tokens64
        cdef const uint8_t[::1] data = cells.data
        self.side.rows = &rows[0] + self.start
        self.side.lists = &lists[0]
        if cells.tokens.dtype == np.int32:
            tokens32 = cells.tokens
            self.side.tokens32 = &tokens32[0]
        else:
            tokens64 = cells.tokens
            self.side.tokens64 = &tokens64[0]
        self.side.data = bp_nothing
        if data.shape[0]:
            self.side.data = <const char *>&data[0]
        self.side.limit = self.side.data + data.shape[0]
        self.arrow_faults = cells.faults
        return 0

    cdef inline int reserve_rows(self, int64_t more) except -1:
        if self.n_rows + more >= self.room_rows:
            self.room_rows = 2 * (self.n_rows + more) + 1
            self.own_rows = <int64_t *>grown(self.own_rows, self.room_rows * sizeof(int64_t))
            self.own_rows[0] = 0
            self.side.rows = self.own_rows
        return 0

    cdef inline int reserve_lists(self, int64_t more) except -1:
        if self.n_lists + more >= self.room_lists:
            self.room_lists = 2 * (self.n_lists + more) + 1
            self.own_lists = <int64_t *>grown(self.own_lists, self.room_lists * sizeof(int64_t))
            self.own_lists[0] = 0
            self.side.lists = self.own_lists
        return 0

    cdef inline int reserve_tokens(self, int64_t more) except -1:
        if self.n_tokens + more >= self.room_tokens:
            self.room_tokens = 2 * (self.n_tokens + more) + 1
            self.own_tokens = <int64_t *>grown(self.own_tokens, self.room_tokens * sizeof(int64_t))
            self.own_tokens[0] = 0
            self.side.tokens64 = self.own_tokens
        return 0

    cdef inline int reserve_bytes(self, int64_t more) except -1:
        if self.n_bytes + more > self.room_bytes:
            self.room_bytes = 2 * (self.n_bytes + more)
            self.own_data = <char *>grown(self.own_data, self.room_bytes + 16)
            self.side.data = self.own_data
            self.side.limit = self.own_data + self.room_bytes + 16
        return 0

    cdef inline int add_token(self, PyObject *token) except -1:
        """Copy one token. Runs no Python code, so the list that holds it cannot change meanwhile."""
        cdef Py_ssize_t n
        cdef int surrogate = 0
        if not PyUnicode_Check(<object>token):
            return UNREADABLE
        n = PyUnicode_GET_LENGTH(token)
        if n == 0:
            return UNREADABLE
        if bp_is_ascii(token):
            self.reserve_bytes(n)
            bp_copy(self.own_data + self.n_bytes, <const char *>PyUnicode_DATA(token), n)
            self.n_bytes += n
        else:
            self.reserve_bytes(4 * n)
            self.n_bytes += bp_utf8(token, self.own_data + self.n_bytes, &surrogate)
        self.n_tokens += 1
        self.own_tokens[self.n_tokens] = self.n_bytes
        return SURROGATE if surrogate else 0

    cdef int add_list(self, object cell) except -1:
        """Copy one token list; give its fault bits."""
        cdef Py_ssize_t i, n
        cdef int faults = 0
        if type(cell) is not list:
            cell = cell.tolist() if type(cell) is NDARRAY else as_list(cell)
            if not isinstance(cell, (list, tuple)):
                return UNREADABLE
        self.reserve_lists(1)
        if PyList_Check(cell):
            with cython.critical_section(cell):
                n = PyList_GET_SIZE(cell)
                self.reserve_tokens(n)
                for i in range(n):
                    faults |= self.add_token(<PyObject *>PyList_GET_ITEM(cell, i))
        else:
            n = PyTuple_GET_SIZE(cell)
            self.reserve_tokens(n)
            for i in range(n):
                faults |= self.add_token(<PyObject *>PyTuple_GET_ITEM(cell, i))
        self.n_lists += 1
        self.own_lists[self.n_lists] = self.n_tokens
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

    cdef int take(self, Py_ssize_t row) except -1:
        """Read the next row; give its fault bits."""
        cdef int faults
        if self.is_arrow:
            faults = self.arrow_faults[row]
            if bp_has_empty(self.side.tokens32, self.side.tokens64,
                            self.first_token(self.n_rows), self.first_token(self.n_rows + 1)):
                faults |= UNREADABLE
        else:
            self.reserve_rows(1)
            if self.is_hypothesis:
                faults = self.add_list((<list>self.cells)[row])
            else:
                faults = self.add_references((<list>self.cells)[row])
            self.own_rows[self.n_rows + 1] = self.n_lists
        self.n_rows += 1
        return faults

    cdef int64_t first_token(self, int64_t row) noexcept:
        return self.side.lists[self.side.rows[row]]

    cdef int64_t last_row_lists(self) noexcept:
        return self.side.rows[self.n_rows] - self.side.rows[self.n_rows - 1]

    cdef int64_t last_row_tokens(self) noexcept:
        return self.first_token(self.n_rows) - self.first_token(self.n_rows - 1)

    cdef bint last_row_has_white_space(self) noexcept:
        """Look for ASCII white space in the bytes of the row that was read last."""
        cdef int64_t begin = token_end(&self.side, self.first_token(self.n_rows - 1))
        return bp_has_white_space(self.side.data + begin, token_end(&self.side, self.first_token(self.n_rows)) - begin)


cdef void *grown(void *old, size_t size) except NULL:
    """Give memory of a larger size with the old content; on failure the old memory stays the caller's."""
    cdef void *new = realloc(old, size)
    if new == NULL:
        raise MemoryError()
    return new


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
        tokens = first.last_row_tokens()
        n_lists = 0
        sentences = False
        for k in range(n_others):
            column = <Column>others[k]
            more = column.take(row)
            faults |= (more & UNREADABLE) | (REFERENCE_SURROGATE if more & SURROGATE else 0)
            n_lists += column.last_row_lists()
            tokens += column.last_row_tokens()
            # Sentences in a flat cell are texts that nobody tokenized, not tokens.
            sentences = sentences or (not column.is_nested and column.last_row_has_white_space())
        if tokens > MAX_ROW_TOKENS or (sentences and not first.last_row_has_white_space()):
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

cdef struct Span:
    # One token list of the row.
    const Side *side
    int64_t begin, end         # tokens of the column
    int64_t base               # position of its first token when the row's lists are laid end to end


cdef enum:
    SHORT = 255                # tokens of a hypothesis whose ids fit in a byte


cdef struct Work:
    # Memory that is used again from row to row.
    int64_t room_positions, room_ids, room_slots, room_joined
    # by position in the row, its lists laid end to end
    int32_t *ids               # token id, -1 where the listed side does not have the token
    int32_t *prefix            # id of the n-gram of the order before that starts here, -1 where it is dead
    # by id of a token or n-gram of the listed side
    uint64_t *keys
    uint64_t *more             # second word of a short token
    const char **text
    int64_t *length
    int32_t *own               # largest count in one list of the listed side
    int32_t *other             # the same on the other side
    int32_t *other_before      # `other` of the order before
    int32_t *current           # count in the list that is being read
    int32_t *start             # first position in the list that is being read
    int32_t *first             # first position in the list that has it most often, and which that is
    int32_t *which
    int32_t *slots             # open-addressing table of ids, -1 where free
    # rows with a short hypothesis: ids from 1, 0 where there is none
    int64_t room_short
    uint8_t *ids8
    uint8_t *prefix8
    uint8_t *grid              # id of an n-gram by (id of its prefix, id of its last token)
    uint8_t slots8[1024]
    int32_t own8[SHORT + 2]
    int32_t other8[SHORT + 2]
    int32_t current8[SHORT + 2]
    int32_t first8[SHORT + 2]
    uint8_t alive8[SHORT + 2]
    # The listed side's tokens, joined by the separator: every n-gram's text is a piece of it.
    char *joined
    int64_t *joined_at         # by position: where its token begins


cdef struct Emit:
    # Where n-gram rows are written.
    uint32_t orders            # bit n: list order n
    int32_t *row
    int32_t *order
    int32_t *own
    int32_t *other
    int32_t *first
    int32_t *which
    int64_t *ends
    char *text                 # NULL when no text is wanted
    const char *sep
    int64_t sep_length
    int64_t n_ngrams, n_bytes


cdef void release(Work *w) noexcept nogil:
    free(w.ids); free(w.prefix)
    free(w.keys); free(w.more); free(w.text); free(w.length); free(w.own); free(w.other); free(w.other_before)
    free(w.current); free(w.start); free(w.first); free(w.which)
    free(w.ids8); free(w.prefix8); free(w.grid)
    free(w.slots); free(w.joined); free(w.joined_at)


cdef int fresh(void **memory, size_t size) noexcept nogil:
    """Replace memory whose content is no longer needed."""
    free(memory[0])
    memory[0] = malloc(size)
    return 0 if memory[0] != NULL else -1


cdef int reserve(Work *w, int64_t positions, int64_t ids, int64_t n_slots) noexcept nogil:
    cdef int failed = 0
    cdef size_t n
    if positions > w.room_positions:
        n = positions + positions // 2 + 64
        failed |= fresh(<void **>&w.ids, n * 4) | fresh(<void **>&w.prefix, n * 4)
        failed |= fresh(<void **>&w.joined_at, (n + 1) * 8)
        w.room_positions = n
    if ids > w.room_ids:
        n = ids + ids // 2 + 64
        failed |= fresh(<void **>&w.keys, n * 8) | fresh(<void **>&w.length, n * 8)
        failed |= fresh(<void **>&w.text, n * sizeof(void *)) | fresh(<void **>&w.more, n * 8)
        failed |= fresh(<void **>&w.own, n * 4) | fresh(<void **>&w.other, n * 4)
        failed |= fresh(<void **>&w.other_before, n * 4) | fresh(<void **>&w.current, n * 4)
        failed |= fresh(<void **>&w.start, n * 4) | fresh(<void **>&w.first, n * 4)
        failed |= fresh(<void **>&w.which, n * 4)
        w.room_ids = n
    if n_slots > w.room_slots:
        failed |= fresh(<void **>&w.slots, n_slots * 4)
        w.room_slots = n_slots
    return failed


cdef inline void add_id(Work *w, int32_t t, int64_t position) noexcept nogil:
    w.own[t] = 0
    w.other[t] = 0
    w.current[t] = 0
    w.first[t] = <int32_t>position
    w.which[t] = 0


cdef inline void count_own(Work *w, int32_t t, int64_t position, int32_t which, bint single) noexcept nogil:
    if single:
        w.own[t] += 1
        return
    if w.current[t] == 0:
        w.start[t] = <int32_t>position
    w.current[t] += 1
    if w.current[t] > w.own[t]:
        w.own[t] = w.current[t]
        w.first[t] = w.start[t]
        w.which[t] = which


cdef inline bint count_other(Work *w, int32_t t, bint single) noexcept nogil:
    if single:
        w.other[t] += 1
        return True
    w.current[t] += 1
    if w.current[t] > w.other[t]:
        w.other[t] = w.current[t]
    return True


cdef inline int32_t find_token(Work *w, const Side *side, int64_t i, uint64_t mask, uint64_t *slot,
                               uint64_t *key, uint64_t *more, const char **text, int64_t *length) noexcept nogil:
    """Give the id of token i of a column, or -1 and the free slot where it belongs."""
    cdef int32_t t
    cdef int64_t begin = token_end(side, i)
    text[0] = side.data + begin
    length[0] = token_end(side, i + 1) - begin
    slot[0] = bp_words(text[0], length[0], side.limit, key, more) & mask
    while True:
        t = w.slots[slot[0]]
        if t < 0 or (w.keys[t] == key[0] and w.more[t] == more[0] and w.length[t] == length[0]
                     and (length[0] <= 16 or memcmp(w.text[t], text[0], length[0]) == 0)):
            return t
        slot[0] = (slot[0] + 1) & mask


cdef inline int32_t find_ngram(Work *w, uint64_t key, uint64_t mask, uint64_t *slot) noexcept nogil:
    """Give the id of an n-gram, or -1 and the free slot where it belongs."""
    cdef int32_t t
    slot[0] = bp_mix(key) & mask
    while True:
        t = w.slots[slot[0]]
        if t < 0 or w.keys[t] == key:
            return t
        slot[0] = (slot[0] + 1) & mask


cdef int32_t count_tokens(Work *w, const Span *spans, Py_ssize_t n_own, Py_ssize_t n_spans, uint64_t mask,
                          bint *hit) noexcept nogil:
    """Count order 1; give the number of distinct tokens of the listed side."""
    cdef int32_t n_ids = 0, t
    cdef int64_t i, at, length
    cdef uint64_t slot, key, more
    cdef const char *text
    cdef Py_ssize_t s
    cdef bint single = n_own == 1
    memset(w.slots, 255, (mask + 1) * 4)
    for s in range(n_own):
        at = spans[s].base
        for i in range(spans[s].begin, spans[s].end):
            t = find_token(w, spans[s].side, i, mask, &slot, &key, &more, &text, &length)
            if t < 0:
                t = n_ids
                n_ids += 1
                w.slots[slot] = t; w.keys[t] = key; w.more[t] = more; w.text[t] = text; w.length[t] = length
                add_id(w, t, at)
            count_own(w, t, at, <int32_t>s, single)
            w.ids[at] = t; w.prefix[at] = t
            at += 1
        if not single:
            memset(w.current, 0, n_ids * 4)
    single = n_spans - n_own == 1
    for s in range(n_own, n_spans):
        at = spans[s].base
        for i in range(spans[s].begin, spans[s].end):
            t = find_token(w, spans[s].side, i, mask, &slot, &key, &more, &text, &length)
            w.ids[at] = t; w.prefix[at] = t
            at += 1
            if t >= 0:
                hit[0] = count_other(w, t, single)
        if not single:
            memset(w.current, 0, n_ids * 4)
    return n_ids


cdef int32_t count_order(Work *w, int order, const Span *spans, Py_ssize_t n_own, Py_ssize_t n_spans, uint64_t mask,
                         bint matched_only, bint *hit) noexcept nogil:
    """Count order 2 or higher after the order before; give the number of distinct n-grams of the listed side.

    With matched_only an n-gram is followed only where its prefix stands on the other side too: no longer one can match.
    """
    cdef int32_t n_ids = 0, t, before, last
    cdef int64_t at, end
    cdef uint64_t slot, key
    cdef Py_ssize_t s
    cdef bint single = n_own == 1
    cdef int32_t *swap = w.other_before
    w.other_before = w.other
    w.other = swap
    memset(w.slots, 255, (mask + 1) * 4)
    for s in range(n_own):
        end = spans[s].base + spans[s].end - spans[s].begin - order + 1
        for at in range(spans[s].base, end):
            before = w.prefix[at]
            if matched_only and (before < 0 or w.other_before[before] == 0):
                w.prefix[at] = -1
                continue
            key = (<uint64_t><uint32_t>before << 32) | <uint32_t>w.ids[at + order - 1]
            t = find_ngram(w, key, mask, &slot)
            if t < 0:
                t = n_ids
                n_ids += 1
                w.slots[slot] = t; w.keys[t] = key
                add_id(w, t, at)
            count_own(w, t, at, <int32_t>s, single)
            w.prefix[at] = t
        if not single:
            memset(w.current, 0, n_ids * 4)
    single = n_spans - n_own == 1
    for s in range(n_own, n_spans):
        end = spans[s].base + spans[s].end - spans[s].begin - order + 1
        for at in range(spans[s].base, end):
            before = w.prefix[at]
            last = w.ids[at + order - 1]
            t = -1
            if before >= 0 and last >= 0:
                key = (<uint64_t><uint32_t>before << 32) | <uint32_t>last
                t = find_ngram(w, key, mask, &slot)
                if t >= 0:
                    hit[0] = count_other(w, t, single)
            w.prefix[at] = t
        if not single:
            memset(w.current, 0, n_ids * 4)
    return n_ids


cdef int64_t clipped(Work *w, int32_t n_ids) noexcept nogil:
    cdef int64_t total = 0
    cdef int32_t t
    for t in range(n_ids):
        total += w.own[t] if w.own[t] < w.other[t] else w.other[t]
    return total


cdef int64_t prepare(Work *w, Span *spans, Py_ssize_t n_own, Py_ssize_t n_spans) noexcept nogil:
    """Lay a row's lists end to end; give the size of its table: 0 without a token to list, -1 without memory."""
    cdef int64_t positions = 0, n_own_tokens = 0, n_slots = 16
    cdef Py_ssize_t s
    for s in range(n_spans):
        spans[s].base = positions
        positions += spans[s].end - spans[s].begin
        if s + 1 == n_own:
            n_own_tokens = positions
    if n_own_tokens == 0:
        return 0
    while n_slots < 2 * n_own_tokens:
        n_slots *= 2
    return n_slots if reserve(w, positions, n_own_tokens + 1, n_slots) >= 0 else -1


cdef inline bint same_token(Work *w, int32_t t, uint64_t key, uint64_t more, const char *text,
                            int64_t length) noexcept nogil:
    return (w.keys[t] == key and w.more[t] == more and w.length[t] == length
            and (length <= 16 or memcmp(w.text[t], text, length) == 0))


cdef int32_t short_tokens(Work *w, const Span *spans, Py_ssize_t n_spans, uint64_t mask) noexcept nogil:
    """Count order 1 of a row with a short hypothesis; give the number of its distinct tokens."""
    cdef int32_t n_ids = 0, k
    cdef int64_t i, at = 0, length, begin, end
    cdef uint64_t slot, key, more
    cdef const char *text
    cdef const Side *side = spans[0].side
    cdef uint8_t t
    cdef Py_ssize_t s
    cdef int32_t *counts
    memset(w.slots8, 0, mask + 1)
    w.other8[0] = 0
    end = token_end(side, spans[0].begin)
    for i in range(spans[0].begin, spans[0].end):
        begin = end
        end = token_end(side, i + 1)
        text = side.data + begin
        length = end - begin
        slot = bp_words(text, length, side.limit, &key, &more) & mask
        while True:
            t = w.slots8[slot]
            if t == 0:
                n_ids += 1
                t = <uint8_t>n_ids
                w.slots8[slot] = t; w.keys[t] = key; w.more[t] = more; w.text[t] = text; w.length[t] = length
                w.own8[t] = 0; w.other8[t] = 0; w.first8[t] = <int32_t>at
                break
            if same_token(w, t, key, more, text, length):
                break
            slot = (slot + 1) & mask
        w.own8[t] += 1
        w.ids8[at] = t; w.prefix8[at] = t
        at += 1
    for s in range(1, n_spans):
        side = spans[s].side
        counts = &w.other8[0] if s == 1 else &w.current8[0]
        if s > 1:
            memset(counts, 0, (n_ids + 1) * 4)
        end = token_end(side, spans[s].begin)
        for i in range(spans[s].begin, spans[s].end):
            begin = end
            end = token_end(side, i + 1)
            text = side.data + begin
            length = end - begin
            slot = bp_words(text, length, side.limit, &key, &more) & mask
            while True:
                t = w.slots8[slot]
                if t == 0 or same_token(w, t, key, more, text, length):
                    break
                slot = (slot + 1) & mask
            counts[t] += 1
            w.ids8[at] = t; w.prefix8[at] = t
            at += 1
        if s > 1:
            for k in range(1, n_ids + 1):
                w.other8[k] = counts[k] if counts[k] > w.other8[k] else w.other8[k]
    return n_ids


cdef int32_t short_order(Work *w, int order, const Span *spans, Py_ssize_t n_spans, int32_t n_before,
                         int32_t n_words) noexcept nogil:
    """Count order 2 or higher of such a row, without a branch that depends on the data.

    Where a prefix is dead (w.alive8) its n-grams get id 0, whose counts mean nothing.
    """
    cdef int64_t at, stop, base
    cdef int32_t n_ids = 0, k, new, t
    cdef int64_t stride = n_words + 1, cell
    cdef Py_ssize_t s
    cdef int32_t *counts
    cdef uint8_t *grid = w.grid
    cdef uint8_t *ids = w.ids8
    cdef uint8_t *prefix = w.prefix8
    memset(grid, 0, (n_before + 1) * stride)
    stop = spans[0].end - spans[0].begin - order + 1
    memset(w.own8, 0, (stop + 1) * 4)
    memset(w.other8, 0, (stop + 1) * 4)
    for at in range(stop):
        k = prefix[at]
        cell = k * stride + ids[at + order - 1]
        t = grid[cell]
        new = w.alive8[k] & (t == 0)
        n_ids += new
        t += n_ids & -new
        grid[cell] = <uint8_t>t
        w.first8[t & -new] = <int32_t>at
        w.own8[t] += 1
        prefix[at] = <uint8_t>t
    for s in range(1, n_spans):
        counts = &w.other8[0] if s == 1 else &w.current8[0]
        if s > 1:
            memset(counts, 0, (n_ids + 1) * 4)
        base = spans[s].base
        stop = base + spans[s].end - spans[s].begin - order + 1
        for at in range(base, stop):
            t = grid[prefix[at] * stride + ids[at + order - 1]]
            counts[t] += 1
            prefix[at] = <uint8_t>t
        if s > 1:
            for k in range(1, n_ids + 1):
                w.other8[k] = counts[k] if counts[k] > w.other8[k] else w.other8[k]
    return n_ids


cdef int count_short_row(Work *w, const Span *spans, Py_ssize_t n_spans, int max_order, int64_t *matches,
                         Emit *e, int32_t row) noexcept nogil:
    """Count a row whose only listed side is a hypothesis of at most SHORT tokens."""
    cdef int64_t n = spans[0].end - spans[0].begin, total, n_slots = 64
    cdef int64_t positions = spans[n_spans - 1].base + spans[n_spans - 1].end - spans[n_spans - 1].begin
    cdef int32_t n_ids, n_words, k
    cdef int order = 1, failed = 0
    while n_slots < 3 * n:
        n_slots *= 2
    if positions > w.room_short:
        w.room_short = positions + positions // 2 + 64
        failed = fresh(<void **>&w.ids8, w.room_short) | fresh(<void **>&w.prefix8, w.room_short)
    if w.grid == NULL:
        failed |= fresh(<void **>&w.grid, (SHORT + 1) * (SHORT + 1))
    if failed:
        return -1
    n_ids = n_words = short_tokens(w, spans, n_spans, n_slots - 1)
    while True:
        if e != NULL:
            if e.orders >> order & 1:
                list_short(w, n_ids, order, e, row)
        else:
            total = 0
            for k in range(1, n_ids + 1):
                total += w.own8[k] if w.own8[k] < w.other8[k] else w.other8[k]
            if total == 0:
                return 0
            matches[order - 1] = total
        order += 1
        if order > max_order or order > n:
            return 0
        w.alive8[0] = 0
        if e != NULL:
            memset(w.alive8 + 1, 1, n_ids)
        else:
            for k in range(1, n_ids + 1):
                w.alive8[k] = w.other8[k] > 0
        n_ids = short_order(w, order, spans, n_spans, n_ids, n_words)


cdef void list_short(Work *w, int32_t n_ids, int order, Emit *e, int32_t row) noexcept nogil:
    cdef int64_t k = e.n_ngrams, at = e.n_bytes, begin, length
    cdef int32_t t, first
    for t in range(1, n_ids + 1):
        first = w.first8[t]
        e.row[k] = row; e.order[k] = order; e.own[k] = w.own8[t]; e.other[k] = w.other8[t]
        e.first[k] = first; e.which[k] = 0
        k += 1
        if e.text != NULL:
            begin = w.joined_at[first]
            length = w.joined_at[first + order] - begin - e.sep_length
            bp_copy_loose(e.text + at, w.joined + begin, length)
            at += length
            e.ends[k] = at
    e.n_ngrams = k
    e.n_bytes = at


cdef int count_row(Work *w, Span *spans, Py_ssize_t n_own, Py_ssize_t n_spans, int max_order, int64_t *matches,
                   Emit *e, int32_t row) noexcept nogil:
    """Count one row: fill matches (max_order,), all 0 before, or with `e` list its n-grams."""
    cdef int64_t n_slots = prepare(w, spans, n_own, n_spans)
    cdef int32_t n_ids
    cdef int order = 1
    cdef bint hit = False
    if n_slots <= 0:
        return <int>n_slots
    if e != NULL and e.text != NULL and join_tokens(w, spans, n_own, e) < 0:
        return -1
    if n_own == 1 and spans[0].end - spans[0].begin <= SHORT:
        return count_short_row(w, spans, n_spans, max_order, matches, e, row)
    n_ids = count_tokens(w, spans, n_own, n_spans, n_slots - 1, &hit)
    while n_ids:
        if e != NULL:
            if e.orders >> order & 1:
                list_ngrams(w, spans, n_ids, order, e, row)
        elif hit:
            matches[order - 1] = clipped(w, n_ids)
        else:
            return 0
        order += 1
        if order > max_order:
            return 0
        hit = False
        n_ids = count_order(w, order, spans, n_own, n_spans, n_slots - 1, e == NULL, &hit)
    return 0


cdef int cover_row(Work *w, Span *spans, Py_ssize_t n_spans, int max_order, bint references,
                   uint8_t *levels) noexcept nogil:
    """Cover one row, the hypothesis first: fill levels, all 0 before, by token of the side that is asked for."""
    cdef int64_t n_slots = prepare(w, spans, 1, n_spans)
    cdef Py_ssize_t s
    cdef int order = 1
    cdef bint hit = False
    if n_slots <= 0:
        return <int>n_slots
    count_tokens(w, spans, 1, n_spans, n_slots - 1, &hit)
    while hit:
        if references:
            for s in range(1, n_spans):
                paint(w, &spans[s], order, True, levels + (spans[s].base - spans[1].base))
        else:
            paint(w, &spans[0], order, False, levels)
        order += 1
        if order > max_order:
            return 0
        hit = False
        count_order(w, order, spans, 1, n_spans, n_slots - 1, True, &hit)
    return 0


cdef void paint(Work *w, const Span *span, int order, bint every, uint8_t *levels) noexcept nogil:
    """Mark the tokens of a list's n-grams that the other side has: of an n-gram the first clipped_count, or every one."""
    cdef int64_t n = span.end - span.begin, i, k, painted = 0
    cdef int32_t t
    for i in range(n - order + 1):
        t = w.prefix[span.base + i]
        if t < 0:
            continue
        if not every:
            if w.current[t] >= w.other[t]:
                continue
            w.current[t] += 1   # free between two orders
        for k in range(i if i > painted else painted, i + order):
            levels[k] = order
        painted = i + order


cdef int join_tokens(Work *w, const Span *spans, Py_ssize_t n_own, const Emit *e) noexcept nogil:
    cdef int64_t size = 0, at = 0, k = 0, i, begin, n
    cdef Py_ssize_t s
    cdef const Side *side
    for s in range(n_own):
        side = spans[s].side
        size += token_end(side, spans[s].end) - token_end(side, spans[s].begin)
        size += (spans[s].end - spans[s].begin) * e.sep_length
    if size + 32 > w.room_joined:
        w.room_joined = size + size // 2 + 1024  # and 32 that may be read beyond
        if fresh(<void **>&w.joined, w.room_joined) < 0:
            return -1
    for s in range(n_own):
        side = spans[s].side
        for i in range(spans[s].begin, spans[s].end):
            begin = token_end(side, i)
            n = token_end(side, i + 1) - begin
            w.joined_at[k] = at
            bp_copy(w.joined + at, side.data + begin, n)
            bp_copy(w.joined + at + n, e.sep, e.sep_length)
            at += n + e.sep_length
            k += 1
    w.joined_at[k] = at
    return 0


cdef void list_ngrams(Work *w, const Span *spans, int32_t n_ids, int order, Emit *e, int32_t row) noexcept nogil:
    cdef int64_t k = e.n_ngrams, at = e.n_bytes, begin, n
    cdef int32_t t
    for t in range(n_ids):
        e.row[k] = row; e.order[k] = order; e.own[k] = w.own[t]; e.other[k] = w.other[t]
        e.first[k] = w.first[t] - <int32_t>spans[w.which[t]].base
        e.which[k] = w.which[t]
        k += 1
        if e.text != NULL:
            begin = w.joined_at[w.first[t]]
            n = w.joined_at[w.first[t] + order] - e.sep_length - begin
            bp_copy_loose(e.text + at, w.joined + begin, n)
            at += n
            e.ends[k] = at
    e.n_ngrams = k
    e.n_bytes = at


cdef int64_t closest(const Span *spans, Py_ssize_t n_spans) noexcept nogil:
    """Give the reference length closest to the hypothesis' (spans[0]), of two the shorter."""
    cdef int64_t c = spans[0].end - spans[0].begin, best = -1, least = 0, r, distance
    cdef Py_ssize_t s
    for s in range(1, n_spans):
        r = spans[s].end - spans[s].begin
        distance = r - c if r > c else c - r
        if best < 0 or distance < least or (distance == least and r < best):
            best = r
            least = distance
    return best


cdef bint holds(const Span *span, const char *sep, int64_t n) noexcept nogil:
    """Tell whether a byte string stands within the tokens of a list: UTF-8 begins no character inside another."""
    cdef int64_t i
    cdef const char *at
    cdef const char *end
    if n == 1:   # one search over all the tokens' bytes, which lie end to end
        at = span.side.data + token_end(span.side, span.begin)
        end = span.side.data + token_end(span.side, span.end)
        return at != end and memchr(at, sep[0], end - at) != NULL
    for i in range(span.begin, span.end):
        at = span.side.data + token_end(span.side, i)
        end = span.side.data + token_end(span.side, i + 1)
        while at + n <= end:
            if memcmp(at, sep, n) == 0:
                return True
            at += 1
    return False


@cython.final
cdef class Block:
    """Rows that were read: owns copies of objects' tokens, or holds Arrow's buffers; immutable."""
    cdef list columns
    cdef readonly object faults
    cdef readonly Py_ssize_t stop
    cdef const uint8_t[::1] status
    cdef Side *sides
    cdef Py_ssize_t n_sides, n_rows, most_lists

    def __cinit__(self, list columns, object faults, Py_ssize_t stop):
        cdef Py_ssize_t i, n
        cdef Column column
        self.columns = columns
        self.faults = faults
        self.status = faults
        self.stop = stop
        self.n_rows = len(faults)
        self.n_sides = len(columns)
        self.sides = <Side *>grown(NULL, self.n_sides * sizeof(Side))
        for i in range(self.n_sides):
            column = columns[i]
            self.sides[i] = column.side
        for i in range(self.n_rows):
            n = self.lists_of(i)
            if n > self.most_lists:
                self.most_lists = n

    def __dealloc__(self):
        free(self.sides)

    cdef Py_ssize_t lists_of(self, Py_ssize_t row) noexcept nogil:
        cdef Py_ssize_t n = 0, i
        for i in range(self.n_sides):
            n += self.sides[i].rows[row + 1] - self.sides[i].rows[row]
        return n

    cdef Py_ssize_t lay_out(self, Py_ssize_t row, Span *spans) noexcept nogil:
        """Fill spans with the row's lists, the hypothesis first; give how many."""
        cdef Py_ssize_t n = 0, i
        cdef int64_t k
        for i in range(self.n_sides):
            for k in range(self.sides[i].rows[row], self.sides[i].rows[row + 1]):
                spans[n].side = &self.sides[i]
                spans[n].begin = self.sides[i].lists[k]
                spans[n].end = self.sides[i].lists[k + 1]
                n += 1
        return n

    def reference_counts(self):
        """Give the number of references of every row, (n_rows,) of int32."""
        cdef Py_ssize_t i
        out = np.empty(self.n_rows, np.int32)
        cdef int32_t[::1] counts = out
        for i in range(self.n_rows):
            counts[i] = <int32_t>(self.lists_of(i) - (self.sides[0].rows[i + 1] - self.sides[0].rows[i]))
        return out

    def components(self, int max_order, int64_t[:, :] out):
        """Fill out, (2 + 2 * max_order, n_rows), contiguous along its rows."""
        cdef int rc
        if out.shape[0] != 2 + 2 * max_order or out.shape[1] != self.n_rows or max_order > 63:
            raise ValueError("out is of shape (2 + 2 * max_order, n_rows)")
        if self.n_rows == 0:
            return
        with nogil:
            rc = self.count_components(max_order, out)
        if rc < 0:
            raise MemoryError()

    cdef int count_components(self, int max_order, int64_t[:, :] out) noexcept nogil:
        cdef Work w
        cdef Span *spans = <Span *>malloc((self.most_lists + 1) * sizeof(Span))
        cdef Py_ssize_t row, n
        cdef int64_t c
        cdef int64_t matches[64]
        cdef int rc = 0 if spans != NULL else -1, k
        memset(&w, 0, sizeof(Work))
        for row in range(self.n_rows):
            if rc < 0:
                break
            if self.status[row] & UNCOUNTED:
                for k in range(2 + 2 * max_order):
                    out[k, row] = 0
                continue
            n = self.lay_out(row, spans)
            memset(matches, 0, max_order * sizeof(int64_t))
            rc = count_row(&w, spans, 1, n, max_order, matches, NULL, 0)
            c = spans[0].end - spans[0].begin
            out[0, row] = c
            out[1, row] = closest(spans, n)
            for k in range(max_order):
                out[2 + k, row] = matches[k]
                out[2 + max_order + k, row] = c - k if c > k else 0
        release(&w)
        free(spans)
        return rc

    def ngrams(self, orders, sep, bint references):
        """Give the distinct n-grams of the hypotheses, or of the references."""
        cdef Emit e
        cdef bytes separator = b"" if sep is None else sep.encode()
        cdef bint ambiguous = False
        cdef int max_order = max(orders), rc
        cdef int64_t rows = 0, size = 0
        cdef int32_t[:, ::1] table
        cdef int64_t[::1] ends
        cdef uint8_t[::1] text
        memset(&e, 0, sizeof(Emit))
        for order in orders:
            e.orders |= 1 << <int>order
        e.sep = separator
        e.sep_length = len(separator)
        self.bound(&e, max_order, references, &rows, &size)
        numbers = np.empty((6, rows + 1), np.int32)
        offsets = np.empty(rows + 1 if sep is not None else 1, np.int64)
        data = np.empty(size + 32 if sep is not None else 1, np.uint8)
        table = numbers; ends = offsets; text = data
        ends[0] = 0
        e.row = &table[0, 0]; e.order = &table[1, 0]; e.own = &table[2, 0]
        e.other = &table[3, 0]; e.first = &table[4, 0]; e.which = &table[5, 0]
        e.ends = &ends[0]
        e.text = <char *>&text[0] if sep is not None else NULL
        with nogil:
            rc = self.list_all(max_order, references, &e, &ambiguous)
        if rc < 0:
            raise MemoryError()
        return Ngrams(*numbers[:, :e.n_ngrams], offsets[:e.n_ngrams + 1 if sep is not None else 1],
                      data[:e.n_bytes], ambiguous)

    cdef void bound(self, const Emit *e, int max_order, bint references, int64_t *rows, int64_t *size) noexcept nogil:
        """Bound the n-grams and their bytes from above: pages that stay untouched cost nothing."""
        cdef Py_ssize_t i
        cdef int64_t k, n, n_bytes, last
        cdef int order
        cdef const Side *s
        for i in range(1 if references else 0, self.n_sides if references else 1):
            s = &self.sides[i]
            last = s.rows[self.n_rows]
            for k in range(s.rows[0], last):
                n_bytes = token_end(s, s.lists[k + 1]) - token_end(s, s.lists[k])
                for order in range(1, max_order + 1):
                    n = s.lists[k + 1] - s.lists[k] - order + 1
                    if n > 0 and e.orders >> order & 1:
                        rows[0] += n
                        size[0] += order * n_bytes + n * (order - 1) * e.sep_length

    cdef int list_all(self, int max_order, bint references, Emit *e, bint *ambiguous) noexcept nogil:
        cdef Work w
        cdef Span *spans = <Span *>malloc((self.most_lists + 1) * sizeof(Span))
        cdef Py_ssize_t row, n, n_own, s
        cdef int rc = 0 if spans != NULL else -1
        memset(&w, 0, sizeof(Work))
        for row in range(self.n_rows):
            if rc < 0:
                break
            if self.status[row] & UNCOUNTED:
                continue
            n = self.lay_out(row, spans)
            n_own = 1
            if references:   # the listed side stands first
                spans[n] = spans[0]
                n_own = n - 1
            if e.text != NULL:
                for s in range(n_own):
                    ambiguous[0] |= holds(&spans[s + references], e.sep, e.sep_length)
            rc = count_row(&w, spans + (1 if references else 0), n_own, n, max_order, NULL, e, <int32_t>row)
        release(&w)
        free(spans)
        return rc

    def coverage(self, int max_order, bint references):
        """Give, by token, the longest matched n-gram over it; of references, the longest that the hypothesis has."""
        cdef int64_t n_lists, n_tokens
        cdef int32_t[::1] row_ends, list_ends
        cdef uint8_t[::1] levels
        cdef int rc = 0
        with nogil:
            n_lists = self.lists_to_cover(references)
        rows = np.zeros(self.n_rows + 1, np.int32)
        lists = np.zeros(n_lists + 1, np.int32)
        row_ends = rows; list_ends = lists
        with nogil:
            n_tokens = self.lay_out_coverage(references, &row_ends[0], &list_ends[0])
        if n_tokens < 0:
            raise MemoryError()
        values = np.zeros(n_tokens + 1, np.uint8)
        levels = values
        with nogil:
            rc = self.cover_all(max_order, references, &row_ends[0], &list_ends[0], &levels[0])
        if rc < 0:
            raise MemoryError()
        return Coverage(rows, lists, values[:n_tokens])

    cdef int64_t lists_to_cover(self, bint references) noexcept nogil:
        cdef Py_ssize_t row
        cdef int64_t n = 0
        if not references:
            return self.n_rows
        for row in range(self.n_rows):
            if not self.status[row] & UNCOUNTED:
                n += self.lists_of(row) - 1
        return n

    cdef int64_t lay_out_coverage(self, bint references, int32_t *rows, int32_t *lists) noexcept nogil:
        """Fill the offsets of a Coverage; give the number of tokens, or -1 without memory."""
        cdef Span *spans = <Span *>malloc((self.most_lists + 1) * sizeof(Span))
        cdef Py_ssize_t row, n, s
        cdef int64_t at = 0, tokens = 0
        if spans == NULL:
            return -1
        for row in range(self.n_rows):
            if not self.status[row] & UNCOUNTED:
                n = self.lay_out(row, spans)
                for s in range(1 if references else 0, n if references else 1):
                    tokens += spans[s].end - spans[s].begin
                    at += 1
                    lists[at] = <int32_t>tokens
            elif not references:
                at += 1
                lists[at] = <int32_t>tokens
            rows[row + 1] = <int32_t>at
        free(spans)
        return tokens

    cdef int cover_all(self, int max_order, bint references, const int32_t *rows, const int32_t *lists,
                       uint8_t *levels) noexcept nogil:
        cdef Work w
        cdef Span *spans = <Span *>malloc((self.most_lists + 1) * sizeof(Span))
        cdef Py_ssize_t row
        cdef int rc = 0 if spans != NULL else -1
        memset(&w, 0, sizeof(Work))
        for row in range(self.n_rows):
            if rc < 0:
                break
            if not self.status[row] & UNCOUNTED:
                rc = cover_row(&w, spans, self.lay_out(row, spans), max_order, references, levels + lists[rows[row]])
        release(&w)
        free(spans)
        return rc


# ---- Summing n-grams up over rows: sorted, not hashed ----
#
# All tokens are numbered by the order of their text and laid end to end, a 0 after every list. Positions are sorted by
# the token that stands there, and each run of equal ones by the next token, and so on: a run of order n is one n-gram,
# met in the order of text, its positions row by row. Nothing is hashed but single tokens, and those are compared.

cdef enum:
    LIGHT = 1024               # rows of a smaller count + missing are placed by counting
    HYPOTHESIS_ONCE = 0        # kinds of an entry, in the upper two bits of its head: what it occurs in
    REFERENCE_ONCE = 1
    MATCHED_ONCE = 2
    MORE = 3                   # the numbers stand in Stream.more
    FEW = 40                   # runs that are sorted by insertion
    NUMBERS = 8                # columns of a Summary
    SIDES = 4                  # matched by the first system only, by the second only, by both, by neither
    JOINED = 256               # bytes of an n-gram that is joined apart before it is written
    AHEAD = 16                 # how far ahead of its use memory is asked for

cdef uint32_t PLACE = ((<uint32_t>1) << 30) - 1


cdef struct Word:
    # What a token is compared by stands together: half a line of the processor's cache.
    uint64_t key, more
    const char *text
    int64_t length


cdef struct Words:
    # Distinct tokens: id to text, text to id.
    int32_t *slots             # open addressing, -1 where free
    int64_t n_slots
    int32_t n, room
    uint64_t *hash
    Word *words


cdef void release_words(Words *v) noexcept nogil:
    free(v.slots); free(v.hash); free(v.words)
    memset(v, 0, sizeof(Words))


cdef int regrow(void **memory, size_t size) noexcept nogil:
    """Make memory larger and keep its content; -1 without memory, the old one stays."""
    cdef void *new = realloc(memory[0], size)
    if new == NULL:
        return -1
    memory[0] = new
    return 0


cdef int grow_words(Words *v) noexcept nogil:
    """Make room for twice as many words."""
    cdef int64_t n_slots = 2 * v.n_slots if v.n_slots else 4096
    cdef size_t room = n_slots // 2
    cdef int32_t i
    cdef int64_t slot
    if (regrow(<void **>&v.hash, room * 8) | regrow(<void **>&v.words, room * sizeof(Word))
            | fresh(<void **>&v.slots, n_slots * 4)) < 0:
        return -1
    v.room = <int32_t>room
    v.n_slots = n_slots
    memset(v.slots, 255, n_slots * 4)
    for i in range(v.n):
        slot = v.hash[i] & (n_slots - 1)
        while v.slots[slot] >= 0:
            slot = (slot + 1) & (n_slots - 1)
        v.slots[slot] = i
    return 0


cdef inline int32_t word_id(Words *v, uint64_t hash, uint64_t key, uint64_t more, const char *text,
                            int64_t length) noexcept nogil:
    """Give the id of a token, a new one (v.n before) if it is new; -1 without memory."""
    cdef int64_t slot
    cdef int32_t t
    cdef Word *w
    if v.n == v.room and grow_words(v) < 0:
        return -1
    slot = hash & (v.n_slots - 1)
    while True:
        t = v.slots[slot]
        if t < 0:
            break
        w = &v.words[t]
        if (w.key == key and w.more == more and w.length == length
                and (length <= 16 or memcmp(w.text, text, length) == 0)):
            return t
        slot = (slot + 1) & (v.n_slots - 1)
    t = v.n
    v.n += 1
    v.slots[slot] = t
    v.hash[t] = hash
    w = &v.words[t]
    w.key = key; w.more = more; w.text = text; w.length = length
    return t


@cython.final
cdef class Piece:
    """The tokens of one block as numbers: 1 + id by `words`, a 0 behind every list."""
    cdef int64_t start, n_rows, n_tokens, n_lists
    cdef int32_t *tokens
    cdef int64_t *lists        # (n_rows + 1,): where a row's lists begin
    cdef int32_t *words        # (n_words,): id in the tally
    cdef int32_t n_words

    def __dealloc__(self):
        free(self.tokens)
        free(self.lists)
        free(self.words)

    cdef int number(self, Block block, Words *v) noexcept nogil:
        """Give every token of the block's counted rows an id; -1 without memory."""
        cdef Span *spans = <Span *>malloc((block.most_lists + 1) * sizeof(Span))
        cdef Py_ssize_t row, n, s
        cdef int64_t at = 0, room = 0, i
        cdef int rc = -1
        self.n_rows = block.n_rows
        self.lists = <int64_t *>malloc((self.n_rows + 1) * 8)
        if spans != NULL and self.lists != NULL:
            for row in range(block.n_rows):
                self.lists[row] = self.n_lists
                if not block.status[row] & UNCOUNTED:
                    n = block.lay_out(row, spans)
                    self.n_lists += n
                    for s in range(n):
                        room += spans[s].end - spans[s].begin + 1
            self.lists[block.n_rows] = self.n_lists
            self.n_tokens = room
            self.tokens = <int32_t *>malloc((room + 1) * 4)
            rc = 0 if self.tokens != NULL else -1
        for row in range(block.n_rows):
            if rc < 0:
                break
            if block.status[row] & UNCOUNTED:
                continue
            n = block.lay_out(row, spans)
            for s in range(n):
                rc |= self.number_list(&spans[s], v, at)
                at += spans[s].end - spans[s].begin + 1
        free(spans)
        return rc

    cdef int number_list(self, const Span *span, Words *v, int64_t at) noexcept nogil:
        cdef const Side *side = span.side
        cdef int64_t i, begin, end = token_end(side, span.begin)
        cdef uint64_t hash, key, more
        cdef int32_t t
        for i in range(span.begin, span.end):
            begin = end
            end = token_end(side, i + 1)
            hash = bp_words(side.data + begin, end - begin, side.limit, &key, &more)
            t = word_id(v, hash, key, more, side.data + begin, end - begin)
            if t < 0:
                return -1
            self.tokens[at] = t + 1
            at += 1
        self.tokens[at] = 0
        return 0


cdef struct Ranked:
    uint64_t head              # first 8 bytes, so that numbers compare as the texts do
    const char *text
    int64_t length
    int32_t id


cdef int by_text(const void *a, const void *b) noexcept nogil:
    cdef const Ranked *x = <const Ranked *>a
    cdef const Ranked *y = <const Ranked *>b
    cdef int differ
    if x.head != y.head:
        return -1 if x.head < y.head else 1
    differ = memcmp(x.text, y.text, x.length if x.length < y.length else y.length)
    if differ:
        return differ
    return -1 if x.length < y.length else 1 if x.length > y.length else 0


@cython.final
cdef class Tally:
    """The tokens of rows as numbers, kept to sum their n-grams up."""
    cdef Words words
    cdef list pieces, arenas
    cdef object lock
    cdef bint sealed
    cdef int64_t n_cells, n_rows, n_lists, n_bytes
    cdef uint32_t[::1] memory  # NumPy's, as that asks for large pages
    cdef uint32_t *cells       # by position: rank of the token, or 0
    cdef int32_t *row_of       # by list
    cdef int64_t *row_first    # (n_rows + 1,): a row's first position
    cdef int64_t *row_list     # (n_rows + 1,): a row's first list, the hypothesis
    # by rank of the token, from 1
    cdef int64_t *begins       # (n + 2,), into text
    cdef int64_t *frequency
    cdef char *text

    def __cinit__(self):
        self.pieces = []
        self.arenas = []
        self.lock = Lock()

    def __dealloc__(self):
        release_words(&self.words)
        free(self.row_of); free(self.row_first); free(self.row_list)
        free(self.begins); free(self.frequency); free(self.text)

    def add(self, Py_ssize_t start, Block block):
        """Take the rows of a block, which begins with row `start`; give how many tokens there are by now."""
        cdef Piece piece = Piece()
        cdef Words own
        cdef int rc
        memset(&own, 0, sizeof(Words))
        piece.start = start
        try:
            with nogil:
                rc = piece.number(block, &own)
            if rc < 0:
                raise MemoryError()
            piece.words = <int32_t *>grown(NULL, (own.n + 1) * 4)
            piece.n_words = own.n
            with self.lock:
                if self.sealed:
                    raise RuntimeError("rows are added before the first summary")
                self.take_words(&own, piece.words)
                self.pieces.append(piece)
                self.n_cells += piece.n_tokens
                return self.n_cells
        finally:
            release_words(&own)

    cdef int take_words(self, const Words *own, int32_t *ids) except -1:
        """Give the tokens of a block the ids that they have here; new ones are copied."""
        cdef int32_t i, t, before
        cdef int64_t size = 0, at = 0
        cdef char *arena
        cdef Word *w
        before = self.words.n
        for i in range(own.n):
            if i + AHEAD < own.n and self.words.n_slots:
                bp_prefetch(&self.words.slots[own.hash[i + AHEAD] & (self.words.n_slots - 1)])
            if i + AHEAD // 2 < own.n and self.words.n_slots:
                t = self.words.slots[own.hash[i + AHEAD // 2] & (self.words.n_slots - 1)]
                if t >= 0:
                    bp_prefetch(&self.words.words[t])
            w = &own.words[i]
            t = word_id(&self.words, own.hash[i], w.key, w.more, w.text, w.length)
            if t < 0:
                raise MemoryError()
            ids[i] = t
        for i in range(before, self.words.n):
            size += self.words.words[i].length
        memory = bytearray(size + 1)
        self.arenas.append(memory)
        arena = memory
        for i in range(before, self.words.n):
            w = &self.words.words[i]
            memcpy(arena + at, w.text, w.length)
            w.text = arena + at
            at += w.length
        self.n_bytes += size
        return 0

    def holds(self, str text):
        """Tell whether a token holds a text."""
        cdef bytes sought = text.encode()
        cdef const char *p = sought
        cdef int64_t n = len(sought), k
        cdef int32_t i
        for i in range(self.words.n):
            for k in range(self.words.words[i].length - n + 1):
                if memcmp(self.words.words[i].text + k, p, n) == 0:
                    return True
        return False

    cdef int seal(self) except -1:
        """Number tokens by the order of their text, and lay all rows end to end."""
        cdef Piece piece
        cdef int32_t n = self.words.n
        cdef int32_t *ranks
        cdef int failed
        if self.sealed:
            return 0
        self.pieces.sort(key=piece_start)
        self.n_rows = self.n_lists = 0
        for piece in self.pieces:
            self.n_lists += piece.n_lists
            self.n_rows = piece.start + piece.n_rows
        self.memory = np.empty(self.n_cells + 1, np.uint32)
        self.cells = &self.memory[0]
        self.row_of = <int32_t *>grown(self.row_of, (self.n_lists + 1) * 4)
        self.row_first = <int64_t *>grown(self.row_first, (self.n_rows + 1) * 8)
        self.row_list = <int64_t *>grown(self.row_list, (self.n_rows + 1) * 8)
        self.begins = <int64_t *>grown(self.begins, (n + 2) * 8)
        self.frequency = <int64_t *>grown(self.frequency, (n + 2) * 8)
        self.text = <char *>grown(self.text, self.n_bytes + 32)
        ranks = <int32_t *>grown(NULL, (n + 1) * 4)
        try:
            with nogil:
                failed = self.rank(ranks)
            if failed < 0:
                raise MemoryError()
            self.lay_down(ranks)
        finally:
            free(ranks)
        self.pieces.clear()
        self.sealed = True
        return 0

    cdef int rank(self, int32_t *ranks) noexcept nogil:
        cdef int32_t n = self.words.n, i
        cdef int64_t at = 0, k
        cdef uint64_t head
        cdef Ranked *sorted_words = <Ranked *>malloc((n + 1) * sizeof(Ranked))
        if sorted_words == NULL:
            return -1
        for i in range(n):
            head = 0
            for k in range(8):
                head <<= 8
                if k < self.words.words[i].length:
                    head |= <uint8_t>self.words.words[i].text[k]
            sorted_words[i].head = head
            sorted_words[i].text = self.words.words[i].text
            sorted_words[i].length = self.words.words[i].length
            sorted_words[i].id = i
        qsort(sorted_words, n, sizeof(Ranked), by_text)
        self.begins[0] = 0
        for i in range(n):
            ranks[sorted_words[i].id] = i + 1
            self.begins[i + 1] = at
            memcpy(self.text + at, sorted_words[i].text, sorted_words[i].length)
            at += sorted_words[i].length
        self.begins[n + 1] = at
        free(sorted_words)
        return 0

    cdef int lay_down(self, const int32_t *ranks) except -1:
        cdef Piece piece
        cdef int64_t at = 0, row = 0, i, n_lists = 0, k, l
        cdef int32_t *own
        cdef uint32_t t
        memset(self.frequency, 0, (self.words.n + 2) * 8)
        for piece in self.pieces:
            own = <int32_t *>grown(NULL, (piece.n_words + 1) * 4)
            own[0] = 0
            for i in range(piece.n_words):
                own[i + 1] = ranks[piece.words[i]]
            with nogil:
                while row < piece.start:   # rows that nobody added
                    self.row_first[row] = at
                    self.row_list[row] = n_lists
                    row += 1
                i = 0
                for k in range(piece.n_rows):
                    self.row_first[row] = at
                    self.row_list[row] = n_lists
                    for l in range(piece.lists[k + 1] - piece.lists[k]):
                        self.row_of[n_lists] = <int32_t>row
                        n_lists += 1
                        while True:
                            t = own[piece.tokens[i]]
                            i += 1
                            self.frequency[t] += 1
                            self.cells[at] = t
                            at += 1
                            if t == 0:
                                break
                    row += 1
            free(own)
        self.row_first[row] = at
        self.row_list[row] = n_lists
        return 0

    def summary(self, rows, orders, int64_t min_count, str sep, int threads):
        """Sum the n-grams of rows up; None for all rows."""
        cdef const int64_t[::1] chosen
        with self.lock:
            self.seal()
        if rows is not None:
            rows = chosen = self.checked(rows)
        few = rows is not None and self.places_of(chosen) <= self.words.n
        bounds = [1, self.words.n + 1] if few else self.shares(threads)
        parts = [SummaryPart(self, rows, few, lo, hi, orders, min_count, sep.encode())
                 for lo, hi in itertools.pairwise(bounds)]
        at_once(Part.count, parts)
        n, size = lay_out_parts(parts, orders)
        numbers = np.empty((NUMBERS, n), np.int64)
        offsets = np.empty(n + 1, np.int64)
        text = np.empty(size, np.uint8)
        offsets[0] = 0
        at_once(SummaryPart.write, [(part, numbers, offsets, text) for part in parts])
        return Summary(numbers, offsets, text)

    def contrasts(self, pairs, orders, int64_t min_count, str sep, int64_t examples, int threads):
        """Tell by n-gram which of two systems matches it; pairs of rows, (2, n_pairs)."""
        with self.lock:
            self.seal()
        rows = self.checked(np.ascontiguousarray(np.asarray(pairs, np.int64).T).reshape(-1))
        units = self.units_of(rows)
        parts = [ContrastPart(self, rows, False, lo, hi, orders, min_count, sep.encode(), units, examples)
                 for lo, hi in itertools.pairwise(self.shares(threads))]
        at_once(Part.count, parts)
        n, size, n_shown, places = lay_out_contrasts(parts, orders)
        numbers = np.empty((1 + 2 * SIDES, n), np.int64)
        offsets = np.empty(n + 1, np.int64)
        text = np.empty(size, np.uint8)
        shown = np.empty(n_shown, np.int64)
        offsets[0] = 0
        at_once(ContrastPart.write, [(part, *place, numbers, offsets, text, shown) for part, *place in places])
        return Contrasts(numbers, offsets, text, shown)

    cdef object checked(self, rows):
        rows = np.ascontiguousarray(rows, np.int64)
        if len(rows) and not (0 <= rows.min() and rows.max() < self.n_rows):
            raise ValueError("rows are numbers of rows that were added")
        return rows

    cdef object units_of(self, const int64_t[::1] rows):
        """Give by list its place in rows."""
        cdef int64_t i, k
        cdef int32_t[::1] units = np.full(self.n_lists + 1, -1, np.int32)
        for i in range(rows.shape[0]):
            for k in range(self.row_list[rows[i]], self.row_list[rows[i] + 1]):
                units[k] = <int32_t>i
        return units

    cdef int64_t places_of(self, const int64_t[::1] rows) noexcept nogil:
        """Count the positions of rows."""
        cdef int64_t n = 0, i
        for i in range(rows.shape[0]):
            n += self.row_first[rows[i] + 1] - self.row_first[rows[i]]
        return n

    cdef list shares(self, int threads):
        """Give the bounds of ranges of tokens that are about equally frequent."""
        cdef int64_t total = 0, so_far = 0
        cdef int32_t i, n = self.words.n
        cdef list bounds = [1]
        for i in range(1, n + 1):
            total += self.frequency[i]
        for i in range(1, n + 1):
            if so_far * threads >= total * len(bounds) and len(bounds) < threads:
                bounds.append(i)
            so_far += self.frequency[i]
        bounds.append(n + 1)
        return bounds


def piece_start(Piece piece):
    return piece.start


def at_once(work, items):
    """Do the same with every item, each in a thread of its own."""
    calls = [item if isinstance(item, tuple) else (item,) for item in items]
    if len(calls) == 1:
        work(*calls[0])
        return
    with ThreadPoolExecutor(len(calls), thread_name_prefix="bleupandas") as pool:
        for done in [pool.submit(work, *call) for call in calls]:
            done.result()


cdef struct Facts:
    int64_t count, clipped, missing, segments, over, under


cdef struct Heavy:
    # An n-gram of a large count + missing, of which there are few.
    int64_t weight, size, row, at


cdef struct Places:
    # Where the n-grams of one order belong that a part has found.
    Heavy *heavy               # in the order in which they are found
    int64_t n_heavy, room_heavy
    int64_t rows[LIGHT]        # by weight: how many, and then the next row
    int64_t text_rows[LIGHT]   # by weight: the next row whose text is written
    int64_t bytes[LIGHT]       # by weight: how many of text, and then where the next one begins
    int64_t ends[LIGHT]        # where the text of a weight ends


cdef class Part:
    """The n-grams that begin with a token of a range of ranks, lo to hi; what is made of a run says a subclass."""
    cdef Tally tally
    cdef object chosen         # rows, or None for all
    cdef bint few              # fewer positions than there are tokens to count them by
    cdef int64_t lo, hi, min_count, sep_length
    cdef int max_order
    cdef uint32_t orders
    cdef bytes separator
    cdef const char *sep
    # (2 * list + whether it is a hypothesis, position): what runs are summed up by stands in them
    cdef uint64_t *places
    cdef uint64_t *keys        # scratch for sorting
    cdef int64_t *counts
    cdef const int32_t *of_list   # what runs are summed up by, by list: the row, or 2 * pair + system

    def __cinit__(self, Tally tally, chosen, bint few, int64_t lo, int64_t hi, orders, int64_t min_count,
                  bytes separator, *others):
        self.tally = tally
        self.of_list = tally.row_of
        self.chosen = chosen
        self.few = few
        self.lo = lo
        self.hi = hi
        self.min_count = min_count
        self.separator = separator
        self.sep = separator
        self.sep_length = len(separator)
        self.max_order = max(orders)
        for order in orders:
            self.orders |= 1 << <int>order

    def __dealloc__(self):
        self.clear()

    cdef void clear(self) noexcept nogil:
        free(self.places); free(self.keys); free(self.counts)
        self.places = NULL; self.keys = NULL; self.counts = NULL

    def count(self):
        """Find the n-grams."""
        cdef const int64_t[::1] rows
        cdef const int64_t *first = NULL
        cdef int64_t n = self.tally.n_rows
        cdef int rc
        if self.chosen is not None:
            rows = self.chosen
            n = rows.shape[0]
            if n == 0:
                return
            first = &rows[0]
        with nogil:
            rc = self.find_few(first, n) if self.few else self.find(first, n)
            self.clear()
        if rc < 0:
            raise MemoryError()

    cdef int find_few(self, const int64_t *rows, int64_t n_rows) noexcept nogil:
        """Do as `find` does, without a count for every token that there is."""
        cdef int64_t i, n = 0, room = 1
        for i in range(n_rows):
            room += self.tally.row_first[rows[i] + 1] - self.tally.row_first[rows[i]]
        self.places = <uint64_t *>malloc(room * 8)
        self.keys = <uint64_t *>malloc(room * (self.max_order + 2) * 8)
        if self.places == NULL or self.keys == NULL:
            return -1
        for i in range(n_rows):
            self.scatter(rows[i], &n)
        return self.refine(self.places, n, 0, 0, 0)

    cdef int find(self, const int64_t *rows, int64_t n_rows) noexcept nogil:
        """Sort positions by the token that stands there, and follow each run."""
        cdef int64_t i, t, total = 0, largest = 0, pos, begin
        cdef int64_t *ends
        self.counts = <int64_t *>malloc((self.hi - self.lo + 1) * 8)
        if self.counts == NULL:
            return -1
        ends = self.counts
        memset(ends, 0, (self.hi - self.lo + 1) * 8)
        if rows == NULL:
            memcpy(ends, self.tally.frequency + self.lo, (self.hi - self.lo) * 8)
        else:
            for i in range(n_rows):
                for pos in range(self.tally.row_first[rows[i]], self.tally.row_first[rows[i] + 1]):
                    t = self.tally.cells[pos]
                    if self.lo <= t < self.hi:
                        ends[t - self.lo] += 1
        for i in range(self.hi - self.lo):
            if ends[i] > largest:
                largest = ends[i]
            begin = total
            total += ends[i]
            ends[i] = begin
        self.places = <uint64_t *>malloc((total + 1) * 8)
        self.keys = <uint64_t *>malloc((largest * (self.max_order + 1) + 1) * 8)
        if self.places == NULL or self.keys == NULL:
            return -1
        for i in range(n_rows):
            self.scatter(i if rows == NULL else rows[i], NULL)
        begin = 0
        for t in range(self.lo, self.hi):
            if self.follow(self.places + begin, ends[t - self.lo] - begin, t, 0, 0, 0) < 0:
                return -1
            begin = ends[t - self.lo]
        return 0

    cdef void scatter(self, int64_t row, int64_t *n) noexcept nogil:
        """Lay the positions of a row down, each at the end of its token's run, or all one after another behind n."""
        cdef uint64_t tag = <uint64_t>(2 * self.tally.row_list[row] + 1) << 32
        cdef uint64_t step = <uint64_t>1 << 32   # from the hypothesis to the first reference
        cdef uint64_t width = self.hi - self.lo, t
        cdef int64_t pos
        cdef int64_t *end
        for pos in range(self.tally.row_first[row], self.tally.row_first[row + 1]):
            t = <uint64_t>self.tally.cells[pos] - self.lo
            if t < width:
                end = &self.counts[t] if n == NULL else n
                self.places[end[0]] = tag | <uint64_t>pos
                end[0] += 1
            elif self.tally.cells[pos] == 0:
                tag += step
                step = <uint64_t>2 << 32

    cdef int follow(self, uint64_t *places, int64_t n, int64_t t, int depth, int64_t length, int64_t top) noexcept nogil:
        """Take a run of n positions whose n-grams of order depth + 1 are one, which ends with token t."""
        return -1

    cdef int refine(self, uint64_t *places, int64_t n, int depth, int64_t length, int64_t top) noexcept nogil:
        """Sort a run by the next token, and follow each run of those."""
        cdef const uint32_t *cells = self.tally.cells + depth
        cdef uint64_t *keys = self.keys + top
        cdef uint64_t *other = keys + n
        cdef int64_t i, begin, asked = 0
        cdef uint64_t t
        for i in range(n):
            if i + AHEAD < n:
                bp_prefetch(&cells[<uint32_t>places[i + AHEAD]])
            keys[i] = <uint64_t>cells[<uint32_t>places[i]] << 32 | <uint64_t>i
        sort_keys(keys, other, n, self.tally.words.n)
        memcpy(other, places, n * 8)
        for i in range(n):
            places[i] = other[<uint32_t>keys[i]]
        i = 0
        while i < n:
            begin = i
            t = keys[i] >> 32
            i += 1
            while i < n and keys[i] >> 32 == t:
                i += 1
            if t == 0 or i - begin < self.min_count:   # count + missing is at most the number of occurrences
                continue
            while asked < n and asked < i + AHEAD:   # what the next runs are refined by
                bp_prefetch(&cells[<uint32_t>places[asked] + 1])
                bp_prefetch(&self.of_list[places[asked] >> 33])
                asked += 1
            if self.follow(places + begin, i - begin, t, depth, length, top + n) < 0:
                return -1
        return 0

    cdef int64_t write_text(self, const uint32_t *cell, int order, char *text, int64_t at) noexcept nogil:
        """Write the tokens of an n-gram, however long they are; give where it ends."""
        cdef const int64_t *begins = self.tally.begins
        cdef int64_t length
        cdef uint32_t t
        cdef int k
        for k in range(order):
            if k:
                memcpy(text + at, self.sep, self.sep_length)
                at += self.sep_length
            t = cell[k]
            length = begins[t + 1] - begins[t]
            memcpy(text + at, self.tally.text + begins[t], length)
            at += length
        return at


@cython.final
cdef class SummaryPart(Part):
    """Sums over rows."""
    cdef Places *of_order      # by order
    # What is found, in the order of text: n-grams that begin at one place and have the same numbers, of several orders
    cdef uint32_t *heads       # (n,): kind, and a position where they stand
    cdef uint8_t *spans        # (n,): the first of the orders, and 16 times the last
    cdef uint32_t *more        # 6 numbers for each of kind MORE
    cdef int64_t n, room, n_more, room_more

    def __cinit__(self, *arguments):
        self.of_order = <Places *>grown(NULL, (self.max_order + 1) * sizeof(Places))
        memset(self.of_order, 0, (self.max_order + 1) * sizeof(Places))

    def __dealloc__(self):
        cdef int order
        if self.of_order != NULL:
            for order in range(self.max_order + 1):
                free(self.of_order[order].heavy)
        free(self.of_order)
        free(self.heads); free(self.spans); free(self.more)

    cdef int follow(self, uint64_t *places, int64_t n, int64_t t, int depth, int64_t length, int64_t top) noexcept nogil:
        """Take a run of n positions whose n-grams of order depth + 1 are one, which ends with token t."""
        cdef Facts facts
        cdef int order = depth + 1
        if n < self.min_count or n == 0:   # count + missing is at most the number of occurrences
            return 0
        length += self.tally.begins[t + 1] - self.tally.begins[t]
        if n == 1:
            return self.follow_one(places[0], order, length)
        if n == 2:
            self.sum_up_two(places, &facts)
        else:
            self.sum_up(places, n, &facts)
        if facts.count + facts.missing < self.min_count:   # and so is that of any longer n-gram
            return 0
        if n == 2:
            return self.follow_two(places, order, length, &facts)
        if self.place(order, length, facts.count + facts.missing) < 0:
            return -1
        if self.note(order, order, places[0], &facts) < 0:
            return -1
        if order == self.max_order:
            return 0
        return self.refine(places, n, order, length + self.sep_length, top)

    cdef int follow_one(self, uint64_t place, int order, int64_t length) noexcept nogil:
        """Take a place that is the only one of its n-gram, and of all longer ones."""
        cdef const uint32_t *cell = &self.tally.cells[<uint32_t>place]
        cdef const int64_t *begins = self.tally.begins
        cdef uint32_t t
        cdef int first = order
        while True:
            if self.place(order, length, 1) < 0:
                return -1
            t = cell[order]
            if t == 0 or order == self.max_order:
                break
            length += self.sep_length + begins[t + 1] - begins[t]
            order += 1
        return self.write_down(first, order, HYPOTHESIS_ONCE if place >> 32 & 1 else REFERENCE_ONCE, place)

    cdef int follow_two(self, const uint64_t *places, int order, int64_t length, const Facts *facts) noexcept nogil:
        """Take two places of one n-gram: as long as they go on alike the numbers stay."""
        cdef const uint32_t *a = &self.tally.cells[<uint32_t>places[0]]
        cdef const uint32_t *b = &self.tally.cells[<uint32_t>places[1]]
        cdef const int64_t *begins = self.tally.begins
        cdef uint32_t t, u
        cdef int first = order, later
        while True:
            if self.place(order, length, facts.count + facts.missing) < 0:
                return -1
            t = a[order]
            u = b[order]
            if t != u or t == 0 or order == self.max_order:
                break
            length += self.sep_length + begins[t + 1] - begins[t]
            order += 1
        if self.note(first, order, places[0], facts) < 0:
            return -1
        if t == u or order == self.max_order or self.min_count > 1:
            return 0
        length += self.sep_length
        later = t < u   # the one whose text comes later
        if later:
            t, u = u, t
        if u and self.follow_one(places[1 - later], order + 1, length + begins[u + 1] - begins[u]) < 0:
            return -1
        return self.follow_one(places[later], order + 1, length + begins[t + 1] - begins[t])

    cdef void sum_up(self, const uint64_t *places, int64_t n, Facts *facts) noexcept nogil:
        """Count what a run of positions is made of, row by row; they ascend, so that a row's lists stand together.

        No branch depends on the data: where rows and lists end cannot be foreseen.
        """
        cdef const int32_t *row_of = self.of_list
        cdef int64_t i, hypothesis, keep
        cdef int64_t count = 0, most = 0, of_list = 0, produced = 0, matched = 0, longest = 0, over = 0, under = 0
        cdef int64_t segments = 0
        cdef uint32_t tag, tag_before = <uint32_t>(places[0] >> 32)
        cdef int32_t row, row_before = row_of[tag_before >> 1]
        for i in range(n):
            tag = <uint32_t>(places[i] >> 32)
            row = row_of[tag >> 1]
            hypothesis = tag & 1
            keep = -<int64_t>(row == row_before)
            matched += (count if count < most else most) & ~keep
            longest += (count if count > most else most) & ~keep
            over += <int64_t>(count > most) & ~keep
            under += <int64_t>(count < most) & ~keep
            segments -= ~keep
            count &= keep
            most &= keep
            of_list = (of_list & -<int64_t>(tag == tag_before)) + 1 - hypothesis
            count += hypothesis
            produced += hypothesis
            most = of_list if of_list > most else most
            tag_before = tag
            row_before = row
        facts.count = produced
        facts.clipped = matched + (count if count < most else most)
        facts.missing = longest + (count if count > most else most) - produced
        facts.segments = segments + 1
        facts.over = over + (count > most)
        facts.under = under + (count < most)

    cdef inline void sum_up_two(self, const uint64_t *places, Facts *facts) noexcept nogil:
        """Do as `sum_up` does for two positions."""
        cdef uint32_t a = <uint32_t>(places[0] >> 32), b = <uint32_t>(places[1] >> 32)
        cdef int64_t together = self.of_list[a >> 1] == self.of_list[b >> 1]
        cdef int64_t produced = (a & 1) + (b & 1)
        cdef int64_t one_each = together & (produced == 1)
        cdef int64_t lists = together & (produced == 0) & (a != b)   # the larger of two references counts
        facts.count = produced
        facts.clipped = one_each
        facts.missing = 2 - produced - one_each - lists
        facts.segments = 2 - together
        facts.over = (produced >> together) if not one_each else 0
        facts.under = (facts.missing >> (together & ~lists)) if not one_each else 0

    cdef inline int place(self, int order, int64_t length, int64_t weight) noexcept nogil:
        """Count an n-gram of an order, so that its place is known in the end."""
        cdef Places *p = &self.of_order[order]
        if not self.orders >> order & 1:
            return 0
        if weight < LIGHT:
            p.rows[weight] += 1
            p.bytes[weight] += length
            return 0
        if p.n_heavy == p.room_heavy:
            p.room_heavy = 2 * p.room_heavy + 64
            if regrow(<void **>&p.heavy, p.room_heavy * sizeof(Heavy)) < 0:
                return -1
        p.heavy[p.n_heavy].weight = weight
        p.heavy[p.n_heavy].size = length
        p.n_heavy += 1
        return 0

    cdef int note(self, int first, int last, uint64_t place, const Facts *facts) noexcept nogil:
        """Write n-grams of several orders down."""
        cdef uint32_t *more
        if facts.clipped == 1 and facts.count == 1 and facts.missing == 0 and facts.segments == 1:
            return self.write_down(first, last, MATCHED_ONCE, place)
        if self.n_more == self.room_more:
            self.room_more = 2 * self.room_more + 1024
            if regrow(<void **>&self.more, self.room_more * 24) < 0:
                return -1
        more = self.more + 6 * self.n_more
        more[0] = <uint32_t>facts.count; more[1] = <uint32_t>facts.clipped; more[2] = <uint32_t>facts.missing
        more[3] = <uint32_t>facts.segments; more[4] = <uint32_t>facts.over; more[5] = <uint32_t>facts.under
        self.n_more += 1
        return self.write_down(first, last, MORE, place)

    cdef inline int write_down(self, int first, int last, uint32_t kind, uint64_t place) noexcept nogil:
        if self.n == self.room:
            self.room = 2 * self.room + 1024
            if (regrow(<void **>&self.heads, self.room * 4) | regrow(<void **>&self.spans, self.room)) < 0:
                return -1
        self.heads[self.n] = kind << 30 | <uint32_t>place
        self.spans[self.n] = <uint8_t>(first | last << 4)
        self.n += 1
        return 0

    def write(self, int64_t[:, ::1] numbers, int64_t[::1] offsets, uint8_t[::1] text):
        """Write the n-grams where they belong."""
        cdef int order
        if numbers.shape[1] == 0:
            return
        with nogil:
            self.write_texts(&offsets[0], <char *>&text[0])
            for order in range(1, self.max_order + 1):   # few columns at once are written fastest
                if self.orders >> order & 1:
                    self.write_numbers(order, &numbers[0, 0], numbers.shape[1])

    cdef void write_texts(self, int64_t *offsets, char *text) noexcept nogil:
        """Write text: that of a place is joined once for all orders."""
        cdef const uint32_t *cells = self.tally.cells
        cdef const uint32_t *cell
        cdef const uint32_t *more = self.more
        cdef int64_t i, row, at, weight, room
        cdef int64_t lengths[16]
        cdef int64_t n_heavy[16]
        cdef char joined[JOINED + 64]
        cdef int order, last
        cdef Places *p
        cdef bint fits
        memset(n_heavy, 0, sizeof(n_heavy))
        for i in range(self.n):
            if i + AHEAD < self.n:
                bp_prefetch(&cells[self.heads[i + AHEAD] & PLACE])
            cell = &cells[self.heads[i] & PLACE]
            weight = 1
            if self.heads[i] >> 30 == MORE:
                weight = <int64_t>more[0] + more[2]
                more += 6
            last = self.spans[i] >> 4
            fits = self.join(cell, last, joined, lengths)
            for order in range(self.spans[i] & 15, last + 1):
                if not self.orders >> order & 1:
                    continue
                p = &self.of_order[order]
                if weight < LIGHT:
                    row = p.text_rows[weight]
                    at = p.bytes[weight]
                    room = p.ends[weight] - at   # what is overwritten there comes later
                    p.text_rows[weight] = row + 1
                else:
                    row = p.heavy[n_heavy[order]].row
                    at = p.heavy[n_heavy[order]].at
                    room = 0
                    n_heavy[order] += 1
                if fits:
                    bp_copy_within(text + at, joined, lengths[order], room)
                    at += lengths[order]
                else:
                    at = self.write_text(cell, order, text, at)
                if weight < LIGHT:
                    p.bytes[weight] = at
                offsets[row + 1] = at

    cdef void write_numbers(self, int order, int64_t *numbers, int64_t n) noexcept nogil:
        """Write the numbers of one order."""
        cdef Places *p = &self.of_order[order]
        cdef const uint32_t *more = self.more
        cdef const Heavy *heavy = p.heavy
        cdef int64_t i, weight
        cdef int64_t *to
        cdef uint32_t kind
        cdef Facts f
        for i in range(self.n):
            kind = self.heads[i] >> 30
            f.count = kind != REFERENCE_ONCE
            f.clipped = kind == MATCHED_ONCE
            f.missing = f.under = kind == REFERENCE_ONCE
            f.over = kind == HYPOTHESIS_ONCE
            f.segments = 1
            if kind == MORE:
                f.count = more[0]; f.clipped = more[1]; f.missing = more[2]
                f.segments = more[3]; f.over = more[4]; f.under = more[5]
                more += 6
            if order < self.spans[i] & 15 or order > self.spans[i] >> 4:
                continue
            weight = f.count + f.missing
            if weight < LIGHT:
                to = numbers + p.rows[weight]
                p.rows[weight] += 1
            else:
                to = numbers + heavy.row
                heavy += 1
            to[0] = order
            to[n] = f.count
            to[2 * n] = f.clipped
            to[3 * n] = f.count - f.clipped
            to[4 * n] = f.missing
            to[5 * n] = f.segments
            to[6 * n] = f.over
            to[7 * n] = f.under

    cdef bint join(self, const uint32_t *cell, int order, char *joined, int64_t *lengths) noexcept nogil:
        """Join tokens, and give by order where the n-gram ends; False if they are too long."""
        cdef const char *words = self.tally.text
        cdef const int64_t *begins = self.tally.begins
        cdef int64_t begin, length, at = 0
        cdef int k
        for k in range(order):
            begin = begins[cell[k]]
            length = begins[cell[k] + 1] - begin
            if at + length + self.sep_length > JOINED:
                return False
            if k:
                memcpy(joined + at, self.sep, self.sep_length)
                at += self.sep_length
            bp_copy_loose(joined + at, words + begin, length)
            at += length
            lengths[k + 1] = at
        return True


def heavier(item):
    return -item[0], item[1], item[2]


def lay_out_parts(list parts, orders):
    """Say where the n-grams of every part belong: by order, weight (the larger first), text; give rows and bytes."""
    cdef SummaryPart part
    cdef Places *p
    cdef int64_t row = 0, at = 0, n, size
    cdef int order, w
    for order in orders:
        heavy = []
        for which, part in enumerate(parts):
            p = &part.of_order[order]
            heavy += [(p.heavy[k].weight, which, k) for k in range(p.n_heavy)]
        for _, which, k in sorted(heavy, key=heavier):
            part = parts[which]
            p = &part.of_order[order]
            p.heavy[k].row = row
            p.heavy[k].at = at
            row += 1
            at += p.heavy[k].size
        for w in range(LIGHT - 1, -1, -1):
            for part in parts:
                p = &part.of_order[order]
                n = p.rows[w]
                size = p.bytes[w]
                p.rows[w] = row
                p.text_rows[w] = row
                p.bytes[w] = at
                row += n
                at += size
                p.ends[w] = at
    return row, at


cdef struct Contrast:
    uint32_t place             # where the n-gram stands
    uint32_t counts[SIDES]
    uint32_t segments[SIDES]


cdef struct Found:
    # The n-grams of one order, in the order of text.
    Contrast *contrasts
    int64_t n, room, size
    uint32_t *shown            # the first pairs of every n-gram, side by side
    int64_t n_shown, room_shown


@cython.final
cdef class ContrastPart(Part):
    """What two systems match, summed up over pairs of rows."""
    cdef const int32_t[::1] units   # of_list
    cdef int64_t examples
    cdef Found *of_order            # by order
    cdef uint32_t *first[SIDES]     # the first pairs of the run that is summed up
    cdef int64_t room_first[SIDES]

    def __cinit__(self, tally, chosen, few, lo, hi, orders, min_count, separator, units, int64_t examples):
        self.units = units
        self.of_list = &self.units[0]
        self.examples = examples
        self.of_order = <Found *>grown(NULL, (self.max_order + 1) * sizeof(Found))
        memset(self.of_order, 0, (self.max_order + 1) * sizeof(Found))

    def __dealloc__(self):
        cdef int order, side
        if self.of_order != NULL:
            for order in range(self.max_order + 1):
                free(self.of_order[order].contrasts)
                free(self.of_order[order].shown)
        free(self.of_order)
        for side in range(SIDES):
            free(self.first[side])

    cdef int follow(self, uint64_t *places, int64_t n, int64_t t, int depth, int64_t length, int64_t top) noexcept nogil:
        cdef Contrast sums
        cdef int64_t wanted
        cdef int order = depth + 1
        if n < self.min_count or n == 0:
            return 0
        length += self.tally.begins[t + 1] - self.tally.begins[t]
        if self.sum_up(places, n, &sums) < 0:
            return -1
        wanted = <int64_t>sums.counts[0] + sums.counts[1] + sums.counts[2] + sums.counts[3]
        if wanted == 0 or wanted < self.min_count:   # nor is a longer n-gram in a reference, or in as many
            return 0
        if self.orders >> order & 1 and self.write_down(&self.of_order[order], &sums, length) < 0:
            return -1
        if order == self.max_order:
            return 0
        return self.refine(places, n, order, length + self.sep_length, top)

    cdef int sum_up(self, const uint64_t *places, int64_t n, Contrast *sums) noexcept nogil:
        """Count by pair, whose rows' lists stand together; -1 without memory."""
        cdef int64_t i = 0, both
        cdef int64_t count[2]
        cdef int64_t most[2]
        cdef int32_t pair
        cdef int rc = 0
        memset(sums, 0, sizeof(Contrast))
        sums.place = <uint32_t>places[0]
        while i < n:
            pair = self.of_list[places[i] >> 33] >> 1
            i = self.count_pair(places, i, n, count, most)
            count[0] = min(count[0], most[0])
            count[1] = min(count[1], most[1])
            both = min(count[0], count[1])
            rc |= self.add(sums, 0, pair, count[0] - both)
            rc |= self.add(sums, 1, pair, count[1] - both)
            rc |= self.add(sums, 2, pair, both)
            rc |= self.add(sums, 3, pair, max(most[0], most[1]) - max(count[0], count[1]))
        return rc

    cdef inline int64_t count_pair(self, const uint64_t *places, int64_t i, int64_t n, int64_t *count,
                                   int64_t *most) noexcept nogil:
        """Count from position i on, as long as the pair is the same; give where it ends."""
        cdef int32_t unit, pair = self.of_list[places[i] >> 33] >> 1
        cdef uint64_t tag, before = 0
        cdef int64_t of_list = 0
        count[0] = count[1] = most[0] = most[1] = 0
        while i < n:
            tag = places[i] >> 32
            unit = self.of_list[tag >> 1]
            if unit >> 1 != pair:
                break
            if tag & 1:
                count[unit & 1] += 1
            else:
                of_list = of_list + 1 if tag == before else 1
                if of_list > most[unit & 1]:
                    most[unit & 1] = of_list
            before = tag
            i += 1
        return i

    cdef inline int add(self, Contrast *sums, int side, int32_t pair, int64_t number) noexcept nogil:
        cdef int64_t k = sums.segments[side]
        if number == 0:
            return 0
        sums.counts[side] += <uint32_t>number
        sums.segments[side] += 1
        if k >= self.examples:
            return 0
        if k == self.room_first[side]:
            self.room_first[side] = 2 * k + 16
            if regrow(<void **>&self.first[side], self.room_first[side] * 4) < 0:
                return -1
        self.first[side][k] = pair
        return 0

    cdef int write_down(self, Found *found, const Contrast *sums, int64_t length) noexcept nogil:
        cdef int64_t k
        cdef int side
        if found.n == found.room:
            found.room = 2 * found.room + 256
            if regrow(<void **>&found.contrasts, found.room * sizeof(Contrast)) < 0:
                return -1
        found.contrasts[found.n] = sums[0]
        found.n += 1
        found.size += length
        for side in range(SIDES):
            k = min(<int64_t>sums.segments[side], self.examples)
            if found.n_shown + k > found.room_shown:
                found.room_shown = 2 * (found.n_shown + k) + 256
                if regrow(<void **>&found.shown, found.room_shown * 4) < 0:
                    return -1
            if k:
                memcpy(found.shown + found.n_shown, self.first[side], k * 4)
                found.n_shown += k
        return 0

    def write(self, int order, int64_t row, int64_t at, int64_t first, int64_t[:, ::1] numbers, int64_t[::1] offsets,
              uint8_t[::1] text, int64_t[::1] shown):
        """Write the n-grams of an order: their first row, byte and example."""
        cdef const Found *found = &self.of_order[order]
        cdef const Contrast *one
        cdef int64_t i
        cdef int side
        if found.n == 0:
            return
        with nogil:
            for i in range(found.n):
                one = &found.contrasts[i]
                numbers[0, row] = order
                for side in range(SIDES):
                    numbers[1 + side, row] = one.counts[side]
                    numbers[1 + SIDES + side, row] = one.segments[side]
                row += 1
                at = self.write_text(&self.tally.cells[one.place], order, <char *>&text[0], at)
                offsets[row] = at
            for i in range(found.n_shown):
                shown[first + i] = found.shown[i]


def lay_out_contrasts(list parts, orders):
    """Lay the n-grams of all parts out by order and text: give rows, bytes and examples, and where each part begins."""
    cdef ContrastPart part
    cdef int64_t row = 0, at = 0, first = 0
    places = []
    for order in orders:
        for part in parts:
            places.append((part, order, row, at, first))
            row += part.of_order[<int>order].n
            at += part.of_order[<int>order].size
            first += part.of_order[<int>order].n_shown
    return row, at, first, places


cdef void sort_keys(uint64_t *keys, uint64_t *other, int64_t n, int64_t n_words) noexcept nogil:
    """Sort by the upper half, a rank; the lower halves, which ascend, stay in order. `other` is scratch, (n,)."""
    cdef int64_t i, k, total, c
    cdef uint64_t key
    cdef int shift = 32
    cdef int64_t counts[256]
    cdef uint64_t *source = keys
    cdef uint64_t *target = other
    if n <= FEW:
        for i in range(1, n):
            key = keys[i]
            k = i
            while k > 0 and keys[k - 1] > key:
                keys[k] = keys[k - 1]
                k -= 1
            keys[k] = key
        return
    while n_words:
        memset(counts, 0, sizeof(counts))
        for i in range(n):
            counts[source[i] >> shift & 255] += 1
        total = 0
        for i in range(256):
            c = counts[i]
            counts[i] = total
            total += c
        for i in range(n):
            k = source[i] >> shift & 255
            target[counts[k]] = source[i]
            counts[k] += 1
        source, target = target, source
        shift += 8
        n_words >>= 8
    if source != keys:
        memcpy(keys, source, n * 8)


def tally():
    """Give an empty tally."""
    return Tally()
