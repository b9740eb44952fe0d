from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import aiohttp
import pytest

from geoscout.fetch.archive import ArchiveFetcher
from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout_lab.worlds.synthetic import SyntheticWeb, WebPlan, make_web
from geoscout_lab.worlds.synthetic.hosts import HostType
from geoscout_lab.worlds.synthetic.serving import ServedWeb, serve_web, write_web
from geoscout_lab.worlds.synthetic.sites import trap_path
from geoscout_places.errors import NeverAgainError, TryLaterError
from geoscout_places.model import Request
from geoscout_places.urls import host_of, split
from tests.unit.fetch.asking import RULES

if TYPE_CHECKING:
    from pathlib import Path


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


def test_server_answers_as_the_truth_says(web):
    async def test(served: ServedWeb, get: Get) -> None:
        for page in served.web.seeds[:5]:  # by the name of their host
            assert await get(served.web.url(page)) == (200, served.web.html(page))
        for status in (200, 301, 404):
            page = next(p for p in range(web.size - 1, 0, -1) if web.status(p) == status)
            assert (await get(served.web.url(page)))[0] == status
        silent = next(p for p in range(web.size) if web.status(p) == 0)
        with pytest.raises(aiohttp.ClientError):
            await get(served.web.url(silent))

    _with_served(web, test)


def test_robots_forbids_what_is_blocked(web):
    async def test(served: ServedWeb, get: Get) -> None:
        page = next(p for p in range(web.size) if web.is_blocked(p))
        origin = served.web.site(page).origin
        status, body = await get(f"{origin}/robots.txt")
        folder = body.decode().split()[-1]
        assert status == 200
        assert served.web.url(page).startswith(origin + folder)

    _with_served(web, test)


def test_traps_have_no_end(web):
    async def test(served: ServedWeb, get: Get) -> None:
        site = next(s for s in served.web.register.sites if s.type is HostType.TRAP)
        status, body = await get(f"{site.origin}{trap_path(site, 12_345)}")
        assert status == 200
        assert trap_path(site, 12_346).replace("&", "&amp;").encode() in body

    _with_served(web, test)


def test_hosts_are_spread_over_addresses_and_others_not_resolved(web):
    async def test(served: ServedWeb, get: Get) -> None:
        hosts = [host_of(served.web.url(page)) for page in served.web.seeds]
        found = {(await served.resolver.look_up(host))[0] for host in hosts}
        assert len(found) > 1
        with pytest.raises(TryLaterError):
            await served.resolver.look_up("www.example.org")

    _with_served(web, test)


def test_fetcher_reaches_pages_and_keeps_out_of_what_is_forbidden(web):
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


_PLAN = WebPlan("web2025", random_seed=3, pages=2000)


@pytest.fixture(scope="module")
def folder(gazetteer, tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    write_web(make_web(_PLAN, gazetteer), folder)
    return folder


def _digests(folder: Path) -> dict[str, str]:
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(folder.iterdir())}


def test_same_plan_is_written_as_the_same_bytes(folder, gazetteer, tmp_path):
    write_web(make_web(_PLAN, gazetteer), tmp_path)

    assert _digests(tmp_path) == _digests(folder)


def test_truth_has_a_line_for_every_url_the_seeds_too(folder, gazetteer):
    web = make_web(_PLAN, gazetteer)

    rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    seeds = (folder / "seeds.txt").read_text().split()

    assert [row["url"] for row in rows] == [web.url(page) for page in range(web.size)]
    assert [row["relevant"] for row in rows] == web.structure.relevant.tolist()
    assert all(row["addresses"] for row in rows if row["relevant"])
    assert seeds == [web.url(page) for page in web.seeds]


async def _fetch(folder: Path, url: str) -> tuple[int, dict[str, str], bytes]:
    fetcher = ArchiveFetcher(sorted(folder.glob("*.warc.gz")))
    try:
        response = await fetcher.fetch(Request(url))
    finally:
        await fetcher.close()
    return response.status, dict(response.headers), response.body


def test_archive_replays_pages_and_redirects(folder, gazetteer):
    web = make_web(_PLAN, gazetteer)
    page = web.seeds[0]
    moved = next(page for page in range(web.size) if web.status(page) == 301)

    status, headers, body = asyncio.run(_fetch(folder, web.url(page)))
    redirected, to, _ = asyncio.run(_fetch(folder, web.url(moved)))

    assert (status, body) == (200, web.html(page))
    assert headers["content-type"] == web.content_type(page)
    assert (redirected, to["location"]) == (301, web.url(web.targets(moved)[0]))


def test_written_folder_is_not_written_over(folder, gazetteer):
    with pytest.raises(FileExistsError):
        write_web(make_web(_PLAN, gazetteer), folder)
