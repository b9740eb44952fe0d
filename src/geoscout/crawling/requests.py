"""What becomes a request: scored links, redirects and sitemaps, within the quotas of hosts.

A crawl keeps links as requests with URLs, a simulation as numbers of pages, and a million of them a
minute. So `requests_from` is a pure function over any kind of target. A hop of a redirect waits in
the frontier like any link, so it passes the URL rules, the address check, robots.txt and pauses;
what is remembered is the chain that led to a URL, so that loops and long chains end.

A name server can answer for any name below its domain, and pages can then name new hosts without
end: each costs disk, and each takes its turn like a host of somebody else. Many domains behind one
address can do the same. So both have a limit, which grows with what they are good for: some hosts
may be asked before any page was relevant, and every relevant page admits a few more. A domain has a
limit at which it ends, too. Public suffixes such as blogspot.com do not count as domains here,
since each name below them is somebody's own; a few large hosters are missing in the list of
suffixes and are named here. An address has no such limit, since many good hosts share those of
large hosters, and they are asked one at a time anyway. Nor is there one for private addresses:
whoever crawls their own machines knows how many there are. Hosts are counted in memory, in some 40
bytes each; a crawl that is resumed begins to count again.

Sitemaps are asked for on hosts that are worth it, with a seed or a relevant page: those that
robots.txt names, or else the usual places, each once for a host. A sitemap may list further ones of
its own domain, and these may list no more.
"""

import math
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from geoscout.fetch.http.addresses import refusal
from geoscout.fetch.retries import failure, next_hop
from geoscout.fetch.robots import robots_site
from geoscout.frontier.known_hosts import KnownUrls
from geoscout.strategy import Scores
from geoscout_places.model import Request, RequestKind, Response
from geoscout_places.urls import host_of, normalise, registrable_domain, trap

SEED_PRIORITY = 1.0  # seeds are not scored

Parent = TypeVar("Parent")
Target = TypeVar("Target")
Made = TypeVar("Made")
# Of a target, its priority, what the strategy noted of it, its depth, distance and parent.
Make = Callable[[Target, float, bytes, int, int, Parent], Made]


class Followed(NamedTuple, Generic[Parent]):
    """A page whose links are followed."""

    name: Parent  # what its links will have as their parent: its URL, or its number
    depth: int  # links since a seed
    distance: int  # links since the last relevant page before it, or the seed
    relevant: bool


def requests_from(
    page: Followed[Parent],
    targets: Iterable[Target],
    scores: Scores,
    make: Make[Target, Parent, Made],
    wanted: Callable[[Target, float], bool] | None = None,
) -> list[Made]:
    """What a page leads to: one for each link that was not dropped, in the order of the links.

    `targets` and `scores` have one for each link. `wanted` leaves out those that would change
    nothing, before anything is made of them; None: all are wanted.

    >>> from geoscout.strategy import Scored
    >>> page = Followed("home", depth=2, distance=5, relevant=False)
    >>> requests_from(page, ["a", "b"], [Scored(0.5), None], lambda *found: found)
    [('a', 0.5, b'', 3, 6, 'home')]
    """
    parent, depth, distance, relevant = page
    depth, distance = depth + 1, 1 if relevant else distance + 1
    found = zip(targets, scores, strict=True)
    if wanted is None:
        return [
            make(target, scored[0], scored[1], depth, distance, parent)
            for target, scored in found
            if scored is not None
        ]
    return [
        make(target, scored[0], scored[1], depth, distance, parent)
        for target, scored in found
        if scored is not None and wanted(target, scored[0])
    ]


_CHAINS_REMEMBERED = 10_000


class RedirectChains:
    """Remembers by which redirects a URL was reached, so that loops and long chains end."""

    def __init__(self) -> None:
        self._before: OrderedDict[str, tuple[str, ...]] = OrderedDict()

    def before(self, url: str) -> tuple[str, ...]:
        """The redirects that led to a URL; asked once, when it has answered."""
        return self._before.pop(url, ())

    def hop(self, request: Request, response: Response, before: tuple[str, ...]) -> Request:
        """Where a redirect leads, as a request of its own.

        Raises:
            NeverAgainError: as `next_hop` does; also for a target that looks like a trap.
        """
        target = next_hop(response, before)
        if rule := trap(target):
            raise failure("redirect-target", f"{response.url} to {target}: {rule}")
        self._before[target] = (*before, request.url)
        if len(self._before) > _CHAINS_REMEMBERED:  # their targets were known, or never answered
            self._before.popitem(last=False)
        return replace(request, url=target, parent=request.url, tries=0)


HOSTERS = frozenset(
    {
        "webnode.com", "weebly.com", "wordpress.com", "tumblr.com", "livejournal.com",
        "over-blog.com", "jimdofree.com", "substack.com", "hatenablog.com", "skyrock.com",
    }
)  # fmt: skip
HOSTS_FOR_A_PAGE = 20  # that one relevant page admits


class HostQuota:
    """Counts the hosts of each domain and address, and admits no more than some."""

    def __init__(self, most: int, unproven: int = 0) -> None:
        """`most`: hosts of a domain; `unproven`: of a domain or address without a relevant page.

        0: as many as there are.
        """
        self._hosts, self._domains = KnownUrls(), _Crowds(most or math.inf, unproven)
        self._asked, self._addresses = KnownUrls(), _Crowds(math.inf, unproven)

    def admits(self, host: str) -> bool:
        """Whether a host may be asked; the first ones of a domain may, and then always."""
        if not self._domains.are_limited or self._hosts.find(host):
            return True
        domain = registrable_domain(host)
        if domain not in HOSTERS and not self._domains.add(domain):
            return False
        self._hosts.add(host)
        return True

    def admits_at(self, host: str, address: str) -> bool:
        """Whether a host may be asked at an address; the same, by address."""
        if not (address and self._addresses.are_limited) or self._asked.find(host):
            return True
        if refusal(address) is None and not self._addresses.add(address):
            return False
        self._asked.add(host)
        return True

    def note_relevant(self, host: str, address: str) -> None:
        self._domains.note_relevant(registrable_domain(host))
        self._addresses.note_relevant(address)


class _Crowds:
    """Hosts that have something in common, and how many relevant pages they have given."""

    def __init__(self, most: float, unproven: int) -> None:
        self.are_limited = most < math.inf or unproven > 0
        self._most, self._unproven = most, unproven or math.inf
        self._names = KnownUrls()
        self._counts, self._relevant = array("I", [0]), array("I", [0])  # by number of the name

    def add(self, name: str) -> bool:
        """Count one more host; False when there were enough."""
        number = self._number(name)
        more = HOSTS_FOR_A_PAGE * self._relevant[number]
        if self._counts[number] >= min(self._most, self._unproven + more):
            return False
        self._counts[number] += 1
        return True

    def note_relevant(self, name: str) -> None:
        if self.are_limited:
            self._relevant[self._number(name)] += 1

    def _number(self, name: str) -> int:
        number = self._names.find(name)
        if not number:
            number = self._names.add(name)
            self._counts.append(0)
            self._relevant.append(0)
        return number


USUAL_PLACES = ("/sitemap.xml", "/sitemap_index.xml")  # tried in this order
_MOST_SITEMAPS = 50  # that a robots.txt or a sitemap names
_DOMAINS_REMEMBERED = 20_000

KnownAs = Callable[[str], str | None]  # the URL to ask for instead; None: there is none


def sitemaps_of_host(named: Sequence[str], known_as: KnownAs, page: str) -> Sequence[str]:
    """The sitemaps to ask for because of a page of a host that is worth it.

    `named`: by robots.txt.
    """
    return named or usual_sitemaps(robots_site(page), known_as)


def usual_sitemaps(site: str, known_as: KnownAs) -> tuple[str, ...]:
    """Of the usual places on a site, the first that can be asked for; none where none can."""
    places = filter(None, (normalise(f"{site}{place}") for place in USUAL_PLACES))
    found = next((place for place in places if known_as(place) is not None), None)
    return () if found is None else (found,)


def sitemap_requests(request: Request, named: Sequence[str], known_as: KnownAs) -> list[Request]:
    """Requests for the sitemaps that robots.txt or a sitemap names, where they may be followed.

    `request` is the one whose response led to them.
    """
    is_listed = request.kind == RequestKind.SITEMAP
    if is_listed and request.level:
        return []
    domain = registrable_domain(host_of(request.url))
    found = filter(None, (normalise(url, request.url) for url in named[:_MOST_SITEMAPS]))
    return [
        replace(
            request,
            url=asked,
            parent=request.url,
            tries=0,
            features=b"",
            kind=RequestKind.SITEMAP,
            level=int(is_listed),
        )
        for url in found
        if registrable_domain(host_of(url)) == domain and trap(url) is None
        if (asked := known_as(url)) is not None
    ]


class SitemapQuota:
    """Lets no domain have more than some sitemaps; a name server can make any number of hosts."""

    def __init__(self, most: int) -> None:
        """`most`: of a domain; 0: as many as it likes."""
        self._most = most
        self._asked: OrderedDict[str, set[str]] = OrderedDict()  # URLs by domain, the latest last

    def admit(self, requests: Sequence[Request]) -> list[Request]:
        """Those that may be asked for, or were admitted before."""
        return [request for request in requests if self._admits(request.url)]

    def _admits(self, url: str) -> bool:
        if not self._most:
            return True
        domain = registrable_domain(host_of(url))
        asked = self._asked.setdefault(domain, set())
        self._asked.move_to_end(domain)
        if len(self._asked) > _DOMAINS_REMEMBERED:
            self._asked.popitem(last=False)
        if len(asked) < self._most:
            asked.add(url)
        return url in asked


def is_absent(request: Request, response: Response) -> bool:
    """Whether a sitemap was asked for that is not there."""
    return request.kind == RequestKind.SITEMAP and response.status >= HTTPStatus.BAD_REQUEST


def next_place(request: Request) -> list[Request]:
    """A request for the next usual place, after a sitemap that is not there."""
    for place, following in pairwise(USUAL_PLACES):
        if request.url == normalise(place, request.url):
            url = normalise(following, request.url) or ""
            return [replace(request, url=url, tries=0)]
    return []
