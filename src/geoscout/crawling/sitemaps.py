"""Which sitemaps a crawl asks for.

Those of a host that is worth it: one with a seed or a relevant page. A sitemap may list further
ones of its own domain, and these may list no more.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from geoscout.model import Request, RequestKind
from geoscout.urls import host_of, normalise, registrable_domain, trap

_MOST_SITEMAPS = 50  # that a robots.txt or a sitemap names


def sitemap_requests(request: Request, named: Sequence[str]) -> list[Request]:
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
            url=url,
            parent=request.url,
            tries=0,
            features=b"",
            kind=RequestKind.SITEMAP,
            level=int(is_listed),
        )
        for url in found
        if registrable_domain(host_of(url)) == domain and trap(url) is None
    ]
