from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from geoscout.errors import DamagedDataError, UsageError
from geoscout.model import Point, Request
from geoscout.store import Failure, pack_exchange
from geoscout.store.base import StoredVisit
from geoscout.store.sqlite.reader import SqliteReader
from geoscout.warc import scan
from tests.stores import Store
from tests.unit.store.visits import ADDRESS, AUSTIN, LINK, PARIS, respond, visit

A, B = "http://a.example/", "http://b.example/"


def committed(folder: Path, *visits) -> None:
    """A crawl that made these visits and ended well."""
    with Store(folder) as store:
        for one in visits:
            store.add(one)
        store.commit()


def urls(folder: Path) -> list[str]:
    with SqliteReader.open(folder) as store:
        return [stored.url for stored in store.visits()]


def record_types(folder: Path) -> list[str]:
    paths = sorted((folder / "archive").iterdir())
    return [found.record.type for path in paths for found in scan(path)]


def test_a_visit_is_kept_as_it_was(tmp_path):
    committed(tmp_path, visit(A))

    with SqliteReader.open(tmp_path) as store:
        stored = store.visit(1)

    assert stored == StoredVisit(
        n=1,
        url=A,
        node="",
        status=200,
        relevant=True,
        priority=0.5,
        depth=2,
        distance=1,
        parent=A,
        fetched_at=1e9,
        seconds=0.25,
        address="192.0.2.1",
        size=8,
        title="A title",
        language="en",
        digest=pack_exchange(respond(A), "").digest,
        simhash=2**64 - 5,
        is_page=True,
    )


def test_visits_are_numbered_in_the_order_of_fetching_across_runs(tmp_path):
    committed(tmp_path, visit(A), visit(B))
    committed(tmp_path, visit("http://c.example/"))

    with SqliteReader.open(tmp_path) as store:
        assert [(v.n, v.url) for v in store.visits()] == [
            (1, A),
            (2, B),
            (3, "http://c.example/"),
        ]


def test_what_is_not_committed_is_lost_in_facts_and_archive(tmp_path):
    committed(tmp_path, visit(A, b"one"))
    with Store(tmp_path) as store:
        store.add(visit(B, b"two"))
        store.tally("failure")  # makes it all visible to the system, as a long group would
    Store(tmp_path).close()

    assert urls(tmp_path) == [A]
    assert record_types(tmp_path) == ["warcinfo", "response", "request"]


def test_the_archived_answer_is_read_back(tmp_path):
    committed(tmp_path, visit(A, b"one"), visit(B, b"two"))

    with SqliteReader.open(tmp_path) as store:
        response = store.response(2)

    expected = respond(B, b"two")
    length = ("content-length", "3")
    assert response == replace(expected, headers=(*expected.headers, length))


def test_answers_can_be_read_before_they_are_committed(tmp_path):
    with Store(tmp_path) as store:
        n = store.add(visit(A, b"one"))

        assert store.response(n).body == b"one"


@pytest.mark.parametrize("between", [lambda store: None, lambda store: store.commit()])
def test_an_identical_body_is_archived_once_and_read_back_for_both(tmp_path, between):
    with Store(tmp_path) as store:
        store.add(visit(A, b"same"))
        between(store)
        store.add(visit(B, b"same"))
        store.commit()

        assert store.response(2).body == b"same"
        assert store.response(2).url == B
    assert record_types(tmp_path) == ["warcinfo", "response", "request", "revisit", "request"]


def test_empty_bodies_are_not_called_repetitions(tmp_path):
    committed(tmp_path, visit(A, b"", status=301), visit(B, b"", status=301))

    assert "revisit" not in record_types(tmp_path)


def test_records_packed_by_a_worker_are_taken_as_they_are(tmp_path):
    one = visit(A)
    with Store(tmp_path) as store:
        store.add(one, pack_exchange(one.response, "from a worker"))
        store.commit()

    assert record_types(tmp_path) == ["warcinfo", "response", "request"]


def test_places_come_with_the_scope_first_and_their_path(tmp_path):
    committed(tmp_path, visit(A))

    with SqliteReader.open(tmp_path) as store:
        first, second = store.places_of(1)

    assert first.place == AUSTIN
    assert first.path == ("United States", "Texas", "Austin")
    assert (first.mentions, first.confidence, first.score) == (2, 0.9, 0.8)
    assert second.place == PARIS
    assert (second.mentions, second.confidence, second.score) == (1, 0.4, 0.0)


def test_addresses_points_and_links_are_kept(tmp_path):
    committed(tmp_path, visit(A))

    with SqliteReader.open(tmp_path) as store:
        (address,) = store.addresses()
        points = store.points_of(1)
        (stored,) = store.links()

    assert address.address == replace(ADDRESS, place=None)
    assert (address.url, address.place_id) == (A, AUSTIN.id)
    assert points == [(Point(30.0, -97.0), "meta")]
    assert stored.link == replace(LINK, before="", after="", tag_path="")
    assert (stored.n, stored.source) == (1, A)


def test_an_address_without_coordinates_stays_without(tmp_path):
    one = visit(A)
    bare = replace(one.reading, addresses=(replace(ADDRESS, point=None, place=None),))
    committed(tmp_path, dataclasses.replace(one, reading=bare))

    with SqliteReader.open(tmp_path) as store:
        (stored,) = store.addresses()

    assert stored.address.point is None
    assert stored.place_id == 0


def test_pages_are_the_last_state_of_each_url(tmp_path):
    gone, unchanged = "http://gone.example/", "http://same.example/"
    committed(
        tmp_path,
        visit(A, b"old"),
        visit(gone),
        visit(unchanged, b"x"),
        visit(B, b"", status=404),
        visit(A, b"new"),
        visit(gone, b"", status=410),
        visit(unchanged, b"", status=304),
    )

    with SqliteReader.open(tmp_path) as store:
        assert [(page.n, page.url) for page in store.pages()] == [(3, unchanged), (5, A)]
        assert [one.n for one in store.visits_of(A)] == [1, 5]


def test_failures_are_logged_and_counted_by_kind(tmp_path):
    with Store(tmp_path) as store:
        for n in range(3):
            store.add_failure(Failure(Request(A, tries=n), 5.0, "timeout"))
        store.commit()
        store.add_failure(Failure(Request(B), 6.0, "dns", "no such host"))
        store.add(visit(A))

        assert store.tally("failure") == {"timeout": 3, "dns": 1}
        rows = store.database.execute("SELECT url, status, kind FROM fetch_log ORDER BY at")
        assert rows.fetchall() == [(A, 0, "timeout")] * 3 + [(B, 0, "dns"), (A, 200, "")]


def test_the_change_log_can_be_followed(tmp_path):
    with Store(tmp_path) as store:
        store.add(visit(A, b"1"))
        store.add(visit(B, b"2"))
        store.commit()
        store.add_change(1)

        first = store.changes(limit=2)
        rest = store.changes(after=first[-1].cursor)
        assert [change.visit for change in first] == [1, 2]
        assert [change.visit for change in rest] == [1]
        assert store.changes(after=rest[-1].cursor) == []


def test_notes_about_the_crawl_are_kept_and_replaced(tmp_path):
    with Store(tmp_path) as store:
        store.set_note("region", "Lisbon")
        store.set_note("region", "Porto")
        store.commit()

    with SqliteReader.open(tmp_path) as store:
        assert store.note("region") == "Porto"
        assert store.note("strategy") is None


def test_a_reader_leaves_the_running_crawl_alone(tmp_path):
    with Store(tmp_path) as store:
        store.add(visit(A, b"one"))
        store.commit()
        store.add(visit(B, b"two"))

        assert urls(tmp_path) == [A]
        store.commit()
        assert urls(tmp_path) == [A, B]
        assert store.response(2).body == b"two"


def test_two_crawls_cannot_write_to_one_folder(tmp_path):
    with Store(tmp_path), pytest.raises(UsageError, match="another process"):
        Store(tmp_path)


def test_tables_of_others_are_committed_together_with_the_visits(tmp_path):
    tables = ["CREATE TABLE IF NOT EXISTS waiting (url TEXT);"]
    with Store(tmp_path, tables=tables) as store:
        store.database.execute("INSERT INTO waiting VALUES ('kept')")
        store.add(visit(A))
        store.commit()
        store.database.execute("INSERT INTO waiting VALUES ('lost')")
        store.add(visit(B))

    with Store(tmp_path) as store:
        assert store.database.execute("SELECT url FROM waiting").fetchall() == [("kept",)]
        assert [one.url for one in store.visits()] == [A]


def test_sizes_of_all_archive_files_are_committed(tmp_path):
    with Store(tmp_path, largest_file=1) as store:
        for n in range(3):
            store.add(visit(f"http://a.example/{n}", b"%d" % n))
        store.commit()

        files = sorted((tmp_path / "archive").iterdir())
        assert b"".join(store.archive()) == b"".join(file.read_bytes() for file in files)
        assert len(files) == 6  # each answer and each request filled a file


def test_an_archive_cut_by_a_power_failure_loses_only_what_is_missing(tmp_path):
    committed(tmp_path, visit(A, b"one"), visit(B, b"two"))
    (path,) = (tmp_path / "archive").iterdir()
    os.truncate(path, path.stat().st_size - 600)

    committed(tmp_path, visit("http://c.example/", b"two"))

    with SqliteReader.open(tmp_path) as store:
        assert [one.n for one in store.visits()] == [1, 2, 3]
        assert store.response(1).body == b"one"
        assert store.response(3).body == b"two"
        with pytest.raises(DamagedDataError, match="lost"):
            store.response(2)
    assert record_types(tmp_path) == ["warcinfo", "response", "response", "request"]


def test_the_answer_of_no_visit_is_reported(tmp_path):
    committed(tmp_path, visit(A))

    with SqliteReader.open(tmp_path) as store, pytest.raises(DamagedDataError, match="no visit"):
        store.response(7)
