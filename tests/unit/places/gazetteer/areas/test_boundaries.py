"""The encoding of boundaries, and the shipped ones."""

from functools import cache
from itertools import islice

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.areas.boundaries import (
    box_polygon,
    boxes_touch,
    decode_rings,
    encode,
    polygons_touch,
    read_boundaries,
    touched_countries,
)
from geoscout_places.gazetteer.areas.shapes import Box, Circle, Polygon
from geoscout_places.gazetteer.tables import DATA_FOLDER, PlaceRow, read_table
from geoscout_places.model import Point


@cache
def shipped() -> dict[str, bytes]:
    return dict(read_boundaries())


@cache
def boundary(code: str) -> Polygon | None:
    return decode_rings(shipped()[code]) if code in shipped() else None


THOUSANDTHS = st.integers(-180_000, 180_000).map(lambda number: number / 1000)
RINGS = st.lists(
    st.lists(st.tuples(THOUSANDTHS, THOUSANDTHS), min_size=1).map(tuple), max_size=5
).map(tuple)


@given(RINGS)
def test_rings_come_back_as_they_were(rings):
    assert decode_rings(encode(rings)).rings == rings


@pytest.mark.parametrize("text", [b"k`Om", b"k`OmxfBC?~", b"k`O\xffxfB", b"k`O1xfB"])
def test_damaged_text_is_refused(text):
    with pytest.raises(DamagedDataError, match="damaged"):
        decode_rings(text)


def test_shipped_tables_have_all_levels():
    codes = [code for code, _ in read_boundaries()]

    assert len(codes) == len(set(codes))
    assert sum("." not in code for code in codes) >= 245
    assert sum(code.count(".") == 1 for code in codes) >= 3300
    assert sum(code.startswith("US.") and code.count(".") == 2 for code in codes) >= 3100


@pytest.mark.parametrize(
    ("code", "latitude", "longitude"),
    [
        ("DE", 53.1412, 8.2147),  # Oldenburg
        ("DE.06", 53.1412, 8.2147),
        ("US.CA", 34.0522, -118.2437),  # Los Angeles
        ("US.CA.037", 34.0522, -118.2437),
        ("US", 21.3069, -157.8583),  # Honolulu
        ("US", 51.88, -176.6581),  # Adak, almost at the antimeridian
        ("FJ", -18.1416, 178.4415),  # Suva
        ("FJ", -16.8, -179.97),  # Taveuni, beyond the antimeridian
        ("RU", 66.16, -169.81),  # Uelen
        ("GB.ENG", 51.5085, -0.1257),  # London
        ("GB.SCT", 60.1545, -1.1494),  # Lerwick
        ("FR.11", 48.8534, 2.3488),  # Paris
        ("IT.09", 45.4643, 9.1895),  # Milan
        ("ES.56", 41.3888, 2.159),  # Barcelona
        ("NO.46", 60.393, 5.3242),  # Bergen
        ("NL", 51.4425, 3.5736),  # Vlissingen, on the coast
        ("MC", 43.7333, 7.4167),
        ("MV", 4.1748, 73.5089),  # Malé
        ("AQ", -90.0, 0.0),
        ("UA.11", 44.9572, 34.1108),  # Simferopol
        ("ZA", -26.2023, 28.0436),
        ("LS", -29.3167, 27.4833),  # Maseru, in the hole of South Africa
    ],
)
def test_city_is_inside_its_shipped_boundary(code, latitude, longitude):
    polygon = boundary(code)

    assert polygon is not None
    assert polygon.contains(Point(latitude, longitude))


@pytest.mark.parametrize(
    ("code", "latitude", "longitude"),
    [
        ("DE", 48.5839, 7.7455),  # Strasbourg
        ("DE.06", 53.0758, 8.8072),  # Bremen, in the hole of Lower Saxony
        ("US", 49.2497, -123.1193),  # Vancouver
        ("ZA", -29.6, 28.3),  # the middle of Lesotho
        ("IT", 43.9424, 12.4578),  # San Marino
        ("FJ", -18.0, 0.0),
    ],
)
def test_neighbour_is_outside_the_shipped_boundary(code, latitude, longitude):
    polygon = boundary(code)

    assert polygon is not None
    assert not polygon.contains(Point(latitude, longitude))


@pytest.mark.parametrize(("level", "floor"), [(0, 0.99), (1, 0.975), (2, 0.975)])
def test_places_lie_within_their_boundaries(level, floor):
    answers = []
    for path in sorted(DATA_FOLDER.glob("places.*.tsv.xz")):
        for row in islice(read_table(path, PlaceRow), 0, None, 50):
            codes = [row.country, row.admin1, row.admin2][: level + 1]
            polygon = boundary(".".join(codes)) if all(codes) else None
            if polygon is not None:
                point = Point(float(row.latitude), float(row.longitude))
                answers.append(polygon.contains(point))

    assert len(answers) > 1000
    assert sum(answers) / len(answers) > floor


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
def test_touched_countries_are_named(shape, countries):
    assert touched_countries(shape) == countries


def test_box_over_the_whole_globe_touches_all_countries():
    assert len(touched_countries(Box(-180, -90, 180, 90))) >= 245


@settings(deadline=None)
@given(TRIANGLES, TRIANGLES)
def test_shapely_agrees_on_whether_triangles_touch(corners, other):
    oracle = shapely.Polygon(corners).intersects(shapely.Polygon(other))

    assert polygons_touch(Polygon((corners,)), Polygon((other,))) is oracle


def test_polygons_on_one_line_but_apart_do_not_touch():
    first = Polygon((((0.0, 0.0), (1.0, 0.0), (0.5, 1.0)),))
    second = Polygon((((1.5, 0.0), (3.0, 0.0), (2.0, -1.0)),))

    assert not polygons_touch(first, second)


def test_polygon_in_a_hole_does_not_touch():
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
def test_boxes_touch_also_across_the_antimeridian(box, other, *, touching):
    assert boxes_touch(box, other) is touching
    assert boxes_touch(other, box) is touching
