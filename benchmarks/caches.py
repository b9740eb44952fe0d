"""What a known answer costs: `BoundedCache` against `functools.lru_cache` and a dictionary by hand.

Usage: python benchmarks/caches.py

Nanoseconds a look-up of a word that is known, over a thousand words; best of several rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from time import perf_counter

from geoscout_places.caches import BoundedCache

_WORDS = [f"word{number}" for number in range(1000)]
_MOST = 100_000
_ROUNDS = 300


class _ByHand:
    """As such caches were written before."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def find(self, word: str) -> int:
        known = self._known.get(word)
        if known is None:
            if len(self._known) > _MOST:
                self._known.clear()
            known = self._known[word] = len(word)
        return known


def main() -> None:
    cache, by_hand = BoundedCache(len, _MOST), _ByHand()
    least_recently_used = lru_cache(_MOST)(len)
    _show("BoundedCache", lambda: [cache[word] for word in _WORDS])
    _show("BoundedCache in map", lambda: list(map(cache.__getitem__, _WORDS)))
    _show("functools.lru_cache", lambda: [least_recently_used(word) for word in _WORDS])
    _show("a dictionary by hand", lambda: [by_hand.find(word) for word in _WORDS])


def _show(name: str, ask: Callable[[], list[int]]) -> None:
    best = float("inf")
    for _ in range(_ROUNDS):
        start = perf_counter()
        ask()
        best = min(best, perf_counter() - start)
    print(f"{name:<24}{best / len(_WORDS) * 1e9:>8.0f} ns")


if __name__ == "__main__":
    main()
