"""The sitemaps that archives hold, found by the rules of a crawl."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from typing import Any

from geoscout.crawling.read import read_sitemap
from geoscout.crawling.sitemaps import sitemap_requests, sitemaps_of_host
from geoscout.fetch.archive import ArchiveFetcher
from geoscout_places.errors import FetchError
from geoscout_places.model import Request, Response
from geoscout_places.urls import host_of

Run = Callable[[Coroutine[Any, Any, Response]], Response]
Sitemaps = Mapping[str, tuple[str, ...]]  # URLs by the host, or by the sitemap, that names them


def find_sitemaps(urls: Iterable[str], fetcher: ArchiveFetcher, run: Run) -> Sitemaps:
    """The sitemaps of every host, and those that sitemaps list; `run` waits for an answer."""
    found: dict[str, tuple[str, ...]] = {}
    first = {host_of(url): url for url in reversed(list(urls))}
    for host, url in first.items():
        named = sitemaps_of_host(fetcher.sitemaps(url), fetcher.known_as, url)
        requests = sitemap_requests(Request(url), named, fetcher.known_as)
        if requests:
            found[host] = tuple(request.url for request in requests)
            found.update(_listed(requests, fetcher, run))
    return found


def _listed(
    requests: Iterable[Request], fetcher: ArchiveFetcher, run: Run
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The sitemaps that each of these lists."""
    for request in requests:
        try:
            further = read_sitemap(run(fetcher.fetch(request))).sitemaps
        except FetchError:
            continue
        if listed := sitemap_requests(request, further, fetcher.known_as):
            yield request.url, tuple(each.url for each in listed)
