"""The features of the links of a page, packed, for geoscout.strategy.hybrid.link_features."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object)
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    void *PyUnicode_DATA(object)
    object PyUnicode_New(Py_ssize_t, Py_UCS4)

cdef extern from "terms.h" nogil:
    enum:
        LONGEST_WORD

    struct c_words "words":
        const uint8_t *text
        size_t length
        size_t position
        char word[40]
        int letters

    uint32_t checksum(const uint8_t *, size_t, uint32_t)
    int next_word(c_words *, int)
    size_t sort_unique(uint32_t *, size_t)
    size_t folder_length(const uint8_t *, size_t)
    void c_raise_words "raise_words"(uint8_t *, size_t, const uint64_t *, size_t)

cdef enum:
    HEAD = 5
    FIELDS = 4  # of cues
    MET_BITS = 17


def raise_words(str text not None, const uint64_t[::1] small not None):
    """An ASCII text with a capital at every word but small ones, which are packed into numbers."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    if not PyUnicode_IS_ASCII(text) or not small.shape[0]:
        raise ValueError("ASCII, and some small words")
    if not length:
        return text
    raised = PyUnicode_New(length, 127)
    memcpy(PyUnicode_DATA(raised), PyUnicode_DATA(text), length)
    c_raise_words(<uint8_t *>PyUnicode_DATA(raised), length, &small[0], small.shape[0])
    return raised


cdef class LinkPacker:
    """Reads words, and packs the features of links; words that are not ASCII it has others read."""

    cdef uint32_t *_numbers
    cdef size_t _count, _room
    cdef uint32_t _met_numbers[1 << MET_BITS]  # of words that were told; a later one replaces one
    cdef list _met
    cdef object _others
    cdef uint32_t _strongest[8]
    cdef uint32_t _cues[FIELDS][8]
    cdef bint _has_lists, _has_parts  # whether they are terms

    def __cinit__(self, list met not None, others, strongest, cues, has_lists, has_parts):
        """`met` takes the terms that were not met, `others(field, text)` gives packed numbers.

        `strongest` and `cues` are the numbers of cues, of all fields together and of each.
        """
        self._met, self._others = met, others
        self._has_lists, self._has_parts = has_lists, has_parts
        for cue in range(8):
            self._strongest[cue] = strongest[cue]
            for field in range(FIELDS):
                self._cues[field][cue] = cues[field][cue]

    def __dealloc__(self):
        free(self._numbers)

    def pack(self, list fields not None, list urls not None, list hosts not None,
             const uint8_t[::1] cues not None, const uint32_t[::1] lists not None,
             const uint32_t[::1] parts not None, page):
        """The features of each link.

        `fields`: a name, the number of what stands before a word, and a text for each link; None in
        place of the texts: the paths of their URLs. `hosts`: the numbers of the words of each
        link's host, packed, and of its switch. `cues` has four for each link, `lists` and `parts`
        the numbers of where it stands. `page`: the numbers of the page and of its site.
        """
        cdef Py_ssize_t n, count = len(urls)
        cdef uint32_t page_number = page[0], site_number = page[1]
        if not count == len(hosts) == lists.shape[0] == parts.shape[0]:
            raise ValueError("a host, a list and a part for each link")
        if cues.shape[0] != FIELDS * count:
            raise ValueError("four cues for each link")
        packed = []
        for n in range(count):
            self._count = 0
            for name, start, texts in fields:
                if texts is None:
                    self._read_path(name, start, urls[n])
                else:
                    self._read(name, start, texts[n])
            self._add_all(hosts[n])
            strongest = self._add_cues(cues, FIELDS * n)
            if self._has_lists:
                self._add(lists[n])
            if self._has_parts:
                self._add(parts[n])
            packed.append(self._packed(urls[n], lists[n], page_number, site_number, strongest))
        return packed

    cdef bytes _packed(
        self, str url, uint32_t list_number, uint32_t page, uint32_t site, uint32_t strongest
    ):
        cdef uint32_t head[HEAD]
        cdef uint32_t spread = list_number * <uint32_t>2654435761
        self._number_url(url, head)
        head[2], head[3], head[4] = spread ^ site, spread ^ page, strongest
        cdef size_t count = sort_unique(self._numbers, self._count)
        packed = PyBytes_FromStringAndSize(NULL, 4 * (HEAD + count))
        memcpy(PyBytes_AS_STRING(packed), head, 4 * HEAD)
        memcpy(PyBytes_AS_STRING(packed) + 4 * HEAD, self._numbers, 4 * count)
        return packed

    cdef int _number_url(self, str url, uint32_t *head) except -1:
        """The numbers of the host with its port, and of the folder."""
        encoded = url.encode("utf-8", "replace")
        cdef const uint8_t *text = <const uint8_t *>PyBytes_AS_STRING(encoded)
        cdef size_t length = PyBytes_GET_SIZE(encoded), start, end
        start = _after_slashes(text, length, 2)
        end = _after_slashes(text, length, 3)
        if end > start and text[end - 1] == c"/":
            end -= 1
        head[0] = checksum(text + start, end - start, 0)
        head[1] = checksum(text, folder_length(text, length), 0)
        return 0

    cdef uint32_t _add_cues(self, const uint8_t[::1] cues, Py_ssize_t first) except? 0:
        cdef uint32_t strongest = 0, cue
        cdef int field
        for field in range(FIELDS):
            cue = cues[first + field]
            if cue >= 8:
                raise ValueError("there is no such cue")
            self._add(self._cues[field][cue])
            if field < FIELDS - 1 and cue > strongest:  # the last is of the text around
                strongest = cue
        self._add(self._strongest[strongest])
        return strongest

    cdef int _read_path(self, str field, uint32_t start, str url) except -1:
        cdef const uint8_t *text
        cdef size_t length = PyUnicode_GET_LENGTH(url), first
        if not PyUnicode_IS_ASCII(url) or "%" in url:
            self._add_all(self._others(field, url))
            return 0
        text = <const uint8_t *>PyUnicode_DATA(url)
        first = _after_slashes(text, length, 3)
        self._read_words(field, start, text + first, length - first, True)
        return 0

    cdef int _read(self, str field, uint32_t start, str text) except -1:
        if PyUnicode_IS_ASCII(text):
            self._read_words(
                field, start, <const uint8_t *>PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text),
                False
            )
        else:
            self._add_all(self._others(field, text))
        return 0

    cdef int _read_words(
        self, str field, uint32_t start, const uint8_t *text, size_t length, bint by_letters
    ) except -1:
        cdef c_words words
        cdef uint32_t number, place
        words.text, words.length, words.position = text, length, 0
        while next_word(&words, by_letters):
            if not words.letters:
                continue
            number = checksum(<const uint8_t *>words.word, words.letters, start)
            self._add(number)
            place = (number ^ number >> 14) & ((1 << MET_BITS) - 1)
            if self._met_numbers[place] != number:
                self._met_numbers[place] = number
                self._met.append(f"{field}:{words.word[:words.letters].decode('ascii')}")
        return 0

    cdef int _add_all(self, bytes packed) except -1:
        cdef size_t n, count = PyBytes_GET_SIZE(packed) // 4
        cdef uint32_t number
        for n in range(count):
            memcpy(&number, PyBytes_AS_STRING(packed) + 4 * n, 4)
            self._add(number)
        return 0

    cdef int _add(self, uint32_t number) except -1:
        cdef uint32_t *larger
        if self._count == self._room:
            larger = <uint32_t *>realloc(self._numbers, 4 * (2 * self._room + 64))
            if larger == NULL:
                raise MemoryError
            self._numbers, self._room = larger, 2 * self._room + 64
        self._numbers[self._count] = number
        self._count += 1
        return 0


cdef size_t _after_slashes(const uint8_t *text, size_t length, int slashes):
    """The position after that many slashes; the length where there are fewer."""
    cdef size_t position = 0
    while position < length and slashes:
        if text[position] == c"/":
            slashes -= 1
        position += 1
    return position
