"""The directory keeps up with its crawl."""

import shutil
from pathlib import Path

import pytest

from geoscout.cli.main import main
from geoscout.crawling.read import Reader, ReaderOptions
from geoscout.state import changes
from geoscout_directory.listing import tables
from geoscout_directory.listing.finding import Listing
from geoscout_directory.listing.tables import LISTING_FILE, directory_folder
from geoscout_directory.storage import DirectoryFile
from geoscout_directory.updating import erase_listing, keeps_persons, update_listing
from geoscout_places.errors import DamagedDataError
from geoscout_places.model import RelevanceRule, Request, Response
from tests.stores import Store
from tests.unit.search.worlds import HEADERS, make_crawl, page

A, B = "http://a.example/", "http://b.example/"
INN = page("Corner Inn", "12 Main Street, Lubbock, TX 79403", "Phone 806-765-4321")
PERSON = page("Anna Weber", "56 Main Street, Lubbock, TX 79403")
SHOP = page("Blue Door Bakery", "34 Main Street, Lubbock, TX 79403")


@pytest.fixture
def crawl(tmp_path, geoparser):
    make_crawl(tmp_path, [(A, INN), (B, SHOP)], geoparser)
    return tmp_path


def names(crawl: Path) -> list[str]:
    with DirectoryFile(directory_folder(crawl, crawl)) as file:
        return [entry.name for entry in file.entries()]


def test_pages_become_entries_once(crawl, gazetteer):
    assert update_listing(crawl, gazetteer).entries == 2
    assert update_listing(crawl, gazetteer).pages == 0
    assert names(crawl) == ["Blue Door Bakery", "Corner Inn"]


def test_crawl_that_goes_on_updates_it(crawl, gazetteer, geoparser):
    update_listing(crawl, gazetteer)
    assert names(crawl) == ["Blue Door Bakery", "Corner Inn"]
    make_crawl(crawl, [(A, page("Old Corner", "12 Main Street, Lubbock, TX 79403"))], geoparser)

    assert update_listing(crawl, gazetteer).pages == 1
    assert names(crawl) == ["Blue Door Bakery", "Old Corner"]


def test_nothing_is_written_where_nothing_is_new(crawl, gazetteer):
    update_listing(crawl, gazetteer)
    listing = Listing(directory_folder(crawl, crawl), lambda _: None)
    before = listing.edition

    update_listing(crawl, gazetteer)

    assert listing.edition == before is not None
    listing.close()


def test_switch_for_persons_stays_as_it_was_made(crawl, gazetteer, geoparser):
    make_crawl(crawl, [("http://p.example/", PERSON)], geoparser)
    assert update_listing(crawl, gazetteer).entries == 2
    assert update_listing(crawl, gazetteer, persons=True).entries == 3

    assert update_listing(crawl, gazetteer).entries == 3
    assert keeps_persons(directory_folder(crawl, crawl))
    assert update_listing(crawl, gazetteer, persons=False).entries == 2


def test_crawl_that_was_replaced_makes_it_again(crawl, gazetteer, geoparser):
    update_listing(crawl, gazetteer)
    (crawl / "crawl.sqlite").unlink()
    for file in (crawl / "archive").iterdir():
        file.unlink()
    make_crawl(crawl, [(A, SHOP)], geoparser)

    update_listing(crawl, gazetteer)

    assert names(crawl) == ["Blue Door Bakery"]


def test_erased_listing_is_made_again(crawl, gazetteer):
    update_listing(crawl, gazetteer)
    erase_listing(directory_folder(crawl, crawl))
    assert names(crawl) == []

    update_listing(crawl, gazetteer)

    assert names(crawl) == ["Blue Door Bakery", "Corner Inn"]


def test_result_is_the_same_as_if_made_at_once(crawl, tmp_path_factory, gazetteer, geoparser):
    more = [("http://c.example/", INN), (B, page("Bakery", "34 Main Street, Lubbock, TX 79403"))]
    update_listing(crawl, gazetteer)
    make_crawl(crawl, more, geoparser)
    update_listing(crawl, gazetteer)
    at_once = tmp_path_factory.mktemp("once")
    make_crawl(at_once, [(A, INN), (B, SHOP), *more], geoparser)
    update_listing(at_once, gazetteer)

    assert _entries(crawl) == _entries(at_once)
    assert len(_entries(crawl)) == 2


def _entries(crawl: Path) -> list[object]:
    with DirectoryFile(directory_folder(crawl, crawl)) as file:
        return list(file.entries())


def test_who_is_killed_goes_on_from_the_last_commit(crawl, gazetteer, monkeypatch):
    """The result is made at the end; a commit before it must not pass for the end."""
    monkeypatch.setattr(changes, "_BATCH", 1)
    monkeypatch.setattr(changes, "_COMMIT_EVERY", 1)

    def stop(done: int, _all: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        update_listing(crawl, gazetteer, progress=stop)
    assert names(crawl) == []

    assert update_listing(crawl, gazetteer).pages == 1
    assert names(crawl) == ["Blue Door Bakery", "Corner Inn"]


def test_second_process_leaves_the_first_alone(crawl, gazetteer, monkeypatch):
    monkeypatch.setattr(tables, "PATIENCE", 0.0)
    update_listing(crawl, gazetteer)

    with DirectoryFile(directory_folder(crawl, crawl)) as other:
        assert other.begin("the same")
        assert update_listing(crawl, gazetteer).busy

    assert not update_listing(crawl, gazetteer).busy


def test_nothing_is_made_where_there_is_no_directory(tmp_path, settings):
    asked = ["directory", str(tmp_path), "--set", "update=no", "--home", settings.home]

    assert main(asked) == 2
    assert list(tmp_path.iterdir()) == []


def test_damaged_file_is_named(crawl):
    folder = directory_folder(crawl, crawl)
    folder.mkdir()
    (folder / LISTING_FILE).write_bytes(b"no database" * 100)

    with pytest.raises(DamagedDataError, match="rebuild=yes"):
        DirectoryFile(folder)


def test_command_lists_filters_and_explains(crawl, settings, capsys):
    asked = ["directory", str(crawl), "--home", settings.home]

    assert main([*asked, "--text", "inn", "--explain"]) == 0
    told = capsys.readouterr().out
    assert "Corner Inn" in told
    assert "said by http://a.example/" in told
    assert "1 entry" in told

    assert main([*asked, "--within", "Lubbock, Texas"]) == 0
    assert "2 entries" in capsys.readouterr().out

    assert main([*asked, "--format", "csv", "--out", str(crawl / "x.csv")]) == 0
    assert (crawl / "x.csv").read_text().count("\n") == 3
    assert main([*asked, "--out", str(crawl / "x.csv")]) == 2


@pytest.mark.parametrize("persons", [False, True])
def test_entries_of_kept_pages_are_those_of_pages_that_are_parsed_again(
    crawl, tmp_path_factory, gazetteer, settings, *, persons
):
    reader = Reader(ReaderOptions(settings, (), "test", RelevanceRule.SCOPE))
    kept = tmp_path_factory.mktemp("kept")
    store = Store(kept)
    for at, (url, html) in enumerate(((A, INN), (B, SHOP))):
        response = Response(url, 200, HEADERS, html.encode(), "", fetched_at=1e9 + at, seconds=0.0)
        result = reader.read(response)
        store.add(result.visit(Request(url), response), result.exchange)
    store.commit()
    store.close()
    shutil.rmtree(kept / "archive")

    update_listing(crawl, gazetteer, persons=persons)
    update_listing(kept, gazetteer, persons=persons)

    assert _entries(kept) == _entries(crawl)
    assert len(_entries(kept)) == 2


def test_search_answers_with_entries_first(crawl, settings, capsys):
    asked = ["search", str(crawl), "inn", "--home", settings.home]

    assert main(asked) == 0
    told = capsys.readouterr().out
    assert told.index("• Corner Inn") < told.index("1 page")
    assert main([*asked, "--set", "entries=no"]) == 0
    assert "•" not in capsys.readouterr().out
    assert main([*asked, "--json"]) == 0
    assert '"entries_total": 1' in capsys.readouterr().out


def test_search_does_without_a_damaged_directory(crawl, settings, capsys):
    directory_folder(crawl, crawl).mkdir()
    (directory_folder(crawl, crawl) / LISTING_FILE).write_bytes(b"no database" * 100)

    assert main(["search", str(crawl), "inn", "--home", settings.home]) == 0
    told = capsys.readouterr()
    assert "1 page" in told.out
    assert "the directory is left out" in told.err
