"""Which sitemaps a crawl asks for, live or in archives.

Those of a host that is worth it: one with a seed or a relevant page. They are the ones that
robots.txt names; where it names none, the usual places are tried one after the other, each once
for a host, because the frontier knows what was asked. A sitemap may list further ones of its own
domain, and these may list no more.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from http import HTTPStatus
from itertools import pairwise

from msgspec.structs import replace

from geoscout.fetch.robots import robots_site
from geoscout_places.model import Request, RequestKind, Response
from geoscout_places.urls import host_of, normalise, registrable_domain, trap

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
