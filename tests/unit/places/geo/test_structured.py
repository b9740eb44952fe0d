"""Places in the markup: addresses, coordinates, and how both are cleaned."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.geo.structured import (
    StreetLine,
    addresses_of,
    clean_text,
    parse_degrees,
    parse_pair,
    parse_point,
    points_of,
    split_street,
)
from geoscout_places.model import Address, Item, Page, Point, Precision

Properties = tuple[tuple[str, str | Item], ...]


def page(*items: Item) -> Page:
    return Page("http://example.org/", "", "", "", (), items=items)


def address(**parts: str) -> Item:
    return Item("json-ld", ("PostalAddress",), tuple(parts.items()))


LINZ = address(
    streetAddress="Hauptplatz 1",
    postalCode="4020",
    addressLocality="Linz",
    addressCountry="at",
)
SPOT = Item("json-ld", ("GeoCoordinates",), (("latitude", "48.3"), ("longitude", "14.3")))


def test_address_has_its_parts_and_the_coordinates_beside_it():
    hotel = Item("json-ld", ("Hotel",), (("address", LINZ), ("geo", SPOT)))

    assert addresses_of(page(hotel)) == [
        Address(
            start=0,
            end=0,
            text="Hauptplatz 1, Linz 4020, at",
            house_number="1",
            street="Hauptplatz",
            unit="",
            city="Linz",
            region="",
            postcode="4020",
            country="AT",
            point=Point(48.3, 14.3),
            place=None,
            source="json-ld",
            precision=Precision.TOWN,
        )
    ]


def test_address_of_a_card_is_read():
    card = Item(
        "microformat",
        ("h-adr",),
        (
            ("street-address", "123 Main St"),
            ("extended-address", "Suite 5"),
            ("locality", "Springfield"),
            ("region", "IL"),
            ("postal-code", "62701"),
            ("country-name", "USA"),
        ),
    )

    (found,) = addresses_of(page(card))

    assert (found.house_number, found.street, found.unit) == ("123", "Main St", "Suite 5")
    assert (found.city, found.region, found.postcode) == ("Springfield", "IL", "62701")
    assert found.source == "microformat"


def test_address_in_the_head_is_read():
    meta: Properties = (
        ("business:contact_data:street_address", "Hauptplatz 1"),
        ("business:contact_data:locality", "Linz"),
        ("place:location:latitude", "48.3"),
        ("place:location:longitude", "14.3"),
    )

    (found,) = addresses_of(page(Item("meta", (), meta)))

    assert (found.city, found.point) == ("Linz", Point(48.3, 14.3))


def test_country_may_be_an_item():
    country = Item("json-ld", ("Country",), (("name", "Austria"),))
    item = Item("json-ld", ("PostalAddress",), (*LINZ.properties[:3], ("addressCountry", country)))

    assert addresses_of(page(item))[0].country == "Austria"


def test_same_address_is_named_once_and_with_coordinates():
    with_point = Item("microdata", ("Hotel",), (("address", LINZ), ("geo", SPOT)))

    (found,) = addresses_of(page(LINZ, with_point))

    assert found.point == Point(48.3, 14.3)


@pytest.mark.parametrize(
    "item",
    [
        address(addressLocality="Linz", addressCountry="AT"),
        address(streetAddress="Hauptplatz 1"),
        address(streetAddress="null", addressLocality="N/A", postalCode="undefined"),
        address(streetAddress="{{ street }}", addressLocality="{{ city }}"),
        address(streetAddress=" , ", postalCode="-"),
        address(),
    ],
)
def test_what_is_no_address_is_dropped(item):
    assert addresses_of(page(item)) == []


@pytest.mark.parametrize(
    ("text", "country", "line"),
    [
        ("123 Main St", "US", StreetLine("123", "Main St", "")),
        ("123 Main St, Suite 5", "US", StreetLine("123", "Main St", "Suite 5")),
        ("123 Main St #5", "US", StreetLine("123", "Main St", "#5")),
        ("123 Main St\nApt 5", "US", StreetLine("123", "Main St", "Apt 5")),
        ("Hauptstr. 5a", "DE", StreetLine("5a", "Hauptstr.", "")),
        ("Hauptstr. 5-7", "", StreetLine("5-7", "Hauptstr.", "")),
        ("Straße des 17. Juni 135", "DE", StreetLine("135", "Straße des 17. Juni", "")),
        ("12 bis, rue de la Paix", "FR", StreetLine("12 bis", "rue de la Paix", "")),
        ("Highway 61", "US", StreetLine("", "Highway 61", "")),
        ("County Road 12", "", StreetLine("", "County Road 12", "")),
        ("5th Avenue", "US", StreetLine("", "5th Avenue", "")),
        ("Am Markt", "DE", StreetLine("", "Am Markt", "")),
        ("", "", StreetLine("", "", "")),
    ],
)
def test_street_lines_are_split(text, country, line):
    assert split_street(text, country) == line


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Main&nbsp;St &amp; Elm", "Main St & Elm"),
        ("Main St<br/>Floor 2", "Main St\nFloor 2"),
        ("<b>Main</b> St ,", "Main St"),
        ("None", ""),
        ("&#" + "9" * 5000 + ";", "\ufffd"),
    ],
)
def test_parts_are_cleaned(text, cleaned):
    assert clean_text(text)[:30] == cleaned


def geo(latitude: str, longitude: str, source: str = "json-ld") -> Item:
    properties: Properties = (("latitude", latitude), ("longitude", longitude))
    return Item(source, ("GeoCoordinates",), properties)


def test_coordinates_inside_an_item_are_found():
    hotel = Item("json-ld", ("Hotel",), (("name", "Wirt"), ("geo", geo("48.3", "14.3"))))

    assert points_of(page(hotel)) == [(Point(48.3, 14.3), "json-ld")]


def test_coordinates_in_the_head_are_found():
    meta = Item("meta", (), (("geo.region", "AT"), ("icbm", "48.3, 14.3")))

    assert points_of(page(meta)) == [(Point(48.3, 14.3), "meta")]


def test_coordinates_of_a_microformat_are_found():
    assert points_of(page(Item("microformat", ("h-geo",), (("value", "48.3;14.3"),)))) == [
        (Point(48.3, 14.3), "microformat")
    ]


def test_wrong_coordinates_are_dropped():
    wrong = [geo("0", "0"), geo("122.4", "37.7"), geo("48.3", "east"), geo("", "")]

    assert points_of(page(*wrong)) == []


def test_same_spot_is_named_once_with_its_first_source():
    found = points_of(page(geo("48.3", "14.3"), geo("48.3001", "14.2999", "map-link")))

    assert found == [(Point(48.3, 14.3), "json-ld")]


def test_point_is_swapped_when_its_mirror_image_is_stated_oftener():
    found = points_of(
        page(geo("14.3", "48.3"), geo("48.3", "14.3", "map-link"), geo("48.3", "14.3", "meta"))
    )

    assert found == [(Point(48.3, 14.3), "map-link")]


def test_many_points_are_cut_off():
    many = [geo(str(1 + number / 100), "5") for number in range(2000)]

    assert len(points_of(page(*many))) == 200


@pytest.mark.parametrize(
    ("text", "degrees"),
    [
        ("48.137", 48.137),
        ("-48", -48.0),
        ("+48.5", 48.5),
        (" 48,137 ", 48.137),
        ("48.137°", 48.137),
        ("48° 30' N", 48.5),
        ("48°30'00\"N", 48.5),
        ("48°30′S", -48.5),
        ("48 30 0 N", 48.5),
        ("N 48° 30.0'", 48.5),
        ("W11°34′30″", -11.575),
        ("11° 30' O", 11.5),
        ("48.5° N", 48.5),
        ("48.5 S", -48.5),
    ],
)
def test_angles_are_read(text, degrees):
    assert parse_degrees(text) == pytest.approx(degrees)


@pytest.mark.parametrize(
    "text", ["", "north", "48.1.2", "1e5", "48° 75' N", "48; 11", "nan", "48° 30'", "4 8", "N"]
)
def test_what_is_no_angle_beyond_doubt_is_none(text):
    assert parse_degrees(text) is None


@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [
        ("0", "0"),
        ("0.0000", "-0.0"),
        ("91", "10"),
        ("-122.4", "37.7"),
        ("45", "181"),
        ("lat", "lon"),
        ("", "11"),
    ],
)
def test_points_that_cannot_be_are_none(latitude, longitude):
    assert parse_point(latitude, longitude) is None


@pytest.mark.parametrize(
    "text",
    ["48.5;11.5", "48.5, 11.5", "48.5,11.5", "48.5 11.5", "48°30'N; 11°30'E", "48,5; 11,5"],
)
def test_pairs_are_read(text):
    assert parse_pair(text) == Point(48.5, 11.5)


@pytest.mark.parametrize("text", ["", "48.5", "a;b", "1,2,3", "48.5;11.5;3"])
def test_what_is_no_pair_is_none(text):
    assert parse_pair(text) is None


@given(st.text(max_size=100))
def test_any_text_is_survived(text):
    parse_degrees(text)
    parse_pair(text)
