"""Every point tells how exactly it is known."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address import extract_addresses
from geoscout_places.geo.geoparser import Geoparser
from geoscout_places.geo.merge import located, merged
from geoscout_places.geo.presenting import address_as_json
from geoscout_places.geo.structured import stated_precision
from geoscout_places.model import Address, Kind, Place, Point, Precision
from geoscout_places.parse import parse_html


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        ("Marienplatz 1, 80331 München", Precision.POSTCODE),
        ("100 Congress Ave, Austin, TX 78701", Precision.POSTCODE),
        ("100 Congress Ave, Austin, TX", Precision.TOWN),
    ],
)
def test_written_address_is_as_exact_as_its_postal_code_or_town(
    text: str, precision: Precision, gazetteer: Gazetteer
) -> None:
    (address,) = extract_addresses(text, gazetteer)

    assert address.precision is precision
    assert address_as_json(address)["precision"] == precision.value


@pytest.mark.parametrize(
    ("latitude", "longitude", "precision"),
    [
        (48.137154, 11.576124, Precision.HOUSE),
        (48.137, 11.576, Precision.STREET),
        (48.14, 11.58, Precision.POSTCODE),
        (48.1, 11.6, Precision.TOWN),
        (48.0, 11.0, Precision.REGION),
        (48 + 8 / 60, 11 + 35 / 60, Precision.POSTCODE),  # 48°8'N 11°35'E
        (48 + 8 / 60 + 13 / 3600, 11 + 35 / 60, Precision.HOUSE),  # with seconds
    ],
)
def test_stated_point_is_as_exact_as_its_digits(
    latitude: float, longitude: float, precision: Precision
) -> None:
    assert stated_precision(Point(latitude, longitude)) is precision


def test_coordinates_of_the_markup_make_an_address_exact(gazetteer: Gazetteer) -> None:
    html = b"""<p>Marienplatz 1, 80331 M\xc3\xbcnchen</p>
        <script type="application/ld+json">{"@type": "Hotel", "geo": {"latitude": 48.137154,
        "longitude": 11.576124}, "address": {"streetAddress": "Marienplatz 1",
        "postalCode": "80331", "addressLocality": "M\xc3\xbcnchen", "addressCountry": "DE"}}
        </script>"""

    (address,) = Geoparser(gazetteer).read(parse_html(html, "https://a.example/")).addresses

    assert (address.precision, address.point) == (Precision.HOUSE, Point(48.137154, 11.576124))


def stated(point: Point | None) -> Address:
    return Address(
        0, 0, "Marienplatz 1, 80331 München", "1", "Marienplatz",
        unit="", city="München", region="", postcode="80331", country="DE", point=point, place=None,
        source="json-ld", precision=stated_precision(point) if point else None,
    )  # fmt: skip


def test_address_without_a_point_is_placed_by_its_postal_code(gazetteer: Gazetteer) -> None:
    assert located(stated(None), gazetteer).precision is Precision.POSTCODE


def test_a_rough_point_of_the_markup_does_not_replace_a_better_one(gazetteer: Gazetteer) -> None:
    rough = located(stated(Point(48.1, 11.6)), gazetteer)
    exact = replace(rough, point=Point(48.137154, 11.576124), precision=Precision.HOUSE)

    assert merged([exact], [rough]) == [exact]
    assert merged([rough], [exact])[0].point == exact.point


@pytest.mark.parametrize(
    ("kind", "precision"), [(Kind.CITY, Precision.TOWN), (Kind.COUNTRY, Precision.REGION)]
)
def test_a_page_that_names_a_place_is_as_exact_as_the_place(
    kind: Kind, precision: Precision
) -> None:
    assert Place(1, "A", kind, Point(0.0, 0.0), "").precision is precision
