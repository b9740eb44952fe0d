"""Puts ranked pages into groups: near-duplicates behind the best of them, hosts not too often.

A near-duplicate is left out and named with the page it repeats. Further pages of a host are not
left out, only put behind everything else, so that a crawl of one host can still be searched.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

MOST_BITS = 3  # of 64 that near-duplicates differ in at most; Manku and others, 2007
PAGES_OF_HOST = 2  # in a row of hits


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate in its place."""

    position: int  # among the candidates
    simhash: int
    host: int


@dataclass(slots=True)
class Group:
    """A hit and what stands behind it."""

    first: Ranked
    similar: list[int] = field(default_factory=list)  # positions of near-duplicates
    more_of_host: int = 0  # pages of the host that come later


def group(ranked: Sequence[Ranked], needed: int) -> list[Group]:
    """The groups in order; stops looking for duplicates after `needed` groups of other hosts.

    The rest follows ungrouped: nobody has asked for it yet.
    """
    shown: list[Group] = []
    later: list[Group] = []
    of_host: Counter[int] = Counter()
    leaders: dict[int, Group] = {}
    alike = _Alike()
    for candidate in ranked:
        if len(shown) >= needed:
            later.append(Group(candidate))
            continue
        if (double := alike.find(candidate.simhash)) is not None:
            double.similar.append(candidate.position)
            continue
        own = Group(candidate)
        alike.add(own)
        of_host[candidate.host] += 1
        leaders.setdefault(candidate.host, own)
        (shown if of_host[candidate.host] <= PAGES_OF_HOST else later).append(own)
    for host, pages in of_host.items():
        leaders[host].more_of_host = max(0, pages - PAGES_OF_HOST)
    return [*shown, *later]


class _Alike:
    """Finds groups by nearly equal hashes: two that differ in three bits share a quarter."""

    def __init__(self) -> None:
        self._by_quarter: dict[tuple[int, int], list[Group]] = defaultdict(list)

    def add(self, group: Group) -> None:
        for quarter in _quarters(group.first.simhash):
            self._by_quarter[quarter].append(group)

    def find(self, simhash: int) -> Group | None:
        if not simhash:
            return None
        for quarter in _quarters(simhash):
            for group in self._by_quarter.get(quarter, ()):
                if (group.first.simhash ^ simhash).bit_count() <= MOST_BITS:
                    return group
        return None


def _quarters(simhash: int) -> list[tuple[int, int]]:
    return [(n, simhash >> 16 * n & 0xFFFF) for n in range(4)]
