"""Two URLs of one page: which forms of URLs give the same text, learned host by host.

`/news?id=3` and `/news.php?id=3`, `/` and `/index.html`, http and https, with and without `www`, a
slash at the end or a parameter that changes nothing: no rule holds for all hosts, so each host
shows it. A rule is believed after pairs of pages with the same text, each pair with another text:
a host that answers everything with one page shows nothing. One pair with two texts, or of which one
is missing, ends the rule for the host. From then on a page is asked for in one form only.

What was seen is kept in a table in which the last to come has its place, so memory is bounded. A
page that is forgotten is asked for in its other form once more, as after a resume. Nodes learn
apart, because each asks for pages of its own.
"""

from __future__ import annotations

import re
from array import array
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from hashlib import blake2b

from msgspec import Struct, field

from geoscout.parse.likeness import are_near, is_long
from geoscout.urls import host_of

_PAIRS_NEEDED = 3  # with different texts
_HOSTS_REMEMBERED = 20_000
_MOST_RULES = 32  # of a host
_BITS = 18  # of the number of forms remembered: 6 MB
_MISSING = 1  # the mark of a page that is not there
_ASKED = 0  # the mark of a page whose answer has not come

_WWW = re.compile(r"(?<=://)www\.")
_PAGE_TYPES = r"\.(?:[xs]?html?|php\d?|aspx?|jspx?|cfm|cgi|do)"
_INDEX = re.compile(rf"(?<=/)(?:index|default|home){_PAGE_TYPES}$", re.IGNORECASE)
_EXTENSION = re.compile(rf"(?<=[^/]){_PAGE_TYPES}(?=\?|$)", re.IGNORECASE)
_LAST_SEGMENT = re.compile(r"(?<=[^/:])/[^/?.]+/?(?:\?|$)")  # without a dot
_SLASH = re.compile(r"(?<=[^/])/(?=\?|$)")
_RULES = ("extension", "index", "scheme", "slash", "www")
_PARAMETER = "parameter "


class _Host(Struct):
    """What a host has shown; a rule that ended stays in `ended`, so that it cannot come back."""

    pairs: dict[str, set[int]] = field(default_factory=dict)  # texts of pairs, by rule
    ended: set[str] = field(default_factory=set)
    parameters: set[str] = field(default_factory=set)  # rules about parameters that it uses
    believed: tuple[str, ...] = ()

    def rules_for(self, url: str) -> list[str]:
        """The rules that a URL may show something about."""
        if "?" in url and len(self.parameters) < _MOST_RULES:
            self.parameters |= {_PARAMETER + name for name in _parameters(url)}
        return [rule for rule in (*_RULES, *self.parameters) if rule not in self.ended]

    def agree(self, rule: str, mark: int) -> None:
        """The page under two forms that a rule makes one has the same text."""
        texts = self.pairs.setdefault(rule, set())
        if len(texts) < _PAIRS_NEEDED and not any(are_near(mark, text) for text in texts):
            texts.add(mark)
            if len(texts) == _PAIRS_NEEDED:
                self.believed = tuple(sorted((*self.believed, rule)))

    def differ(self, rule: str) -> None:
        """They are two pages, so the rule does not hold here."""
        self.ended.add(rule)
        self.pairs.pop(rule, None)
        self.believed = tuple(each for each in self.believed if each != rule)


class UrlForms:
    """Learns from the answers of hosts, and tells links that are another form of a known page."""

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, _Host] = OrderedDict()
        self._keys = array("Q", bytes(8 << _BITS))  # a page under a rule
        self._urls = array("Q", bytes(8 << _BITS))  # in which form it was seen
        self._marks = array("Q", bytes(8 << _BITS))  # with what text

    def answered(self, url: str, mark: int, node: str = "") -> None:
        """Learn from a page; `mark` is its fingerprint."""
        self._learn(url, mark, node)

    def missing(self, url: str, node: str = "") -> None:
        """Learn from a page that is not there; another form of it may be asked for."""
        self._learn(url, _MISSING, node)

    def has_rules(self, host: str, node: str = "") -> bool:
        """Whether pages of a host have several forms, as far as it is known."""
        known = self._hosts.get(_name(host, node))
        return known is not None and bool(known.believed)

    def is_known(self, url: str, node: str = "") -> bool:
        """Whether a link leads to a page that was asked for in another form; else it is noted."""
        name = _name(host_of(url), node)
        host = self._hosts.get(name)
        if host is None or not host.believed:
            return False
        if self._other_marks(name, host, url) - {_MISSING}:
            return True
        joint = _key(name, "", self._joint(host, url))
        if self._place(joint) is None:
            self._put(joint, _hash(url), _ASKED)
        return False

    def was_answered(self, url: str, node: str = "") -> bool:
        """Whether the page of a waiting request has come in another form meanwhile."""
        name = _name(host_of(url), node)
        host = self._hosts.get(name)
        if host is None or not host.believed:
            return False
        return bool(self._other_marks(name, host, url) - {_MISSING, _ASKED})

    def _other_marks(self, name: str, host: _Host, url: str) -> set[int]:
        """What is known of the page in other forms, by the rules that are believed."""
        own, joint = _hash(url), _key(name, "", self._joint(host, url))
        places = [
            self._find(_key(name, rule, same), name, rule, same)
            for rule, same in _forms(host.believed, url)
        ]
        found = [place for place in (self._place(joint), *places) if place is not None]
        return {self._marks[place] for place in found if self._urls[place] != own}

    def _learn(self, url: str, mark: int, node: str) -> None:
        name, own = _name(host_of(url), node), _hash(url)
        host = self._host(name)
        for rule, same in _forms(host.rules_for(url), url):
            key = _key(name, rule, same)
            place = self._find(key, name, rule, same)
            if place is not None and self._urls[place] != own:
                self._compare(host, rule, self._marks[place], mark)
            self._put(key, own, mark)
        for plain in {url, self._joint(host, url)}:
            self._put(_key(name, "", plain), own, mark)

    def _find(self, key: int, name: str, rule: str, same: str) -> int | None:
        """Where a form of a page is kept; one without a parameter may be older than its rule."""
        place = self._place(key)
        if place is None and rule.startswith(_PARAMETER):
            return self._place(_key(name, "", same))
        return place

    @staticmethod
    def _joint(host: _Host, url: str) -> str:
        """What stands for a page under all rules that the host is believed to follow."""
        for rule in host.believed:
            url = _under(rule, url) or url
        return url

    @staticmethod
    def _compare(host: _Host, rule: str, one: int, other: int) -> None:
        """What two forms of a page show; equal short texts may be so by chance."""
        if one == other == _MISSING or _ASKED in (one, other):
            return
        if not are_near(one, other):
            host.differ(rule)
        elif is_long(one):
            host.agree(rule, one)

    def _host(self, name: str) -> _Host:
        host = self._hosts.setdefault(name, _Host())
        self._hosts.move_to_end(name)
        if len(self._hosts) > _HOSTS_REMEMBERED:
            self._hosts.popitem(last=False)
        return host

    def _place(self, key: int) -> int | None:
        place = key >> (64 - _BITS)
        return place if self._keys[place] == key else None

    def _put(self, key: int, url: int, mark: int) -> None:
        place = key >> (64 - _BITS)
        self._keys[place], self._urls[place], self._marks[place] = key, url, mark


def _forms(rules: Iterable[str], url: str) -> Iterator[tuple[str, str]]:
    """The rules by which a URL is one of several forms, and what stands for them all."""
    for rule in rules:
        if (same := _under(rule, url)) is not None:
            yield rule, same


def _under(rule: str, url: str) -> str | None:
    """The URL that stands for all forms of a page under a rule; None where there is one form.

    >>> _under("extension", "http://a.test/news.php?id=3"), _under("slash", "http://a.test/")
    ('http://a.test/news?id=3', None)
    """
    if rule == "scheme":
        return f"http://{url.partition('://')[2]}"
    if rule == "www":
        return _WWW.sub("", url, 1)
    if rule == "index":
        return _INDEX.sub("", url) if url[-1] == "/" or _INDEX.search(url) else None
    if rule == "slash":
        return _SLASH.sub("", url, 1) if _LAST_SEGMENT.search(url) else None
    if rule == "extension":
        is_either = _EXTENSION.search(url) or _LAST_SEGMENT.search(url)
        return _EXTENSION.sub("", url, 1) if is_either else None
    return _without(rule.removeprefix(_PARAMETER), url)


def _parameters(url: str) -> list[str]:
    """The names of the parameters of a URL.

    >>> _parameters("http://a.test/?id=3&plain&sid=4")
    ['id', 'sid']
    """
    parts = url.partition("?")[2].split("&")
    return [name for name, equals, _ in (part.partition("=") for part in parts) if equals]


def _without(name: str, url: str) -> str:
    """A URL without one of its parameters.

    >>> _without("sid", "http://a.test/?id=3&sid=4"), _without("id", "http://a.test/?id=3")
    ('http://a.test/?id=3', 'http://a.test/')
    """
    base, _, query = url.partition("?")
    kept = [part for part in query.split("&") if part.partition("=")[0] != name]
    return "?".join(filter(None, (base, "&".join(kept))))


def _name(host: str, node: str) -> str:
    return f"{host.removeprefix('www.')} {node}"


def _key(name: str, rule: str, same: str) -> int:
    return _hash(f"{name} {rule} {same}")


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
