"""Looks at one seed before a crawl begins there: can it be asked, and what does it answer.

It is asked as the crawl would ask it: robots.txt first, no private address, the same agent. So that
a long list does not burden one host, it is given its pause between two of them.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import replace
from http import HTTPStatus

from typing_extensions import TypedDict

from geoscout.crawling.seeds import seed_url
from geoscout.fetch.base import FetcherAim, create_fetcher
from geoscout.fetch.retries import KINDS, is_redirect
from geoscout.settings import Settings, user_agent
from geoscout.web.control.new_crawl import mistake_in_seed
from geoscout_places.clock import steady_time
from geoscout_places.errors import FetchError
from geoscout_places.model import Request, Response
from geoscout_places.urls import host_of

_SECONDS = 20.0  # for robots.txt and the page together
_MOST_HOSTS = 1000  # whose last time is remembered


class SeedJson(TypedDict):
    """What came of a seed."""

    seed: str  # as it was given
    url: str  # in normal form; "" where it is not a URL
    ok: bool  # a crawl can begin there
    status: int | None  # of HTTP
    detail: str  # in a sentence


class SeedChecker:
    """Asks for seeds, one at a time for each host."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._free_at: OrderedDict[str, float] = OrderedDict()

    async def check(self, seed: str, contact: str = "", *, allow_private: bool = False) -> SeedJson:
        """What a crawl that begins at this seed would meet."""
        url = seed_url(seed.strip())
        if url is None or (what := mistake_in_seed(seed, allow_private=allow_private)):
            what = what if url else mistake_in_seed(seed, allow_private=True)
            return _json(seed, url or "", what)
        settings = replace(self._settings, contact=contact or self._settings.contact)
        aim = FetcherAim(settings, user_agent(settings), allow_private=allow_private)
        try:
            async with asyncio.timeout(_SECONDS):
                await self._wait_for_turn(host_of(url))
                response = await _ask(url, aim)
        except TimeoutError:
            return _json(seed, url, f"the server does not answer within {_SECONDS:.0f} seconds")
        except FetchError as error:
            return _json(seed, url, _sentence(error))
        return _of_response(seed, url, response)

    async def _wait_for_turn(self, host: str) -> None:
        now = steady_time()
        turn = max(now, self._free_at.get(host, 0.0))
        self._free_at[host] = turn + self._settings.delay_seconds
        self._free_at.move_to_end(host)
        if len(self._free_at) > _MOST_HOSTS:
            self._free_at.popitem(last=False)
        await asyncio.sleep(turn - now)


async def _ask(url: str, aim: FetcherAim) -> Response:
    fetcher = create_fetcher("live", aim)
    try:
        await fetcher.resolve(host_of(url))
        return await fetcher.fetch(Request(url))
    finally:
        await fetcher.close()


def _of_response(seed: str, url: str, response: Response) -> SeedJson:
    status = response.status
    if is_redirect(response):
        target = response.header("location")
        detail = f"it leads on to {target[:200]}" if target else "it leads on"
        return _json(seed, url, detail, status, ok=True)
    if status == HTTPStatus.OK:
        return _json(seed, url, "it answers with a page", status, ok=True)
    return _json(seed, url, f"the server answers {status}", status)


def _sentence(error: FetchError) -> str:
    known = KINDS.get(error.kind)
    return known.meaning if known else str(error)


def _json(
    seed: str, url: str, detail: str, status: int | None = None, *, ok: bool = False
) -> SeedJson:
    return {"seed": seed, "url": url, "ok": ok, "status": status, "detail": detail}
