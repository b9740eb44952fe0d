"""A listing answers by words, category, place, box, date, page and id."""

import shutil

import pytest
from msgspec.structs import replace

from geoscout_directory.entry_search import read_entry_filters
from geoscout_directory.listing import finding
from geoscout_directory.listing.finding import EntryWanted, Listing, ListingQuestion
from geoscout_directory.listing.tables import LISTING_FILE
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import View
from tests.unit.directory.worlds import GUIDE, HAIR, OTHER, Listed, said


@pytest.fixture
def listing(tmp_path, gazetteer):
    bakery = said("Zur Brezn", OTHER, phones=("+498141000",), categories=("shop=bakery",))
    opened = Listed(tmp_path, gazetteer).fill([HAIR, bakery])
    yield opened
    opened.close()


def names(listing: Listing, question: ListingQuestion) -> list[str]:
    return [listed.entry.name for listed in listing.read(listing.find(question))]


@pytest.mark.parametrize(
    ("filters", "region", "found"),
    [
        ({}, "", 2),
        ({}, "Fürstenfeldbruck", 2),
        ({}, "Hamburg", 0),
        ({"category": "hairdresser"}, "", 1),
        ({"category": "shop"}, "", 2),
        ({"category": "amenity=restaurant"}, "", 0),
        ({"text": "brez augsburger"}, "", 1),
        ({"text": "brezn hamburg"}, "", 0),
        ({"text": '"* OR a'}, "", 0),
        ({"since": "1970-01-01T00:01:00Z"}, "", 2),
        ({"since": "1970-01-01T00:02:00Z"}, "", 0),
    ],
)
def test_entries_are_selected(listing, gazetteer, filters, region, found):
    area = Region.parse(region, gazetteer) if region else None
    question = read_entry_filters(**filters, within=region, region=area)

    assert len(names(listing, question)) == found


def test_unknown_category_is_refused():
    with pytest.raises(UsageError, match=r"there are .*hairdresser"):
        read_entry_filters(category="spaceport")


@pytest.mark.parametrize(
    ("box", "found"),
    [
        (View(11.2, 48.1, 11.3, 48.2), 2),
        (View(11.3, 48.1, 11.4, 48.2), 0),
        (View(170, 48.1, 11.3, 48.2), 2),  # across the antimeridian
        (View(170, 48.1, -170, 48.2), 0),
    ],
)
def test_box_limits(listing, box, found):
    assert len(listing.find(ListingQuestion(box=box))) == found


def test_town_counts_where_the_point_is_unknown(tmp_path, gazetteer):
    assert HAIR.address is not None
    town = gazetteer.find("Fürstenfeldbruck")[0].place
    nowhere = said(address=replace(HAIR.address, point=None), place_id=town.id)
    listing = Listed(tmp_path, gazetteer).fill([nowhere])
    bavaria = Region.parse("Bavaria", gazetteer)

    assert names(listing, ListingQuestion(within="Bavaria", region=bavaria)) == [nowhere.name]
    listing.close()


def test_pages_lead_to_their_entries_and_their_story(listing):
    (listed,) = listing.of_page(GUIDE, 10)
    story, state = listing.story(listed.id), listing.state()

    assert [found.entry.name for found in listing.of_page(OTHER, 10)] == ["Zur Brezn"]
    assert listing.of_page("http://unknown.example/", 10) == []
    assert story.pages[GUIDE].answered_at == 100.0
    assert (story.listed.first_seen, story.is_gone) == (100.0, False)
    assert listing.story("unknown") is None
    assert (state.entries, state.pages, state.naming_pages) == (2, 9, 2)
    assert listing.categories() == {"shop=bakery": 1, "shop=hairdresser": 1}
    assert list(listing.found_at()) == [100.0, 100.0]


def test_nothing_is_found_where_there_is_no_listing(tmp_path):
    listing = Listing(tmp_path / "none", lambda _: None)

    assert listing.edition is None
    assert listing.state() is None
    assert listing.find(ListingQuestion()) == ()
    assert listing.of_page(GUIDE, 10) == []
    assert listing.story("x") is None
    assert listing.categories() == {}


def test_deleted_listing_is_noticed(listing, tmp_path):
    assert len(listing.find(ListingQuestion())) == 2
    for file in tmp_path.iterdir():
        shutil.rmtree(file) if file.is_dir() else file.unlink()

    assert len(listing.find(ListingQuestion())) == 0


def test_damaged_listing_is_named(tmp_path):
    (tmp_path / LISTING_FILE).write_bytes(b"no database" * 100)
    listing = Listing(tmp_path, lambda _: None)

    with pytest.raises(DamagedDataError, match="rebuild=yes"):
        listing.find(ListingQuestion())


def test_searches_ask_the_file_once_a_second_whether_it_has_entries(
    tmp_path, gazetteer, monkeypatch
):
    now = [100.0]
    monkeypatch.setattr(finding.time, "monotonic", lambda: now[0])
    listing = Listing(tmp_path, gazetteer.place)
    wanted = EntryWanted(names=(("haarstudio",),))

    assert not listing.match(wanted)
    Listed(tmp_path, gazetteer).fill([HAIR]).close()
    assert not listing.match(wanted)
    now[0] += 1.0
    assert len(listing.match(wanted)) == 1
    for file in tmp_path.glob(f"{LISTING_FILE}*"):
        file.unlink()
    assert not listing.match(wanted)
    listing.close()
