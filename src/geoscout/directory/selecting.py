"""Which entries of a directory somebody wants: in a region, of a category, with some words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from geoscout.directory.categories import tags
from geoscout.directory.records import DirectoryEntry
from geoscout.errors import UsageError
from geoscout.gazetteer.areas.region import Region
from geoscout.gazetteer.base import Gazetteer
from geoscout.gazetteer.names import fold


@dataclass(frozen=True, slots=True)
class EntrySelection:
    """What entries must have; nothing asked for is had by all."""

    region: Region | None = None
    categories: frozenset[str] = frozenset()  # one of them
    words: tuple[str, ...] = ()  # all of them, folded; in the name, address, website or mail

    def of(self, entries: Iterable[DirectoryEntry]) -> Iterator[DirectoryEntry]:
        """Those of the entries that have it."""
        return (entry for entry in entries if self._has(entry))

    def _has(self, entry: DirectoryEntry) -> bool:
        if self.categories and self.categories.isdisjoint(entry.categories):
            return False
        if self.words:
            told = _told(entry)
            if not all(word in told for word in self.words):
                return False
        if self.region is None:
            return True
        return entry.point is not None and self.region.contains_point(entry.point)


def _told(entry: DirectoryEntry) -> str:
    address = entry.address.text if entry.address else ""
    texts = (entry.name, address, entry.website, *entry.mails, *entry.phones, *entry.categories)
    return " ".join(map(fold, texts))


def read_selection(region: str, category: str, text: str, gazetteer: Gazetteer) -> EntrySelection:
    """What was asked for; "" asks for nothing.

    Raises:
        UsageError: there is no such place or category.
    """
    return EntrySelection(
        Region.parse([region], gazetteer) if region else None,
        _categories_meant(category) if category else frozenset(),
        tuple(fold(text).split()),
    )


def _categories_meant(asked: str) -> frozenset[str]:
    """The tags that a text means: a tag, its value or its key."""
    plain = asked.strip().lower().replace(" ", "_")
    found = frozenset(t for t in tags() if plain in (t, *t.split("=")))
    if not found:
        known = ", ".join(sorted(tag.partition("=")[2] for tag in tags()))
        raise UsageError(f"there is no category {asked!r}; there are {known}")
    return found
