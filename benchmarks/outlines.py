"""How long it takes to ask whether points lie in shipped outlines: our polygon against shapely.

Usage: python benchmarks/outlines.py [CODE...]

Points lie at random in the outline's bounding box, a hundred kilometres more on each side. Prints
microseconds a point: by `Polygon.contains`, by shapely one by one (a prepared geometry, the point
made from its coordinates, as a crawl would have to), by shapely for an array of all points, and
the first question of each, which pays for what is prepared.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np
import shapely

from geoscout_places.gazetteer.areas.boundaries import decode_rings, read_boundaries
from geoscout_places.gazetteer.areas.shapes import Polygon
from geoscout_places.model import Point

_CODES = ("LI", "DE", "DE.06", "US.CA.037", "FR", "US", "CA", "RU")
_POINTS = 2_000
_MARGIN = 1.0  # degrees
_ROUNDS = 5


def main() -> None:
    print("outline     edges  valid  first own/shapely   own  shapely  array  apart")
    shipped = dict(read_boundaries())
    for code in sys.argv[1:] or _CODES:
        if code not in shipped:
            sys.exit(f"there is no outline of {code}")
        print(_compare(code, decode_rings(shipped[code])))


def _compare(code: str, polygon: Polygon) -> str:
    points = _points(polygon)
    geometry = _as_geometry(polygon)
    firsts = _time_first(polygon, geometry, points[0])
    own = [polygon.contains(point) for point in points]
    xs, ys = np.array([p.longitude for p in points]), np.array([p.latitude for p in points])
    theirs = [geometry.covers(shapely.Point(p.longitude, p.latitude)) for p in points]
    times = (
        _time(lambda: [polygon.contains(point) for point in points]),
        _time(lambda: [shapely.intersects_xy(geometry, p.longitude, p.latitude) for p in points]),
        _time(lambda: shapely.intersects_xy(geometry, xs, ys)),
    )
    edges = sum(map(len, polygon.rings))
    apart = sum(a != b for a, b in zip(own, theirs, strict=True))
    return (
        f"{code:<10}{edges:>7}  {geometry.is_valid!s:>5}  {firsts[0]:>8.0f} / {firsts[1]:<8.0f}"
        f"{times[0]:>6.1f}{times[1]:>9.1f}{times[2]:>7.2f}{apart:>7}"
    )


def _points(polygon: Polygon) -> Sequence[Point]:
    chance = random.Random(1)
    west, south, east, north = polygon.extent
    return [
        Point(
            chance.uniform(max(-90, south - _MARGIN), min(90, north + _MARGIN)),
            chance.uniform(west - _MARGIN, east + _MARGIN),
        )
        for _ in range(_POINTS)
    ]


def _as_geometry(polygon: Polygon) -> shapely.Geometry:
    """The rings by the even-odd rule, as our polygon reads them."""
    geometry = shapely.Polygon()
    for ring in polygon.rings:
        geometry = shapely.symmetric_difference(geometry, shapely.make_valid(shapely.Polygon(ring)))
    return geometry


def _time_first(polygon: Polygon, geometry: shapely.Geometry, point: Point) -> tuple[float, float]:
    fresh = Polygon(polygon.rings)
    start = perf_counter()
    fresh.contains(point)
    middle = perf_counter()
    shapely.prepare(geometry)
    shapely.intersects_xy(geometry, point.longitude, point.latitude)
    return (middle - start) * 1e6, (perf_counter() - middle) * 1e6


def _time(ask: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(_ROUNDS):
        start = perf_counter()
        ask()
        best = min(best, perf_counter() - start)
    return best / _POINTS * 1e6


if __name__ == "__main__":
    main()
