"""Seeds of a crawl: read from arguments and files, and looked at before it begins, if asked for.

Figures 1 and 2 of Kozanidis, Stamou and Spiros (2009) judge a seed by more than its URL: by the
links of its page and the registration of its domain. `seeds_with_places` brings both; what is
decided with them is in `strategy/rank/seeds.py`. The pages are fetched again when the crawl comes
to them.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from geoscout.errors import FetchError, Mistakes, TryLaterError, UsageError
from geoscout.fetch.admission import Admission
from geoscout.fetch.base import Fetcher
from geoscout.fetch.redirects import is_redirect, next_hop
from geoscout.fetch.registry.lookup import Registrations
from geoscout.fetch.retries import retry_after
from geoscout.model import Link, Request, Response
from geoscout.strategy.rank.formulas import Ranked, Ranking
from geoscout.strategy.rank.seeds import Seed, order_seeds
from geoscout.urls import has_public_suffix, host_of, normalise

_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_log = logging.getLogger(__name__)
_MOST_HOPS = 5
_AT_A_TIME = 16  # servers
_LONGEST_PAUSE = 60.0  # seconds between two seeds of one server; who asks for more gets none


def read_seeds(texts: Sequence[str]) -> list[str]:
    """URLs in normal form from URLs and files of them, each once, in order.

    Raises:
        UsageError: a text is neither, or there is no URL at all.
    """
    seeds: dict[str, None] = {}
    mistakes = Mistakes()
    for text in texts:
        with mistakes.noted():
            for line in _seed_lines(text):
                with mistakes.noted():
                    seeds[_seed(line)] = None
    mistakes.complain()
    if not seeds:
        raise UsageError("no seed is an http(s) URL; give URLs or files with one a line")
    return list(seeds)


def admitted_seeds(urls: Sequence[str], admission: Admission) -> list[str]:
    """The seeds that the rules of the user admit; the others are left out with a warning.

    Raises:
        UsageError: they admit none.
    """
    kept = [url for url in urls if admission.admits(url)]
    for url in urls:
        if not admission.admits(url):
            _log.warning("seed left out, the patterns or settings exclude it: %s", url)
    if urls and not kept:
        raise UsageError(
            f"include and exclude admit no seed: {urls[0]} is excluded, or not included"
        )
    return kept


def seed_url(text: str) -> str | None:
    """The normal URL that a seed means; None for what is not one.

    People write hosts without a scheme. One counts where it ends in a real domain, so that the
    name of a file that is not there is not taken for a host.

    >>> seed_url("lisboa.pt"), seed_url("www.lisboa.pt/visit"), seed_url("seeds.txt")
    ('https://lisboa.pt/', 'https://www.lisboa.pt/visit', None)
    """
    if "://" in text:
        return normalise(text)
    host = text.partition("/")[0]
    is_host = _HOST.fullmatch(host) is not None and has_public_suffix(host.lower())
    return normalise(f"https://{text}") if is_host else None


def _seed(line: str) -> str:
    url = seed_url(line)
    if url is None:
        raise UsageError(f"{line!r} is not an http(s) URL")
    return url


def _seed_lines(text: str) -> Iterator[str]:
    if "://" in text:
        yield text
        return
    try:
        lines = Path(text).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        if seed_url(text) is not None:
            yield text
            return
        raise UsageError(f"{text!r} is neither an http(s) URL nor a file of them") from error
    yield from (line.strip() for line in lines if line.strip() and not line.startswith("#"))


async def seeds_with_places(
    urls: Sequence[str],
    fetcher: Fetcher,
    ranking: Ranking,
    registrations: Registrations | None = None,
) -> list[str]:
    """The seeds that speak of a place, those that speak of it most clearly first.

    Raises:
        UsageError: none does.
    """
    try:
        chosen = await choose_seeds(urls, fetcher, ranking, registrations)
    finally:
        await fetcher.close()
    if not chosen.kept:
        raise UsageError("filter_seeds: no seed speaks of a place, so none would be left")
    for url in chosen.dropped:
        _log.warning("seed left out, it speaks of no place: %s", url)
    return [url for url, _ in chosen.kept]


@dataclass(frozen=True, slots=True)
class ChosenSeeds:
    """What came of a list of seeds."""

    kept: tuple[tuple[str, Ranked], ...]  # the highest Rank first
    dropped: tuple[str, ...]  # in the order given


async def choose_seeds(
    urls: Sequence[str],
    fetcher: Fetcher,
    ranking: Ranking,
    registrations: Registrations | None = None,
) -> ChosenSeeds:
    """Fetch the seeds, keep those that speak of a place, and order them by Rank.

    A page or a record that cannot be had does not drop a seed: its URL may be enough.
    """
    if registrations is not None:
        ranking.add_registrations(await registrations.look_up_all([host_of(url) for url in urls]))
    links = await _links_of(urls, fetcher)
    kept = order_seeds([Seed(url, links.get(url, ())) for url in urls], ranking)
    names = {url for url, _ in kept}
    return ChosenSeeds(tuple(kept), tuple(url for url in urls if url not in names))


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
    from geoscout.crawling.read import read_page  # noqa: PLC0415 - most crawls keep all seeds

    return read_page(response).links


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
