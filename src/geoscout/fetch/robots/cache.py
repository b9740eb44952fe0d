"""The robots.txt of each site: asked for when first needed, kept for a day.

RFC 9309 by the letter: rules are those of scheme, host and port; up to five redirects are
followed; no file means no rules; a server in trouble means stay out and ask again later, at
growing intervals. The pages of the site wait as long.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from msgspec import Struct

from geoscout.fetch.politeness import SharedWork
from geoscout.fetch.redirects import next_hop
from geoscout.fetch.retries import NO_CONNECTION, OUR_FAULTS, failure, retry_after
from geoscout.fetch.robots.robots import MOST_REDIRECTS, Access, Robots, SiteRules, access_for
from geoscout_places.errors import FetchError
from geoscout_places.model import Response

DAY_SECONDS = 24 * 3600.0  # RFC 9309, 2.4
FIRST_RETRY_SECONDS = 600.0
LARGEST_FILE = 500 * 1024 + 1  # one byte more than is read, so that the reader sees it is cut
_LONG_FILE = 32 * 1024
_ENTRY_BYTES = 500  # of memory that a site takes of which nothing is known but that
NO_RULES = SiteRules()

Ask = Callable[[str], Awaitable[Response]]


class CachedRules(Struct, frozen=True):
    """What is known about a site."""

    robots: SiteRules | None  # None: unreachable, stay out
    until: float  # monotonic time from which on to ask again
    failures: int = 0  # in a row
    cause: str = ""

    def size(self) -> int:
        """Bytes of memory, about."""
        own = self.robots is not None and self.robots is not NO_RULES
        return _ENTRY_BYTES + (self.robots.size() if own and self.robots else 0)


class RobotsCache:
    """Rules by site; `ask` fetches a URL with any politeness it needs between two requests."""

    def __init__(
        self,
        ask: Ask,
        agent: str,
        most_bytes: int,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`agent`: the product token whose rules are kept; `most_bytes`: memory for all of them.

        Beyond that the sites that were needed least recently are forgotten, and asked again.
        """
        self._ask = ask
        self._agent = agent
        self._most_bytes = most_bytes
        self._bytes = 0  # of all entries, about
        self._monotonic = monotonic
        self._entries: OrderedDict[str, CachedRules] = OrderedDict()
        self._asked: SharedWork[CachedRules] = SharedWork()

    def knows(self, url: str) -> bool:
        """Whether `rules` would answer without asking the site."""
        return self._current(robots_site(url)) is not None

    def known(self, url: str) -> SiteRules:
        """The rules for a URL as far as they are known; none where not."""
        entry = self._entries.get(robots_site(url))
        return (entry.robots if entry else None) or NO_RULES

    async def rules(self, url: str) -> SiteRules:
        """The rules of the site of a URL.

        Raises:
            FetchError: kind "robots-unreachable", with the seconds until it is asked again; or
                the kind of failure when there is no connection to the host at all.
        """
        site = robots_site(url)
        entry = self._current(site) or await self._asked.once(site, self._fetch)
        if entry.robots is None:
            rest = max(entry.until - self._monotonic(), 0.0)
            raise failure("robots-unreachable", f"{site}: {entry.cause}", rest)
        return entry.robots

    def _current(self, site: str) -> CachedRules | None:
        entry = self._entries.get(site)
        if entry is None or entry.until <= self._monotonic():
            return None
        self._entries.move_to_end(site)
        return entry

    async def _fetch(self, site: str) -> CachedRules:
        before = self._entries.get(site)
        try:
            entry = await self._follow(f"{site}/robots.txt")
        except FetchError as error:
            if error.kind in NO_CONNECTION | OUR_FAULTS:
                raise  # the page would fail alike, and the true cause is the one to count
            entry = CachedRules(None, 0.0, cause=error.kind)
        if entry.robots is None:
            entry = self._to_retry(entry, before.failures if before else 0)
        self._keep(site, entry)
        return entry

    def _keep(self, site: str, entry: CachedRules) -> None:
        """Remember an entry, and forget what has not been needed for longest where room ends."""
        if before := self._entries.pop(site, None):
            self._bytes -= before.size()
        self._entries[site] = entry
        self._bytes += entry.size()
        while self._bytes > self._most_bytes and len(self._entries) > 1:
            self._bytes -= self._entries.popitem(last=False)[1].size()

    async def _follow(self, url: str) -> CachedRules:
        chain: list[str] = []
        while True:
            response = await self._ask(url)
            access = access_for(response.status)
            if access is not Access.REDIRECT:
                return await self._read(response, access)
            target = _hop(response, chain)
            if target is None:
                return self._valid(NO_RULES)
            chain.append(url)
            url = target

    async def _read(self, response: Response, access: Access) -> CachedRules:
        if access is Access.PARSE:
            return self._valid(await _parse(response.body, self._agent))
        if access is Access.ALLOW:
            return self._valid(NO_RULES)
        wait = min(retry_after(response) or 0.0, DAY_SECONDS)  # rules of a day ago do not hold
        return CachedRules(None, self._monotonic() + wait, cause=f"status {response.status}")

    def _valid(self, robots: SiteRules) -> CachedRules:
        return CachedRules(robots, self._monotonic() + DAY_SECONDS)

    def _to_retry(self, entry: CachedRules, failures: int) -> CachedRules:
        """An entry without rules, with a time to ask again: later each time, a day at most."""
        wait = min(FIRST_RETRY_SECONDS * 2**failures, DAY_SECONDS)
        until = max(entry.until, self._monotonic() + wait)
        return CachedRules(None, until, failures + 1, entry.cause)


def robots_site(url: str) -> str:
    """Scheme, host and port of a normal URL, for which one robots.txt holds."""
    return "/".join(url.split("/", 3)[:3])


async def _parse(body: bytes, agent: str) -> SiteRules:
    """A long file takes half a second, during which other responses must not wait."""
    if len(body) < _LONG_FILE:
        return _rules(body, agent)
    return await asyncio.to_thread(_rules, body, agent)


def _rules(body: bytes, agent: str) -> SiteRules:
    return Robots.parse(body).for_agent(agent)


def _hop(response: Response, chain: list[str]) -> str | None:
    """Where a redirected robots.txt is; None where it is nowhere, which means no rules."""
    if len(chain) >= MOST_REDIRECTS:
        return None
    try:
        return next_hop(response, chain)
    except FetchError:
        return None
