from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import aiohttp
import pytest

from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout_lab.worlds.synthetic import SyntheticWeb
from geoscout_lab.worlds.synthetic.register.sites import trap_path
from geoscout_lab.worlds.synthetic.serving import ServedWeb, serve_web
from geoscout_lab.worlds.synthetic.structure.hosts import HostType
from geoscout_places.errors import NeverAgainError, TryLaterError
from geoscout_places.model import Request
from geoscout_places.urls import host_of, split
from tests.unit.fetch.asking import RULES

Get = Callable[[str], Awaitable[tuple[int, bytes]]]


def _with_served(web: SyntheticWeb, test: Callable[[ServedWeb, Get], Awaitable[None]]) -> None:
    async def run() -> None:
        async with serve_web(web, addresses=4) as served, aiohttp.ClientSession() as session:

            async def get(url: str) -> tuple[int, bytes]:
                address = (await served.resolver.look_up(host_of(url)))[0]
                parts = split(url)
                path = parts.path + (f"?{parts.query}" if parts.query else "")
                async with session.get(
                    f"http://{address}:{served.port}{path}",
                    headers={"Host": f"{parts.host}:{served.port}"},
                    allow_redirects=False,
                ) as response:
                    return response.status, await response.read()

            await test(served, get)

    asyncio.run(run())


def test_pages_are_served_by_their_host_name(web: SyntheticWeb) -> None:
    async def test(served: ServedWeb, get: Get) -> None:
        for page in served.web.seeds[:5]:
            assert await get(served.web.url(page)) == (200, served.web.html(page))

    _with_served(web, test)


def test_statuses_are_those_of_the_truth(web: SyntheticWeb) -> None:
    async def test(served: ServedWeb, get: Get) -> None:
        for status in (200, 301, 404):
            page = next(p for p in range(web.size - 1, 0, -1) if web.status(p) == status)
            assert (await get(served.web.url(page)))[0] == status

    _with_served(web, test)


def test_silent_page_cuts_the_connection(web: SyntheticWeb) -> None:
    async def test(served: ServedWeb, get: Get) -> None:
        page = next(p for p in range(web.size) if web.status(p) == 0)
        with pytest.raises(aiohttp.ClientError):
            await get(served.web.url(page))

    _with_served(web, test)


def test_robots_forbids_what_is_blocked(web: SyntheticWeb) -> None:
    async def test(served: ServedWeb, get: Get) -> None:
        page = next(p for p in range(web.size) if web.is_blocked(p))
        origin = served.web.site(page).origin
        status, body = await get(f"{origin}/robots.txt")
        folder = body.decode().split()[-1]
        assert status == 200
        assert served.web.url(page).startswith(origin + folder)

    _with_served(web, test)


def test_traps_have_no_end(web: SyntheticWeb) -> None:
    async def test(served: ServedWeb, get: Get) -> None:
        site = next(s for s in served.web.register.sites if s.type is HostType.TRAP)
        status, body = await get(f"{site.origin}{trap_path(site, 12_345)}")
        assert status == 200
        assert trap_path(site, 12_346).replace("&", "&amp;").encode() in body

    _with_served(web, test)


def test_hosts_are_spread_over_addresses(web: SyntheticWeb) -> None:
    async def test(served: ServedWeb, get: Get) -> None:
        hosts = [host_of(served.web.url(page)) for page in served.web.seeds]
        found = {(await served.resolver.look_up(host))[0] for host in hosts}
        assert len(found) > 1

    _with_served(web, test)


def test_fetcher_reaches_pages_and_keeps_out_of_what_is_forbidden(web: SyntheticWeb) -> None:
    async def test(served: ServedWeb, get: Get) -> None:
        blocked = next(p for p in range(web.size) if web.is_blocked(p))
        fetcher = HttpFetcher(RULES, resolver=served.resolver)
        try:
            response = await fetcher.fetch(Request(served.seeds[0]))
            with pytest.raises(NeverAgainError, match="robots"):
                await fetcher.fetch(Request(served.web.url(blocked)))
        finally:
            await fetcher.close()
        assert response.body == served.web.html(served.web.seeds[0])

    _with_served(web, test)


def test_unknown_host_is_not_resolved(web: SyntheticWeb) -> None:
    async def test(served: ServedWeb, get: Get) -> None:
        with pytest.raises(TryLaterError):
            await served.resolver.look_up("www.example.org")

    _with_served(web, test)
