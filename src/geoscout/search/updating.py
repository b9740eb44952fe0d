"""Keeps the index up with the crawl.

It may be called at any time and as often as one likes, also while the crawl runs; it does what is
new.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from geoscout.geocode import open_geocoder
from geoscout.index.base import WritableIndex
from geoscout.search.documents import Facts, make_document
from geoscout.search.located import UPDATE_PATIENCE, AddressLocator
from geoscout.search.opening import change_index, erase_index
from geoscout.settings import Settings, load_settings
from geoscout.state.base import open_state
from geoscout.state.changes import ChangedPage, can_follow, follow_changes
from geoscout.store.base import StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.model import OnProgress
from geoscout_places.urls import normalise

_PARENTS_REMEMBERED = 256

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IndexUpdate:
    """What an update did."""

    added: int = 0  # pages new or changed
    removed: int = 0  # pages that are gone, or could not be read
    busy: bool = False  # someone else is updating the index, so nothing was done


def follow_crawl(
    where: Path | str,
    gazetteer: Gazetteer,
    *,
    settings: Settings | None = None,
    progress: OnProgress | None = None,
) -> IndexUpdate:
    """Bring the index of the crawl at an address up to date.

    The first call makes it. `settings` None means those of file and environment.

    Raises:
        UsageError: there is no crawl.
    """
    settings = settings or load_settings()
    with open_state(where).reader as store:
        writer = change_index(where, gazetteer, settings)
        if writer is not None and not can_follow(store, writer.cursor):
            _log.warning("the index is ahead of the crawl, an older copy: it is made again")
            writer.close()
            erase_index(where, settings)
            writer = change_index(where, gazetteer, settings)
        if writer is None:
            return IndexUpdate(busy=True)
        with closing(writer), _locating(gazetteer, settings) as locator:
            if writer.cursor == store.last_change():
                return IndexUpdate()
            indexer = _Indexer(store, writer, gazetteer, locator)
            followed = follow_changes(store, writer.cursor, indexer, progress)
            writer.commit(followed.cursor)
            return IndexUpdate(followed.added, followed.removed)


class _Indexer:
    """Makes documents of pages for the index; implements `Applier`."""

    def __init__(
        self,
        store: CrawlReader,
        writer: WritableIndex,
        gazetteer: Gazetteer,
        locator: AddressLocator,
    ) -> None:
        self._store = store
        self._writer = writer
        self._gazetteer = gazetteer
        self._locator = locator
        self._anchors_of = lru_cache(_PARENTS_REMEMBERED)(self._read_anchors)
        self.remove = writer.remove

    def add(self, page: ChangedPage) -> None:
        reading = page.reading
        facts = Facts(
            page.visit,
            reading.places,
            addresses=[self._locator.locate(address) for address in reading.addresses],
            points=[point for point, _ in reading.points],
            anchor=self._anchor(page.visit),
        )
        self._writer.add(make_document(facts, page.read.page, self._gazetteer))

    def commit(self, cursor: str) -> bool:
        self._writer.commit(cursor)
        return True

    def _anchor(self, visit: StoredVisit) -> str:
        return self._anchors_of(visit.parent).get(visit.url, "") if visit.parent else ""

    def _read_anchors(self, parent: str) -> dict[str, str]:
        """The anchor texts of a page by the URL they lead to, the first of each."""
        visits = [visit for visit in self._store.visits_of(parent) if visit.is_page]
        links = self._store.links_of(visits[-1].n) if visits else []
        anchors: dict[str, str] = {}
        for link in links:
            anchors.setdefault(normalise(link.url) or link.url, link.anchor or link.alt)
        return anchors


@contextmanager
def _locating(gazetteer: Gazetteer, settings: Settings) -> Iterator[AddressLocator]:
    """What places addresses, with the geocoder if the settings name one."""
    geocoder = open_geocoder(settings, home_folder(settings))
    if geocoder is None:
        yield AddressLocator(gazetteer)
        return
    with closing(geocoder):
        yield AddressLocator(gazetteer, geocoder.spend(UPDATE_PATIENCE))
