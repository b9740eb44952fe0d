"""Cutting the text around a trigger into segments, and walking left from a town to its street.

An address is written on several lines, or on one with commas, bars or bullets; table cells and
list items are lines here. All of these become the same thing, a segment, so that no format has to
know which of them its page uses.

Between the street and the town stand doors, cross streets, neighbourhoods, buildings and link
labels. The walk steps over a few of those and gives up at anything else, so that a street of one
paragraph is not married to the town of another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.geo.address.base import Street, StreetEvidence
from geoscout_places.geo.lazy_patterns import lazy_pattern

# A dash separates only between spaces, and not between numbers ("35 - 37"); a colon only before
# a space ("Address: 12 Main St"), and not in "No: 12". The class comes first, and what else must
# hold behind it, so that the engine looks at nothing but separators.
_SEPARATOR = lazy_pattern(
    r"[\n\r\t,;|¦•·∙●▪■◦‣►▸→~☎✆✉©®()\[\]{}<>\"“”„»«:–—-]"
    r"(?:(?<![:–—-])|(?<=:)(?<!\bNo:)(?<!\bno:)(?<!\bNr:)(?=\s)"
    r"|(?<=\s[–—-])(?=\s)(?!(?<=[0-9]\s.)\s[0-9]))"
)
_WORD = lazy_pattern(r"\S+")


class Segment(Struct, frozen=True):
    """A piece of text between two separators."""

    start: int  # code points into the text
    end: int
    text: str
    before: str  # the separator in front of it, "" at the start of the stretch
    after: str  # the separator behind it

    @property
    def is_bracketed(self) -> bool:
        return self.before == "(" and self.after == ")"

    def part(self, start: int, end: int) -> Segment:
        """The segment without what is outside these offsets, which count from its own start."""
        whole = self.text[start:end]
        text = whole.strip()
        first = self.start + start + len(whole) - len(whole.lstrip())
        before = self.before if start == 0 else " "
        after = self.after if end >= len(self.text) else " "
        return Segment(first, first + len(text), text, before, after)


def whole_street(segment: Segment, evidence: StreetEvidence) -> Street:
    """A street, or what stands in place of one, that fills its segment and has no number."""
    return Street(segment.start, segment.end, "", segment.text, "", evidence=evidence)


class AddressWord(NamedTuple):
    """A word and its place in its segment; `key` is what it is compared by."""

    start: int
    end: int
    text: str
    key: str


def leftward(text: str, start: int, end: int) -> Iterator[Segment]:
    """The segments of a stretch of text, from right to left.

    >>> [s.text for s in leftward("12 Main St (at 5th), Old Town | Lake-City; IL", 0, 45)]
    ['IL', 'Lake-City', 'Old Town', 'at 5th', '12 Main St']
    """
    after, last = "", end
    for match in reversed(list(_SEPARATOR.finditer(text, start, end))):
        first = match.end()
        if content := text[first:last].strip():
            at = text.index(content, first)
            yield Segment(at, at + len(content), content, _before(text, match, start), after)
            after = match.group()
        elif match.group() != "\n" or not after:
            after = match.group()
        last = match.start()
    if content := text[start:last].strip():
        at = text.index(content, start)
        yield Segment(at, at + len(content), content, "", after)


def _before(text: str, match: re.Match[str], start: int) -> str:
    """The separator before a segment; of several in a row the line break tells most."""
    separator = match.group()
    position = match.start()
    while separator != "\n" and position > start and text[position - 1] in " ,\n":
        position -= 1
        if text[position] == "\n":
            return "\n"
    return separator


@lru_cache(maxsize=4096)
def segment_words(text: str) -> tuple[AddressWord, ...]:
    """The words of a segment, with their lower-case forms free of final punctuation.

    >>> [word.key for word in segment_words("255 Courtland St. N.E.")]
    ['255', 'courtland', 'st', 'ne']
    """
    return tuple(
        [
            AddressWord(match.start(), match.end(), match.group(), _key(match.group()))
            for match in _WORD.finditer(text)
        ]
    )


def _key(word: str) -> str:
    key = word.strip(".,:;'’\"").lower()
    return key.replace(".", "") if len(key) <= 6 else key


StreetReader = Callable[[Segment], Street | None]
PairReader = Callable[[Segment, Segment], Street | None]

# Mail, links, telephone numbers, prices and the border of two sentences are in no address.
_FOREIGN = lazy_pattern(
    r"@|www\.|https?:|[0-9][\s./-]?[0-9]{2,4}[\s./-][0-9]{3}|[$€£]|[a-zäöüé]{4}[.!?]\s[A-ZÄÖÜ]"
)
_MOST_STEPS = 4
_LONGEST_STEP = 60


def _nothing(_segment: Segment) -> None:
    return None


def _never(_segment: Segment) -> bool:
    return False


class Grammar(Struct, frozen=True, eq=False):
    """How a country writes street lines; all but the street itself may be left out."""

    read_street: StreetReader  # with a number
    read_unnumbered: StreetReader = _nothing
    read_box: StreetReader = _nothing  # of a post office
    read_pair: PairReader = lambda _left, _right: None  # number and name parted by a comma
    read_direction: Callable[[Segment], tuple[str, str]] = lambda _segment: ("", "")
    is_unit: Callable[[Segment], bool] = _never  # a door on a line of its own
    is_named_unit: Callable[[Segment], bool] = _never  # a door before the street: "Flat 2"
    # Segments of no known kind that may stand between the town and a street, with a number and
    # without one.
    most_strangers: int = 4
    unnumbered_strangers: int = 0
    # How many of them there may be before a name that nothing but its number tells from others.
    bare_strangers: int = 0
    # First words of what says where a street is: "near the station". Any other segment that
    # begins in lower case is the middle of a sentence.
    position_words: frozenset[str] = frozenset()


def combined(*grammars: Grammar, strangers: int = 1) -> Grammar:
    """The grammar of a country with several languages: of all readings the surest."""

    def is_unit(segment: Segment) -> bool:
        return any(grammar.is_unit(segment) for grammar in grammars)

    def surest(name: str) -> Callable[..., Street | None]:
        readers: list[Callable[..., Street | None]] = [getattr(g, name) for g in grammars]

        def read(*segments: Segment) -> Street | None:
            if len(segments) == 1 and is_unit(segments[0]):
                return None  # what one language takes for a bare name is a door in another
            found = [street for reader in readers if (street := reader(*segments))]
            return max(found, key=lambda street: street.evidence, default=None)

        return read

    return Grammar(
        read_street=surest("read_street"),
        read_unnumbered=surest("read_unnumbered"),
        read_box=surest("read_box"),
        read_pair=surest("read_pair"),
        is_unit=is_unit,
        most_strangers=strangers,
    )


def is_foreign(segment: Segment) -> bool:
    """Whether it holds what is in no address: mail, a link, a telephone number, a price."""
    return _FOREIGN.search(segment.text) is not None


def find_street(segments: Iterator[Segment], grammar: Grammar) -> Street | None:
    """The street nearest to where the walk begins; None when there is none in reach.

    The segments come from right to left.
    """
    walk = _Walk(grammar)
    segment = next(segments, None)
    while segment is not None and not walk.is_over:
        left = next(segments, None)
        street = walk.step(segment, left)
        if street is not None:
            return _with_unit_before(street, segment, left, grammar)
        segment = left
    return walk.fallback


def _with_unit_before(
    street: Street, segment: Segment, left: Segment | None, grammar: Grammar
) -> Street:
    """The street with the door that stands before it: "Suite 900, 123 Main St"."""
    if street.unit or grammar.is_named_unit is _never:
        return street
    before = segment.part(0, max(0, street.start - segment.start))
    if not before.text and left and segment.before in (",", "\n"):
        before = left
    if not before.text or not grammar.is_named_unit(before):
        return street
    return replace(street, start=before.start, unit=before.text)


class _Walk:
    """What was seen so far, from right to left.

    What must stay true after each step: everything between the town and the segment to come is a
    door, a direction, in brackets, a weaker street kept as `fallback`, or counted in `_strangers`.
    Strangers only become more, so belief only sinks: a bare number and name counts right next to
    the town, a building's name behind one stranger, a typed street until the walk is over. Hence
    the first street that is believed is the answer, and `fallback` needs to keep only the best of
    the weaker ones, the nearest of equals. Doors are met in the wrong order, so each goes to the
    front of `_units`. Only a stranger can end the walk; how far it may go over doors and brackets
    is bounded by the text that `leftward` gives.
    """

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.is_over = False
        self.fallback: Street | None = None  # a box or a street without number
        self._steps = 0
        self._strangers = 0  # segments stepped over that are neither door nor bracketed
        self._units: list[str] = []
        self._direction = ""

    def step(self, segment: Segment, left: Segment | None) -> Street | None:
        """The street in the segment; otherwise takes note of what it is."""
        is_parted = left is not None and segment.before == ","
        if left and is_parted and (pair := self.grammar.read_pair(left, segment)):
            return self._completed(pair)
        street = self.grammar.read_street(segment)
        if street and not segment.is_bracketed and self._is_believable(street):
            return self._completed(street)
        self._steps += 1
        direction, unit = self.grammar.read_direction(segment)
        if direction:
            self._direction = direction
            self._units.insert(0, unit)
        elif self.grammar.is_unit(segment):
            self._units.insert(0, segment.text)
        elif segment.is_bracketed:
            self._note_bracketed(street)
        elif not self._is_fallback(segment):
            self._strangers += 1
            self.is_over = self._is_end(segment)
        return None

    def _note_bracketed(self, street: Street | None) -> None:
        """A cross street as a rule, and the street itself only where no other is found."""
        if street and street.evidence is StreetEvidence.TYPED and self.fallback is None:
            self.fallback = street

    def _is_believable(self, street: Street) -> bool:
        if street.evidence is StreetEvidence.BARE:
            return self._strangers <= self.grammar.bare_strangers
        is_building = street.evidence is StreetEvidence.BUILDING
        return not is_building or self._strangers <= self.grammar.bare_strangers + 1

    def _is_fallback(self, segment: Segment) -> bool:
        found = self.grammar.read_box(segment)
        if found is None and self._strangers <= self.grammar.unnumbered_strangers:
            found = self.grammar.read_unnumbered(segment)
        if found and (self.fallback is None or found.evidence > self.fallback.evidence):
            self.fallback = found
        return found is not None

    def _is_end(self, segment: Segment) -> bool:
        first = segment.text.split(None, 1)[0].rstrip(".,")
        return (
            (first[:1].islower() and first not in self.grammar.position_words)
            or self._steps > _MOST_STEPS
            or self._strangers > self.grammar.most_strangers
            or len(segment.text) > _LONGEST_STEP
            or is_foreign(segment)
        )

    def _completed(self, street: Street) -> Street:
        if not self._direction and not self._units:
            return street
        name = f"{street.name}, {self._direction}" if self._direction else street.name
        units = [unit for unit in (street.unit, *self._units) if unit]
        return replace(street, name=name, unit=", ".join(units))
