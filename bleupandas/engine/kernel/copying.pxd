# cython: language_level=3, cdivision=True
"""Copying Python's token lists into Arrow's layout, so that nothing is borrowed from objects that others may change."""
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_Check
from libc.stdint cimport int64_t

from bleupandas.engine.kernel.memory cimport Memory, grown
from bleupandas.engine.kernel.rows cimport SURROGATE, UNREADABLE, TokenLists
from bleupandas.engine.kernel.text cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, copy, is_ascii, write_utf8


cdef struct Ends:
    # Offsets that grow, from 0.
    int64_t *values
    int64_t n, room


cdef struct Copies:
    Memory memory
    Ends rows, lists, tokens
    char *data
    int64_t n_bytes, room_bytes


cdef inline int grow(Memory *memory, Ends *ends, int64_t room) except -1:
    ends.values = <int64_t *>grown(memory, ends.values, room * sizeof(int64_t))
    ends.values[0] = 0
    ends.room = room
    return 0


cdef inline int reserve(Memory *memory, Ends *ends, int64_t more) except -1:
    """Make room for more rows, lists or tokens."""
    return grow(memory, ends, 2 * (ends.n + more) + 1) if ends.n + more >= ends.room else 0


cdef inline void end_at(Ends *ends, int64_t value) noexcept:
    """End a row, list or token; there is room for it."""
    ends.n += 1
    ends.values[ends.n] = value


cdef inline int grow_bytes(Copies *copies, int64_t room) except -1:
    """Make room for bytes, and for 16 behind them that may be read."""
    copies.data = <char *>grown(&copies.memory, copies.data, room + 16)
    copies.room_bytes = room
    return 0


cdef inline int start_copies(Copies *copies, int64_t n_rows) except -1:
    """Make some room; the rest comes with the rows."""
    reserve(&copies.memory, &copies.rows, n_rows)
    reserve(&copies.memory, &copies.lists, n_rows)
    reserve(&copies.memory, &copies.tokens, 1024)
    return grow_bytes(copies, 8192)


cdef inline int copy_tokens(Copies *copies, PyObject **tokens, Py_ssize_t n) except -1:
    """Copy n tokens; return fault bits.

    It runs no Python code, so the list that holds the tokens cannot change meanwhile.
    """
    cdef int64_t *ends
    cdef int64_t at = copies.n_bytes, length
    cdef Py_ssize_t i
    cdef int faults = 0
    reserve(&copies.memory, &copies.tokens, n)
    ends = copies.tokens.values + copies.tokens.n
    for i in range(n):
        if not PyUnicode_Check(<object>tokens[i]) or PyUnicode_GET_LENGTH(tokens[i]) == 0:
            faults |= UNREADABLE
            continue
        length = PyUnicode_GET_LENGTH(tokens[i])
        if is_ascii(tokens[i]) and at + length <= copies.room_bytes:
            copy(copies.data + at, <const char *>PyUnicode_DATA(tokens[i]), length)
            at += length
        else:
            faults |= encode_token(copies, tokens[i], &at)
        ends += 1
        ends[0] = at
    copies.n_bytes = at
    copies.tokens.n = ends - copies.tokens.values
    return faults


cdef inline int encode_token(Copies *copies, PyObject *token, int64_t *at) except -1:
    """Copy any token behind byte at[0], growing if need be; return fault bits."""
    cdef int surrogate = 0
    cdef int64_t most = at[0] + 4 * PyUnicode_GET_LENGTH(token)
    if most > copies.room_bytes:
        grow_bytes(copies, 2 * most)
    at[0] += write_utf8(token, copies.data + at[0], &surrogate)
    return SURROGATE if surrogate else 0


cdef inline void show_copies(const Copies *copies, TokenLists *column) noexcept:
    """Point a column at what was copied; growing moves it."""
    column.rows = copies.rows.values
    column.lists = copies.lists.values
    column.tokens64 = copies.tokens.values
    column.data = copies.data
    column.limit = copies.data + copies.room_bytes + 16
