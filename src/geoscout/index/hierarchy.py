"""Hangs a page into the hierarchy of places: what it says of a town, its county inherits.

The result is one small tree per area: leaves are the places the page names, inner places are those
that contain them. The share of an inner place is the sum over what lies right inside, unless the
page's scope gave it more itself.

Each place carries its synset of GeoWordNet, and hangs below what GeoWordNet says it is part of and
the gazetteer does not: a page about Boston is below Massachusetts, and below New England too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from geoscout.index.base import ADDRESS, DIRECT, MAIN, PART, PlaceEvidence, PlaceRows

if TYPE_CHECKING:
    from geoscout.index.base import Numbers

STRONG = ADDRESS | MAIN
_MOST_MENTIONS = 65_535

_ABOUT = 0.3  # the share of a page's scope from which the page is about a place
_TRACE = 0.1  # a smaller share is that of a name in passing

Ancestors = Callable[[int], Sequence[int]]  # of a place, from its parent upwards


@dataclass(frozen=True, slots=True)
class PlaceSynset:
    """What GeoWordNet knows of a place."""

    offset: int = 0  # of its synset; 0 where it has none
    wholes: tuple[int, ...] = ()  # places it is part of that the hierarchy above it does not have
    kinds: tuple[int, ...] = ()  # offsets of what it is, the narrow kinds and the wide


SynsetOf = Callable[[int], PlaceSynset]
NO_SYNSET = PlaceSynset()


def no_synset(_place: int) -> PlaceSynset:
    """For an index without GeoWordNet."""
    return NO_SYNSET


@dataclass(frozen=True, slots=True)
class HierarchyRow:
    """One place of a page's hierarchy, with all that the page says of it or inside it."""

    place_id: int
    share: float
    mentions: int
    flags: int  # DIRECT where the page itself names it; ADDRESS, MAIN also when inherited
    synset: int = 0  # of GeoWordNet; 0 where it has none

    @property
    def is_about(self) -> bool:
        """Whether the page belongs to the place rather than names it in passing."""
        return bool(self.flags & STRONG) or self.share >= _TRACE


def are_about(rows: PlaceRows) -> Numbers:
    """The same of many rows: which of them are more than names in passing."""
    found: Numbers = (rows.flags & STRONG > 0) | (rows.shares >= _TRACE)
    return found


def hang(
    evidence: Iterable[PlaceEvidence], ancestors: Ancestors, synset_of: SynsetOf = no_synset
) -> list[HierarchyRow]:
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
    rows = {
        id: HierarchyRow(
            id, shares[id], min(mentions[id], _MOST_MENTIONS), flags[id], synset_of(id).offset
        )
        for id in parents
    }
    rows |= _hang_parts(rows, parents, synset_of)
    return [rows[id] for id in sorted(rows)]


def kinds_about(evidence: Iterable[PlaceEvidence], synset_of: SynsetOf) -> set[int]:
    """The kinds of the places a page is about: capitals, islands; offsets of GeoWordNet."""
    places = (p.place_id for p in evidence if p.is_main or p.has_address or p.share >= _ABOUT)
    return {kind for id in places for kind in synset_of(id).kinds}


def _hang_parts(
    rows: dict[int, HierarchyRow], parents: dict[int, int], synset_of: SynsetOf
) -> dict[int, HierarchyRow]:
    """The rows of what the places are part of by GeoWordNet, with all that their parts have."""
    parts: dict[int, set[int]] = defaultdict(set)
    for id in rows:
        for whole in synset_of(id).wholes:
            parts[whole].add(id)
    return {
        whole: _join(
            whole, [rows[id] for id in inside if parents[id] not in inside], rows, synset_of
        )
        for whole, inside in parts.items()
    }


def _join(
    whole: int, parts: list[HierarchyRow], rows: dict[int, HierarchyRow], synset_of: SynsetOf
) -> HierarchyRow:
    """The row of a whole; each of the parts is inside none of the others."""
    own = rows.get(whole, HierarchyRow(whole, 0.0, 0, 0))
    flags = own.flags
    for part in parts:
        flags |= PART | part.flags & STRONG
    return HierarchyRow(
        whole,
        max(own.share, min(1.0, sum(part.share for part in parts))),
        min(_MOST_MENTIONS, own.mentions + sum(part.mentions for part in parts)),
        flags,
        synset_of(whole).offset,
    )


def _add_up(shares: dict[int, float], parents: dict[int, int], deepest_first: list[int]) -> None:
    """Give every place what its children have together, if that is more than its own."""
    inside: dict[int, float] = defaultdict(float)
    for id in deepest_first:
        shares[id] = min(1.0, max(shares.get(id, 0.0), inside[id]))
        inside[parents[id]] += shares[id]
