"""Hangs a page into the hierarchy of places: what it says of a town, its county inherits.

The result is one small tree per area: leaves are the places the page names, inner places are those
that contain them. The share of an inner place is the sum over what lies right inside, unless the
page's scope gave it more itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from geoscout.index.base import ADDRESS, DIRECT, MAIN, PlaceEvidence

STRONG = ADDRESS | MAIN
_MOST_MENTIONS = 65_535

Ancestors = Callable[[int], Sequence[int]]  # of a place, from its parent upwards


@dataclass(frozen=True, slots=True)
class HierarchyRow:
    """One place of a page's hierarchy, with all that the page says of it or inside it."""

    place_id: int
    share: float
    mentions: int
    flags: int  # DIRECT where the page itself names it; ADDRESS, MAIN also when inherited


def hang(evidence: Iterable[PlaceEvidence], ancestors: Ancestors) -> list[HierarchyRow]:
    """The rows of every place of the page's hierarchy, in the order of their ids."""
    given = {part.place_id: part for part in evidence if part.place_id}
    parents: dict[int, int] = {}
    depths: dict[int, int] = {}
    flags: dict[int, int] = defaultdict(int)
    mentions: dict[int, int] = defaultdict(int)
    for part in given.values():
        path = (part.place_id, *ancestors(part.place_id))
        parents |= zip(path, (*path[1:], 0), strict=True)
        depths |= zip(path, range(len(path), 0, -1), strict=True)
        flags[part.place_id] |= DIRECT
        passed_on = ADDRESS * part.has_address | MAIN * part.is_main
        for id in path:
            flags[id] |= passed_on
            mentions[id] += part.mentions
    shares = {id: part.share for id, part in given.items()}
    _add_up(shares, parents, sorted(depths, key=lambda id: -depths[id]))
    return [
        HierarchyRow(id, shares[id], min(mentions[id], _MOST_MENTIONS), flags[id])
        for id in sorted(parents)
    ]


def _add_up(shares: dict[int, float], parents: dict[int, int], deepest_first: list[int]) -> None:
    """Give every place what its children have together, if that is more than its own."""
    inside: dict[int, float] = defaultdict(float)
    for id in deepest_first:
        shares[id] = min(1.0, max(shares.get(id, 0.0), inside[id]))
        inside[parents[id]] += shares[id]
