# cython: language_level=3, cdivision=True
"""N-grams found by sorting positions, not by hashing.

Positions are sorted by the token there, and each run of equal ones by the next token, and so on: a run of order n is
one n-gram, met in the order of text, its positions row by row.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from bleupandas.engine.kernel.corpus cimport Corpus, count_positions
from bleupandas.engine.kernel.memory cimport Memory, release, resized
from bleupandas.engine.kernel.text cimport prefetch
from bleupandas.engine.kernel.words cimport AHEAD

cdef enum:
    FEW = 40                   # runs that are sorted by insertion


cdef struct Search

# Take a run of n positions whose n-grams of order depth + 1 are one, which ends with token t, and `refine` it where
# longer n-grams are wanted; `length` is the bytes of the n-gram without its last token. Return -1 without memory.
ctypedef int (*Follow)(Search *search, uint64_t *places, int64_t n, int64_t t, int depth, int64_t length,
                       int64_t top) noexcept nogil


cdef struct Search:
    # For the n-grams that begin with a token of a range of ranks, lo to hi.
    const Corpus *corpus
    Follow follow
    int64_t lo, hi, min_count, sep_length
    int max_order
    uint32_t orders            # bit n: order n is wanted
    const char *sep
    const int32_t *of_list     # what runs are summed up by, by list: the row, or 2 * pair + system
    Memory scratch
    # (2 * list + whether it is a hypothesis, position): what runs are summed up by is at hand
    uint64_t *places
    uint64_t *keys             # for sorting
    int64_t *counts            # by token: where the next of its places belongs


cdef inline int search_rows(Search *s, const int64_t *rows, int64_t n_rows, bint few) noexcept nogil:
    """Find the n-grams of rows, of the first n_rows if `rows` is NULL; return -1 without memory.

    `few` says that they have fewer positions than there are tokens to count them by.
    """
    cdef int rc = find_few(s, rows, n_rows) if few else find(s, rows, n_rows)
    release(&s.scratch)
    return rc


cdef inline int find_few(Search *s, const int64_t *rows, int64_t n_rows) noexcept nogil:
    """Do as `find` does, without a count for every token that there is."""
    cdef int64_t i, n = 0, room = 1 + count_positions(s.corpus, rows, n_rows)
    s.places = <uint64_t *>resized(&s.scratch, NULL, room * sizeof(uint64_t))
    s.keys = <uint64_t *>resized(&s.scratch, NULL, room * (s.max_order + 2) * sizeof(uint64_t))
    if s.scratch.failed:
        return -1
    for i in range(n_rows):
        scatter(s, rows[i], &n)
    return refine(s, s.places, n, 0, 0, 0)


cdef inline int find(Search *s, const int64_t *rows, int64_t n_rows) noexcept nogil:
    """Sort positions by the token there, and follow each run."""
    cdef int64_t i, t, total = 0, largest = 0, n, begin = 0
    s.counts = <int64_t *>resized(&s.scratch, NULL, (s.hi - s.lo + 1) * sizeof(int64_t))
    if s.counts == NULL:
        return -1
    count_starts(s, rows, n_rows)
    for i in range(s.hi - s.lo):
        n = s.counts[i]
        largest = n if n > largest else largest
        s.counts[i] = total
        total += n
    s.places = <uint64_t *>resized(&s.scratch, NULL, (total + 1) * sizeof(uint64_t))
    s.keys = <uint64_t *>resized(&s.scratch, NULL, (largest * (s.max_order + 1) + 1) * sizeof(uint64_t))
    if s.scratch.failed:
        return -1
    for i in range(n_rows):
        scatter(s, i if rows == NULL else rows[i], NULL)
    for t in range(s.lo, s.hi):   # scattering has moved each to the end of its run
        if s.follow(s, s.places + begin, s.counts[t - s.lo] - begin, t, 0, 0, 0) < 0:
            return -1
        begin = s.counts[t - s.lo]
    return 0


cdef inline void count_starts(Search *s, const int64_t *rows, int64_t n_rows) noexcept nogil:
    """Count the positions of every token of the range."""
    cdef int64_t i, t, at
    if rows == NULL:
        memcpy(s.counts, s.corpus.frequency + s.lo, (s.hi - s.lo) * sizeof(int64_t))
        return
    memset(s.counts, 0, (s.hi - s.lo) * sizeof(int64_t))
    for i in range(n_rows):
        for at in range(s.corpus.row_first[rows[i]], s.corpus.row_first[rows[i] + 1]):
            t = s.corpus.cells[at]
            if s.lo <= t < s.hi:
                s.counts[t - s.lo] += 1


cdef inline void scatter(Search *s, int64_t row, int64_t *n) noexcept nogil:
    """Lay the positions of a row down, each at the end of its token's run, or all one after another behind n."""
    cdef uint64_t tag = <uint64_t>(2 * s.corpus.row_list[row] + 1) << 32
    cdef uint64_t step = <uint64_t>1 << 32   # from the hypothesis to the first reference
    cdef uint64_t width = s.hi - s.lo, t
    cdef int64_t at
    cdef int64_t *end
    for at in range(s.corpus.row_first[row], s.corpus.row_first[row + 1]):
        t = <uint64_t>s.corpus.cells[at] - s.lo
        if t < width:
            end = &s.counts[t] if n == NULL else n
            s.places[end[0]] = tag | <uint64_t>at
            end[0] += 1
        elif s.corpus.cells[at] == 0:
            tag += step
            step = <uint64_t>2 << 32


cdef inline int refine(Search *s, uint64_t *places, int64_t n, int depth, int64_t length, int64_t top) noexcept nogil:
    """Sort a run by the next token, and follow each run of those; `top` is where the free part of s.keys begins."""
    cdef const uint32_t *cells = s.corpus.cells + depth
    cdef uint64_t *keys = s.keys + top
    cdef uint64_t *other = keys + n
    cdef int64_t i, begin, asked = 0
    cdef uint64_t t
    for i in range(n):
        if i + AHEAD < n:
            prefetch(&cells[<uint32_t>places[i + AHEAD]])
        keys[i] = <uint64_t>cells[<uint32_t>places[i]] << 32 | <uint64_t>i
    sort_keys(keys, other, n, s.corpus.n_words)
    memcpy(other, places, n * sizeof(uint64_t))
    for i in range(n):
        places[i] = other[<uint32_t>keys[i]]
    i = 0
    while i < n:
        begin = i
        t = keys[i] >> 32
        i += 1
        while i < n and keys[i] >> 32 == t:
            i += 1
        if t == 0 or i - begin < s.min_count:   # count + missing is at most the number of occurrences
            continue
        while asked < n and asked < i + AHEAD:   # what the next runs are refined by
            prefetch(&cells[<uint32_t>places[asked] + 1])
            prefetch(&s.of_list[places[asked] >> 33])
            asked += 1
        if s.follow(s, places + begin, i - begin, t, depth, length, top + n) < 0:
            return -1
    return 0


cdef inline void sort_keys(uint64_t *keys, uint64_t *other, int64_t n, int64_t n_words) noexcept nogil:
    """Sort by the upper half, a rank; the lower halves, which ascend, stay in order. `other` is scratch, (n,)."""
    cdef int64_t i, k, total, c
    cdef uint64_t key
    cdef int shift = 32
    cdef int64_t counts[256]
    cdef uint64_t *source = keys
    cdef uint64_t *target = other
    if n <= FEW:
        for i in range(1, n):
            key = keys[i]
            k = i
            while k > 0 and keys[k - 1] > key:
                keys[k] = keys[k - 1]
                k -= 1
            keys[k] = key
        return
    while n_words:   # byte by byte
        memset(counts, 0, sizeof(counts))
        for i in range(n):
            counts[source[i] >> shift & 255] += 1
        total = 0
        for i in range(256):
            c = counts[i]
            counts[i] = total
            total += c
        for i in range(n):
            k = source[i] >> shift & 255
            target[counts[k]] = source[i]
            counts[k] += 1
        source, target = target, source
        shift += 8
        n_words >>= 8
    if source != keys:
        memcpy(keys, source, n * sizeof(uint64_t))


cdef inline int64_t token_length(const Search *s, uint32_t t) noexcept nogil:
    return s.corpus.begins[t + 1] - s.corpus.begins[t]


cdef inline int64_t write_ngram(const Search *s, const uint32_t *cell, int order, char *text,
                                int64_t at) noexcept nogil:
    """Write the tokens of an n-gram, however long they are; return where it ends."""
    cdef int64_t length
    cdef int k
    for k in range(order):
        if k:
            memcpy(text + at, s.sep, s.sep_length)
            at += s.sep_length
        length = token_length(s, cell[k])
        memcpy(text + at, s.corpus.text + s.corpus.begins[cell[k]], length)
        at += length
    return at
