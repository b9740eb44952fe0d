"""Named and drawn areas."""

import pytest

from geoscout_places.gazetteer.areas.region_areas import (
    DrawnArea,
    NamedArea,
    draw_place,
    estimate_radius_km,
)
from geoscout_places.gazetteer.areas.shapes import Box, Circle, Polygon
from geoscout_places.model import Kind, Place, Point
from tests.unit.places.gazetteer.worlds import (
    AMMERLAND,
    BERLIN,
    BERLIN_RING,
    BERLIN_STATE,
    CASTLE,
    EAST_FRISIA,
    EUROPE,
    EVERSTEN,
    GAZETTEER,
    GERMANY,
    GERMANY_RING,
    OLDENBURG,
    RASTEDE,
)


@pytest.mark.parametrize(
    ("place", "shape"),
    [
        (GERMANY, Polygon((GERMANY_RING,))),
        (EUROPE, Polygon((GERMANY_RING,))),  # its countries
        (AMMERLAND, Circle(AMMERLAND.point, 15.0)),
        (OLDENBURG, Circle(OLDENBURG.point, 6.514)),
        (EVERSTEN, Circle(EVERSTEN.point, 3.0)),
        (EAST_FRISIA, Circle(EAST_FRISIA.point, 100.0)),
    ],
)
def test_place_is_drawn_by_its_boundary_or_its_population(place, shape):
    [drawn] = draw_place(place, GAZETTEER)

    if isinstance(shape, Circle):
        assert isinstance(drawn, Circle)
        assert drawn.center == shape.center
        assert drawn.radius_km == pytest.approx(shape.radius_km, abs=0.01)
    else:
        assert drawn == shape


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_has_a_least_radius(kind):
    place = Place(1, "", kind, Point(0, 0), "")

    assert estimate_radius_km(place) >= 3


def test_city_that_is_a_state_has_the_boundary_of_the_state():
    area = NamedArea(BERLIN, GAZETTEER)

    assert area.shapes == (Polygon((BERLIN_RING,)),)
    assert area.place_ids == {BERLIN.id, BERLIN_STATE.id}


def test_city_in_a_larger_region_is_itself_alone():
    assert NamedArea(OLDENBURG, GAZETTEER).place_ids == {OLDENBURG.id}


def test_middle_of_a_country_in_a_circle_does_not_put_the_country_there():
    circle = DrawnArea("", Circle(GERMANY.point, 50), GAZETTEER)
    box = DrawnArea("", Box(5, 47, 16, 56), GAZETTEER)

    assert not circle.contains_loosely(GERMANY)
    assert box.contains_loosely(GERMANY)


def test_landmark_is_placed_by_its_point():
    area = NamedArea(OLDENBURG, GAZETTEER)

    assert area.contains_loosely(CASTLE)
    assert not area.contains_loosely(RASTEDE)
