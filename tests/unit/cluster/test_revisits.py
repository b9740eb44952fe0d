"""Pages of a cluster that are fetched again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from geoscout_cluster.overview import look_at, revisit_pages
from geoscout_cluster.postgres.database import connect, read_address
from geoscout_cluster.revisits import Revisits, revisits_of
from geoscout_places.errors import UsageError
from geoscout_places.model import Request, RequestKind
from tests.unit.cluster.small_crawl import Small
from tests.unit.cluster.small_web import URLS


def notes(where: str) -> list[int]:
    """The partitions whose pages are to be put back."""
    with connect(where) as connection:
        query = "SELECT number FROM partition WHERE revisit IS NOT NULL ORDER BY number"
        return [number for (number,) in connection.execute(query)]


def test_pages_are_fetched_once_more_and_the_crawl_ends_again(small: Small) -> None:
    small.begin()
    small.work()
    pages = revisit_pages(small.where, 0.0)
    had_ended = look_at(small.where).has_ended
    small.work(seconds=0.8)  # it has just begun, and leaves the rest to the next
    small.work()

    assert (pages, had_ended) == (len(URLS), False)
    assert small.urls() == dict.fromkeys(URLS, 2)
    assert look_at(small.where).has_ended
    assert notes(small.where) == []


def test_a_limit_leaves_room_for_them_and_holds(small: Small) -> None:
    small.begin(max_pages=17)
    small.work()
    lately = revisit_pages(small.where, 1.0)
    pages = revisit_pages(small.where, 0.0)
    small.work()

    assert (lately, pages) == (0, 17)
    assert sum(small.urls().values()) == 2 * 17
    revisit_pages(small.where, 0.0, max_pages=40)
    small.work()
    assert sum(small.urls().values()) == 40


def test_the_note_stays_until_all_pages_wait(small: Small) -> None:
    """An owner that dies before its group is written has put nothing back."""
    small.begin()
    small.work()
    revisit_pages(small.where, 0.0)
    address, put = read_address(small.where), list[Request]()
    with connect(small.where) as connection:
        (until,) = connection.execute("SELECT revisit FROM partition").fetchone() or (0.0,)

        def take(requests: Sequence[Request]) -> None:
            put.extend(requests)

        async def own() -> Revisits:
            owner = Revisits(address, 1, take)
            owner.begin(until)
            await asyncio.sleep(0)
            first = owner.cut()
            first(connection.cursor())  # a group that was cut before all of them were there
            connection.commit()
            before = notes(small.where)
            while not put:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            owner.begin(until)  # the note is still there: it is not done twice
            await asyncio.sleep(0.05)
            assert before == [0, 1, 2]
            return owner

        owner = asyncio.run(own())
        owner.cut()(connection.cursor())
        connection.commit()

    assert notes(small.where) == [0, 2]
    assert {request.kind for request in put} == {RequestKind.REVISIT}
    assert len(put) == len({request.url for request in put}) > 0
    assert [request.url for request in revisits_of(address, 1, until - 86_400)] == []


def test_days_below_0_are_refused(small: Small) -> None:
    small.begin()

    with pytest.raises(UsageError, match="at least 0, not -1"):
        revisit_pages(small.where, -1.0)
