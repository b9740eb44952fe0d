"""Entries and a crawl that knows when their pages were fetched."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from geoscout.store.base import StoredVisit, Totals
from geoscout_directory.listing.finding import Listing
from geoscout_directory.records import PageEntry
from geoscout_directory.storage import DirectoryFile
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

    def totals(self) -> Totals:
        return Totals(pages=9)


def _visit(url: str, at: float) -> StoredVisit:
    return StoredVisit(
        n=7, url=url, node="", status=200, relevant=True, priority=1.0, depth=0, distance=0,
        parent="", fetched_at=at, seconds=0.1, address="", size=9, title="", language="",
        digest=b"", simhash=0, is_page=True,
    )  # fmt: skip


@dataclass
class Listed:
    """A directory in a folder, filled again and again."""

    folder: Path
    gazetteer: Gazetteer
    made_with: str = "persons=False"
    known: set[str] = field(default_factory=set)

    def fill(
        self, statements: Iterable[PageEntry], times: dict[str, float] | None = None
    ) -> Listing:
        """Fill it with what statements are about; `times` are those of pages fetched since."""
        crawl = PagesAt(times or {})
        with DirectoryFile(self.folder, crawl, lambda p: self.gazetteer.lineage(p).ids) as file:
            assert file.begin(self.made_with)
            said: dict[str, list[PageEntry]] = {url: [] for url in {*self.known, *crawl.times}}
            for statement in statements:
                said.setdefault(statement.url, []).append(statement)
            for url, entries in said.items():
                file.replace(url, entries)
            file.merge("1")
            file.commit("1")
        self.known.update(said)
        return Listing(self.folder, self.gazetteer.place)
