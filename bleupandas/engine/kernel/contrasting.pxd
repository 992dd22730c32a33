# cython: language_level=3, cdivision=True
"""What two systems match, summed up over pairs of rows: noted in the order of text, written in it."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from bleupandas.engine.kernel.memory cimport Memory, grown, resized
from bleupandas.engine.kernel.runs cimport Search, refine, token_length, write_ngram

cdef enum:
    SIDES = 4                  # matched by the first system only, by the second only, by both, by neither


cdef struct Contrast:
    uint32_t place             # a position of the n-gram
    uint32_t counts[SIDES]
    uint32_t segments[SIDES]


cdef struct Found:
    # The n-grams of one order.
    Contrast *contrasts
    int64_t n, room, size
    uint32_t *shown            # the first pairs of every n-gram, side by side
    int64_t n_shown, room_shown


cdef struct Contrasting:
    Search search              # first: `follow` is called with it
    Memory memory
    int64_t examples           # pairs to show of every n-gram and side, at most
    Found *of_order            # by order
    uint32_t *first[SIDES]     # the first pairs of the run that is summed up
    int64_t room_first[SIDES]


cdef inline int start_contrasting(Contrasting *c) except -1:
    cdef size_t size = (c.search.max_order + 1) * sizeof(Found)
    c.of_order = <Found *>grown(&c.memory, NULL, size)
    memset(c.of_order, 0, size)
    c.search.follow = follow
    return 0


cdef inline int follow(Search *s, uint64_t *places, int64_t n, int64_t t, int depth, int64_t length,
                       int64_t top) noexcept nogil:
    """Note a run, and follow it; see runs.Follow."""
    cdef Contrasting *c = <Contrasting *>s
    cdef Contrast sums
    cdef int64_t wanted
    cdef int order = depth + 1
    if n < s.min_count or n == 0:
        return 0
    length += token_length(s, t)
    if sum_up(c, places, n, &sums) < 0:
        return -1
    wanted = <int64_t>sums.counts[0] + sums.counts[1] + sums.counts[2] + sums.counts[3]
    if wanted == 0 or wanted < s.min_count:   # nor is a longer n-gram in a reference, or in as many
        return 0
    if s.orders >> order & 1 and write_down(c, &c.of_order[order], &sums, length) < 0:
        return -1
    if order == s.max_order:
        return 0
    return refine(s, places, n, order, length + s.sep_length, top)


cdef inline int sum_up(Contrasting *c, const uint64_t *places, int64_t n, Contrast *sums) noexcept nogil:
    """Count by pair, whose rows' lists are side by side; return -1 without memory."""
    cdef int64_t i = 0, both
    cdef int64_t count[2]
    cdef int64_t most[2]
    cdef int32_t pair
    cdef int rc = 0
    memset(sums, 0, sizeof(Contrast))
    sums.place = <uint32_t>places[0]
    while i < n:
        pair = c.search.of_list[places[i] >> 33] >> 1
        i = count_pair(c.search.of_list, places, i, n, count, most)
        count[0] = min(count[0], most[0])
        count[1] = min(count[1], most[1])
        both = min(count[0], count[1])
        rc |= add(c, sums, 0, pair, count[0] - both)
        rc |= add(c, sums, 1, pair, count[1] - both)
        rc |= add(c, sums, 2, pair, both)
        rc |= add(c, sums, 3, pair, max(most[0], most[1]) - max(count[0], count[1]))
    return rc


cdef inline int64_t count_pair(const int32_t *of_list, const uint64_t *places, int64_t i, int64_t n, int64_t *count,
                               int64_t *most) noexcept nogil:
    """Count from position i on, as long as the pair is the same; return where it ends."""
    cdef int32_t unit, pair = of_list[places[i] >> 33] >> 1
    cdef uint64_t tag, before = 0
    cdef int64_t in_list = 0
    count[0] = count[1] = most[0] = most[1] = 0
    while i < n:
        tag = places[i] >> 32
        unit = of_list[tag >> 1]
        if unit >> 1 != pair:
            break
        if tag & 1:
            count[unit & 1] += 1
        else:
            in_list = in_list + 1 if tag == before else 1
            if in_list > most[unit & 1]:
                most[unit & 1] = in_list
        before = tag
        i += 1
    return i


cdef inline int add(Contrasting *c, Contrast *sums, int side, int32_t pair, int64_t number) noexcept nogil:
    """Add what one pair has on a side, and keep the first pairs; return -1 without memory."""
    cdef int64_t k = sums.segments[side]
    cdef uint32_t *first
    if number == 0:
        return 0
    sums.counts[side] += <uint32_t>number
    sums.segments[side] += 1
    if k >= c.examples:
        return 0
    if k == c.room_first[side]:
        first = <uint32_t *>resized(&c.memory, c.first[side], (2 * k + 16) * sizeof(uint32_t))
        if first == NULL:
            return -1
        c.first[side] = first
        c.room_first[side] = 2 * k + 16
    c.first[side][k] = pair
    return 0


cdef inline int write_down(Contrasting *c, Found *found, const Contrast *sums, int64_t length) noexcept nogil:
    """Keep the sums of an n-gram and its first pairs; return -1 without memory."""
    cdef int64_t k
    cdef int side
    if found.n == found.room:
        found.room = 2 * found.room + 256
        found.contrasts = <Contrast *>resized(&c.memory, found.contrasts, found.room * sizeof(Contrast))
        if found.contrasts == NULL:
            return -1
    found.contrasts[found.n] = sums[0]
    found.n += 1
    found.size += length
    for side in range(SIDES):
        k = min(<int64_t>sums.segments[side], c.examples)
        if found.n_shown + k > found.room_shown:
            found.room_shown = 2 * (found.n_shown + k) + 256
            found.shown = <uint32_t *>resized(&c.memory, found.shown, found.room_shown * sizeof(uint32_t))
            if found.shown == NULL:
                return -1
        if k:
            memcpy(found.shown + found.n_shown, c.first[side], k * sizeof(uint32_t))
            found.n_shown += k
    return 0


cdef inline void write_contrasts(const Contrasting *c, int order, int64_t row, int64_t at, int64_t *numbers,
                                 int64_t n_columns, int64_t *offsets, char *text, int64_t *shown) noexcept nogil:
    """Write the n-grams of an order from a row and byte on, and their pairs; `numbers` as in Contrasts."""
    cdef const Found *found = &c.of_order[order]
    cdef const Contrast *one
    cdef int64_t i
    cdef int side
    for i in range(found.n):
        one = &found.contrasts[i]
        numbers[row] = order
        for side in range(SIDES):
            numbers[(1 + side) * n_columns + row] = one.counts[side]
            numbers[(1 + SIDES + side) * n_columns + row] = one.segments[side]
        row += 1
        at = write_ngram(&c.search, &c.search.corpus.cells[one.place], order, text, at)
        offsets[row] = at
    for i in range(found.n_shown):
        shown[i] = found.shown[i]
