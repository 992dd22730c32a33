# cython: language_level=3, cdivision=True
"""Rows of token lists in Arrow's layout, and the lists of one row as spans."""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from bleupandas.engine.kernel.text cimport Token, token_words

cdef enum:
    # Fault bits of a row, as in interface.py.
    UNREADABLE = 1
    NO_REFERENCE = 2
    SURROGATE = 4
    REFERENCE_SURROGATE = 8
    UNCOUNTED = 3


cdef struct TokenLists:
    # One column. Row i holds lists rows[i]..rows[i + 1] and so on, as in ArrowLists; of the two widths of token offsets
    # one is NULL.
    const int64_t *rows
    const int64_t *lists
    const int32_t *tokens32
    const int64_t *tokens64
    const char *data
    const char *limit          # end of what may be read


cdef struct Rows:
    # All columns of a block, the hypotheses first.
    TokenLists *columns
    Py_ssize_t n_columns, n
    Py_ssize_t most_lists      # of one row
    const uint8_t *faults      # (n,)


cdef struct Span:
    # One token list of a row.
    const TokenLists *column
    int64_t begin, end         # tokens of the column
    int64_t base               # position of its first token when the row's lists are laid end to end


cdef inline int64_t token_end(const TokenLists *column, int64_t i) noexcept nogil:
    """Return where token i - 1 ends and token i begins, in bytes."""
    return column.tokens32[i] if column.tokens32 != NULL else column.tokens64[i]


cdef inline uint64_t read_token(const TokenLists *column, int64_t begin, int64_t end, Token *token) noexcept nogil:
    """Read the token between two bytes; return its hash."""
    token.text = column.data + begin
    token.length = end - begin
    return token_words(token.text, token.length, column.limit, &token.low, &token.high)


cdef inline int64_t first_token(const TokenLists *column, int64_t row) noexcept nogil:
    return column.lists[column.rows[row]]


cdef inline int64_t span_length(const Span *span) noexcept nogil:
    return span.end - span.begin


cdef inline Py_ssize_t lists_of(const Rows *rows, Py_ssize_t row) noexcept nogil:
    """Return how many lists a row has, the hypothesis included."""
    cdef Py_ssize_t n = 0, i
    for i in range(rows.n_columns):
        n += rows.columns[i].rows[row + 1] - rows.columns[i].rows[row]
    return n


cdef inline Py_ssize_t lay_out(const Rows *rows, Py_ssize_t row, Span *spans) noexcept nogil:
    """Fill spans with the lists of a row, the hypothesis first; return how many, 0 if the row cannot be counted."""
    cdef Py_ssize_t n = 0, i
    cdef int64_t k
    cdef const TokenLists *column
    if rows.faults[row] & UNCOUNTED:
        return 0
    for i in range(rows.n_columns):
        column = &rows.columns[i]
        for k in range(column.rows[row], column.rows[row + 1]):
            spans[n].column = column
            spans[n].begin = column.lists[k]
            spans[n].end = column.lists[k + 1]
            n += 1
    return n


cdef inline int64_t closest_length(const Span *spans, Py_ssize_t n_spans) noexcept nogil:
    """Return the reference length closest to the hypothesis' (spans[0]), of two the shorter."""
    cdef int64_t c = span_length(&spans[0]), best = -1, least = 0, r, distance
    cdef Py_ssize_t s
    for s in range(1, n_spans):
        r = span_length(&spans[s])
        distance = r - c if r > c else c - r
        if best < 0 or distance < least or (distance == least and r < best):
            best = r
            least = distance
    return best
