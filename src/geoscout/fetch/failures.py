"""Every way in which fetching a page can fail, by name, and what each name means for the crawl.

Failures are counted by these names, so they must not change. A kind says whether a retry can help,
and whether the page or its whole host failed; `retries` decides how often and when to retry. The
table in docs/why/http.md tells users the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from geoscout.errors import FetchError, NeverAgainError, TryLaterError


@dataclass(frozen=True, slots=True)
class Kind:
    """What a kind of failure means."""

    meaning: str
    again: bool  # a retry may succeed
    host: bool  # other pages of the host would fail too


KINDS = {
    "dns": Kind("the host name cannot be resolved", again=True, host=True),
    "private-address": Kind("the host has only private IP addresses", again=False, host=True),
    "refused": Kind("the host refused the connection", again=True, host=True),
    "unreachable": Kind("there is no route to the host", again=True, host=True),
    "connect-timeout": Kind("connecting took too long", again=True, host=True),
    "tls": Kind("the certificate or the TLS handshake is bad", again=False, host=True),
    "reset": Kind("the server closed the connection", again=True, host=True),
    "timeout": Kind("the response took too long in all", again=True, host=True),
    "stalled": Kind("the server stopped sending", again=True, host=True),
    "slow": Kind("the response came too slowly", again=True, host=True),
    "truncated": Kind("the response ended early", again=True, host=False),
    "protocol": Kind("the response is not HTTP", again=False, host=False),
    "header-size": Kind("the header is too large", again=False, host=False),
    "content-type": Kind("it is not a web page", again=False, host=False),
    "too-large": Kind("the body is too large", again=False, host=False),
    "decompression": Kind("the body does not match its encoding", again=False, host=False),
    "bomb": Kind("the body grows too large when decompressed", again=False, host=False),
    "robots": Kind("robots.txt does not allow it", again=False, host=False),
    "robots-unreachable": Kind("robots.txt cannot be fetched now", again=True, host=True),
    "robots-delay": Kind("robots.txt asks for a longer pause", again=True, host=True),
    "redirect-loop": Kind("redirects form a loop", again=False, host=False),
    "redirect-chain": Kind("there are too many redirects", again=False, host=False),
    "redirect-target": Kind("a redirect does not lead to a web page", again=False, host=False),
}

NO_CONNECTION = frozenset(
    {"dns", "private-address", "refused", "unreachable", "connect-timeout", "tls"}
)


def failure(kind: str, detail: str = "", retry_after: float | None = None) -> FetchError:
    """The error of a kind; `retry_after` counts only where asking again can help."""
    if KINDS[kind].again:
        return TryLaterError(kind, detail, retry_after)
    return NeverAgainError(kind, detail)
