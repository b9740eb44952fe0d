from __future__ import annotations

import pytest

from geoscout_places.geo.structured import address_texts_of, addresses_of
from geoscout_places.geo.structured.addresses import StreetLine, clean_text, split_street
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


def test_address_has_its_parts_and_the_coordinates_beside_it() -> None:
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


def test_address_of_a_card_is_read() -> None:
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


def test_address_in_the_head_is_read() -> None:
    meta: Properties = (
        ("business:contact_data:street_address", "Hauptplatz 1"),
        ("business:contact_data:locality", "Linz"),
        ("place:location:latitude", "48.3"),
        ("place:location:longitude", "14.3"),
    )

    (found,) = addresses_of(page(Item("meta", (), meta)))

    assert (found.city, found.point) == ("Linz", Point(48.3, 14.3))


def test_country_may_be_an_item() -> None:
    country = Item("json-ld", ("Country",), (("name", "Austria"),))
    item = Item("json-ld", ("PostalAddress",), (*LINZ.properties[:3], ("addressCountry", country)))

    assert addresses_of(page(item))[0].country == "Austria"


def test_country_names_are_put_to_who_knows_them() -> None:
    item = address(streetAddress="Hauptplatz 1", addressLocality="Linz", addressCountry="Austria")

    (found,) = addresses_of(page(item), country_code={"Austria": "AT"}.__getitem__)

    assert found.country == "AT"


def test_same_address_is_named_once_and_with_coordinates() -> None:
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
def test_what_is_no_address_is_dropped(item: Item) -> None:
    assert addresses_of(page(item)) == []


def test_addresses_in_one_piece_are_given_as_texts() -> None:
    hotel = Item("microdata", ("Hotel",), (("address", "Hauptplatz 1\n4020 Linz"),))
    link = Item("map-link", ("google",), (("query", "Hauptplatz 1, Linz"),))
    adr = Item("microformat", ("h-adr",), (("value", "Landstr. 3, Linz"),))

    assert address_texts_of(page(hotel, link, adr)) == [
        ("Hauptplatz 1\n4020 Linz", "microdata"),
        ("Hauptplatz 1, Linz", "map-link"),
        ("Landstr. 3, Linz", "microformat"),
    ]


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
def test_street_lines_are_split(text: str, country: str, line: StreetLine) -> None:
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
def test_parts_are_cleaned(text: str, cleaned: str) -> None:
    assert clean_text(text)[:30] == cleaned
