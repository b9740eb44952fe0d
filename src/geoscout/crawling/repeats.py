"""Repeated texts: which hosts give nearly the same page again and again.

The links of such pages are left out. That ends calendars, session ids and filters, which no rule
for URLs can see.
"""

from __future__ import annotations

from collections import OrderedDict

from geoscout.parse.likeness import are_near

_HOSTS_REMEMBERED = 20_000  # about 20 MB
_TEXTS_REMEMBERED = 32  # of a host, the latest


class SeenTexts:
    """The latest texts of the latest hosts, by simhash."""

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, list[int]] = OrderedDict()

    def add(self, host: str, simhash: int) -> int:
        """Remember a text; returns how many of those before it are nearly the same."""
        if not simhash:
            return 0
        texts = self._hosts.setdefault(host, [])
        self._hosts.move_to_end(host)
        if len(self._hosts) > _HOSTS_REMEMBERED:
            self._hosts.popitem(last=False)
        alike = sum(are_near(simhash, other) for other in texts)
        texts.append(simhash)
        del texts[:-_TEXTS_REMEMBERED]
        return alike
