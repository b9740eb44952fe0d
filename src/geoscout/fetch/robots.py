"""robots.txt: what a site lets us fetch, how fast, and where its sitemaps are.

RFC 9309 as Google's reference implementation reads it, and the stricter of the two where they
differ: a crawler that stays out in doubt offends nobody. Written here rather than wrapped round
Protego, which reads 12 of Google's 142 cases otherwise, most of them in the way it forms groups
(docs/why/robots.md). The way: bytes, records (`read_records`), groups (`_Reader`), and a group's
rules when an agent first asks (`robots_rules.py`).

`RobotsCache` asks for the file of each site when it is first needed, and keeps it for a day. RFC
9309 by the letter: rules are those of scheme, host and port; up to five redirects are followed; no
file means no rules; a server in trouble means stay out and ask again later, at growing intervals.
The pages of the site wait as long.
"""

from __future__ import annotations

import asyncio
import codecs
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from enum import StrEnum
from http import HTTPStatus
from typing import Literal

from msgspec import Struct, field

from geoscout.fetch.politeness import SharedWork
from geoscout.fetch.retries import NO_CONNECTION, OUR_FAULTS, failure, next_hop, retry_after
from geoscout.fetch.robots_rules import Rule, RuleSet
from geoscout_places.errors import FetchError
from geoscout_places.model import Response

EVERYBODY = "*"
LONGEST_DELAY_SECONDS = 300.0  # longer ones would mean "never"; Heritrix draws the line there, too
MOST_REDIRECTS = 5  # RFC 9309, 2.3.1.2; after these the file is unavailable: `Access.ALLOW`
MOST_SITEMAPS = 50  # of a site that are kept
_SITE_BYTES = 1000  # of memory that a site takes besides its rules
_PRODUCT_TOKEN = re.compile(r"[A-Za-z_-]*")
_EVERYBODY = re.compile(r"\*(?:\s|$)")
_NUMBER = re.compile(r"\d{1,9}(?:[.,]\d{1,9})?|[.,]\d{1,9}")
LONGEST_FILE = 500 * 1024  # bytes; RFC 9309, 2.5
LONGEST_LINE = 2083 * 8 - 1  # bytes; Google's: the longest URL of old browsers, escaped, and more
_BLANKS = " \t\n\v\f\r"
_LINE_END = re.compile(r"\r\n?|\n")
_REST = re.compile(r"[#\0].*", re.DOTALL)  # a comment; after NUL nothing was read in C
_BYTE_ORDER_MARK = re.compile(rb"\xef(?:\xbb\xbf?)?")  # parts of it, too

# As forgiving as Google's parser and no more: owners have tried their files on the big search
# engines, so their reading of typing errors is the one that was meant.
Field = Literal["user-agent", "allow", "disallow", "crawl-delay", "sitemap"]
_FIELDS: tuple[tuple[Field, tuple[str, ...]], ...] = (
    ("user-agent", ("user-agent", "useragent", "user agent")),
    ("allow", ("allow",)),
    ("disallow", ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw")),
    ("crawl-delay", ("crawl-delay", "crawldelay", "crawl delay")),
    ("sitemap", ("sitemap", "site-map")),
)


class Access(StrEnum):
    """What the status of the response for /robots.txt says about the site."""

    PARSE = "parse"  # the body holds the rules
    REDIRECT = "redirect"  # ask there, `MOST_REDIRECTS` times at most
    ALLOW = "allow"  # there are no rules
    DISALLOW = "disallow"  # stay out, and ask again later


def access_for(status: int | None) -> Access:
    """What to do after a response for /robots.txt; None means that there was no response.

    RFC 9309, 2.3.1: unavailable (4xx) lets a crawler in, unreachable (5xx) keeps it out. 429 keeps
    it out too, as with Google: the RFC does not oblige to enter after 4xx, and a server that is
    asked too much has not said that there are no rules.
    """
    if status is None or status == HTTPStatus.TOO_MANY_REQUESTS:
        return Access.DISALLOW
    classes = {2: Access.PARSE, 3: Access.REDIRECT, 4: Access.ALLOW}
    return classes.get(status // 100, Access.DISALLOW)


class _Group(Struct):
    """The lines for one agent.

    Each list is shared by all agents named above it, so that a file with ten thousand agents above
    ten thousand rules costs their sum, not their product.
    """

    lines: list[list[tuple[bool, str]]] = field(default_factory=list)  # allow?, value
    delays: list[list[float]] = field(default_factory=list)  # seconds


class SiteRules(Struct, frozen=True):
    """What the robots.txt of a site says to one agent, in little memory."""

    rules: RuleSet = field(default_factory=lambda: RuleSet(()))
    crawl_delay: float | None = None  # seconds to leave between requests; None if not given
    sitemaps: tuple[str, ...] = ()  # as written: mostly, not always, absolute URLs

    def allows(self, url: str) -> bool:
        """Whether the agent may fetch an absolute URL."""
        rule = self.rules.deciding(url)
        return rule is None or rule.allow

    def size(self) -> int:
        """Bytes of memory, about."""
        return _SITE_BYTES + self.rules.size() + sum(map(len, self.sitemaps))


class Robots:
    """A site's robots.txt. Make one with `Robots.parse`."""

    __slots__ = ("_groups", "_known", "sitemaps")

    def __init__(self, groups: dict[str, _Group], sitemaps: tuple[str, ...]) -> None:
        self.sitemaps = sitemaps  # as written: mostly, not always, absolute URLs
        self._groups = groups
        self._known: dict[str, SiteRules] = {}

    @classmethod
    def parse(cls, body: bytes) -> Robots:
        """Read any bytes: what cannot be understood is skipped, what is too long is cut."""
        reader = _Reader()
        for name, value in read_records(body):
            reader.take(name, value)
        return cls(reader.groups, tuple(reader.sitemaps))

    def allows(self, agent: str, url: str) -> bool:
        """Whether `agent`, a product token such as `geoscout`, may fetch an absolute URL."""
        return self.for_agent(agent).allows(url)

    def deciding_rule(self, agent: str, url: str) -> Rule | None:
        """The longest rule that speaks of the URL; None when none does, and it may be fetched."""
        return self.for_agent(agent).rules.deciding(url)

    def crawl_delay(self, agent: str) -> float | None:
        """Seconds to leave between requests, `LONGEST_DELAY_SECONDS` at most; None if not given."""
        return self.for_agent(agent).crawl_delay

    def for_agent(self, agent: str) -> SiteRules:
        """What it says to `agent`. Whoever keeps only this needs a tenth of the memory."""
        key = agent.partition("/")[0].lower()
        if key not in self._known:
            group = self._groups.get(key) or self._groups.get(EVERYBODY) or _Group()
            lines = {line: None for lines in group.lines for line in lines}
            longest = max((delay for delays in group.delays for delay in delays), default=None)
            delay = None if longest is None else min(longest, LONGEST_DELAY_SECONDS)
            self._known[key] = SiteRules(RuleSet(lines), delay, self.sitemaps[:MOST_SITEMAPS])
        return self._known[key]


class _Reader:
    """Puts records into groups, as they come."""

    def __init__(self) -> None:
        self.groups: dict[str, _Group] = {}
        self.sitemaps: dict[str, None] = {}
        self._agents: set[str] = set()
        self._lines: list[tuple[bool, str]] = []
        self._delays: list[float] = []

    def take(self, name: str, value: str) -> None:
        if name == "sitemap":
            url = value.encode("latin-1").decode("utf-8", "replace")
            self.sitemaps.update({url: None} if url else {})
        elif name == "user-agent":
            self._name_agent(EVERYBODY if _EVERYBODY.match(value) else _product_token(value))
        elif self._agents and name == "crawl-delay":
            number = _NUMBER.match(value)
            self._delays += [float(number[0].replace(",", "."))] if number else []
        elif self._agents:
            self._lines.append((name == "allow", value))

    def _name_agent(self, key: str) -> None:
        if self._lines:  # only rules end the list of agents, an empty or unknown line does not
            self._agents, self._lines, self._delays = set(), [], []
        elif self._delays:  # nobody means the delay above for the agents below
            self._delays = []
        if key not in self._agents:
            self._agents.add(key)
            group = self.groups.setdefault(key, _Group())
            group.lines.append(self._lines)
            group.delays.append(self._delays)


def _product_token(value: str) -> str:
    found = _PRODUCT_TOKEN.match(value)
    return found[0].lower() if found else ""


def read_records(body: bytes) -> Iterator[tuple[Field, str]]:
    """The records that count, in order; each character of a value stands for one byte."""
    for line in _LINE_END.split(_decode(body)):
        key, value = _split_line(line[:LONGEST_LINE])
        field = _field(key.lower())
        if field:
            yield field, value


def _decode(body: bytes) -> str:
    cut = body[:LONGEST_FILE]
    if len(body) > LONGEST_FILE:  # half a rule would be another rule
        cut = cut[: max(cut.rfind(b"\n"), cut.rfind(b"\r")) + 1]
    if cut.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        cut = cut.decode("utf-16", "replace").encode("utf-8", "replace")
    mark = _BYTE_ORDER_MARK.match(cut)
    return cut[mark.end() if mark else 0 :].decode("latin-1")


def _split_line(line: str) -> tuple[str, str]:
    """Key and value; both "" where the line has none."""
    line = _REST.sub("", line).strip(_BLANKS)
    key, colon, value = line.partition(":")
    if colon:
        return key.strip(_BLANKS), value.strip(_BLANKS)
    words = [word for word in re.split(r"[ \t]+", line) if word]
    return (words[0], words[1]) if len(words) == 2 else ("", "")  # the colon was forgotten


def _field(key: str) -> Field | None:
    """The field a key means; what follows the name in the key does not matter to Google."""
    return next((field for field, starts in _FIELDS if key.startswith(starts)), None)


DAY_SECONDS = 24 * 3600.0  # RFC 9309, 2.4
FIRST_RETRY_SECONDS = 600.0
LARGEST_FILE = 500 * 1024 + 1  # one byte more than is read, so that the reader sees it is cut
_LONG_FILE = 32 * 1024
_ENTRY_BYTES = 500  # of memory that a site takes of which nothing is known but that
NO_RULES = SiteRules()

Ask = Callable[[str], Awaitable[Response]]


class CachedRules(Struct, frozen=True):
    """What is known about a site."""

    robots: SiteRules | None  # None: unreachable, stay out
    until: float  # monotonic time from which on to ask again
    failures: int = 0  # in a row
    cause: str = ""

    def size(self) -> int:
        """Bytes of memory, about."""
        own = self.robots is not None and self.robots is not NO_RULES
        return _ENTRY_BYTES + (self.robots.size() if own and self.robots else 0)


class RobotsCache:
    """Rules by site; `ask` fetches a URL with any politeness it needs between two requests."""

    def __init__(
        self,
        ask: Ask,
        agent: str,
        most_bytes: int,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`agent`: the product token whose rules are kept; `most_bytes`: memory for all of them.

        Beyond that the sites that were needed least recently are forgotten, and asked again.
        """
        self._ask = ask
        self._agent = agent
        self._most_bytes = most_bytes
        self._bytes = 0  # of all entries, about
        self._monotonic = monotonic
        self._entries: OrderedDict[str, CachedRules] = OrderedDict()
        self._asked: SharedWork[CachedRules] = SharedWork()

    def knows(self, url: str) -> bool:
        """Whether `rules` would answer without asking the site."""
        return self._current(robots_site(url)) is not None

    def known(self, url: str) -> SiteRules:
        entry = self._entries.get(robots_site(url))
        return (entry.robots if entry else None) or NO_RULES

    async def rules(self, url: str) -> SiteRules:
        """The rules of the site of a URL.

        Raises:
            FetchError: kind "robots-unreachable", with the seconds until it is asked again; or
                the kind of failure when there is no connection to the host at all.
        """
        site = robots_site(url)
        entry = self._current(site) or await self._asked.once(site, self._fetch)
        if entry.robots is None:
            rest = max(entry.until - self._monotonic(), 0.0)
            raise failure("robots-unreachable", f"{site}: {entry.cause}", rest)
        return entry.robots

    def _current(self, site: str) -> CachedRules | None:
        entry = self._entries.get(site)
        if entry is None or entry.until <= self._monotonic():
            return None
        self._entries.move_to_end(site)
        return entry

    async def _fetch(self, site: str) -> CachedRules:
        before = self._entries.get(site)
        try:
            entry = await self._follow(f"{site}/robots.txt")
        except FetchError as error:
            if error.kind in NO_CONNECTION | OUR_FAULTS:
                raise  # the page would fail alike, and the true cause is the one to count
            entry = CachedRules(None, 0.0, cause=error.kind)
        if entry.robots is None:
            entry = self._to_retry(entry, before.failures if before else 0)
        self._keep(site, entry)
        return entry

    def _keep(self, site: str, entry: CachedRules) -> None:
        """Remember an entry, and forget what has not been needed for longest where room ends."""
        if before := self._entries.pop(site, None):
            self._bytes -= before.size()
        self._entries[site] = entry
        self._bytes += entry.size()
        while self._bytes > self._most_bytes and len(self._entries) > 1:
            self._bytes -= self._entries.popitem(last=False)[1].size()

    async def _follow(self, url: str) -> CachedRules:
        chain: list[str] = []
        while True:
            response = await self._ask(url)
            access = access_for(response.status)
            if access is not Access.REDIRECT:
                return await self._read(response, access)
            target = _hop(response, chain)
            if target is None:
                return self._valid(NO_RULES)
            chain.append(url)
            url = target

    async def _read(self, response: Response, access: Access) -> CachedRules:
        if access is Access.PARSE:
            return self._valid(await _parse(response.body, self._agent))
        if access is Access.ALLOW:
            return self._valid(NO_RULES)
        wait = min(retry_after(response) or 0.0, DAY_SECONDS)  # rules of a day ago do not hold
        return CachedRules(None, self._monotonic() + wait, cause=f"status {response.status}")

    def _valid(self, robots: SiteRules) -> CachedRules:
        return CachedRules(robots, self._monotonic() + DAY_SECONDS)

    def _to_retry(self, entry: CachedRules, failures: int) -> CachedRules:
        """An entry without rules, with a time to ask again: later each time, a day at most."""
        wait = min(FIRST_RETRY_SECONDS * 2**failures, DAY_SECONDS)
        until = max(entry.until, self._monotonic() + wait)
        return CachedRules(None, until, failures + 1, entry.cause)


def robots_site(url: str) -> str:
    """Scheme, host and port of a normal URL, for which one robots.txt holds."""
    return "/".join(url.split("/", 3)[:3])


async def _parse(body: bytes, agent: str) -> SiteRules:
    """A long file takes half a second, during which other responses must not wait."""
    if len(body) < _LONG_FILE:
        return _rules(body, agent)
    return await asyncio.to_thread(_rules, body, agent)


def _rules(body: bytes, agent: str) -> SiteRules:
    return Robots.parse(body).for_agent(agent)


def _hop(response: Response, chain: list[str]) -> str | None:
    """Where a redirected robots.txt is; None where it is nowhere, which means no rules."""
    if len(chain) >= MOST_REDIRECTS:
        return None
    try:
        return next_hop(response, chain)
    except FetchError:
        return None
