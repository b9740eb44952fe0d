"""Opens the index of a crawl, and keeps it up with the crawl.

It may be called at any time and as often as one likes, also while the crawl runs; it does what is
new. Only this module knows which index it is: everything else in search reads and writes by the
Protocols of `index/base.py`.

A crawl keeps the points of addresses that it could find while it ran. A street table that was
imported later, or replies of a geocoder that the crawl did not wait for, count from the next update
on.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from msgspec.structs import replace

from geoscout.geocode import AskingLimits, GeocodingBudget, open_geocoder
from geoscout.index.base import Index, WritableIndex
from geoscout.index.places import SynsetPlaces
from geoscout.index.reader import IndexReader
from geoscout.index.writer import IndexWriter, erase
from geoscout.search.common_node import CommonNodes
from geoscout.search.documents import Facts, make_document
from geoscout.settings import Settings, load_settings
from geoscout.state.base import index_folder, open_state
from geoscout.state.changes import ChangedPage, can_follow, follow_changes
from geoscout.store.base import StoredAddress, StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.geo.address.placing import at_street, is_coarse
from geoscout_places.model import OnProgress
from geoscout_places.urls import normalise

UPDATE_PATIENCE = AskingLimits(seconds=1.0, in_all=20.0)  # a rebuild asks for the rest


class AddressLocator:
    """Places addresses by the replies of a geocoder, else by street tables."""

    def __init__(self, gazetteer: Gazetteer, asking: GeocodingBudget | None = None) -> None:
        self._gazetteer = gazetteer
        self._asking = asking

    def locate(self, stored: StoredAddress) -> StoredAddress:
        """The address with the best point there is."""
        address = stored.address
        town = self._gazetteer.place(stored.place_id) if stored.place_id else None
        found = at_street(address, town, self._gazetteer)
        if self._asking and is_coarse(address):
            refined = self._asking.refine(address)
            found = refined if refined != address else found
        return stored if found == address else replace(stored, address=found)


_PLACES_REMEMBERED = 50_000


def open_index(where: Path | str, settings: Settings | None = None) -> Index:
    """The index of the crawl at an address, as of its last commit.

    `settings` None means those of file and environment, here and below.

    Raises:
        UsageError: there is no index yet.
    """
    return IndexReader(_folder(where, settings))


def change_index(
    where: Path | str, gazetteer: Gazetteer, settings: Settings | None = None
) -> WritableIndex | None:
    """The index of the crawl at an address, made if it is new, for one process that changes it.

    None while another process changes it.
    """
    folder = _folder(where, settings)
    return IndexWriter.open(
        folder,
        _ancestors_by(gazetteer),
        gazetteer.identity,
        synset_of=SynsetPlaces(gazetteer).of_place,
    )


def erase_index(where: Path | str, settings: Settings | None = None) -> None:
    """Forget the index of a crawl; the next update makes it from the beginning.

    Raises:
        GeoscoutError: the crawl cannot be read, so the index could not be made again.
    """
    with open_state(where).reader:
        pass
    erase(_folder(where, settings))


def _folder(where: Path | str, settings: Settings | None) -> Path:
    return index_folder(where, home_folder(settings or load_settings()))


def _ancestors_by(gazetteer: Gazetteer) -> Callable[[int], list[int]]:
    @lru_cache(maxsize=_PLACES_REMEMBERED)
    def ancestors(id: int) -> list[int]:
        place = gazetteer.place(id)
        return [above.id for above in gazetteer.ancestors(place)] if place else []

    return ancestors


_PARENTS_REMEMBERED = 256
COMMON_NODE = "common-node"
_WAYS = ("models", COMMON_NODE)

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
        UsageError: there is no crawl, or `index_places` is none of its values.
    """
    settings = settings or load_settings()
    if settings.index_places not in _WAYS:
        raise UsageError(f"index_places is {' or '.join(_WAYS)}, not {settings.index_places!r}")
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
            nodes = CommonNodes(gazetteer) if settings.index_places == COMMON_NODE else None
            indexer = _Indexer(store, writer, gazetteer, locator, nodes)
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
        nodes: CommonNodes | None = None,
    ) -> None:
        """`nodes`: what reads the places of pages, in place of the models of the geoparser."""
        self._nodes = nodes
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
            self._nodes.places(page.read.page.text) if self._nodes else reading.places,
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
