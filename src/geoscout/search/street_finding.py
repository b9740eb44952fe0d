"""Finds streets and houses in queries: "near 100 Milam Street, Houston, TX".

The address formats of the geoparser find addresses that have a house number. A street without one,
or with nothing between it and its town, is found here: after a preposition, or at the beginning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from geoscout.search.places import PlaceChoice, PlaceChooser
from geoscout.search.query_words import TOKEN
from geoscout.search.streets import StreetQuery, make_address
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address.english_streets import ENGLISH
from geoscout_places.geo.address.german_streets import GERMAN
from geoscout_places.geo.structured import StreetLine, split_street
from geoscout_places.language import merge

_LONGEST_STREET, _LONGEST_ADDRESS = 6, 14  # words, with commas
_TOWNS_LOOKED_AT = 30  # of a name
_GERMAN_ENDINGS = tuple({fold(ending) for ending in GERMAN.certain_endings})
_LEADING_TYPES = merge(lambda language: language.streets.get("leading_types", ()))
_LEADING = frozenset(fold(word) for word in (*_LEADING_TYPES, *GERMAN.certain_leading))
_TYPES = frozenset(fold(word) for word in ENGLISH.street_types)
_DIRECTIONS = frozenset(fold(word) for word in ENGLISH.directions)


class StreetFinder:
    """Finds the street of one query."""

    def __init__(self, text: str, chooser: PlaceChooser) -> None:
        self._text = text
        self._chooser = chooser
        found = list(TOKEN.finditer(text))
        self._tokens = [token[0] for token in found]
        self._starts = [token.start() for token in found]

    def find(self, beginnings: Iterable[tuple[int, int]]) -> StreetQuery | None:
        """An address, or the first street that begins after a preposition or at the beginning.

        `beginnings` are the tokens where the preposition and what follows it begin.
        """
        has_number = any(map(str.isdigit, self._text))
        found = find_address(self._text, self._chooser.gazetteer) if has_number else None
        if found is not None or not self._tokens or not self._may_have_street():
            return found
        spans = (self._from(at, first) for at, first in beginnings)
        return next((found for found in spans if found), None)

    def _may_have_street(self) -> bool:
        """Whether it is worth to look at every part: most queries have no word of a street."""
        if self._chooser.gazetteer.has_streets:
            return True
        return any(map(may_be_in_street, fold(self._text).split()))

    def _from(self, at: int, first: int) -> StreetQuery | None:
        """The street that begins at a token, if the rest of the query is its town."""
        tokens = self._tokens[first:]
        if len(tokens) > _LONGEST_ADDRESS:
            return None
        for street, town in _splits(tokens):
            line = split_street(street)
            if line.street and self._is_street(line, town, is_sure=at < first or "," in tokens):
                if self._chooser.choose(_joined(tokens), is_explicit=True):
                    return None  # all of it is the name of a place
                address = make_address(street, line)
                return StreetQuery(line, town, address, self._starts[at], len(self._text))
        return None

    def _is_street(self, line: StreetLine, town: str, *, is_sure: bool) -> bool:
        """Whether it reads like a street, or a street table has it.

        Without a preposition, comma or number only a table can tell: "high street fashion Berlin".
        """
        if looks_like_street(line.street) and (is_sure or line.house_number):
            return bool(self._chooser.choose(town, is_explicit=True))
        if not self._chooser.gazetteer.has_streets:
            return False
        in_table = self._chooser.gazetteer.is_street
        named = self._chooser.gazetteer.search(town)[:_TOWNS_LOOKED_AT]
        if not any(in_table(line.street, candidate.place) for candidate in named):
            return False  # choosing takes longer than that
        choices = self._chooser.choose(town, is_explicit=False)
        return bool(choices) and in_table(line.street, choices[0].place) is True


def towns_of(street: StreetQuery, chooser: PlaceChooser) -> list[PlaceChoice]:
    """The towns that may be meant, the likeliest first; a postal code leaves no choice."""
    place = street.address.place
    found = chooser.choose(street.town, is_explicit=True)
    if place is None:
        return found
    given = PlaceChoice(place, 0.0, chooser.index.pages_at(place.id))
    if street.address.postcode:
        return [given]
    is_among = any(choice.place.id == place.id for choice in found)
    return found if is_among else [given, *found]


def find_address(text: str, gazetteer: Gazetteer) -> StreetQuery | None:
    """The first address with a street in the text of a query."""
    # imported late: most queries have no number, and the formats take a while to compile
    from geoscout_places.geo.address import extract_addresses  # noqa: PLC0415

    found = next((a for a in extract_addresses(text, gazetteer) if a.street), None)
    if found is None:
        return None
    line = StreetLine(found.house_number, found.street, found.unit)
    street = text[found.start : found.end].partition(",")[0].strip()
    town = f"{found.city}, {found.region}" if found.region else found.city
    return StreetQuery(line, town, make_address(street, line, found), found.start, found.end)


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
    return (
        folded in _TYPES
        or folded in _LEADING
        or folded in ENGLISH.standing_alone
        or folded.endswith(_GERMAN_ENDINGS)
    )


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
