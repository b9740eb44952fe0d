"""Small honest stand-ins for the parts of geoscout that need files or a network."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from geoscout.errors import UnknownPlaceError
from geoscout.gazetteer import automaton
from geoscout.gazetteer.areas.sphere import distance_km
from geoscout.gazetteer.names import PlaceQuery, fold, readings
from geoscout.model import Candidate, NameRole, Place, Point, Postcode

_FARTHEST_NEAREST_KM = 300.0


class FakeGazetteer:
    """A gazetteer of the places it was given; implements `Gazetteer`.

    Candidates come in order of population, an alias counting half. `aliases`, `boundaries`
    (encoded rings) and `streets` are by the id of the place.
    """

    def __init__(
        self,
        places: Iterable[Place],
        postcodes: Iterable[Postcode] = (),
        *,
        aliases: Mapping[int, Sequence[str]] | None = None,
        boundaries: Mapping[int, bytes] | None = None,
        streets: Mapping[int, Sequence[str]] | None = None,
    ) -> None:
        self._places = {place.id: place for place in places}
        self._postcodes = tuple(postcodes)
        self._boundaries = boundaries or {}
        self._streets = streets or {}
        self._bearers: dict[str, list[tuple[Place, NameRole]]] = defaultdict(list)
        self._spellings: list[str] = []
        for place in self._places.values():
            self._add_name(place, place.name, NameRole.NAME)
            for alias in (aliases or {}).get(place.id, ()):
                self._add_name(place, alias, NameRole.ALIAS)

    def _add_name(self, place: Place, name: str, role: NameRole) -> None:
        self._bearers[fold(name)].append((place, role))
        self._spellings.append(name)

    def candidates(self, name: str) -> Sequence[Candidate]:
        bearers = self._bearers.get(fold(name), ())
        found = [
            Candidate(place, place.population / (2 if role == NameRole.ALIAS else 1), role)
            for place, role in bearers
        ]
        return sorted(found, key=lambda candidate: -candidate.score)

    def find(self, name: str, country: str = "") -> Sequence[Candidate]:
        if found := self.search(name, country):
            return found
        raise UnknownPlaceError(name)

    def search(self, name: str, country: str = "") -> Sequence[Candidate]:
        for query in readings(name):
            found = [
                candidate
                for candidate in self.candidates(query.name)
                if country in ("", candidate.place.country)
                and self._is_qualified(candidate.place, query)
            ]
            if found:
                return found
        return ()

    def _is_qualified(self, place: Place, query: PlaceQuery) -> bool:
        above = {ancestor.id for ancestor in self.ancestors(place)}
        return all(
            any(candidate.place.id in above for candidate in self.candidates(qualifier))
            for qualifier in query.qualifiers
        )

    def place(self, id: int) -> Place | None:
        return self._places.get(id)

    def names(self, places: Sequence[Place]) -> Mapping[int, Sequence[tuple[str, str]]]:
        return {
            place.id: [
                (folded, role)
                for folded, bearers in self._bearers.items()
                for bearer, role in bearers
                if bearer.id == place.id
            ]
            for place in places
        }

    def ancestors(self, place: Place) -> Sequence[Place]:
        parent = self.place(place.parent)
        return [] if parent is None else [parent, *self.ancestors(parent)]

    def children(self, place: Place) -> Sequence[Place]:
        inside = [child for child in self._places.values() if child.parent == place.id]
        return sorted(inside, key=lambda child: -child.population)

    def is_inside(self, inner: Place, outer: Place) -> bool:
        return inner.id == outer.id or any(p.id == outer.id for p in self.ancestors(inner))

    def nearest(self, point: Point, *, minimum_population: int = 0) -> Place | None:
        known = [
            (distance_km(place.point, point), place.id)
            for place in self._places.values()
            if place.kind == "city" and place.population >= minimum_population
        ]
        distance, id = min(known, default=(_FARTHEST_NEAREST_KM + 1, 0))
        return self.place(id) if distance <= _FARTHEST_NEAREST_KM else None

    def postcodes(self, country: str, code: str) -> Sequence[Postcode]:
        return [row for row in self._postcodes if (row.country, row.code) == (country, code)]

    def boundary(self, place: Place) -> bytes | None:
        return self._boundaries.get(place.id)

    def is_street(self, street: str, city: Place) -> bool | None:
        if city.id not in self._streets:
            return None
        return fold(street) in map(fold, self._streets[city.id])

    def automaton(self) -> automaton.Automaton:
        return automaton.load(dict(automaton.compile_parts(self._spellings))[automaton.PART])
