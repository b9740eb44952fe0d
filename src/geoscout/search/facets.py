"""Counts the pages that fit by place, for every level of the hierarchy.

A page counts for the places it has an address in or is about, not for those it names in passing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from geoscout.index.base import Index, PlaceField, Wanted
from geoscout.index.hierarchy import are_about
from geoscout.search.base import Facet
from geoscout.search.ranking import Slots
from geoscout_places.model import Kind, Place

PlaceOf = Callable[[int], Place | None]  # by its id
LEVELS = (Kind.COUNTRY, Kind.REGION, Kind.DISTRICT, Kind.CITY)
MOST = 10  # places of a level
_LOOKED_UP = 400  # places with the most pages; enough for ten of each level


def count_facets(
    reader: Index, place_of: PlaceOf, wanted: Wanted, slots: Slots | None
) -> tuple[Facet, ...]:
    """The places with the most pages, level by level.

    `slots` are all pages that fit, or None when they are too many to have been looked at.
    """
    field = PlaceField.ABOUT  # names in passing would fill the list
    if slots is None:
        return largest_places(reader.count_places(wanted, field), place_of)
    rows = reader.places_of(slots)
    ids, counts = np.unique(rows.places[are_about(rows)], return_counts=True)
    return _largest(ids, counts, place_of)


def largest_places(counts: Mapping[int, int], place_of: PlaceOf) -> tuple[Facet, ...]:
    """Of places with their pages, those with the most for each level."""
    by_id = sorted(counts.items())
    ids, pages = np.array(by_id, np.int64).reshape(-1, 2).T
    return _largest(ids, pages, place_of)


def _largest(ids: Slots, counts: Slots, place_of: PlaceOf) -> tuple[Facet, ...]:
    """The same of ids in ascending order: of places with as many pages the one with the least."""
    levels: dict[Kind, list[Facet]] = {level: [] for level in LEVELS}
    order = np.argsort(-counts, kind="stable")[:_LOOKED_UP]
    for id, pages in zip(ids[order].tolist(), counts[order].tolist(), strict=True):
        place = place_of(id)
        level = levels.get(place.kind) if place is not None else None
        if place is not None and level is not None and len(level) < MOST:
            level.append(Facet(place, pages))
    return tuple(facet for level in levels.values() for facet in level)
