"""Every way in which a page cannot be had, by name, and what each name means for the crawl.

Failures are counted by these names, so they stay as they are. A kind says whether asking again
can help and whether the page or its whole host is to blame; how often and when is decided in
`retries`. The table in docs/why/http.md says the same to users.
"""

from __future__ import annotations

from dataclasses import dataclass

from geoscout.errors import FetchError, NeverAgainError, TryLaterError


@dataclass(frozen=True, slots=True)
class Kind:
    """What a kind of failure means."""

    meaning: str
    again: bool  # the same request may succeed later
    host: bool  # other pages of the host would fail alike


KINDS = {
    "dns": Kind("the name of the host cannot be resolved", again=True, host=True),
    "private-address": Kind("the host has no address that may be asked", again=False, host=True),
    "refused": Kind("nobody listens at the address", again=True, host=True),
    "unreachable": Kind("there is no way to the address", again=True, host=True),
    "connect-timeout": Kind("connecting took too long", again=True, host=True),
    "tls": Kind("the certificate or the handshake is bad", again=False, host=True),
    "reset": Kind("the server broke the connection off", again=True, host=True),
    "timeout": Kind("the answer took too long in all", again=True, host=True),
    "stalled": Kind("the server fell silent", again=True, host=True),
    "slow": Kind("the answer dripped", again=True, host=True),
    "truncated": Kind("the answer ended early", again=True, host=False),
    "protocol": Kind("the answer is not HTTP", again=False, host=False),
    "header-size": Kind("the header is too large", again=False, host=False),
    "content-type": Kind("it is no page", again=False, host=False),
    "too-large": Kind("the body is too large", again=False, host=False),
    "decompression": Kind("the body is not encoded as it says", again=False, host=False),
    "bomb": Kind("the body grows too large when decompressed", again=False, host=False),
    "robots": Kind("robots.txt does not allow it", again=False, host=False),
    "robots-unreachable": Kind("robots.txt cannot be had now", again=True, host=True),
    "robots-delay": Kind("robots.txt, just read, asks for patience", again=True, host=True),
    "redirect-loop": Kind("redirects lead back", again=False, host=False),
    "redirect-chain": Kind("redirects lead on and on", again=False, host=False),
    "redirect-target": Kind("a redirect leads to no page", again=False, host=False),
}

NO_CONNECTION = frozenset(
    {"dns", "private-address", "refused", "unreachable", "connect-timeout", "tls"}
)


def failure(kind: str, detail: str = "", retry_after: float | None = None) -> FetchError:
    """The error of a kind; `retry_after` counts only where asking again can help."""
    if KINDS[kind].again:
        return TryLaterError(kind, detail, retry_after)
    return NeverAgainError(kind, detail)
