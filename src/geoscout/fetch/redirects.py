"""Where a redirect leads, and when not to go there.

A hop is a new request: it goes through the frontier, and with that through URL rules, address
check, robots.txt and politeness, like any link. This module only reads the answer.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from geoscout.fetch.failures import failure
from geoscout.model import Request, Response
from geoscout.urls import normalise, trap

_CHAINS_REMEMBERED = 10_000
LONGEST_CHAIN = 10  # hops; browsers give up after 20, search engines after 5 to 10
_REDIRECTS = frozenset({301, 302, 303, 307, 308})  # 300 and 304 lead nowhere


def is_redirect(response: Response) -> bool:
    """Whether the answer sends us elsewhere."""
    return response.status in _REDIRECTS


def next_hop(response: Response, chain: Sequence[str] = ()) -> str:
    """The URL, in normal form, that a redirect leads to.

    `chain` holds the URLs that led to this answer, the oldest first, itself not included.

    Raises:
        NeverAgainError: kinds "redirect-target" (no http(s) URL), "redirect-loop" (it leads back,
            or to itself), "redirect-chain" (more than `LONGEST_CHAIN` hops).
    """
    location = next((value for name, value in response.headers if name == "location"), "")
    target = normalise(location.strip(), base=response.url) if location.strip() else None
    if target is None:
        raise failure("redirect-target", f"{response.url} to {location[:200]!r}")
    if target == response.url or target in chain:
        raise failure("redirect-loop", f"{response.url} to {target}")
    if len(chain) >= LONGEST_CHAIN:
        raise failure("redirect-chain", f"{len(chain) + 1} hops to {target}")
    return target


class Chains:
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
