"""One worker with several lanes, in this process; several processes are in tests/flow."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from geoscout.crawling.assemble import Blueprint, make_fetcher
from geoscout.crawling.options import CrawlOptions
from geoscout.crawling.run import prepare_crawl
from geoscout.fetch.base import Fetcher
from geoscout_cluster import workers as joining
from geoscout_cluster.postgres.database import connect
from geoscout_cluster.postgres.engine import has_ended, partitions, workers
from geoscout_cluster.shared_crawl import check_for_workers, found_crawl
from geoscout_places.errors import UsageError
from tests.fakes import FakeGazetteer
from tests.unit.cluster.small_web import SEED, URLS, write_web


def test_a_worker_crawls_all_partitions_and_ends(small):
    small.begin()
    small.work()

    assert small.urls() == dict.fromkeys(URLS, 1)
    with connect(small.where) as connection:
        cursor = connection.cursor()
        rows = partitions(cursor)
        assert has_ended(cursor)
        assert workers(cursor) == []
        assert all(row.done and not row.waiting and not row.owner for row in rows)
        (all_clean,) = cursor.execute("SELECT bool_and(clean) FROM partition").fetchone() or ()
        assert all_clean


def test_the_limit_of_pages_holds_over_all_partitions(small):
    small.begin(max_pages=17)
    small.work()

    assert sum(small.urls().values()) == 17


def test_a_worker_that_was_stopped_leaves_the_rest_to_the_next(small):
    small.begin()
    small.work(seconds=2.0)
    first = small.urls()
    small.work()

    assert first <= small.urls()
    assert small.urls() == dict.fromkeys(URLS, 1)


def test_a_worker_that_takes_too_much_memory_gives_its_partitions_back(small):
    small.begin()
    modest = replace(small, settings=replace(small.settings, max_memory="1M"))

    assert not modest.work()
    with connect(small.where) as connection:
        assert not any(row.owner for row in partitions(connection.cursor()))
        assert not has_ended(connection.cursor())
    assert small.work()
    assert small.urls() == dict.fromkeys(URLS, 1)


def test_a_worker_of_another_gazetteer_or_version_is_refused(small):
    with pytest.raises(UsageError, match="there is no crawl at"):
        small.work()
    small.begin()
    with pytest.raises(UsageError, match="this worker has the gazetteer"):
        replace(small, gazetteer=FakeGazetteer([])).work()
    with connect(small.where) as connection:
        connection.execute("UPDATE note SET value = '0.0.1' WHERE name = 'version'")
    with pytest.raises(UsageError, match=r"begun with 0\.0\.1: install the same version"):
        small.work()


def test_registries_are_asked_by_one_process_only():
    check_for_workers(CrawlOptions(region=("Austin",), registrations="registrants.tsv"))
    with pytest.raises(UsageError, match="give registrations a table, or crawl with one process"):
        check_for_workers(CrawlOptions(region=("Austin",), registrations="both"))


@pytest.mark.parametrize("count", [0, 1025])
def test_a_crawl_has_some_partitions_and_not_too_many(small, count):
    archive = write_web(small.folder / "web.warc.gz")
    asked = CrawlOptions(region=("Lisbon",), strategy="breadth", replay=(str(archive),))
    blueprint, beginning = prepare_crawl(asked, [SEED], small.settings, small.gazetteer)

    with pytest.raises(UsageError, match="1 to 1024 partitions"):
        found_crawl(small.where, blueprint, beginning, count)


def test_a_worker_does_not_ask_its_database_for_pages(small, monkeypatch):
    small.begin()
    told: list[Sequence[str]] = []

    def make(blueprint: Blueprint, own_addresses: Sequence[str] = ()) -> Fetcher:
        told.append(own_addresses)
        return make_fetcher(blueprint, own_addresses)

    monkeypatch.setattr(joining, "make_fetcher", make)
    small.work(seconds=0.1)

    assert told == [("127.0.0.1",)]
