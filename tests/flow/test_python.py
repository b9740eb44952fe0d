"""A crawl from Python: docs/python.md, run as it is written there."""

import asyncio
import errno
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from geoscout import open_crawl, resume_crawl, start_crawl
from geoscout.crawl_folder import sync_file
from geoscout.store.sqlite.database import Database
from geoscout_places.errors import UsageError
from tests.conftest import PROJECT
from tests.unit.lab.archives import PAGES, write_archive

pytestmark = pytest.mark.usefixtures("at_home")
SKIPPED = "<!-- not run: it reaches the web -->\n"
SEEDS = ["http://a.example/"]
LINKED = 4  # of `PAGES`; no link leads to the other one


def test_page_about_python_runs_as_it_stands(tmp_path, monkeypatch):
    write_archive(tmp_path / "pages.warc.gz", PAGES)
    monkeypatch.chdir(tmp_path)
    text = (PROJECT / "docs/python.md").read_text()
    examples = [
        match["code"]
        for match in re.finditer(
            r"(?P<skip><!--.*-->\n)?```python\n(?P<code>.*?)```", text, re.DOTALL
        )
        if match["skip"] != SKIPPED
    ]

    names: dict[str, object] = {}
    for example in examples:
        exec(example, names)  # our own documentation

    assert len(examples) == 4
    assert [hit.url for hit in names["answer"].hits] == ["http://a.example/shop/"]  # type: ignore[attr-defined]
    assert names["progress"].relevant == 1  # type: ignore[attr-defined]


def test_five_lines_of_the_readme_run_as_they_stand(tmp_path, monkeypatch):
    readme = (PROJECT / "README.md").read_text()
    found = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    (example,) = (code for code in found if "start_crawl" in code)
    write_archive(tmp_path / "pages.warc.gz", PAGES)
    monkeypatch.chdir(tmp_path)

    exec(example, {})

    with open_crawl("oldenburg") as crawl:
        assert [page.url for page in crawl.pages() if page.relevant] == ["http://a.example/shop/"]


def test_crawl_stops_at_its_limit_and_goes_on_from_there(tmp_path, settings):
    archive = str(write_archive(tmp_path / "pages.warc.gz", PAGES))
    folder = tmp_path / "crawl"
    with start_crawl(
        folder, region="Oldenburg", seeds=SEEDS, settings=settings, replay=[archive], max_pages=1
    ) as crawl:
        first = crawl.run()
    with resume_crawl(folder, settings=settings) as crawl:
        crawl.limit(None)
        second = asyncio.run(crawl.run_async())

    assert first.visits == 1
    assert second.visits == 4


def test_a_new_limit_holds_for_later_runs(tmp_path, settings):
    archive = str(write_archive(tmp_path / "pages.warc.gz", PAGES))
    folder = tmp_path / "crawl"
    with start_crawl(
        folder, region="Oldenburg", seeds=SEEDS, settings=settings, replay=[archive], max_pages=1
    ) as crawl:
        crawl.limit(2)
    with resume_crawl(folder, settings=settings) as crawl:
        found = crawl.run()

    assert (crawl.options.max_pages, found.visits) == (2, 2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"max_page": 3}, "no option 'max_page'; it has: region"),
        ({"max_pages": "three"}, "max_pages"),
        ({"max_pages": 0}, "max_pages is at least 1"),
        ({"region": "Atlantis-on-Sea"}, "Atlantis"),
        ({"relevance": "all"}, "relevance is one of"),
        ({"seeds": ["ftp://a.example/"]}, "not an http"),
    ],
)
def test_wrong_argument_is_told_and_nothing_is_written(tmp_path, settings, wrong, message):
    asked = {"region": "Oldenburg", "seeds": SEEDS, "allow_private": True, **wrong}

    with pytest.raises(UsageError, match=message):
        start_crawl(tmp_path / "crawl", settings=settings, **asked)

    assert not (tmp_path / "crawl").exists()


def test_relevance_of_the_settings_is_the_default(tmp_path, settings):
    asked = {"region": "Oldenburg", "seeds": SEEDS, "allow_private": True}
    by_scope = replace(settings, relevance="scope")

    with start_crawl(tmp_path / "a", settings=by_scope, **asked) as crawl:
        assert crawl.options.relevance == "scope"
    with start_crawl(tmp_path / "b", settings=by_scope, relevance="either", **asked) as crawl:
        assert crawl.options.relevance == "either"


@pytest.mark.parametrize("limit", [0, -5])
def test_impossible_limit_is_refused(tmp_path, settings, limit):
    asked = {"region": "Oldenburg", "seeds": SEEDS, "allow_private": True}

    with (
        start_crawl(tmp_path / "a", settings=settings, **asked) as crawl,
        pytest.raises(UsageError, match="max_pages is at least 1"),
    ):
        crawl.limit(limit)


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), None])
def test_disk_that_is_full_during_a_commit_is_waited_for(tmp_path, monkeypatch, settings, failure):
    """The first sync of the archive, or the first commit of the database, fails."""
    archive = str(write_archive(tmp_path / "pages.warc.gz", PAGES))
    monkeypatch.setattr("geoscout.crawling.ending._LOOK_SECONDS", 0.01)
    with start_crawl(
        tmp_path / "crawl", region="Oldenburg", seeds=SEEDS, settings=settings, replay=[archive]
    ) as crawl:
        failing = _Once(failure or _error_of_a_full_database(), sync_file, Database.commit)
        name = "store.archive.sync_file" if failure else "store.sqlite.database.Database.commit"
        monkeypatch.setattr(f"geoscout.{name}", failing.sync if failure else failing.commit)
        found = crawl.run()

    assert failing.calls > 1
    assert found.visits == LINKED
    with open_crawl(tmp_path / "crawl") as reader:
        assert len({page.url for page in reader.visits()}) == LINKED
        assert reader.damage(lambda _done, _all: None).lost == []


class _Once:
    """Fails the first time that it is called."""

    def __init__(self, error: Exception, sync: Callable[[int], None], commit: Any) -> None:
        self.calls, self._error, self._sync, self._commit = 0, error, sync, commit

    def _fail(self) -> None:
        self.calls += 1
        if self.calls == 1:
            raise self._error

    def sync(self, file: int) -> None:
        self._fail()
        self._sync(file)

    @property
    def commit(self) -> Callable[[Database], None]:
        def commit(database: Database) -> None:
            if not self.calls:
                database.rollback()  # as SQLite does
            self._fail()
            self._commit(database)

        return commit


def _error_of_a_full_database() -> sqlite3.Error:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("PRAGMA max_page_count = 2")
        try:
            database.execute("CREATE TABLE a AS SELECT randomblob(100000)")
        except sqlite3.Error as error:
            return error
    raise AssertionError
