"""Streets, houses and landmarks in queries: "near 100 Milam Street, Houston, TX".

The address formats of the geoparser find addresses that have a house number. A street without one,
or with nothing between it and its town, is found here: after a preposition, or at the beginning.

Where it is a geocoder knows best, if the settings name one; else a street table that the user has
imported; else the pages of the crawl; else only the town is known, and the answer says so. The
gazetteer has no streets, but a crawl of a town has thousands of its addresses: where a page states
coordinates next to its one address, the house is known; else at least its postal code.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import median

from geoscout.geocode import AskingLimits, Geocoder
from geoscout.index.base import Index, KnownSpot, Spot
from geoscout.index.schema import house_key, landmark_key, street_key
from geoscout.search.places import PlaceChoice, PlaceChooser
from geoscout.search.query_words import TOKEN
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address.english_streets import ENGLISH
from geoscout_places.geo.address.german_streets import GERMAN
from geoscout_places.geo.structured import NUMBER_FIRST, StreetLine, split_street
from geoscout_places.language import merge
from geoscout_places.model import Address, Kind, Place, Point, Precision

QUERY_LIMITS = AskingLimits(seconds=1.0)
_LONGEST_STREET, _LONGEST_ADDRESS = 6, 14  # words, with commas
_LONGEST_OWN = 4  # words of a street without a town
_TOWNS_LOOKED_AT = 30  # of a name
_NUMBER = re.compile(r"\d{1,5}[a-z]?", re.IGNORECASE)
_ORDER = tuple(Precision)  # the exact ones first
_IN_ONE_TOWN = 0.5  # of what pages tell of a street must be more than this, if no town is named
_FARTHEST_KM = 30.0  # that spots of one street may be apart, for its middle to mean something
_GERMAN_ENDINGS = tuple({fold(ending) for ending in GERMAN.certain_endings})
_LEADING_TYPES = merge(lambda language: language.streets.get("leading_types", ()))
_LEADING = frozenset(fold(word) for word in (*_LEADING_TYPES, *GERMAN.certain_leading))
_TYPES = frozenset(fold(word) for word in ENGLISH.street_types)
_DIRECTIONS = frozenset(fold(word) for word in ENGLISH.directions)


@dataclass(frozen=True, slots=True)
class StreetQuery:
    """A street or house in a query."""

    name: str  # with its number, as it is written
    line: StreetLine
    town: str  # as it is written, with qualifiers
    start: int  # code points into the text
    end: int
    address: Address | None = None  # that an address format has found


@dataclass(frozen=True, slots=True)
class StreetSearch:
    """Where the street of a query is."""

    point: Point
    precision: Precision
    note: str = ""  # what the user should know
    key: str = ""  # by which the index finds the pages with this very house or street


class StreetFinder:
    """Finds the street of one query."""

    def __init__(self, text: str, chooser: PlaceChooser) -> None:
        self._text, self._chooser = text, chooser
        found = list(TOKEN.finditer(text))
        self._tokens = [token[0] for token in found]
        self._starts = [token.start() for token in found]

    def find(self, beginnings: Iterable[tuple[int, int]]) -> StreetQuery | None:
        """An address, or the first street that begins after a preposition or at the beginning.

        `beginnings` are the tokens where the preposition and what follows it begin.
        """
        has_number = any(map(str.isdigit, self._text))
        found = find_address(self._text, self._chooser.gazetteer) if has_number else None
        if found is not None or not (self._may_have_street() or (has_number and "," in self._text)):
            return found
        spans = (self._from(at, first) for at, first in beginnings)
        return next((found for found in spans if found), None)

    def _may_have_street(self) -> bool:
        """Whether it is worth to look at every part: most queries have no word of a street."""
        words = fold(self._text).split() if self._tokens else []
        has_table = bool(words) and self._chooser.gazetteer.has_streets
        return has_table or any(map(may_be_in_street, words))

    def _from(self, at: int, first: int) -> StreetQuery | None:
        """The street that begins at a token, if the rest of the query is its town."""
        tokens = self._tokens[first:]
        if len(tokens) > _LONGEST_ADDRESS:
            return None
        for text, town in _splits(tokens):
            line = split_street(text)
            begin, street = _without_word(0, line.street)
            line, name = StreetLine(line.house_number, street, line.unit), text[begin:]
            if line.street and self._is_street(line, town, is_sure=at < first or "," in tokens):
                if self._chooser.choose(_joined(tokens), is_explicit=True):
                    return None  # all of it is the name of a place
                start = self._starts[first] + begin if begin else self._starts[at]
                return StreetQuery(name, line, town, start, len(self._text))
        return None

    def _is_street(self, line: StreetLine, town: str, *, is_sure: bool) -> bool:
        """Whether it reads like a street, or a street table has it.

        Without a preposition, comma or number a table can tell, or a town in the region of the
        crawl that is all the rest: not "high street fashion Berlin".
        """
        if looks_like_street(line.street):
            choices = self._chooser.choose(town, is_explicit=True)
            if is_sure or line.house_number:
                return bool(choices)
            if self._chooser.is_at_home(choices):
                return True
        if line.house_number and "," in self._tokens and line.street[:1].isupper():
            choices = self._chooser.choose(town, is_explicit=True)  # "Damrak 66, Amsterdam"
            return bool(choices) and choices[0].place.country not in NUMBER_FIRST
        if not self._chooser.gazetteer.has_streets:
            return False
        in_table = self._chooser.gazetteer.is_street
        named = self._chooser.gazetteer.search(town)[:_TOWNS_LOOKED_AT]
        if not any(in_table(line.street, candidate.place) for candidate in named):
            return False  # choosing takes longer than that
        choices = self._chooser.choose(town, is_explicit=False)
        return bool(choices) and in_table(line.street, choices[0].place) is True


def find_address(text: str, gazetteer: Gazetteer) -> StreetQuery | None:
    """The first address with a street in the text of a query."""
    # imported late: most queries have no number, and the formats take a while to compile
    from geoscout_places.geo.address import extract_addresses  # noqa: PLC0415

    found = next((a for a in extract_addresses(text, gazetteer) if a.street), None)
    if found is None:
        return None
    start, street = _without_word(found.start, found.street)
    line = StreetLine(found.house_number, street, found.unit)
    name = text[start : found.end].partition(",")[0].strip()
    town = f"{found.city}, {found.region}" if found.region else found.city
    return StreetQuery(name, line, town, start, found.end, address=found)


def _without_word(start: int, street: str) -> tuple[int, str]:
    """Without a word before a street that is written as none of it: "café Hauptstraße"."""
    first, _, rest = street.partition(" ")
    is_word = first.islower() and rest[:1].isupper() and looks_like_street(rest)
    is_word = is_word and fold(first) not in _LEADING
    return (start + len(first) + 1, rest) if is_word else (start, street)


def towns_of(street: StreetQuery, chooser: PlaceChooser) -> list[PlaceChoice]:
    """The towns that may be meant, the likeliest first; a postal code leaves no choice."""
    address, found = street.address, chooser.choose(street.town, is_explicit=True)
    if address is None or address.place is None:
        return found
    given = PlaceChoice(address.place, 0.0, chooser.index.pages_at(address.place.id))
    if address.postcode:
        return [given]
    is_among = any(choice.place.id == address.place.id for choice in found)
    return found if is_among else [given, *found]


def _splits(tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The ways to split tokens into a street and its town, the longest street first."""
    for cut in range(min(len(tokens) - 1, _LONGEST_STREET), 0, -1):
        street, town = list(tokens[:cut]), _joined(tokens[cut:])
        if town and not {",", ";"} & set(street):
            yield " ".join(street), town


def _joined(tokens: Sequence[str]) -> str:
    text = " ".join(tokens).replace(" ,", ",").replace(" ;", ",")
    return text.strip(" ,;?!.")


@lru_cache(maxsize=4096)
def may_be_in_street(word: str) -> bool:
    """Whether a word makes a street of those around it, or is one."""
    folded = fold(word)
    is_whole = folded in _TYPES or folded in _LEADING or folded in ENGLISH.standing_alone
    return is_whole or folded.endswith(_GERMAN_ENDINGS)


def looks_like_street(street: str) -> bool:
    """Whether a name has the form of a street's.

    >>> [looks_like_street(name) for name in ("Milam St", "5th Ave", "rue de Rivoli", "Broadway")]
    [True, True, True, True]
    >>> [looks_like_street(name) for name in ("Lindenstr.", "street food", "Hyde Park", "Avenue")]
    [True, False, False, False]
    """
    words = fold(street).split()
    if words and words[-1] in _DIRECTIONS:
        del words[-1]
    if len(words) == 1:
        stem = next((e for e in _GERMAN_ENDINGS if words[0].endswith(e)), "")
        return words[0] in ENGLISH.standing_alone or (bool(stem) and words[0] != stem)
    return bool(words) and (
        words[-1] in _TYPES or words[0] in _LEADING or words[-1].endswith(_GERMAN_ENDINGS)
    )


@dataclass(frozen=True, slots=True)
class OwnSpot:
    """Where something is by the pages of the crawl."""

    key: str  # by which the index finds the pages that give it
    spot: Spot | None  # None where no page tells
    place_id: int  # its town


@dataclass(frozen=True, slots=True)
class OwnStreet:
    """A part of a query that is a street or house which pages give."""

    start: int  # tokens
    end: int
    found: OwnSpot
    is_house: bool  # False: no page has the number


class OwnSpots:
    """Asks one index for the houses, streets and landmarks that its pages give."""

    def __init__(self, index: Index, gazetteer: Gazetteer) -> None:
        self._index, self._gazetteer = index, gazetteer

    def house(self, street: str, number: str, town: Place) -> OwnSpot | None:
        """A house in a town, else its street; None where no page has either there."""
        keys = (house_key(street, number), street_key(street))
        found = (
            self._at(key, (r for r in self._rows(key) if self._is_in(r, town))) for key in keys
        )
        return next((one for one in found if one), None)

    def landmark(self, name: str) -> OwnSpot | None:
        """Something with a name that pages state the coordinates of; None for none."""
        key = landmark_key(name)
        return self._at(key, self._rows(key))

    def street_in(self, tokens: Sequence[str]) -> OwnStreet | None:
        """The first street or house of a query that names no town, if pages have it in one town."""
        for start, end, street, number in _streets_in(tokens):
            key = house_key(street, number) if number else ""
            is_house = bool(key) and self._index.is_known(key)
            if not is_house:
                key = street_key(street) if looks_like_street(street) else ""
            if found := self._in_one_town(key):
                return OwnStreet(start, end, found, is_house)
        return None

    def _in_one_town(self, key: str) -> OwnSpot | None:
        rows = self._rows(key)
        towns = Counter(row.place_id for row in rows if row.place_id)
        for town, count in towns.most_common(1):
            if count > _IN_ONE_TOWN * len(rows):
                return self._at(key, (row for row in rows if row.place_id == town))
        return None

    def _rows(self, key: str) -> list[KnownSpot]:
        return self._index.known_spots(key) if key and self._index.is_known(key) else []

    def _is_in(self, known: KnownSpot, town: Place) -> bool:
        place = self._gazetteer.place(known.place_id) if known.place_id else None
        return place is not None and (place.id == town.id or self._gazetteer.is_inside(place, town))

    def _at(self, key: str, known: Iterable[KnownSpot]) -> OwnSpot | None:
        """What the surest rows tell: the spot in their middle."""
        rows = list(known)
        if not rows:
            return None
        spots = [row.spot for row in rows if row.spot]
        best = min((_ORDER.index(spot.precision) for spot in spots), default=0)
        middle = _middle([spot for spot in spots if _ORDER.index(spot.precision) == best])
        return OwnSpot(key, middle, rows[0].place_id)


def _middle(spots: Sequence[Spot]) -> Spot | None:
    """The spot in the middle of some; None where they are too far apart to be one thing."""
    if not spots:
        return None
    latitude = median(spot.point.latitude for spot in spots)
    center = Point(latitude, median(spot.point.longitude for spot in spots))
    nearest = min(spots, key=lambda spot: distance_km(center, spot.point))
    is_near = [distance_km(nearest.point, spot.point) <= _FARTHEST_KM for spot in spots]
    return nearest if sum(is_near) > len(spots) / 2 else None


def _streets_in(tokens: Sequence[str]) -> Iterator[tuple[int, int, str, str]]:
    """What may be a street in a query: tokens from and to, its name, its number or "".

    With a number first, before or behind the street; the longest first.
    """
    numbers = [at for at, token in enumerate(tokens) if _NUMBER.fullmatch(token)]
    for size in range(_LONGEST_OWN, 0, -1):
        for at in numbers:
            if at >= size:
                yield at - size, at + 1, " ".join(tokens[at - size : at]), tokens[at]
            if at + size < len(tokens):
                yield at, at + size + 1, " ".join(tokens[at + 1 : at + 1 + size]), tokens[at]
    if any(map(may_be_in_street, tokens)):  # most queries have no such word
        for size in range(_LONGEST_OWN, 0, -1):
            for start in range(len(tokens) - size + 1):
                yield start, start + size, " ".join(tokens[start : start + size]), ""


class StreetLocator:
    """Finds where streets are."""

    def __init__(self, gazetteer: Gazetteer, own: OwnSpots, geocoder: Geocoder | None) -> None:
        self._gazetteer, self._geocoder, self.own = gazetteer, geocoder, own

    def locate(self, query: StreetQuery, town: Place) -> StreetSearch:
        """The house, else the street, else its postal code, else the town."""
        line = query.line
        own = self.own.house(line.street, line.house_number, town)
        found = self._by_tables(query, town) or _by_pages(query, own)
        found = found or StreetSearch(town.point, Precision.TOWN, self._why_town(query, town))
        if own and line.house_number and own.key == street_key(line.street):
            no_house = f"no page has the number of {query.name}"
            found = replace(found, note="; ".join(filter(None, (no_house, found.note))))
        return replace(found, key=own.key) if own else found

    def _by_tables(self, query: StreetQuery, town: Place) -> StreetSearch | None:
        """By the geocoder or a street table."""
        number, street = query.line.house_number, query.line.street
        asked = self._address_in(query, town)
        spot = self._geocoder.locate(asked, QUERY_LIMITS) if self._geocoder else None
        if spot and (spot.precision is Precision.HOUSE or not number):
            return StreetSearch(spot.point, spot.precision)
        point = self._gazetteer.street_point(street, number, town) or (spot.point if spot else None)
        if point is None:
            return None
        note = f"house {number} itself is not known; searched near its part of {street}"
        return StreetSearch(point, Precision.STREET, note if number else "")

    def _address_in(self, query: StreetQuery, town: Place) -> Address:
        """The address as a geocoder is asked for it, in the town that was chosen."""
        given, line = query.address, query.line
        above = self._gazetteer.ancestors(town)
        region = next((place.name for place in above if place.kind is Kind.REGION), "")
        postcode = ""
        if given is not None and given.place is not None and given.place.id == town.id:
            region, postcode = given.region, given.postcode
        return Address(
            0, 0, query.name, line.house_number, line.street,
            unit=line.unit, city=town.name, region=region, postcode=postcode, country=town.country,
            point=None, place=town, source="query",
        )  # fmt: skip

    def _why_town(self, query: StreetQuery, town: Place) -> str:
        if self._gazetteer.is_street(query.line.street, town) is False:
            why = f"the imported street tables have no {query.line.street} in {town.name}"
        elif self._geocoder:
            why = f"neither the geocoder nor a street table knows where {query.name} is"
        else:
            known = "is not known without a street table or a geocoder"
            why = f"where {query.name} is in {town.name} {known}"
        return f"{why}; searched near {town.name} itself"


def _by_pages(query: StreetQuery, own: OwnSpot | None) -> StreetSearch | None:
    """By what pages tell, if they tell more than the town."""
    spot = own.spot if own else None
    if spot is None or not (spot.precision.is_exact or spot.precision is Precision.POSTCODE):
        return None
    note = f"where {query.name} is is known by its postal code only; searched around that"
    return StreetSearch(spot.point, spot.precision, "" if spot.precision.is_exact else note)
