"""Where regions and districts lie, as far as their cities tell.

The middle of a unit's cities, weighted by population, is where its people are; a district
without any listed city may still be named after a town of its region.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from tools.derive.geometry import Point, weighted_mean
from tools.derive.names import fold
from tools.derive.places import Place

_TYPE_WORDS = re.compile(
    r"\b(district|county|municipality|municipio|municipality|distrito|parish|province|region|"
    r"department|departement|département|commune|rayon|raion|rajon|okrug|gorodskoy|urban|rural|"
    r"city|town|barrio|pagasts|novads|daira|daïra|wilaya|sub|kabupaten|kota|of|de|du|d|la|el|al|"
    r"muhafazat|gun|si|gu)\b|[’']"
)


@dataclass(frozen=True)
class Centre:
    """What the cities inside a unit tell about it."""

    point: Point
    timezone: str
    population: int


class Centres:
    """Centres by the code of a region ("DE.02") or district ("US.CA.037")."""

    def __init__(self, places: Iterable[Place]) -> None:
        groups: dict[str, list[Place]] = defaultdict(list)
        self._towns: dict[tuple[str, str], Place] = {}
        for place in places:
            region = f"{place.country}.{place.admin1}"
            groups[region].append(place)
            if place.admin2:
                groups[f"{region}.{place.admin2}"].append(place)
            self._add_town(region, place)
            self._add_town(place.country, place)
        self._centres = {code: measure(group) for code, group in groups.items()}

    def _add_town(self, around: str, place: Place) -> None:
        key = (around, fold(place.name))
        if key not in self._towns or self._towns[key].population < place.population:
            self._towns[key] = place

    def of(self, code: str) -> Centre | None:
        """The middle of the cities that carry this code."""
        return self._centres.get(code)

    def by_name(self, code: str, name: str) -> Centre | None:
        """The town of the unit's name in the area one level up."""
        around = code.rsplit(".", 1)[0]
        for key in (fold(name), bare_name(name)):
            if town := self._towns.get((around, key)):
                return measure([town])
        return None


def measure(group: list[Place]) -> Centre:
    """Middle, prevailing time zone and population of places."""
    timezones: Counter[str] = Counter()
    for place in group:
        timezones[place.timezone] += place.population + 1
    latitude, longitude = weighted_mean(
        (place.latitude, place.longitude, place.population + 1) for place in group
    )
    return Centre(
        # a mean is no better than a hundred metres, and fewer digits take less room
        point=(round(latitude, 3), round(longitude, 3)),
        timezone=timezones.most_common(1)[0][0],
        population=sum(place.population for place in group if place.feature != "PPLX"),
    )


def bare_name(name: str) -> str:
    """A folded name without the words for its kind of unit.

    >>> bare_name("Municipio de Chinique")
    'chinique'
    """
    return " ".join(_TYPE_WORDS.sub(" ", fold(name)).split())
