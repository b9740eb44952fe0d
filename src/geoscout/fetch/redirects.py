"""Where a redirect leads, and when not to go there.

A hop is a new request: it goes through the frontier, and with that through URL rules, address
check, robots.txt and politeness, like any link. This module only reads the response.
"""

from __future__ import annotations

from collections.abc import Sequence

from geoscout.fetch.retries import failure
from geoscout_places.model import Response
from geoscout_places.urls import normalise

LONGEST_CHAIN = 10  # hops; browsers give up after 20, search engines after 5 to 10
_REDIRECTS = frozenset({301, 302, 303, 307, 308})  # 300 and 304 lead nowhere


def is_redirect(response: Response) -> bool:
    """Whether the response sends us elsewhere."""
    return response.status in _REDIRECTS


def next_hop(response: Response, chain: Sequence[str] = ()) -> str:
    """The URL, in normal form, that a redirect leads to.

    `chain` holds the URLs that led to this response, the oldest first, itself not included.

    Raises:
        NeverAgainError: kinds "redirect-target" (no http(s) URL), "redirect-loop" (it leads back,
            or to itself), "redirect-chain" (more than `LONGEST_CHAIN` hops).
    """
    location = response.header("location")
    target = normalise(location.strip(), base=response.url) if location.strip() else None
    if target is None:
        raise failure("redirect-target", f"{response.url} to {location[:200]!r}")
    if target == response.url or target in chain:
        raise failure("redirect-loop", f"{response.url} to {target}")
    if len(chain) >= LONGEST_CHAIN:
        raise failure("redirect-chain", f"{len(chain) + 1} hops to {target}")
    return target
