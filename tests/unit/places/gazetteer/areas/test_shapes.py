"""Circle and box."""

from math import cos, radians, sin
from random import Random

import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from geoscout_places.gazetteer.areas.shapes import (
    Box,
    Circle,
    Polygon,
    Ring,
    measure_diameter,
)
from geoscout_places.gazetteer.areas.sphere import HALF_WAY_ROUND_KM, distance_km
from geoscout_places.model import Point

POINTS = st.builds(Point, st.floats(-90, 90), st.floats(-180, 180))
FIJI = Box(177.0, -19.5, -179.5, -16.0)


@pytest.mark.parametrize(
    ("shape", "inside", "outside"),
    [
        (Circle(Point(53.14, 8.21), 10), Point(53.2, 8.25), Point(53.3, 8.21)),
        (Circle(Point(-17, 179.9), 50), Point(-17, -179.9), Point(-17, 179)),
        (Circle(Point(90, 0), 200), Point(89, 133), Point(88, 133)),
        (Box(8, 53, 9, 54), Point(53.5, 8.5), Point(53.5, 9.5)),
        (Box(8, 53, 9, 54), Point(53, 8), Point(52.999, 8)),
        (FIJI, Point(-18, 179.9), Point(-18, 0)),
        (FIJI, Point(-18, -179.9), Point(-18, -179)),
        (Box(-180, -90, 180, -60), Point(-90, 0), Point(-50, 0)),
        (Box(-180, 0, 180, 10), Point(5, -180), Point(-1, 180)),
        (Box(180, 0, -170, 10), Point(5, -180), Point(5, 179.9)),
    ],
)
def test_shape_knows_inside_from_outside(shape, inside, outside):
    assert shape.contains(inside)
    assert shape.distance_km(inside) == 0
    assert not shape.contains(outside)
    assert shape.distance_km(outside) > 0


def test_circle_distance_is_to_its_edge():
    assert Circle(Point(0, 0), 100).distance_km(Point(0, 2)) == pytest.approx(122.4, abs=0.1)


@given(POINTS, st.integers(0, 36), st.integers(0, 36))
def test_box_is_no_farther_than_any_of_its_points(point, row, column):
    longitude = (FIJI.west + FIJI.width * column / 36 + 180) % 360 - 180
    within = Point(FIJI.south + (FIJI.north - FIJI.south) * row / 36, longitude)

    assert FIJI.distance_km(point) <= distance_km(point, within) + 1e-6


@given(POINTS)
def test_box_is_about_as_far_as_the_nearest_point_of_its_outline(point):
    assume(not FIJI.contains(point))
    nearest = min(distance_km(point, edge) for edge in FIJI.outline())

    assert nearest - 6 < FIJI.distance_km(point) <= nearest + 1e-6


@pytest.mark.parametrize(
    ("shape", "diameter_km"),
    [
        (Circle(Point(50, 8), 30), 60),
        (Circle(Point(50, 8), 15_000), HALF_WAY_ROUND_KM),
        (Box(8, 53, 9, 54), 130),
        (FIJI, 539),
        (Box(-180, -90, 180, 90), HALF_WAY_ROUND_KM),
    ],
)
def test_diameter_is_the_greatest_width(shape, diameter_km):
    assert shape.diameter_km == pytest.approx(diameter_km, rel=0.01)


@given(st.lists(POINTS, min_size=1, max_size=30))
def test_measured_diameter_is_near_the_longest_of_all_pairs(points):
    longest = max(distance_km(start, end) for start in points for end in points)

    assert 0.8 * longest <= measure_diameter(points) <= longest + 1e-6


def test_nothing_has_no_diameter():
    assert measure_diameter([]) == 0


def test_bounding_box_of_a_circle_holds_its_outline():
    circle = Circle(Point(-17, 179.9), 50)

    assert all(circle.bounding_box.distance_km(point) < 1e-6 for point in circle.outline())


def square(west: float, south: float, size: float) -> Ring:
    east, north = west + size, south + size
    return (west, south), (east, south), (east, north), (west, north)


RING_WITH_ISLAND = Polygon((square(0, 0, 9), square(3, 3, 3), square(4, 4, 1)))
FIJI_CUT = Polygon((square(177, -20, 3), square(-180, -19, 1)))
FIJI_BEYOND = Polygon((square(177, -20, 5),))
COMB = Polygon(((*((i % 2 * 3 + 1, i / 10) for i in range(100)), (-1.0, 9.9), (-1.0, 0.0)),))


@pytest.mark.parametrize(
    ("polygon", "latitude", "longitude", "inside"),
    [
        (RING_WITH_ISLAND, 1, 1, True),
        (RING_WITH_ISLAND, 3.5, 3.5, False),  # in the hole
        (RING_WITH_ISLAND, 4.5, 4.5, True),  # on the island in the hole
        (RING_WITH_ISLAND, 10, 1, False),
        (RING_WITH_ISLAND, 0, 0, True),  # corner
        (RING_WITH_ISLAND, 9, 9, True),
        (RING_WITH_ISLAND, 9, 4, True),  # edge
        (RING_WITH_ISLAND, 4, 0, True),
        (RING_WITH_ISLAND, 3, 4, True),  # edge of the hole
        (RING_WITH_ISLAND, 0, -1, False),  # on the line of an edge, beyond its end
        (RING_WITH_ISLAND, 0, 10, False),
        (RING_WITH_ISLAND, 4.5, 364.5, True),
        (FIJI_CUT, -18.5, 179, True),
        (FIJI_CUT, -18.5, 180, True),
        (FIJI_CUT, -18.5, -180, True),
        (FIJI_CUT, -18.5, -179.5, True),
        (FIJI_CUT, -18.5, -178, False),
        (FIJI_CUT, -18.5, 0, False),
        (FIJI_BEYOND, -18, 179, True),
        (FIJI_BEYOND, -18, -178.5, True),
        (FIJI_BEYOND, -18, -177, False),
        (Polygon((square(-180, -90, 360),)), 90, 12, True),
        (Polygon(()), 0, 0, False),
    ],
)
def test_inside_is_told_from_outside(polygon, latitude, longitude, *, inside):
    assert polygon.contains(Point(latitude, longitude)) is inside


@st.composite
def polygons(draw: st.DrawFn) -> Polygon:
    """A star-like outline with many corners, a hole in it, and an island next to it."""
    x, y = draw(st.floats(-150, 150)), draw(st.floats(-60, 60))
    lengths = draw(st.lists(st.floats(2, 9), min_size=3, max_size=120))
    turn = 360 / len(lengths)
    outer = tuple(
        (x + length * cos(radians(i * turn)), y + length * sin(radians(i * turn)))
        for i, length in enumerate(lengths)
    )
    hole = tuple((x + (cx - x) * 0.5, y + (cy - y) * 0.5) for cx, cy in outer)
    return Polygon((outer, hole, square(x + 10, y, 2)))


@settings(max_examples=50, deadline=None)
@given(polygons(), st.integers(0, 2**32))
def test_shapely_agrees_on_200_points_of_any_polygon(polygon, seed):
    chance = Random(seed)
    outer, hole, island = polygon.rings
    oracle = shapely.MultiPolygon([(outer, [hole]), (island, [])])
    west, south, east, north = polygon.extent
    points = [Point(chance.uniform(south, north), chance.uniform(west, east)) for _ in range(200)]

    assert [polygon.contains(p) for p in points] == [
        oracle.covers(shapely.Point(p.longitude, p.latitude)) for p in points
    ]


@pytest.mark.parametrize(
    ("polygon", "point", "distance_km"),
    [
        (RING_WITH_ISLAND, Point(1, 1), 0),
        (RING_WITH_ISLAND, Point(-1, 4), 111.2),
        (RING_WITH_ISLAND, Point(5, 10), 110.8),
        (RING_WITH_ISLAND, Point(3.25, 4.5), 27.8),  # in the hole, nearer to its outer edge
        (FIJI_CUT, Point(-18.5, -178), 105.4),
        (FIJI_BEYOND, Point(-18.5, -177), 105.4),
        (FIJI_BEYOND, Point(-18.5, 176), 105.4),
        (COMB, Point(5, -3), 221.5),
    ],
)
def test_distance_is_to_the_nearest_edge(polygon, point, distance_km):
    assert polygon.distance_km(point) == pytest.approx(distance_km, rel=0.005)


@pytest.mark.parametrize(
    ("polygon", "box"),
    [
        (RING_WITH_ISLAND, Box(0, 0, 9, 9)),
        (FIJI_CUT, Box(177, -20, -179, -17)),
        (FIJI_BEYOND, Box(177, -20, -178, -15)),
        (Polygon((square(-180, -90, 360),)), Box(-180, -90, 180, 270)),
    ],
)
def test_bounding_box_is_the_smallest_on_the_globe(polygon, box):
    assert polygon.bounding_box == box


def test_diameter_spans_the_antimeridian():
    assert FIJI_CUT.diameter_km == pytest.approx(478, abs=1)
