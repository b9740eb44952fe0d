"""Documents are made of what the store knows of a page.

The index keeps up with the crawl.
"""

from pathlib import Path

import numpy as np
import pytest
from msgspec import structs
from msgspec.structs import replace

from geoscout.index.reader import IndexReader
from geoscout.index.writer import IndexWriter
from geoscout.search.documents import Facts, make_document
from geoscout.search.updating import erase_index, follow_crawl
from geoscout.settings import Settings
from geoscout.state.sqlite import INDEX
from geoscout.store.base import StoredAddress, StoredPlace, StoredVisit, Visit
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.model import (
    Address,
    Kind,
    Link,
    Page,
    Place,
    Point,
    Precision,
    Request,
    Response,
)
from tests.fakes import FakeGazetteer
from tests.geocoders import run_geocoder
from tests.stores import Store
from tests.unit.search.worlds import HEADERS, make_crawl, page

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


def test_main_place_is_the_one_that_the_crawl_kept():
    kept = [replace(stored(COUNTRY, 1.0), is_main=True), replace(stored(CITY, 0.9), is_main=False)]

    document = make(places=kept)

    assert [p.place_id for p in document.places if p.is_main] == [COUNTRY.id]


def test_page_that_is_about_nothing_has_no_main_place():
    document = make(places=[replace(stored(CITY, 0.0), is_main=False)])

    assert [p.place_id for p in document.places if p.is_main] == []


def test_address_without_a_mention_is_evidence_too():
    document = make(addresses=[address(CITY.id)])

    assert [(p.place_id, p.has_address) for p in document.places] == [(CITY.id, True)]
    assert [spot.point for spot in document.spots] == [CITY.point]
    assert document.addresses == ((5, 20),)


def test_spots_are_addresses_then_towns_but_no_countries():
    point = Point(38.71, -9.14)
    document = make(addresses=[address(0, point)], places=[stored(COUNTRY, 1.0), stored(CITY, 1.0)])

    assert [(spot.point, spot.strength) for spot in document.spots] == [
        (point, 1.0),
        (CITY.point, 0.7),
    ]


def test_page_with_coordinates_alone_belongs_to_the_nearest_town():
    document = make(points=[Point(38.71, -9.11)])

    assert [p.place_id for p in document.places] == [CITY.id]


def test_title_of_the_store_stands_in_for_none():
    document = make_document(Facts(VISIT, (), (), ()), page_of(""), GAZETTEER)

    assert document.title == "Stored"


def test_address_without_a_spot_of_its_own_counts_less_than_one_with():
    point = Point(38.71, -9.14)
    document = make(addresses=[address(CITY.id), address(CITY.id, point)])

    assert [spot.point for spot in document.spots] == [point, CITY.point]
    assert document.spots[0].strength > document.spots[1].strength


def of_site(found: StoredAddress) -> StoredAddress:
    return replace(found, address=structs.replace(found.address, of_site=True))


def test_what_only_the_site_says_does_not_count_for_a_page_with_places_of_its_own():
    menu = StoredPlace(OTHER, ("Porto",), 0, 0.9, 0.0, site_mentions=2)
    footer = of_site(address(OTHER.id, Point(41.1, -8.6)))
    document = make(places=[stored(CITY, 1.0), menu], addresses=[footer])

    assert [part.place_id for part in document.places] == [CITY.id]
    assert [spot.point for spot in document.spots] == [CITY.point]
    assert document.addresses == ()


def test_a_page_without_places_of_its_own_is_where_its_site_is():
    scope = StoredPlace(CITY, ("Lisbon",), 0, 0.0, 1.0, is_main=True)
    document = make(places=[scope], addresses=[of_site(address(CITY.id, Point(38.72, -9.14)))])

    assert [(part.place_id, part.has_address) for part in document.places] == [(CITY.id, True)]
    assert document.spots[0].point == Point(38.72, -9.14)


def test_local_name_is_evidence_of_the_place_it_is_near():
    palace = Place(-(2**52) - 7, "Palace", Kind.LANDMARK, CITY.point, "PT", parent=CITY.id)

    document = make(places=[replace(stored(palace, 0.0), mentions=3)])

    assert [(p.place_id, p.mentions) for p in document.places] == [(CITY.id, 1)]


def test_spots_tell_how_exact_they_are():
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


A, B = "http://a.example/", "http://b.example/"


@pytest.fixture
def crawl(tmp_path, geoparser):
    make_crawl(tmp_path, [(A, page("Alpha", "one")), (B, page("Beta", "two"))], geoparser)
    return tmp_path


def titles(crawl: Path) -> list[str]:
    reader = IndexReader(crawl / INDEX)
    slots = [reader.slot_of(url) for url in (A, B)]
    return [reader.head(slot).title for slot in slots if slot is not None]


def add(crawl: Path, visit: Visit) -> None:
    store = Store(crawl)
    store.add(visit)
    store.commit()
    store.close()


def test_new_pages_are_added_once(crawl, gazetteer):
    assert follow_crawl(crawl, gazetteer).added == 2
    assert follow_crawl(crawl, gazetteer).added == 0
    assert titles(crawl) == ["Alpha", "Beta"]


def test_changed_page_is_replaced(crawl, gazetteer, geoparser):
    follow_crawl(crawl, gazetteer)
    make_crawl(crawl, [(A, page("Changed", "one"))], geoparser)

    assert follow_crawl(crawl, gazetteer).added == 1
    assert titles(crawl) == ["Changed", "Beta"]


def test_page_that_is_gone_is_removed(crawl, gazetteer):
    follow_crawl(crawl, gazetteer)
    add(
        crawl,
        Visit(Request(A), Response(A, 404, HEADERS, b"gone", "", fetched_at=2e9, seconds=0.0)),
    )

    assert follow_crawl(crawl, gazetteer).removed == 1
    assert titles(crawl) == ["Beta"]


def test_unchanged_page_stays(crawl, gazetteer):
    follow_crawl(crawl, gazetteer)
    add(crawl, Visit(Request(A), Response(A, 304, HEADERS, b"", "", fetched_at=2e9, seconds=0.0)))
    follow_crawl(crawl, gazetteer)

    assert titles(crawl) == ["Alpha", "Beta"]


def test_page_that_asks_not_to_be_found_is_left_out(crawl, gazetteer):
    response = Response(A, 200, HEADERS, b"<title>Hidden</title>", "", fetched_at=2e9, seconds=0.0)
    hidden = Page(A, "Hidden", "", "", ())
    add(crawl, Visit(Request(A), response, hidden, noindex=True))
    follow_crawl(crawl, gazetteer)

    assert titles(crawl) == ["Beta"]


def test_link_by_which_a_page_was_found_lends_its_words(tmp_path, gazetteer):
    link = Link(B, "Bakery of the year")
    parent = Page(A, "Parent", "", "text", (), links=(link,))
    add(
        tmp_path,
        Visit(Request(A), Response(A, 200, HEADERS, b"x", "", fetched_at=1e9, seconds=0.0), parent),
    )
    child = Page(B, "Child", "", "text", ())
    response = Response(B, 200, HEADERS, b"<p>y", "", fetched_at=1e9, seconds=0.0)
    add(tmp_path, Visit(Request(B, parent=A), response, child))
    follow_crawl(tmp_path, gazetteer)

    reader = IndexReader(tmp_path / INDEX)
    assert reader.pages_with("bakery") == 1
    assert reader.head(reader.slot_of(B) or 0).anchor == "Bakery of the year"


def test_rebuilt_index_is_the_same(crawl, gazetteer):
    follow_crawl(crawl, gazetteer)
    erase_index(crawl)

    assert follow_crawl(crawl, gazetteer).added == 2
    assert titles(crawl) == ["Alpha", "Beta"]


def test_progress_is_told(crawl, gazetteer):
    progress: list[tuple[int, int]] = []

    follow_crawl(crawl, gazetteer, progress=lambda *done: progress.append(done))

    assert progress == [(2, 2)]


def test_busy_index_is_left_alone(crawl, gazetteer):
    writer = IndexWriter.open(crawl / INDEX, lambda _: [])
    assert writer is not None

    assert follow_crawl(crawl, gazetteer).busy
    writer.close()


def test_folder_without_a_crawl_is_refused(tmp_path, gazetteer):
    with pytest.raises(UsageError, match="no crawl"):
        follow_crawl(tmp_path / "none", gazetteer)


@pytest.mark.parametrize(("status", "is_moved"), [(200, True), (500, False)])
def test_index_asks_the_geocoder_for_addresses_the_crawl_left_at_their_town(
    tmp_path, gazetteer, geoparser, status, *, is_moved
):
    make_crawl(tmp_path, [(A, page("Inn", "12 Main Street, Austin, TX 78701"))], geoparser)
    house = Point(30.2711, -97.7437)
    with run_geocoder({"12 Main Street, 78701 Austin, TX, US": (30.2711, -97.7437, 30)}) as service:
        service.status = status
        settings = Settings(home=str(tmp_path / "home"), geocoder=service.setting)
        assert follow_crawl(tmp_path, gazetteer, settings=settings).added == 1

    reader = IndexReader(tmp_path / INDEX)
    spots = reader.spots_of(np.array([reader.slot_of(A)]))
    degrees = zip(spots.latitudes.tolist(), spots.longitudes.tolist(), strict=True)
    points = [Point(*pair) for pair in degrees]
    assert any(distance_km(point, house) < 0.05 for point in points) is is_moved
    assert len(service.asked) == 1


def test_an_index_ahead_of_an_older_copy_of_the_crawl_is_made_again(
    crawl, gazetteer, geoparser, tmp_path
):
    older = (crawl / "crawl.sqlite").read_bytes()
    make_crawl(crawl, [(f"{A}{n}", page("Later", str(n))) for n in range(5)], geoparser)
    follow_crawl(crawl, gazetteer)
    (crawl / "crawl.sqlite").write_bytes(older)
    make_crawl(crawl, [(f"{A}other", page("Other", "x"))], geoparser)

    assert follow_crawl(crawl, gazetteer).added == 3
    reader = IndexReader(crawl / INDEX)
    assert reader.page_count == 3
    assert reader.slot_of(f"{A}4") is None
    assert reader.slot_of(f"{A}other") is not None
