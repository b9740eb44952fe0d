"""The index keeps up with the crawl."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from geoscout.index.reader import IndexReader
from geoscout.index.writer import IndexWriter
from geoscout.search.updating import erase_index, follow_crawl
from geoscout.settings import Settings
from geoscout.state.sqlite import INDEX
from geoscout.store import Visit
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.geo import Geoparser
from geoscout_places.model import Link, Page, Point, Request, Response
from tests.geocoders import run_geocoder
from tests.stores import Store
from tests.unit.search.worlds import HEADERS, make_crawl, page

A, B = "http://a.example/", "http://b.example/"


@pytest.fixture
def crawl(tmp_path: Path, geoparser: Geoparser) -> Path:
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


def test_new_pages_are_added_once(crawl: Path, gazetteer: SqliteGazetteer) -> None:
    assert follow_crawl(crawl, gazetteer).added == 2
    assert follow_crawl(crawl, gazetteer).added == 0
    assert titles(crawl) == ["Alpha", "Beta"]


def test_changed_page_is_replaced(
    crawl: Path, gazetteer: SqliteGazetteer, geoparser: Geoparser
) -> None:
    follow_crawl(crawl, gazetteer)
    make_crawl(crawl, [(A, page("Changed", "one"))], geoparser)

    assert follow_crawl(crawl, gazetteer).added == 1
    assert titles(crawl) == ["Changed", "Beta"]


def test_page_that_is_gone_is_removed(crawl: Path, gazetteer: SqliteGazetteer) -> None:
    follow_crawl(crawl, gazetteer)
    add(
        crawl,
        Visit(Request(A), Response(A, 404, HEADERS, b"gone", "", fetched_at=2e9, seconds=0.0)),
    )

    assert follow_crawl(crawl, gazetteer).removed == 1
    assert titles(crawl) == ["Beta"]


def test_unchanged_page_stays(crawl: Path, gazetteer: SqliteGazetteer) -> None:
    follow_crawl(crawl, gazetteer)
    add(crawl, Visit(Request(A), Response(A, 304, HEADERS, b"", "", fetched_at=2e9, seconds=0.0)))
    follow_crawl(crawl, gazetteer)

    assert titles(crawl) == ["Alpha", "Beta"]


def test_page_that_asks_not_to_be_found_is_left_out(
    crawl: Path, gazetteer: SqliteGazetteer
) -> None:
    response = Response(A, 200, HEADERS, b"<title>Hidden</title>", "", fetched_at=2e9, seconds=0.0)
    hidden = Page(A, "Hidden", "", "", ())
    add(crawl, Visit(Request(A), response, hidden, noindex=True))
    follow_crawl(crawl, gazetteer)

    assert titles(crawl) == ["Beta"]


def test_link_by_which_a_page_was_found_lends_its_words(
    tmp_path: Path, gazetteer: SqliteGazetteer
) -> None:
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


def test_rebuilt_index_is_the_same(crawl: Path, gazetteer: SqliteGazetteer) -> None:
    follow_crawl(crawl, gazetteer)
    erase_index(crawl)

    assert follow_crawl(crawl, gazetteer).added == 2
    assert titles(crawl) == ["Alpha", "Beta"]


def test_progress_is_told(crawl: Path, gazetteer: SqliteGazetteer) -> None:
    progress: list[tuple[int, int]] = []

    follow_crawl(crawl, gazetteer, progress=lambda *done: progress.append(done))

    assert progress == [(2, 2)]


def test_busy_index_is_left_alone(crawl: Path, gazetteer: SqliteGazetteer) -> None:
    writer = IndexWriter.open(crawl / INDEX, lambda _: [])
    assert writer is not None

    assert follow_crawl(crawl, gazetteer).busy
    writer.close()


def test_folder_without_a_crawl_is_refused(tmp_path: Path, gazetteer: SqliteGazetteer) -> None:
    with pytest.raises(UsageError, match="no crawl"):
        follow_crawl(tmp_path / "none", gazetteer)


@pytest.mark.parametrize(("status", "is_moved"), [(200, True), (500, False)])
def test_index_asks_the_geocoder_for_addresses_the_crawl_left_at_their_town(
    tmp_path: Path, gazetteer: SqliteGazetteer, geoparser: Geoparser, status: int, *, is_moved: bool
) -> None:
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
    crawl: Path, gazetteer: SqliteGazetteer, geoparser: Geoparser, tmp_path: Path
) -> None:
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
