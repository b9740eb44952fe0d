"""Entries and a crawl that knows when their pages were fetched."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from geoscout.store.base import StoredVisit
from geoscout_directory.listing.finding import Listing
from geoscout_directory.listing.writing import ListingEdition, ListingWriter
from geoscout_directory.merging import merge_entries
from geoscout_directory.records import PageEntry
from geoscout_places.gazetteer.base import Gazetteer
from tests.unit.directory.test_merging import SALON

GUIDE, OTHER = "http://guide.example/1", "http://other.example/"
HAIR = replace(SALON, url=GUIDE, categories=("shop=hairdresser",))


def said(name: str = HAIR.name, url: str = GUIDE, **facts: object) -> PageEntry:
    """A statement about a hairdresser."""
    return replace(HAIR, name=name, url=url, **facts)


@dataclass
class PagesAt:
    """Pages by the times at which they were fetched."""

    times: dict[str, float] = field(default_factory=dict)

    def last_visits(self, urls: Collection[str]) -> Mapping[str, StoredVisit]:
        return {url: _visit(url, self.times.get(url, 100.0)) for url in urls}


def _visit(url: str, at: float) -> StoredVisit:
    return StoredVisit(
        n=7, url=url, node="", status=200, relevant=True, priority=1.0, depth=0, distance=0,
        parent="", fetched_at=at, seconds=0.1, address="", size=9, title="", language="",
        digest=b"", simhash=0, is_page=True,
    )  # fmt: skip


@dataclass
class Listed:
    """A listing in a folder, filled again and again."""

    folder: Path
    gazetteer: Gazetteer
    made_with: str = "persons=False"
    count: int = 0

    def fill(
        self, statements: Iterable[PageEntry], times: dict[str, float] | None = None
    ) -> Listing:
        """Fill it with what statements are about; `times` are those of pages fetched since."""
        self.count += 1
        edition = ListingEdition(cursor=str(self.count), made_with=self.made_with, pages=9)
        pages = PagesAt(times or {})
        with ListingWriter(self.folder, lambda place: self.gazetteer.lineage(place).ids) as writer:
            writer.refresh(merge_entries(statements), edition, pages, pages.times)
        return Listing(self.folder, self.gazetteer.place)
