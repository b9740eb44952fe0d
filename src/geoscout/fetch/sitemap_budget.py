"""How large the sitemaps of one domain may be together.

A sitemap may list 50,000 others, and each may be 50 MB of noise. All of it would be archived, so
one host could fill the disk. The budget is that of a domain, since a name server can make any
number of hosts. It is kept in memory only: a crawl that is resumed begins with full budgets.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from geoscout.fetch.failures import failure
from geoscout.urls import host_of, registrable_domain

_DOMAINS_REMEMBERED = 20_000


@dataclass(slots=True)
class SitemapGrant:
    """What one sitemap may take, and what it took."""

    most_bytes: int
    used_bytes: int = 0


class SitemapBudget:
    """What is left to each domain."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._left: OrderedDict[str, int] = OrderedDict()

    @contextmanager
    def grant(self, url: str, most_bytes: int) -> Iterator[SitemapGrant]:
        """Room for one sitemap, as much as it may have of that; the caller says what it took.

        What others of the domain may take meanwhile is less by all of it.

        Raises:
            FetchError: kind "sitemap-budget", when nothing is left.
        """
        domain = registrable_domain(host_of(url))
        granted = SitemapGrant(min(most_bytes, self._left.get(domain, self._most_bytes)))
        if granted.most_bytes < 1:
            raise failure("sitemap-budget", url)
        self._spend(domain, granted.most_bytes)
        try:
            yield granted
        finally:
            self._spend(domain, granted.used_bytes - granted.most_bytes)

    def _spend(self, domain: str, size: int) -> None:
        self._left[domain] = self._left.get(domain, self._most_bytes) - size
        self._left.move_to_end(domain)
        if len(self._left) > _DOMAINS_REMEMBERED:
            self._left.popitem(last=False)
