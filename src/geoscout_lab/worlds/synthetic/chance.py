"""Random numbers that cost next to nothing to seed: one stream for every page and purpose.

A page is rendered alone and in any order, so its chances must not depend on what was drawn before.
Seeding numpy or `random` for each page takes longer than the page; a linear congruential generator
over a mixed 64-bit state is plenty for texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

_MASK = (1 << 64) - 1
_Item = TypeVar("_Item")


def mix(first: int, second: int) -> int:
    """Two numbers as one of 64 bits (the finaliser of splitmix64)."""
    value = (first * 0x9E3779B97F4A7C15 + second + 0x632BE59BD9B4E019) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def share_of(first: int, second: int) -> float:
    """One number from 0 to below 1 that depends on both."""
    return (mix(first, second) >> 11) / (1 << 53)


class Chance:
    """A stream of chances that begins with two numbers."""

    __slots__ = ("_state",)

    def __init__(self, first: int, second: int) -> None:
        self._state = mix(first, second)

    def below(self, most: int) -> int:
        """A whole number from 0 to below `most`."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & _MASK
        return (self._state >> 33) % most

    def hits(self, share: float) -> bool:
        """True in that share of the cases."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & _MASK
        return (self._state >> 33) < share * 2147483648.0

    def pick(self, items: Sequence[_Item]) -> _Item:
        """One of the items."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & _MASK
        return items[(self._state >> 33) % len(items)]

    def between(self, least: int, most: int) -> int:
        """A whole number from `least` to `most`."""
        return least + self.below(most - least + 1)
