"""The listing of a crawl keeps up with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from geoscout_directory.folder import directory_folder
from geoscout_directory.listing.finding import Listing, ListingQuestion
from geoscout_directory.listing.keeping import erase_listing, keeps_persons, update_listing
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo import Geoparser
from tests.unit.directory.test_updating import INN, SHOP, A, B
from tests.unit.search.worlds import make_crawl, page

PERSON = page("Anna Weber", "56 Main Street, Lubbock, TX 79403")


@pytest.fixture
def crawl(tmp_path: Path, geoparser: Geoparser) -> Path:
    make_crawl(tmp_path, [(A, INN), (B, SHOP)], geoparser)
    return tmp_path


def names(crawl: Path) -> list[str]:
    listing = Listing(directory_folder(crawl, crawl), lambda _: None)
    found = [entry.entry.name for entry in listing.read(listing.find(ListingQuestion()))]
    listing.close()
    return found


def test_crawl_that_goes_on_updates_it(
    crawl: Path, gazetteer: SqliteGazetteer, geoparser: Geoparser
) -> None:
    update_listing(crawl, gazetteer)
    assert names(crawl) == ["Blue Door Bakery", "Corner Inn"]
    make_crawl(crawl, [(A, page("Old Corner", "12 Main Street, Lubbock, TX 79403"))], geoparser)

    update_listing(crawl, gazetteer)

    assert names(crawl) == ["Blue Door Bakery", "Old Corner"]


def test_nothing_is_written_where_nothing_is_new(crawl: Path, gazetteer: SqliteGazetteer) -> None:
    update_listing(crawl, gazetteer)
    listing = Listing(directory_folder(crawl, crawl), lambda _: None)
    before = listing.edition

    update_listing(crawl, gazetteer)

    assert listing.edition == before is not None
    listing.close()


def test_switch_for_persons_stays_as_it_was_made(
    crawl: Path, gazetteer: SqliteGazetteer, geoparser: Geoparser
) -> None:
    make_crawl(crawl, [("http://p.example/", PERSON)], geoparser)
    assert update_listing(crawl, gazetteer).entries == 2
    assert update_listing(crawl, gazetteer, persons=True).entries == 3

    assert update_listing(crawl, gazetteer).entries == 3
    assert keeps_persons(directory_folder(crawl, crawl))
    assert update_listing(crawl, gazetteer, persons=False).entries == 2


def test_crawl_that_was_replaced_makes_it_again(
    crawl: Path, gazetteer: SqliteGazetteer, geoparser: Geoparser
) -> None:
    update_listing(crawl, gazetteer)
    (crawl / "crawl.sqlite").unlink()
    for file in (crawl / "archive").iterdir():
        file.unlink()
    make_crawl(crawl, [(A, SHOP)], geoparser)

    update_listing(crawl, gazetteer)

    assert names(crawl) == ["Blue Door Bakery"]


def test_erased_listing_is_made_again(crawl: Path, gazetteer: SqliteGazetteer) -> None:
    update_listing(crawl, gazetteer)
    erase_listing(directory_folder(crawl, crawl))
    assert names(crawl) == []

    update_listing(crawl, gazetteer)

    assert names(crawl) == ["Blue Door Bakery", "Corner Inn"]
