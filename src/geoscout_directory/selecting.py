"""Reads which entries somebody wants: in a region, of a category, with some words, since a day."""

from __future__ import annotations

import time
from dataclasses import dataclass

from geoscout.store.export import read_since
from geoscout_directory.categories import tags
from geoscout_directory.listing.questions import ListingQuestion
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.names import fold


@dataclass(frozen=True, slots=True)
class EntryFilters:
    """What was asked for, as it is written; "" asks for nothing."""

    text: str = ""
    category: str = ""
    since: str = ""  # a day, a time, or how long ago
    within: str = ""  # what a region was read from


def read_entry_filters(given: EntryFilters, region: Region | None = None) -> ListingQuestion:
    """What was asked for.

    Raises:
        UsageError: there is no such category, or `since` is not a time.
    """
    return ListingQuestion(
        words=tuple(fold(given.text).split()),
        categories=_categories_meant(given.category) if given.category else frozenset(),
        within=given.within,
        region=region,
        since=read_since(given.since, time.time()) if given.since else 0.0,
    )


def _categories_meant(asked: str) -> frozenset[str]:
    """The tags that a text means: a tag, its value or its key."""
    plain = asked.strip().lower().replace(" ", "_")
    found = frozenset(t for t in tags() if plain in (t, *t.split("=")))
    if not found:
        known = ", ".join(sorted(tag.partition("=")[2] for tag in tags()))
        raise UsageError(f"there is no category {asked!r}; there are {known}")
    return found
