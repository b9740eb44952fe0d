"""The inner loops of geoscout_places.geo.mentions over the spans and names of a page.

What the names of a page say about each other is kept in a hash table of numbers: the weights of
countries, regions and squares, and which districts and surroundings are named. Sums are taken in
the order of the forms in Python, with the logarithms and powers of the C library, as Python does.
"""

from cpython.bytes cimport PyBytes_AS_STRING
from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from libc.math cimport exp, log, pow
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from geoscout_places._native.names cimport Facts, Span

cdef extern from "names.h":
    ctypedef struct Written "names_sense":
        double base, prior
        int64_t id, region, first_square, second_square
        const int64_t *above
        int levels
        uint32_t place
        uint16_t country
        uint8_t kind

from geoscout_places.model import Kind, Mention, MentionKind

# The same numbers as in `believe`, `binding`, `evidence`, `resolve` and `find`; the tests compare
# both forms.
cdef double UNLIKELY = -2.2, SURE = 0.5, SURE_ELSEWHERE = 1.5
cdef double ENOUGH = 0.4, ENOUGH_WITH_OWN = 1.2, SITE_NAMES = 4.0
cdef double SMOOTHING = 0.5, NONE = 1e-6, NEGLIGIBLE = 7.0
cdef double POSSIBLE = -0.6, CONVINCING = 0.38, LEAST_SHARE = 0.15

cdef enum:  # bits of `linear_models.BITS`
    PERSON = 1 << 5
    PLACE = 1 << 6
    REGION = 1 << 7
    SQUARE = 1 << 8
    COUNTRY = 1 << 9
    STRANGER = 1 << 10
    ONLY = 1 << 11
    COLUMN = 1 << 12

cdef enum Sort:  # of what a number in the table stands for
    OF_COUNTRY = 1
    OF_REGION
    OF_SQUARE
    OF_DISTRICT
    OF_SURROUNDING

cdef enum:
    MOST_SHARES = 3  # `senses._SENSES`

cdef dict country_numbers = {"": 0}
cdef tuple kinds_in_order = tuple(Kind)
cdef dict kind_numbers = {kind: number for number, kind in enumerate(Kind)}
cdef object AREA = Kind.AREA, DISTRICT = Kind.DISTRICT
cdef object REGION_KIND = Kind.REGION, COUNTRY_KIND = Kind.COUNTRY


cdef int64_t country_number(str country) except -1:
    """A number for a country, always the same in a process; 0 for none."""
    cdef object found = country_numbers.get(country)
    if found is None:
        found = country_numbers[country] = len(country_numbers)
    return found


cdef struct Sense:
    double base
    int64_t id, country, region, first_square, second_square
    int first_above, end_above  # in `Meanings.above`
    uint32_t place  # its number, of a written name
    int kind
    bint is_district
    bint is_region_or_country
    bint is_wide  # an area that lies in several countries
    bint is_around  # it contains another sense


cdef class Meanings:
    """The options of a name as numbers."""

    cdef tuple options  # None for a written name, whose places are made when one is wanted
    cdef object maker  # of a written name; None for others
    cdef int count, around_count, share_count
    cdef bint is_mixed
    cdef Sense *senses
    cdef int64_t *above  # what contains each option, narrow to broad, one option after the other
    cdef int *places  # by entry of `above`, its place in `around`; -1 for one that is not there
    cdef int64_t *around  # `Senses.above`: countries, regions and districts around any option
    cdef uint8_t *is_district  # by entry of `around`, whether an option is that district
    cdef int share_options[MOST_SHARES]
    cdef double shares[MOST_SHARES]

    def __cinit__(self, Facts facts not None):
        cdef bytes records = None
        cdef int number
        if facts.source is not None:
            self.maker, number = facts.source
            if self.maker.bearers.kinds != kinds_in_order:
                raise ValueError("kinds are numbered in another order")
            records = self.maker.senses(number)
        if records is None:
            self.maker, self.options = None, facts.options
            self.read_options(facts.options, facts.shares)
        else:
            self.read_written(records)
        self.find_places()

    cdef int make_room(self, int count, int room) except -1:
        self.count = count
        self.senses = <Sense *>calloc(count + 1, sizeof(Sense))
        self.above = <int64_t *>calloc(room, sizeof(int64_t))
        self.places = <int *>calloc(room, sizeof(int))
        self.around = <int64_t *>calloc(room, sizeof(int64_t))
        self.is_district = <uint8_t *>calloc(room, sizeof(uint8_t))
        if not (self.senses and self.above and self.places and self.around and self.is_district):
            raise MemoryError
        return 0

    cdef int read_options(self, tuple options, tuple shares) except -1:
        cdef int room = 1, number
        for option in options:
            room += len(option.where.above)
        self.make_room(len(options), room)
        for number in range(self.count):
            self.read(number, options[number])
        for option, share in shares[:MOST_SHARES]:
            self.share_options[self.share_count] = options.index(option)
            self.shares[self.share_count] = share
            self.share_count += 1
        return 0

    cdef int read_written(self, bytes records) except -1:
        """Take over the records of a maker."""
        cdef const Written *written = <const Written *>PyBytes_AS_STRING(records)
        cdef int count = len(records) // sizeof(Written), room = 1, number, level
        cdef list terms = self.maker.bearers.terms
        cdef Sense *sense
        for number in range(count):
            room += written[number].levels
        self.make_room(count, room)
        for number in range(count):
            sense = &self.senses[number]
            sense.base, sense.id = written[number].base, written[number].id
            sense.country = country_number(terms[written[number].country])
            sense.region, sense.place = written[number].region, written[number].place
            sense.first_square = written[number].first_square
            sense.second_square = written[number].second_square
            self.set_kind(sense, written[number].kind)
            sense.first_above = sense.end_above = self.senses[number - 1].end_above if number else 0
            for level in range(written[number].levels):
                self.add_above(sense, written[number].above[level], level < written[number].levels - 1)
        self.share_out(written)
        return 0

    cdef int share_out(self, const Written *written) except -1:
        """`senses._share_out`."""
        cdef double shares[MOST_SHARES]
        cdef double total = 0.0
        cdef int count = min(self.count, MOST_SHARES), number
        for number in range(count):
            shares[number] = pow(10.0, 0.5 * (written[number].prior - written[0].prior))
            total += shares[number]
        for number in range(count):
            if shares[number] > LEAST_SHARE * total:
                self.share_options[self.share_count] = number
                self.shares[self.share_count] = shares[number] / total
                self.share_count += 1
        return 0

    def __dealloc__(self):
        free(self.senses)
        free(self.above)
        free(self.places)
        free(self.around)
        free(self.is_district)

    cdef int read(self, int number, option) except -1:
        """Take over an option; those before it have been."""
        cdef Sense *sense = &self.senses[number]
        cdef object place = option.place, where = option.where
        cdef tuple above = where.above
        cdef int level
        sense.base, sense.id = option.base, place.id
        sense.country, sense.region = country_number(where.country), where.region
        sense.first_square, sense.second_square = where.squares
        self.set_kind(sense, kind_numbers[place.kind])
        sense.first_above = sense.end_above = self.senses[number - 1].end_above if number else 0
        for level in range(len(above)):
            self.add_above(sense, above[level], level < len(above) - 1)
        return 0

    cdef int set_kind(self, Sense *sense, int number) except -1:
        """The country is known."""
        cdef object kind = kinds_in_order[number]
        sense.is_district = kind is DISTRICT
        sense.is_region_or_country = kind is REGION_KIND or kind is COUNTRY_KIND
        sense.is_wide = not sense.country and kind is AREA
        sense.kind = number
        return 0

    cdef int add_above(self, Sense *sense, int64_t id, bint is_around) noexcept:
        self.above[sense.end_above] = id
        sense.end_above += 1
        if is_around and self.place_of(id) < 0:
            self.around[self.around_count] = id
            self.around_count += 1
        return 0

    cdef object place(self, int number):
        """The place of an option."""
        if self.maker is None:
            return self.options[number].place
        return self.maker.bearers.place_at(self.senses[number].place)

    cdef int place_of(self, int64_t id):
        cdef int place
        for place in range(self.around_count):
            if self.around[place] == id:
                return place
        return -1

    cdef int find_places(self) except -1:
        """Fill in what depends on all options."""
        cdef int number, entry
        cdef bint has_wide = False, differs = False
        for number in range(self.count):
            has_wide = has_wide or self.senses[number].is_region_or_country
            differs = differs or self.senses[number].kind != self.senses[0].kind
            entry = self.place_of(self.senses[number].id)
            self.senses[number].is_around = entry >= 0
            if entry >= 0 and self.senses[number].is_district:
                self.is_district[entry] = True
            for entry in range(self.senses[number].first_above, self.senses[number].end_above):
                self.places[entry] = self.place_of(self.above[entry])
        self.is_mixed = has_wide and differs
        return 0


cdef Meanings meanings_of(Facts facts):
    """What a name means, worked out when it is first asked for."""
    if facts.meanings is None:
        facts.meanings = Meanings(facts)
    return <Meanings>facts.meanings


cdef struct Slot:
    uint64_t key  # 0 for an empty one
    double weight


cdef class Evidence:
    """`evidence.PageEvidence`."""

    cdef Slot *slots
    cdef uint64_t mask, used
    cdef readonly double total
    cdef readonly tuple sources  # names with their facts, country and site: of a `PageEvidence`
    cdef dict own  # the meanings of the names that it was gathered from
    cdef bint has_nesting

    def __cinit__(self, list names not None, str country not None, site):
        self.mask = 63
        self.slots = <Slot *>calloc(self.mask + 1, sizeof(Slot))
        if not self.slots:
            raise MemoryError
        self.sources, self.own = (names, country, site), {}
        if country:
            self.total = 1.0
            self.add(country_number(country), OF_COUNTRY, 1.0)
        for name, facts in names:
            self.total += 1.0
            meanings = self.own[name] = meanings_of(facts)
            self.count(meanings, 1.0)
        if site is not None:
            self.add_site(site)

    def __dealloc__(self):
        free(self.slots)

    cdef int add_site(self, site) except -1:
        for country, share in site.countries:
            self.add(country_number(country), OF_COUNTRY, SITE_NAMES * <double>share)
        for region, share in site.regions:
            self.add(region, OF_REGION, SITE_NAMES * <double>share)
        for square, share in site.squares:
            self.add(square, OF_SQUARE, SITE_NAMES * <double>share)
        return 0

    cdef Slot *find(self, int64_t number, Sort sort) noexcept:
        """The slot of a number; an empty one where there is none."""
        cdef uint64_t key = (<uint64_t>number << 3) | <uint64_t>sort
        cdef uint64_t hash = key * <uint64_t>0x9e3779b97f4a7c15
        cdef uint64_t slot = (hash ^ (hash >> 32)) & self.mask
        while self.slots[slot].key and self.slots[slot].key != key:
            slot = (slot + 1) & self.mask
        return &self.slots[slot]

    cdef inline double weight(self, int64_t number, Sort sort) noexcept:
        return self.find(number, sort).weight

    cdef int add(self, int64_t number, Sort sort, double gain) except -1:
        cdef Slot *slot
        if 2 * self.used > self.mask:
            self.grow()
        slot = self.find(number, sort)
        if not slot.key:
            slot.key = (<uint64_t>number << 3) | <uint64_t>sort
            self.used += 1
        slot.weight += gain
        return 0

    cdef int grow(self) except -1:
        """Twice as many slots."""
        cdef Slot *old = self.slots
        cdef uint64_t size = self.mask + 1, slot, place
        cdef Slot *new = <Slot *>calloc(2 * size, sizeof(Slot))
        if not new:
            raise MemoryError
        self.slots, self.mask = new, 2 * size - 1
        for slot in range(size):
            if old[slot].key:
                place = old[slot].key * <uint64_t>0x9e3779b97f4a7c15
                place = (place ^ (place >> 32)) & self.mask
                while new[place].key:
                    place = (place + 1) & self.mask
                new[place] = old[slot]
        free(old)
        return 0

    cdef int count(self, Meanings meanings, double sign) except -1:
        """Put in the shares of a name, or take them out."""
        cdef int number
        cdef Sense *sense
        cdef double gain
        for number in range(meanings.share_count):
            sense = &meanings.senses[meanings.share_options[number]]
            gain = sign * meanings.shares[number]
            if sense.country:
                self.add(sense.country, OF_COUNTRY, gain)
            if sense.region:
                self.add(sense.region, OF_REGION, gain)
            if sense.first_square:
                self.add(sense.first_square, OF_SQUARE, gain)
                self.add(sense.second_square, OF_SQUARE, gain)
        return 0

    cdef int add_nesting(self) except -1:
        """Put in which districts the names may mean, and what they may lie in."""
        cdef Meanings meanings
        cdef int number
        self.has_nesting = True
        for one in self.own.values():
            meanings = one
            for number in range(meanings.count):
                if meanings.senses[number].is_district:
                    self.add(meanings.senses[number].id, OF_DISTRICT, 1.0)
            for number in range(meanings.around_count):
                self.add(meanings.around[number], OF_SURROUNDING, 1.0)
        return 0

    cdef double anywhere(self) noexcept:
        """The most that a country has."""
        cdef double most = 0.0
        cdef bint is_first = True
        cdef uint64_t slot
        for slot in range(self.mask + 1):
            if self.slots[slot].key & 7 == OF_COUNTRY:
                if is_first or self.slots[slot].weight > most:
                    most = self.slots[slot].weight
                is_first = False
        return most

    cdef long company(self, Meanings meanings, bint is_own) noexcept:
        """`believe._company`, and whether there is any."""
        cdef double least = ENOUGH_WITH_OWN if is_own else ENOUGH
        cdef long flags = 0
        cdef bint has_country = False
        cdef Sense *sense
        cdef int number
        if self.total - is_own <= 0:
            return ONLY
        for number in range(meanings.count):
            sense = &meanings.senses[number]
            if self.weight(sense.region, OF_REGION) > least:
                flags |= REGION
            if (
                self.weight(sense.first_square, OF_SQUARE) > least
                or self.weight(sense.second_square, OF_SQUARE) > least
            ):
                flags |= SQUARE
            if self.weight(sense.country, OF_COUNTRY) > least:
                has_country = True
        return flags or (COUNTRY if has_country else STRANGER)


def settle(list spans not None, around, pages, bint prunes):
    """The end of `believe.believe`: the spans that are not hopeless, and the evidence."""
    cdef list kept = []
    cdef dict groups
    cdef Span span
    cdef Facts facts
    cdef PyObject *known
    cdef double change, score
    mark_columns(spans)
    for span in spans:
        if span.score > UNLIKELY or not prunes:
            kept.append(span)
    groups = group(kept)
    mark_repeats(groups)
    evidence = gather(groups, around)
    mark_company(groups, evidence)
    for span in kept:
        facts = span.facts
        key = (facts.sort, span.flags)
        known = PyDict_GetItem(pages, key)
        change = <object>known if known is not NULL else pages[key]
        if change > 0.0 and facts.noun != "0":
            change = 0.0
        score = span.score + change
        span.score = score if not span.floor > score else span.floor
    return kept, evidence


cdef dict group(list spans):
    """`believe.group_by_name`."""
    cdef dict groups = {}
    cdef Span span
    cdef PyObject *known
    for span in spans:
        known = PyDict_GetItem(groups, span.name)
        if known is NULL:
            groups[span.name] = [span]
        else:
            (<list>known).append(span)
    return groups


cdef int mark_columns(list spans) except -1:
    """`believe.mark_columns`."""
    cdef Span above = None, below
    for below in spans:
        if above is not None and below.start - above.end == 1:
            if above.line == "alone" and below.line == "alone":
                if below.score > SURE:
                    above.flags |= COLUMN
                if above.score > SURE:
                    below.flags |= COLUMN
        above = below
    return 0


cdef int mark_repeats(dict groups) except -1:
    """`believe.mark_repeats`."""
    cdef list spans
    cdef Span span
    cdef long flags
    cdef object before
    for spans in groups.values():
        flags = 0
        for span in spans:
            before = span.before
            if before == "first" or before == "initial" or before == "title":
                flags |= PERSON
            elif span.after == "surname":
                flags |= PERSON
            if span.score > SURE_ELSEWHERE and len(spans) > 1:
                flags |= PLACE
        if flags:
            for span in spans:
                span.flags |= flags
    return 0


cdef Evidence gather(dict groups, around):
    """`believe.gather_evidence`."""
    cdef list names = [], spans
    cdef Span span
    cdef object is_repeated = around.is_repeated
    for name, spans in groups.items():
        for span in spans:
            if span.score > 0.0 and not (is_repeated is not None and is_repeated(span.start)):
                names.append((name, span.facts))
                break
    return Evidence(names, around.country, around.site)


cdef int mark_company(dict groups, Evidence evidence) except -1:
    """`believe.mark_company`."""
    cdef list spans
    cdef Span span
    cdef long flags
    for name, spans in groups.items():
        span = spans[0]
        flags = evidence.company(meanings_of(span.facts), name in evidence.own)
        for span in spans:
            span.flags |= flags
    return 0


def close_pairs(list spans not None, Py_ssize_t most, bint mixed=False):
    """Neighbours with at most `most` characters between them; words for people are left out.

    With `mixed` only pairs of different names, of which one may be a town or something wider.
    """
    cdef list found = []
    cdef Span left = None, right
    cdef Facts one, other
    for right in spans:
        if left is not None and right.start - left.end <= most:
            one, other = left.facts, right.facts
            if not one.is_demonym and not other.is_demonym and (
                not mixed
                or (
                    (meanings_of(one).is_mixed or meanings_of(other).is_mixed)
                    and left.name != right.name
                )
            ):
                found.append((left, right))
        left = right
    return found


def areas_said(Facts narrow not None, Facts wide not None):
    """The senses of one name that contain senses of another: `narrow.above & wide.ids`."""
    cdef Meanings inner = meanings_of(narrow), outer = meanings_of(wide)
    cdef int number
    cdef list found = []
    for number in range(outer.count):
        if inner.place_of(outer.senses[number].id) >= 0:
            found.append(outer.senses[number].id)
    return frozenset(found)


def first_kind(Facts facts not None):
    """The kind of the likeliest place of a name."""
    return kinds_in_order[meanings_of(facts).senses[0].kind]


def mixed_spans(list spans not None):
    """The spans of names that may be a town as well as something wider."""
    return [span for span in spans if meanings_of((<Span>span).facts).is_mixed]


cdef class Chooser:
    """`resolve.Chooser`."""

    cdef Evidence evidence
    cdef double explained, same_country, same_region, in_region, same_square, in_square
    cdef double district_named, surrounds, said, listed
    cdef dict inside, of
    cdef double *scores
    cdef uint8_t *is_hit
    cdef int room

    def __cinit__(self, Evidence evidence not None, tuple weights not None):
        self.evidence, self.inside, self.of = evidence, {}, {}
        (
            self.explained, self.same_country, self.same_region, self.in_region, self.same_square,
            self.in_square, self.district_named, self.surrounds, self.said, self.listed,
        ) = weights

    def __dealloc__(self):
        free(self.scores)
        free(self.is_hit)

    def choose(self, str name, Facts facts not None, areas, kinds=None):
        """The place a name means, and how sure that is (0 to 1); None for `kinds` is none."""
        cdef double sureness = 0.0
        cdef Meanings meanings = meanings_of(facts)
        return meanings.place(self.chosen(name, meanings, areas, kinds, &sureness)), sureness

    cdef int chosen(self, str name, Meanings meanings, areas, kinds, double *sureness) except -1:
        """The number of the option."""
        cdef double best, others = 0.0
        cdef int number, chosen
        cdef int64_t region
        sureness[0] = 1.0
        if meanings.count == 1:
            return 0
        self.score(name, meanings, areas)
        if kinds is not None:
            self.add_kinds(meanings, kinds)
        chosen = self.best(meanings)
        best, region = self.scores[chosen], meanings.senses[chosen].region
        for number in range(meanings.count):
            if self.scores[number] > best - NEGLIGIBLE and (
                meanings.senses[number].region != region or not region
            ):
                others += exp(self.scores[number] - best)
        sureness[0] = 1.0 / (1.0 + others - (0.0 if region else 1.0))
        return chosen

    def choose_inside(self, str name, Facts facts not None, areas):
        """The place of the likeliest option of those that lie in one of the areas."""
        cdef Meanings meanings = meanings_of(facts)
        key = (name, areas)
        if key not in self.inside:
            self.score(name, meanings, areas)
            self.inside[key] = meanings.place(self.best_hit(meanings))
        return self.inside[key]

    def choose_of(self, str name, Facts facts not None, ids):
        """The place of the likeliest option of those with one of the ids."""
        cdef Meanings meanings = meanings_of(facts)
        cdef int number
        key = (name, ids)
        if key not in self.of:
            self.score(name, meanings, ())
            for number in range(meanings.count):
                self.is_hit[number] = meanings.senses[number].id in ids
            self.of[key] = meanings.place(self.best_hit(meanings))
        return self.of[key]

    cdef int best(self, Meanings meanings) noexcept:
        cdef int number, chosen = 0
        for number in range(1, meanings.count):
            if self.scores[number] > self.scores[chosen]:
                chosen = number
        return chosen

    cdef int best_hit(self, Meanings meanings) except -1:
        """The best of the options that are marked; there is at least one."""
        cdef int number, chosen = -1
        for number in range(meanings.count):
            if self.is_hit[number] and (chosen < 0 or self.scores[number] > self.scores[chosen]):
                chosen = number
        if chosen < 0:
            raise ValueError("no option is the one that is said")
        return chosen

    cdef int score(self, str name, Meanings meanings, areas) except -1:
        """`resolve.Chooser._scores`; marks the options that lie in one of the areas."""
        cdef Evidence evidence = self.evidence
        cdef int number
        cdef double scale
        cdef object own
        self.make_room(meanings.count)
        for number in range(meanings.count):
            self.is_hit[number] = bool(areas) and self.lies_in(meanings, number, areas)
        if not areas and not self.shares_country(meanings):
            for number in range(meanings.count):
                self.scores[number] = meanings.senses[number].base
            return 0
        own = evidence.own.get(name)
        if own is not None:
            evidence.count(own, -1.0)
        scale = 1.0 / (evidence.total - (own is not None) + SMOOTHING)
        self.add_up(meanings, scale)
        if own is not None:
            evidence.count(own, 1.0)
        self.add_nesting(meanings)
        return 0

    cdef int make_room(self, int count) except -1:
        if count <= self.room:
            return 0
        free(self.scores)
        free(self.is_hit)
        self.room = 0
        self.scores = <double *>calloc(2 * count, sizeof(double))
        self.is_hit = <uint8_t *>calloc(2 * count, sizeof(uint8_t))
        if not (self.scores and self.is_hit):
            raise MemoryError
        self.room = 2 * count
        return 0

    cdef bint lies_in(self, Meanings meanings, int number, areas) except -1:
        cdef int entry
        cdef Sense *sense = &meanings.senses[number]
        for entry in range(sense.first_above, sense.end_above):
            if meanings.above[entry] in areas:
                return True
        return False

    cdef bint shares_country(self, Meanings meanings) noexcept:
        cdef int number
        for number in range(meanings.count):
            if self.evidence.find(meanings.senses[number].country, OF_COUNTRY).key:
                return True
        return False

    cdef int add_up(self, Meanings meanings, double scale) noexcept:
        """`resolve.Chooser._sums`."""
        cdef Evidence evidence = self.evidence
        cdef int number
        cdef Sense *sense
        cdef Slot *country
        cdef double score, weight, other
        for number in range(meanings.count):
            sense = &meanings.senses[number]
            score = sense.base
            if self.is_hit[number]:
                score += self.explained
            country = evidence.find(sense.country, OF_COUNTRY)
            if country.key:
                score += self.same_country * country.weight * scale
                weight = evidence.weight(sense.region, OF_REGION)
                if weight > NONE:
                    score += self.same_region * weight * scale + self.in_region * log(1.0 + weight)
                weight = evidence.weight(sense.first_square, OF_SQUARE)
                other = evidence.weight(sense.second_square, OF_SQUARE)
                weight = other if other > weight else weight
                if weight > NONE:
                    score += self.same_square * weight * scale + self.in_square * log(1.0 + weight)
            elif sense.is_wide:
                score += self.same_country * evidence.anywhere() * scale
            self.scores[number] = score
        return 0

    cdef int add_nesting(self, Meanings meanings) except -1:
        """`resolve.Chooser._add_nesting`."""
        cdef Evidence evidence = self.evidence
        cdef int number, entry, place
        cdef Sense *sense
        if not evidence.has_nesting:
            evidence.add_nesting()
        for number in range(meanings.count):
            sense = &meanings.senses[number]
            for entry in range(sense.first_above, sense.end_above):
                place = meanings.places[entry]
                if place >= 0 and not meanings.is_district[place]:
                    if evidence.find(meanings.above[entry], OF_DISTRICT).key:
                        self.scores[number] += self.district_named
                        break
            if not sense.is_around and evidence.find(sense.id, OF_SURROUNDING).key:
                self.scores[number] += self.surrounds
        return 0

    cdef int add_kinds(self, Meanings meanings, kinds) except -1:
        cdef int number
        cdef object said, listed, kind
        said, listed = kinds
        for number in range(meanings.count):
            kind = kinds_in_order[meanings.senses[number].kind]
            if kind in said:
                self.scores[number] += self.said
            if kind in listed:
                self.scores[number] += self.listed
        return 0


cdef double probability(double score) noexcept:
    """`linear_models.probability`."""
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, score))))


def possible(list spans not None):
    """The spans that are looked at any further."""
    return [span for span in spans if (<Span>span).score > POSSIBLE]


def resolved(str text not None, list spans not None, dict explained not None, Chooser chooser not None, dict kinds not None):
    """`find._resolved`: the convincing spans as mentions, not yet in order."""
    cdef list found = [], same
    cdef Span span
    cdef Facts facts
    cdef double sureness, confidence
    cdef object areas, usual, place, kind
    cdef frozenset nowhere = frozenset()
    for name, same in group(spans).items():
        facts = (<Span>same[0]).facts
        areas = explained.get(name, nowhere)
        usual, sureness = chooser.choose(name, facts, areas, kinds.get(name))
        kind = MentionKind.DEMONYM if facts.is_demonym else MentionKind.PLACE
        for span in same:
            place = usual
            if span.ids:
                place = chooser.choose_of(name, facts, span.ids)
            elif span.areas and span.areas != areas:
                place = chooser.choose_inside(name, facts, span.areas)
            confidence = probability(span.score) * (1.0 if span.ids else sureness)
            if confidence > CONVINCING:
                found.append(
                    Mention(
                        span.start, span.end, text[span.start : span.end], kind, place,
                        confidence,
                    )
                )
    return found
