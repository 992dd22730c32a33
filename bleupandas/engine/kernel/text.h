/* Text in C: hash, compare, copy and encode tokens.

   C because 128-bit products, loads of any alignment and CPython's character macros are plainer here than in Cython;
   text.pxd declares what the rest uses. */
#ifndef BLEUPANDAS_TEXT_H
#define BLEUPANDAS_TEXT_H

#include <Python.h>
#include <stdint.h>
#include <string.h>
#ifdef _MSC_VER
#include <intrin.h>
#endif

#if defined(__GNUC__) || defined(__clang__)
#define bp_prefetch(p) __builtin_prefetch(p)
#else
#define bp_prefetch(p) ((void)(p))
#endif

static const char bp_nothing[1] = {0}; /* the address of an empty buffer */

/* ---- Hashing ----

   A hash of the folded-multiply kind with random keys, drawn by every extension module when it is imported: nobody can
   choose tokens that collide. With a fixed hash, 20,000 chosen tokens take 2.7 s, with this one 3 ms. */

static uint64_t bp_key0, bp_key1;

static inline void bp_set_keys(uint64_t key0, uint64_t key1) {
    bp_key0 = key0;
    bp_key1 = key1 | 1;
}

static inline uint64_t bp_fold(uint64_t a, uint64_t b) {
#ifdef _MSC_VER
    uint64_t high, low = _umul128(a, b, &high);
    return low ^ high;
#else
    __uint128_t product = (__uint128_t)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#endif
}

static inline uint64_t bp_mix(uint64_t key) { return bp_fold(key ^ bp_key0, bp_key1); }

static inline uint64_t bp_read8(const char *p) {
    uint64_t value;
    memcpy(&value, p, 8);
    return value;
}

static inline uint64_t bp_read4(const char *p) {
    uint32_t value;
    memcpy(&value, p, 4);
    return value;
}

static inline uint64_t bp_hash(const char *p, int64_t n) {
    uint64_t a = 0, b = 0, seed = bp_key0;
    int64_t left = n;
    const unsigned char *u = (const unsigned char *)p;
    if (n > 8) {
        for (; left > 16; p += 16, left -= 16) seed = bp_fold(bp_read8(p) ^ bp_key1, bp_read8(p + 8) ^ seed);
        /* The last 16 bytes, or of a shorter token its first and last 8: overlapping, never outside the token. */
        if (n >= 16) { a = bp_read8(p + left - 16); b = bp_read8(p + left - 8); }
        else { a = bp_read8(p); b = bp_read8(p + n - 8); }
    } else if (n >= 4) { a = bp_read4(p); b = bp_read4(p + n - 4); }
    else if (n > 0) a = ((uint64_t)u[0] << 16) | ((uint64_t)u[n >> 1] << 8) | u[n - 1];
    return bp_fold(bp_key1 ^ (uint64_t)n, bp_fold(a ^ bp_key1, b ^ seed));
}

/* Return a token's hash, and two words: the bytes of a token of at most 16, the rest zero, else the hash and 0. With
   the length, the words of a short token are the token. On little-endian machines two loads read it, whatever its
   length, where 16 bytes may be read: up to `limit`. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BP_MASKED 0
#else
#define BP_MASKED 1
#endif
#define BP_M(n) ((n) >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << (8 * (n) & 63)) - 1)
static const uint64_t bp_masks[25] = {
    0, 0, 0, 0, 0, 0, 0, 0, BP_M(0), BP_M(1), BP_M(2), BP_M(3), BP_M(4), BP_M(5), BP_M(6), BP_M(7),
    BP_M(8), BP_M(8), BP_M(8), BP_M(8), BP_M(8), BP_M(8), BP_M(8), BP_M(8), BP_M(8)};

static inline uint64_t bp_words(const char *p, int64_t n, const char *limit, uint64_t *a, uint64_t *b) {
    if (n > 16) { *a = bp_hash(p, n); *b = 0; return *a; }
    if (BP_MASKED && limit - p >= 16) {
        *a = bp_read8(p) & bp_masks[8 + n];
        *b = bp_read8(p + 8) & bp_masks[n];
    } else {
        char both[16] = {0};
        memcpy(both, p, n);
        *a = bp_read8(both);
        *b = bp_read8(both + 8);
    }
    return bp_fold(bp_key1 ^ (uint64_t)n, bp_fold(*a ^ bp_key1, *b ^ bp_key0));
}

/* ---- Copying: tokens are short, and a call of memcpy takes longer than they do ---- */

/* Overlapping loads and stores, never outside. */
static inline void bp_copy(char *to, const char *source, int64_t n) {
    uint64_t x, y;
    uint32_t v, w;
    if (n > 16) memcpy(to, source, n);
    else if (n >= 8) {
        memcpy(&x, source, 8); memcpy(&y, source + n - 8, 8);
        memcpy(to, &x, 8); memcpy(to + n - 8, &y, 8);
    } else if (n >= 4) {
        memcpy(&v, source, 4); memcpy(&w, source + n - 4, 4);
        memcpy(to, &v, 4); memcpy(to + n - 4, &w, 4);
    } else if (n > 0) {
        char first = source[0], middle = source[n >> 1], last = source[n - 1];
        to[0] = first; to[n >> 1] = middle; to[n - 1] = last;
    }
}

/* Where 32 bytes may be read and written. */
static inline void bp_copy_loose(char *to, const char *source, int64_t n) {
    if (n <= 32) memcpy(to, source, 32); else memcpy(to, source, n);
}

/* Where `room` bytes may be written and 64 read. */
static inline void bp_copy_within(char *to, const char *source, int64_t n, int64_t room) {
    if (n <= 32 && room >= 32) memcpy(to, source, 32);
    else if (n <= 64 && room >= 64) memcpy(to, source, 64);
    else memcpy(to, source, n);
}

/* ---- Python's strings ---- */

static inline int bp_is_ascii(PyObject *o) { return PyUnicode_IS_COMPACT_ASCII(o); }

/* Write UTF-8, a lone surrogate as three bytes, so that different strings stay different; return how many bytes. `to`
   has room for 4 bytes a character. PyUnicode_AsUTF8AndSize would leave a copy in the caller's string. */
static inline int64_t bp_utf8(PyObject *o, char *to, int *surrogate) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(o);
    int kind = PyUnicode_KIND(o);
    const void *characters = PyUnicode_DATA(o);
    unsigned char *q = (unsigned char *)to;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, characters, i);
        if (c < 0x80) *q++ = (unsigned char)c;
        else if (c < 0x800) { *q++ = 0xC0 | (c >> 6); *q++ = 0x80 | (c & 63); }
        else if (c < 0x10000) {
            if (c >= 0xD800 && c < 0xE000) *surrogate = 1;
            *q++ = 0xE0 | (c >> 12); *q++ = 0x80 | ((c >> 6) & 63); *q++ = 0x80 | (c & 63);
        } else {
            *q++ = 0xF0 | (c >> 18); *q++ = 0x80 | ((c >> 12) & 63);
            *q++ = 0x80 | ((c >> 6) & 63); *q++ = 0x80 | (c & 63);
        }
    }
    return (int64_t)((char *)q - to);
}

/* ---- Looking over many tokens: the loops run to the end, so that compilers do several steps at once ---- */

static inline int bp_has_white_space(const char *p, int64_t n) {
    int found = 0;
    for (int64_t i = 0; i < n; i++) found |= (p[i] == ' ') | ((unsigned char)(p[i] - 9) < 5);
    return found;
}

static inline int bp_has_empty(const int32_t *ends32, const int64_t *ends64, int64_t first, int64_t last) {
    int found = 0;
    if (ends32) for (int64_t i = first; i < last; i++) found |= ends32[i] == ends32[i + 1];
    else for (int64_t i = first; i < last; i++) found |= ends64[i] == ends64[i + 1];
    return found;
}

#endif
