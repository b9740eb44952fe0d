import shutil
from threading import Thread

import pytest

from geoscout.index.writer import IndexWriter
from geoscout.search import update_index
from geoscout.web import site as site_module
from geoscout.web.problems import RefusedError
from geoscout.web.site import open_site
from geoscout_places.errors import UsageError
from geoscout_places.geo import Geoparser
from geoscout_places.model import OnProgress
from tests.stores import Store
from tests.unit.search.worlds import make_crawl as add_pages
from tests.unit.web.world import PAGES, make_crawl


def test_folders_of_one_name_get_a_number(tmp_path, gazetteer):
    for parent in ("a", "b"):
        Store(tmp_path / parent / "crawl").close()

    site = open_site([tmp_path / "a", tmp_path / "b"], gazetteer)

    assert list(site.crawls) == ["crawl", "crawl-2"]


def test_a_folder_without_anything_to_show_is_refused(tmp_path, gazetteer):
    (tmp_path / "notes.txt").write_text("no crawl")

    with pytest.raises(UsageError, match="there is no crawl in"):
        open_site([tmp_path], gazetteer)
    with pytest.raises(UsageError, match="there is no crawl in"):
        open_site([tmp_path / "none"], gazetteer)


def test_crawls_that_begin_later_are_noticed_and_those_that_vanish(tmp_path, gazetteer):
    site = open_site([tmp_path], gazetteer)
    empty = list(site.crawls)
    Store(tmp_path / "lisbon").close()
    site.follow()
    first = site.crawl("lisbon")
    Store(tmp_path / "austin").close()
    site.follow()
    both = list(site.crawls)
    is_kept = site.crawl("lisbon") is first
    shutil.rmtree(tmp_path / "lisbon")
    site.follow()

    assert (empty, both, list(site.crawls)) == ([], ["austin", "lisbon"], ["austin"])
    assert is_kept


def test_a_crawl_keeps_its_name_when_another_of_that_name_comes(tmp_path, gazetteer):
    (tmp_path / "a").mkdir()
    Store(tmp_path / "b" / "crawl").close()
    site = open_site([tmp_path / "a", tmp_path / "b"], gazetteer)
    first = site.crawl("crawl")
    Store(tmp_path / "a" / "crawl").close()
    site.follow()

    assert site.crawl("crawl") is first
    assert site.crawl("crawl-2").where == str(tmp_path / "a" / "crawl")


@pytest.mark.parametrize(("given", "room"), [("crawls", "crawls"), ("crawls/one", None)])
def test_new_crawls_go_into_a_folder_that_is_not_a_crawl(tmp_path, gazetteer, given, room):
    Store(tmp_path / "crawls" / "one").close()

    site = open_site([tmp_path / given], gazetteer)

    assert site.shelf.room == (tmp_path / room if room else None)


def test_the_first_crawl_is_taken_when_none_is_named(site):
    assert site.crawl("").name == "lisbon"


def test_the_index_follows_again_after_a_failed_write(tmp_path, gazetteer, monkeypatch, caplog):
    first, *rest = PAGES.items()
    make_crawl(tmp_path / "growing", Geoparser(gazetteer), dict([first]))
    site = open_site([tmp_path / "growing"], gazetteer)
    crawl = site.crawl("")
    crawl.warm()
    add_pages(tmp_path / "growing", rest[:2], Geoparser(gazetteer))

    def fail(*_arguments: object) -> None:
        raise ValueError("No space left on device")  # what Tantivy raises

    with monkeypatch.context() as broken:
        broken.setattr(IndexWriter, "commit", fail)
        site.follow()
        site.follow()
    assert (crawl.engine().reader.page_count, crawl.index_trouble) == (1, "No space left on device")
    assert caplog.text.count("trying again: No space left on device") == 1

    site.follow()
    assert (crawl.engine().reader.page_count, crawl.index_trouble) == (3, "")


def test_the_index_follows_a_crawl_that_goes_on(tmp_path, gazetteer):
    first, *rest = PAGES.items()
    make_crawl(tmp_path / "growing", Geoparser(gazetteer), dict([first]))
    site = open_site([tmp_path / "growing"], gazetteer)
    before = site.crawl("").engine().reader.page_count
    add_pages(tmp_path / "growing", rest[:2], Geoparser(gazetteer))

    site.follow()

    assert (before, site.crawl("").engine().reader.page_count) == (1, 3)


def test_who_asks_while_the_index_is_made_is_told_how_far_it_is(tmp_path, gazetteer, monkeypatch):
    make_crawl(tmp_path / "new", Geoparser(gazetteer), PAGES)
    crawl = open_site([tmp_path / "new"], gazetteer).crawl("")
    asked: list[str] = []

    def ask() -> None:
        with pytest.raises(RefusedError) as refused:
            crawl.engine()
        asked.append(str(refused.value))

    def make(*_where: object, progress: OnProgress, **_more: object) -> None:
        progress(300, 900)
        visitor = Thread(target=ask)
        visitor.start()
        visitor.join()
        update_index(tmp_path / "new", gazetteer)

    with monkeypatch.context() as slow:
        slow.setattr(site_module, "follow_crawl", make)
        slow.setattr(site_module, "_PATIENCE", 0.01)
        crawl.warm()

    assert asked == ["the index is made: 300 of 900 pages; try again in a minute"]
    assert crawl.engine().reader.page_count == len(PAGES)
    assert crawl.index_trouble == ""
