"""Readers in other processes, and readers that fail."""

import asyncio
import errno
import multiprocessing
import os
from contextlib import closing
from typing import Any

import pytest
from msgspec.structs import replace

from geoscout.crawling.processes import ReplyLimits
from geoscout.crawling.read import Reader
from geoscout.crawling.read_result import ReaderOptions, ReadResult
from geoscout.crawling.worker_pool import (
    MOST_UNREAD,
    SafeReader,
    WorkerPool,
    pack_question,
    unpack_question,
)
from geoscout.machine import run_on_loop
from geoscout.settings import Settings
from geoscout_places.errors import DamagedDataError, NeverAgainError, TryLaterError, UsageError
from geoscout_places.model import RequestKind, Response, SiteKnowledge

HTML = b"""<html lang=en><title>The Inn</title><nav><a href=/menu>Menu</a></nav>
<p>We are in Austin, Texas. <a href="http://far.example/" rel=nofollow>Far</a></p>
<address>12 Main Street, Austin, TX 78701</address>"""


def respond(body: bytes, url: str = "http://inn.example/") -> Response:
    return Response(
        url, 200, (("content-type", "text/html"),), body, "192.0.2.1", fetched_at=1e9, seconds=0.1
    )


def without_records(result: ReadResult) -> tuple[object, ...]:
    """What two readings have in common; records have a number of their own each time."""
    links = result.exchange.links if result.exchange else None
    return (
        result.page,
        result.reading,
        result.relevant,
        result.links,
        result.refused,
        result.simhash,
        links,
    )


def test_response_arrives_as_it_was_sent():
    sent = (respond(HTML), RequestKind.SITEMAP, SiteKnowledge(3, (("PT", 0.5),), ((7, 0.4),)))

    assert unpack_question(pack_question(*sent)) == (*sent, True)


def test_header_that_is_not_utf8_arrives_as_it_was_sent():
    value = b"caf\xe9".decode("utf-8", "surrogateescape")
    sent = replace(respond(HTML), headers=(("x-name", value),))

    response, *_ = unpack_question(pack_question(sent, RequestKind.PAGE))

    assert response == sent


@pytest.mark.parametrize("packed", [b"", b"\xc1", b"\x80", b"\x93\x01\x02\x03"])
def test_other_bytes_are_refused(packed):
    with pytest.raises(DamagedDataError, match="not a"):
        unpack_question(packed)


def test_other_processes_read_as_this_one_does(task, reader):
    async def read() -> ReadResult:
        with closing(WorkerPool(task, 2)) as pool:
            return await pool(respond(HTML))

    assert without_records(run_on_loop(read())) == without_records(reader.read(respond(HTML)))


class FatalTask(ReaderOptions):
    """A task that ends every other process that looks at it."""

    __slots__ = ()

    @property
    def settings(self) -> Settings:
        if multiprocessing.parent_process() is not None:
            os._exit(1)
        return Settings()

    def __reduce__(self) -> tuple[Any, ...]:
        return FatalTask.__new__, (FatalTask,)


async def read_with(pool: SafeReader, times: int) -> list[type[BaseException]]:
    """What comes of reading a page that ends its readers, again and again."""
    with closing(pool):
        reads = [pool(respond(HTML)) for _ in range(times)]
        return [type(error) for error in await asyncio.gather(*reads, return_exceptions=True)]


def test_page_that_ends_its_readers_may_be_tried_later():
    pool = SafeReader(WorkerPool(FatalTask.__new__(FatalTask), 2))

    assert run_on_loop(read_with(pool, 1)) == [TryLaterError]


def test_readers_that_always_end_are_an_error():
    pool = SafeReader(WorkerPool(FatalTask.__new__(FatalTask), 2))

    errors = run_on_loop(read_with(pool, MOST_UNREAD + 1))

    assert sorted(error.__name__ for error in errors) == [
        "ConnectionError",
        *["TryLaterError"] * MOST_UNREAD,
    ]


class BrokenReader(Reader):
    """Fails on every page that says so."""

    def read(self, response: Response, *more: Any) -> ReadResult:
        if b"broken" in response.body:
            raise ValueError("no such thing")
        return super().read(response, *more)


def test_page_that_cannot_be_read_is_given_up_with_the_reason(task):
    reader = SafeReader(BrokenReader(task))

    with pytest.raises(NeverAgainError, match="ValueError: no such thing"):
        run_on_loop(reader(respond(b"broken")))
    assert run_on_loop(reader(respond(HTML))).relevant


def test_many_broken_pages_in_a_row_do_not_end_a_crawl(task):
    reader = SafeReader(BrokenReader(task))

    for _ in range(3 * MOST_UNREAD):
        with pytest.raises(NeverAgainError):
            run_on_loop(reader(respond(b"broken")))
    assert run_on_loop(reader(respond(HTML))).relevant


class UselessReader(Reader):
    """Fails on every page."""

    def read(self, response: Response, *more: Any) -> ReadResult:
        raise ValueError("no such thing")


def test_reader_that_fails_on_every_page_is_an_error(task):
    reader = SafeReader(UselessReader(task))
    for _ in range(MOST_UNREAD):
        with pytest.raises(NeverAgainError):
            run_on_loop(reader(respond(HTML)))

    with pytest.raises(ValueError, match="no such thing"):
        run_on_loop(reader(respond(HTML)))


def test_a_large_sitemap_has_its_turn_before_large_pages(task):
    """Its site waits for it, and pages that take long get what is left of the processors."""
    large = b"<p>Austin, TX 78701 " * 20_000

    async def set_aside() -> tuple[int, int]:
        with closing(WorkerPool(task, 1, ReplyLimits(turn=0.1))) as pool:
            pages = [asyncio.create_task(pool(respond(large))) for _ in range(3)]
            await asyncio.sleep(0)
            before = pool.processes.set_aside
            sitemap = respond(b"<urlset>" + b"a-" * 200_000, "http://inn.example/s.xml")
            reading = asyncio.create_task(pool(sitemap, RequestKind.SITEMAP))
            await asyncio.sleep(0)
            after = pool.processes.set_aside
            await reading
            for page in pages:
                page.cancel()
            return before, after

    assert run_on_loop(set_aside()) == (3, 3)


class PoorTask(ReaderOptions):
    """A task that other processes cannot load, because there is too little memory."""

    __slots__ = ()
    problem: Exception = MemoryError()

    @property
    def settings(self) -> Settings:
        if multiprocessing.parent_process() is not None:
            raise self.problem
        return Settings()


class OtherwisePoorTask(PoorTask):
    """The same, told by a library."""

    __slots__ = ()
    problem = DamagedDataError(f"no.arrays cannot be read: [Errno 12] {os.strerror(errno.ENOMEM)}")


class BadTask(PoorTask):
    """One that cannot be loaded for another reason."""

    __slots__ = ()
    problem = DamagedDataError("no.arrays is not a gazetteer")


@pytest.mark.parametrize(
    ("task", "error", "said"),
    [
        (PoorTask, UsageError, "not enough memory"),
        (OtherwisePoorTask, UsageError, "not enough memory"),
        (BadTask, RuntimeError, "not a gazetteer"),
    ],
)
def test_no_page_is_to_blame_where_nothing_can_be_read(task, error, said):
    pool = SafeReader(WorkerPool(task.__new__(task), 1))
    with closing(pool), pytest.raises(error, match=said):
        run_on_loop(pool(respond(HTML)))


class CostlyReader(Reader):
    """Takes the time or the memory that a page asks for."""

    def read(self, response: Response, *more: Any) -> ReadResult:
        if b"memory" in response.body:
            bytearray(500_000_000)
        while b"time" in response.body:
            pass
        return super().read(response, *more)


@pytest.mark.parametrize("lacking", ["time", "memory"])
def test_page_that_costs_too_much_is_packed_unread(task, lacking, monkeypatch):
    monkeypatch.setattr("geoscout.crawling.read.Reader", CostlyReader)  # for the processes, too

    async def read() -> list[ReadResult]:
        limits = ReplyLimits(seconds=0.4, memory=200_000_000)
        with closing(WorkerPool(task, 1, limits)) as pool:
            return [await pool(respond(lacking.encode())), await pool(respond(HTML))]

    unread, good = run_on_loop(read())

    assert (unread.unread, unread.page, unread.links) == (lacking, None, ())
    assert unread.exchange is not None
    assert unread.exchange.response
    assert good.relevant


def test_error_page_is_packed_and_not_read(reader):
    result = reader.read(replace(respond(HTML), status=404))

    assert result.exchange is not None
    assert result.page is None
