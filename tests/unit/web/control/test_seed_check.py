"""A seed is asked as the crawl would ask it, and what comes of it is a sentence."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from geoscout.settings import Settings
from geoscout.web.control.seed_check import SeedChecker, SeedJson
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb.server import Hit
from tests.fakeweb.sites import by_path, content, page, robots_file
from tests.fakeweb.visitor import Visitor

HERE = "127.0.0.1"
QUICK = replace(Settings(), delay_seconds=0.3, contact="you@example.org")


async def silent(_visitor: Visitor) -> None:
    await asyncio.sleep(30)


@pytest.fixture(scope="module")
def web() -> Iterator[FakeWeb]:
    pages = {
        "/": page("Home"),
        "/gone": content(b"", status=410),
        "/moved": content(b"", status=301, headers=[("Location", "/")]),
        "/closed": page("Closed"),
        "/silent": silent,
    }
    robots = robots_file("User-agent: *", "Disallow: /closed")
    with FakeWeb({HERE: Site(by_path(pages), robots)}) as opened:
        yield opened


def check(seed: str, *, allow_private: bool = True) -> SeedJson:
    return asyncio.run(SeedChecker(QUICK).check(seed, allow_private=allow_private))


@pytest.mark.parametrize(
    ("path", "ok", "status", "detail"),
    [
        ("/", True, 200, "answers with a page"),
        ("/moved", True, 301, "leads on to /"),
        ("/gone", False, 410, "answers 410"),
        ("/closed", False, None, "robots.txt does not allow it"),
    ],
)
def test_what_a_crawl_would_meet(
    web: FakeWeb, path: str, ok: bool, status: int | None, detail: str
) -> None:
    found = check(web.url(HERE, path))

    assert (found["ok"], found["status"]) == (ok, status)
    assert detail in found["detail"]


@pytest.mark.parametrize("seed", ["", "lisboa", "ftp://a.example/", "/etc/passwd", "http://"])
def test_what_is_not_a_url_is_not_asked(seed: str) -> None:
    found = check(seed)

    assert (found["ok"], found["url"]) == (False, "")
    assert "not an http(s) URL" in found["detail"]


def test_private_addresses_are_not_asked_unless_allowed(web: FakeWeb) -> None:
    before = len(web.log)
    found = check(web.url(HERE), allow_private=False)

    assert (found["ok"], len(web.log)) == (False, before)
    assert "own machine or network" in found["detail"]


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as taken:
        taken.bind((HERE, 0))
        found = check(f"http://{HERE}:{taken.getsockname()[1]}/")

    assert (found["ok"], found["detail"]) == (False, "the host refused the connection")


def test_a_server_that_says_nothing_is_given_up(
    web: FakeWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("geoscout.web.control.seed_check._SECONDS", 0.5)

    assert "does not answer within" in check(web.url(HERE, "/silent"))["detail"]


def test_a_host_is_given_its_pause(web: FakeWeb) -> None:
    async def both() -> None:
        checker = SeedChecker(QUICK)
        seeds = [web.url(HERE, path) for path in ("/?1", "/?2")]
        await asyncio.gather(*(checker.check(seed, allow_private=True) for seed in seeds))

    asyncio.run(both())

    def asked() -> list[Hit]:
        return [hit for hit in web.hits(HERE) if hit.path in ("/?1", "/?2")]

    until = time.monotonic() + 10
    while len(asked()) < 2 and time.monotonic() < until:  # a hit is noted after its answer
        time.sleep(0.01)
    first, second = asked()
    assert second.start - first.start >= 0.25
