"""Which URLs have been seen: 17 bytes a URL instead of the 180 of a dictionary.

Most links lead to a URL that is known already, so this question is asked more often than any other
and must not reach a database. It is open addressing in plain arrays: a 64-bit fingerprint and the
number the URL was given. The fingerprint is Python's own hash of a string (SipHash with a new key
in every process): it costs least, and nobody outside can make two URLs collide. By chance, some two
of five million do once in a million crawls; the later one is then taken for known. The slots lie
in shards that grow one at a time by a quarter, so growing neither stops the crawl for seconds nor
needs twice the memory for a moment.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

_SHARDS = 256
_FULLEST = 0.8  # share of slots in use; a search for an unknown URL then takes 13 steps
_SMALLEST = 15  # slots; sizes are odd, or the bits that choose the shard would choose the slot too


class KnownUrls:
    """Gives URLs numbers, 1, 2, 3 and so on, in the order they are added."""

    def __init__(self, expected: int = 0) -> None:
        size = _odd(max(_SMALLEST, expected / _SHARDS / _FULLEST * 1.1))
        self._count = 0
        self._prints = [_zeros("q", size) for _ in range(_SHARDS)]
        self._numbers = [_zeros("I", size) for _ in range(_SHARDS)]
        self._room = [int(size * _FULLEST)] * _SHARDS  # how many more a shard takes

    def __len__(self) -> int:
        return self._count

    def find(self, url: str) -> int:
        """The number of a URL; 0 when it was never added."""
        fingerprint = hash(url) or 1
        shard = fingerprint % _SHARDS
        prints = self._prints[shard]
        slot = fingerprint % len(prints)
        while found := prints[slot]:
            if found == fingerprint:
                return self._numbers[shard][slot]
            slot -= 1  # below 0 Python goes on from the end: no need to wrap
        return 0

    def find_all(self, urls: Iterable[str]) -> list[int]:
        """What `find` says of each, without a call for each."""
        all_prints, all_numbers = self._prints, self._numbers
        numbers = []
        for url in urls:
            fingerprint = hash(url) or 1
            prints = all_prints[fingerprint % _SHARDS]
            slot = fingerprint % len(prints)
            while (found := prints[slot]) and found != fingerprint:
                slot -= 1
            numbers.append(all_numbers[fingerprint % _SHARDS][slot] if found else 0)
        return numbers

    def add(self, url: str) -> int:
        """Give a URL that `find` does not know its number."""
        fingerprint = hash(url) or 1
        shard = fingerprint % _SHARDS
        if not self._room[shard]:
            self._grow(shard)
        self._count = number = self._count + 1
        prints = self._prints[shard]
        slot = fingerprint % len(prints)
        while prints[slot]:
            slot -= 1
        prints[slot] = fingerprint
        self._numbers[shard][slot] = number
        self._room[shard] -= 1
        return number

    def _grow(self, shard: int) -> None:
        old_prints, old_numbers = self._prints[shard], self._numbers[shard]
        size = _odd(len(old_prints) * 1.25 + 8)
        prints, numbers = _zeros("q", size), _zeros("I", size)
        for fingerprint, number in zip(old_prints, old_numbers, strict=True):
            if fingerprint:  # as in `add`, without a call for each
                slot = fingerprint % size
                while prints[slot]:
                    slot -= 1
                prints[slot], numbers[slot] = fingerprint, number
        self._room[shard] += int(size * _FULLEST) - int(len(old_prints) * _FULLEST)
        self._prints[shard], self._numbers[shard] = prints, numbers


def _zeros(kind: str, size: int) -> array[int]:
    return array(kind, [0]) * size


def _odd(size: float) -> int:
    return int(size) | 1
