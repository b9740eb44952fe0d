"""Documents are made of what the store knows of a page."""

from __future__ import annotations

from msgspec import structs
from msgspec.structs import replace

from geoscout.search.documents import Facts, make_document
from geoscout.store.base import StoredAddress, StoredPlace, StoredVisit
from geoscout_places.model import Address, Kind, Page, Place, Point, Precision
from tests.fakes import FakeGazetteer

COUNTRY = Place(1, "Portugal", Kind.COUNTRY, Point(39.7, -8.0), "PT", population=10_000_000)
CITY = Place(2, "Lisbon", Kind.CITY, Point(38.7, -9.1), "PT", population=500_000, parent=1)
OTHER = Place(3, "Porto", Kind.CITY, Point(41.1, -8.6), "PT", population=200_000, parent=1)
GAZETTEER = FakeGazetteer([COUNTRY, CITY, OTHER])
URL = "http://a.example/"
VISIT = StoredVisit(
    n=4, url=URL, node="", status=200, relevant=True, priority=1.0, depth=0, distance=0, parent="",
    fetched_at=1e9, seconds=0.1, address="", size=10, title="Stored", language="pt", digest=b"",
    simhash=0, is_page=True,
)  # fmt: skip


def address(place_id: int, point: Point | None = None) -> StoredAddress:
    found = Address(
        5,
        20,
        "Rua 1",
        "1",
        "Rua",
        unit="",
        city="Lisboa",
        region="",
        postcode="",
        country="PT",
        point=point,
        place=None,
        source="text",
        precision=Precision.STREET if point else None,
    )
    return StoredAddress(4, URL, True, found, place_id)


def stored(place: Place, score: float) -> StoredPlace:
    return StoredPlace(place, (place.name,), 1, 0.9, score)


def make(**facts: object) -> object:
    values = {"places": (), "addresses": (), "points": (), **facts}
    return make_document(Facts(VISIT, **values), page_of("Title"), GAZETTEER)


def page_of(title: str) -> Page:
    return Page(VISIT.url, title, "", "The text of it", ())


def test_main_place_is_the_one_that_the_crawl_kept() -> None:
    kept = [replace(stored(COUNTRY, 1.0), is_main=True), replace(stored(CITY, 0.9), is_main=False)]

    document = make(places=kept)

    assert [p.place_id for p in document.places if p.is_main] == [COUNTRY.id]


def test_page_that_is_about_nothing_has_no_main_place() -> None:
    document = make(places=[replace(stored(CITY, 0.0), is_main=False)])

    assert [p.place_id for p in document.places if p.is_main] == []


def test_address_without_a_mention_is_evidence_too() -> None:
    document = make(addresses=[address(CITY.id)])

    assert [(p.place_id, p.has_address) for p in document.places] == [(CITY.id, True)]
    assert [spot.point for spot in document.spots] == [CITY.point]
    assert document.addresses == ((5, 20),)


def test_spots_are_addresses_then_towns_but_no_countries() -> None:
    point = Point(38.71, -9.14)
    document = make(addresses=[address(0, point)], places=[stored(COUNTRY, 1.0), stored(CITY, 1.0)])

    assert [(spot.point, spot.strength) for spot in document.spots] == [
        (point, 1.0),
        (CITY.point, 0.7),
    ]


def test_page_with_coordinates_alone_belongs_to_the_nearest_town() -> None:
    document = make(points=[Point(38.71, -9.11)])

    assert [p.place_id for p in document.places] == [CITY.id]


def test_title_of_the_store_stands_in_for_none() -> None:
    document = make_document(Facts(VISIT, (), (), ()), page_of(""), GAZETTEER)

    assert document.title == "Stored"


def test_address_without_a_spot_of_its_own_counts_less_than_one_with() -> None:
    point = Point(38.71, -9.14)
    document = make(addresses=[address(CITY.id), address(CITY.id, point)])

    assert [spot.point for spot in document.spots] == [point, CITY.point]
    assert document.spots[0].strength > document.spots[1].strength


def of_site(found: StoredAddress) -> StoredAddress:
    return replace(found, address=structs.replace(found.address, of_site=True))


def test_what_only_the_site_says_does_not_count_for_a_page_with_places_of_its_own() -> None:
    menu = StoredPlace(OTHER, ("Porto",), 0, 0.9, 0.0, site_mentions=2)
    footer = of_site(address(OTHER.id, Point(41.1, -8.6)))
    document = make(places=[stored(CITY, 1.0), menu], addresses=[footer])

    assert [part.place_id for part in document.places] == [CITY.id]
    assert [spot.point for spot in document.spots] == [CITY.point]
    assert document.addresses == ()


def test_a_page_without_places_of_its_own_is_where_its_site_is() -> None:
    scope = StoredPlace(CITY, ("Lisbon",), 0, 0.0, 1.0, is_main=True)
    document = make(places=[scope], addresses=[of_site(address(CITY.id, Point(38.72, -9.14)))])

    assert [(part.place_id, part.has_address) for part in document.places] == [(CITY.id, True)]
    assert document.spots[0].point == Point(38.72, -9.14)


def test_local_name_is_evidence_of_the_place_it_is_near() -> None:
    palace = Place(-(2**52) - 7, "Palace", Kind.LANDMARK, CITY.point, "PT", parent=CITY.id)

    document = make(places=[replace(stored(palace, 0.0), mentions=3)])

    assert [(p.place_id, p.mentions) for p in document.places] == [(CITY.id, 1)]


def test_spots_tell_how_exact_they_are() -> None:
    exact = address(CITY.id, Point(38.71234, -9.14321))
    exact = replace(exact, address=structs.replace(exact.address, precision=Precision.HOUSE))
    document = make(addresses=[address(CITY.id), exact], points=[Point(38.8, -9.2)])

    found = [(spot.precision, spot.point) for spot in document.spots]
    assert found == [
        (Precision.HOUSE, Point(38.71234, -9.14321)),
        (Precision.TOWN, CITY.point),
        (Precision.TOWN, Point(38.8, -9.2)),
    ]
    reaches = [spot.reach_km for spot in document.spots]
    assert reaches[0] < 0.1 < reaches[1] < 20
