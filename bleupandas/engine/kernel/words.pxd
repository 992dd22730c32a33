# cython: language_level=3, cdivision=True
"""Distinct tokens, numbered as they come: those of one block, then those of all blocks."""
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from bleupandas.engine.kernel.memory cimport Memory, drop, resized
from bleupandas.engine.kernel.rows cimport Rows, Span, TokenLists, lay_out, read_token, span_length, token_end
from bleupandas.engine.kernel.text cimport Token, find_token, prefetch

cdef enum:
    AHEAD = 16                 # how far ahead of its use memory is asked for
    FIRST_SLOTS = 4096
    MOST_FIRST_SLOTS = 65536


cdef struct Words:
    Memory memory
    int32_t *slots             # open addressing, -1 where free
    int64_t n_slots
    int32_t n, room
    uint64_t *hashes           # by id
    Token *tokens              # by id
    int64_t n_bytes            # of the texts that it owns


cdef inline int grow_words(Words *words, int64_t n_slots) noexcept nogil:
    """Make room for half as many words as slots, a power of 2; return -1 without memory, when nothing has changed."""
    cdef int64_t room = n_slots // 2, slot
    cdef int32_t i
    cdef void *hashes
    cdef void *tokens
    cdef int32_t *slots = <int32_t *>resized(&words.memory, NULL, n_slots * sizeof(int32_t))
    if slots == NULL:
        return -1
    hashes = resized(&words.memory, words.hashes, room * sizeof(uint64_t))
    words.hashes = <uint64_t *>hashes if hashes != NULL else words.hashes
    tokens = resized(&words.memory, words.tokens, room * sizeof(Token))
    words.tokens = <Token *>tokens if tokens != NULL else words.tokens
    if hashes == NULL or tokens == NULL:
        drop(&words.memory, slots)
        return -1
    drop(&words.memory, words.slots)
    words.slots = slots
    words.n_slots = n_slots
    words.room = <int32_t>room
    memset(slots, 255, n_slots * sizeof(int32_t))
    for i in range(words.n):
        slot = words.hashes[i] & (n_slots - 1)
        while slots[slot] >= 0:
            slot = (slot + 1) & (n_slots - 1)
        slots[slot] = i
    return 0


cdef inline int32_t word_id(Words *words, uint64_t hash, const Token *token) noexcept nogil:
    """Return the id of a token, words.n before if it is new; -1 without memory."""
    cdef uint64_t slot
    cdef int32_t t
    if words.n == words.room and grow_words(words, 2 * words.n_slots if words.n_slots else FIRST_SLOTS) < 0:
        return -1
    slot = hash & (words.n_slots - 1)
    t = find_token(words.slots, words.n_slots - 1, words.tokens, token, &slot)
    if t < 0:
        t = words.n
        words.n += 1
        words.slots[slot] = t
        words.hashes[t] = hash
        words.tokens[t] = token[0]
    return t


cdef inline int take_words(Words *words, const Words *others, int32_t *ids) noexcept nogil:
    """Fill the ids that other words have here; new ones are copied. Return -1 without memory."""
    cdef int32_t i, t, before = words.n
    cdef int64_t size = 0
    cdef char *text
    cdef Token *token
    for i in range(others.n):
        ask_ahead(words, others, i)
        ids[i] = word_id(words, others.hashes[i], &others.tokens[i])
        if ids[i] < 0:
            return -1
    for t in range(before, words.n):
        size += words.tokens[t].length
    text = <char *>resized(&words.memory, NULL, size + 1)
    if text == NULL:
        return -1
    for t in range(before, words.n):
        token = &words.tokens[t]
        memcpy(text, token.text, token.length)
        token.text = text
        text += token.length
    words.n_bytes += size
    return 0


cdef inline void ask_ahead(const Words *words, const Words *others, int32_t i) noexcept nogil:
    """Ask for the memory in which the words after word i will be looked up: first the slot, then the token."""
    cdef int32_t t
    if words.n_slots == 0:
        return
    if i + AHEAD < others.n:
        prefetch(&words.slots[others.hashes[i + AHEAD] & (words.n_slots - 1)])
    if i + AHEAD // 2 < others.n:
        t = words.slots[others.hashes[i + AHEAD // 2] & (words.n_slots - 1)]
        if t >= 0:
            prefetch(&words.tokens[t])


cdef inline bint any_holds(const Words *words, const char *text, int64_t n) noexcept nogil:
    """Return whether a token holds a text of n bytes."""
    cdef int64_t k
    cdef int32_t i
    for i in range(words.n):
        for k in range(words.tokens[i].length - n + 1):
            if memcmp(words.tokens[i].text + k, text, n) == 0:
                return True
    return False


# ---- The tokens of one block as numbers ----


cdef struct Piece:
    Memory memory
    int64_t start, n_rows, n_tokens, n_lists
    int32_t *tokens            # 1 + id of its words, a 0 behind every list
    int64_t *lists             # (n_rows + 1,): where a row's lists begin
    int32_t *numbers           # (1 + n_words,): of a token; at first its id in all words, later its rank
    int32_t n_words


cdef inline int number_rows(Piece *piece, const Rows *rows, Span *spans, Words *words) noexcept nogil:
    """Give every token of the rows that can be counted an id; return -1 without memory."""
    cdef Py_ssize_t row, n, s
    cdef int64_t at = 0, room = 0, n_slots = FIRST_SLOTS
    piece.n_rows = rows.n
    piece.lists = <int64_t *>resized(&piece.memory, NULL, (rows.n + 1) * sizeof(int64_t))
    if piece.lists == NULL:
        return -1
    for row in range(rows.n):
        piece.lists[row] = piece.n_lists
        n = lay_out(rows, row, spans)
        piece.n_lists += n
        for s in range(n):
            room += span_length(&spans[s]) + 1
    piece.lists[rows.n] = piece.n_lists
    piece.n_tokens = room
    piece.tokens = <int32_t *>resized(&piece.memory, NULL, (room + 1) * sizeof(int32_t))
    while n_slots < room // 4 and n_slots < MOST_FIRST_SLOTS:   # of text, one token in ten is new
        n_slots *= 2
    if piece.tokens == NULL or grow_words(words, n_slots) < 0:
        return -1
    for row in range(rows.n):
        n = lay_out(rows, row, spans)
        for s in range(n):
            if number_list(piece.tokens + at, &spans[s], words) < 0:
                return -1
            at += span_length(&spans[s]) + 1
    piece.n_words = words.n
    piece.numbers = <int32_t *>resized(&piece.memory, NULL, (words.n + 1) * sizeof(int32_t))
    return 0 if piece.numbers != NULL else -1


cdef inline int number_list(int32_t *numbers, const Span *span, Words *words) noexcept nogil:
    """Fill the numbers of the tokens of a list, and a 0 behind them; return -1 without memory."""
    cdef const TokenLists *column = span.column
    cdef int64_t i, begin, end = token_end(column, span.begin)
    cdef uint64_t hash
    cdef int32_t t
    cdef Token token
    for i in range(span.begin, span.end):
        begin = end
        end = token_end(column, i + 1)
        hash = read_token(column, begin, end, &token)
        t = word_id(words, hash, &token)
        if t < 0:
            return -1
        numbers[i - span.begin] = t + 1
    numbers[span_length(span)] = 0
    return 0
