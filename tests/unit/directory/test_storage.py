"""A directory that is changed page by page is as if made at once, and remembers what was said."""

import random
import sqlite3
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from geoscout_directory.listing.finding import EntryStory, Listing, ListingQuestion
from geoscout_directory.listing.refreshing import HistoryKind
from geoscout_directory.listing.tables import LISTING_FILE
from geoscout_directory.merging import merge_entries
from geoscout_directory.records import DirectoryEntry, PageEntry
from geoscout_directory.storage import DirectoryFile
from tests.unit.directory.test_merging import ADDRESS, SALON
from tests.unit.directory.worlds import GUIDE, HAIR, OTHER, Listed, PagesAt, said

NAMES = ("A2 Haarstudio", "A2 Haarstudio GmbH", "Haarstudio A2", "Salon Anna", "Café Krone")
BARE = replace(ADDRESS, street="", house_number="", text="82256 Fürstenfeldbruck")


def some_page(url: str, chance: random.Random) -> list[PageEntry]:
    """What a page may say: of few things, so that much of it is the same."""
    places = [
        replace(ADDRESS, house_number=number, postcode=code)
        for number in ("2", "40")
        for code in ("82256", "80331")
    ]
    return [
        replace(
            SALON,
            url=url,
            name=chance.choice(NAMES),
            address=chance.choice([*places, BARE, None]),
            phones=tuple(chance.sample(["+498141526077", "+498921013"], chance.randrange(1, 3))),
        )
        for _ in range(chance.randrange(4))
    ]


def update(file: DirectoryFile, changed: dict[str, list[PageEntry]], cursor: str) -> None:
    assert file.begin("test")
    for url, entries in changed.items():
        file.replace(url, entries)
    file.merge(cursor)
    file.commit(cursor)


def made(file: DirectoryFile) -> list[DirectoryEntry]:
    return sorted(file.entries(), key=lambda e: (e.name.casefold(), e.id, e.said[0].url))


def test_changed_pages_give_what_all_pages_give_at_once(tmp_path):
    for seed in range(12):
        chance, pages = random.Random(seed), dict[str, list[PageEntry]]()
        with DirectoryFile(tmp_path / str(seed), PagesAt()) as file:
            for turn in range(5):
                urls = [f"http://g{chance.randrange(6)}.example/" for _ in range(3)]
                changed = {url: some_page(url, chance) for url in urls}
                pages |= changed
                update(file, changed, str(turn))
                said = [entry for entries in pages.values() for entry in entries]
                expected = merge_entries(said)
                assert made(file) == sorted(
                    expected, key=lambda e: (e.name.casefold(), e.id, e.said[0].url)
                )
                assert file.count() == len(expected)


def test_only_towns_that_have_changed_are_merged_again(tmp_path):
    elsewhere = replace(SALON, url="http://b.example/", address=replace(ADDRESS, postcode="80331"))
    with DirectoryFile(tmp_path, PagesAt()) as file:
        update(file, {SALON.url: [SALON], elsewhere.url: [elsewhere]}, "1")
        file.begin("test")
        file.replace(elsewhere.url, [])
        dirty = list(file.dirty())

    assert dirty == ["DE80331"]


@pytest.fixture
def listed(tmp_path, gazetteer):
    return Listed(tmp_path, gazetteer)


def stories(listing: Listing) -> Iterator[EntryStory]:
    for found in listing.read(listing.find(ListingQuestion())):
        story = listing.story(found.id)
        assert story is not None
        yield story
    listing.close()


def test_entry_that_stays_keeps_its_first_date(listed):
    listed.fill([HAIR], {GUIDE: 100.0}).close()

    (story,) = stories(listed.fill([HAIR], {GUIDE: 500.0}))

    assert (story.listed.first_seen, story.listed.last_seen) == (100.0, 500.0)
    assert story.history == []


def test_change_is_told_with_its_date(listed):
    listed.fill([HAIR], {GUIDE: 100.0}).close()
    moved = replace(HAIR, hours="Mo 09:00-12:00", phones=("+498141000",))

    (story,) = stories(listed.fill([moved], {GUIDE: 500.0}))

    told = {(change.field, change.before, change.after) for change in story.history}
    assert told == {
        ("phones", "+498141526077", "+498141000"),
        ("opening_hours", "", "Mo 09:00-12:00"),
    }
    assert {change.at for change in story.history} == {500.0}


def test_entry_that_is_gone_can_still_be_looked_up(listed):
    listing = listed.fill([HAIR], {GUIDE: 100.0})
    (number,) = listing.find(ListingQuestion())
    (entry,) = listing.read([number])
    listing.close()

    listing = listed.fill([], {GUIDE: 500.0})
    story = listing.story(entry.id)

    assert len(listing.find(ListingQuestion())) == 0
    assert story is not None
    assert story.is_gone
    assert [(change.what, change.at) for change in story.history] == [(HistoryKind.GONE, 500.0)]
    listing.close()


def test_entry_that_returns_keeps_its_first_date(listed):
    listed.fill([HAIR], {GUIDE: 100.0}).close()
    listed.fill([], {GUIDE: 500.0}).close()

    (story,) = stories(listed.fill([HAIR], {GUIDE: 900.0}))

    assert story.listed.first_seen == 100.0
    assert [change.what for change in story.history] == [HistoryKind.GONE, HistoryKind.RETURNED]


def test_new_name_is_the_same_thing(listed):
    listing = listed.fill([HAIR], {GUIDE: 100.0})
    (before,) = stories(listing)

    listing = listed.fill([said("Locke & Bürste")], {GUIDE: 500.0})
    old = listing.story(before.listed.id)
    (story,) = stories(listing)

    assert story.listed.first_seen == 100.0
    assert [(c.what, c.before, c.after) for c in story.history] == [
        (HistoryKind.RENAMED, HAIR.name, "Locke & Bürste")
    ]
    assert old is not None
    assert old.followed_by == story.listed.id


def test_another_tenant_is_another_thing(listed):
    listed.fill([HAIR], {GUIDE: 100.0}).close()

    (story,) = stories(
        listed.fill([said("Bäckerei Huber", phones=("+498141111",))], {GUIDE: 500.0})
    )

    assert story.listed.first_seen == 500.0
    assert story.history == []


def test_two_of_the_same_name_and_house_have_two_ids(listed):
    twins = [said(), said(phones=("+498141000",))]

    found = list(stories(listed.fill(twins)))

    first, second = sorted(story.listed.id for story in found)
    assert second == f"{first}-2"
    assert {story.listed.entry.id for story in found} == {first, second}


def test_what_was_made_with_persons_leaves_nothing_of_them(listed):
    listed.made_with = "persons=True"
    person = said("Anna Unverwechselbar", OTHER)
    listing = listed.fill([HAIR, person])
    ids = [entry.id for entry in listing.read(listing.find(ListingQuestion()))]
    listing.close()
    listed.made_with = "persons=False"

    listing = listed.fill([HAIR])

    assert sum(listing.story(id) is not None for id in ids) == 1
    listing.close()
    content = b"".join(file.read_bytes() for file in listed.folder.iterdir())
    assert b"unverwechselbar" not in content.lower()


def test_failed_update_leaves_the_listing_as_it_was(listed):
    listed.fill([HAIR]).close()

    with pytest.raises(ZeroDivisionError):
        listed.fill(said(str(number)) for number in range(-2, 2) if 1 / number)

    (story,) = stories(Listing(listed.folder, listed.gazetteer.place))
    assert story.listed.entry.name == HAIR.name


def test_listing_of_another_version_is_made_again(listed):
    listed.fill([HAIR]).close()
    database = sqlite3.connect(listed.folder / LISTING_FILE)
    database.execute("PRAGMA user_version = 1")
    database.close()

    (story,) = stories(listed.fill([HAIR]))

    assert story.listed.entry.name == HAIR.name


def test_forgotten_pages_take_their_history_with_them(listed):
    other = said(url=OTHER, hours="Mo 09:00-12:00")
    only = said("Only Zyxgrub", OTHER, phones=("+498141000",))
    listed.fill([HAIR, other, only, said("Old Xylophon", OTHER, phones=("+498141999",))]).close()
    listed.fill([HAIR, other, only], {OTHER: 500.0}).close()

    with DirectoryFile(listed.folder) as file:
        assert file.forget(lambda url: url == OTHER) == 2
    stale = Listing(listed.folder, lambda _: None)
    assert list(stale.read(stale.find(ListingQuestion()))) == []
    stale.close()
    (story,) = stories(listed.fill([HAIR]))

    assert story.listed.entry.hours == ""
    assert story.history == []
    content = b"".join(file.read_bytes() for file in listed.folder.iterdir())
    assert OTHER.encode() not in content
    assert not any(word in content.lower() for word in (b"zyxgrub", b"xylophon"))


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM category WHERE n = 1",
        "DELETE FROM source WHERE n = 1",
        "SELECT n FROM entry WHERE id = 'a'",
        "SELECT number FROM page WHERE url = 'a'",
    ],
)
def test_what_is_done_for_each_entry_looks_at_few_rows(listed, query):
    listed.fill([HAIR]).close()
    database = sqlite3.connect(listed.folder / LISTING_FILE)

    plan = database.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()

    database.close()
    assert not any("SCAN" in row[3] for row in plan)
