"""Reads lexbor's tree of a page: see geoscout.parse.compiled."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uintptr_t
from libc.string cimport memcmp, memcpy, memset

cdef extern from "walk.h":
    struct slice:
        const uint8_t *data
        size_t length
    struct buffer:
        uint8_t *data
        size_t length
        int failed
    struct lexbor:
        pass
    ctypedef int (*ask_function)(void *, int, size_t, const slice *) noexcept
    struct elements:
        size_t count
        const uint8_t *actions
        const uint8_t *traits
        slice *names
        const uint8_t *inside
        size_t scopes
        const uint8_t *part_marks
        uint8_t is_apart[1024]
        uintptr_t dialog
        size_t most_links, deepest_path, longest_name
    struct link_note:
        slice reference, title, rel
        size_t path, path_length, unseen, unseen_length, alternative, alternative_length
        size_t start, end
        ptrdiff_t first_block, last_block
        uint8_t scope, is_refresh
    struct text_block:
        size_t start, end
        ptrdiff_t linked
        uint8_t part
    struct head_pair:
        slice first, second
    struct page_walk:
        const lexbor *lexbor
        const elements *elements
        ask_function ask
        void *who
        int failed
        uint8_t items
        buffer tape, text, paths, unseen, alternatives, title, scratch, notes, blocks, metas
        buffer canonicals
        slice base
    void walk_tree(page_walk *walk, void *root)
    void read_tape(page_walk *walk)
    void append_before(page_walk *walk, const link_note *note, buffer *words)
    void append_after(page_walk *walk, const link_note *note, buffer *words)
    void free_walk(page_walk *walk)
    size_t note_count(const page_walk *walk)
    link_note *note_at(page_walk *walk, size_t index)
    size_t block_count(const page_walk *walk)
    text_block *block_at(page_walk *walk, size_t index)
    slice stripped(slice text)

cdef extern from *:
    """
    #define LEXBOR_FUNCTIONS (sizeof(struct lexbor) / sizeof(void *))
    """
    size_t LEXBOR_FUNCTIONS

cdef Py_ssize_t _MOST_ANSWERS = 8192
cdef size_t _LONGEST_QUESTION = 2000


cdef str _text(const uint8_t *data, size_t length):
    if length == 0:
        return ""
    return PyUnicode_DecodeUTF8(<const char *>data, length, "replace")


cdef str _of(slice one):
    return _text(one.data, one.length)


cdef int _ask(void *who, int question, size_t tag, const slice *about) noexcept:
    return (<TreeReader>who).answer(question, tag, about)


cdef class TreeReader:
    """Reads trees with the same tables and the same memory of answers."""

    cdef lexbor _lexbor
    cdef elements _elements
    cdef object _answer, _error
    cdef dict _answers
    cdef tuple _kept  # what the tables point into

    def __init__(
        self, functions, *, bytes actions, bytes traits, list names, bytes inside,
        bytes part_marks, apart, dialog, answer, most_links, deepest_path, longest_name,
    ):
        """`functions`: the addresses of lexbor's, in the order of `struct lexbor`."""
        cdef uintptr_t addresses[32]
        cdef size_t i
        cdef bytes name
        cdef tuple kept = tuple(names)
        if len(functions) != LEXBOR_FUNCTIONS or LEXBOR_FUNCTIONS > 32 or not all(functions):
            raise ValueError("one address for each function of lexbor")
        if not len(actions) == len(traits) == len(names):
            raise ValueError("tables of different lengths")
        if len(part_marks) ** 2 != len(inside) or max(inside) >= len(part_marks):
            raise ValueError("tables of scopes that do not fit")
        for i in range(LEXBOR_FUNCTIONS):
            addresses[i] = functions[i]
        memcpy(&self._lexbor, addresses, sizeof(lexbor))
        self._kept = (actions, traits, kept, inside, part_marks)
        self._answer, self._error, self._answers = answer, None, {}
        self._elements.count = len(actions)
        self._elements.actions = actions
        self._elements.traits = traits
        self._elements.inside = inside
        self._elements.scopes = len(part_marks)
        self._elements.part_marks = part_marks
        self._elements.dialog = dialog
        self._elements.most_links = most_links
        self._elements.deepest_path = deepest_path
        self._elements.longest_name = longest_name
        for tag in apart:
            if not 0 <= tag < 1024:
                raise ValueError("an element with too high a number")
            self._elements.is_apart[tag] = 1
        self._elements.names = <slice *>PyMem_Calloc(len(names) or 1, sizeof(slice))
        if self._elements.names == NULL:
            raise MemoryError
        for i in range(self._elements.count):
            name = kept[i]
            self._elements.names[i].data = name
            self._elements.names[i].length = len(name)

    def __dealloc__(self):
        PyMem_Free(self._elements.names)

    cdef int answer(self, int question, size_t tag, const slice *about):
        """What Python says, remembered; -1 when it raises."""
        cdef size_t length = about[0].length + about[1].length + about[2].length
        try:
            key = (question, tag, about[0].data[:about[0].length], about[1].data[:about[1].length],
                   about[2].data[:about[2].length])
            known = self._answers.get(key)
            if known is None:
                known = self._answer(question, tag, _of(about[0]), _of(about[1]), _of(about[2]))
                if len(self._answers) >= _MOST_ANSWERS:
                    self._answers.clear()
                if length <= _LONGEST_QUESTION:
                    self._answers[key] = known
            return known
        except BaseException as error:
            self._error = error
            return -1

    def read(self, uintptr_t root):
        """Text, blocks, links and head of the tree below a node, which must stay alive meanwhile.

        Gives the text; the starts, ends, parts and numbers of linked characters of its blocks; the
        links, each as (reference, anchor, title, rel, alternative, before, after, path, part,
        block, whether it is a refresh); and what the head says.
        """
        cdef page_walk walk
        if root == 0:
            raise ValueError("no tree")
        memset(&walk, 0, sizeof(walk))
        walk.lexbor, walk.elements = &self._lexbor, &self._elements
        walk.ask, walk.who = &_ask, <void *>self
        try:
            walk_tree(&walk, <void *>root)
            if not walk.failed:
                read_tape(&walk)
            if walk.failed:
                error, self._error = self._error, None
                raise error or MemoryError()
            return (
                _text(walk.text.data, walk.text.length), _blocks(&walk), _links(&walk),
                _text(walk.title.data, walk.title.length), _pairs(&walk.metas),
                _pairs(&walk.canonicals), _of(walk.base),
                walk.items,
            )
        finally:
            free_walk(&walk)


cdef list _pairs(buffer *of):
    cdef head_pair *pairs = <head_pair *>of.data
    return [
        (_of(pairs[i].first), _of(pairs[i].second)) for i in range(of.length // sizeof(head_pair))
    ]


cdef list _blocks(page_walk *walk):
    cdef list found = []
    cdef text_block *block
    for i in range(block_count(walk)):
        block = block_at(walk, i)
        found.append((block.start, block.end, block.part, block.linked))
    return found


cdef str _anchor(page_walk *walk, link_note *note):
    """What a reader sees of a link, in one line; the text that is hidden where that is nothing."""
    cdef slice inner
    cdef size_t length = walk.text.length
    if note.end <= note.start or note.start >= length:
        return ""
    inner.data = walk.text.data + note.start
    inner.length = (note.end if note.end < length else length) - note.start
    return _of(stripped(inner)).replace("\n", " ")


cdef list _links(page_walk *walk):
    cdef list found = []
    cdef link_note *note
    cdef buffer *words = &walk.scratch
    cdef size_t before
    cdef str path = ""
    cdef size_t last_path = 0, last_length = 0
    cdef object anchor
    for i in range(note_count(walk)):
        note = note_at(walk, i)
        words.length = 0
        append_before(walk, note, words)
        before = words.length
        append_after(walk, note, words)
        if words.failed:
            raise MemoryError
        if note.path != last_path or note.path_length != last_length:
            last_path, last_length = note.path, note.path_length
            path = _text(walk.paths.data + last_path, last_length)
        anchor = _anchor(walk, note)
        if not anchor and note.unseen_length:
            anchor = " ".join(
                _text(walk.unseen.data + note.unseen, note.unseen_length).split()
            )
        found.append((
            _of(note.reference), anchor, _of(note.title), _of(note.rel),
            _text(walk.alternatives.data + note.alternative, note.alternative_length),
            _text(words.data, before), _text(words.data + before, words.length - before),
            path, note.scope >> 1, note.first_block, note.is_refresh,
        ))
    return found
