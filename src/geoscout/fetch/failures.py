"""Every way in which getting a page can fail, by name, and what each name means for the crawl.

Failures are counted by these names, so they must not change. A kind says whether a retry can help,
and `failure` makes the error whose class tells the others; `retries` decides how often and when.
The table in docs/why/http.md tells users the same.
"""

from __future__ import annotations

from msgspec import Struct

from geoscout.errors import FetchError, NeverAgainError, TryLaterError


class FailureKind(Struct, frozen=True):
    """What a kind of failure means."""

    meaning: str
    again: bool  # a retry may succeed
    host: bool  # other pages of the host would fail too


KINDS = {
    "dns": FailureKind("the host name cannot be resolved", again=True, host=True),
    "private-address": FailureKind(
        "the host has only private IP addresses", again=False, host=True
    ),
    "port": FailureKind("the port is not one of the web", again=False, host=False),
    "proxy": FailureKind("the proxy cannot be used", again=True, host=False),
    "proxy-refused": FailureKind("the proxy does not allow it", again=False, host=True),
    "refused": FailureKind("the host refused the connection", again=True, host=True),
    "unreachable": FailureKind("there is no route to the host", again=True, host=True),
    "connect-timeout": FailureKind("connecting took too long", again=True, host=True),
    "tls": FailureKind("the certificate or the TLS handshake is bad", again=False, host=True),
    "reset": FailureKind("the server closed the connection", again=True, host=True),
    "timeout": FailureKind("the response took too long in all", again=True, host=True),
    "stalled": FailureKind("the server stopped sending", again=True, host=True),
    "slow": FailureKind("the response came too slowly", again=True, host=True),
    "truncated": FailureKind("the response ended early", again=True, host=False),
    "protocol": FailureKind("the response is not HTTP", again=False, host=False),
    "header-size": FailureKind("the header is too large", again=False, host=False),
    "content-type": FailureKind("it is not a web page", again=False, host=False),
    "too-large": FailureKind("the body is too large", again=False, host=False),
    "decompression": FailureKind("the body does not match its encoding", again=False, host=False),
    "bomb": FailureKind("the body grows too large when decompressed", again=False, host=False),
    "excluded": FailureKind(
        "a pattern of the crawl excludes it, or its host is off", again=False, host=False
    ),
    "robots": FailureKind("robots.txt does not allow it", again=False, host=False),
    "robots-unreachable": FailureKind("robots.txt cannot be fetched now", again=True, host=True),
    "robots-delay": FailureKind("robots.txt asks for a longer pause", again=True, host=True),
    "sitemap-budget": FailureKind(
        "the sitemaps of its domain are too large together", again=False, host=False
    ),
    "lease": FailureKind("the lease of the worker ended meanwhile", again=True, host=False),
    "redirect-loop": FailureKind("redirects form a loop", again=False, host=False),
    "redirect-chain": FailureKind("there are too many redirects", again=False, host=False),
    "redirect-target": FailureKind(
        "a redirect does not lead to a web page", again=False, host=False
    ),
    # Again when the process that read it died; a page that the parser fails on is given up at once.
    "local": FailureKind(
        "this machine has too few files, memory or threads", again=True, host=False
    ),
    "late": FailureKind("this machine was too busy to hear the response", again=True, host=False),
    "unread": FailureKind("the page was fetched but could not be read", again=True, host=False),
    "unread: time": FailureKind(
        "reading the page took too much processor time; its answer is in the archive",
        again=False,
        host=False,
    ),
    "unread: memory": FailureKind(
        "reading the page took too much memory; its answer is in the archive",
        again=False,
        host=False,
    ),
}

OUR_FAULTS = frozenset({"local", "late", "proxy"})  # they say nothing about the host or the page
NO_CONNECTION = frozenset(
    {
        "dns",
        "private-address",
        "port",
        "proxy-refused",
        "refused",
        "unreachable",
        "connect-timeout",
        "tls",
    }
)


def failure(kind: str, detail: str = "", retry_after: float | None = None) -> FetchError:
    """The error of a kind; `retry_after` counts only where asking again can help."""
    if KINDS[kind].again:
        return TryLaterError(kind, detail, retry_after)
    return NeverAgainError(kind, detail)
