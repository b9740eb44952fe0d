"""Counts the pages that fit by place, for every level of the hierarchy.

A page counts for the places it has an address in or is about, not for those it names in passing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from operator import itemgetter

import numpy as np

from geoscout.index.base import Index, PlaceField, Wanted
from geoscout.index.hierarchy import are_about
from geoscout.model import Kind, Place
from geoscout.search.base import Facet
from geoscout.search.ranking import Slots

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
    counts = reader.count_places(wanted, field) if slots is None else _count(reader, slots)
    return largest_places(counts, place_of)


def largest_places(counts: Mapping[int, int], place_of: PlaceOf) -> tuple[Facet, ...]:
    """Of places with their pages, those with the most for each level."""
    levels: dict[Kind, list[Facet]] = defaultdict(list)
    by_id = sorted(counts.items())
    largest = sorted(by_id, key=itemgetter(1), reverse=True)  # of equals the one with the least id
    for id, pages in largest[:_LOOKED_UP]:
        place = place_of(id)
        if place is not None and len(levels[place.kind]) < MOST:
            levels[place.kind].append(Facet(place, pages))
    return tuple(facet for level in LEVELS for facet in levels[level])


def _count(reader: Index, slots: Slots) -> dict[int, int]:
    rows = reader.places_of(slots)
    ids, counts = np.unique(rows.places[are_about(rows)], return_counts=True)
    return dict(zip(ids.tolist(), counts.tolist(), strict=True))
