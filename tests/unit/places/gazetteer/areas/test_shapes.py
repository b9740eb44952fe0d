"""Circle and box."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from geoscout_places.gazetteer.areas.shapes import Box, Circle, Shape, measure_diameter
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
def test_shape_knows_inside_from_outside(shape: Shape, inside: Point, outside: Point) -> None:
    assert shape.contains(inside)
    assert shape.distance_km(inside) == 0
    assert not shape.contains(outside)
    assert shape.distance_km(outside) > 0


def test_circle_distance_is_to_its_edge() -> None:
    assert Circle(Point(0, 0), 100).distance_km(Point(0, 2)) == pytest.approx(122.4, abs=0.1)


@given(POINTS, st.integers(0, 36), st.integers(0, 36))
def test_box_is_no_farther_than_any_of_its_points(point: Point, row: int, column: int) -> None:
    longitude = (FIJI.west + FIJI.width * column / 36 + 180) % 360 - 180
    within = Point(FIJI.south + (FIJI.north - FIJI.south) * row / 36, longitude)

    assert FIJI.distance_km(point) <= distance_km(point, within) + 1e-6


@given(POINTS)
def test_box_is_about_as_far_as_the_nearest_point_of_its_outline(point: Point) -> None:
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
def test_diameter_is_the_greatest_width(shape: Shape, diameter_km: float) -> None:
    assert shape.diameter_km == pytest.approx(diameter_km, rel=0.01)


@given(st.lists(POINTS, min_size=1, max_size=30))
def test_measured_diameter_is_near_the_longest_of_all_pairs(points: list[Point]) -> None:
    longest = max(distance_km(start, end) for start in points for end in points)

    assert 0.8 * longest <= measure_diameter(points) <= longest + 1e-6


def test_nothing_has_no_diameter() -> None:
    assert measure_diameter([]) == 0


def test_bounding_box_of_a_circle_holds_its_outline() -> None:
    circle = Circle(Point(-17, 179.9), 50)

    assert all(circle.bounding_box.distance_km(point) < 1e-6 for point in circle.outline())
