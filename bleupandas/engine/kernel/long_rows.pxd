# cython: language_level=3, cdivision=True
"""Counting a row of any length: n-grams get ids in a hash table, by (id of the prefix, id of the last token)."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset

from bleupandas.engine.kernel.rows cimport Span, TokenLists, read_token, span_length, token_end
from bleupandas.engine.kernel.text cimport Token, find_token, mix
from bleupandas.engine.kernel.work cimport Work


cdef inline void add_id(Work *w, int32_t t, int64_t position) noexcept nogil:
    w.own[t] = 0
    w.other[t] = 0
    w.current[t] = 0
    w.first[t] = <int32_t>position
    w.which[t] = 0


cdef inline void count_own(Work *w, int32_t t, int64_t position, int32_t which, bint single) noexcept nogil:
    """Count an n-gram on the listed side; `single` says that this is one list."""
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


cdef inline void count_other(Work *w, int32_t t, bint single) noexcept nogil:
    """Count an n-gram on the other side."""
    if single:
        w.other[t] += 1
        return
    w.current[t] += 1
    if w.current[t] > w.other[t]:
        w.other[t] = w.current[t]


cdef inline int32_t find_ngram(const Work *w, uint64_t key, uint64_t mask, uint64_t *slot) noexcept nogil:
    """Return the id of an n-gram, or -1 and the free slot where it belongs."""
    cdef int32_t t
    slot[0] = mix(key) & mask
    while True:
        t = w.slots[slot[0]]
        if t < 0 or w.keys[t] == key:
            return t
        slot[0] = (slot[0] + 1) & mask


cdef inline int32_t count_tokens(Work *w, const Span *spans, Py_ssize_t n_own, Py_ssize_t n_spans, uint64_t mask,
                                 bint *hit) noexcept nogil:
    """Count order 1; return the number of distinct tokens of the listed side, and whether the other side has one."""
    cdef int32_t n_ids = 0, t
    cdef int64_t i, at
    cdef uint64_t slot
    cdef Token token
    cdef Py_ssize_t s
    cdef bint single = n_own == 1
    memset(w.slots, 255, (mask + 1) * sizeof(int32_t))
    for s in range(n_own):
        at = spans[s].base
        for i in range(spans[s].begin, spans[s].end):
            t = look_up(w, spans[s].column, i, mask, &token, &slot)
            if t < 0:
                t = n_ids
                n_ids += 1
                w.slots[slot] = t
                w.tokens[t] = token
                add_id(w, t, at)
            count_own(w, t, at, <int32_t>s, single)
            w.ids[at] = t
            w.prefix[at] = t
            at += 1
        if not single:
            memset(w.current, 0, n_ids * sizeof(int32_t))
    single = n_spans - n_own == 1
    for s in range(n_own, n_spans):
        at = spans[s].base
        for i in range(spans[s].begin, spans[s].end):
            t = look_up(w, spans[s].column, i, mask, &token, &slot)
            w.ids[at] = t
            w.prefix[at] = t
            at += 1
            if t >= 0:
                count_other(w, t, single)
                hit[0] = True
        if not single:
            memset(w.current, 0, n_ids * sizeof(int32_t))
    return n_ids


cdef inline int32_t look_up(const Work *w, const TokenLists *column, int64_t i, uint64_t mask, Token *token,
                            uint64_t *slot) noexcept nogil:
    """Read token i of a column; return its id, or -1 and the free slot where it belongs."""
    slot[0] = mask & read_token(column, token_end(column, i), token_end(column, i + 1), token)
    return find_token(w.slots, mask, w.tokens, token, slot)


cdef inline int32_t count_order(Work *w, int order, const Span *spans, Py_ssize_t n_own, Py_ssize_t n_spans,
                                uint64_t mask, bint matched_only, bint *hit) noexcept nogil:
    """Count order 2 or higher after the order before; return as `count_tokens` does.

    With matched_only an n-gram is followed only where the other side has its prefix too: no longer one can match.
    """
    cdef int32_t n_ids = 0, t, before, last
    cdef int64_t at, end
    cdef uint64_t slot, key
    cdef Py_ssize_t s
    cdef bint single = n_own == 1
    w.other_before, w.other = w.other, w.other_before
    memset(w.slots, 255, (mask + 1) * sizeof(int32_t))
    for s in range(n_own):
        end = spans[s].base + span_length(&spans[s]) - order + 1
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
                w.slots[slot] = t
                w.keys[t] = key
                add_id(w, t, at)
            count_own(w, t, at, <int32_t>s, single)
            w.prefix[at] = t
        if not single:
            memset(w.current, 0, n_ids * sizeof(int32_t))
    single = n_spans - n_own == 1
    for s in range(n_own, n_spans):
        end = spans[s].base + span_length(&spans[s]) - order + 1
        for at in range(spans[s].base, end):
            before = w.prefix[at]
            last = w.ids[at + order - 1]
            t = -1
            if before >= 0 and last >= 0:
                key = (<uint64_t><uint32_t>before << 32) | <uint32_t>last
                t = find_ngram(w, key, mask, &slot)
                if t >= 0:
                    count_other(w, t, single)
                    hit[0] = True
            w.prefix[at] = t
        if not single:
            memset(w.current, 0, n_ids * sizeof(int32_t))
    return n_ids


cdef inline int64_t clipped(const Work *w, int32_t n_ids) noexcept nogil:
    """Return the matches of an order: by n-gram the smaller of its two counts."""
    cdef int64_t total = 0
    cdef int32_t t
    for t in range(n_ids):
        total += w.own[t] if w.own[t] < w.other[t] else w.other[t]
    return total
