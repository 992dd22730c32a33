# cython: language_level=3, cdivision=True
"""Counting the rows of a block: components, n-grams and coverage, row by row."""
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

from bleupandas.engine.kernel.listing cimport Listing, holds, join_tokens, list_ngrams
from bleupandas.engine.kernel.long_rows cimport clipped, count_order, count_tokens
from bleupandas.engine.kernel.rows cimport Rows, Span, closest_length, lay_out, span_length
from bleupandas.engine.kernel.short_rows cimport count_short_row
from bleupandas.engine.kernel.work cimport SHORT, Work, prepare


cdef inline int count_row(Work *w, Span *spans, Py_ssize_t n_own, Py_ssize_t n_spans, int max_order, int64_t *matches,
                          Listing *out, int32_t row) noexcept nogil:
    """Count one row, whose listed side comes first: fill matches (max_order,), all 0 before, or with `out` list its
    n-grams. Return -1 without memory."""
    cdef int64_t n_slots = prepare(w, spans, n_own, n_spans)
    cdef int32_t n_ids
    cdef int order = 1
    cdef bint hit = False
    if n_slots <= 0:
        return <int>n_slots
    if out != NULL and out.text != NULL and join_tokens(w, spans, n_own, out) < 0:
        return -1
    if n_own == 1 and span_length(&spans[0]) <= SHORT:
        return count_short_row(w, spans, n_spans, max_order, matches, out, row)
    n_ids = count_tokens(w, spans, n_own, n_spans, n_slots - 1, &hit)
    while n_ids:
        if out != NULL:
            if out.orders >> order & 1:
                list_ngrams(out, w, spans, order, row, n_ids, w.own, w.other, w.first, w.which)
        elif hit:
            matches[order - 1] = clipped(w, n_ids)
        else:
            return 0
        order += 1
        if order > max_order:
            return 0
        hit = False
        n_ids = count_order(w, order, spans, n_own, n_spans, n_slots - 1, out == NULL, &hit)
    return 0


cdef inline int count_components(Work *w, const Rows *rows, int max_order, int64_t *out, Py_ssize_t stride,
                                 Py_ssize_t step) noexcept nogil:
    """Fill the components of all rows, 0 where one cannot be counted; return -1 without memory.

    Component k of row i belongs at out[k * stride + i * step].
    """
    cdef Py_ssize_t row, n
    cdef int64_t c
    cdef int64_t matches[64]
    cdef int64_t *to
    cdef int k
    for row in range(rows.n):
        to = out + row * step
        n = lay_out(rows, row, w.spans)
        if n == 0:
            for k in range(2 + 2 * max_order):
                to[k * stride] = 0
            continue
        memset(matches, 0, max_order * sizeof(int64_t))
        if count_row(w, w.spans, 1, n, max_order, matches, NULL, 0) < 0:
            return -1
        c = span_length(&w.spans[0])
        to[0] = c
        to[stride] = closest_length(w.spans, n)
        for k in range(max_order):
            to[(2 + k) * stride] = matches[k]
            to[(2 + max_order + k) * stride] = c - k if c > k else 0
    return 0


cdef inline int list_rows(Work *w, const Rows *rows, int max_order, bint references, Listing *out,
                          bint *ambiguous) noexcept nogil:
    """List the n-grams of the hypotheses or of the references of all rows; return -1 without memory."""
    cdef Py_ssize_t row, n, n_own, s
    cdef Span *spans
    for row in range(rows.n):
        n = lay_out(rows, row, w.spans)
        if n == 0:
            continue
        spans = w.spans
        n_own = 1
        if references:   # the listed side comes first
            spans[n] = spans[0]
            spans += 1
            n_own = n - 1
        if out.text != NULL:
            for s in range(n_own):
                ambiguous[0] |= holds(&spans[s], out.sep, out.sep_length)
        if count_row(w, spans, n_own, n, max_order, NULL, out, <int32_t>row) < 0:
            return -1
    return 0


# ---- Coverage ----


cdef inline int64_t lists_to_cover(const Rows *rows, Work *w, bint references) noexcept nogil:
    """Return how many lists a Coverage has."""
    cdef Py_ssize_t row, n
    cdef int64_t n_lists = 0
    if not references:
        return rows.n
    for row in range(rows.n):
        n = lay_out(rows, row, w.spans)
        n_lists += n - 1 if n else 0
    return n_lists


cdef inline int64_t lay_out_coverage(const Rows *rows, Work *w, bint references, int32_t *row_ends,
                                     int32_t *list_ends) noexcept nogil:
    """Fill the offsets of a Coverage, which begin with 0; return the number of tokens."""
    cdef Py_ssize_t row, n, s
    cdef int64_t n_lists = 0, n_tokens = 0
    for row in range(rows.n):
        n = lay_out(rows, row, w.spans)
        for s in range(1 if references else 0, n if references else 1):
            n_tokens += span_length(&w.spans[s]) if n else 0
            n_lists += 1
            list_ends[n_lists] = <int32_t>n_tokens
        row_ends[row + 1] = <int32_t>n_lists
    return n_tokens


cdef inline int cover_rows(Work *w, const Rows *rows, int max_order, bint references, const int32_t *row_ends,
                           const int32_t *list_ends, uint8_t *levels) noexcept nogil:
    """Cover all rows: fill levels, all 0 before; return -1 without memory."""
    cdef Py_ssize_t row, n
    for row in range(rows.n):
        n = lay_out(rows, row, w.spans)
        if n and cover_row(w, w.spans, n, max_order, references, levels + list_ends[row_ends[row]]) < 0:
            return -1
    return 0


cdef inline int cover_row(Work *w, Span *spans, Py_ssize_t n_spans, int max_order, bint references,
                          uint8_t *levels) noexcept nogil:
    """Cover one row, the hypothesis first: fill levels by token of the side that is asked for."""
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


cdef inline void paint(Work *w, const Span *span, int order, bint every, uint8_t *levels) noexcept nogil:
    """Mark the tokens of a list's n-grams that the other side has: of each the first clipped_count, or every one."""
    cdef const int32_t *ids = w.prefix + span.base
    cdef const int32_t *other = w.other
    cdef int32_t *painted = w.current   # free between two orders
    cdef int64_t n = span_length(span) - order + 1, i, begin = 0, end = 0
    cdef int32_t t
    for i in range(n):
        t = ids[i]
        if t < 0:
            continue
        if not every:
            if painted[t] >= other[t]:
                continue
            painted[t] += 1
        if i > end:   # overlapping n-grams are marked at once
            memset(levels + begin, order, end - begin)
            begin = i
        end = i + order
    memset(levels + begin, order, end - begin)
