"""Regions as a crawl asks them, and their agreement with shapely."""

import json
from collections.abc import Sequence
from math import inf, nan
from random import Random

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from geoscout_places.errors import RegionError
from geoscout_places.gazetteer import Region
from geoscout_places.model import Place, Point
from tests.fakes import FakeGazetteer
from tests.unit.places.gazetteer.worlds import (
    BERLIN,
    CASTLE,
    EVERSTEN,
    GAZETTEER,
    GERMANY,
    LOWER_SAXONY,
    OLDENBURG,
    OLDENBURG_HOLSTEIN,
    RASTEDE,
    SPANDAU,
)

TEN_THOUSAND = 10_000
ODD_POINTS = [
    *(Point(nan, 0), Point(0, nan), Point(inf, 0), Point(0, -inf), Point(95, 8), Point(-91, 8)),
    *(Point(53, 1e300), Point(90, 0), Point(-90, 180), Point(0, -180), Point(53.14, 368.21)),
]


def parse(*texts: str) -> Region:
    return Region.parse(texts, GAZETTEER)


@pytest.mark.parametrize(
    ("text", "place", "inside"),
    [
        ("Oldenburg", OLDENBURG, True),
        ("Oldenburg", EVERSTEN, True),
        ("Oldenburg", RASTEDE, False),
        ("Oldenburg", GERMANY, False),
        ("Oldenburg", CASTLE, True),
        ("Lower Saxony", RASTEDE, True),
        ("Lower Saxony", OLDENBURG_HOLSTEIN, False),
        ("Berlin", SPANDAU, True),
        ("Europe", SPANDAU, True),
        ("53.14,8.21,5", OLDENBURG, True),
        ("53.14,8.21,5", RASTEDE, False),
        ("53.14,8.21,15", RASTEDE, True),
        ("8,53,9,54", RASTEDE, True),
        ("Berlin; 8,53,9,54", RASTEDE, True),
    ],
)
def test_place_is_inside_by_hierarchy_or_shape(text, place, *, inside):
    assert parse(text).contains_place(place) is inside


@pytest.mark.parametrize(
    ("population", "at", "inside"),
    [(0, Point(53.15, 8.22), True), (9000, Point(53.15, 8.22), False),
     (0, Point(53.25, 8.2), False)],
)  # fmt: skip
def test_campus_next_to_the_city_in_the_hierarchy_is_inside_it(population, at, *, inside):
    campus = structs.replace(RASTEDE, id=77, name="Campus", point=at, population=population)

    assert parse("Oldenburg").contains_place(campus) is inside


@pytest.mark.parametrize(
    ("text", "latitude", "longitude", "inside"),
    [
        ("Oldenburg", 53.15, 8.22, True),
        ("Oldenburg", 53.25, 8.2, False),
        ("Lower Saxony", 53.25, 8.2, True),
        ("Lower Saxony", 53.1, 8.8, False),  # Bremen is a hole in it
        ("Germany", 48, 11, True),
        ("Europe", 48, 11, True),
        ("Berlin; Oldenburg", 52.5, 13.4, True),
        ("Berlin; Oldenburg", 53.14, 8.21, True),
        ("Berlin; Oldenburg", 53.0, 11.0, False),
        ("89.9,0,200", 89, 180, True),
        ("177,-20,-178,-15", -18, -179, True),
    ],
)
def test_point_is_inside_by_shape(text, latitude, longitude, *, inside):
    assert parse(text).contains_point(Point(latitude, longitude)) is inside


def test_point_of_a_named_place_is_inside_even_when_its_boundary_misses_it():
    bremen_middle = Point(53.1, 8.8)
    moved = Place(3, "Lower Saxony", LOWER_SAXONY.kind, bremen_middle, "DE", population=8_000_000)
    rings = GAZETTEER.boundary(LOWER_SAXONY)
    assert rings is not None
    region = Region.parse("Lower Saxony", FakeGazetteer([moved], boundaries={3: rings}))

    assert region.contains_point(bremen_middle)


@pytest.mark.parametrize(
    ("text", "country", "code", "inside"),
    [
        ("Oldenburg", "DE", "26121", True),
        ("Oldenburg", "de", " 26121 ", True),
        ("Oldenburg", "DE", "26180", False),  # of Rastede
        ("Oldenburg", "DE", "23758", False),  # of the other Oldenburg
        ("Oldenburg", "DE", "26133", True),  # of no known town, but within the circle
        ("Oldenburg", "AT", "26121", False),
        ("Lower Saxony", "DE", "26180", True),
        ("Lower Saxony", "DE", "26133", True),
        ("Lower Saxony", "DE", "13597", False),
        ("Berlin", "DE", "13597", True),
        ("Germany", "DE", "99999", True),  # unknown, but of the country
        ("Germany", "DE", "", False),
        ("Europe", "DE", "26180", True),
        ("53.25,8.2,3", "DE", "26180", True),
        ("53.25,8.2,3", "DE", "26121", False),
        ("53.25,8.2,3", "DE", "99999", False),
    ],
)
def test_postcode_is_inside_by_town_or_point(text, country, code, *, inside):
    assert parse(text).contains_postcode(country, code) is inside


def test_bare_name_says_what_else_it_may_have_meant():
    region = parse("Oldenburg")

    assert region.places == (OLDENBURG,)
    assert region.alternatives == (OLDENBURG_HOLSTEIN,)
    assert region.notes[0].startswith("taken as Oldenburg, Lower Saxony, Germany; also: ")
    assert region.notes[0].endswith("; also: Oldenburg in Holstein, Schleswig-Holstein, Germany")


def test_polygon_that_goes_the_long_way_round_gets_a_note():
    ring = [[179, 0], [-179, 0], [-179, 9], [179, 9], [179, 0]]
    region = parse(json.dumps({"type": "Polygon", "coordinates": [ring]}))

    assert region.contains_point(Point(5, 0))  # read as RFC 7946 says
    assert "from longitude 179 to -179 goes the long way round" in region.notes[0]


def test_region_is_named_by_its_areas():
    assert parse("53.14,8.21,30").name == "30 km around 53.14,8.21"
    assert parse("Germany; Rastede").name == "Germany; Rastede, Lower Saxony, Germany"
    assert parse("Germany;Berlin;Rastede;Spandau;1,2,3,4").name.endswith(" and 2 more")


def test_place_named_twice_counts_once():
    assert parse("Rastede", "Rastede, Germany").places == (RASTEDE,)


@pytest.mark.parametrize("texts", [[], "", [" ; "], "\n"])
def test_empty_region_is_refused(texts):
    with pytest.raises(RegionError, match="the region is empty; a region is a place name"):
        Region.parse(texts, GAZETTEER)


@pytest.mark.parametrize("text", ["Oldenburg", "Germany", "53.14,8.21,30", "8,53,9,54"])
@pytest.mark.parametrize("point", ODD_POINTS)
def test_odd_points_are_answered(text, point):
    region = parse(text)

    assert region.contains_point(point) in (True, False)
    assert region.distance_km(point) >= 0


def test_distance_is_to_the_nearest_area():
    region = parse("Oldenburg", "Berlin")

    assert region.distance_km(Point(53.14, 8.21)) == 0
    assert region.distance_km(Point(53.25, 8.2)) == pytest.approx(12.2 - 6.5, abs=0.2)
    assert region.distance_km(Point(52.5, 12.1)) == pytest.approx(67.7, abs=0.5)


@given(st.floats(45, 62), st.floats(-5, 25), st.sampled_from([0.0, 30.0, 250.0]))
def test_only_distances_up_to_a_limit_are_exact(latitude, longitude, most):
    region, point = parse("Lower Saxony", "53.14,8.21,30"), Point(latitude, longitude)
    exact, bounded = region.distance_km(point), region.distance_km(point, most)

    assert bounded == exact if exact <= most else bounded > most


def test_diameter_spans_all_areas():
    assert parse("53.14,8.21,30").diameter_km == 60
    assert parse("Oldenburg", "Berlin").diameter_km == pytest.approx(392, abs=3)


@pytest.mark.parametrize(
    ("text", "countries"),
    [("Berlin", {"DE"}), ("Europe", {"DE"}), ("47.55,7.6,20", {"DE", "CH", "FR"})],
)
def test_touched_countries_are_known(text, countries):
    assert parse(text).countries == countries


def random_points(box: tuple[float, float, float, float], seed: int, count: int) -> list[Point]:
    west, south, east, north = box
    chance = Random(seed)
    return [Point(chance.uniform(south, north), chance.uniform(west, east)) for _ in range(count)]


def ask_region(region: Region, points: Sequence[Point]) -> list[bool]:
    return [region.contains_point(point) for point in points]


def ask_shapely(oracle: shapely.Geometry, points: Sequence[Point]) -> list[bool]:
    shapely.prepare(oracle)
    return [oracle.covers(shapely.Point(point.longitude, point.latitude)) for point in points]


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-20, 20), st.floats(-20, 20)), min_size=6, max_size=60),
    st.floats(-150, 150),
    st.floats(-60, 60),
    st.integers(0, 2**32),
)
def test_region_from_geojson_agrees_with_shapely_on_500_points_of_20_shapes(
    corners, longitude, latitude, seed
):
    buffered = shapely.MultiPoint([(longitude + x, latitude + y) for x, y in corners]).buffer(4)
    oracle = shapely.difference(buffered, shapely.Point(longitude, latitude).buffer(3))
    if oracle.is_empty:
        return
    region = Region.parse(shapely.to_geojson(oracle), GAZETTEER)
    points = random_points(oracle.bounds, seed, TEN_THOUSAND // 20)

    assert ask_region(region, points) == ask_shapely(oracle, points)


@pytest.mark.parametrize("name", ["Germany", "California", "Fiji", "Bavaria", "Los Angeles County"])
def test_real_boundary_agrees_with_shapely_on_10_000_points(gazetteer, name):
    region = Region.parse(name, gazetteer)
    [shape] = region.areas[0].shapes
    oracle = shapely.Polygon()
    for ring in shape.rings:  # type: ignore[attr-defined]
        oracle = oracle.symmetric_difference(shapely.make_valid(shapely.Polygon(ring)))
    west, south, east, north = oracle.bounds
    points = random_points((west, south, east, north), 1, TEN_THOUSAND)

    assert ask_region(region, points) == ask_shapely(oracle, points)


def test_real_city_state_has_its_boundary(gazetteer):
    region = Region.parse("Berlin", gazetteer)

    assert region.places[0] == gazetteer.find(BERLIN.name)[0].place
    assert region.contains_point(Point(52.5351, 13.1980))  # Spandau
    assert not region.contains_point(Point(52.3989, 13.0657))  # Potsdam
    assert region.contains_postcode("DE", "13597")
    assert not region.contains_postcode("DE", "14467")
