"""The two sorts of areas a region is made of: named ones and drawn ones.

A named area knows what lies inside it from the hierarchy of places, which is exact where shapes
are not; its shape only serves bare coordinates. A drawn area has nothing but its shape.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import cbrt

from geoscout_places.gazetteer.areas.boundaries import decode_rings, touched_countries
from geoscout_places.gazetteer.areas.shapes import Circle, Polygon, Shape, city_radius_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Kind, Place, Point, Postcode

# Kinds that hang in the hierarchy by their country at most, so that only shapes can place them.
_LOOSE = (Kind.AREA, Kind.WATER, Kind.LANDMARK)
_WIDE = (Kind.CONTINENT, Kind.AREA, Kind.COUNTRY, Kind.REGION, Kind.DISTRICT, Kind.WATER)

# Kilometres per cube root of the population, and the least radius, of what has no boundary:
# a district of 200,000 reaches 18 km, a region of two million 76 km.
_RADIUS = {
    Kind.CONTINENT: (0.0, 2500.0),
    Kind.AREA: (0.6, 100.0),
    Kind.COUNTRY: (0.6, 15.0),
    Kind.REGION: (0.6, 30.0),
    Kind.DISTRICT: (0.3, 12.0),
    Kind.WATER: (0.0, 50.0),
}
# A city and the district or region around it are one when nearly all of its people live in the
# city: Berlin, Greater London, the County of San Francisco. Below the lower share, one of the two
# numbers is of another kind or age.
_TWIN_SHARES = (0.7, 7 / 6)


@dataclass(frozen=True)
class DrawnArea:
    """A circle, box or polygon the user gave."""

    name: str
    shape: Shape
    gazetteer: Gazetteer = field(repr=False, compare=False)
    note: str = ""  # what the user should know about it
    place_ids: frozenset[int] = frozenset()  # nothing is inside by the hierarchy
    # A crawl meets the same few countries and regions on page after page.
    _widths_km: dict[int, float] = field(default_factory=dict, repr=False, compare=False)

    @property
    def shapes(self) -> Sequence[Shape]:
        return (self.shape,)

    @cached_property
    def countries(self) -> frozenset[str]:
        return touched_countries(self.shape)

    def contains_point(self, point: Point) -> bool:
        return self.shape.contains(point)

    def contains_loosely(self, place: Place) -> bool:
        """Tell whether the place's point is inside, and the place no larger than the area.

        The middle of a country in a circle does not put the country there.
        """
        if not self.shape.contains(place.point):
            return False
        if place.kind not in _WIDE:
            return True
        if place.id not in self._widths_km:
            shapes = draw_place(place, self.gazetteer)
            self._widths_km[place.id] = max(shape.diameter_km for shape in shapes)
        return self._widths_km[place.id] <= self.shape.diameter_km

    def contains_postcode(self, country: str, code: str) -> bool:
        rows = self.gazetteer.postcodes(country, code)
        return any(self.shape.contains(row.point) for row in rows)


@dataclass(frozen=True)
class NamedArea:
    """A place of the gazetteer with all that lies in it."""

    place: Place
    gazetteer: Gazetteer = field(repr=False, compare=False)
    alternatives: tuple[Place, ...] = ()  # what else the name may have meant, likeliest first

    @cached_property
    def name(self) -> str:
        return self.gazetteer.label(self.place)

    @cached_property
    def _same(self) -> tuple[Place, ...]:
        """The place, and for a city the districts and regions that are no more than the city."""
        if self.place.kind is not Kind.CITY:
            return (self.place,)
        least, most = (share * self.place.population for share in _TWIN_SHARES)
        above = self.gazetteer.ancestors(self.place)
        divisions = [p for p in above if p.kind in (Kind.DISTRICT, Kind.REGION)]
        return (self.place, *(p for p in divisions if 0 < least <= p.population <= most))

    @cached_property
    def place_ids(self) -> frozenset[int]:
        """The places whose inside, by the hierarchy, is inside the area."""
        return frozenset(place.id for place in self._same)

    @cached_property
    def shapes(self) -> Sequence[Shape]:
        bounded = [place for place in self._same if self.gazetteer.boundary(place) is not None]
        return draw_place(bounded[0] if bounded else self.place, self.gazetteer)

    @cached_property
    def countries(self) -> frozenset[str]:
        if self.place.country:
            return frozenset((self.place.country,))
        inside = self.gazetteer.children(self.place)
        countries = frozenset(child.country for child in inside if child.kind is Kind.COUNTRY)
        return countries or frozenset().union(*map(touched_countries, self.shapes))

    def contains_point(self, point: Point) -> bool:
        return point == self.place.point or any(shape.contains(point) for shape in self.shapes)

    def contains_loosely(self, place: Place) -> bool:
        """Tell by the shape whether a place is inside that the hierarchy says nothing about."""
        is_loose = place.kind in _LOOSE or self.place.kind in _LOOSE
        if not (is_loose or (self.place.kind is Kind.CITY and _is_spot(place))):
            return False
        return any(
            DrawnArea("", shape, self.gazetteer).contains_loosely(place) for shape in self.shapes
        )

    def contains_postcode(self, country: str, code: str) -> bool:
        if self.place.kind in (Kind.COUNTRY, Kind.CONTINENT):
            return bool(code) and country in self.countries
        return any(self._holds(row) for row in self.gazetteer.postcodes(country, code))

    def _holds(self, row: Postcode) -> bool:
        town = self.gazetteer.place(row.place_id) if row.place_id else None
        if town is None:
            return self.contains_point(row.point)
        if any(self.gazetteer.is_inside(town, outer) for outer in self._same):
            return True
        # A boundary knows better than the name of a town; an estimated circle does not.
        drawn = any(isinstance(shape, Polygon) for shape in self.shapes)
        return drawn and self.contains_point(row.point)


RegionArea = NamedArea | DrawnArea


def _is_spot(place: Place) -> bool:
    """Whether nobody is counted there: a campus, a quarter that the hierarchy puts next to a city.

    A suburb with inhabitants of its own is not the city, however near it is.
    """
    return place.kind in (Kind.CITY, Kind.NEIGHBOURHOOD) and not place.population


def draw_place(place: Place, gazetteer: Gazetteer) -> tuple[Shape, ...]:
    """Give the shapes of a place: its boundary, its countries', or an estimated circle."""
    rings = gazetteer.boundary(place)
    if rings is not None:
        return (decode_rings(rings),)
    if place.kind is Kind.CONTINENT:
        outlines = [gazetteer.boundary(child) for child in gazetteer.children(place)]
        drawn = tuple(decode_rings(outline) for outline in outlines if outline is not None)
        if drawn:
            return drawn
    return (Circle(place.point, estimate_radius_km(place)),)


def estimate_radius_km(place: Place) -> float:
    """Estimate from kind and population how far a place reaches from its point."""
    if place.kind not in _RADIUS:
        return city_radius_km(place.population)
    factor, least = _RADIUS[place.kind]
    return max(least, factor * cbrt(place.population))
