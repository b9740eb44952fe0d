"""Finds names in texts by a trie that is mapped from a file: `automaton`, without its memory."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND

from libc.stdint cimport uint16_t, uint32_t
from libc.string cimport memset

cdef extern from "trie.h":
    ctypedef struct Text "trie_text":
        const void *data
        Py_ssize_t length
        int kind

    ctypedef struct Nodes "trie_nodes":
        const uint16_t *symbols
        Py_ssize_t codes
        const uint16_t *labels
        const uint32_t *first
        const uint32_t *values
        Py_ssize_t nodes

    ctypedef struct Hit "trie_hit":
        Py_ssize_t start, end
        uint32_t number

    void trie_prepare(Nodes *nodes)
    bint trie_next(const Nodes *nodes, const Text *text, Py_ssize_t position, Hit *hit)


cdef inline Text text_of(str string):
    """The characters of a string, which must outlive them."""
    cdef Text text
    text.kind = PyUnicode_KIND(string)
    text.data = PyUnicode_DATA(string)
    text.length = PyUnicode_GET_LENGTH(string)
    return text


cdef class NameTrie:
    """All names of the gazetteer, in the arrays that geoscout_places.gazetteer.build.trie lays out."""

    cdef Nodes nodes
    cdef const uint16_t[::1] symbols, labels
    cdef const uint32_t[::1] first, values

    def __cinit__(
        self,
        const uint16_t[::1] symbols not None,
        const uint16_t[::1] labels not None,
        const uint32_t[::1] values not None,
        const uint32_t[::1] first not None,
    ):
        if not labels.shape[0] or not symbols.shape[0]:
            raise ValueError("a trie has a root and letters")
        if values.shape[0] != labels.shape[0] or first.shape[0] != labels.shape[0] + 1:
            raise ValueError("the parts of the trie do not fit together")
        memset(&self.nodes, 0, sizeof(Nodes))
        self.symbols, self.labels, self.first, self.values = symbols, labels, first, values
        self.nodes.symbols, self.nodes.codes = &symbols[0], symbols.shape[0]
        self.nodes.labels, self.nodes.nodes = &labels[0], labels.shape[0]
        self.nodes.first, self.nodes.values = &first[0], &values[0]
        trie_prepare(&self.nodes)

    def find(self, str view not None):
        """Start, end and number of each name, from left to right, the longest first."""
        cdef Text text = text_of(view)
        cdef Hit hit
        cdef list found = []
        hit.end = 0
        while trie_next(&self.nodes, &text, hit.end, &hit):
            found.append((hit.start, hit.end, hit.number))
        return found
