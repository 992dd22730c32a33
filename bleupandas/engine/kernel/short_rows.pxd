# cython: language_level=3, cdivision=True
"""Counting a row whose hypothesis has at most SHORT tokens: ids are bytes, and a grid takes the place of a hash table.

All of it stays in the first-level cache, and above order 1 no branch depends on the data.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from bleupandas.engine.kernel.listing cimport Listing, list_ngrams
from bleupandas.engine.kernel.rows cimport Span, TokenLists, read_token, span_length, token_end
from bleupandas.engine.kernel.text cimport Token, same_token
from bleupandas.engine.kernel.work cimport Work, reserve_short


cdef inline int count_short_row(Work *w, const Span *spans, Py_ssize_t n_spans, int max_order, int64_t *matches,
                                Listing *out, int32_t row) noexcept nogil:
    """Count a row, or with `out` list the n-grams of its hypothesis; return -1 without memory."""
    cdef int64_t n = span_length(&spans[0]), total, n_slots = 64
    cdef int32_t n_ids, n_words, k
    cdef int order = 1
    while n_slots < 3 * n:
        n_slots *= 2
    if reserve_short(w, spans[n_spans - 1].base + span_length(&spans[n_spans - 1])) < 0:
        return -1
    n_ids = n_words = short_tokens(w, spans, n_spans, n_slots - 1)
    while True:
        if out != NULL:
            if out.orders >> order & 1:   # ids begin with 1
                list_ngrams(out, w, spans, order, row, n_ids, w.own8 + 1, w.other8 + 1, w.first8 + 1, NULL)
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
        if out != NULL:
            memset(w.alive8 + 1, 1, n_ids)
        else:   # an n-gram can only match where its prefix does
            for k in range(1, n_ids + 1):
                w.alive8[k] = w.other8[k] > 0
        n_ids = short_order(w, order, spans, n_spans, n_ids, n_words)


cdef inline uint8_t find_short(const uint8_t *slots, uint64_t mask, const Token *known, const Token *token,
                               uint64_t *slot) noexcept nogil:
    """Return the id of a token, from slot[0] on; or 0, and the free slot where it belongs."""
    cdef uint8_t t
    while True:
        t = slots[slot[0]]
        if t == 0 or same_token(&known[t], token):
            return t
        slot[0] = (slot[0] + 1) & mask


cdef inline int32_t short_tokens(Work *w, const Span *spans, Py_ssize_t n_spans, uint64_t mask) noexcept nogil:
    """Count order 1; return the number of distinct tokens of the hypothesis."""
    cdef int32_t n_ids = 0
    cdef int64_t i, at = 0, begin, end
    cdef uint64_t slot
    cdef Token token
    cdef Token *known = w.tokens   # pointers are copied, since a byte that is written could be part of any
    cdef uint8_t *ids = w.ids8
    cdef uint8_t *prefix = w.prefix8
    cdef TokenLists column = spans[0].column[0]
    cdef uint8_t t
    cdef Py_ssize_t s
    cdef int32_t *counts
    memset(w.slots8, 0, mask + 1)
    w.other8[0] = 0
    end = token_end(&column, spans[0].begin)
    for i in range(spans[0].begin, spans[0].end):
        begin = end
        end = token_end(&column, i + 1)
        slot = read_token(&column, begin, end, &token) & mask
        t = find_short(w.slots8, mask, known, &token, &slot)
        if t == 0:
            n_ids += 1
            t = <uint8_t>n_ids
            w.slots8[slot] = t
            known[t] = token
            w.own8[t] = 0
            w.other8[t] = 0
            w.first8[t] = <int32_t>at
        w.own8[t] += 1
        ids[at] = t
        prefix[at] = t
        at += 1
    for s in range(1, n_spans):
        column = spans[s].column[0]
        counts = counts_of(w, s, n_ids)
        end = token_end(&column, spans[s].begin)
        for i in range(spans[s].begin, spans[s].end):
            begin = end
            end = token_end(&column, i + 1)
            slot = read_token(&column, begin, end, &token) & mask
            t = find_short(w.slots8, mask, known, &token, &slot)
            counts[t] += 1
            ids[at] = t
            prefix[at] = t
            at += 1
        take_largest(w, s, n_ids)
    return n_ids


cdef inline int32_t short_order(Work *w, int order, const Span *spans, Py_ssize_t n_spans, int32_t n_before,
                                int32_t n_words) noexcept nogil:
    """Count order 2 or higher; return the number of distinct n-grams of the hypothesis.

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
    stop = span_length(&spans[0]) - order + 1
    memset(w.own8, 0, (stop + 1) * sizeof(int32_t))
    memset(w.other8, 0, (stop + 1) * sizeof(int32_t))
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
        counts = counts_of(w, s, n_ids)
        base = spans[s].base
        stop = base + span_length(&spans[s]) - order + 1
        for at in range(base, stop):
            t = grid[prefix[at] * stride + ids[at + order - 1]]
            counts[t] += 1
            prefix[at] = <uint8_t>t
        take_largest(w, s, n_ids)
    return n_ids


cdef inline int32_t *counts_of(Work *w, Py_ssize_t s, int32_t n_ids) noexcept nogil:
    """Return where the counts of reference s belong: of the first where the largest ones are kept."""
    if s == 1:
        return w.other8
    memset(w.current8, 0, (n_ids + 1) * sizeof(int32_t))
    return w.current8


cdef inline void take_largest(Work *w, Py_ssize_t s, int32_t n_ids) noexcept nogil:
    """Keep the larger of the counts of reference s and of those before it."""
    cdef int32_t k
    if s > 1:
        for k in range(1, n_ids + 1):
            w.other8[k] = w.current8[k] if w.current8[k] > w.other8[k] else w.other8[k]
