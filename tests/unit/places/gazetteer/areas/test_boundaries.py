"""The encoding of boundaries, and the shipped ones."""

from __future__ import annotations

from functools import cache
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.areas import boundaries
from geoscout_places.gazetteer.areas.boundaries import (
    country_boundaries,
    decode_rings,
    encode,
    read_boundaries,
)
from geoscout_places.gazetteer.tables import DATA_FOLDER, PlaceRow, read_table
from geoscout_places.model import Point

cached_boundary = cache(boundaries.boundary)
THOUSANDTHS = st.integers(-180_000, 180_000).map(lambda number: number / 1000)
RINGS = st.lists(
    st.lists(st.tuples(THOUSANDTHS, THOUSANDTHS), min_size=1).map(tuple), max_size=5
).map(tuple)


@given(RINGS)
def test_rings_come_back_as_they_were(rings: tuple[tuple[tuple[float, float], ...], ...]) -> None:
    assert decode_rings(encode(rings)).rings == rings


@pytest.mark.parametrize("text", [b"k`Om", b"k`OmxfBC?~", b"k`O\xffxfB", b"k`O1xfB"])
def test_damaged_text_is_refused(text: bytes) -> None:
    with pytest.raises(DamagedDataError, match="damaged"):
        decode_rings(text)


def test_shipped_tables_are_small() -> None:
    sizes = [path.stat().st_size for path in DATA_FOLDER.glob("boundaries*.tsv.xz")]

    assert max(sizes) < 1_400_000
    assert sum(sizes) < 1_300_000


def test_shipped_tables_have_all_levels() -> None:
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
def test_city_is_inside_its_shipped_boundary(code: str, latitude: float, longitude: float) -> None:
    polygon = boundaries.boundary(code)

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
def test_neighbour_is_outside_the_shipped_boundary(
    code: str, latitude: float, longitude: float
) -> None:
    polygon = boundaries.boundary(code)

    assert polygon is not None
    assert not polygon.contains(Point(latitude, longitude))


@pytest.mark.parametrize(("level", "floor"), [(0, 0.99), (1, 0.975), (2, 0.975)])
def test_places_lie_within_their_boundaries(level: int, floor: float) -> None:
    answers = []
    for path in sorted(DATA_FOLDER.glob("places.*.tsv.xz")):
        for row in islice(read_table(path, PlaceRow), 0, None, 50):
            codes = [row.country, row.admin1, row.admin2][: level + 1]
            polygon = cached_boundary(".".join(codes)) if all(codes) else None
            if polygon is not None:
                point = Point(float(row.latitude), float(row.longitude))
                answers.append(polygon.contains(point))

    assert len(answers) > 1000
    assert sum(answers) / len(answers) > floor


def test_unknown_code_has_no_boundary() -> None:
    assert boundaries.boundary("XX.99") is None


def test_countries_are_read_by_themselves() -> None:
    assert {"DE", "FR", "US", "FJ"} <= country_boundaries().keys()
