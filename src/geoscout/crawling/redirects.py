"""Redirects as requests: a hop waits in the frontier like any link.

So it passes the URL rules, the address check, robots.txt and politeness like any other request.
What is remembered here is the chain of redirects that led to a URL, so that loops and long chains
end.
"""

from __future__ import annotations

from collections import OrderedDict

from msgspec.structs import replace

from geoscout.fetch.retries import failure, next_hop
from geoscout_places.model import Request, Response
from geoscout_places.urls import trap

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
