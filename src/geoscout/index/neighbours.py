"""Pages related by place: at the same place, at its parent and children, at the nearest ones.

This is how the published index links pages that have no link to each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from geoscout.gazetteer.base import Gazetteer
from geoscout.index.base import Index, Wanted, Where
from geoscout.index.place_table import PlaceTable
from geoscout.model import Place

_NODES_LOOKED_AT = 20  # the nearest ones; many have pages of their own


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The pages around a page, as slots."""

    place: Place  # the page's main place, from which the rest is seen
    same: tuple[int, ...]
    parent: tuple[int, ...]
    children: tuple[int, ...]
    nearest: tuple[int, ...]  # at the nearest other places, the nearest first


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Finds neighbours in one index."""

    reader: Index
    gazetteer: Gazetteer
    table: PlaceTable

    def of_page(self, slot: int, limit: int = 10) -> Neighbours | None:
        """The neighbours of a page; None when it has no place."""
        place = self.gazetteer.place(int(self.reader.main_places(np.array([slot]))[0]))
        if place is None:
            return None
        held = [c.id for c in self.gazetteer.children(place) if c.id in self.table.pages]
        return Neighbours(
            place,
            self._at([place.id], slot, limit),
            self._at([place.parent] if place.parent else [], slot, limit),
            self._at(held, slot, limit),
            self._nearest(place, slot, limit),
        )

    def _nearest(self, place: Place, slot: int, limit: int) -> tuple[int, ...]:
        found: list[int] = []
        for other in self.table.nearest(place.point, _NODES_LOOKED_AT):
            if other.kind == place.kind and other.id != place.id:
                found += (page for page in self._at([other.id], slot, limit) if page not in found)
            if len(found) >= limit:
                break
        return tuple(found[:limit])

    def _at(self, ids: Iterable[int], slot: int, limit: int) -> tuple[int, ...]:
        """The pages that name one of the places themselves."""
        where = Where(places=tuple(ids), field="direct")
        if not where.places:
            return ()
        found = self.reader.find(Wanted(where=(where,)), limit + 1)
        return tuple(other for other in sorted(found.slots.tolist()) if other != slot)[:limit]
