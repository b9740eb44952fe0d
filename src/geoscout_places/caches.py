"""Answers that are kept, up to a number of them.

In the inner loops a cache is asked for the same words and names again and again, so what counts is
the time for a known answer. `functools.lru_cache` needs half as much again as a dictionary
(`benchmarks/caches.py`), so a cache is a dictionary that finds what it lacks. When it is full it
forgets everything: then no order has to be kept, and since the frequent words come back at once,
it costs little.
"""

import ctypes
import gc
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import TypeVar

_LRU_CACHE = type(lru_cache(len))
_SMALL = 100  # answers; smaller ones hold what was loaded from files

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


def forget_all() -> None:
    """Empty every cache of this process that has a limit, and give the memory back to the system.

    They are looked for among all objects: this happens rarely, and so no cache has to be known.
    """
    for found in gc.get_objects():
        if isinstance(found, BoundedCache):
            found.clear()
        elif isinstance(found, _LRU_CACHE) and (found.cache_parameters()["maxsize"] or 0) > _SMALL:
            found.cache_clear()
    gc.collect()
    with suppress(OSError, AttributeError):  # another C library has no such function
        ctypes.CDLL(None).malloc_trim(0)
