"""Small honest stand-ins for the parts of geoscout that need files or a network."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from geoscout_places.errors import UnknownPlaceError
from geoscout_places.gazetteer import automaton
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Lineage, View
from geoscout_places.gazetteer.names import PlaceQuery, fold, fold_street, readings
from geoscout_places.gazetteer.wordnet import Synset
from geoscout_places.model import Candidate, Kind, NameRole, Place, Point, Postcode

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

    @property
    def identity(self) -> str:
        return "of " + " ".join(map(str, sorted(self._places)))

    def close(self) -> None:
        """It holds nothing open."""

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

    def lineage(self, id: int) -> Lineage:
        place = self.place(id)
        line = [] if place is None else [place, *self.ancestors(place)]
        regions = [outer.id for outer in line if outer.kind is Kind.REGION]
        return Lineage(regions[0] if regions else 0, tuple(outer.id for outer in line))

    def children(self, place: Place) -> Sequence[Place]:
        inside = [child for child in self._places.values() if child.parent == place.id]
        return sorted(inside, key=lambda child: -child.population)

    def path(self, place: Place) -> list[str]:
        return _without_repeats([p.name for p in (*reversed(self.ancestors(place)), place)])

    def label(self, place: Place) -> str:
        above = [p.name for p in self.ancestors(place) if p.kind in (Kind.REGION, Kind.COUNTRY)]
        return ", ".join(_without_repeats([place.name, *above]))

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

    def postcodes_of(self, place: Place) -> Sequence[Postcode]:
        return [row for row in self._postcodes if row.place_id == place.id]

    def boundary(self, place: Place) -> bytes | None:
        return self._boundaries.get(place.id)

    @property
    def has_streets(self) -> bool:
        return bool(self._streets)

    def is_street(self, street: str, city: Place) -> bool | None:
        if city.id not in self._streets:
            return None
        return fold_street(street) in map(fold_street, self._streets[city.id])

    def street_point(self, street: str, house_number: str, city: Place) -> Point | None:
        return None

    def automaton(self) -> automaton.NameSearch:
        names = automaton.written_names(self._spellings)
        return automaton.load_automaton(automaton.compile_automaton(names))

    def synsets(self, place: Place) -> Sequence[Synset]:
        return ()

    def complete(self, beginning: str, limit: int) -> list[Place]:
        start = fold(beginning)
        found = {
            place.id
            for name, bearers in self._bearers.items()
            if start and name.startswith(start)
            for place, _ in bearers
        }
        return [place for place in self._by_population() if place.id in found][:limit]

    def in_view(self, view: View, limit: int) -> list[Place]:
        return [place for place in self.of_kind(Kind.CITY) if _is_in(place.point, view)][:limit]

    def of_kind(self, kind: Kind) -> list[Place]:
        return [place for place in self._by_population() if place.kind is kind]

    def _by_population(self) -> list[Place]:
        return sorted(self._places.values(), key=lambda place: -place.population)

    def describe(self) -> dict[str, str | int]:
        return {"places": len(self._places)}


def _is_in(point: Point, view: View) -> bool:
    if not view.south <= point.latitude <= view.north:
        return False
    east_of, west_of = point.longitude >= view.west, point.longitude <= view.east
    return east_of and west_of if view.west <= view.east else east_of or west_of


def _without_repeats(names: Sequence[str]) -> list[str]:
    return [name for i, name in enumerate(names) if i == 0 or name != names[i - 1]]
