"""The cells of a circle leave nothing of it out."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout.index.cells import cells_of, cover
from geoscout_places.gazetteer.areas.sphere import destination
from geoscout_places.model import Point


@settings(deadline=None, max_examples=200)
@given(
    latitude=st.floats(-89, 89),
    longitude=st.floats(-180, 180),
    radius_km=st.floats(0.05, 3000),
    bearing=st.floats(0, 360),
    share=st.floats(0, 1),
)
def test_every_point_of_a_circle_is_covered(
    latitude: float, longitude: float, radius_km: float, bearing: float, share: float
) -> None:
    center = Point(latitude, longitude)
    point = destination(center, bearing, radius_km * share)

    assert cells_of([point]) & set(cover(center, radius_km))


def test_covers_are_small() -> None:
    assert len(cover(Point(38.7, -9.1), 10)) < 100
    assert len(cover(Point(38.7, -9.1), 500)) < 150


def test_most_of_the_globe_has_no_cover() -> None:
    assert cover(Point(0, 0), 15_000) == []
