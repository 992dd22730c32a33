# cython: language_level=3, cdivision=True
"""Memory with an owner: what is allocated from a Memory is freed with it, all at once.

Every object that holds memory holds one Memory, and its __dealloc__ releases that: no other code frees anything.
"""
from libc.stdlib cimport free, realloc


cdef struct Header:
    # In front of every allocation: its neighbours in the list of its owner.
    Header *before
    Header *after


cdef struct Memory:
    # All zero is an empty one.
    Header *last
    bint failed                # there was no memory for an allocation


cdef inline void *resized(Memory *memory, void *old, size_t size) noexcept nogil:
    """Return an allocation of another size with the old content, which moves; a new one if `old` is NULL.

    Return NULL without memory: the old one stays where it is, and is still owned.
    """
    cdef Header *before = NULL
    cdef Header *header
    if old != NULL:
        before = <Header *>old - 1
    header = <Header *>realloc(before, size + sizeof(Header))
    if header == NULL:
        memory.failed = True
        return NULL
    if old == NULL:
        header.before = memory.last
        header.after = NULL
    if header.before != NULL:
        header.before.after = header
    if header.after != NULL:
        header.after.before = header
    else:
        memory.last = header
    return header + 1


cdef inline void drop(Memory *memory, void *old) noexcept nogil:
    """Free one allocation before the rest; NULL is none."""
    cdef Header *header
    if old == NULL:
        return
    header = <Header *>old - 1
    if header.before != NULL:
        header.before.after = header.after
    if header.after != NULL:
        header.after.before = header.before
    else:
        memory.last = header.before
    free(header)


cdef inline void *renewed(Memory *memory, void *old, size_t size) noexcept nogil:
    """Return an allocation in place of one whose content is not needed any more; NULL without memory."""
    drop(memory, old)
    return resized(memory, NULL, size)


cdef inline void *grown(Memory *memory, void *old, size_t size) except NULL:
    """Do as `resized` does, and raise MemoryError without memory."""
    cdef void *new = resized(memory, old, size)
    if new == NULL:
        raise MemoryError()
    return new


cdef inline void release(Memory *memory) noexcept nogil:
    """Free all that is owned; pointers to it end here."""
    cdef Header *header
    while memory.last != NULL:
        header = memory.last
        memory.last = header.before
        free(header)
