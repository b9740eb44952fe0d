"""The simhash of geoscout.parse.likeness."""

from libc.stdint cimport uint8_t, uint64_t

cdef extern from "likeness.h" nogil:
    int c_simhash "simhash"(const uint8_t *data, size_t length, uint64_t *result)


def simhash(const uint8_t[::1] data not None):
    """64 bits that differ in few places where texts differ in few words."""
    cdef uint64_t result = 0
    cdef int failure
    if data.shape[0] < 8:
        raise ValueError("a text of fewer than eight bytes has no runs")
    with nogil:
        failure = c_simhash(&data[0], data.shape[0], &result)
    if failure:
        raise MemoryError
    return result
