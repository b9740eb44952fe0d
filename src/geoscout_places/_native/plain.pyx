"""Tells pages that lexbor can be given as they are: see geoscout_places.parse.html."""

from libc.stdint cimport uint8_t

cdef extern from "plain.h" nogil:
    struct page_limits:
        size_t most_bytes, most_tags, most_roots, most_tag_bytes, most_reopened
    int plainness_of(
        const uint8_t *page, size_t length, const page_limits *allowed, size_t *tags)


def plainness(
    bytes page not None, *,
    size_t most_bytes, size_t most_tags, size_t most_roots, size_t most_tag_bytes,
    size_t most_reopened,
):
    """The kind of a page, and how many "<" it has where it is plain.

    0: not plain; 1: ASCII; 2: UTF-8; 3: UTF-8 that is not so by chance.
    """
    cdef page_limits allowed
    cdef const uint8_t *start = page
    cdef size_t length = len(page), tags = 0
    cdef int kind
    allowed.most_bytes = most_bytes
    allowed.most_tags = most_tags
    allowed.most_roots = most_roots
    allowed.most_tag_bytes = most_tag_bytes
    allowed.most_reopened = most_reopened
    with nogil:
        kind = plainness_of(start, length, &allowed, &tags)
    return kind, tags
