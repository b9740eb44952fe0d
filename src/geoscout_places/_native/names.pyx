"""The inner loops of geoscout_places.geo.mentions.recognise: which hits are names, and their neighbours.

Texts are read character by character, and strings are made only of words that are looked up.
Every index is compared with the length of its text before it is used.
"""

from array import array

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from cpython.unicode cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ, PyUnicode_Substring,
)

from libc.math cimport INFINITY, floor, fmod, log10
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memset

cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(Py_UCS4 letter) nogil

cdef extern from "names.h":
    ctypedef struct Text "names_text":
        const void *data
        Py_ssize_t length
        int kind

    ctypedef struct Trie "names_trie":
        const uint16_t *symbols
        Py_ssize_t codes
        const uint16_t *labels
        const uint32_t *first
        const uint32_t *values
        Py_ssize_t nodes

    ctypedef struct Hit "names_hit":
        Py_ssize_t start, end
        uint32_t number

    ctypedef struct Table "names_bearing":
        const uint32_t *first
        Py_ssize_t names
        const uint8_t *bearer_records
        Py_ssize_t bearers
        const uint8_t *place_records
        const uint32_t *parents
        Py_ssize_t places

    ctypedef struct Bearer "names_bearer":
        double score, latitude, longitude
        int64_t id, population
        uint32_t place
        uint16_t country, feature
        uint8_t role, kind

    ctypedef struct Written "names_sense":
        double base, prior
        int64_t id, region, first_square, second_square
        int64_t *above
        int levels
        uint32_t place
        uint16_t country
        uint8_t kind

    enum:
        NAMES_PLACE
        NAMES_BEARER
        NAMES_MOST_ABOVE

    bint names_span(const Table *table, uint32_t name, uint32_t *low, uint32_t *high)
    bint names_read_bearer(const Table *table, uint32_t bearer, Bearer *found)
    int names_bearers(const Table *table, uint32_t name, Bearer *found, int most)
    bint names_has_kind(const Table *table, uint32_t name, uint8_t kind)
    int names_lineage(const Table *table, uint32_t place, uint32_t *above, int most)
    int64_t names_id(const Table *table, uint32_t place)
    uint8_t names_kind(const Table *table, uint32_t place)
    void names_prepare(Trie *trie)
    bint names_next(const Trie *trie, const Text *text, Py_ssize_t position, Hit *hit)

# The same numbers as in `recognise` and `context`; the tests compare both forms.
cdef enum:
    REACH = 24
    SHORT_LINE = 40
    ABBREVIATED = 4
    LAST_SPACED = 0x0e00
    LONGEST_ENDING = 5
    SHORTEST_STEM = 4
    ASCII = 128


cdef class Facts:
    """`senses.NamePrior`, with the same fields, and room for what `belief` works out."""


cdef class Span:
    """`recognise.NameSpan`, with the same fields."""

    def __init__(self, Py_ssize_t start, Py_ssize_t end, name, facts, case=""):
        self.start = start
        self.end = end
        self.name = name
        self.facts = facts
        self.before = self.after = self.line = ""
        self.case = case
        self.floor = -INFINITY


cdef inline Span new_span(Py_ssize_t start, Py_ssize_t end, str name, Facts facts, str case):
    """The same as `Span(...)`, without a call of Python."""
    cdef Span span = Span.__new__(Span)
    span.start, span.end, span.name, span.facts = start, end, name, facts
    span.before = span.after = span.line = ""
    span.case, span.floor = case, -INFINITY
    return span


cdef inline Text text_of(str string):
    """The characters of a string, which must outlive them."""
    cdef Text text
    text.kind = PyUnicode_KIND(string)
    text.data = PyUnicode_DATA(string)
    text.length = PyUnicode_GET_LENGTH(string)
    return text


cdef inline Py_UCS4 letter_at(Text *text, Py_ssize_t index) noexcept:
    """A character of a text; a space beyond its ends."""
    if index < 0 or index >= text.length:
        return 32
    return PyUnicode_READ(text.kind, text.data, index)


cdef class NameTrie:
    """All names of the gazetteer, in the arrays that geoscout_places.gazetteer.build.trie lays out."""

    cdef Trie trie
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
        memset(&self.trie, 0, sizeof(Trie))
        self.symbols, self.labels, self.first, self.values = symbols, labels, first, values
        self.trie.symbols, self.trie.codes = &symbols[0], symbols.shape[0]
        self.trie.labels, self.trie.nodes = &labels[0], labels.shape[0]
        self.trie.first, self.trie.values = &first[0], &values[0]
        names_prepare(&self.trie)

    def find(self, str view not None):
        """Start, end and number of each name, from left to right, the longest first."""
        cdef Text text = text_of(view)
        cdef Hit hit
        cdef list found = []
        hit.end = 0
        while names_next(&self.trie, &text, hit.end, &hit):
            found.append((hit.start, hit.end, hit.number))
        return found

    def number(self, str name not None):
        """The number of a name, -1 where texts are not searched for it."""
        cdef Text text = text_of(name)
        cdef Hit hit
        is_found = names_next(&self.trie, &text, 0, &hit) and hit.start == 0
        return hit.number if is_found and hit.end == text.length else -1


cdef inline Py_ssize_t ending_length(Text *view, Py_ssize_t end) noexcept:
    """Letters of what follows a name in the same word, if that is short: 1 for "Egyptians"."""
    cdef Py_ssize_t length = 0
    while length <= LONGEST_ENDING and 97 <= letter_at(view, end + length) <= 122:
        length += 1
    if length > LONGEST_ENDING or Py_UNICODE_ISALNUM(letter_at(view, end + length)):
        return 0
    return length


def find_spans(str text not None, str view not None, search, tongue, inside):
    """Where names stand that mean something: the spans, and the other words that are looked for.

    `search` finds all names, and `inside` answers what scripts without spaces ask.
    """
    cdef Text shown = text_of(view)
    cdef Hit hit
    cdef Hits hits = Hits(text, tongue, inside)
    cdef NameTrie names
    if len(text) != len(view):
        raise ValueError("a view is as long as its text")
    if isinstance(search, NameTrie):
        names = search
        hit.end = 0
        while names_next(&names.trie, &shown, hit.end, &hit):
            hits.take(view, &shown, &hit)
    else:
        for hit.start, hit.end, hit.number in search.find(view):
            hits.take(view, &shown, &hit)
    return hits.spans, hits.others


cdef class Hits:
    """`recognise._hits` and `recognise._spans` for the hits of a text, one after the other."""

    cdef dict patterns
    cdef str text
    cdef object learn, endings, inside
    cdef list spans, others
    cdef const unsigned char[::1] firsts

    def __cinit__(self, str text, tongue, inside):
        self.firsts = tongue.ending_letters
        if self.firsts.shape[0] != ASCII:
            raise ValueError("a byte for each letter of ASCII is needed")
        self.text, self.patterns, self.endings = text, tongue.patterns, tongue.endings
        self.learn, self.inside = tongue.learn_pattern, inside
        self.spans, self.others = [], []

    cdef int take(self, str view, Text *shown, Hit *hit) except -1:
        cdef Py_ssize_t start = hit.start, end = hit.end
        cdef Py_UCS4 after
        cdef object number = hit.number, pattern
        cdef str rest = ""
        cdef PyObject *known = PyDict_GetItem(self.patterns, number)
        cdef bint is_inside = False
        if known is not NULL and <object>known is None:
            return 0
        after = letter_at(shown, end)
        if Py_UNICODE_ISALNUM(after):
            if after > LAST_SPACED:
                is_inside = self.inside.may_end(view, end)
            elif after < ASCII and self.firsts[after]:
                rest = PyUnicode_Substring(view, end, end + ending_length(shown, end))
            if not is_inside and rest != "s" and rest not in self.endings:
                return 0
        if start and Py_UNICODE_ISALNUM(letter_at(shown, start - 1)):
            if letter_at(shown, start) < LAST_SPACED or not self.inside.may_begin(view, start):
                return 0
            is_inside = True
        if known is NULL:
            pattern = self.learn(number, PyUnicode_Substring(view, start, end))
            if pattern is None:
                return 0
        else:
            pattern = <object>known
        if is_inside and not (pattern[1] and self.inside.is_telling(pattern[0], pattern[1])):
            return 0
        self.keep(start, end, rest, pattern)
        return 0

    cdef int keep(self, Py_ssize_t start, Py_ssize_t end, str rest, pattern) except -1:
        """Take up what a pattern stands for, with what follows it in the same word."""
        cdef str name = pattern[0]
        cdef Facts facts = pattern[1]
        if rest:
            self.keep_with_ending(start, end, name, rest, facts)
            return 0
        if pattern[2]:
            self.others.append((start, end, name))
        if facts is not None and not (
            facts.is_code and not PyUnicode_Substring(self.text, start, end).isupper()
        ):
            self.spans.append(new_span(start, end, name, facts, ""))
        return 0

    cdef int keep_with_ending(self, Py_ssize_t start, Py_ssize_t end, str name, str rest, Facts facts) except -1:
        """`recognise._with_ending`."""
        end += len(rest)
        if facts is None:
            return 0
        if facts.is_demonym:
            if rest == "s":
                self.spans.append(new_span(start, end, name + rest, facts, ""))
        elif rest in self.endings and len(name) >= SHORTEST_STEM and not facts.is_code:
            self.spans.append(new_span(start, end, name, facts, "ending"))
        return 0


cdef inline object class_of(object classes, str word):
    """The class of a word, which the cache finds where it is new."""
    cdef PyObject *known = PyDict_GetItem(classes, word)
    return <object>known if known is not NULL else classes[word]


cdef object class_before(str text, str view, Text *letters, Text *shown, Py_ssize_t start, object classes):
    """`NameContext.before`."""
    cdef Py_UCS4 mark = letter_at(letters, start - 1) if start else 10
    cdef Py_ssize_t first
    if mark != 32 and mark != 45 and not is_apostrophe(mark):
        if mark == 10:
            return "start"
        return chr(mark) if mark == 35 or mark == 64 or mark == 47 or mark == 40 else "mark"
    first = start - 1
    while first > 0 and start - first < REACH and letter_at(shown, first - 1) != 32:
        first -= 1
    if mark == 32 and letter_at(shown, start - 1) == 32:
        return class_of(classes, PyUnicode_Substring(view, first, start))
    return class_of(classes, PyUnicode_Substring(view, first, start - 1) + chr(mark))


cdef inline bint is_apostrophe(Py_UCS4 mark) noexcept:
    return mark == 39 or mark == 0x2019 or mark == 0x2018 or mark == 0x02bc or mark == 0xb4 or mark == 96


cdef object class_after(str text, str view, Text *letters, Text *shown, Py_ssize_t end, neighbours):
    """`NameContext.after`."""
    cdef Py_UCS4 mark = letter_at(letters, end) if end < letters.length else 10
    cdef Py_ssize_t last, most
    cdef object word, found
    if mark == 10:
        return "end"
    if mark != 32 and mark != 45:
        return neighbours.after_mark(text, view, end)
    most = min(end + REACH, shown.length)
    last = end + 1
    while last < most and letter_at(shown, last) != 32:
        last += 1
    if mark == 32 and letter_at(shown, end) == 32:
        word = PyUnicode_Substring(view, end, last)
    else:
        word = chr(mark) + PyUnicode_Substring(view, end + 1, last)
    found = class_of(neighbours.words_after, word)
    if (found == "capital" or found == "surname") and letter_at(shown, last) == 32:
        if 65 <= letter_at(shown, last + 1) <= 90 and neighbours.names_organisation(view, last):
            return "org far"
    return found


cdef object line_of(Text *text, Py_ssize_t start, Py_ssize_t end):
    """`recognise._line`."""
    cdef Py_ssize_t first = start, last = end, size
    while first > 0 and first > start - SHORT_LINE and letter_at(text, first - 1) != 10:
        first -= 1
    if first > 0 and first == start - SHORT_LINE:
        return "long"
    while last < text.length and last < end + SHORT_LINE and letter_at(text, last) != 10:
        last += 1
    if last < text.length and last == end + SHORT_LINE:
        return "long"
    size = last - first
    return "alone" if size == end - start else "short" if size <= SHORT_LINE else "long"


cdef object case_of(str text, Text *letters, Py_ssize_t start, Py_ssize_t end):
    """`recognise._case`."""
    if end - start <= ABBREVIATED or 97 <= letter_at(letters, start + 1) <= 122:
        return "title"
    return "upper" if PyUnicode_Substring(text, start, end).isupper() else "title"


def score_spans(str text not None, str view not None, list spans not None, scores, tongue, is_noun):
    """`recognise._score` for spans of the type `Span`."""
    cdef Text letters = text_of(text), shown = text_of(view)
    cdef object neighbours = tongue.neighbours, before, after, line, case
    cdef Facts facts
    cdef object words_before = neighbours.words_before
    cdef PyObject *known
    cdef Span span
    cdef tuple key
    for span in spans:
        if span.start < 0 or span.end < span.start or span.end > letters.length:
            raise ValueError("a span lies outside its text")
        facts = span.facts
        before = class_before(text, view, &letters, &shown, span.start, words_before)
        if span.before and before != "first" and before != "initial" and before != "title":
            before = span.before
        span.before = before
        after = span.after = class_after(text, view, &letters, &shown, span.end, neighbours)
        case = span.case = span.case or case_of(text, &letters, span.start, span.end)
        line = span.line = line_of(&letters, span.start, span.end)
        key = (facts.sort, before, after, case, line)
        known = PyDict_GetItem(scores, key)
        span.score = facts.score + (<object>known if known is not NULL else scores[key])
        is_language = line == "alone" and facts.is_demonym
        if is_language or (facts.noun != "0" and is_noun(view, span, tongue.articles)):
            span.score = -9.0


cdef enum:
    MOST_OPTIONS = 20  # `knowledge._MOST_OPTIONS`
    COMPARED = 5  # `judging._COMPARED`


cdef class WrittenBearers:
    """The bearers of each name that texts are searched for, by its number in the trie."""

    cdef Table table
    cdef const uint32_t[::1] first, parents
    cdef const uint8_t[::1] bearer_records, place_records
    cdef readonly list terms
    cdef readonly object place_at
    cdef readonly tuple kinds, roles
    cdef uint8_t country

    def __cinit__(self, dict parts not None, list terms not None, place_at, tuple kinds not None, tuple roles not None):
        """`parts` are those of the mapped file, `place_at` gives a place by its number."""
        self.first, self.parents = parts["first written bearers"], parts["parents"]
        self.bearer_records, self.place_records = parts["written bearers"], parts["places"]
        self.terms, self.place_at, self.kinds, self.roles = terms, place_at, kinds, roles
        self.country = kinds.index("country")
        memset(&self.table, 0, sizeof(Table))
        self.table.names = self.first.shape[0]
        self.table.bearers = self.bearer_records.shape[0] // NAMES_BEARER
        self.table.places = min(self.place_records.shape[0] // NAMES_PLACE, self.parents.shape[0])
        if not self.table.names or not self.table.bearers or not self.table.places:
            raise ValueError("names without bearers")
        self.table.first, self.table.parents = &self.first[0], &self.parents[0]
        self.table.bearer_records = &self.bearer_records[0]
        self.table.place_records = &self.place_records[0]

    cdef int read(self, uint32_t name, Bearer *found) except -1:
        """The likeliest bearers of a name; none where a record does not hold what it should."""
        cdef int count = names_bearers(&self.table, name, found, MOST_OPTIONS), number
        for number in range(count):
            if found[number].kind >= len(self.kinds) or found[number].role >= len(self.roles):
                return 0
            if found[number].country >= len(self.terms) or found[number].feature >= len(self.terms):
                return 0
        return count

    def weigh(self, uint32_t name, const uint8_t[::1] homes not None, double use, double offset):
        """A `judging.Bearing`; None for a name that has no bearers, or a country among them.

        `homes` has a byte for each term: 1 for a country that speaks the language. `use` is how
        often the language uses the name as a word, below 0 where it hardly does, and `offset` how
        much more often it speaks of its own towns.
        """
        cdef Bearer found[MOST_OPTIONS]
        cdef int count = self.read(name, found), number
        cdef bint is_home = False
        cdef double excess = -1.0, beyond
        if not count or homes.shape[0] < len(self.terms):
            return None
        if names_has_kind(&self.table, name, self.country):
            return None
        for number in range(count):
            is_home = is_home or homes[found[number].country]
            if use >= 0.0 and number < COMPARED:
                beyond = self.beyond(&found[number], homes[found[number].country], use, offset)
                excess = beyond if not number or beyond < excess else excess
        return (
            self.roles[found[0].role], self.kinds[found[0].kind], found[0].score, count,
            is_home, excess,
        )

    cdef double beyond(self, Bearer *bearer, bint is_home, double use, double offset):
        """`NameJudge._beyond` and `expected_frequency`."""
        cdef double importance = max(bearer.score, log10(<double>(bearer.population + 1)) + 0.7)
        if bearer.kind == 0:  # a continent
            is_home, importance = True, max(importance, 8.0)
        if is_home:
            return use - (1.7 + max(0.0, importance - 4.3)) - offset
        return use - (1.3 + max(0.0, importance - 5.0) * 0.45) - 0.0


cdef enum:  # sizes of the tables of weights: see `judging.weight_tables`
    GROUPS = 7
    SIZES = 3
    DIGITS = 10
    STEPS = 8
    NOUNS = 3

cdef enum Group:  # in the order of `judging.GROUPS`
    IS_NOUN
    IS_WORD
    IS_FIRST
    IS_LAST
    IS_KNOWN
    IS_RARE
    IS_PLAIN


cdef struct Features:  # of a name: where its weights stand in the tables
    int role, own_role, kind, parts, length, size, digit, uses, first, last, options
    int group, step, noun
    bint is_home


cdef class PlainJudge:
    """`NameJudge` for names that are nothing but names of places, with the sum of their weights."""

    cdef WrittenBearers bearers
    cdef dict words, digits
    cdef const uint8_t[::1] homes, features
    cdef int column, name_role, code_role
    cdef double offset
    cdef bint counts_uses, has_nouns
    cdef tuple sorts
    cdef const double[::1] bias, sort, role, kind, parts, length, digit, uses, first, last, options
    cdef const double[::1] excess, excess_size, noun_excess, noun, noun_size, noun_role, home

    def __cinit__(self, WrittenBearers bearers not None, dict words not None, dict digits not None, settings, dict tables not None):
        """`settings` are those of `NameJudge`, and `tables` those of `judging.weight_tables`."""
        self.bearers, self.words, self.digits = bearers, words, digits
        (
            self.homes, self.features, self.column, self.offset, self.counts_uses, self.has_nouns,
            self.sorts,
        ) = settings
        self.name_role, self.code_role = bearers.roles.index("name"), bearers.roles.index("code")
        kinds, roles = len(bearers.kinds), len(bearers.roles)
        self.bias, self.sort = table(tables, "bias", 1), table(tables, "sort", GROUPS * SIZES)
        self.role, self.kind = table(tables, "role", roles), table(tables, "kind", kinds)
        self.parts, self.length = table(tables, "words", 4), table(tables, "length", DIGITS)
        self.digit, self.uses = table(tables, "size", DIGITS), table(tables, "uses", DIGITS)
        self.first, self.last = table(tables, "first", DIGITS), table(tables, "last", DIGITS)
        self.options = table(tables, "options", 5)
        self.excess = table(tables, "excess", STEPS)
        self.excess_size = table(tables, "excess size", STEPS * SIZES)
        self.noun_excess = table(tables, "noun excess", 2 * STEPS)
        self.noun, self.noun_size = table(tables, "noun", NOUNS), table(tables, "noun size", NOUNS * SIZES)
        self.noun_role = table(tables, "noun role", NOUNS * roles)
        self.home = table(tables, "home", 2 * SIZES)
        if self.homes.shape[0] < len(bearers.terms) or self.features.shape[0] < kinds:
            raise ValueError("a mark for each term and kind is needed")
        if len(self.sorts) != GROUPS * SIZES:
            raise ValueError("a name for each sort is needed")

    def judge(self, str name not None, uint32_t number):
        """Sort, score and noun of a name; None for a code, and where Python has to judge."""
        cdef Bearer found[MOST_OPTIONS]
        cdef int count = self.bearers.read(number, found)
        cdef Features features
        cdef double excess, use = -1.0
        cdef str lower = name.lower(), digits = self.digits.get(lower)
        if not count or found[0].role == self.code_role:
            return None
        if names_has_kind(&self.bearers.table, number, self.bearers.country):
            return None
        if digits is not None and self.column >= 0:
            use = digit_at(digits, self.column)
            use = 2.0 + (use + 0.5) / 2 if use else -1.0
        features.is_home = False
        excess = self.weigh(found, count, use, &features.is_home)
        self.shape(name, found, count, &features)
        features.noun = 0
        if digits is not None and self.has_nouns and not self.features[found[0].kind]:
            features.noun = digit_at(digits, len(digits) - 1)
            if features.noun >= NOUNS:
                raise ValueError("an unknown sort of noun")
        features.step = <int>max(-1.0, min(<double>(STEPS - 2), floor(2 * excess))) + 1
        self.group(lower, excess, &features)
        return (
            self.sorts[features.group * SIZES + features.size], self.sum(&features),
            "012"[features.noun],
        )

    cdef double weigh(self, Bearer *found, int count, double use, bint *is_home):
        """The excess of `WrittenBearers.weigh`, and whether a bearer is at home."""
        cdef double excess = -1.0, beyond
        cdef double offset = self.offset if use >= 0.0 else 0.0
        cdef int number
        for number in range(count):
            is_home[0] = is_home[0] or self.homes[found[number].country]
            if use >= 0.0 and number < COMPARED:
                beyond = self.bearers.beyond(&found[number], self.homes[found[number].country], use, offset)
                excess = beyond if not number or beyond < excess else excess
        return excess

    cdef int shape(self, str name, Bearer *found, int count, Features *features) except -1:
        """`judging.name_shape` without the word."""
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(name), parts = name.count(" ") + 1
        cdef int bits = 0
        features.role, features.own_role = found[0].role, found[0].role
        if not name.isascii():
            features.role, length = self.name_role, 8
        features.kind, features.parts = found[0].kind, min(parts, 3)
        features.length = min(length, 8) if parts == 1 else 9
        features.digit = <int>max(0.0, min(9.0, found[0].score))
        features.size = 0 if found[0].score >= 6.0 else 1 if found[0].score >= 4.6 else 2
        while count:
            bits, count = bits + 1, count >> 1
        features.options = min(bits, 4)
        return 0

    cdef int group(self, str lower, double excess, Features *features) except -1:
        """`NameJudge._use` and `NameJudge._group`."""
        cdef int all_uses = 0
        cdef bint is_known = self.has_nouns and excess >= 1.0
        features.uses = features.first = features.last = 0
        word = self.words.get(lower)
        if word is not None:
            all_uses, features.first, features.last = word
            if not (0 <= min(all_uses, features.first, features.last)) or max(
                all_uses, features.first, features.last
            ) >= DIGITS:
                raise ValueError("a use of a word is a digit")
            features.uses = all_uses if self.counts_uses or all_uses == 9 else 0
        if features.noun == 1 or (features.noun and excess >= 1.0):
            features.group = IS_NOUN
        elif features.uses >= 2 or (excess >= 1.5 and not self.has_nouns):
            features.group = IS_WORD
        elif is_known and all_uses > 2:
            features.group = IS_WORD
        elif features.first >= 3:
            features.group = IS_FIRST
        elif features.last >= 3:
            features.group = IS_LAST
        elif is_known:
            features.group = IS_KNOWN
        else:
            features.group = IS_RARE if features.uses or features.first or features.last else IS_PLAIN
        return 0

    cdef double sum(self, Features *f):
        """The weights in the order of `linear_models.name_features`."""
        cdef int roles = self.role.shape[0]
        cdef double score = self.bias[0]
        score += self.sort[f.group * SIZES + f.size]
        score += self.role[f.role]
        score += self.kind[f.kind]
        score += self.parts[f.parts]
        score += self.length[f.length]
        score += self.digit[f.digit]
        score += self.uses[f.uses]
        score += self.first[f.first]
        score += self.last[f.last]
        score += self.options[f.options]
        score += self.excess[f.step]
        score += self.excess_size[f.step * SIZES + f.size]
        if self.has_nouns:
            score += self.noun_excess[(STEPS if f.noun else 0) + f.step]
            score += self.noun[f.noun]
            score += self.noun_size[f.noun * SIZES + f.size]
            score += self.noun_role[f.noun * roles + f.own_role]
        return score + self.home[(SIZES if f.is_home else 0) + f.size]


cdef int digit_at(str digits, Py_ssize_t place) except -1:
    """A digit of a row of the table of words."""
    cdef Text text = text_of(digits)
    cdef uint32_t digit
    if not 0 <= place < text.length:
        raise ValueError("a row of the table of words is too short")
    digit = <uint32_t>letter_at(&text, place) - 48
    if digit > 9:
        raise ValueError("a row of the table of words has other letters")
    return digit


cdef table(dict tables, str name, int size):
    """Weights from a list."""
    if len(tables[name]) != size:
        raise ValueError(f"{size} weights of {name} are needed")
    return array("d", tables[name])


cdef struct Found:  # the bearers of a name, and what contains them
    Bearer found[MOST_OPTIONS]
    uint32_t above[MOST_OPTIONS][NAMES_MOST_ABOVE]
    int levels[MOST_OPTIONS]
    int64_t regions[MOST_OPTIONS]
    double bases[MOST_OPTIONS]
    bint is_namesake[MOST_OPTIONS]
    bint is_likely[MOST_OPTIONS]
    int count


cdef class OptionMaker:
    """`senses.place_options` for the bearers of a name."""

    cdef readonly WrittenBearers bearers
    cdef object option, whereabouts
    cdef double prior, alias, namesake, unpeopled, seat
    cdef list kind_weights
    cdef bytes squareless, divisions, seats
    cdef uint8_t region, name_role

    def __cinit__(self, WrittenBearers bearers not None, types, weights, list kind_weights, marks):
        """`types` are Option and Whereabouts; `marks` have a byte for each kind, kind and term."""
        self.bearers = bearers
        self.option, self.whereabouts = types
        self.prior, self.alias, self.namesake, self.unpeopled, self.seat = weights
        self.kind_weights = kind_weights
        self.squareless, self.divisions, self.seats = marks
        self.region, self.name_role = bearers.kinds.index("region"), bearers.roles.index("name")
        if min(len(kind_weights), len(self.squareless), len(self.divisions)) < len(bearers.kinds):
            raise ValueError("a weight and marks for each kind are needed")
        if len(self.seats) < len(bearers.terms):
            raise ValueError("a mark for each term is needed")

    def options(self, uint32_t name):
        """The options of a name; None where Python has to find them."""
        cdef Found all
        cdef int number
        cdef list options = []
        if not self.find(name, &all):
            return None
        for number in range(all.count):
            if all.is_likely[number]:
                options.append(
                    self.option(
                        self.bearers.place_at(all.found[number].place),
                        all.found[number].score,
                        self.bearers.roles[all.found[number].role],
                        all.bases[number],
                        self.where(&all, number),
                        all.is_namesake[number],
                    )
                )
        return tuple(options)

    def senses(self, uint32_t name):
        """The options of a name as records of `names_sense`; None as above."""
        cdef Found all
        cdef Written sense
        cdef int number, level
        cdef list records = []
        if not self.find(name, &all):
            return None
        for number in range(all.count):
            if all.is_likely[number]:
                memset(&sense, 0, sizeof(Written))
                sense.base, sense.prior = all.bases[number], all.found[number].score
                sense.id, sense.region = all.found[number].id, all.regions[number]
                self.squares(&all.found[number], &sense.first_square, &sense.second_square)
                sense.levels = all.levels[number]
                for level in range(sense.levels):
                    sense.above[level] = names_id(&self.bearers.table, all.above[number][level])
                sense.place, sense.country = all.found[number].place, all.found[number].country
                sense.kind = all.found[number].kind
                records.append(PyBytes_FromStringAndSize(<char *>&sense, sizeof(Written)))
        return b"".join(records)

    cdef bint find(self, uint32_t name, Found *all) except -1:
        """Whether the bearers of a name could be read; marks those that may be meant."""
        cdef int number
        cdef double most = 0.0
        all.count = self.bearers.read(name, all.found)
        if not all.count or names_has_kind(&self.bearers.table, name, self.bearers.country):
            return False
        for number in range(all.count):
            all.levels[number] = self.lineage(
                &all.found[number], all.above[number], &all.regions[number]
            )
            if all.levels[number] < 0:
                return False
        for number in range(all.count):
            all.is_namesake[number] = (
                all.count > 1
                and self.divisions[all.found[number].kind]
                and is_above(all, all.found[number].place)
            )
            all.bases[number] = self.base(&all.found[number], all.is_namesake[number])
            most = all.bases[number] if not number else max(most, all.bases[number])
        for number in range(all.count):
            all.is_likely[number] = all.count == 1 or all.bases[number] >= most - 7.5
        return True

    cdef int lineage(self, Bearer *bearer, uint32_t *above, int64_t *region):
        """The places around a bearer, and the id of its region."""
        cdef int count = names_lineage(&self.bearers.table, bearer.place, above, NAMES_MOST_ABOVE), level
        region[0] = 0
        for level in range(count):
            if names_kind(&self.bearers.table, above[level]) == self.region:
                region[0] = names_id(&self.bearers.table, above[level])
                break
        if not region[0] and bearer.kind == self.region:
            region[0] = bearer.id
        for level in range(count):
            if above[level] == bearer.place:
                return level
        return count

    cdef double base(self, Bearer *bearer, bint is_namesake):
        """`SenseModel.base_score`."""
        cdef double score = self.prior * bearer.score
        if bearer.role != self.name_role:
            score += self.alias
        score += <double>self.kind_weights[bearer.kind]
        if not bearer.population:
            score += self.unpeopled
        if self.seats[bearer.feature]:
            score += self.seat
        return score + self.namesake if is_namesake else score

    cdef object where(self, Found *all, int number):
        cdef Bearer *bearer = &all.found[number]
        cdef int64_t one, other
        cdef int level
        self.squares(bearer, &one, &other)
        ids = tuple([
            names_id(&self.bearers.table, all.above[number][level])
            for level in range(all.levels[number])
        ])
        return self.whereabouts(
            self.bearers.terms[bearer.country], all.regions[number], (one, other), ids
        )

    cdef int squares(self, Bearer *bearer, int64_t *one, int64_t *other) except -1:
        """`senses._squares`."""
        cdef double north = (bearer.latitude + 90) / 2.0, east = (bearer.longitude + 180) / 2.0
        one[0] = other[0] = 0
        if not self.squareless[bearer.kind]:
            one[0] = 1 + 2 * (<int64_t>north * 1000 + <int64_t>east)
            other[0] = 2 + 2 * (<int64_t>(north + 0.5) * 1000 + <int64_t>(east + 0.5))
        return 0


cdef bint is_above(Found *all, uint32_t place) noexcept:
    """Whether a place contains one of the bearers."""
    cdef int number, level
    for number in range(all.count):
        for level in range(all.levels[number]):
            if all.above[number][level] == place:
                return True
    return False


cdef enum:
    BOX = 4  # south, north, west and width
    DEGREES = 360


cdef class NearBearers:
    """The bearers of a name that `ToponymReader` may count: large ones, and those near home.

    A place is at home when the hierarchy puts it into a place of the region, or when its point is
    in a shape of it. So what is below none of these places and in no box around a shape is not.
    """

    cdef WrittenBearers bearers
    cdef bytearray home  # a bit for each place, 1 for those of the region
    cdef const double[::1] boxes
    cdef bytes wide  # a byte for each kind, 1 where a place is large however many live there
    cdef uint8_t name_role, alias_role

    def __cinit__(
        self,
        WrittenBearers bearers not None,
        ids,
        const double[::1] boxes not None,
        bytes wide not None,
    ):
        """`ids` are those of the places of the region."""
        cdef uint32_t place
        self.bearers, self.boxes, self.wide = bearers, boxes, wide
        self.name_role, self.alias_role = map(bearers.roles.index, ("name", "alias"))
        if boxes.shape[0] % BOX or len(wide) < len(bearers.kinds):
            raise ValueError("four numbers for each box and a mark for each kind are needed")
        self.home = bytearray(bearers.table.places // 8 + 1)
        for id in ids:
            place = self.number_of(id)
            if place < bearers.table.places and names_id(&bearers.table, place) == id:
                self.home[place >> 3] |= 1 << (place & 7)

    def find(self, uint32_t name, int64_t least, int64_t least_of_aliases, bint is_ordinary):
        """Places, the likeliest first; False with those that count only if a shape has them.

        `least`: the inhabitants of a large place. Of an ordinary word only what is large and at
        home counts, of other names what is one of both.
        """
        cdef uint32_t low = 0, high = 0
        cdef Bearer bearer
        cdef bint is_large
        cdef list found = []
        if not names_span(&self.bearers.table, name, &low, &high):
            return found
        for low in range(low, high):
            if not names_read_bearer(&self.bearers.table, low, &bearer):
                continue
            if bearer.role == self.name_role:
                is_large = bearer.population >= least
            elif bearer.role == self.alias_role:
                is_large = bearer.population >= least_of_aliases
            else:
                continue
            is_large = is_large or (bearer.kind < len(self.wide) and self.wide[bearer.kind])
            if not is_large and is_ordinary:
                continue
            if (is_large and not is_ordinary) or self.is_below_home(bearer.place):
                found.append((self.bearers.place_at(bearer.place), True))
            elif self.is_in_a_box(&bearer):
                found.append((self.bearers.place_at(bearer.place), False))
        return found

    cdef bint is_below_home(self, uint32_t place):
        cdef uint32_t above[NAMES_MOST_ABOVE]
        cdef int level
        if self.is_home(place):
            return True
        for level in range(names_lineage(&self.bearers.table, place, above, NAMES_MOST_ABOVE)):
            if self.is_home(above[level]):
                return True
        return False

    cdef bint is_in_a_box(self, Bearer *bearer) except -1:
        cdef Py_ssize_t box
        cdef double east
        for box in range(0, self.boxes.shape[0], BOX):
            if self.boxes[box] <= bearer.latitude <= self.boxes[box + 1]:
                east = fmod(bearer.longitude - self.boxes[box + 2], DEGREES)
                if (east + DEGREES if east < 0 else east) <= self.boxes[box + 3]:
                    return True
        return False

    cdef inline bint is_home(self, uint32_t place):
        return self.home[place >> 3] >> (place & 7) & 1

    cdef uint32_t number_of(self, int64_t id):
        """The number of a place; that of another where there is none."""
        cdef uint32_t low = 0, high = <uint32_t>self.bearers.table.places, middle
        while low < high:
            middle = low + (high - low) // 2
            if names_id(&self.bearers.table, middle) < id:
                low = middle + 1
            else:
                high = middle
        return low
