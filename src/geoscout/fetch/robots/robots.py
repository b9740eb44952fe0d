"""robots.txt: what a site lets us fetch, how fast, and where its sitemaps are.

RFC 9309 as Google's reference implementation reads it, and the stricter of the two where they
differ: a crawler that stays out in doubt offends nobody. Written here rather than wrapped round
Protego, which reads 12 of Google's 142 cases otherwise, most of them in the way it forms groups
(docs/why/robots.md). Nothing here reaches the network: the fetcher brings status and body.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

from geoscout.fetch.robots.lines import read_records
from geoscout.fetch.robots.rules import Rule, canonical_path, compile_rules, path_of

EVERYBODY = "*"
LONGEST_DELAY_SECONDS = 300.0  # longer ones would mean "never"; Heritrix draws the line there, too
MOST_REDIRECTS = 5  # RFC 9309, 2.3.1.2; after these the file is unavailable: `Access.ALLOW`
_PRODUCT_TOKEN = re.compile(r"[A-Za-z_-]*")
_EVERYBODY = re.compile(r"\*(?:\s|$)")
_NUMBER = re.compile(r"\d{1,9}(?:[.,]\d{1,9})?|[.,]\d{1,9}")
_TOO_MANY_REQUESTS = 429


class Access(StrEnum):
    """What the status of the answer for /robots.txt says about the site."""

    PARSE = "parse"  # the body holds the rules
    REDIRECT = "redirect"  # ask there, `MOST_REDIRECTS` times at most
    ALLOW = "allow"  # there are no rules
    DISALLOW = "disallow"  # stay out, and ask again later


def access_for(status: int | None) -> Access:
    """What to do after an answer for /robots.txt; None means that there was no answer.

    RFC 9309, 2.3.1: unavailable (4xx) lets a crawler in, unreachable (5xx) keeps it out. 429 keeps
    it out too, as with Google: the RFC does not oblige to enter after 4xx, and a server that is
    asked too much has not said that there are no rules.
    """
    if status is None or status == _TOO_MANY_REQUESTS:
        return Access.DISALLOW
    classes = {2: Access.PARSE, 3: Access.REDIRECT, 4: Access.ALLOW}
    return classes.get(status // 100, Access.DISALLOW)


@dataclass(slots=True)
class _Group:
    """The lines for one agent.

    Each list is shared by all agents named above it, so that a file with ten thousand agents above
    ten thousand rules costs their sum, not their product.
    """

    lines: list[list[tuple[bool, str]]] = field(default_factory=list)  # allow?, value
    delays: list[list[float]] = field(default_factory=list)  # seconds


class Robots:
    """A site's robots.txt. Make one with `Robots.parse`."""

    __slots__ = ("_groups", "_rules", "sitemaps")

    def __init__(self, groups: dict[str, _Group], sitemaps: tuple[str, ...]) -> None:
        self.sitemaps = sitemaps  # as written: mostly, not always, absolute URLs
        self._groups = groups
        self._rules: dict[str, tuple[Rule, ...]] = {}

    @classmethod
    def parse(cls, body: bytes) -> Robots:
        """Read any bytes: what cannot be understood is skipped, what is too long is cut."""
        reader = _Reader()
        for name, value in read_records(body):
            reader.take(name, value)
        return cls(reader.groups, tuple(reader.sitemaps))

    def allows(self, agent: str, url: str) -> bool:
        """Whether `agent`, a product token such as `geoscout`, may fetch an absolute URL."""
        rule = self.deciding_rule(agent, url)
        return rule is None or rule.allow

    def deciding_rule(self, agent: str, url: str) -> Rule | None:
        """The longest rule that speaks of the URL; None when none does, and it may be fetched."""
        path = path_of(url)
        if path == "/robots.txt":  # RFC 9309, 2.2.2
            return None
        canonical = canonical_path(path)
        rules = self._rules_for(_key(agent))
        return next((rule for rule in rules if rule.matches(path, canonical)), None)

    def crawl_delay(self, agent: str) -> float | None:
        """Seconds to leave between requests, `LONGEST_DELAY_SECONDS` at most; None if not given."""
        group = self._group_for(_key(agent))
        longest = max((delay for delays in group.delays for delay in delays), default=None)
        return None if longest is None else min(longest, LONGEST_DELAY_SECONDS)

    def _group_for(self, key: str) -> _Group:
        return self._groups.get(key) or self._groups.get(EVERYBODY) or _Group()

    def _rules_for(self, key: str) -> tuple[Rule, ...]:
        """The agent's rules, the longest first and permissions before prohibitions."""
        rules = self._rules.get(key)
        if rules is None:
            lines = {line: None for lines in self._group_for(key).lines for line in lines}
            found = [rule for allow, value in lines for rule in compile_rules(value, allow=allow)]
            found.sort(key=lambda rule: (-len(rule.pattern), not rule.allow))
            rules = self._rules[key] = tuple(found)
        return rules


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
