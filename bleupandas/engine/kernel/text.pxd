# cython: language_level=3, cdivision=True
"""Text: tokens, whether two are the same, and what text.h gives to hash, copy and encode them."""
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp


cdef extern from "kernel/text.h" nogil:
    const char NOTHING "bp_nothing"[1]
    void prefetch "bp_prefetch"(const void *p) noexcept
    void set_keys "bp_set_keys"(uint64_t key0, uint64_t key1) noexcept
    uint64_t mix "bp_mix"(uint64_t key) noexcept
    uint64_t token_words "bp_words"(const char *p, int64_t n, const char *limit, uint64_t *a, uint64_t *b) noexcept
    void copy "bp_copy"(char *to, const char *source, int64_t n) noexcept
    void copy_loose "bp_copy_loose"(char *to, const char *source, int64_t n) noexcept
    void copy_within "bp_copy_within"(char *to, const char *source, int64_t n, int64_t room) noexcept
    bint has_white_space "bp_has_white_space"(const char *p, int64_t n) noexcept
    bint has_empty "bp_has_empty"(const int32_t *ends32, const int64_t *ends64, int64_t first, int64_t last) noexcept


cdef extern from "kernel/text.h":
    bint is_ascii "bp_is_ascii"(PyObject *o)
    int64_t write_utf8 "bp_utf8"(PyObject *o, char *to, int *surrogate)
    void *PyUnicode_DATA(PyObject *o)
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject *o)


cdef struct Token:
    # What a token is compared by, side by side: half a line of the processor's cache. Fields of one type are kept
    # apart, or gcc moves them through vector registers, 5 % slower on long rows.
    uint64_t low               # low and high: its bytes if there are at most 16, else a hash and 0
    const char *text
    uint64_t high
    int64_t length


cdef inline bint same_token(const Token *a, const Token *b) noexcept nogil:
    return (a.low == b.low and a.high == b.high and a.length == b.length
            and (a.length <= 16 or memcmp(a.text, b.text, a.length) == 0))


cdef inline int32_t find_token(const int32_t *slots, uint64_t mask, const Token *known, const Token *sought,
                               uint64_t *slot) noexcept nogil:
    """Return the id of a token in a table, from slot[0] on; or -1, and the free slot where it belongs."""
    cdef int32_t t
    while True:
        t = slots[slot[0]]
        if t < 0 or same_token(&known[t], sought):
            return t
        slot[0] = (slot[0] + 1) & mask
