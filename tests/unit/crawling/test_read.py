"""What is made of an answer, in this process and in others."""

from __future__ import annotations

import asyncio
import os
from contextlib import closing

import pytest

from geoscout.crawling.read import (
    MOST_UNREAD,
    Reader,
    SafeReader,
    Task,
    Work,
    WorkerPool,
    read_page,
)
from geoscout.errors import NeverAgainError, TryLaterError
from geoscout.fetch.http.event_loop import run
from geoscout.gazetteer import SqliteGazetteer
from geoscout.model import Response
from geoscout.settings import Settings
from geoscout.store.sqlite.reader import unpack_links

HTML = b"""<html lang=en><title>The Inn</title><nav><a href=/menu>Menu</a></nav>
<p>We are in Austin, Texas. <a href="http://far.example/" rel=nofollow>Far</a></p>
<address>12 Main Street, Austin, TX 78701</address>"""
NOTHING = b"<title>404 Not Found</title><p>There is no such page."


def respond(body: bytes, url: str = "http://inn.example/") -> Response:
    return Response(
        url, 200, (("content-type", "text/html"),), body, "192.0.2.1", fetched_at=1e9, seconds=0.1
    )


@pytest.fixture(scope="module")
def task(settings: Settings, gazetteer: SqliteGazetteer) -> Task:
    return Task(settings, ("Austin, TX",), "geoscout")


@pytest.fixture(scope="module")
def reader(task: Task) -> Reader:
    return Reader(task)


def without_records(work: Work) -> tuple[object, ...]:
    """What two readings have in common; records have a number of their own each time."""
    links = work.exchange.links if work.exchange else None
    return (work.page, work.reading, work.relevant, work.links, work.refused, work.simhash, links)


def test_page_with_an_address_in_the_region_is_relevant(reader):
    work = reader.read(respond(HTML))

    assert work.relevant
    assert work.reading is not None
    assert [address.postcode for address in work.reading.addresses] == ["78701"]


def test_links_that_may_be_followed_are_given_and_the_others_counted(reader):
    work = reader.read(respond(HTML))

    assert [link.url for link in work.links] == ["http://inn.example/menu"]
    assert work.refused == {"nofollow": 1}


def test_all_links_are_packed_for_the_store(reader):
    work = reader.read(respond(HTML))

    packed = work.exchange.links
    assert packed.number == 2
    assert [link.anchor for link in unpack_links(packed.packed)] == ["Menu", "Far"]


def test_page_keeps_its_text_and_not_what_only_reading_needs(reader):
    work = reader.read(respond(HTML))
    whole = read_page(respond(HTML)).page

    assert (work.page.title, work.page.text) == (whole.title, whole.text)
    assert (work.page.blocks, work.page.links) == ((), ())


def test_page_that_says_it_is_missing_is_none(reader):
    work = reader.read(respond(NOTHING))

    assert work.missing
    assert work.page is None


def test_other_processes_read_as_this_one_does(task, reader):
    async def read() -> Work:
        with closing(WorkerPool(task, 2)) as pool:
            return await pool(respond(HTML))

    assert without_records(run(read())) == without_records(reader.read(respond(HTML)))


class FatalTask(Task):
    """A task that ends whoever looks at it."""

    __slots__ = ()

    @property
    def settings(self) -> Settings:
        os._exit(1)


async def read_with(pool: SafeReader, times: int) -> list[type[BaseException]]:
    """What comes of reading a page that ends its readers, again and again."""
    with closing(pool):
        reads = [pool(respond(HTML)) for _ in range(times)]
        return [type(error) for error in await asyncio.gather(*reads, return_exceptions=True)]


def test_page_that_ends_its_readers_may_be_tried_later():
    pool = SafeReader(WorkerPool(FatalTask.__new__(FatalTask), 2))

    assert run(read_with(pool, 1)) == [TryLaterError]


def test_readers_that_always_end_are_an_error():
    pool = SafeReader(WorkerPool(FatalTask.__new__(FatalTask), 2))

    errors = run(read_with(pool, MOST_UNREAD + 1))

    assert sorted(error.__name__ for error in errors) == [
        "ConnectionError",
        *["TryLaterError"] * MOST_UNREAD,
    ]


class BrokenReader(Reader):
    """Fails on every page that says so."""

    def read(self, response: Response, kind: str = "page") -> Work:
        if b"broken" in response.body:
            raise ValueError("no such thing")
        return super().read(response, kind)


def test_page_that_cannot_be_read_is_given_up_with_the_reason(task):
    reader = SafeReader(BrokenReader(task))

    with pytest.raises(NeverAgainError, match="ValueError: no such thing"):
        run(reader(respond(b"broken")))
    assert run(reader(respond(HTML))).relevant


def test_reader_that_fails_on_every_page_is_an_error(task):
    reader = SafeReader(BrokenReader(task))
    for _ in range(MOST_UNREAD):
        with pytest.raises(NeverAgainError):
            run(reader(respond(b"broken")))

    with pytest.raises(ValueError, match="no such thing"):
        run(reader(respond(b"broken")))
