"""What the engine of a cluster promises (rents are in a file of their own); no crawl is needed."""

import math
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from runpy import run_path

import pytest

from geoscout.store.base import Rest
from geoscout_cluster.engine.base import TABLES
from geoscout_cluster.engine.budget import draw, draw_more, granted, keep_only, set_budget
from geoscout_cluster.engine.exchange import (
    Inbox,
    Outbox,
    Parcel,
    send_from_outside,
    waiting_parcels,
)
from geoscout_cluster.engine.leases import (
    Lease,
    LeaseClock,
    claim,
    end_lease_of_the_dead,
    holder_of,
    is_dead,
    release,
    renew,
    this_process,
)
from geoscout_cluster.engine.roster import (
    Identity,
    count_alive,
    is_spent,
    say_alive,
    say_goodbye,
    say_rest,
    write_figures,
)
from geoscout_cluster.postgres.database import Connection, connect, create_tables, read_address
from geoscout_cluster.postgres.engine import has_ended, partitions, workers
from geoscout_places.errors import FencedError
from tests.conftest import PROJECT

ANN, BEN = Identity("ann", "north", "1"), Identity("ben", "south", "1")


@pytest.fixture
def connection(postgres_address):
    """The tables of a job with three partitions."""
    with connect(postgres_address) as opened:
        create_tables(opened, read_address(postgres_address), [TABLES])
        opened.execute("INSERT INTO partition (number) SELECT generate_series(0, 2)")
        opened.commit()
        yield opened


@pytest.fixture
def cursor(connection):
    return connection.cursor()


def packed(words: Sequence[str]) -> bytes:
    return ",".join(words).encode()


def outbox_of(partition: int) -> Outbox[str]:
    return Outbox(partition, packed)


def test_a_partition_has_one_owner_at_a_time(cursor):
    first = claim(cursor, "ann", 1)
    second = claim(cursor, "ben", 1)

    assert (first, second) == (Lease(1, 1, 0, was_clean=True), None)


def test_any_free_partition_can_be_claimed(cursor):
    leases = [claim(cursor, "ann") for _ in range(4)]

    assert [lease.partition for lease in leases if lease] == [0, 1, 2]
    assert leases[3] is None


def test_two_who_claim_at_once_get_different_partitions(connection, postgres_address):
    with connect(postgres_address) as other:
        first = claim(connection.cursor(), "ann")  # not yet committed
        second = claim(other.cursor(), "ben")

    assert first is not None
    assert second is not None
    assert first.partition != second.partition


def test_a_lease_that_has_ended_goes_to_the_next_with_a_new_epoch(cursor):
    claim(cursor, "ann", 1, seconds=0.0)
    taken = claim(cursor, "ben", 1)

    assert taken == Lease(1, 2, 0, was_clean=False)


def test_an_owner_that_was_replaced_can_neither_renew_nor_release(cursor):
    old = claim(cursor, "ann", 1, seconds=0.0)
    new = claim(cursor, "ben", 1)
    assert old is not None
    assert new is not None
    renewed = renew(cursor, old), renew(cursor, new)
    release(cursor, old, clean=True)
    holder = holder_of(cursor, 1)

    assert renewed == (False, True)
    assert holder is not None
    assert (holder.owner, holder.until > datetime.now(UTC)) == ("ben", True)


def test_a_partition_that_was_released_can_be_claimed_at_once(cursor):
    lease = claim(cursor, "ann", 1)
    assert lease is not None
    release(cursor, lease, clean=True)

    assert claim(cursor, "ben", 1) == Lease(1, 2, 0, was_clean=True)


def test_a_dead_owner_of_this_machine_is_known(cursor):
    script = "from geoscout_cluster.engine.leases import this_process; print(this_process())"
    said = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    gone = said.stdout.decode().strip()
    claim(cursor, gone, 1)
    held = holder_of(cursor, 1)
    assert held is not None
    ended = end_lease_of_the_dead(cursor, 1, held)

    assert [is_dead(owner) for owner in (gone, this_process(), "elsewhere:1/2/3", "")] == [
        True, False, False, False,
    ]  # fmt: skip
    assert ended
    assert claim(cursor, "ben", 1) is not None


def test_the_lease_of_a_living_owner_is_left_alone(cursor):
    claim(cursor, this_process(), 1)
    held = holder_of(cursor, 1)
    assert held is not None

    assert not end_lease_of_the_dead(cursor, 1, held)
    assert claim(cursor, "ben", 1) is None
    assert holder_of(cursor, 99) is None


def test_the_owner_stops_before_the_lease_ends():
    lease = Lease(0, 1, 0, was_clean=True, seconds=10.0)
    now = time.monotonic()
    clock = LeaseClock(lease, now)
    before = clock.left()
    clock.extend(now - 20)  # an answer that comes late makes nothing shorter
    late = LeaseClock(lease, now - 9.5)

    assert 8 < before <= 9
    assert 8 < clock.left() <= 9
    assert late.left() < 0


def test_a_process_of_a_container_with_the_same_name_is_not_taken_for_dead():
    machine, _, _ = this_process().partition("/")
    name, namespace = machine.rsplit(":", 1)
    elsewhere = f"{name}:{int(namespace) + 1}/1/1"

    assert is_dead(f"{machine}/1/1")  # here, no process 1 began then
    assert not is_dead(elsewhere)


def write(connection: Connection, *boxes: Outbox[str] | Inbox) -> None:
    for box in boxes:
        box.cut()(connection.cursor())
    connection.commit()


def parcels(connection: Connection, partition: int) -> list[Parcel]:
    return waiting_parcels(connection.cursor(), [Inbox(partition)])


def test_what_is_sent_is_taken_once(connection):
    outbox, inbox = outbox_of(0), Inbox(1)
    outbox.put(1, "a")
    outbox.put(2, "b")
    write(connection, outbox)

    first = inbox.take(parcels(connection, 1))
    again = inbox.take(parcels(connection, 1))  # the group that takes it is not committed yet
    unread = waiting_parcels(connection.cursor(), [inbox])
    write(connection, inbox)

    assert (first, again, unread) == ([b"a"], [], [])
    assert parcels(connection, 1) == []
    assert len(parcels(connection, 2)) == 1


def test_a_receiver_that_dies_before_its_commit_leaves_it_to_the_next(connection):
    outbox = outbox_of(0)
    outbox.put(1, "a")
    write(connection, outbox)
    Inbox(1).take(parcels(connection, 1))

    second = Inbox.open(connection.cursor(), 1)

    assert second.take(parcels(connection, 1)) == [b"a"]


def test_numbers_go_on_after_a_restart_even_if_all_was_taken(connection):
    outbox, inbox = outbox_of(0), Inbox(1)
    outbox.put(1, "a")
    write(connection, outbox)
    inbox.take(parcels(connection, 1))
    write(connection, inbox)

    outbox = Outbox.open(connection.cursor(), 0, packed)
    outbox.put(1, "b")
    write(connection, outbox)

    assert Inbox.open(connection.cursor(), 1).take(parcels(connection, 1)) == [b"b"]


def test_a_cut_that_is_written_again_writes_the_same(connection):
    outbox = outbox_of(0)
    outbox.put(1, "a")
    send = outbox.cut()
    send(connection.cursor())
    connection.rollback()
    send(connection.cursor())
    connection.commit()

    assert [parcel.packed for parcel in parcels(connection, 1)] == [b"a"]


def test_many_things_are_several_rows(connection):
    outbox, inbox = outbox_of(0), Inbox(1)
    sent = [str(n) for n in range(2500)]
    for word in sent:
        outbox.put(1, word)
    write(connection, outbox)

    found = parcels(connection, 1)
    assert [parcel.number for parcel in found] == [1, 2, 3]
    assert ",".join(part.decode() for part in inbox.take(found)).split(",") == sent


def test_what_comes_from_outside_is_taken_like_anything_else(connection, postgres_address):
    inbox, things = Inbox(1), [(n % 3, str(n)) for n in range(6)]
    for _ in range(2):
        assert send_from_outside(connection.cursor(), things, packed) == 6
        connection.commit()
    first = inbox.take(parcels(connection, 1))
    write(connection, inbox)
    send_from_outside(connection.cursor(), [(1, "late")], packed)
    connection.commit()

    assert first == [b"1,4", b"1,4"]
    assert Inbox.open(connection.cursor(), 1).take(parcels(connection, 1)) == [b"late"]


def leases(connection: Connection) -> list[Lease]:
    found = [claim(connection.cursor(), "ann", number) for number in range(3)]
    return [lease for lease in found if lease is not None]


def test_without_a_limit_there_are_no_tickets(connection):
    set_budget(connection.cursor(), None)

    assert granted(connection.cursor(), 0) is None


def test_all_tickets_are_drawn_and_no_more(connection):
    cursor, held = connection.cursor(), leases(connection)
    set_budget(cursor, 500)

    drawn = [draw(cursor, held[n % 3]) for n in range(60)]

    assert sum(drawn) == 500
    assert drawn[0] == 64
    assert drawn[-1] == 0
    assert sum(granted(cursor, lease.partition) or 0 for lease in held) == 500


def test_what_is_given_back_can_be_drawn_by_others(connection):
    cursor, (first, second, _) = connection.cursor(), leases(connection)
    set_budget(cursor, 6)
    while draw(cursor, first):
        pass
    keep_only(cursor, first, 1)
    keep_only(cursor, first, 4)  # it has no more than one any more

    assert draw(cursor, second) == 1
    assert (granted(cursor, 0), granted(cursor, 1)) == (1, 1)


def test_the_row_tells_what_was_drawn(connection):
    """Also by a draw whose answer was lost."""
    cursor, (first, *_) = connection.cursor(), leases(connection)
    set_budget(cursor, 8)
    draw(cursor, first)

    assert draw_more(cursor, first) == 2
    set_budget(cursor, None)
    assert draw_more(cursor, first) == math.inf


def test_a_higher_limit_counts_what_was_granted(connection):
    cursor, (first, *_) = connection.cursor(), leases(connection)
    set_budget(cursor, 6)
    while draw(cursor, first):
        pass

    set_budget(cursor, 8)
    assert draw(cursor, first) == 1
    set_budget(cursor, 3)  # less than it has had already

    assert draw(cursor, first) == 0


def test_a_replaced_owner_draws_nothing(connection):
    cursor, (first, *_) = connection.cursor(), leases(connection)
    set_budget(cursor, 100)
    stale = Lease(first.partition, first.epoch - 1, 0, was_clean=True)

    with pytest.raises(FencedError):
        draw(cursor, stale)


def test_to_set_a_limit_again_changes_nothing(connection):
    cursor, (first, *_) = connection.cursor(), leases(connection)
    set_budget(cursor, 100)
    draw(cursor, first)
    set_budget(cursor, 100)  # as the next worker does
    while draw(cursor, first):
        pass

    assert granted(cursor, 0) == 100


def test_what_was_used_without_tickets_counts(connection):
    cursor, (first, *_) = connection.cursor(), leases(connection)
    set_budget(cursor, 7, {0: 5})
    drawn = [draw(cursor, first) for _ in range(4)]

    assert drawn == [1, 1, 0, 0]
    assert granted(cursor, 0) == 7


@pytest.mark.parametrize(("known", "rest"), [(3, ""), (5, "spent"), (None, "spent")])
def test_a_lane_that_has_drawn_tickets_does_not_say_that_it_rests(connection, known, rest):
    cursor, held = connection.cursor(), leases(connection)
    cursor.execute("UPDATE partition SET granted = 5, rest = '' WHERE number = 1")
    row = {"number": 1, "epoch": held[1].epoch, "rest": "spent", "granted": known}

    assert say_rest(cursor, row) == bool(rest)
    assert cursor.execute("SELECT rest FROM partition WHERE number = 1").fetchone() == (rest,)
    assert not say_rest(cursor, row | {"epoch": held[1].epoch - 1, "granted": None})


@pytest.mark.parametrize(("works", "rest"), [(True, ""), (False, "empty")])
def test_a_group_says_only_that_its_lane_works(connection, works, rest):
    cursor = connection.cursor()
    cursor.execute("UPDATE partition SET rest = 'empty' WHERE number = 1")
    row = {"waiting": 1, "done": 2, "failed": 0, "hosts": 1, "number": 1, "works": works}
    write_figures(cursor, row)

    found = cursor.execute("SELECT rest, done FROM partition WHERE number = 1").fetchone()
    assert found == (rest, 2)


def rest(connection: Connection, *rests: Rest) -> None:
    for number, each in enumerate(rests):
        connection.execute("UPDATE partition SET rest = %s WHERE number = %s", (each, number))


def test_workers_hear_how_many_are_alive(connection):
    cursor = connection.cursor()
    say_alive(cursor, ANN, 10.0, 30.0, {})
    news = say_alive(cursor, BEN, 10.0, 30.0, {})

    assert (news.partitions, news.workers, news.settled) == (3, 2, 0)
    assert say_alive(cursor, BEN, 10.0, 0.0, {}).settled == 2
    say_alive(cursor, ANN, -1.0, 0.0, {})  # as if it had not been heard of
    assert say_alive(cursor, BEN, 10.0, 0.0, {}).workers == 1
    assert [row.name for row in workers(cursor)] == ["ann", "ben"]
    assert [row.name for row in workers(cursor, ended=True)] == ["ben"]
    assert count_alive(cursor) == 1
    say_goodbye(cursor, "ann")
    assert [row.name for row in workers(cursor)] == ["ben"]


def test_workers_hear_the_best_that_others_can_ask(connection):
    cursor = connection.cursor()
    carl = Identity("carl", "here", "1")
    say_alive(cursor, ANN, 10.0, 30.0, {"north": 0.4, "south": 0.9})
    say_alive(cursor, carl, -1.0, 30.0, {"north": 1.0})  # it is dead
    news = say_alive(cursor, BEN, 10.0, 30.0, {"north": 0.6})

    assert news.promises == {"north": 0.4, "south": 0.9}
    assert say_alive(cursor, ANN, 10.0, 30.0, {}).promises == {"north": 0.6}
    assert say_alive(cursor, BEN, 10.0, 30.0, {}).promises == {}


def test_a_job_has_ended_when_no_lane_has_anything_to_do(connection):
    cursor = connection.cursor()
    assert not has_ended(cursor)
    rest(connection, Rest.EMPTY, Rest.EMPTY)
    assert not has_ended(cursor)
    rest(connection, Rest.EMPTY, Rest.EMPTY, Rest.EMPTY)

    assert has_ended(cursor)


def test_what_is_under_way_between_partitions_is_still_to_do(connection):
    cursor, outbox, inbox = connection.cursor(), outbox_of(0), Inbox(1)
    rest(connection, Rest.EMPTY, Rest.EMPTY, Rest.EMPTY)
    outbox.put(1, "a")
    outbox.cut()(cursor)
    assert not has_ended(cursor)

    inbox.take(waiting_parcels(cursor, [inbox]))
    inbox.cut()(cursor)

    assert has_ended(cursor)


def test_a_job_has_ended_when_its_budget_is_used_up(connection):
    cursor = connection.cursor()
    set_budget(cursor, 1)
    rest(connection, Rest.SPENT, Rest.EMPTY, Rest.SPENT)
    assert not has_ended(cursor)
    lease = claim(cursor, "ann", 0)
    assert lease is not None

    assert draw(cursor, lease) == 1

    assert not has_ended(cursor)  # that lane works now
    rest(connection, Rest.SPENT)
    assert has_ended(cursor)
    assert is_spent(cursor)


def test_partitions_are_shown_with_what_waits_for_them(connection):
    cursor, outbox = connection.cursor(), outbox_of(0)
    outbox.put(2, "a")
    outbox.cut()(cursor)
    claim(cursor, "ann", 1)

    rows = partitions(cursor)

    assert [(row.number, row.owner, row.epoch, row.parcels) for row in rows] == [
        (0, "", 0, 0), (1, "ann", 1, 0), (2, "", 0, 1),
    ]  # fmt: skip
    assert rows[1].seconds_left > 5 > 0 > rows[0].seconds_left


def test_the_example_that_is_not_a_crawl(postgres_address):
    example = run_path(str(PROJECT / "examples/engine.py"))
    words = [f"{letter}{n % 7}" for n in range(3000) for letter in "abcdef"]
    example["begin"](postgres_address, words)
    with ThreadPoolExecutor(2) as threads:
        counted = list(threads.map(example["work"], [postgres_address] * 2))
    with connect(postgres_address) as opened:
        found = dict(opened.execute("SELECT word, times FROM count").fetchall())

    assert found == Counter(words)
    assert sum(counted) == len(words)
