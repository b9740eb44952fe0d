"""The built-in map: land, borders and labels, all from the gazetteer that ships with geoscout.

Outlines travel in the compact text of `gazetteer/areas/boundaries.py`, half a megabyte for all
countries and less compressed; the browser decodes them. So the map needs no data of its own, and
shows the very areas by which pages are judged.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from functools import cache, cached_property

import orjson
from typing_extensions import TypedDict

from geoscout_places.gazetteer.areas.boundaries import decode_rings
from geoscout_places.gazetteer.areas.shapes import Box, Polygon, Shape
from geoscout_places.gazetteer.base import Gazetteer, PlaceFinder, View
from geoscout_places.model import Kind, Place

_MOST_LABELS = 120
_REGIONS_FROM_ZOOM = 4
Line = list[list[float]]  # of longitude and latitude, as in GeoJSON


class ShapeJson(TypedDict):
    """A place with its rings in the compact text."""

    id: int
    name: str
    rings: str


class BaseMap:
    """What the browser draws below pages and places."""

    def __init__(self, gazetteer: Gazetteer, finder: PlaceFinder) -> None:
        self._gazetteer = gazetteer
        self._finder = finder
        # Outlines are slow to decode: a country's regions when it is looked at, and then kept.
        self._region_boxes = cache(self._find_region_boxes)

    @cached_property
    def countries(self) -> bytes:
        """Every country with its outline, as JSON in gzip."""
        return gzip.compress(orjson.dumps(self._shapes(self._countries)), 6)

    def warm(self) -> None:
        """Make what is the same for every map."""
        self.labels(View(-180, -90, 180, 90), _REGIONS_FROM_ZOOM)
        self.regions(View(0, 50, 0, 50))
        bool(self.countries)

    def regions(self, view: View) -> list[ShapeJson]:
        """The first-level divisions that reach into a part of the map."""
        near = [place for place, box in self._country_boxes if _touches(box, view)]
        boxes = [pair for place in near for pair in self._region_boxes(place.country)]
        return self._shapes(place for place, box in boxes if _touches(box, view))

    def labels(self, view: View, zoom: int) -> list[Place]:
        """The places to be named, those to be written first in front."""
        named = [place for place in self._countries if _is_in(place, view)]
        if zoom >= _REGIONS_FROM_ZOOM:
            named += [place for place in self._regions if _is_in(place, view)]
        return named + self._finder.in_view(view, _MOST_LABELS)

    @cached_property
    def _countries(self) -> list[Place]:
        return self._finder.of_kind(Kind.COUNTRY)

    @cached_property
    def _regions(self) -> list[Place]:
        return self._finder.of_kind(Kind.REGION)

    @cached_property
    def _country_boxes(self) -> list[tuple[Place, Box]]:
        return self._boxes(self._countries)

    def _find_region_boxes(self, country: str) -> list[tuple[Place, Box]]:
        return self._boxes(place for place in self._regions if place.country == country)

    def _boxes(self, places: Iterable[Place]) -> list[tuple[Place, Box]]:
        pairs = ((place, self._gazetteer.boundary(place)) for place in places)
        return [
            (place, decode_rings(rings).bounding_box) for place, rings in pairs if rings is not None
        ]

    def _shapes(self, places: Iterable[Place]) -> list[ShapeJson]:
        pairs = ((place, self._gazetteer.boundary(place)) for place in places)
        return [
            {"id": place.id, "name": place.name, "rings": rings.decode()}
            for place, rings in pairs
            if rings is not None
        ]


def outlines(shapes: Iterable[Shape]) -> list[Line]:
    """The edges of shapes as closed lines; longitudes may go beyond 180."""
    return [line for shape in shapes for line in _lines(shape)]


def _lines(shape: Shape) -> list[Line]:
    if isinstance(shape, Polygon):
        return [[[x, y] for x, y in (*ring, ring[0])] for ring in shape.rings if ring]
    if isinstance(shape, Box):
        east = shape.west + shape.width
        corners = ((shape.west, shape.south), (east, shape.south), (east, shape.north))
        return [[[x, y] for x, y in (*corners, (shape.west, shape.north), corners[0])]]
    points = shape.outline()
    return [[[point.longitude, point.latitude] for point in (*points, points[0])]]


def _is_in(place: Place, view: View) -> bool:
    latitude, longitude = place.point.latitude, place.point.longitude
    if not view.south <= latitude <= view.north:
        return False
    if view.west <= view.east:
        return view.west <= longitude <= view.east
    return longitude >= view.west or longitude <= view.east


def _touches(box: Box, view: View) -> bool:
    if box.north < view.south or box.south > view.north:
        return False
    east = view.east if view.west <= view.east else view.east + 360
    return any(
        box.west + turn <= east and box.west + box.width + turn >= view.west
        for turn in (-360, 0, 360)
    )
