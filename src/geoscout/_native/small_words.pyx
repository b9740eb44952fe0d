"""The counting of small words of geoscout.language.guess."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc, free

cdef extern from "small_words.h" nogil:
    ctypedef struct Text "small_text":
        const void *data
        Py_ssize_t length
        int kind

    ctypedef struct Table "small_words":
        uint32_t words, mask
        uint32_t *letters
        uint32_t *ends
        uint32_t *hashes
        uint32_t *slots
        uint32_t *counts
        uint32_t *seen
        uint32_t found

    void small_prepare(Table *table)
    void small_count(Table *table, const Text *text, Py_ssize_t start, Py_ssize_t end)
    void small_forget(Table *table)


cdef class SmallWords:
    """Words of some languages, and the share that each has for its languages.

    A scan takes microseconds and holds the GIL: its counts are kept in the table.
    """

    cdef Table table
    cdef list points_before
    cdef uint32_t *first_shares  # by word, and where the last ones end
    cdef int *share_languages
    cdef double *shares

    def __cinit__(self, dict words not None, list points_before not None):
        """`words`: by word, pairs of the number of a language and the share for it.

        `points_before` are what each language has before a word is counted.
        """
        cdef uint32_t count = len(words), slots = 8, letter = 0, share = 0, number = 0
        cdef Table *table = &self.table
        while slots < 4 * count:
            slots *= 2
        table.words, table.mask, self.points_before = count, slots - 1, points_before
        table.letters = <uint32_t *>calloc(sum(map(len, words)) + 1, sizeof(uint32_t))
        table.ends = <uint32_t *>calloc(count + 1, sizeof(uint32_t))
        table.hashes = <uint32_t *>calloc(count + 1, sizeof(uint32_t))
        table.slots = <uint32_t *>calloc(slots, sizeof(uint32_t))
        table.counts = <uint32_t *>calloc(count + 1, sizeof(uint32_t))
        table.seen = <uint32_t *>calloc(count + 1, sizeof(uint32_t))
        self.first_shares = <uint32_t *>calloc(count + 1, sizeof(uint32_t))
        share_count = sum(map(len, words.values())) + 1
        self.share_languages = <int *>calloc(share_count, sizeof(int))
        self.shares = <double *>calloc(share_count, sizeof(double))
        if not (
            table.letters and table.ends and table.hashes and table.slots and table.counts
            and table.seen and self.first_shares and self.share_languages and self.shares
        ):
            raise MemoryError
        for word, own in words.items():
            for character in word:
                table.letters[letter] = ord(character)
                letter += 1
            for language, part in own:
                if not 0 <= language < len(points_before):
                    raise ValueError("a word of an unknown language")
                self.share_languages[share], self.shares[share] = language, part
                share += 1
            table.ends[number] = letter
            number += 1
            self.first_shares[number] = share
        small_prepare(table)

    def __dealloc__(self):
        free(self.table.letters)
        free(self.table.ends)
        free(self.table.hashes)
        free(self.table.slots)
        free(self.table.counts)
        free(self.table.seen)
        free(self.first_shares)
        free(self.share_languages)
        free(self.shares)

    def points(self, str text not None, ranges):
        """How much speaks for each language in some ranges of a text: `guess._points`."""
        cdef list found = self.points_before.copy()
        cdef double points
        cdef uint32_t place, share, word
        small_forget(&self.table)  # where a range before was refused
        for start, end in ranges:
            self.count(text, start, end)
        for place in range(self.table.found):
            word = self.table.seen[place]
            for share in range(self.first_shares[word], self.first_shares[word + 1]):
                points = found[self.share_languages[share]]
                found[self.share_languages[share]] = points + self.table.counts[word] * self.shares[share]
        small_forget(&self.table)
        return found

    def own_words(self, str text not None, Py_ssize_t start, Py_ssize_t end, int language, double least):
        """How many different words of a range have at least that share for a language."""
        cdef uint32_t place, share, word
        cdef int found = 0
        small_forget(&self.table)
        self.count(text, start, end)
        for place in range(self.table.found):
            word = self.table.seen[place]
            for share in range(self.first_shares[word], self.first_shares[word + 1]):
                if self.share_languages[share] == language and self.shares[share] >= least:
                    found += 1
                    break
        small_forget(&self.table)
        return found

    cdef int count(self, str string, Py_ssize_t start, Py_ssize_t end) except -1:
        cdef Text text
        text.kind, text.data = PyUnicode_KIND(string), PyUnicode_DATA(string)
        text.length = PyUnicode_GET_LENGTH(string)
        if not 0 <= start <= end <= text.length:
            raise ValueError("a range lies outside its text")
        small_count(&self.table, &text, start, end)
        return 0
