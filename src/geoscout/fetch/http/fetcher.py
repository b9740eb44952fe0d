"""The live web: checks the address, asks robots.txt, fetches, and says how long to leave a host.

Everything that is decided here is decided again for each request: a redirect comes back as a
request of its own, and a connection goes to the address that was checked for it.

Which address book a client has: one that looks names up, or one that leaves that to a proxy.
"""

import asyncio
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from msgspec.structs import replace

from geoscout.fetch.base import Fetcher, FetcherAim, Resolver
from geoscout.fetch.http.addresses import (
    EVERYTHING,
    AddressBook,
    HostsFile,
    SystemResolver,
    address_rule,
)
from geoscout.fetch.http.client import HttpClient
from geoscout.fetch.http.rules import (
    MEBIBYTE,
    NEVER,
    HttpLimits,
    HttpRules,
    file_rule,
    page_rule,
    read_proxy,
)
from geoscout.fetch.politeness import Manners, polite_delay
from geoscout.fetch.retries import failure
from geoscout.fetch.robots import LARGEST_FILE, Access, RobotsCache, access_for
from geoscout.fetch.sitemaps import LARGEST_FILE as LARGEST_SITEMAP
from geoscout.fetch.sitemaps import SitemapBudget
from geoscout.machine import requests_possible
from geoscout_places.model import Request, RequestKind, Response
from geoscout_places.plugins import PluginOptions, read_options, setting
from geoscout_places.urls import host_of

# Names that are private by RFC 6761, 6762, 8375 and 9476, or by the custom of many networks.
_LOCAL_ENDINGS = (
    ".localhost", ".local", ".internal", ".home.arpa", ".alt", ".lan", ".intranet", ".corp",
    ".home", ".private",
)  # fmt: skip


def is_local_name(host: str) -> bool:
    """Whether a name is one of a private network, as far as names tell.

    >>> is_local_name("router"), is_local_name("db.internal"), is_local_name("example.org")
    (True, True, False)
    """
    name = host.rstrip(".")
    return "." not in name or name.endswith(_LOCAL_ENDINGS)


class NamesAtProxy(AddressBook):
    """Leaves names to the proxy; addresses in URLs are judged, and names that are local."""

    async def address(self, host: str) -> str:
        """The address where the host is one, else "".

        Raises:
            FetchError: kind "private-address".
        """
        literal = host.strip("[]")
        if ":" in literal or literal.replace(".", "").isdigit():
            return await super().address(host)
        if is_local_name(host) and self._refuses("127.0.0.1") is not None:
            raise failure("private-address", f"{host} is a local name")
        return ""


def address_book(
    rules: HttpRules, resolver: Resolver | None, refuses: Callable[[str], str | None]
) -> AddressBook:
    """The address book of a client; `resolver` None: the system's own."""
    kind = NamesAtProxy if rules.proxy and rules.proxy.looks_up_names else AddressBook
    return kind(resolver or SystemResolver(), refuses=refuses)


# A pause up to this is slept through in place; a longer one would keep others waiting.
LONGEST_SLEEP_SECONDS = 5.0

LARGEST_SCRIPT = 5_000_000  # bytes of something that a page in the browser asks for


@dataclass(frozen=True, slots=True)
class LiveOptions(PluginOptions):
    hosts: str = setting(
        "",
        "a hosts file: only the hosts in it are asked, at these addresses; for a web of one's own",
    )


def create(aim: FetcherAim) -> Fetcher:
    """The fetcher of the live web, or of the hosts in a file.

    Raises:
        UsageError: the file cannot be read.
    """
    options = read_options("live", LiveOptions, aim.options)
    resolver = HostsFile(Path(options.hosts)) if options.hosts else None
    fetcher = HttpFetcher(http_rules(aim), resolver=resolver)
    if aim.settings.render == NEVER:
        return fetcher
    from geoscout.fetch.browser import with_browser  # noqa: PLC0415 - rarely used

    return with_browser(fetcher, fetcher.ask_for_page, aim.settings, aim.user_agent)


def http_rules(aim: FetcherAim) -> HttpRules:
    """By which rules the live web is asked."""
    settings = aim.settings
    body_bytes = int(settings.body_megabytes * MEBIBYTE)
    return HttpRules(
        aim.user_agent,
        manners=Manners(settings.delay_seconds),
        limits=HttpLimits(
            total_seconds=settings.total_seconds,
            body_bytes=body_bytes,
            decoded_bytes=2 * body_bytes,
            idle_connections=requests_possible(HttpLimits().idle_connections),
        ),
        allow_private=aim.allow_private,
        pdf=settings.pdf,
        admission=aim.admission,
        proxy=read_proxy(settings.proxy),
        own_addresses=aim.own_addresses,
    )


class HttpFetcher:
    """The Fetcher of the live web. Make it inside a running event loop, and close it."""

    def __init__(
        self,
        rules: HttpRules,
        *,
        resolver: Resolver | None = None,
        tls: ssl.SSLContext | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Prepare to ask; `resolver` and `tls` None: the system's own; `now` stamps responses."""
        self._rules = rules
        self._addresses = address_book(rules, resolver, _address_rule(rules))
        self._client = HttpClient(rules, self._addresses, tls=tls, now=now)
        self._page_rule = page_rule(rules)
        self._robots_rule = file_rule(LARGEST_FILE, cut=True)
        self._script_rule = file_rule(LARGEST_SCRIPT)
        self._sitemaps = SitemapBudget(rules.sitemap_bytes)
        self._robots = RobotsCache(self._ask_robots, rules.agent, rules.robots_bytes)

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        """One page or sitemap; with `seen`, status 304 if it is still the page that was seen.

        Raises:
            FetchError: of the kinds in `retries.KINDS`, "robots" among them.
        """
        headers = conditional_headers(seen) if seen else {}
        headers |= self._own_headers(request.url)
        await self._check_robots(request.url)
        if request.kind == RequestKind.SITEMAP:
            return await self._ask_sitemap(request.url, headers)
        return await self._client.ask(request.url, self._page_rule, headers)

    async def ask_for_page(self, url: str) -> Response:
        """Something that a page needs, such as a script, by the same rules as pages.

        Raises:
            FetchError: as `fetch` does.
        """
        self._check_host(url)
        await self._check_robots(url)
        response = await self._client.ask(url, self._script_rule, self._own_headers(url))
        self._client.unkept[response.status] += 1
        return response

    async def resolve(self, host: str) -> str:
        """The address that is asked for a host."""
        return await self._addresses.address(host)

    def known_as(self, url: str) -> str | None:
        """Every URL can be asked for as it is."""
        return url

    def delay_after(self, response: Response) -> float:
        """Seconds to leave the host alone: setting, Crawl-delay or slowness, whichever is most."""
        return self._delay(response.url, response.seconds)

    def delay_after_failure(self, url: str) -> float:
        return self._delay(url, 0.0)

    def sitemaps(self, url: str) -> tuple[str, ...]:
        """The Sitemap lines in the robots.txt that holds for a URL, if it has been read."""
        return self._robots.known(url).sitemaps

    def take_statuses(self) -> Mapping[int, int]:
        """Those of robots.txt files, and of responses that were refused after their head."""
        found = dict(self._client.unkept)
        self._client.unkept.clear()
        return found

    async def close(self) -> None:
        await self._client.close()

    async def _check_robots(self, url: str) -> None:
        known = self._robots.knows(url)
        robots = await self._robots.rules(url)
        if not robots.allows(url):
            raise failure("robots", url)
        if not known:  # it was asked just now, so the host has to be left alone before the page
            pause = self._delay(url, 0.0)
            if pause > LONGEST_SLEEP_SECONDS:
                raise failure("robots-delay", url, pause)
            await asyncio.sleep(pause)

    async def _ask_sitemap(self, url: str, headers: dict[str, str]) -> Response:
        with self._sitemaps.grant(url, LARGEST_SITEMAP) as granted:
            rule = file_rule(granted.most_bytes, cut=True)
            response = await self._client.ask(url, rule, headers)
            if response.status == HTTPStatus.OK:
                granted.used_bytes = len(response.body)
            return response

    async def _ask_robots(self, url: str) -> Response:
        """One request for a robots.txt; a redirect is followed by a pause, not by the next one."""
        self._check_host(url)
        response = await self._client.ask(url, self._robots_rule, self._own_headers(url))
        self._client.unkept[response.status] += 1
        if access_for(response.status) is Access.REDIRECT:
            await asyncio.sleep(min(self._delay(url, response.seconds), LONGEST_SLEEP_SECONDS))
        return response

    def _delay(self, url: str, seconds: float) -> float:
        crawl_delay = self._robots.known(url).crawl_delay
        manners, own = self._rules.manners, self._rules.admission.hosts.of(host_of(url))
        if own.delay_seconds is not None:
            manners = replace(manners, delay_seconds=own.delay_seconds)
        return polite_delay(manners, crawl_delay, seconds)

    def _check_host(self, url: str) -> None:
        """Refuse what is not a page of the crawl, from a host that is off or excluded."""
        if not self._rules.admission.admits_aid(host_of(url)):
            raise failure("excluded", url)

    def _own_headers(self, url: str) -> dict[str, str]:
        """The header fields that the user has set for the host of a URL."""
        return dict(self._rules.admission.hosts.of(host_of(url)).headers or ())


def _address_rule(rules: HttpRules) -> Callable[[str], str | None]:
    if rules.allow_private:
        return address_rule(EVERYTHING)
    return address_rule(rules.allowed_networks, rules.own_addresses)


_MARKS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}


def conditional_headers(seen: Response) -> dict[str, str]:
    """The header fields that ask for a page only if it has changed (status 304 if not).

    Both are sent where both are known; a server uses the tag then (RFC 9110, 13.1.3). What could
    break a header is left out.
    """
    return {
        _MARKS[name]: value
        for name, value in seen.headers
        if value and name in _MARKS and value.isascii() and value.isprintable()
    }
