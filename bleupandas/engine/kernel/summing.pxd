# cython: language_level=3, cdivision=True
"""N-grams summed up over rows: what is noted of each while they are found, and how they are written in the end.

They are found in the order of text, and written by order, then count + missing, the larger first, then text. So an
n-gram's place is known when all are found: n-grams are counted by order and weight (count + missing), as in a counting
sort; the few of a weight of at least LIGHT are kept one by one, and sorted.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from bleupandas.engine.kernel.memory cimport Memory, grown, resized
from bleupandas.engine.kernel.runs cimport Search, refine, token_length, write_ngram
from bleupandas.engine.kernel.text cimport copy_loose, copy_within, prefetch
from bleupandas.engine.kernel.words cimport AHEAD

cdef enum:
    LIGHT = 1024
    MOST_ORDERS = 16
    JOINED = 256               # bytes of an n-gram that is joined apart before it is written
    PLACE = 0x3FFFFFFF         # the part of a head that is a position
    # Kinds of an entry, in the upper two bits of its head: what it occurs in.
    HYPOTHESIS_ONCE = 0
    REFERENCE_ONCE = 1
    MATCHED_ONCE = 2
    MORE = 3                   # the numbers are in Sums.more


cdef struct Facts:
    int64_t count, clipped, missing, segments, over, under


cdef struct Heavy:
    # An n-gram of a large weight.
    int64_t weight, size, row, at


cdef struct Places:
    # Where the n-grams of one order belong.
    Heavy *heavy               # in the order in which they are found
    int64_t n_heavy, room_heavy
    int64_t rows[LIGHT]        # by weight: how many, and then the next row
    int64_t text_rows[LIGHT]   # by weight: the next row whose text is written
    int64_t bytes[LIGHT]       # by weight: how many of text, and then where the next one begins
    int64_t ends[LIGHT]        # by weight: where the text ends


cdef struct Sums:
    Search search              # first: `follow` is called with it
    Memory memory
    Places *of_order           # by order
    # What is found, in the order of text: n-grams that begin at one place and have the same numbers, of several orders
    uint32_t *heads            # (n,): kind, and a position where they are
    uint8_t *spans             # (n,): the first of the orders, and 16 times the last
    uint32_t *more             # 6 numbers for each of kind MORE
    int64_t n, room, n_more, room_more


cdef inline int start_sums(Sums *sums) except -1:
    cdef size_t size = (sums.search.max_order + 1) * sizeof(Places)
    sums.of_order = <Places *>grown(&sums.memory, NULL, size)
    memset(sums.of_order, 0, size)
    sums.search.follow = follow
    return 0


# ---- Finding ----


cdef inline int follow(Search *s, uint64_t *places, int64_t n, int64_t t, int depth, int64_t length,
                       int64_t top) noexcept nogil:
    """Note a run, and follow it; see runs.Follow."""
    cdef Sums *sums = <Sums *>s
    cdef Facts facts
    cdef int order = depth + 1
    if n < s.min_count or n == 0:   # count + missing is at most the number of occurrences
        return 0
    length += token_length(s, t)
    if n == 1:
        return follow_one(sums, places[0], order, length)
    if n == 2:   # most runs are of one or two: without these shortcuts summing up takes 12 to 38 % longer
        sum_up_two(s, places, &facts)
    else:
        sum_up(s, places, n, &facts)
    if facts.count + facts.missing < s.min_count:   # and so is that of any longer n-gram
        return 0
    if n == 2:
        return follow_two(sums, places, order, length, &facts)
    if place(sums, order, length, facts.count + facts.missing) < 0 or note(sums, order, order, places[0], &facts) < 0:
        return -1
    if order == s.max_order:
        return 0
    return refine(s, places, n, order, length + s.sep_length, top)


cdef inline int follow_one(Sums *sums, uint64_t at, int order, int64_t length) noexcept nogil:
    """Note a place that is the only one of its n-gram, and so of all longer ones."""
    cdef const Search *s = &sums.search
    cdef const uint32_t *cell = &s.corpus.cells[<uint32_t>at]
    cdef int first = order
    while True:
        if place(sums, order, length, 1) < 0:
            return -1
        if cell[order] == 0 or order == s.max_order:
            break
        length += s.sep_length + token_length(s, cell[order])
        order += 1
    return write_down(sums, first, order, HYPOTHESIS_ONCE if at >> 32 & 1 else REFERENCE_ONCE, at)


cdef inline int follow_two(Sums *sums, const uint64_t *places, int order, int64_t length,
                           const Facts *facts) noexcept nogil:
    """Note two places of one n-gram: as long as they go on alike, the numbers stay."""
    cdef const Search *s = &sums.search
    cdef const uint32_t *a = &s.corpus.cells[<uint32_t>places[0]]
    cdef const uint32_t *b = &s.corpus.cells[<uint32_t>places[1]]
    cdef uint32_t t, u
    cdef int first = order, later
    while True:
        if place(sums, order, length, facts.count + facts.missing) < 0:
            return -1
        t = a[order]
        u = b[order]
        if t != u or t == 0 or order == s.max_order:
            break
        length += s.sep_length + token_length(s, t)
        order += 1
    if note(sums, first, order, places[0], facts) < 0:
        return -1
    if t == u or order == s.max_order or s.min_count > 1:
        return 0
    length += s.sep_length
    later = t < u   # the one whose text comes later
    if later:
        t, u = u, t
    if u and follow_one(sums, places[1 - later], order + 1, length + token_length(s, u)) < 0:
        return -1
    return follow_one(sums, places[later], order + 1, length + token_length(s, t))


cdef inline void sum_up(const Search *s, const uint64_t *places, int64_t n, Facts *facts) noexcept nogil:
    """Count what a run of positions is made of, row by row; they ascend, so that a row's lists are side by side.

    No branch depends on the data: where rows and lists end cannot be foreseen.
    """
    cdef int64_t i, hypothesis, keep
    cdef int64_t count = 0, most = 0, of_list = 0, produced = 0, matched = 0, longest = 0, over = 0, under = 0
    cdef int64_t segments = 0
    cdef uint32_t tag, tag_before = <uint32_t>(places[0] >> 32)
    cdef const int32_t *row_of = s.of_list
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


cdef inline void sum_up_two(const Search *s, const uint64_t *places, Facts *facts) noexcept nogil:
    """Do as `sum_up` does for two positions."""
    cdef uint32_t a = <uint32_t>(places[0] >> 32), b = <uint32_t>(places[1] >> 32)
    cdef int64_t together = s.of_list[a >> 1] == s.of_list[b >> 1]
    cdef int64_t produced = (a & 1) + (b & 1)
    cdef int64_t one_each = together & (produced == 1)
    cdef int64_t lists = together & (produced == 0) & (a != b)   # the larger of two references counts
    facts.count = produced
    facts.clipped = one_each
    facts.missing = 2 - produced - one_each - lists
    facts.segments = 2 - together
    facts.over = (produced >> together) if not one_each else 0
    facts.under = (facts.missing >> (together & ~lists)) if not one_each else 0


cdef inline int place(Sums *sums, int order, int64_t length, int64_t weight) noexcept nogil:
    """Count an n-gram of an order, so that its place is known in the end; return -1 without memory."""
    cdef Places *p = &sums.of_order[order]
    cdef Heavy *heavy
    if not sums.search.orders >> order & 1:
        return 0
    if weight < LIGHT:
        p.rows[weight] += 1
        p.bytes[weight] += length
        return 0
    if p.n_heavy == p.room_heavy:
        heavy = <Heavy *>resized(&sums.memory, p.heavy, (2 * p.room_heavy + 64) * sizeof(Heavy))
        if heavy == NULL:
            return -1
        p.heavy = heavy
        p.room_heavy = 2 * p.room_heavy + 64
    p.heavy[p.n_heavy].weight = weight
    p.heavy[p.n_heavy].size = length
    p.n_heavy += 1
    return 0


cdef inline int note(Sums *sums, int first, int last, uint64_t at, const Facts *facts) noexcept nogil:
    """Write n-grams of several orders down; return -1 without memory."""
    cdef uint32_t *more
    if facts.clipped == 1 and facts.count == 1 and facts.missing == 0 and facts.segments == 1:
        return write_down(sums, first, last, MATCHED_ONCE, at)
    if sums.n_more == sums.room_more:
        more = <uint32_t *>resized(&sums.memory, sums.more, (2 * sums.room_more + 1024) * 6 * sizeof(uint32_t))
        if more == NULL:
            return -1
        sums.more = more
        sums.room_more = 2 * sums.room_more + 1024
    more = sums.more + 6 * sums.n_more
    more[0] = <uint32_t>facts.count
    more[1] = <uint32_t>facts.clipped
    more[2] = <uint32_t>facts.missing
    more[3] = <uint32_t>facts.segments
    more[4] = <uint32_t>facts.over
    more[5] = <uint32_t>facts.under
    sums.n_more += 1
    return write_down(sums, first, last, MORE, at)


cdef inline int grow_entries(Sums *sums) noexcept nogil:
    """Make room for more entries; return -1 without memory."""
    cdef int64_t room = 2 * sums.room + 1024
    cdef void *heads = resized(&sums.memory, sums.heads, room * sizeof(uint32_t))
    cdef void *spans = resized(&sums.memory, sums.spans, room)
    sums.heads = <uint32_t *>heads
    sums.spans = <uint8_t *>spans
    sums.room = room
    return -1 if sums.memory.failed else 0


cdef inline int write_down(Sums *sums, int first, int last, uint32_t kind, uint64_t at) noexcept nogil:
    """Write an entry down; return -1 without memory."""
    if sums.n == sums.room and grow_entries(sums) < 0:
        return -1
    sums.heads[sums.n] = kind << 30 | <uint32_t>at
    sums.spans[sums.n] = <uint8_t>(first | last << 4)
    sums.n += 1
    return 0


# ---- Writing ----


cdef inline void write_sums(Sums *sums, int64_t *numbers, int64_t n_columns, int64_t *offsets,
                            char *text) noexcept nogil:
    """Write the n-grams where they belong; `numbers` as in Summary, (8, n_columns)."""
    cdef int order
    write_texts(sums, offsets, text)
    for order in range(1, sums.search.max_order + 1):   # few columns at once are written fastest
        if sums.search.orders >> order & 1:
            write_numbers(sums, order, numbers, n_columns)


cdef inline void write_texts(Sums *sums, int64_t *offsets, char *text) noexcept nogil:
    """Write text: that of an entry is joined once for all its orders."""
    cdef const uint32_t *cells = sums.search.corpus.cells
    cdef const uint32_t *cell
    cdef const uint32_t *more = sums.more
    cdef int64_t i, row, at, weight, room
    cdef int64_t lengths[MOST_ORDERS]
    cdef int64_t n_heavy[MOST_ORDERS]
    cdef char joined[JOINED + 64]
    cdef int order, last
    cdef Places *p
    cdef bint fits
    memset(n_heavy, 0, sizeof(n_heavy))
    for i in range(sums.n):
        if i + AHEAD < sums.n:
            prefetch(&cells[sums.heads[i + AHEAD] & PLACE])
        cell = &cells[sums.heads[i] & PLACE]
        weight = 1
        if sums.heads[i] >> 30 == MORE:
            weight = <int64_t>more[0] + more[2]
            more += 6
        last = sums.spans[i] >> 4
        fits = join(&sums.search, cell, last, joined, lengths)
        for order in range(sums.spans[i] & 15, last + 1):
            if not sums.search.orders >> order & 1:
                continue
            p = &sums.of_order[order]
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
                copy_within(text + at, joined, lengths[order], room)
                at += lengths[order]
            else:
                at = write_ngram(&sums.search, cell, order, text, at)
            if weight < LIGHT:
                p.bytes[weight] = at
            offsets[row + 1] = at


cdef inline bint join(const Search *s, const uint32_t *cell, int order, char *joined, int64_t *lengths) noexcept nogil:
    """Join tokens, and fill by order where the n-gram ends; return False if they are too long."""
    cdef int64_t length, at = 0
    cdef int k
    for k in range(order):
        length = token_length(s, cell[k])
        if at + length + s.sep_length > JOINED:
            return False
        if k:
            memcpy(joined + at, s.sep, s.sep_length)
            at += s.sep_length
        copy_loose(joined + at, s.corpus.text + s.corpus.begins[cell[k]], length)
        at += length
        lengths[k + 1] = at
    return True


cdef inline void write_numbers(Sums *sums, int order, int64_t *numbers, int64_t n) noexcept nogil:
    """Write the numbers of one order."""
    cdef Places *p = &sums.of_order[order]
    cdef const uint32_t *more = sums.more
    cdef const Heavy *heavy = p.heavy
    cdef int64_t i, weight
    cdef int64_t *to
    cdef uint32_t kind
    cdef Facts f
    for i in range(sums.n):
        kind = sums.heads[i] >> 30
        f.count = kind != REFERENCE_ONCE
        f.clipped = kind == MATCHED_ONCE
        f.missing = f.under = kind == REFERENCE_ONCE
        f.over = kind == HYPOTHESIS_ONCE
        f.segments = 1
        if kind == MORE:
            f.count = more[0]
            f.clipped = more[1]
            f.missing = more[2]
            f.segments = more[3]
            f.over = more[4]
            f.under = more[5]
            more += 6
        if order < sums.spans[i] & 15 or order > sums.spans[i] >> 4:
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
