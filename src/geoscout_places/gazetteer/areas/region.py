"""The area a crawl or a search is about.

A region is made of areas: places of the gazetteer, and shapes the user drew. A point, place or
postal code is in the region when it is in one of them. The crawl asks for every page, so the
answers are kept cheap: the hierarchy is climbed once for all named places together, and only the
areas on the point's latitude are looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import floor, inf, isfinite
from operator import itemgetter

from geoscout_places.errors import RegionError
from geoscout_places.gazetteer.areas.region_areas import DrawnArea, NamedArea, RegionArea
from geoscout_places.gazetteer.areas.region_text import FORMS, read_areas
from geoscout_places.gazetteer.areas.shapes import Polygon, Shape, measure_diameter
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Place, Point

_NAMES_SHOWN = 3
_ALTERNATIVES_SHOWN = 4
_MOST_PLACES = 100_000  # remembered, about 8 MB


@dataclass(frozen=True)
class Region:
    """An area of interest; make it with `Region.parse`."""

    areas: tuple[RegionArea, ...]
    gazetteer: Gazetteer = field(repr=False, compare=False)
    # A crawl asks for the same few thousand places on page after page.
    _known: dict[int, bool] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def parse(cls, texts: Sequence[str] | str, gazetteer: Gazetteer) -> Region:
        """Read a region from one text or several.

        A text is the name of a place ("Oldenburg, Germany"), a circle (three numbers:
        `latitude,longitude,radius_km`), a box (four numbers: `west,south,east,north`, with
        west > east across the antimeridian), a file with one of these a line (# begins a comment),
        or a GeoJSON file.

        Raises:
            RegionError: a text cannot be read; the message says what would be right.
            UnknownPlaceError: a name is not in the gazetteer; carries the nearest spellings.

        """
        given = (texts,) if isinstance(texts, str) else texts
        areas = _without_repeats(read_areas(given, gazetteer))
        if not areas:
            raise RegionError(f"the region is empty; {FORMS}")
        return cls(areas, gazetteer)

    def contains_point(self, point: Point) -> bool:
        """Tell whether the point is inside; an impossible point is not."""
        if not _is_possible(point):
            return False
        near = self._areas_by_latitude.get(floor(point.latitude), ())
        return any(area.contains_point(point) for area in near)

    def contains_place(self, place: Place) -> bool:
        """Tell whether the place is one of the named ones, inside of one, or in a drawn area."""
        known = self._known.get(place.id)
        if known is None:
            if len(self._known) >= _MOST_PLACES:
                self._known.clear()
            known = self._known[place.id] = self._find_place(place)
        return known

    def _find_place(self, place: Place) -> bool:
        above = (ancestor.id for ancestor in self.gazetteer.ancestors(place))
        if place.id in self.place_ids or not self.place_ids.isdisjoint(above):
            return True
        return any(area.contains_loosely(place) for area in self.areas)

    def contains_postcode(self, country: str, code: str) -> bool:
        """Tell whether the postal code is inside; of unknown codes only the country is known."""
        country, code = country.strip().upper(), code.strip()
        return any(area.contains_postcode(country, code) for area in self.areas)

    def distance_km(self, point: Point, most: float = inf) -> float:
        """Measure how far the point is from the region: 0 inside, infinite if impossible.

        What is farther than `most` is not measured exactly: the answer is some number above it.
        """
        if not _is_possible(point):
            return inf
        if self.contains_point(point):
            return 0.0
        best = min((shape.distance_km(point) for shape in self._simple_shapes), default=inf)
        boxes = [shape.bounding_box.distance_km(point) for shape in self._polygons]
        for bound, shape in sorted(zip(boxes, self._polygons, strict=True), key=itemgetter(0)):
            if bound >= best or bound > most:
                break
            best = min(best, shape.distance_km(point))
        return best

    @cached_property
    def countries(self) -> frozenset[str]:
        """ISO codes of the countries the region touches."""
        return frozenset().union(*(area.countries for area in self.areas))

    @cached_property
    def diameter_km(self) -> float:
        """The greatest distance between two points of the region."""
        shapes = self._simple_shapes + self._polygons
        if len(shapes) == 1:
            return shapes[0].diameter_km
        return measure_diameter(point for shape in shapes for point in shape.outline())

    @cached_property
    def _polygons(self) -> tuple[Shape, ...]:
        shapes = [shape for area in self.areas for shape in area.shapes]
        return tuple(shape for shape in shapes if isinstance(shape, Polygon))

    @cached_property
    def _simple_shapes(self) -> tuple[Shape, ...]:
        """Circles and boxes, whose distance is told at once."""
        shapes = [shape for area in self.areas for shape in area.shapes]
        return tuple(shape for shape in shapes if not isinstance(shape, Polygon))

    @cached_property
    def name(self) -> str:
        """What to call the region on a screen."""
        names = list(dict.fromkeys(area.name for area in self.areas))
        more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
        return "; ".join(names[:_NAMES_SHOWN]) + more

    @property
    def places(self) -> tuple[Place, ...]:
        """The places the region was named by."""
        return tuple(area.place for area in self._named())

    @property
    def alternatives(self) -> tuple[Place, ...]:
        """What else the given names may have meant, likeliest first for each name."""
        return tuple(place for area in self._named() for place in area.alternatives)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """A line for the user on each name with other meanings, and on doubtful polygons."""
        drawn = [area.note for area in self.areas if isinstance(area, DrawnArea)]
        named = [self._note(area) for area in self._named()]
        return tuple(note for note in dict.fromkeys((*named, *drawn)) if note)

    def _note(self, area: NamedArea) -> str:
        others = [place for place in area.alternatives if place.id not in area.place_ids]
        labels = dict.fromkeys(self.gazetteer.label(place) for place in others)
        labels.pop(area.name, None)
        if not labels:
            return ""
        more = len(labels) - _ALTERNATIVES_SHOWN
        rest = f" and {more} more" if more > 0 else ""
        shown = "; ".join(list(labels)[:_ALTERNATIVES_SHOWN])
        return f"taken as {area.name}; also: {shown}{rest}"

    def _named(self) -> Iterator[NamedArea]:
        return (area for area in self.areas if isinstance(area, NamedArea))

    @cached_property
    def place_ids(self) -> frozenset[int]:
        """The places whose inside, by the hierarchy, is inside the region."""
        return frozenset().union(*(area.place_ids for area in self.areas))

    @cached_property
    def _areas_by_latitude(self) -> Mapping[int, Sequence[RegionArea]]:
        """The areas that reach into each degree of latitude."""
        bands: dict[int, list[RegionArea]] = defaultdict(list)
        for area in self.areas:
            spans = [range(floor(south), floor(north) + 1) for south, north in _latitudes(area)]
            for band in set().union(*spans):
                bands[band].append(area)
        return bands


def _without_repeats(areas: Iterable[RegionArea]) -> tuple[RegionArea, ...]:
    kept: list[RegionArea] = []
    known: set[int] = set()
    for area in areas:
        if not isinstance(area, NamedArea) or area.place.id not in known:
            kept.append(area)
        if isinstance(area, NamedArea):
            known.add(area.place.id)
    return tuple(kept)


def _latitudes(area: RegionArea) -> Iterator[tuple[float, float]]:
    for shape in area.shapes:
        yield shape.bounding_box.south, shape.bounding_box.north
    if isinstance(area, NamedArea):  # GeoNames' middle of a country may lie outside of it
        yield area.place.point.latitude, area.place.point.latitude


def _is_possible(point: Point) -> bool:
    return -90 <= point.latitude <= 90 and isfinite(point.longitude)
