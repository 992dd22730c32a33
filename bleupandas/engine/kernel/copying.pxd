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


cdef inline int reserve(Memory *memory, Ends *ends, int64_t more) except -1:
    if ends.n + more >= ends.room:
        ends.values = <int64_t *>grown(memory, ends.values, (2 * (ends.n + more) + 1) * sizeof(int64_t))
        ends.values[0] = 0
        ends.room = 2 * (ends.n + more) + 1
    return 0


cdef inline void end_at(Ends *ends, int64_t value) noexcept:
    """End a row, list or token; there is room for it."""
    ends.n += 1
    ends.values[ends.n] = value


cdef inline int reserve_bytes(Copies *copies, int64_t more) except -1:
    """Make room for bytes, and for 16 behind them that may be read."""
    if copies.n_bytes + more > copies.room_bytes:
        copies.data = <char *>grown(&copies.memory, copies.data, 2 * (copies.n_bytes + more) + 16)
        copies.room_bytes = 2 * (copies.n_bytes + more)
    return 0


cdef inline int start_copies(Copies *copies, int64_t n_rows) except -1:
    """Make some room; the rest comes with the rows."""
    reserve(&copies.memory, &copies.rows, n_rows)
    reserve(&copies.memory, &copies.lists, n_rows)
    reserve(&copies.memory, &copies.tokens, 1024)
    return reserve_bytes(copies, 4096)


cdef inline int copy_token(Copies *copies, PyObject *token) except -1:
    """Copy a token, for which there is an offset; return fault bits.

    It runs no Python code, so the list that holds the token cannot change meanwhile.
    """
    cdef Py_ssize_t n
    cdef int surrogate = 0
    if not PyUnicode_Check(<object>token):
        return UNREADABLE
    n = PyUnicode_GET_LENGTH(token)
    if n == 0:
        return UNREADABLE
    if is_ascii(token):
        reserve_bytes(copies, n)
        copy(copies.data + copies.n_bytes, <const char *>PyUnicode_DATA(token), n)
        copies.n_bytes += n
    else:
        reserve_bytes(copies, 4 * n)
        copies.n_bytes += write_utf8(token, copies.data + copies.n_bytes, &surrogate)
    end_at(&copies.tokens, copies.n_bytes)
    return SURROGATE if surrogate else 0


cdef inline void show_copies(const Copies *copies, TokenLists *column) noexcept:
    """Point a column at what was copied; growing moves it."""
    column.rows = copies.rows.values
    column.lists = copies.lists.values
    column.tokens64 = copies.tokens.values
    column.data = copies.data
    column.limit = copies.data + copies.room_bytes + 16
