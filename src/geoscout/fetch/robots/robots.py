"""robots.txt: what a site lets us fetch, how fast, and where its sitemaps are.

RFC 9309 as Google's reference implementation reads it, and the stricter of the two where they
differ: a crawler that stays out in doubt offends nobody. Written here rather than wrapped round
Protego, which reads 12 of Google's 142 cases otherwise, most of them in the way it forms groups
(docs/why/robots.md). The way: bytes, records (`read_records`), groups (`_Reader`), and a group's
rules when an agent first asks (`rule_set.py`, `rules.py`). Nothing here reaches the network: the
fetcher brings status and body.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from enum import StrEnum
from http import HTTPStatus
from typing import Literal

from msgspec import Struct, field

from geoscout.fetch.robots.rules import Rule, RuleSet

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
        key = _key(agent)
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


def _key(agent: str) -> str:
    """The name under which an agent's group is kept; a version (`geoscout/1.0`) does not matter."""
    return agent.partition("/")[0].lower()


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
