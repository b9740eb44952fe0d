"""Distances, directions and bounding boxes, above all where the map is cut."""

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.gazetteer.areas.shapes import Box
from geoscout_places.gazetteer.areas.sphere import (
    HALF_WAY_ROUND_KM,
    bounding_box,
    destination,
    distance_km,
    wrap_longitude,
)
from geoscout_places.model import Point

POINTS = st.builds(Point, st.floats(-90, 90), st.floats(-180, 180))


@pytest.mark.parametrize(
    ("start", "end", "expected_km"),
    [
        (Point(0, 0), Point(0, 0), 0),
        (Point(53.14, 8.21), Point(52.52, 13.405), 356),  # Oldenburg to Berlin
        (Point(-17.7, 178.0), Point(-16.8, -179.9), 244),  # Fiji, across the antimeridian
        (Point(90, 0), Point(-90, 120), 20015),
        (Point(90, 0), Point(90, 77), 0),
        (Point(0, 0), Point(0, 180), 20015),
    ],
)
def test_distance_is_measured_along_the_great_circle(start, end, expected_km):
    assert distance_km(start, end) == pytest.approx(expected_km, abs=1)


@given(POINTS, POINTS)
def test_distance_is_the_same_both_ways(start, end):
    assert isclose(distance_km(start, end), distance_km(end, start), abs_tol=1e-6)


@given(POINTS, st.floats(0, 360), st.floats(0, HALF_WAY_ROUND_KM))
def test_destination_lies_as_far_away_as_was_gone(start, bearing, length_km):
    end = destination(start, bearing, length_km)

    assert -180 <= end.longitude <= 180
    assert isclose(distance_km(start, end), length_km, abs_tol=0.001)


@given(POINTS, st.floats(0, 360), st.floats(0.1, 25_000))
def test_bounding_box_holds_the_whole_circle(center, bearing, radius_km):
    box = Box(*bounding_box(center, radius_km * 1.000001))

    assert box.contains(destination(center, bearing, radius_km))


def test_circle_around_a_pole_has_every_longitude():
    assert bounding_box(Point(89.9, 20), 50)[::2] == (-180, 180)


@pytest.mark.parametrize(
    ("longitude", "wrapped"), [(181, -179), (-190, 170), (540, -180), (180, 180), (12.5, 12.5)]
)
def test_longitude_is_wrapped(longitude, wrapped):
    assert wrap_longitude(longitude) == wrapped
