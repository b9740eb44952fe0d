from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.geo.structured import points_of
from geoscout_places.geo.structured.points import parse_degrees, parse_pair, parse_point
from geoscout_places.model import Item, Page, Point

Properties = tuple[tuple[str, str | Item], ...]


def page(*items: Item) -> Page:
    return Page("http://example.org/", "", "", "", (), items=items)


def geo(latitude: str, longitude: str, source: str = "json-ld") -> Item:
    properties: Properties = (("latitude", latitude), ("longitude", longitude))
    return Item(source, ("GeoCoordinates",), properties)


def test_coordinates_inside_an_item_are_found() -> None:
    hotel = Item("json-ld", ("Hotel",), (("name", "Wirt"), ("geo", geo("48.3", "14.3"))))

    assert points_of(page(hotel)) == [(Point(48.3, 14.3), "json-ld")]


def test_coordinates_in_the_head_are_found() -> None:
    meta = Item("meta", (), (("geo.region", "AT"), ("icbm", "48.3, 14.3")))

    assert points_of(page(meta)) == [(Point(48.3, 14.3), "meta")]


def test_coordinates_of_a_microformat_are_found() -> None:
    assert points_of(page(Item("microformat", ("h-geo",), (("value", "48.3;14.3"),)))) == [
        (Point(48.3, 14.3), "microformat")
    ]


def test_wrong_coordinates_are_dropped() -> None:
    wrong = [geo("0", "0"), geo("122.4", "37.7"), geo("48.3", "east"), geo("", "")]

    assert points_of(page(*wrong)) == []


def test_same_spot_is_named_once_with_its_first_source() -> None:
    found = points_of(page(geo("48.3", "14.3"), geo("48.3001", "14.2999", "map-link")))

    assert found == [(Point(48.3, 14.3), "json-ld")]


def test_point_is_swapped_when_its_mirror_image_is_stated_oftener() -> None:
    found = points_of(
        page(geo("14.3", "48.3"), geo("48.3", "14.3", "map-link"), geo("48.3", "14.3", "meta"))
    )

    assert found == [(Point(48.3, 14.3), "map-link")]


def test_many_points_are_cut_off() -> None:
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
def test_angles_are_read(text: str, degrees: float) -> None:
    assert parse_degrees(text) == pytest.approx(degrees)


@pytest.mark.parametrize(
    "text", ["", "north", "48.1.2", "1e5", "48° 75' N", "48; 11", "nan", "48° 30'", "4 8", "N"]
)
def test_what_is_no_angle_beyond_doubt_is_none(text: str) -> None:
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
def test_points_that_cannot_be_are_none(latitude: str, longitude: str) -> None:
    assert parse_point(latitude, longitude) is None


@pytest.mark.parametrize(
    "text",
    ["48.5;11.5", "48.5, 11.5", "48.5,11.5", "48.5 11.5", "48°30'N; 11°30'E", "48,5; 11,5"],
)
def test_pairs_are_read(text: str) -> None:
    assert parse_pair(text) == Point(48.5, 11.5)


@pytest.mark.parametrize("text", ["", "48.5", "a;b", "1,2,3", "48.5;11.5;3"])
def test_what_is_no_pair_is_none(text: str) -> None:
    assert parse_pair(text) is None


@given(st.text(max_size=100))
def test_any_text_is_survived(text: str) -> None:
    parse_degrees(text)
    parse_pair(text)
