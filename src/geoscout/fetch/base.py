"""What the loop asks of whatever brings it pages: the live web or an archive.

The loop takes a request from the frontier, asks `resolve` for the address it would go to, lets
the frontier bind host and address, calls `fetch`, and frees both again after `delay_after`.
Redirects and error statuses are responses, not errors: the loop decides about them.

A fetcher is a module with `create(aim)`, found by its entry point, so that yours can be one of
them: docs/extend/plugins.md. One that changes what another does is a `WrappedFetcher`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

from geoscout.fetch.retries import failure
from geoscout.scope_rules import HostTable, UrlRules
from geoscout.settings import Settings
from geoscout_places.model import Request, RequestKind, Response
from geoscout_places.plugins import load_plugin, split_spec
from geoscout_places.urls import host_of


class Admission:
    """Decides by the patterns of a crawl and the settings of single hosts."""

    def __init__(self, rules: UrlRules | None = None, hosts: HostTable | None = None) -> None:
        self._rules, self.hosts = rules or UrlRules(), hosts or HostTable()

    def __bool__(self) -> bool:
        return bool(self._rules or self.hosts)

    def admits(self, url: str, kind: RequestKind = RequestKind.PAGE) -> bool:
        """Whether a normal URL may be asked for.

        A sitemap may where its host can have pages, whatever its own path.
        """
        if self.hosts.is_off(host_of(url)):
            return False
        if kind == RequestKind.SITEMAP:
            return self._rules.may_have_pages(host_of(url))
        return self._rules.admits(url)

    def admits_host(self, host: str) -> bool:
        """Whether anything of a host may be asked for."""
        return self._rules.may_have_pages(host) and not self.hosts.is_off(host)

    def admits_aid(self, host: str) -> bool:
        """Whether a host may be asked for what pages of others need: a robots.txt, a script.

        It need not be included, but must not be off or excluded as a whole.
        """
        return not self.hosts.is_off(host) and not self._rules.excludes_host(host)


GROUP = "geoscout.fetchers"


@dataclass(frozen=True, slots=True)
class FetcherAim:
    """What a fetcher is made for; handed to `create`, in a running event loop."""

    settings: Settings
    user_agent: str  # the whole header, with a way to reach the operator
    replay: tuple[str, ...] = ()  # archives to fetch from, files or folders
    allow_private: bool = False  # private and loopback addresses may be fetched
    options: Mapping[str, str] = field(default_factory=dict)  # as in "browser:wait=3"
    admission: Admission = field(default_factory=Admission)  # what may be asked for
    own_addresses: tuple[str, ...] = ()  # IP addresses of the crawl's database: not for crawling


class KnownWeb(Protocol):
    """What can be told of URLs without asking for them; following links needs no more."""

    def known_as(self, url: str) -> str | None:
        """The URL to ask for instead of this one; None when there is nothing to ask.

        An archive drops what it does not hold, and knows several spellings under one.
        """

    def sitemaps(self, url: str) -> tuple[str, ...]:
        """The sitemaps that the host of a URL names, as it writes them; where known already."""


class Fetcher(KnownWeb, Protocol):
    """Brings pages, one request at a time."""

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        """The response to one request; a redirect is one, and is not followed.

        `seen` is an earlier response: where the page is still the same, this one has status 304.

        Raises:
            FetchError: there is no response, or we may not or will not have it; `kind` says why.
        """

    async def resolve(self, host: str) -> str:
        """The address that `fetch` would connect to; "" where there is none, as in archives.

        Raises:
            FetchError: the host has no address, or none that may be asked.
        """

    def delay_after(self, response: Response) -> float:
        """Seconds to leave between the end of this response and the next request to its host."""

    def delay_after_failure(self, url: str) -> float:
        """The same where there was no response to measure."""

    async def close(self) -> None:
        """Give connections and files back."""


@runtime_checkable
class TellsStatuses(Protocol):
    """A fetcher that asks servers for more than the loop sees, such as robots.txt."""

    def take_statuses(self) -> Mapping[int, int]:
        """The statuses of responses that `fetch` has not given out, since the last call."""


def statuses_unseen(fetcher: Fetcher) -> Callable[[], Mapping[int, int]]:
    """What to call for the same of any fetcher; asked once, because looking takes long."""
    return fetcher.take_statuses if isinstance(fetcher, TellsStatuses) else dict


def check_fetcher(spec: str) -> None:
    """Complain about a fetcher that is not installed; it is not made yet.

    Raises:
        UsageError: no fetcher has that name.
    """
    load_plugin(GROUP, split_spec(spec)[0], "fetcher")


def create_fetcher(spec: str, aim: FetcherAim) -> Fetcher:
    """The fetcher a text such as "live" names, with its options.

    Raises:
        UsageError: no fetcher has that name, or it cannot do what is asked for.
    """
    name, options = split_spec(spec)
    module = load_plugin(GROUP, name, "fetcher")
    fetcher: Fetcher = module.create(replace(aim, options={**aim.options, **options}))
    return fetcher


class Resolver(Protocol):
    """Knows the addresses of hosts. Handed into the live fetcher, so that tests need no DNS."""

    async def look_up(self, host: str) -> tuple[str, ...]:
        """All addresses of a host, the preferred one first; never empty.

        Raises:
            FetchError: kind "dns": the name cannot be resolved.
        """


class WrappedFetcher:
    """Another fetcher as it is; implements `Fetcher`, for those who change some of it."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._statuses = statuses_unseen(fetcher)

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        return await self._fetcher.fetch(request, seen)

    async def resolve(self, host: str) -> str:
        return await self._fetcher.resolve(host)

    def delay_after(self, response: Response) -> float:
        return self._fetcher.delay_after(response)

    def delay_after_failure(self, url: str) -> float:
        return self._fetcher.delay_after_failure(url)

    def known_as(self, url: str) -> str | None:
        return self._fetcher.known_as(url)

    def sitemaps(self, url: str) -> tuple[str, ...]:
        return self._fetcher.sitemaps(url)

    def take_statuses(self) -> Mapping[int, int]:
        return self._statuses()

    async def close(self) -> None:
        await self._fetcher.close()


class RuledFetcher(WrappedFetcher):
    """A fetcher that asks only for what the rules of the user admit.

    Links are sorted out before they wait. This is the second place: whatever waits, comes from a
    redirect, or was put there before the rules were changed, is looked at again before it is asked
    for, and no name is looked up for it.
    """

    def __init__(self, fetcher: Fetcher, admission: Admission) -> None:
        super().__init__(fetcher)
        self._admission = admission

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        if not self._admission.admits(request.url, request.kind):
            raise failure("excluded", request.url)
        return await super().fetch(request, seen)

    async def resolve(self, host: str) -> str:
        """The address of a host; none is looked up for one that is not asked."""
        return await super().resolve(host) if self._admission.admits_host(host) else ""

    def delay_after_failure(self, url: str) -> float:
        """No pause after what was not asked, or a host with many of these would hold up the end."""
        return super().delay_after_failure(url) if self._admission.admits(url) else 0.0
