# cython: language_level=3, cdivision=True
"""All rows of a tally: tokens numbered by the order of their text, and laid end to end."""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcmp, memcpy, memset

from bleupandas.engine.kernel.memory cimport Memory, drop, grown, resized
from bleupandas.engine.kernel.words cimport Piece, Words


cdef struct Corpus:
    Memory memory
    int64_t n_rows, n_lists
    int32_t n_words
    uint32_t *cells            # by position: rank of the token, or 0 behind a list
    int32_t *row_of            # by list
    int64_t *row_first         # (n_rows + 1,): a row's first position
    int64_t *row_list          # (n_rows + 1,): a row's first list, the hypothesis
    # by rank of the token, from 1
    int64_t *begins            # (n_words + 2,), into text
    int64_t *frequency
    char *text                 # and 32 bytes behind it that may be read
    # filled so far
    int64_t rows_laid, lists_laid, cells_laid


cdef struct Ranked:
    uint64_t head              # first 8 bytes, so that numbers compare as the texts do
    const char *text
    int64_t length
    int32_t id


cdef inline int start_corpus(Corpus *corpus, const Words *words, int64_t n_rows, int64_t n_lists) except -1:
    """Make room for rows."""
    cdef Memory *memory = &corpus.memory
    cdef int64_t n = words.n + 2
    corpus.n_rows = n_rows
    corpus.n_lists = n_lists
    corpus.n_words = words.n
    corpus.rows_laid = corpus.lists_laid = corpus.cells_laid = 0
    corpus.row_of = <int32_t *>grown(memory, corpus.row_of, (n_lists + 1) * sizeof(int32_t))
    corpus.row_first = <int64_t *>grown(memory, corpus.row_first, (n_rows + 1) * sizeof(int64_t))
    corpus.row_list = <int64_t *>grown(memory, corpus.row_list, (n_rows + 1) * sizeof(int64_t))
    corpus.begins = <int64_t *>grown(memory, corpus.begins, n * sizeof(int64_t))
    corpus.frequency = <int64_t *>grown(memory, corpus.frequency, n * sizeof(int64_t))
    corpus.text = <char *>grown(memory, corpus.text, words.n_bytes + 32)
    memset(corpus.frequency, 0, n * sizeof(int64_t))
    return 0


cdef inline int rank_words(Corpus *corpus, const Words *words, int32_t *ranks) noexcept nogil:
    """Lay the texts of the words down in their order, and fill the rank by id; return -1 without memory."""
    cdef int32_t i
    cdef int64_t at = 0
    cdef Ranked *ranked = <Ranked *>resized(&corpus.memory, NULL, (words.n + 1) * sizeof(Ranked))
    if ranked == NULL:
        return -1
    for i in range(words.n):
        ranked[i].head = head_of(words.tokens[i].text, words.tokens[i].length)
        ranked[i].text = words.tokens[i].text
        ranked[i].length = words.tokens[i].length
        ranked[i].id = i
    qsort(ranked, words.n, sizeof(Ranked), by_text)
    corpus.begins[0] = 0
    for i in range(words.n):
        ranks[ranked[i].id] = i + 1
        corpus.begins[i + 1] = at
        memcpy(corpus.text + at, ranked[i].text, ranked[i].length)
        at += ranked[i].length
    corpus.begins[words.n + 1] = at
    drop(&corpus.memory, ranked)
    return 0


cdef inline uint64_t head_of(const char *text, int64_t length) noexcept nogil:
    cdef uint64_t head = 0
    cdef int64_t k
    for k in range(8):
        head <<= 8
        if k < length:
            head |= <uint8_t>text[k]
    return head


cdef inline int by_text(const void *a, const void *b) noexcept nogil:
    cdef const Ranked *x = <const Ranked *>a
    cdef const Ranked *y = <const Ranked *>b
    cdef int differ
    if x.head != y.head:
        return -1 if x.head < y.head else 1
    differ = memcmp(x.text, y.text, x.length if x.length < y.length else y.length)
    if differ:
        return differ
    return -1 if x.length < y.length else 1 if x.length > y.length else 0


cdef inline void lay_down(Corpus *corpus, Piece *piece, const int32_t *ranks) noexcept nogil:
    """Lay the rows of a piece down behind those before, by rank; rows between, which nobody added, are empty."""
    cdef int64_t at = corpus.cells_laid, n_lists = corpus.lists_laid, k
    cdef const int32_t *token = piece.tokens
    cdef int32_t i
    cdef uint32_t rank
    piece.numbers[0] = 0
    for i in range(1, piece.n_words + 1):
        piece.numbers[i] = ranks[piece.numbers[i]]
    end_rows(corpus, piece.start)
    for k in range(piece.n_rows):
        corpus.row_first[piece.start + k] = at
        corpus.row_list[piece.start + k] = n_lists
        for _ in range(piece.lists[k + 1] - piece.lists[k]):
            corpus.row_of[n_lists] = <int32_t>(piece.start + k)
            n_lists += 1
            while True:
                rank = piece.numbers[token[0]]
                token += 1
                corpus.frequency[rank] += 1
                corpus.cells[at] = rank
                at += 1
                if rank == 0:
                    break
    corpus.cells_laid = at
    corpus.lists_laid = n_lists
    corpus.rows_laid = piece.start + piece.n_rows


cdef inline void end_rows(Corpus *corpus, int64_t row) noexcept nogil:
    """Let rows begin where what was laid down ends, up to one; the last of them may be the end of all."""
    while corpus.rows_laid < row:
        corpus.row_first[corpus.rows_laid] = corpus.cells_laid
        corpus.row_list[corpus.rows_laid] = corpus.lists_laid
        corpus.rows_laid += 1


cdef inline int64_t count_positions(const Corpus *corpus, const int64_t *rows, int64_t n_rows) noexcept nogil:
    """Return how many positions rows have."""
    cdef int64_t n = 0, i
    for i in range(n_rows):
        n += corpus.row_first[rows[i] + 1] - corpus.row_first[rows[i]]
    return n
