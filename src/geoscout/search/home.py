"""The region of a crawl: where most of its questions are at home."""

from dataclasses import dataclass
from functools import cached_property

from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.region_areas import NamedArea
from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.tables import importance
from geoscout_places.model import Candidate, Kind, NameRole, Place

PEOPLE_OF_QUARTER = 10_000  # where they are not known
_HOME = 3.0  # powers of ten for lying in the region: as if one more page were there
_HOME_COUNTRY = 1.5  # where that is a country: its Lisbon of 9,000 people is hardly meant
_WIDE = frozenset({Kind.CONTINENT, Kind.AREA, Kind.COUNTRY})
_SHORTEST_HALF = 5  # letters of a half of the double name of a quarter


@dataclass(frozen=True)
class HomeRegion:
    region: Region

    def parts(self, name: str) -> list[Candidate]:
        """Parts of its cities by half of a double name, theirs or the one that is asked for.

        Neuhausen is meant for Neuhausen-Nymphenburg, of Au-Haidhausen only the half is known, and
        the Hauptbahnhof is München Hauptbahnhof.
        """
        halves = [fold(half) for half in name.split("-") if " " not in name]
        return next((self._by_half[half] for half in halves if half in self._by_half), [])

    @cached_property
    def worth(self) -> float:
        """What lying in it is worth, in powers of ten: the narrower, the likelier it is meant."""
        areas = (area for area in self.region.areas if isinstance(area, NamedArea))
        return _HOME_COUNTRY if any(area.place.kind in _WIDE for area in areas) else _HOME

    @cached_property
    def _by_half(self) -> dict[str, list[Candidate]]:
        found: dict[str, list[Candidate]] = {}
        areas = (area for area in self.region.areas if isinstance(area, NamedArea))
        cities = [area.place for area in areas if area.place.kind is Kind.CITY]
        for city in cities:
            for part in self.region.gazetteer.children(city):
                for half in self._halves(part, city):
                    score = importance(Kind.CITY, part.population or PEOPLE_OF_QUARTER)
                    candidate = Candidate(part, score, NameRole.NAME)
                    found.setdefault(fold(half), []).append(candidate)
        return found

    def _halves(self, part: Place, city: Place) -> list[str]:
        """What a part of a city is called there, besides its name."""
        if part.kind is Kind.NEIGHBOURHOOD:
            halves = part.name.split("-")
            long = [half for half in halves if len(half) >= _SHORTEST_HALF and half.istitle()]
            return long if len(halves) <= 2 else []
        town, _, own = part.name.partition(" ")
        named = self.region.gazetteer.candidates(town) if own and " " not in own else ()
        return [own] if any(candidate.place.id == city.id for candidate in named) else []
