# cython: language_level=3, cdivision=True
"""What counting one row after another uses again: tables of tokens and n-grams, and their counts."""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from bleupandas.engine.kernel.memory cimport Memory, renewed, resized
from bleupandas.engine.kernel.rows cimport Rows, Span, span_length
from bleupandas.engine.kernel.text cimport Token

cdef enum:
    SHORT = 255                # tokens of a hypothesis whose ids fit in a byte


cdef struct Work:
    Memory memory
    Span *spans                # room for the lists of any row, and one more
    int64_t room_positions, room_ids, room_slots, room_short, room_joined
    # by position in the row, its lists laid end to end
    int32_t *ids               # token id, -1 where the listed side does not have the token
    int32_t *prefix            # id of the n-gram of the order before that starts here, -1 where it is dead
    # by id of a token or n-gram of the listed side
    Token *tokens
    uint64_t *keys             # of n-grams, where the tokens were: these are looked up in order 1 only
    int32_t *own               # largest count in one list of the listed side
    int32_t *other             # the same on the other side
    int32_t *other_before      # `other` of the order before
    int32_t *current           # count in the list that is being read
    int32_t *start             # first position in the list that is being read
    int32_t *first             # first position in the list that has it most often, and which list that is
    int32_t *which
    int32_t *slots             # open-addressing table of ids, -1 where free
    # rows with a short hypothesis: ids from 1, 0 where there is none
    uint8_t *ids8
    uint8_t *prefix8
    uint8_t *grid              # id of an n-gram by (id of its prefix, id of its last token)
    uint8_t slots8[1024]
    int32_t own8[SHORT + 2]
    int32_t other8[SHORT + 2]
    int32_t current8[SHORT + 2]
    int32_t first8[SHORT + 2]
    uint8_t alive8[SHORT + 2]
    # The listed side's tokens, joined by the separator: every n-gram's text is a piece of it.
    char *joined
    int64_t *joined_at         # by position: where its token begins


cdef inline int start_work(Work *w, const Rows *rows) noexcept nogil:
    """Make room for the lists of the rows of a block; return -1 without memory. `w` is all zero before."""
    w.spans = <Span *>resized(&w.memory, NULL, (rows.most_lists + 1) * sizeof(Span))
    return 0 if w.spans != NULL else -1


cdef inline int32_t *renewed_numbers(Work *w, int32_t *old, int64_t n) noexcept nogil:
    return <int32_t *>renewed(&w.memory, old, n * sizeof(int32_t))


cdef inline void grow_positions(Work *w, int64_t n) noexcept nogil:
    n += n // 2 + 64
    w.ids = renewed_numbers(w, w.ids, n)
    w.prefix = renewed_numbers(w, w.prefix, n)
    w.joined_at = <int64_t *>renewed(&w.memory, w.joined_at, (n + 1) * sizeof(int64_t))
    w.room_positions = n


cdef inline void grow_ids(Work *w, int64_t n) noexcept nogil:
    n += n // 2 + 64
    w.tokens = <Token *>renewed(&w.memory, w.tokens, n * sizeof(Token))
    w.keys = <uint64_t *>w.tokens
    w.own = renewed_numbers(w, w.own, n)
    w.other = renewed_numbers(w, w.other, n)
    w.other_before = renewed_numbers(w, w.other_before, n)
    w.current = renewed_numbers(w, w.current, n)
    w.start = renewed_numbers(w, w.start, n)
    w.first = renewed_numbers(w, w.first, n)
    w.which = renewed_numbers(w, w.which, n)
    w.room_ids = n


cdef inline int reserve_short(Work *w, int64_t positions) noexcept nogil:
    """Make room for a row with a short hypothesis; return -1 without memory."""
    if positions > w.room_short:
        w.room_short = positions + positions // 2 + 64
        w.ids8 = <uint8_t *>renewed(&w.memory, w.ids8, w.room_short)
        w.prefix8 = <uint8_t *>renewed(&w.memory, w.prefix8, w.room_short)
    if w.grid == NULL:
        w.grid = <uint8_t *>resized(&w.memory, NULL, (SHORT + 1) * (SHORT + 1))
    return -1 if w.memory.failed else 0


cdef inline int64_t prepare(Work *w, Span *spans, Py_ssize_t n_own, Py_ssize_t n_spans) noexcept nogil:
    """Lay a row's lists end to end; return the size of its table: 0 without a token to list, -1 without memory."""
    cdef int64_t positions = 0, n_own_tokens = 0, n_slots = 16
    cdef Py_ssize_t s
    for s in range(n_spans):
        spans[s].base = positions
        positions += span_length(&spans[s])
        if s + 1 == n_own:
            n_own_tokens = positions
    if n_own_tokens == 0:
        return 0
    while n_slots < 2 * n_own_tokens:
        n_slots *= 2
    if positions > w.room_positions:
        grow_positions(w, positions)
    if n_own_tokens >= w.room_ids:
        grow_ids(w, n_own_tokens + 1)
    if n_slots > w.room_slots:
        w.slots = renewed_numbers(w, w.slots, n_slots)
        w.room_slots = n_slots
    return -1 if w.memory.failed else n_slots
