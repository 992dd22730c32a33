# cython: language_level=3, cdivision=True
"""Writing n-grams: their numbers as columns, their text straight into Arrow's string buffers."""
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.string cimport memchr, memcmp

from bleupandas.engine.kernel.memory cimport renewed
from bleupandas.engine.kernel.rows cimport Rows, Span, TokenLists, span_length, token_end
from bleupandas.engine.kernel.text cimport copy, copy_loose
from bleupandas.engine.kernel.work cimport Work


cdef struct Listing:
    # Where n-grams are written; fields as in Ngrams.
    uint32_t orders            # bit n: list order n
    int32_t *row
    int32_t *order
    int32_t *own
    int32_t *other
    int32_t *first
    int32_t *reference
    int64_t *offsets
    char *text                 # NULL when no text is wanted
    const char *sep
    int64_t sep_length
    int64_t n_ngrams, n_bytes  # written so far


cdef inline void bound_listing(const Listing *out, const Rows *rows, int max_order, bint references, int64_t *n_ngrams,
                               int64_t *n_bytes) noexcept nogil:
    """Bound the n-grams and their bytes from above: pages that stay untouched cost nothing."""
    cdef Py_ssize_t i
    cdef int64_t k, n, size
    cdef int order
    cdef const TokenLists *column
    for i in range(1 if references else 0, rows.n_columns if references else 1):
        column = &rows.columns[i]
        for k in range(column.rows[0], column.rows[rows.n]):
            size = token_end(column, column.lists[k + 1]) - token_end(column, column.lists[k])
            for order in range(1, max_order + 1):
                n = column.lists[k + 1] - column.lists[k] - order + 1
                if n > 0 and out.orders >> order & 1:
                    n_ngrams[0] += n
                    n_bytes[0] += order * size + n * (order - 1) * out.sep_length


cdef inline int join_tokens(Work *w, const Span *spans, Py_ssize_t n_own, const Listing *out) noexcept nogil:
    """Join the tokens of the listed side by the separator; return -1 without memory."""
    cdef int64_t size = 0, at = 0, k = 0, i, begin, n
    cdef Py_ssize_t s
    cdef const TokenLists *column
    for s in range(n_own):
        column = spans[s].column
        size += token_end(column, spans[s].end) - token_end(column, spans[s].begin)
        size += span_length(&spans[s]) * out.sep_length
    if size + 32 > w.room_joined:
        w.room_joined = size + size // 2 + 1024  # with the 32 bytes that copy_loose may read beyond the end
        w.joined = <char *>renewed(&w.memory, w.joined, w.room_joined)
        if w.joined == NULL:
            w.room_joined = 0
            return -1
    for s in range(n_own):
        column = spans[s].column
        for i in range(spans[s].begin, spans[s].end):
            begin = token_end(column, i)
            n = token_end(column, i + 1) - begin
            w.joined_at[k] = at
            copy(w.joined + at, column.data + begin, n)
            copy(w.joined + at + n, out.sep, out.sep_length)
            at += n + out.sep_length
            k += 1
    w.joined_at[k] = at
    return 0


cdef inline void list_ngrams(Listing *out, const Work *w, const Span *spans, int order, int32_t row, int32_t n_ids,
                             const int32_t *own, const int32_t *other, const int32_t *first,
                             const int32_t *which) noexcept nogil:
    """Write the n-grams of one order, by id; `which` is NULL where there is one list."""
    cdef Listing to = out[0]   # copies, since written text could be anything that is read again
    cdef const char *joined = w.joined
    cdef const int64_t *joined_at = w.joined_at
    cdef int64_t k = to.n_ngrams, at = to.n_bytes, begin, n
    cdef int32_t t
    for t in range(n_ids):
        to.row[k] = row
        to.order[k] = order
        to.own[k] = own[t]
        to.other[k] = other[t]
        to.first[k] = first[t] - (<int32_t>spans[which[t]].base if which != NULL else 0)
        to.reference[k] = which[t] if which != NULL else 0
        k += 1
        if to.text != NULL:
            begin = joined_at[first[t]]
            n = joined_at[first[t] + order] - to.sep_length - begin
            copy_loose(to.text + at, joined + begin, n)
            at += n
            to.offsets[k] = at
    out.n_ngrams = k
    out.n_bytes = at


cdef inline bint holds(const Span *span, const char *sep, int64_t n) noexcept nogil:
    """Return whether a token of a list holds a byte string: UTF-8 begins no character inside another."""
    cdef int64_t i
    cdef const char *at = span.column.data + token_end(span.column, span.begin)
    cdef const char *end = span.column.data + token_end(span.column, span.end)
    if n == 1:   # one search over all the tokens' bytes, which lie end to end
        return at != end and memchr(at, sep[0], end - at) != NULL
    for i in range(span.begin, span.end):
        end = span.column.data + token_end(span.column, i + 1)
        while at + n <= end:
            if memcmp(at, sep, n) == 0:
                return True
            at += 1
        at = end
    return False
