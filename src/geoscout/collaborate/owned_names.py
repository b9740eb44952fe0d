"""What a city's name means, and where such names stand in a running text.

The rules are those of Gao, Lee and Miao (2006); codes such as G-3 are rows of the table of readings
in docs/results/fidelity.md. A bare name always means its most populous bearer in the countries of
the partition, owned or not; a name with a state means the bearer in that state. That a name may not
be a place at all is ignored on purpose, as there: a node that gets a link too many has lost little.

A text is read in one pass of an automaton, longest name first, left to right (G-2). A city with its
region right behind it ("Glendale, CA") is one mention and uses both up; what is left are bare
cities and bare regions. A region's code alone is not a mention: most codes are words.

Gao, Lee and Miao count their cities as the post and people do, so Brooklyn means New York. Other
cities do not consist of whole districts whose names mean the city, so this is a table and not a
rule.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Kind, NameRole, Place
from geoscout_places.toponyms import (
    NameFinder,
    forms_of_folded,
    is_code,
    is_first_bearer,
    region_among,
    view_of,
)

_NEW_YORK = 5128581
_BOROUGHS = {
    "The Bronx": 5110266,
    "Brooklyn": 5110302,
    "Manhattan": 5125771,
    "Queens": 5133273,
    "Staten Island": 5139568,
}


def parts_with_names(city: int) -> Iterator[int]:
    """The parts of a city by whose names people mean the city: its boroughs, not its counties."""
    if city == _NEW_YORK:
        yield from _BOROUGHS.values()


SHORTEST_IN_URLS = 4  # letters; shorter aliases (LA, NYC) are words of other languages there


@dataclass(frozen=True, slots=True)
class Bearer:
    """A place that bears a name."""

    place: int
    region: int  # the first-level division it lies in; 0 for none
    population: int


class OwnedNames:
    """The names of the cities of a partition, with all who bear them, and of their regions."""

    def __init__(self, cities: Mapping[int, Place], gazetteer: Gazetteer) -> None:
        self._cities = cities
        self._gazetteer = gazetteer
        self._countries = {city.country for city in cities.values()}
        self.regions = self._region_names()
        self._bearers: dict[str, tuple[Bearer, ...]] = {}
        own_names = set()
        for name, role in self._used_names():
            self._bearers[name] = self._who_bears(name)
            if role == NameRole.NAME:
                own_names.add(name)
        self.own_names = frozenset(own_names)

    @property
    def names(self) -> Iterable[str]:
        """The folded names of all owned cities; `own_names` has those that are not aliases."""
        return self._bearers

    def bearers(self, name: str) -> tuple[Bearer, ...]:
        """Who bears the name, the most populous first; one for each region."""
        return self._bearers.get(name, ())

    def meaning(self, name: str, region: int = 0) -> int:
        """The id of the owned city a name means; 0 when it means another place.

        `region` 0: the name stands alone.
        """
        for bearer in self._bearers.get(name, ()):
            if not region or bearer.region == region:
                return bearer.place if bearer.place in self._cities else 0
        return 0

    def population(self, place: int) -> int:
        """Of an owned city."""
        return self._cities[place].population

    def share(self, place: int, name: str, *, owned_only: bool = False) -> float:
        """Which part of all people who live in a place of that name live in this one (S in eq. 2).

        `owned_only` compares with the owned cities alone.
        """
        bearers = self._bearers[name]
        if owned_only:
            bearers = tuple(bearer for bearer in bearers if bearer.place in self._cities)
        people = sum(bearer.population for bearer in bearers)
        own = next((bearer.population for bearer in bearers if bearer.place == place), 0)
        return own / people if people else 0.0

    def _used_names(self) -> Iterator[tuple[str, NameRole]]:
        """The names to look for; of a borough its own name, which means the city (Brooklyn)."""
        cities = self._cities
        boroughs = [id for city in cities for id in parts_with_names(city) if id not in cities]
        parts = {id: place for id in boroughs if (place := self._gazetteer.place(id))}
        for id, names in self._gazetteer.names((*cities.values(), *parts.values())).items():
            for name, role in names:
                if id in parts and role == NameRole.NAME:
                    yield name, role
                    yield name.removeprefix("the "), role
                elif id in cities and self._is_used(cities[id], name, role):
                    yield name, role

    def _owned_id(self, place: Place) -> int:
        """The id of the owned city that a place is, or is a part of; else its own id."""
        around = (place.id, *(outer.id for outer in self._gazetteer.ancestors(place)))
        return next((id for id in around if id in self._cities), place.id)

    def _is_used(self, city: Place, name: str, role: NameRole) -> bool:
        """Whether a name of a city is one to look for.

        The post has streets, quarters and firms among the names of a large city. So an alias must
        mean this city before all other places of the world, and one of a single word must begin
        as the city does: short forms and translations do ("Philly"), quarters seldom ("Gates").
        """
        if role == NameRole.NAME or not name.isascii():
            return name.isascii()
        if role != NameRole.ALIAS or (name in self.regions and not is_code(name)):
            return False
        is_like = " " in name or is_code(name) or name[0] == fold(city.name)[0]
        return is_like and is_first_bearer(city, name, self._gazetteer)

    def _who_bears(self, name: str) -> tuple[Bearer, ...]:
        by_region: dict[int, Bearer] = {}
        for candidate in self._gazetteer.candidates(name):
            place = candidate.place
            if place.kind is not Kind.CITY or place.country not in self._countries:
                continue
            id = self._owned_id(place)
            if candidate.role != NameRole.NAME and id not in self._cities:
                continue
            bearer = Bearer(id, region_among(self._gazetteer.ancestors(place)), place.population)
            other = by_region.get(bearer.region)
            if other is None or self._rank(bearer) < self._rank(other):
                by_region[bearer.region] = bearer
        return tuple(sorted(by_region.values(), key=self._rank))

    def _rank(self, bearer: Bearer) -> tuple[int, bool, int]:
        """Lower is likelier: by population (G-4), then those owned."""
        return -bearer.population, bearer.place not in self._cities, bearer.place

    def _region_names(self) -> dict[str, int]:
        """Names and codes of the regions of the countries; codes are at most three letters."""
        regions = list(self._regions())
        found: dict[str, int] = {}
        names = self._gazetteer.names(regions)
        for region in sorted(regions, key=lambda region: -region.population):
            for name, role in [(fold(region.name), NameRole.NAME), *names[region.id]]:
                if role == NameRole.DEMONYM or not name.isascii():
                    continue
                is_sure = role in (NameRole.CODE, NameRole.NAME) or is_code(name)
                if is_sure or is_first_bearer(region, name, self._gazetteer):
                    found.setdefault(name, region.id)
        return found

    def _regions(self) -> Iterator[Place]:
        countries = {}
        for city in self._cities.values():
            for outer in self._gazetteer.ancestors(city):
                if outer.kind is Kind.COUNTRY:
                    countries[outer.id] = outer
        for country in countries.values():
            for child in self._gazetteer.children(country):
                if child.kind is Kind.REGION:
                    yield child


_BETWEEN = re.compile(r"\s*,\s*|[ ]|[ ]\(|\s*,\s*\(")
_LONGEST_BETWEEN = 4


class OwnedMention(NamedTuple):
    """A mention: of a city, with or without its region, or of a region alone."""

    start: int  # into the text
    end: int
    name: str  # folded name of the city; "" for a region alone
    region: int  # id; 0 for a bare city


class OwnedMentionFinder:
    """Reads texts for one set of names."""

    def __init__(self, names: OwnedNames, *, capitals: bool = True) -> None:
        """`capitals`: a name counts only with a capital, as names are written."""
        self._capitals = capitals
        self._cities: dict[str, str] = {}
        self._regions: dict[str, int] = {}
        for name in names.names:
            self._cities.update((form, name) for form in forms_of_folded(name))
        for name, region in names.regions.items():
            self._regions.update((form, region) for form in forms_of_folded(name))
        self._finder = NameFinder(self._cities.keys() | self._regions.keys())

    def find(self, text: str) -> list[OwnedMention]:
        """The mentions in the order of the text."""
        view = view_of(text, capitals=self._capitals)
        spans = self._finder.whole_words(view)
        return list(self._mentions(view, spans)) if spans else []

    def _mentions(self, view: str, spans: list[tuple[int, int]]) -> Iterator[OwnedMention]:
        used = -1  # the number of a span that belongs to the city before it
        for number, (start, end) in enumerate(spans):
            if number == used:
                continue
            form = view[start:end]
            city = self._cities.get(form)
            if city is None:
                if len(form) > 2 or not form.isupper():
                    yield OwnedMention(start, end, "", self._regions[form])
                continue
            region = self._region_behind(view, end, spans[number + 1 : number + 2])
            used = number + 1 if region else -1
            yield OwnedMention(start, spans[used][1] if region else end, city, region)

    def _region_behind(self, view: str, end: int, following: list[tuple[int, int]]) -> int:
        """The region that the next span names, if it stands right behind; else 0."""
        for start, stop in following:
            if start - end <= _LONGEST_BETWEEN and _BETWEEN.fullmatch(view, end, start):
                return self._regions.get(view[start:stop], 0)
        return 0
