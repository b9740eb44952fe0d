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


@dataclass(slots=True)
class Group:
    """A hit and what stands behind it."""

    position: int  # of the hit among the candidates
    simhash: int
    similar: list[int] = field(default_factory=list)  # positions of near-duplicates
    more_of_host: int = 0  # pages of the host that come later


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups in order, and how many candidates were not looked at."""

    groups: list[Group]
    left: int


def group(simhashes: Sequence[int], hosts: Sequence[int], needed: int) -> Groups:
    """Group candidates, the best first; stops when there are as many groups as needed.

    Asking for more gives the same groups and further ones, so that pages of hits do not overlap.
    """
    shown: list[Group] = []
    later: list[Group] = []
    of_host: Counter[int] = Counter()
    leaders: dict[int, Group] = {}
    alike = _Alike()
    looked_at = 0
    for position, (simhash, host) in enumerate(zip(simhashes, hosts, strict=True)):
        if len(shown) >= needed:
            break
        looked_at += 1
        if (double := alike.find(simhash)) is not None:
            double.similar.append(position)
            continue
        own = Group(position, simhash)
        alike.add(own)
        of_host[host] += 1
        leaders.setdefault(host, own)
        (shown if of_host[host] <= PAGES_OF_HOST else later).append(own)
    for host, pages in of_host.items():
        leaders[host].more_of_host = max(0, pages - PAGES_OF_HOST)
    return Groups([*shown, *later], len(simhashes) - looked_at)


class _Alike:
    """Finds groups by nearly equal hashes: two that differ in three bits share a quarter."""

    def __init__(self) -> None:
        self._by_quarter: dict[tuple[int, int], list[Group]] = defaultdict(list)

    def add(self, group: Group) -> None:
        for quarter in _quarters(group.simhash):
            self._by_quarter[quarter].append(group)

    def find(self, simhash: int) -> Group | None:
        if not simhash:
            return None
        for quarter in _quarters(simhash):
            for group in self._by_quarter.get(quarter, ()):
                if (group.simhash ^ simhash).bit_count() <= MOST_BITS:
                    return group
        return None


def _quarters(simhash: int) -> list[tuple[int, int]]:
    return [(n, simhash >> 16 * n & 0xFFFF) for n in range(4)]
