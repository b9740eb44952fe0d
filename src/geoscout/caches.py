"""Answers that are kept, up to a number of them.

`functools.lru_cache` takes twice as long for a known answer, and looking up is all that a cache in
the inner loops does: words and names come again and again. So a cache is a dictionary that finds
what it lacks. When it is full it forgets everything. That needs no order to be kept, and since the
frequent words come back at once, it costs little.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class BoundedCache(dict[_Key, _Value]):
    """A dictionary that finds what it lacks, and never holds more than `most` answers.

    >>> lengths = BoundedCache(len, most=2)
    >>> lengths["Rome"], lengths["Paris"], lengths["Lisbon"], list(lengths)
    (4, 5, 6, ['Lisbon'])
    """

    __slots__ = ("_find", "_most")

    def __init__(self, find: Callable[[_Key], _Value], most: int) -> None:
        super().__init__()
        self._find = find
        self._most = most

    def __missing__(self, key: _Key) -> _Value:
        found = self._find(key)
        if len(self) >= self._most:
            self.clear()
        self[key] = found
        return found
