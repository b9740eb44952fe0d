"""Reads lexbor's tree of a page: see geoscout_places.parse.compiled."""

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
    struct kept:
        size_t start, length
    struct link_note:
        kept reference, title, rel
        size_t path, path_length, unseen, unseen_length, alternative, alternative_length
        size_t start, end
        ptrdiff_t first_block, last_block
        uint8_t scope, is_refresh
    struct text_block:
        size_t start, end
        ptrdiff_t linked
        uint8_t part
    struct head_pair:
        kept first, second
    struct page_walk:
        const lexbor *lexbor
        const elements *elements
        ask_function ask
        void *who
        int failed
        uint8_t items
        buffer tape, text, paths, unseen, alternatives, title, scratch, notes, blocks, metas
        buffer canonicals, marked
        buffer kept_texts "kept"
        kept base
    struct menus:
        double dense_share, index_share
        size_t long_block, shortest_run
        uint8_t main, navigation
    int HAS_MICRODATA, HAS_RDFA, HAS_MAP
    int ABSOLUTE, AT_ROOT, IN_DIRECTORY
    void walk_tree(page_walk *walk, void *root)
    void read_tape(page_walk *walk)
    void mark_menus(page_walk *walk, const menus *menus)
    int place_of_reference(slice reference)
    void append_before(page_walk *walk, const link_note *note, buffer *words)
    void append_after(page_walk *walk, const link_note *note, buffer *words)
    void free_walk(page_walk *walk)
    size_t note_count(const page_walk *walk)
    link_note *note_at(page_walk *walk, size_t index)
    size_t block_count(const page_walk *walk)
    text_block *block_at(page_walk *walk, size_t index)
    slice stripped(slice text)
    size_t count_characters(const uint8_t *data, size_t length)

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
    cdef menus _menus
    cdef object _answer, _target, _error, _block, _link
    cdef tuple _parts
    cdef dict _answers
    cdef tuple _kept  # what the tables point into

    def __init__(
        self, functions, *, bytes actions, bytes traits, list names, bytes inside,
        bytes part_marks, apart, dialog, answer, target, most_links, deepest_path, longest_name,
        block, link, tuple parts, menus,
    ):
        """`functions`: the addresses of lexbor's, in the order of `struct lexbor`.

        `block` and `link` make the records that are given out, `parts` are those of pages by
        their numbers, and `menus` the values of `struct menus`.
        """
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
        if len(part_marks) != 2 * len(parts):
            raise ValueError("two scopes for each part")
        self._block, self._link, self._parts, self._menus = block, link, parts, menus
        for i in range(LEXBOR_FUNCTIONS):
            addresses[i] = functions[i]
        memcpy(&self._lexbor, addresses, sizeof(lexbor))
        self._kept = (actions, traits, kept, inside, part_marks)
        self._answer, self._target, self._error, self._answers = answer, target, None, {}
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

    def begin(self):
        """A page, whose trees are to be added."""
        cdef PageReader page = PageReader.__new__(PageReader)
        page._reader = self
        page._walk.lexbor, page._walk.elements = &self._lexbor, &self._elements
        page._walk.ask, page._walk.who = &_ask, <void *>self
        return page

    cdef raise_failure(self):
        error, self._error = self._error, None
        raise error or MemoryError()


cdef class PageReader:
    """Reads the trees of one page; `TreeReader.begin` makes it."""

    cdef TreeReader _reader
    cdef page_walk _walk

    def __cinit__(self):
        memset(&self._walk, 0, sizeof(self._walk))

    def __dealloc__(self):
        free_walk(&self._walk)

    def add(self, uintptr_t root):
        """Read the tree below a node, which must stay alive meanwhile.

        Gives the kinds of structured data that there may be, the names and contents of its meta
        elements, the references of its links if one may lead to a map, and the addresses of the
        elements with attributes of microdata and RDFa if there are such data.
        """
        cdef size_t notes = note_count(&self._walk), metas = self._walk.metas.length
        cdef list references = []
        if root == 0 or self._reader is None:
            raise ValueError("no tree")
        self._walk.items = 0
        self._walk.marked.length = 0
        walk_tree(&self._walk, <void *>root)
        if self._walk.failed:
            self._reader.raise_failure()
        if self._walk.items & HAS_MAP:
            references = [
                self._reference(note_at(&self._walk, i))
                for i in range(notes, note_count(&self._walk))
            ]
        return (
            self._walk.items, _pairs(&self._walk, &self._walk.metas, metas), references,
            self._marked(),
        )

    cdef frozenset _marked(self):
        cdef uintptr_t *nodes = <uintptr_t *>self._walk.marked.data
        if not self._walk.items & (HAS_MICRODATA | HAS_RDFA):
            return frozenset()
        return frozenset([nodes[i] for i in range(self._walk.marked.length // sizeof(void *))])

    def base(self):
        """The base of references that the page names; "" for none."""
        return _kept(&self._walk, self._walk.base)

    cdef str _reference(self, link_note *note):
        text = _kept(&self._walk, note.reference)
        return self._reader._target(text) if note.is_refresh else text

    def finish(self, resolve, str host_start, str directory):
        """What the trees say together: text, blocks, links, title, and canonical links with rel.

        `resolve` makes a URL of a reference, "" when it leads nowhere. `host_start` and
        `directory` stand before references that begin at the root and in the directory. Where
        `host_start` is "", all references but absolute ones go to `resolve`.
        """
        cdef page_walk *walk = &self._walk
        read_tape(walk)
        if walk.failed:
            self._reader.raise_failure()
        mark_menus(walk, &self._reader._menus)
        return (
            _text(walk.text.data, walk.text.length), self._blocks(),
            self._links(resolve, host_start, directory),
            _text(walk.title.data, walk.title.length), _pairs(walk, &walk.canonicals, 0),
        )

    cdef tuple _blocks(self):
        cdef text_block *block
        cdef list found = []
        make, parts = self._reader._block, self._reader._parts
        for i in range(block_count(&self._walk)):
            block = block_at(&self._walk, i)
            found.append(make(block.start, block.end, parts[block.part]))
        return tuple(found)

    cdef _part(self, link_note *note):
        """The part that a link stands in: that of its block, or where it has none its own."""
        cdef Py_ssize_t block = note.first_block
        if 0 <= block < <Py_ssize_t>block_count(&self._walk):
            return self._reader._parts[block_at(&self._walk, block).part]
        return self._reader._parts[note.scope >> 1]

    cdef str _url(self, link_note *note, resolve, str host_start, str directory):
        cdef slice reference
        cdef int place
        cdef str text = self._reference(note)
        if note.is_refresh:
            return resolve(text)
        reference.data = self._walk.kept_texts.data + note.reference.start
        reference.length = note.reference.length
        place = place_of_reference(reference)
        if place == ABSOLUTE:
            return text
        if place == AT_ROOT and host_start:
            return host_start + text
        if place == IN_DIRECTORY and host_start:
            return directory + text
        return resolve(text)

    cdef tuple _links(self, resolve, str host_start, str directory):
        cdef page_walk *walk = &self._walk
        cdef list found = []
        cdef link_note *note
        cdef buffer *words = &walk.scratch
        cdef size_t before, last_path = 0, last_length = 0, start = 0, end = 0, start_byte = 0
        cdef str path = "", url, rel, alternative
        make = self._reader._link
        for i in range(note_count(walk)):
            note = note_at(walk, i)
            url = self._url(note, resolve, host_start, directory)
            if not url:
                continue
            words.length = 0
            append_before(walk, note, words)
            before = words.length
            append_after(walk, note, words)
            if words.failed:
                raise MemoryError
            if note.path != last_path or note.path_length != last_length:
                last_path, last_length = note.path, note.path_length
                path = _text(walk.paths.data + last_path, last_length)
            start += _characters(walk, start_byte, note.start)
            start_byte = note.start
            end = start + _characters(walk, note.start, note.end)
            rel = "refresh" if note.is_refresh else _kept(walk, note.rel)
            alternative = _text(
                walk.alternatives.data + note.alternative, note.alternative_length)
            found.append(make(
                url, _anchor(walk, note), _kept(walk, note.title),
                tuple(rel.lower().split()) if rel else (),
                " ".join(alternative.split()) if alternative else "",
                _text(words.data, before), _text(words.data + before, words.length - before),
                path, self._part(note), start, end,
            ))
        return tuple(found)


cdef size_t _characters(page_walk *walk, size_t start, size_t end):
    """How many characters stand between two offsets into the text, in bytes."""
    cdef size_t length = walk.text.length
    if end > length:
        end = length
    return count_characters(walk.text.data + start, end - start) if start < end else 0


cdef str _kept(page_walk *walk, kept one):
    return _text(walk.kept_texts.data + one.start, one.length)


cdef list _pairs(page_walk *walk, buffer *of, size_t start):
    cdef head_pair *pairs = <head_pair *>of.data
    return [
        (_kept(walk, pairs[i].first), _kept(walk, pairs[i].second))
        for i in range(start // sizeof(head_pair), of.length // sizeof(head_pair))
    ]


cdef str _anchor(page_walk *walk, link_note *note):
    """What a reader sees of a link, in one line; the text that is hidden where that is nothing."""
    cdef slice inner
    cdef str anchor = ""
    cdef size_t length = walk.text.length
    if note.start < note.end and note.start < length:
        inner.data = walk.text.data + note.start
        inner.length = (note.end if note.end < length else length) - note.start
        anchor = _of(stripped(inner)).replace("\n", " ")
    if not anchor and note.unseen_length:
        return " ".join(_text(walk.unseen.data + note.unseen, note.unseen_length).split())
    return anchor
