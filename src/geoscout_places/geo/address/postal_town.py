"""The town behind a postcode: "60313 Frankfurt/Main", "75572 Paris Cedex 12", "8021 Zürich 1".

People write a town in more ways than the post lists: with its river, with a suburb, abbreviated,
or they write the large town next door. Each way is tried in turn, from what proves the most to
what proves the least.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address import towns
from geoscout_places.geo.address.base import Sighting, Town
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Place, Postcode

_LONGEST_TOWN = 5  # words
_LINE = lazy_pattern(r"[^\n,;|•·:。，、]{1,60}")
_WORD = lazy_pattern(r"\S+")
# What follows the first word of a town and belongs to it: "/Main", "a. M.", "bei Berlin", "(Oder)".
_SUFFIX = lazy_pattern(
    r"\s?[/(]\s?[A-ZÄÖÜ][\w.]*\)?"
    r"|\s(?:am|an\sder|an|a\.?\s?d\.?|a\.|im|i\.|in\sder|in|bei|b\.|ob\sder|ob|vor\sder|v\.|auf)"
    r"\s?[A-ZÄÖÜ][\w.-]*(?:\s[A-ZÄÖÜ][\w.-]*)?"
)
# The same where nothing else than a part of the name can be meant.
_ABBREVIATED = lazy_pattern(r"\s?/\s?[A-ZÄÖÜ][\w.]*|\s?[abi]\.\s?(?:d\.\s?)?[A-ZÄÖÜ][a-zäöü]*\.?")
_COMMON_FIRST_WORDS = frozenset(
    "bad st sankt neu alt gross klein markt ober unter le la les saint ste san santa".split()
)
_AND = (" und", " and", " et")  # folded away, so that a name with one equals the name
# A name of up to five words; those in lower case are short: "Kal nad Kanalom".
_VILLAGE = lazy_pattern(
    r"[^\W\d_a-zß-ÿ][^\W\d_]+(?:[ '’.-]{1,2}(?:[^\W\d_a-zß-ÿ][^\W\d_]*|[^\W\d_]{1,4})){0,4}"
)
_KNOWN_TOWN = 5_000  # inhabitants; such a name of another country is not one of a village here
_LONGEST_VILLAGE = 32  # code points
_SUBURB_KM = 25.0
_LARGE_TOWN = 20_000  # inhabitants; smaller ones are not believed without their postcode


class PostalLine(Struct, frozen=True):
    """A postcode with the rest of its line."""

    sighting: Sighting
    country: str
    rows: Sequence[Postcode]  # what the gazetteer knows of the postcode
    mark: re.Pattern[str]  # what the post adds to a town: "Cedex 12", the 1 of "Zürich 1"
    proof: str = ""  # a word in the mark that nothing but an address has, in lower case
    is_telling: bool = False  # only this country has such codes, so any town of it is proof
    takes_villages: bool = False  # a town that nobody knows may follow a code that nobody knows

    def read_town(self) -> Town | None:
        """The town the line names, None when it names none that can be there."""
        whole = self.sighting.once(line_behind)
        if not whole:
            return None
        mark = self.mark.search(whole)
        line = whole[: mark.start()] if mark else whole
        town = self._served(line) or self._headed(line)
        # Most lines begin like no town of most countries.
        if not town and (mark or self.country in _countries_behind(self.sighting.gazetteer, whole)):
            is_marked = bool(mark and self.proof and self.proof in mark.group().lower())
            town = self._around(line, is_marked=is_marked)
        town = town or self._unknown(line)
        if town and mark and town.end == self.sighting.end + mark.start():
            return replace(town, end=self.sighting.end + mark.end())
        return town

    def _served(self, line: str) -> Town | None:
        """The longest beginning of the line that is a town the postcode serves."""
        if not self.rows:
            return None
        served = towns.names_of(self.rows)
        for name in _beginnings(line):
            if fold(name) in served:
                return self._town(self._extended(line, name), name)
        return None

    def _extended(self, line: str, name: str) -> str:
        """The name with what follows and is a part of it, as far as that is known."""
        if rest := _ABBREVIATED.match(line, len(name)):
            return line[: rest.end()]
        suffix = _SUFFIX.match(line, len(name))
        whole = line[: suffix.end()] if suffix else name
        return whole if suffix and self._near(whole) else name

    def _headed(self, line: str) -> Town | None:
        """A town whose first word is that of a town the postcode serves: "Frankfurt/M."."""
        first = _WORD.match(line) if self.rows else None
        if first is None:
            return None
        folded = _head(first.group())
        if folded in _COMMON_FIRST_WORDS or folded not in _heads(towns.names_of(self.rows)):
            return None
        suffix = _ABBREVIATED.match(line, first.end()) or _SUFFIX.match(line, first.end())
        name = line[: suffix.end() if suffix else first.end()].rstrip(",")
        return self._town(name, name)

    def _around(self, line: str, *, is_marked: bool) -> Town | None:
        """A town the post does not list for this code, but which is close or beyond doubt."""
        for name in _possible_towns(line):
            if self.rows:
                place = self._near(name)
            else:
                found = towns.settlements(self.sighting.gazetteer, name, self.country)
                is_proof = is_marked or self.is_telling
                is_known = bool(found) and (is_proof or found[0].population >= _LARGE_TOWN)
                place = found[0] if is_known else None
            if place:
                end = self.sighting.end + len(name)
                is_proven = bool(self.rows) or is_marked or self.is_telling
                return Town(self.sighting.end, end, name, place, is_proven)
        return None

    def _unknown(self, line: str) -> Town | None:
        """A village that nobody knows, where a known code and a whole line say that it is one."""
        is_line = "\n" not in self.sighting.trigger and len(line) <= _LONGEST_VILLAGE
        name = line.rstrip(" .-–")
        is_code = bool(self.rows) or self.is_telling or self.takes_villages
        if not is_line or not is_code or not _VILLAGE.fullmatch(name):
            return None
        if not self.is_telling and self._is_known_elsewhere(name):
            return None
        start = self.sighting.end
        return Town(start, start + len(name), name, None, is_proven=False)

    def _is_known_elsewhere(self, name: str) -> bool:
        """Whether a town of another country has the name; one of this may have a wrong code."""
        places = (candidate.place for candidate in self.sighting.gazetteer.candidates(name))
        return any(
            place.population >= _KNOWN_TOWN and place.country != self.country for place in places
        )

    def _near(self, name: str) -> Place | None:
        gazetteer, point = self.sighting.gazetteer, self.rows[0].point
        return towns.town_near(gazetteer, name, self.country, point, _SUBURB_KM)

    def _town(self, written: str, name: str) -> Town:
        place = towns.postal_place(self.sighting.gazetteer, self.rows, name)
        start = self.sighting.end
        return Town(start, start + len(written), written, place, is_proven=True)


def may_be_served(sighting: Sighting, rows: Sequence[Postcode]) -> bool:
    """Whether the next word begins a town of the postcode: the cheap test that years fail."""
    if not rows:
        return False
    word = _WORD.match(sighting.text, sighting.end, sighting.end + 40)
    head = fold(word.group()).partition(" ")[0] if word else ""
    return bool(head) and any(
        fold(name).startswith(head) for row in rows for name in (row.town, *row.other_towns)
    )


def line_behind(sighting: Sighting) -> str:
    """What follows the trigger in its line, as far as it may be a town."""
    match = _LINE.match(sighting.text, sighting.end)
    return match.group() if match else ""


@lru_cache(maxsize=256)
def _countries_behind(gazetteer: Gazetteer, line: str) -> frozenset[str]:
    """The countries that have a town the line may begin with."""
    return towns.settled_countries(gazetteer, _possible_towns(line))


@lru_cache(maxsize=256)
def _possible_towns(line: str) -> tuple[str, ...]:
    names = (*_beginnings(line), line.partition("/")[0].strip())
    return tuple([name for name in names if name[:1].isupper()])


@lru_cache(maxsize=256)
def _head(word: str) -> str:
    """What a word begins with, as towns are compared: "frankfurt" of "Frankfurt/M."."""
    return fold(re.split(r"[/-]", word.rstrip(".,"))[0])


@lru_cache(maxsize=1024)
def _heads(names: frozenset[str]) -> frozenset[str]:
    return frozenset([name.split()[0] for name in names if name])


@lru_cache(maxsize=256)  # countries that share a pattern ask for the same line, one by one
def _beginnings(line: str) -> tuple[str, ...]:
    """The line up to the end of each of its first words, the longest first."""
    ends = [word.end() for word in _WORD.finditer(line)][:_LONGEST_TOWN]
    names = [_trimmed(line[:end]) for end in reversed(ends)]
    return tuple([name for name in names if name and not name.endswith(_AND)])


def _trimmed(name: str) -> str:
    """The name without what separates it from the next, or ends a bracket around it."""
    return name.rstrip(" -–./" if "(" in name else " -–./)")
