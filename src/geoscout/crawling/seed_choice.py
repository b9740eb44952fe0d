"""Seeds that are looked at before a crawl begins, if that is asked for.

Figures 1 and 2 of Kozanidis, Stamou and Spiros (2009) judge a seed by more than its URL: by the
links of its page and the registration of its domain. `seeds_with_places` brings both; what is
decided with them is in `strategy/rank/strategy.py`. The pages are fetched again when the crawl
comes to them.
"""

import asyncio
import logging
from collections.abc import Sequence
from http import HTTPStatus

from geoscout.crawling.read import read_page
from geoscout.fetch.base import Fetcher
from geoscout.fetch.registries import Registrations
from geoscout.fetch.retries import is_redirect, next_hop, retry_after
from geoscout.strategy.rank.formulas import Ranked, Ranking
from geoscout.strategy.rank.strategy import Seed, order_seeds
from geoscout_places.errors import FetchError, TryLaterError, UsageError
from geoscout_places.model import Link, Request, Response
from geoscout_places.urls import host_of
from geoscout_places.windows import widened

_log = logging.getLogger(__name__)
_MOST_HOPS = 5
_AT_A_TIME = 16  # servers
_LONGEST_PAUSE = 60.0  # seconds between two seeds of one server; who asks for more gets none


async def seeds_with_places(
    urls: Sequence[str],
    fetcher: Fetcher,
    ranking: Ranking,
    registrations: Registrations | None = None,
) -> list[str]:
    """The seeds that speak of a place, those that speak of it most clearly first."""
    try:
        chosen = [url for url, _ in await choose_seeds(urls, fetcher, ranking, registrations)]
    finally:
        await fetcher.close()
    if not chosen:
        raise UsageError("filter_seeds: no seed speaks of a place, so none would be left")
    for url in urls:
        if url not in chosen:
            _log.warning("seed left out, it speaks of no place: %s", url)
    return chosen


async def choose_seeds(
    urls: Sequence[str],
    fetcher: Fetcher,
    ranking: Ranking,
    registrations: Registrations | None = None,
) -> list[tuple[str, Ranked]]:
    """Fetch the seeds, keep those that speak of a place, the highest Rank first.

    A page or a record that cannot be had does not drop a seed: its URL may be enough.
    """
    if registrations is not None:
        ranking.add_registrations(await registrations.look_up_all([host_of(url) for url in urls]))
    links = await _links_of(urls, fetcher)
    return order_seeds([Seed(url, links.get(url, ())) for url in urls], ranking)


async def _links_of(urls: Sequence[str], fetcher: Fetcher) -> dict[str, tuple[Link, ...]]:
    """The links of each page; one page of a host at a time."""
    room = asyncio.Semaphore(_AT_A_TIME)
    found: dict[str, tuple[Link, ...]] = {}

    async def visit(of_one_server: Sequence[str]) -> None:
        async with room:
            for url in of_one_server:
                found[url] = await _links(url, fetcher)

    servers: dict[str, list[str]] = {}
    for url in urls:
        servers.setdefault(await _server(url, fetcher), []).append(url)
    await asyncio.gather(*map(visit, servers.values()))
    return found


async def _server(url: str, fetcher: Fetcher) -> str:
    """What is asked one thing at a time: the address, where there is one, else the host."""
    try:
        return await fetcher.resolve(host_of(url)) or host_of(url)
    except FetchError:
        return host_of(url)


async def _links(url: str, fetcher: Fetcher) -> tuple[Link, ...]:
    try:
        response = await _page(url, fetcher)
    except FetchError as error:
        asked = error.retry_after if isinstance(error, TryLaterError) else None
        await asyncio.sleep(min(asked or fetcher.delay_after_failure(url), _LONGEST_PAUSE))
        return ()
    if response.status != HTTPStatus.OK:
        return ()
    read = read_page(response)
    return tuple(widened(read.links, read.page)) if read.page is not None else ()


async def _page(url: str, fetcher: Fetcher) -> Response:
    """The response at the end of the redirects, with the pauses its servers ask for."""
    chain: list[str] = []
    while True:
        response = await fetcher.fetch(Request(url))
        asked = retry_after(response) or 0.0
        await asyncio.sleep(min(max(fetcher.delay_after(response), asked), _LONGEST_PAUSE))
        if not is_redirect(response) or len(chain) >= _MOST_HOPS:
            return response
        following = next_hop(response, chain)
        chain.append(url)
        url = following
