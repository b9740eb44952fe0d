from __future__ import annotations

from geoscout.store.base import Rest
from geoscout_cluster.budget import draw, set_budget
from geoscout_cluster.exchange import Inbox, Outbox, waiting_parcels
from geoscout_cluster.postgres.crew import has_ended, partitions, workers
from geoscout_cluster.postgres.database import Connection
from geoscout_cluster.postgres.leases import claim
from geoscout_cluster.roster import Identity, ask_all_to_stop, say_alive, say_goodbye
from geoscout_places.model import Request

ANN, BEN = Identity("ann", "north", "1"), Identity("ben", "south", "1")


def rest(connection: Connection, *rests: Rest) -> None:
    for number, each in enumerate(rests):
        connection.execute("UPDATE partition SET rest = %s WHERE number = %s", (each, number))


def test_workers_hear_how_many_are_alive(connection: Connection) -> None:
    cursor = connection.cursor()
    say_alive(cursor, ANN, 10.0, 30.0, {})
    news = say_alive(cursor, BEN, 10.0, 30.0, {})

    assert (news.partitions, news.workers, news.settled) == (3, 2, 0)
    assert say_alive(cursor, BEN, 10.0, 0.0, {}).settled == 2
    say_alive(cursor, ANN, -1.0, 0.0, {})  # as if it had not been heard of
    assert say_alive(cursor, BEN, 10.0, 0.0, {}).workers == 1
    assert [row.name for row in workers(cursor)] == ["ann", "ben"]
    assert [row.name for row in workers(cursor, ended=True)] == ["ben"]
    say_goodbye(cursor, "ann")
    assert [row.name for row in workers(cursor)] == ["ben"]


def test_workers_hear_the_best_that_others_can_ask(connection: Connection) -> None:
    cursor = connection.cursor()
    carl = Identity("carl", "here", "1")
    say_alive(cursor, ANN, 10.0, 30.0, {"north": 0.4, "south": 0.9})
    say_alive(cursor, carl, -1.0, 30.0, {"north": 1.0})  # it is dead
    news = say_alive(cursor, BEN, 10.0, 30.0, {"north": 0.6})

    assert news.promises == {"north": 0.4, "south": 0.9}
    assert say_alive(cursor, ANN, 10.0, 30.0, {}).promises == {"north": 0.6}
    assert say_alive(cursor, BEN, 10.0, 30.0, {}).promises == {}


def test_those_who_come_after_a_stop_are_not_stopped(connection: Connection) -> None:
    cursor = connection.cursor()
    assert not say_alive(cursor, ANN, 10.0, 0.0, {}).should_stop

    assert ask_all_to_stop(cursor) == 1

    assert say_alive(cursor, ANN, 10.0, 0.0, {}).should_stop
    assert not say_alive(cursor, BEN, 10.0, 0.0, {}).should_stop


def test_a_crawl_has_ended_when_no_lane_has_anything_to_do(connection: Connection) -> None:
    cursor = connection.cursor()
    assert not has_ended(cursor)
    rest(connection, Rest.EMPTY, Rest.EMPTY)
    assert not has_ended(cursor)
    rest(connection, Rest.EMPTY, Rest.EMPTY, Rest.EMPTY)

    assert has_ended(cursor)


def test_what_is_under_way_between_partitions_is_still_to_do(connection: Connection) -> None:
    cursor, outbox, inbox = connection.cursor(), Outbox(0), Inbox(1)
    rest(connection, Rest.EMPTY, Rest.EMPTY, Rest.EMPTY)
    outbox.put(1, Request("http://a.example/"))
    outbox.cut()(cursor)
    assert not has_ended(cursor)

    inbox.take(waiting_parcels(cursor, [inbox]))
    inbox.cut()(cursor)

    assert has_ended(cursor)


def test_a_crawl_has_ended_when_its_budget_is_used_up(connection: Connection) -> None:
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


def test_partitions_are_shown_with_what_waits_for_them(connection: Connection) -> None:
    cursor, outbox = connection.cursor(), Outbox(0)
    outbox.put(2, Request("http://a.example/"))
    outbox.cut()(cursor)
    claim(cursor, "ann", 1)

    rows = partitions(cursor)

    assert [(row.number, row.owner, row.epoch, row.parcels) for row in rows] == [
        (0, "", 0, 0), (1, "ann", 1, 0), (2, "", 0, 1),
    ]  # fmt: skip
    assert rows[1].seconds_left > 5 > 0 > rows[0].seconds_left
