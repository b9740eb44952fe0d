"""Crawls in PostgreSQL: fencing, lost connections, takeover, and several partitions."""

import asyncio
import math
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from msgspec import structs
from msgspec.structs import replace

from geoscout.state.base import Beginning, OnServer, Writing, create_state
from geoscout_cluster.engine.leases import claim
from geoscout_cluster.postgres import groups
from geoscout_cluster.postgres.database import connect, read_address
from geoscout_cluster.postgres.groups import GroupWriter
from geoscout_cluster.postgres.state import (
    PostgresBackend,
    PostgresState,
    begin_crawl,
    take_partition,
)
from geoscout_places.errors import DatabaseLostError, FencedError, UsageError
from geoscout_places.model import Request
from tests.unit.store.visits import visit

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"
Cursor = psycopg.Cursor[Any]
Open = Callable[[int], PostgresState]


@pytest.fixture
def where(postgres_address, tmp_path):
    """A crawl with three partitions, which nobody holds."""
    beginning = Beginning(archive=str(tmp_path / "archive"))
    seeds = {0: [Request(A, 1.0)], 1: [Request(B, 1.0)], 2: []}
    begin_crawl(read_address(postgres_address), beginning, seeds, Writing())
    return postgres_address


@pytest.fixture
def hold(where):
    """Takes a partition."""
    held: list[PostgresState] = []

    def open_partition(number: int) -> PostgresState:
        address = read_address(where)
        held.append(PostgresState(address, take_partition(address, number), Writing()))
        return held[-1]

    yield open_partition
    for state in held:
        state.close()


def commit(state: PostgresState) -> None:
    asyncio.run(state.commit())


def ask(where: str, query: str, *parameters: object) -> list[tuple[Any, ...]]:
    with connect(where) as connection:
        cursor = connection.execute(query.encode(), parameters)
        return cursor.fetchall() if cursor.description else []


def seen(where: str) -> list[str]:
    with PostgresBackend().open(where) as view:
        return [found.url for found in view.reader.visits()]


def let_go(where: str, partition: int) -> None:
    """End the lease of a partition, as time does."""
    ask(where, "UPDATE partition SET until = 'epoch' WHERE number = %s", partition)


def take_over(where: str, partition: int) -> None:
    """Let another process claim a partition."""
    let_go(where, partition)
    with connect(where) as connection:
        claim(connection.cursor(), "another:machine/1/2", partition)


def test_an_owner_that_was_replaced_writes_nothing(where, hold):
    state = hold(0)
    state.writer.add(visit(A))
    take_over(where, 0)

    with pytest.raises(FencedError, match="partition 0"):
        commit(state)
    with pytest.raises(FencedError):
        state.frontier.next(0.0)
    assert seen(where) == []


def test_a_commit_whose_answer_was_lost_is_not_applied_twice(where, hold, monkeypatch):
    state = hold(0)
    tried = 0
    write = GroupWriter._try

    def write_and_lose_the_answer(self: GroupWriter, *group: Any) -> None:
        nonlocal tried
        tried += 1
        write(self, *group)
        if tried == 1:
            raise DatabaseLostError("the cable was cut")

    monkeypatch.setattr(GroupWriter, "_try", write_and_lose_the_answer)
    state.writer.add(visit(A))
    commit(state)
    state.writer.add(visit(C))
    commit(state)

    assert (tried, seen(where)) == (3, [A, C])


def test_a_connection_that_breaks_within_a_group_is_opened_again(where, hold):
    state = hold(0)
    calls = 0

    def break_once(cursor: Cursor) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    state.add_partner(lambda: break_once)
    state.writer.add(visit(A))
    commit(state)

    assert (calls, seen(where)) == (2, [A])


def test_after_a_group_that_failed_none_is_written(where, hold):
    state = hold(0)
    full = "DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"
    failing: list[Callable[[Cursor], object]] = [lambda cursor: cursor.execute(full)]

    def write(cursor: Cursor) -> None:
        for each in failing:
            each(cursor)

    state.add_partner(lambda: write)
    state.writer.add(visit(A))
    with pytest.raises(UsageError, match="no room left"):
        commit(state)
    failing.clear()
    state.writer.add(visit(C))
    with pytest.raises(UsageError, match="no room left"):
        commit(state)
    state.close()
    again = hold(0)

    assert again.frontier.next(0.0) == Request(A, 1.0)
    assert seen(where) == []


def test_a_server_that_stays_away_ends_the_crawl_with_one_line(where, hold, monkeypatch, caplog):
    state = hold(0)
    monkeypatch.setattr(state._groups, "_patience", 0.3)
    monkeypatch.setattr(groups, "connect", _nobody_answers)
    state._groups._do(state._groups._disconnect).result()
    state.writer.add(visit(A))

    with pytest.raises(DatabaseLostError, match="does not answer"):
        commit(state)
    with pytest.raises(DatabaseLostError):
        state.frontier.next(0.0)
    assert [record.message for record in caplog.records] == [
        "the server does not answer; the crawl waits for it"
    ]


def _nobody_answers(*_: object) -> None:
    raise DatabaseLostError("the server does not answer")


def test_a_lease_is_made_longer_while_nothing_is_written(where, hold, monkeypatch):
    monkeypatch.setattr(groups, "_TICK_SECONDS", 0.05)
    address = read_address(where)
    state = PostgresState(address, take_partition(address, 0, seconds=0.5), Writing())
    time.sleep(1.2)
    ((is_held, clean),) = ask(where, "SELECT until > now(), clean FROM partition WHERE number = 0")
    state.close()
    ((after, clean_after),) = ask(
        where, "SELECT until > now(), clean FROM partition WHERE number = 0"
    )

    assert (is_held, clean, after, clean_after) == (True, False, False, True)


def test_an_idle_owner_notices_that_it_was_replaced(where, hold, monkeypatch):
    monkeypatch.setattr(groups, "_TICK_SECONDS", 0.05)
    address = read_address(where)
    state = PostgresState(address, take_partition(address, 0, seconds=0.5), Writing())
    take_over(where, 0)
    time.sleep(0.8)

    with pytest.raises(FencedError):
        state.frontier.next(0.0)
    state.close()
    assert ask(where, "SELECT owner FROM partition WHERE number = 0") == [("another:machine/1/2",)]


def test_nothing_is_given_out_when_the_lease_is_about_to_end(where, hold, monkeypatch):
    state = hold(0)
    left = 0.0
    monkeypatch.setattr(state._clock, "left", lambda: left)
    none, wake_at = state.frontier.next(0.0), state.frontier.wake_at(5.0)
    left = 0.1

    assert (none, wake_at) == (None, 5.25)
    assert state.frontier.next(0.0) == Request(A, 1.0)


def test_segments_without_rows_stay_when_a_partition_is_taken_over(where, hold, tmp_path):
    """They may be those of a copy of the crawl that shares the archive."""
    state = hold(0)
    state.writer.add(visit(A, b"one"))
    commit(state)
    (segments,) = (tmp_path / "archive").iterdir()
    (first,) = (segments / "0000").iterdir()
    others = [first.with_name(f"{number:06}-0000000002-c0ffee42.warc.gz") for number in (1, 2)]
    for path in others:
        path.write_bytes(b"of the copy")
    state.close()
    again = hold(0)
    second = again.writer.add(visit(C, b"two"))
    commit(again)

    assert [path.read_bytes() for path in others] == [b"of the copy"] * 2
    assert len(list((segments / "0000").iterdir())) == 4
    assert [again.reader.response(n).body for n in (1, second)] == [b"one", b"two"]


def test_a_body_is_archived_once_also_after_a_takeover(where, hold, tmp_path):
    state = hold(0)
    state.writer.add(visit(A, b"the same"))
    commit(state)
    state.close()
    state = hold(0)
    state.writer.add(visit(C, b"the same"))
    commit(state)
    rows = ask(where, "SELECT n, body_of FROM visit ORDER BY n")

    assert rows == [(1, 1), (4, 1)]
    assert state.reader.response(4).body == b"the same"


def test_characters_that_postgresql_cannot_hold_are_left_out(where, hold):
    state = hold(0)
    strange = visit(A)
    assert strange.page is not None
    state.writer.add(replace(strange, page=structs.replace(strange.page, title="a\0b")))
    state.writer.set_note("strange", "c\0d")
    commit(state)

    with PostgresBackend().open(where) as view:
        assert [found.title for found in view.reader.visits()] == ["ab"]
        assert view.reader.note("strange") == "cd"


def test_pages_of_long_urls_and_without_a_body_are_kept(where, hold):
    state = hold(0)
    long = A + "x" * 8000  # longer than an entry of an index
    state.writer.add(visit(long))
    for url in (A, C):
        state.writer.add(visit(url, b"", 404))
    commit(state)

    assert state.reader.last_visits([long]).keys() == {long}
    assert [found.status for found in state.reader.visits()] == [200, 404, 404]


def test_what_follows_the_log_misses_no_partition(where, hold):
    """A partition that commits late has lower numbers than another that was read already."""
    first, second = hold(0), hold(1)
    late = second.writer.add(visit(B))
    early = [first.writer.add(visit(url)) for url in (A, C)]
    commit(first)
    with PostgresBackend().open(where) as view:
        before = view.reader.changes()
        grown = view.reader.growth()
        commit(second)
        after = view.reader.changes(before[-1].cursor)
        left = view.reader.changes_left(before[-1].cursor)
        growth = view.reader.growth(grown[1])

        assert [change.visit for change in before] == early == [1, 4]
        assert [change.visit for change in after] == [late] == [2]
        assert (left, after[-1].cursor) == (1, view.reader.last_change())
        assert [step.visits for step in (*grown[0], *growth[0])] == [2, 1]
        assert view.reader.totals().visits == 3


def test_a_page_that_another_partition_fetched_can_be_noted_as_changed(where, hold):
    first, second = hold(0), hold(1)
    n = first.writer.add(visit(A))
    commit(first)
    second.writer.add_change(n)
    commit(second)

    with PostgresBackend().open(where) as view:
        assert [change.visit for change in view.reader.changes()] == [n, n]


def test_changes_come_in_turns_when_they_are_limited(where, hold):
    first, second = hold(0), hold(1)
    for _ in range(5):
        first.writer.add(visit(A))
    second.writer.add(visit(B))
    commit(first)
    commit(second)

    with PostgresBackend().open(where) as view:
        some = view.reader.changes(limit=3)
        rest = view.reader.changes(some[-1].cursor)

    assert [change.visit for change in some] == [1, 2, 4]
    assert [change.visit for change in rest] == [7, 10, 13]


def test_the_lease_of_a_process_that_died_here_is_taken_at_once(where, tmp_path):
    script = """
import sys
from geoscout_cluster.postgres.state import take_partition
from geoscout_cluster.postgres.database import read_address
take_partition(read_address(sys.argv[1]), 0, seconds=60.0)
"""
    subprocess.run([sys.executable, "-c", script, where], check=True)
    clock = take_partition(read_address(where), 0)

    assert (clock.lease.epoch, clock.lease.was_clean) == (2, False)


def test_the_lease_of_another_machine_is_waited_for_and_respected_if_made_longer(
    where, monkeypatch
):
    with connect(where) as connection:
        claim(connection.cursor(), "another:machine/1/2", 0, seconds=0.6)
        claim(connection.cursor(), "another:machine/1/2", 1)

    def while_we_wait(_: float) -> None:
        ask(where, "UPDATE partition SET until = until + interval '2 s' WHERE number = 1")

    assert take_partition(read_address(where), 0).lease.epoch == 2
    monkeypatch.setattr("geoscout_cluster.postgres.state.time.sleep", while_we_wait)
    with pytest.raises(UsageError, match="another process is writing"):
        take_partition(read_address(where), 1)


def test_a_crawl_of_several_partitions_is_not_for_one_process(where):
    with pytest.raises(UsageError, match=r"3 partitions.*cluster work"):
        PostgresBackend().resume(where, Writing())


def test_a_crawl_that_cannot_be_made_leaves_nothing(postgres_address, tmp_path):
    address, backend = read_address(postgres_address), PostgresBackend()
    wrong = Request(A, math.nan)
    with pytest.raises(ValueError, match="finite"):
        begin_crawl(address, Beginning(archive=str(tmp_path)), {0: [wrong]}, Writing())
    with pytest.raises(UsageError, match="1 to 1024 partitions"):
        begin_crawl(address, Beginning(archive=str(tmp_path)), {}, Writing())
    with pytest.raises(UsageError, match="archive"):
        backend.create(postgres_address, Beginning(), Writing())

    assert not backend.holds(postgres_address)


def test_a_state_on_a_server_says_where_that_is(hold, tmp_path):
    state, in_a_folder = hold(0), create_state(tmp_path / "folder")
    in_a_folder.close()

    assert isinstance(state, OnServer)
    assert state.addresses() == ("127.0.0.1",)
    assert not isinstance(in_a_folder, OnServer)
