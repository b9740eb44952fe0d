"""Copies: pages whose text was seen before, and second URLs of one page.

These are the rules for crawls and simulations. A page is a copy if its host gave nearly the same
text before, or if any host gave the same long text; short texts of two hosts may be equal by
chance. The strategy hears of a copy. After a few copies of a text the host is taken to repeat
itself, and the links of further ones are left out: that ends calendars, session ids and filters,
which no rule for URLs can see. Many good pages have the same short text, such as the menus of many
houses; so short texts only count where one copy leads to the next.

One page may have two URLs: with http or https, with or without `www`, with or without
`/index.html`. None of these holds for all hosts, so each host shows it: its forms are believed to
be one page after three pairs of pages with the same long text, each pair with another text, so that
a host that answers everything with one page shows nothing. One pair with two texts, or of which one
is missing, ends it for the host. From then on a page is asked for in one form only.

What was seen is kept in tables in which the last to come has its place, so memory is bounded. A
page that is forgotten is asked for in its other form once more, as after a resume. Nodes learn
apart, because each asks for pages of its own.
"""

import re
from array import array
from collections import OrderedDict
from hashlib import blake2b
from typing import NamedTuple
from zlib import crc32

from geoscout_places.parse.likeness import are_near, is_long
from geoscout_places.urls import host_of

COPIES_FOLLOWED = 3  # pages of a host with nearly the same text before their links are left out
_HOSTS_REMEMBERED = 20_000  # about 20 MB
_TEXTS_REMEMBERED = 32  # of a host, the latest, compared one by one
_BITS = 17  # of the number of texts that are remembered exactly, and of pages: 3 MB
_SPREAD = 0x9E3779B97F4A7C15  # odd, so that multiplying loses nothing


class Repeat(NamedTuple):
    """What is known of the text of a page."""

    is_copy: bool = False  # it was seen before
    too_often: bool = False  # so often on its host that the links are left out


class SeenTexts:
    """The latest texts of the latest hosts, by fingerprint."""

    def __init__(self, most_alike: int = COPIES_FOLLOWED) -> None:
        """`most_alike`: pages of a host that are nearly the same before there are too many."""
        self._most_alike = most_alike
        self._hosts: OrderedDict[str, list[int]] = OrderedDict()
        # Each text and each page has one place, and the last to come has it.
        self._exact = array("Q", bytes(8 << _BITS))
        self._pages = array("Q", bytes(8 << _BITS))
        self._marks = array("Q", bytes(8 << _BITS))

    def add(self, url: str, mark: int, parent: str = "", node: str = "") -> Repeat:
        """Remember the text of a page by its fingerprint, 0 for none; a node knows only its own.

        `parent` is the URL of the page that led to it.
        """
        if not mark:
            return Repeat()
        host = f"{host_of(url)} {node}"
        alike = self._alike_on(host, mark)
        was_known = self._was_known(mark ^ crc32((node if is_long(mark) else host).encode()))
        self._note(url, mark)
        too_often = alike >= self._most_alike and (is_long(mark) or self._text_of(parent) == mark)
        return Repeat(was_known or alike > 0, too_often)

    def redirected(self, url: str, parent: str) -> None:
        """A redirect on the way from one page to the next has the text that it came from."""
        self._note(url, self._text_of(parent))

    def _note(self, url: str, mark: int) -> None:
        key = _hash(url)
        place = key >> (64 - _BITS)
        self._pages[place], self._marks[place] = key, mark

    def _text_of(self, url: str) -> int:
        key = _hash(url)
        place = key >> (64 - _BITS)
        return self._marks[place] if self._pages[place] == key else 0

    def _alike_on(self, host: str, mark: int) -> int:
        """How many of the latest texts of the host are nearly the same."""
        texts = self._hosts.setdefault(host, [])
        self._hosts.move_to_end(host)
        if len(self._hosts) > _HOSTS_REMEMBERED:
            self._hosts.popitem(last=False)
        alike = sum(are_near(mark, other) for other in texts)
        texts.append(mark)
        del texts[:-_TEXTS_REMEMBERED]
        return alike

    def _was_known(self, key: int) -> bool:
        place = (key * _SPREAD % (1 << 64)) >> (64 - _BITS)
        known = self._exact[place] == key
        self._exact[place] = key
        return known


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


_PAIRS_NEEDED = 3  # with different texts
_FORM_BITS = 16  # of the number of pages remembered: 1.5 MB
_ASKED, _MISSING = 0, 1  # the marks of pages whose answer has not come, or that are not there
_START = re.compile(r"https?://(?:www\.)?")
_INDEX = re.compile(r"(?i)(?<=/)(?:index|default|home)\.(?:[xs]?html?|php\d?|aspx?|jspx?|cfm)$")


class UrlForms:
    """Learns from the answers of hosts, and tells links that are another form of a known page."""

    def __init__(self) -> None:
        # By host, the texts of its pairs; None for one that has shown that its forms differ.
        self._hosts: OrderedDict[str, set[int] | None] = OrderedDict()
        self._keys = array("Q", bytes(8 << _FORM_BITS))  # a page
        self._urls = array("Q", bytes(8 << _FORM_BITS))  # in which form it was seen
        self._marks = array("Q", bytes(8 << _FORM_BITS))  # with what text

    def answered(self, url: str, mark: int, node: str = "") -> None:
        """Learn from a page; `mark` is its fingerprint."""
        other = self._other_mark(url, node)
        if other not in (None, _ASKED) and not other == mark == _MISSING:
            self._compare(_name(host_of(url), node), other or 0, mark)
        self._put(url, mark, node)

    def missing(self, url: str, node: str = "") -> None:
        """Learn from a page that is not there; another form of it may be asked for."""
        self.answered(url, _MISSING, node)

    def has_rules(self, host: str, node: str = "") -> bool:
        """Whether pages of a host have several forms, as far as it is known."""
        return len(self._hosts.get(_name(host, node)) or ()) >= _PAIRS_NEEDED

    def is_known(self, url: str, node: str = "") -> bool:
        """Whether a link leads to a page that was asked for in another form; else it is noted."""
        if not self.has_rules(host_of(url), node):
            return False
        if self._other_mark(url, node) not in (None, _MISSING):
            return True
        if self._keys[_key(url, node) >> (64 - _FORM_BITS)] != _key(url, node):
            self._put(url, _ASKED, node)
        return False

    def was_answered(self, url: str, node: str = "") -> bool:
        """Whether the page of a waiting request has come in another form meanwhile."""
        is_one = self.has_rules(host_of(url), node)
        return is_one and self._other_mark(url, node) not in (None, _MISSING, _ASKED)

    def _other_mark(self, url: str, node: str) -> int | None:
        """With what text the page was seen in another form; None where it was not."""
        key = _key(url, node)
        place = key >> (64 - _FORM_BITS)
        is_other = self._keys[place] == key and self._urls[place] != _hash(url)
        return self._marks[place] if is_other else None

    def _put(self, url: str, mark: int, node: str) -> None:
        key = _key(url, node)
        place = key >> (64 - _FORM_BITS)
        self._keys[place], self._urls[place], self._marks[place] = key, _hash(url), mark

    def _compare(self, name: str, one: int, other: int) -> None:
        """What two forms of a page show; equal short texts may be so by chance."""
        texts = self._hosts.setdefault(name, set())
        self._hosts.move_to_end(name)
        if len(self._hosts) > _HOSTS_REMEMBERED:
            self._hosts.popitem(last=False)
        if not are_near(one, other):
            self._hosts[name] = None
            return
        is_wanted = texts is not None and len(texts) < _PAIRS_NEEDED and is_long(one)
        if texts is not None and is_wanted and not any(are_near(one, text) for text in texts):
            texts.add(one)


def _name(host: str, node: str) -> str:
    return f"{host.removeprefix('www.')} {node}"


def _key(url: str, node: str) -> int:
    """What stands for all forms of a page."""
    return _hash(f"{node} {_INDEX.sub('', _START.sub('', url, 1))}")
