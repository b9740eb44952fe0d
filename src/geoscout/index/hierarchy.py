"""Hangs a page into the hierarchy of places: what it says of a town, its county inherits.

The result is one small tree per area (SPEC's page scope): leaves are the places the page names,
inner nodes what contains them. The share of an inner node is the sum over what lies right inside,
unless the page's scope gave it more itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from geoscout.index.base import PlaceEvidence

DIRECT, ADDRESS, MAIN = 1, 2, 4
STRONG = ADDRESS | MAIN
_MOST_MENTIONS = 65_535

Ancestors = Callable[[int], Sequence[int]]  # of a place, from its parent upwards


@dataclass(frozen=True, slots=True)
class NodeRow:
    """One node of a page's hierarchy, with all that the page says of it or inside it."""

    place_id: int
    share: float
    mentions: int
    flags: int  # DIRECT where the page itself names it; ADDRESS, MAIN also when inherited


def hang(evidence: Iterable[PlaceEvidence], ancestors: Ancestors) -> list[NodeRow]:
    """The rows of every node of the page's hierarchy, in the order of their ids."""
    given = {part.place_id: part for part in evidence}
    parents: dict[int, int] = {}
    flags: dict[int, int] = defaultdict(int)
    mentions: dict[int, int] = defaultdict(int)
    for part in given.values():
        path = (part.place_id, *ancestors(part.place_id))
        parents |= zip(path, (*path[1:], 0), strict=True)
        flags[part.place_id] |= DIRECT
        passed_on = ADDRESS * part.has_address | MAIN * part.is_main
        for id in path:
            flags[id] |= passed_on
            mentions[id] += part.mentions
    shares = _shares(parents, {id: part.share for id, part in given.items()})
    return [
        NodeRow(id, shares[id], min(mentions[id], _MOST_MENTIONS), flags[id])
        for id in sorted(parents)
    ]


def _shares(parents: dict[int, int], own: dict[int, float]) -> dict[int, float]:
    children: dict[int, list[int]] = defaultdict(list)
    for id, parent in parents.items():
        children[parent].append(id)
    shares: dict[int, float] = {}

    def add_up(id: int) -> float:
        inside = sum(add_up(child) for child in children[id])
        shares[id] = min(1.0, max(own.get(id, 0.0), inside))
        return shares[id]

    for root in children[0]:
        add_up(root)
    return shares
