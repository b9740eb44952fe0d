"""The depth rule: a domain is explored five levels deep (Gao, Lee, Miao 2006).

A level is a link inside a domain, counted since the domain was entered; a link to another domain
begins again at 0. From a page at the last level only links to other domains are followed. Without
the rule one endless site fills the queue of the node that owns it.
"""

from __future__ import annotations

from msgspec import Struct

from geoscout_places.urls import host_of, registrable_domain

LEVELS = 5


class DepthRule(Struct, frozen=True):
    """How deep a domain is explored."""

    levels: int = LEVELS
    by_host: bool = False  # count in hosts instead of registrable domains

    def level(self, source: str, source_level: int, target: str) -> int | None:
        """The level of a link's target; None when it must not be followed."""
        if not self._is_same(host_of(source), host_of(target)):
            return 0
        return source_level + 1 if source_level < self.levels else None

    def _is_same(self, one: str, other: str) -> bool:
        if one == other or self.by_host:
            return one == other
        return registrable_domain(one) == registrable_domain(other)
