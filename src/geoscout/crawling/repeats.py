"""Repeated texts: which pages are copies, and which hosts give one page again and again.

This is the one rule for crawls and simulations. A page is a copy if its host gave nearly the same
text before, or if any host gave the same long text; short texts of two hosts may be equal by
chance. The strategy hears of a copy. After a few copies of a text the host is taken to repeat
itself, and the links of further ones are left out: that ends calendars, session ids and filters,
which no rule for URLs can see.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from typing import NamedTuple
from zlib import crc32

from geoscout.parse.likeness import are_near, is_long

COPIES_FOLLOWED = 3  # pages of a host with nearly the same text before their links are left out
_HOSTS_REMEMBERED = 20_000  # about 20 MB
_TEXTS_REMEMBERED = 32  # of a host, the latest, compared one by one
_BITS = 18  # of the number of texts that are remembered exactly: 2 MB
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
        # Each text has one place, and the last to come has it.
        self._exact = array("Q", bytes(8 << _BITS))

    def add(self, host: str, mark: int, node: str = "") -> Repeat:
        """Remember the text of a page by its fingerprint, 0 for none; a node knows only its own."""
        if not mark:
            return Repeat()
        host = f"{host} {node}"
        alike = self._alike_on(host, mark)
        was_known = self._was_known(mark ^ crc32((node if is_long(mark) else host).encode()))
        return Repeat(was_known or alike > 0, alike >= self._most_alike)

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
