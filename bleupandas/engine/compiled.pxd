# cython: language_level=3
"""What other extension modules need of a block: its rows, and memory to go through them."""
from libc.stdint cimport uint8_t

from bleupandas.engine.kernel.memory cimport Memory
from bleupandas.engine.kernel.rows cimport Rows
from bleupandas.engine.kernel.work cimport Work


cdef class Block:
    cdef Rows rows
    cdef Memory memory
    cdef list columns          # own the tokens
    cdef readonly object faults
    cdef readonly Py_ssize_t stop
    cdef const uint8_t[::1] status


cdef class Workspace:
    cdef Work work
