"""Which countries a shape touches."""

from __future__ import annotations

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout_places.gazetteer.areas.polygon import Polygon
from geoscout_places.gazetteer.areas.shapes import Box, Circle, Shape
from geoscout_places.gazetteer.areas.touching import (
    box_polygon,
    boxes_touch,
    polygons_touch,
    touched_countries,
)
from geoscout_places.model import Point

CORNERS = st.tuples(st.integers(-170, 160), st.integers(-80, 80))
TRIANGLES = st.tuples(CORNERS, CORNERS, CORNERS).filter(
    lambda corners: shapely.Polygon(corners).area > 0
)


@pytest.mark.parametrize(
    ("shape", "countries"),
    [
        (Circle(Point(53.14, 8.21), 30), {"DE"}),
        (Circle(Point(47.55, 7.6), 20), {"DE", "CH", "FR"}),  # Basel
        (Circle(Point(0, -30), 100), set()),  # the middle of the Atlantic
        (Circle(Point(41.903, 12.453), 1), {"IT", "VA"}),
        (Circle(Point(-17.5, 179.9), 60), {"FJ"}),
        (Box(5.9, 50.7, 6.2, 50.9), {"DE", "NL", "BE"}),  # around the three-country point
        (Box(28, -30, 28.5, -29.5), {"LS"}),  # wholly inside
        (Box(170, 50, -170, 70), {"RU", "US"}),  # across the antimeridian
        (Polygon((((2.0, 46.0), (3.0, 46.0), (2.5, 47.0)),)), {"FR"}),
        (Polygon((((176.0, -19.0), (182.0, -19.0), (182.0, -16.0)),)), {"FJ"}),
    ],
)
def test_touched_countries_are_named(shape: Shape, countries: set[str]) -> None:
    assert touched_countries(shape) == countries


def test_box_over_the_whole_globe_touches_all_countries() -> None:
    assert len(touched_countries(Box(-180, -90, 180, 90))) >= 245


@settings(deadline=None)
@given(TRIANGLES, TRIANGLES)
def test_shapely_agrees_on_whether_triangles_touch(
    corners: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...]
) -> None:
    oracle = shapely.Polygon(corners).intersects(shapely.Polygon(other))

    assert polygons_touch(Polygon((corners,)), Polygon((other,))) is oracle


def test_polygons_on_one_line_but_apart_do_not_touch() -> None:
    first = Polygon((((0.0, 0.0), (1.0, 0.0), (0.5, 1.0)),))
    second = Polygon((((1.5, 0.0), (3.0, 0.0), (2.0, -1.0)),))

    assert not polygons_touch(first, second)


def test_polygon_in_a_hole_does_not_touch() -> None:
    ring = Polygon((box_polygon(Box(0, 0, 9, 9)).rings[0], box_polygon(Box(1, 1, 8, 8)).rings[0]))

    assert not polygons_touch(ring, box_polygon(Box(3, 3, 4, 4)))


@pytest.mark.parametrize(
    ("box", "other", "touching"),
    [
        (Box(170, 0, -170, 9), Box(-175, 5, -160, 20), True),
        (Box(170, 0, -170, 9), Box(-165, 5, -160, 20), False),
        (Box(0, 0, 9, 9), Box(9, 9, 20, 20), True),
        (Box(0, 0, 9, 9), Box(0, 10, 9, 20), False),
        (Box(-180, 0, 180, 9), Box(5, 5, 6, 6), True),
    ],
)
def test_boxes_touch_also_across_the_antimeridian(box: Box, other: Box, *, touching: bool) -> None:
    assert boxes_touch(box, other) is touching
    assert boxes_touch(other, box) is touching
