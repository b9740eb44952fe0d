"""Repeated texts: which pages are copies, and which hosts give one page again and again.

This is the one rule for crawls and simulations. A page is a copy if its host gave nearly the same
text before, or if any host gave the same long text; short texts of two hosts may be equal by
chance. The strategy hears of a copy. After a few copies of a text the host is taken to repeat
itself, and the links of further ones are left out: that ends calendars, session ids and filters,
which no rule for URLs can see. Many good pages have the same short text, such as the menus of many
houses; so short texts only count where one copy leads to the next.
"""

from __future__ import annotations

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
