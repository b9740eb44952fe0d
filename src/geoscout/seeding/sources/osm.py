"""Websites of the things on a map."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from geoscout.osm.files import read_objects
from geoscout.seeding.hints import SeedHint
from geoscout_places.gazetteer.areas.region import Region

# Things whose sites lead to much of their town.
_HUBS = frozenset(
    {
        "amenity=townhall", "amenity=community_centre", "amenity=library", "office=government",
        "tourism=information", "office=association", "amenity=university",
    }
)  # fmt: skip


def hints_of_map(path: Path, region: Region) -> Iterator[SeedHint]:
    """The websites of a file of OpenStreetMap, also those elsewhere: they tell chains.

    Raises:
        ImportFileError: it is not one.
    """
    for one in read_objects(path):
        websites = () if one.is_closed else one.websites
        for url in websites:
            yield SeedHint(
                url, "OpenStreetMap", one.name,
                inside=region.contains_point(one.point),
                is_hub=not _HUBS.isdisjoint(one.categories),
            )  # fmt: skip
