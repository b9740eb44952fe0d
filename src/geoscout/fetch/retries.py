"""What follows from a failure or a redirect: when to try again, where to go, when to give up.

A failure is the page's at first: its host is asked for other pages meanwhile. `Health` notices
when several different pages of a host fail in a row; then the host rests. A host that asks for a
pause itself, with 429 or Retry-After, has it at once. The rest is arithmetic. The jitter keeps
pages that failed together from coming back together.

Failures are counted by their names, so these must not change. A kind says whether a retry can help,
and `failure` makes the error whose class tells the others. The table in docs/why/http.md tells
users the same.

A hop of a redirect is a new request: it goes through the frontier, and with that through URL rules,
address check, robots.txt and politeness, like any link. Here only the response is read.
"""

import logging
import math
import random
from collections.abc import Sequence
from email.utils import parsedate_to_datetime

from msgspec import Struct, field
from msgspec.structs import replace

from geoscout_places.errors import FetchError, NeverAgainError, TryLaterError
from geoscout_places.model import Request, Response
from geoscout_places.urls import host_of, normalise


class FailureKind(Struct, frozen=True):
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
_PERHAPS_OURS = "late"  # a host that is slow enough also looks like it, and would be asked for ever
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


_TOO_MANY = 429
_ASKED_TO_WAIT = frozenset({_TOO_MANY, 503})
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
_ASKED_KINDS = frozenset({"robots-unreachable", "robots-delay", "lease"})  # not the page's fault
_OUR_FAULT_SECONDS = 5.0  # until a request is made again that this machine has failed
_MOST_ROWS = 50_000  # hosts whose failures are counted


class Patience(Struct, frozen=True):
    """How often, and how long."""

    tries: int = 4  # in all, before a page is given up
    robots_tries: int = 12  # in all, before a page whose robots.txt cannot be had is given up
    late_tries: int = 12  # of a page for which this machine had no time, before they count
    first_seconds: float = 30.0  # doubled with each failure
    longest_seconds: float = 6 * 3600.0
    rests_after: int = 3  # different pages of a host that fail in a row
    short_rests: int = 2  # of `first_seconds` and twice that, before it is parked
    parked_seconds: float = 3600.0  # doubled with each further failure
    longest_parked_seconds: float = 24 * 3600.0
    longest_obeyed_seconds: float = 7 * 24 * 3600.0  # a longer Retry-After counts as this


class Verdict(Struct, frozen=True):
    again_in: float | None  # seconds; None: never
    host_rests: float = 0.0  # seconds during which the whole host is left alone
    reason: str = ""  # the kind, or "status 503"
    counts: bool = True  # against the tries of the page and the health of the host


CROWDED = Verdict(None, reason="hosts of address", counts=False)  # it has had all it may have


class _Row(Struct):
    """The failures of a host since its last good response."""

    pages: set[int] = field(default_factory=set)  # hashes of URLs, until there are enough
    rests: int = 0  # since then


class Health:
    """Which hosts keep failing: they rest, longer and longer."""

    def __init__(self, patience: Patience, chance: random.Random) -> None:
        self._patience = patience
        self._chance = chance
        self._rows: dict[str, _Row] = {}  # of hosts that fail; those that failed last come last
        self._late: dict[int, int] = {}  # by the hash of a URL, how often we had no time for it

    def after_error(self, request: Request, error: FetchError) -> Verdict:
        jitter = self._chance.random()
        verdict = after_error(error, request.tries, self._patience, jitter)
        if error.kind == _PERHAPS_OURS and self._is_often_late(request.url):
            verdict = _again(error.kind, None, request.tries, self._patience, jitter)
        return self._rested(request, verdict)

    def _is_often_late(self, url: str) -> bool:
        times = self._late.pop(hash(url), 0) + 1
        self._late[hash(url)] = times
        if len(self._late) > _MOST_ROWS:
            del self._late[next(iter(self._late))]
        return times > self._patience.late_tries

    def after_response(self, request: Request, response: Response) -> Verdict | None:
        """What to do after a response that is of no use now; None after one that stays."""
        jitter = self._chance.random()
        verdict = after_status(response, request.tries, self._patience, jitter)
        if verdict is None:
            self._rows.pop(host_of(request.url), None)
            return None
        return self._rested(request, verdict)

    def _rested(self, request: Request, verdict: Verdict) -> Verdict:
        """The verdict, with a rest for a host of which several pages have failed in a row."""
        if not verdict.counts or verdict.again_in is None:
            return verdict
        host = host_of(request.url)
        row = self._rows.pop(host, None) or _Row()
        self._rows[host] = row
        if len(self._rows) > _MOST_ROWS:
            del self._rows[next(iter(self._rows))]
        if len(row.pages) < self._patience.rests_after:
            row.pages.add(hash(request.url))
        if len(row.pages) < self._patience.rests_after:
            return verdict
        row.rests += 1
        rests = max(verdict.host_rests, rest_for(row.rests, self._patience))
        return replace(verdict, host_rests=rests)


def after_error(error: FetchError, tries: int, patience: Patience, jitter: float) -> Verdict:
    """What to do after an error; `tries` failed before it, `jitter` is in 0 to 1."""
    asked = error.retry_after if isinstance(error, TryLaterError) else None
    if error.kind in OUR_FAULTS:
        return Verdict(_OUR_FAULT_SECONDS * (1.0 + jitter), reason=error.kind, counts=False)
    if error.kind in _ASKED_KINDS:
        wait = patience.first_seconds if asked is None else _bounded(asked, patience)
        if error.kind == "robots-unreachable" and tries + 1 >= patience.robots_tries:
            return Verdict(None, reason=error.kind)  # or such a host would keep a crawl for ever
        return Verdict(wait, wait, error.kind, counts=error.kind == "robots-unreachable")
    if not isinstance(error, TryLaterError):
        return Verdict(None, reason=error.kind)
    return _again(error.kind, asked, tries, patience, jitter)


def after_status(
    response: Response, tries: int, patience: Patience, jitter: float
) -> Verdict | None:
    """What to do after a response; None where its status does not pass with time."""
    if response.status not in _PASSING:
        return None
    asked = retry_after(response) if response.status in _ASKED_TO_WAIT else None
    verdict = _again(f"status {response.status}", asked, tries, patience, jitter)
    wait = _bounded(asked, patience)
    if not wait and response.status == _TOO_MANY:
        wait = _backed_off(tries, patience, jitter)
    return replace(verdict, host_rests=wait)


def rest_for(rests: int, patience: Patience) -> float:
    """Seconds for which a host is left alone the first, second, … time in a row."""
    beyond = rests - patience.short_rests - 1
    if beyond < 0:
        return patience.first_seconds * 2.0 ** (rests - 1)
    return min(patience.parked_seconds * 2.0 ** min(beyond, 60), patience.longest_parked_seconds)


def retry_after(response: Response) -> float | None:
    """The seconds a Retry-After field asks for, from the end of the response on; None without one.

    Both forms are read (RFC 9110, 10.2.3); a time that has passed asks for nothing.
    """
    value = response.header("retry-after").strip()
    if value.isascii() and value.replace(".", "", 1).isdigit():
        return float(value[:12])
    try:
        at = parsedate_to_datetime(value).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return max(at - response.fetched_at - response.seconds, 0.0)


def _again(
    reason: str, asked: float | None, tries: int, patience: Patience, jitter: float
) -> Verdict:
    if tries + 1 >= patience.tries:
        return Verdict(None, reason=reason)
    wait = max(_bounded(asked, patience), _backed_off(tries, patience, jitter))
    return Verdict(wait, reason=reason)


def _bounded(asked: float | None, patience: Patience) -> float:
    if asked is None or not math.isfinite(asked):
        return 0.0
    return min(asked, patience.longest_obeyed_seconds)


def _backed_off(tries: int, patience: Patience, jitter: float) -> float:
    """Twice as long each time, and up to half as long again by chance."""
    wait = min(patience.first_seconds * 2.0 ** min(tries, 60), patience.longest_seconds)
    return wait * (1.0 + 0.5 * jitter)


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


_LONG_REST_SECONDS = 600.0  # a host that rests that long is worth a line at `info`

_log = logging.getLogger(__name__)


def log_response(response: Response, *, relevant: bool) -> None:
    """A response that the crawl keeps."""
    if _log.isEnabledFor(logging.DEBUG):
        facts = {"url": response.url, "status": response.status, "relevant": relevant}
        _log.debug("fetched", extra={**facts, "seconds": round(response.seconds, 3)})


def log_failure(request: Request, verdict: Verdict, detail: str) -> None:
    """A request without a response of use, and what follows from it."""
    if verdict.host_rests >= _LONG_REST_SECONDS:
        rest = {"host": host_of(request.url), "seconds": round(verdict.host_rests)}
        _log.info("host rests", extra={**rest, "reason": verdict.reason})
    if _log.isEnabledFor(logging.DEBUG):
        facts = {"url": request.url, "reason": verdict.reason, "tries": request.tries + 1}
        if verdict.again_in is None:
            _log.debug("given up", extra={**facts, "detail": detail})
        else:
            again = {"again_in": round(verdict.again_in, 1), "host_rests": verdict.host_rests}
            _log.debug("failed, tried again later", extra={**facts, **again, "detail": detail})
