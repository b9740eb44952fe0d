"""What every fetcher promises the loop: the live web and an archive answer alike."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from geoscout.fetch.archive import ArchiveFetcher
from geoscout.fetch.base import Fetcher
from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.store.records import pack_exchange
from geoscout_places.errors import FetchError
from geoscout_places.model import Request, Response
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb.sites import by_path, content
from tests.unit.fetch.asking import RULES

HOST = "a.test"
HTML = "text/html; charset=utf-8"
Result = TypeVar("Result")


@dataclass(frozen=True)
class Answer:
    """What a server says at a path."""

    body: bytes = b""
    status: int = 200
    content_type: str = HTML
    headers: tuple[tuple[str, str], ...] = ()


PAGES = {
    "/": Answer("<p>Grüße".encode()),
    "/empty": Answer(),
    "/moved": Answer(status=301, headers=(("Location", "/"),)),
    "/gone": Answer(b"<p>Gone", status=410),
    "/picture": Answer(b"\x89PNG", content_type="image/png"),
}


@dataclass(frozen=True)
class Served:
    """A web somewhere, and the fetcher for it."""

    open: Callable[[], Fetcher]
    base: str

    def url(self, path: str) -> str:
        return f"{self.base}{path}"

    def ask(self, act: Callable[[Fetcher], Awaitable[Result]]) -> Result:
        """What `act` returns for a fetcher that lives as long as it runs."""

        async def run() -> Result:
            fetcher = self.open()
            try:
                return await act(fetcher)
            finally:
                await fetcher.close()

        return asyncio.run(run())

    def fetch(self, path: str) -> Response:
        return self.ask(lambda fetcher: fetcher.fetch(Request(self.url(path))))


@contextmanager
def live_web() -> Iterator[Served]:
    handlers = {
        path: content(answer.body, answer.content_type, answer.status, answer.headers)
        for path, answer in PAGES.items()
    }
    with FakeWeb({HOST: Site(by_path(handlers))}) as web:
        base = web.url(HOST).removesuffix("/")
        yield Served(lambda: HttpFetcher(RULES, resolver=web.resolver), base)


@contextmanager
def archived_web(folder: Path) -> Iterator[Served]:
    base, file = f"http://{HOST}", folder / "pages.warc.gz"
    records = []
    for path, answer in PAGES.items():
        told = (("content-type", answer.content_type), *answer.headers)
        headers = tuple((name.lower(), value) for name, value in told)
        response = Response(
            f"{base}{path}", answer.status, headers, answer.body, "", fetched_at=1e9, seconds=0.1
        )
        records.append(pack_exchange(response, "geoscout").response)
    file.write_bytes(b"".join(records))
    yield Served(lambda: ArchiveFetcher([file]), base)


@pytest.fixture(params=["http", "archive"])
def web(request, tmp_path):
    """The same pages on the live web and in an archive."""
    with live_web() if request.param == "http" else archived_web(tmp_path) as served:
        yield served


def test_a_page_is_fetched_as_it_is(web):
    before = time.time()
    response = web.fetch("/")

    assert (response.url, response.status, response.body) == (
        web.url("/"), 200, "<p>Grüße".encode(),
    )  # fmt: skip
    assert response.header("content-type") == HTML
    assert before - 1 <= response.fetched_at <= time.time()
    assert response.seconds >= 0


def test_names_of_headers_are_in_lower_case(web):
    names = [name for name, _ in web.fetch("/").headers]

    assert names == [name.lower() for name in names]


def test_an_empty_page_is_an_answer(web):
    assert (web.fetch("/empty").status, web.fetch("/empty").body) == (200, b"")


def test_a_redirect_is_an_answer_and_not_followed(web):
    response = web.fetch("/moved")

    assert (response.status, response.header("location")) == (301, "/")


@pytest.mark.parametrize(("path", "status"), [("/gone", 410), ("/nowhere", 404)])
def test_a_status_that_is_an_error_is_an_answer(web, path, status):
    assert web.fetch(path).status == status


def test_what_is_not_a_page_is_refused_with_its_kind(web):
    with pytest.raises(FetchError) as caught:
        web.fetch("/picture")

    assert caught.value.kind == "content-type"


def test_a_host_is_resolved_before_it_is_asked(web):
    address = web.ask(lambda fetcher: fetcher.resolve(HOST))

    assert address in ("", "127.0.0.1")


def test_a_page_that_is_there_is_known_by_its_url(web):
    async def known(fetcher: Fetcher) -> str | None:
        return fetcher.known_as(web.url("/empty"))

    assert web.ask(known) == web.url("/empty")


def test_the_host_is_left_alone_for_a_time_that_is_not_negative(web):
    async def delays(fetcher: Fetcher) -> tuple[float, float]:
        response = await fetcher.fetch(Request(web.url("/")))
        return fetcher.delay_after(response), fetcher.delay_after_failure(web.url("/"))

    assert min(web.ask(delays)) >= 0


def test_sitemaps_that_nobody_named_are_none(web):
    async def named(fetcher: Fetcher) -> tuple[str, ...]:
        await fetcher.fetch(Request(web.url("/")))
        return fetcher.sitemaps(web.url("/"))

    assert web.ask(named) == ()
