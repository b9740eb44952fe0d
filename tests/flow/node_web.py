"""The hundred cities on loopback: a synthetic web behind the fake web's log, and what it must show.

The synthetic web has a server of its own, but the fake web notes when each request came and was
answered, which is what politeness is judged by. Traps end here: only numbered pages are answered.
"""

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from geoscout_lab.worlds.synthetic import SyntheticWeb
from geoscout_lab.worlds.synthetic.serving import host_names
from geoscout_lab.worlds.synthetic.sites import BLOCKED_FOLDER
from tests.fakeweb import FakeWeb, Hit, Site, overlaps
from tests.fakeweb.sites import Handler, Visitor, not_found, robots_file

DELAY = 0.02
CRAWL_DELAY = 0.2
_SMALL_HOST = 40  # pages; a Crawl-delay on larger ones would only make the run longer
_CLOSED = f"/{BLOCKED_FOLDER}/"
_EARLY = 0.003  # the crawler's clock starts when it has the answer, the server's when it wrote it

Pair = tuple[Hit, Hit]


class CityWeb:
    """A synthetic web that is served and watched while its `with` block runs."""

    def __init__(self, web: SyntheticWeb, addresses: int, most: int | None = None) -> None:
        """`most`: serve only the smallest sites, with about that many pages; nobody knows the rest.

        All of those are seeds then, where else the web has its own.
        """
        sizes = Counter(web.site(page).domain for page in range(web.size))
        kept = _smallest(sizes, most or web.size)
        self._homes = [page for page in _homes(web) if web.site(page).domain in kept]
        self._has_all = most is None
        self.slow_hosts = {host for host in kept if _is_slow(host, sizes[host])}
        hosts = sorted(set(host_names(web)) if self._has_all else kept)
        sites = {host: Site(self._answer, _robots(host in self.slow_hosts)) for host in hosts}
        self.fake = FakeWeb(sites, addresses=addresses)
        self._web = web
        self._pages: dict[str, int] = {}

    def __enter__(self) -> Self:
        self.fake.__enter__()
        self._web = self._web.at_port(self.fake.port)
        self._pages = {self._web.url(page): page for page in range(self._web.size)}
        return self

    def __exit__(self, *_: object) -> None:
        self.fake.__exit__()

    @property
    def seeds(self) -> list[str]:
        pages = self._web.seeds if self._has_all else self._homes
        return [self._web.url(page) for page in pages]

    @property
    def region(self) -> list[str]:
        return self._web.region.split("; ")

    def take_log(self) -> list[Hit]:
        """What was asked since the last call."""
        hits = list(self.fake.log)
        del self.fake.log[: len(hits)]
        return hits

    async def _answer(self, visitor: Visitor) -> None:
        query = f"?{visitor.query}" if visitor.query else ""
        page = self._pages.get(f"http://{visitor.headers['host']}{visitor.path}{query}")
        status = self._web.status(page) if page is not None else 404
        if page is None:
            await not_found(visitor)
        elif status == 0:
            await visitor.wait_until_gone()
        elif status == 301:
            target = self._web.url(self._web.targets(page)[0])
            await visitor.answer(status=status, headers=[("Location", target)])
        else:
            kind = self._web.content_type(page)
            await visitor.answer(self._web.html(page), status, kind)


def _smallest(sizes: Counter[str], pages: int) -> set[str]:
    """The smallest hosts that have no more than this number of pages together."""
    kept: set[str] = set()
    for host, size in sorted(sizes.items(), key=lambda item: (item[1], item[0])):
        pages -= size
        if pages < 0:
            break
        kept.add(host)
    return kept


def _homes(web: SyntheticWeb) -> list[int]:
    return [int(page) for page in web.structure.hosts.first]


def _is_slow(host: str, size: int) -> bool:
    return size <= _SMALL_HOST and zlib.crc32(host.encode()) % 3 == 0


def _robots(slow: bool) -> Handler:
    lines = ["User-agent: *", f"Disallow: {_CLOSED}"]
    return robots_file(*lines, *([f"Crawl-delay: {CRAWL_DELAY}"] if slow else []))


@dataclass(frozen=True, slots=True)
class Manners:
    """How a crawl behaved, by the servers' log."""

    requests: int
    hosts: int
    addresses: int
    overlapping: int  # requests to a host or address that was still answering another
    shortest_pause: float  # seconds from an answer to the next request to its address
    shortest_crawl_delay: float  # the same on the hosts that ask for more
    crawl_delay_pairs: int
    disallowed: int
    hastiest: str  # the two requests with the shortest pause, for whoever has to look for the cause

    @property
    def are_good(self) -> bool:
        kept = self.shortest_pause >= DELAY - _EARLY
        kept = kept and self.shortest_crawl_delay >= CRAWL_DELAY - _EARLY
        return kept and not self.overlapping and not self.disallowed


def manners_of(hits: list[Hit], slow_hosts: set[str]) -> Manners:
    """Read the log."""
    by_address, by_host = _grouped(hits, "address"), _grouped(hits, "host")
    slow = [pair for host in slow_hosts & by_host.keys() for pair in _pairs(by_host[host])]
    every = [pair for group in by_address.values() for pair in _pairs(group)]
    first, second = min(every, key=_pause)
    groups = [*by_address.values(), *by_host.values()]
    return Manners(
        len(hits),
        len(by_host),
        len(by_address),
        sum(len(overlaps(group)) for group in groups),
        _pause((first, second)),
        # That nobody asked such a host proves nothing.
        shortest_crawl_delay=min(map(_pause, slow), default=0.0),
        crawl_delay_pairs=len(slow),
        disallowed=sum(hit.path.startswith(_CLOSED) for hit in hits),
        hastiest=", ".join(f"{hit.host}{hit.path} {hit.status}" for hit in (first, second)),
    )


def _grouped(hits: Iterable[Hit], key: str) -> dict[str, list[Hit]]:
    groups: dict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        groups[getattr(hit, key)].append(hit)
    return groups


def _pairs(hits: list[Hit]) -> Iterator[Pair]:
    """Each answer with the next request; one for robots.txt counts like any other.

    Where there was no answer the server learns late that the visitor has left, so that the pause
    cannot be told; such a request still must not overlap another.
    """
    pairs = pairwise(sorted(hits, key=lambda hit: hit.start))
    return (pair for pair in pairs if pair[0].status)


def _pause(pair: Pair) -> float:
    return pair[1].start - pair[0].end
