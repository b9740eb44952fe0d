from __future__ import annotations

from geoscout.geo.structured import points_of
from geoscout.model import Item, Page, Point

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
