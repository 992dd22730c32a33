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
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memset

import os

import numpy as np

from bleupandas.counting.interface import MAX_ROW_TOKENS as _MAX_ROW_TOKENS
from bleupandas.counting.interface import ArrowLists, Coverage, Ngrams
from bleupandas.counting.python import is_missing, sequence

INTERFACE = 1

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
    uint64_t bp_mix(uint64_t key) noexcept nogil
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
            cell = cell.tolist() if type(cell) is NDARRAY else sequence(cell)
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
            cell = sequence(cell)
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
