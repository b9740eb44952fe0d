"""`sight` and `capitalised` of geoscout.gazetteer.automaton, in place in a copy of the text."""

from cpython.unicode cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_New, PyUnicode_READ,
    PyUnicode_Substring, PyUnicode_WRITE,
)
from libc.stdint cimport uint32_t

cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(uint32_t letter) nogil

cdef enum:
    CODES = 0x2100  # below which letters with marks are
    SHOUTED = 3  # capitals in a row


cdef inline bint is_capital(uint32_t letter) noexcept:
    return 65 <= letter <= 90


cdef inline bint is_small(uint32_t letter) noexcept:
    return 97 <= letter <= 122


cdef inline bint may_begin(uint32_t letter) noexcept:
    """Whether a word in capitals may begin or end with a letter."""
    return Py_UNICODE_ISALNUM(letter) and not is_small(letter) and not 48 <= letter <= 57


cdef inline bint is_gap(uint32_t letter) noexcept:
    """Whether a letter may stand between two words that are shouted together."""
    return letter == 32 or letter == 39 or letter == 46


cdef class Sight:
    """How texts are seen: letters without their marks, and words without shouting."""

    cdef uint32_t plain[CODES]
    cdef frozenset small
    cdef Py_ssize_t longest_small
    cdef object quieten_at

    def __cinit__(self, dict plain not None, frozenset small not None, quieten_at):
        """`plain`: what letters are seen as; `small`: words that keep their case.

        `quieten_at` answers for words that are shouted together: it gets the text, where the last
        ones ended and where these begin, and gives their start, and what stands there then.
        """
        cdef int code
        for code in range(CODES):
            self.plain[code] = code
        for letter, seen in plain.items():
            if not 0 <= letter < CODES:
                raise ValueError("a letter is beyond the table")
            self.plain[letter] = seen
        self.small, self.quieten_at = small, quieten_at
        self.longest_small = max(map(len, small), default=0)

    cdef inline uint32_t seen(self, uint32_t letter) noexcept:
        if letter < CODES:
            return self.plain[letter]
        return 63 if 0xd800 <= letter <= 0xdfff else letter

    def see(self, str text not None):
        """`automaton.sight`."""
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), index
        cdef int kind = PyUnicode_KIND(text), copy_kind, capitals = 0
        cdef void *data = PyUnicode_DATA(text)
        cdef void *copy
        cdef uint32_t letter, seen, most = 0
        cdef bint is_changed = False, is_shouted = False
        for index in range(length):
            letter = PyUnicode_READ(kind, data, index)
            seen = self.seen(letter)
            is_changed = is_changed or seen != letter
            most = seen if seen > most else most
            capitals = capitals + 1 if is_capital(seen) else 0
            is_shouted = is_shouted or capitals == SHOUTED
        if not is_changed and not is_shouted:
            return text
        view = PyUnicode_New(length, most)
        copy_kind, copy = PyUnicode_KIND(view), PyUnicode_DATA(view)
        for index in range(length):
            PyUnicode_WRITE(copy_kind, copy, index, self.seen(PyUnicode_READ(kind, data, index)))
        if is_shouted:
            self.quieten(view)
        return view

    cdef int quieten(self, str view) except -1:
        """Takes away shouting in a string that nobody else has."""
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(view), done = 0, at = 0, end
        cdef int kind = PyUnicode_KIND(view)
        cdef void *data = PyUnicode_DATA(view)
        while at < length:
            if not is_capital(PyUnicode_READ(kind, data, at)):
                at += 1
                continue
            end = at + 1
            while end < length and is_capital(PyUnicode_READ(kind, data, end)):
                end += 1
            if end - at >= SHOUTED:
                if has_company(kind, data, at, end, length):
                    end = self.quieten_together(view, done, at)
                else:
                    for at in range(at + 1, end):
                        PyUnicode_WRITE(kind, data, at, <uint32_t>PyUnicode_READ(kind, data, at) + 32)
                done = end
            at = end
        return 0

    cdef Py_ssize_t quieten_together(self, str view, Py_ssize_t done, Py_ssize_t at) except -1:
        """Words that are shouted together, up to their end."""
        cdef Py_ssize_t start, length = PyUnicode_GET_LENGTH(view), index
        cdef str words
        start, words = self.quieten_at(view, done, at)
        if not done <= start <= at or start + len(words) > length or start + len(words) <= at:
            raise ValueError("what is said quietly stands elsewhere")
        for index in range(len(words)):
            if <uint32_t>words[index] > 127:
                raise ValueError("what is said quietly has other letters")
            PyUnicode_WRITE(PyUnicode_KIND(view), PyUnicode_DATA(view), start + index, words[index])
        return start + len(words)

    def capitals(self, str view not None):
        """`automaton.capitalised`."""
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(view), index
        cdef int kind = PyUnicode_KIND(view), copy_kind
        cdef void *data = PyUnicode_DATA(view)
        cdef void *copy
        cdef uint32_t letter, most = 0
        cdef bint is_inside = False
        for index in range(length):
            letter = PyUnicode_READ(kind, data, index)
            most = letter if letter > most else most
        raised = PyUnicode_New(length, most)
        copy_kind, copy = PyUnicode_KIND(raised), PyUnicode_DATA(raised)
        for index in range(length):
            letter = PyUnicode_READ(kind, data, index)
            if not is_inside and is_small(letter) and not self.is_small_word(view, kind, data, index):
                letter -= 32
            PyUnicode_WRITE(copy_kind, copy, index, letter)
            is_inside = is_small(letter) or is_capital(letter) or Py_UNICODE_ISALNUM(letter)
        return raised

    cdef bint is_small_word(self, str view, int kind, void *data, Py_ssize_t start) except -1:
        """Whether the word that begins here keeps its case."""
        cdef Py_ssize_t end = start, length = PyUnicode_GET_LENGTH(view)
        cdef uint32_t letter
        while end < length and end - start <= self.longest_small:
            letter = PyUnicode_READ(kind, data, end)
            if letter != 95 and not Py_UNICODE_ISALNUM(letter):
                break
            end += 1
        if end - start > self.longest_small:
            return False
        return PyUnicode_Substring(view, start, end) in self.small


cdef bint has_company(int kind, void *data, Py_ssize_t start, Py_ssize_t end, Py_ssize_t length) noexcept:
    """Whether words before or behind may be shouted together with this one."""
    cdef uint32_t letter
    if start >= 2 and PyUnicode_READ(kind, data, start - 1) == 32:
        letter = PyUnicode_READ(kind, data, start - 2)
        if letter == 46 or may_begin(letter):
            return True
    if end + 1 >= length or not is_gap(PyUnicode_READ(kind, data, end)):
        return False
    letter = PyUnicode_READ(kind, data, end + 1)
    if is_gap(letter):
        if end + 2 >= length:
            return False
        letter = PyUnicode_READ(kind, data, end + 2)
        return is_gap(letter) or may_begin(letter)
    return may_begin(letter)
