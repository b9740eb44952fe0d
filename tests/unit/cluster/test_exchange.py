from __future__ import annotations

import pytest

from geoscout_cluster.exchange import (
    Inbox,
    Outbox,
    Parcel,
    SentUrls,
    pack_requests,
    unpack_requests,
    waiting_parcels,
)
from geoscout_cluster.postgres.database import Connection
from geoscout_places.errors import DamagedDataError
from geoscout_places.model import HELD, Request, RequestKind

A, B = "http://a.example/", "http://b.example/"


def write(connection: Connection, *boxes: Outbox | Inbox) -> None:
    for box in boxes:
        box.cut()(connection.cursor())
    connection.commit()


def parcels(connection: Connection, partition: int) -> list[Parcel]:
    return waiting_parcels(connection.cursor(), [Inbox(partition)])


def test_requests_come_out_as_they_went_in() -> None:
    requests = [
        Request(A, 0.25, 3, 1, B, node="north", tries=2, features=b"\xff\x00", level=4),
        Request(B, HELD, kind=RequestKind.REVISIT),
    ]

    assert unpack_requests(pack_requests(requests)) == requests


@pytest.mark.parametrize("bytes", [b"", b"\x80", pack_requests([Request(A)])[:-3]])
def test_other_bytes_are_refused(bytes: bytes) -> None:
    with pytest.raises(DamagedDataError):
        unpack_requests(bytes)


def test_what_is_sent_is_taken_once(connection: Connection) -> None:
    outbox, inbox = Outbox(0), Inbox(1)
    outbox.put(1, Request(A, 0.5))
    outbox.put(2, Request(B, 0.5))
    write(connection, outbox)

    first = inbox.take(parcels(connection, 1))
    again = inbox.take(parcels(connection, 1))  # the group that takes it is not committed yet
    unread = waiting_parcels(connection.cursor(), [inbox])
    write(connection, inbox)

    assert (first, again, unread) == ([Request(A, 0.5)], [], [])
    assert parcels(connection, 1) == []
    assert len(parcels(connection, 2)) == 1


def test_a_receiver_that_dies_before_its_commit_leaves_it_to_the_next(
    connection: Connection,
) -> None:
    outbox = Outbox(0)
    outbox.put(1, Request(A))
    write(connection, outbox)
    Inbox(1).take(parcels(connection, 1))

    second = Inbox.open(connection.cursor(), 1)

    assert second.take(parcels(connection, 1)) == [Request(A)]


def test_numbers_go_on_after_a_restart_even_if_all_was_taken(connection: Connection) -> None:
    outbox, inbox = Outbox(0), Inbox(1)
    outbox.put(1, Request(A))
    write(connection, outbox)
    inbox.take(parcels(connection, 1))
    write(connection, inbox)

    outbox = Outbox.open(connection.cursor(), 0)
    outbox.put(1, Request(B))
    write(connection, outbox)

    assert Inbox.open(connection.cursor(), 1).take(parcels(connection, 1)) == [Request(B)]


def test_a_cut_that_is_written_again_writes_the_same(connection: Connection) -> None:
    outbox = Outbox(0)
    outbox.put(1, Request(A))
    send = outbox.cut()
    send(connection.cursor())
    connection.rollback()
    send(connection.cursor())
    connection.commit()

    assert [unpack_requests(parcel.packed) for parcel in parcels(connection, 1)] == [[Request(A)]]


def test_many_requests_are_several_rows(connection: Connection) -> None:
    outbox, inbox = Outbox(0), Inbox(1)
    sent = [Request(f"{A}{n}") for n in range(2500)]
    for request in sent:
        outbox.put(1, request)
    write(connection, outbox)

    found = parcels(connection, 1)
    assert [parcel.number for parcel in found] == [1, 2, 3]
    assert inbox.take(found) == sent


def test_what_was_sent_is_sent_again_only_with_more_promise() -> None:
    sent = SentUrls()

    assert sent.is_new(Request(A, 0.5))
    assert not sent.is_new(Request(A, 0.5))
    assert not sent.is_new(Request(A, 0.2))
    assert sent.is_new(Request(A, 0.6))
    assert sent.is_new(Request(A, 0.1, node="north"))
    assert sent.is_new(Request(A, 0.1, kind=RequestKind.REVISIT))


def test_what_was_sent_long_ago_is_forgotten() -> None:
    sent = SentUrls(remembered=3)
    for n in range(4):
        sent.is_new(Request(f"{A}{n}"))
    assert not sent.is_new(Request(f"{A}0"))  # the generation before the last is still known
    for n in range(4, 12):
        sent.is_new(Request(f"{A}{n}"))

    assert sent.is_new(Request(f"{A}0"))
