"""Addresses that end in "Town Postcode": New Zealand, South Africa, Ireland, India, Brazil.

The postcode is the trigger, and the town stands before it; names of a state, a county or the
country may stand between them. It must be a town that can have such a postcode. The street is
what the walk to the left finds.

Where no table of postcodes is shipped, their first digits say the state or province
(`PostalAreas`). So a town that is in the right one, and the postcode behind it, confirm each
other, as a table would do, if less sharply.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice

from msgspec import Struct

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address import towns
from geoscout_places.geo.address.base import Finding, Sighting, Street, StreetEvidence, Town
from geoscout_places.geo.address.segments import (
    Grammar,
    Segment,
    find_street,
    leftward,
    segment_words,
)
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Kind, Place, Point

_LONGEST_TOWN = 4  # words
_MOST_SEGMENTS = 4  # from the postcode to the town: country, state, and one that is unknown
_WORD_BEFORE = lazy_pattern(r"([^\W\d_][\w.'’-]*)[\s,.()–-]{1,4}$")
_LONGEST_WORD = 24
_NEAR = 48  # code points before a postcode in which its town is
_LONG_LINE = 36  # code points before a postcode
_MONTHS = frozenset(
    """january february march april may june july august september october november december jan
    feb mar apr jun jul aug sep sept oct nov dec""".split()
)
_YEARS = ("18", "19", "20")
_NO_MARK = lazy_pattern(r"(?!)")

TownFinder = Callable[[str], Place | None]


class TownFirst(Struct, frozen=True, eq=False):
    """A country that writes the town before the postcode."""

    find_street: Callable[[Iterator[Segment]], Street | None]  # in segments from right to left
    between: re.Pattern[str]  # a whole segment between town and postcode; a region is a group
    own_name: re.Pattern[str]  # the country's name behind the postcode
    # What a street must be at least if the country's name is not there.
    least: StreetEvidence = StreetEvidence.UNNUMBERED
    unknown: int = 0  # segments of no known kind between town and postcode
    mark: re.Pattern[str] = _NO_MARK  # what the post adds to a town: "Dublin 2"


class CodeBehind(Struct, frozen=True):
    """A postcode, and how towns are found that can have it."""

    start: int
    end: int
    code: str  # as it is written, "" for none
    find_town: TownFinder
    is_marked: bool = False  # as a postcode, so no street is needed: "CEP 01310-100"
    point: Callable[[Place], Point | None] = lambda _place: None


def walking(grammar: Grammar) -> Callable[[Iterator[Segment]], Street | None]:
    """How streets of this grammar are found: by the walk to the left."""
    return partial(find_street, grammar=grammar)


def read_town_first(sighting: Sighting, country: TownFirst, code: CodeBehind) -> Finding | None:
    """The address that ends in the postcode."""
    nearest = nearest_segment(sighting, code.start)
    if nearest is None or not (country.unknown or _may_be_near(nearest, country, code.find_town)):
        return None
    segments = leftward(sighting.text, sighting.leftmost, code.start)
    region, town, rest = _read_town(segments, country, code.find_town)
    if town is None or town.place is None:
        return None
    street = country.find_street(chain(rest, segments))
    is_told = code.is_marked or country.own_name.match(sighting.text, code.end) is not None
    if not is_told and not _is_street_enough(street, country.least, code.code):
        return None
    start = min(town.start, street.start) if street else town.start
    point = code.point(town.place)
    return Finding(start, code.end, street, town, region, postcode=code.code, point=point)


def nearest_segment(sighting: Sighting, start: int) -> Segment | None:
    """The segment right before a position; cheap, for most numbers have no town before them."""
    first = max(sighting.leftmost, start - _NEAR)
    return next(leftward(sighting.text, first, start), None)


def _may_be_near(nearest: Segment, country: TownFirst, find: TownFinder) -> bool:
    if country.between.fullmatch(nearest.text):
        return True
    mark = country.mark.search(nearest.text)
    return town_at_end(nearest.part(0, mark.start()) if mark else nearest, find) is not None


def may_be_code(sighting: Sighting) -> bool:
    """Whether a name stands before the number: the cheap test that most years fail."""
    start = sighting.start
    word = _WORD_BEFORE.search(sighting.text, max(0, start - _LONGEST_WORD), start)
    if word is None or word[1].lower().rstrip(".") in _MONTHS:
        return False
    # A town in lower case is believed in lines that have no capitals at all.
    return word[1][0].isupper() or sighting.text[max(0, start - _LONG_LINE) : start].islower()


def _is_street_enough(street: Street | None, least: StreetEvidence, code: str) -> bool:
    """Whether the street is proof; more is asked for where the postcode may be a year."""
    evidence = street.evidence if street else StreetEvidence.NONE
    is_year = len(code) == 4 and code.startswith(_YEARS)
    if is_year:
        return evidence >= StreetEvidence.LIKELY
    return evidence >= least or evidence is StreetEvidence.BOX


def _read_town(
    segments: Iterator[Segment], country: TownFirst, find: TownFinder
) -> tuple[str, Town | None, list[Segment]]:
    """The region, the town, and what is left of the town's segment."""
    region, unknown = "", 0
    for segment in islice(segments, _MOST_SEGMENTS):
        if match := country.between.fullmatch(segment.text):
            region = next(filter(None, match.groups()), region)
            continue
        mark = country.mark.search(segment.text)
        if found := town_at_end(segment.part(0, mark.start()) if mark else segment, find):
            town, rest = found
            return region, town, [rest] if rest.text else []
        unknown += 1
        if unknown > country.unknown or len(segment.text.split()) > _LONGEST_TOWN:
            break
    return region, None, []


def town_at_end(segment: Segment, find: TownFinder) -> tuple[Town, Segment] | None:
    """The longest name this segment ends in that is a town, and what stands before it."""
    for word in segment_words(segment.text)[-_LONGEST_TOWN:]:
        name = segment.text[word.start :].rstrip(" .-–")
        is_name = name[:1].isupper() or segment.text.islower()
        if not is_name or any(map(str.isdigit, name)):
            continue
        if place := find(name):
            start = segment.start + word.start
            town = Town(start, start + len(name), name, place, is_proven=True)
            return town, segment.part(0, word.start)
    return None


class PostalAreas:
    r"""The regions of a country by the beginnings of its postcodes.

    A line of the table is the first code of an area, which ends where the next begins, and its
    regions as the gazetteer names them, with bars; none where no code is.

    >>> areas = PostalAreas("ZA", "0001 Gauteng\n0300 Gauteng|North West\n0500 Limpopo")
    >>> sorted(areas.regions_of("0450")), areas.regions_of("0000")
    (['Gauteng', 'North West'], frozenset())
    """

    def __init__(self, country: str, table: str) -> None:
        rows = [line.strip().partition(" ") for line in table.strip().splitlines()]
        self.country, self._starts = country, [start for start, _, _ in rows]
        self.regions = [frozenset(filter(None, names.split("|"))) for _, _, names in rows]

    def regions_of(self, code: str) -> frozenset[str]:
        """The regions a code may lie in; empty if there is no such code."""
        index = bisect_right(self._starts, code) - 1
        return self.regions[index] if index >= 0 else frozenset()

    def town_of(self, gazetteer: Gazetteer, name: str, code: str) -> Place | None:
        """The likeliest town of this name in the area of the code."""
        regions = self.regions_of(code)
        for place in towns.settlements(gazetteer, name, self.country) if regions else ():
            if any(a.kind is Kind.REGION and a.name in regions for a in gazetteer.ancestors(place)):
                return place
        return None
