"""Keeps the index up with the crawl: follows the change log, reads the changed pages again.

It may be called at any time and as often as one likes, also while the crawl runs; it does what is
new. The store has no texts, so they are parsed from the archive once more: a millisecond a page,
in several processes if asked for, against a third more disk for every crawl.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from geoscout.geocode import open_geocoder
from geoscout.index.base import WritableIndex
from geoscout.search.documents import Facts, make_document
from geoscout.search.located import UPDATE_PATIENCE, AddressLocator
from geoscout.search.opening import change_index, erase_index
from geoscout.search.stated import StatedLandmark, date_of, landmarks_of
from geoscout.settings import Settings, load_settings
from geoscout.state.base import open_state
from geoscout.store.base import StoredReading, StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout_places.codec import Codec
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.model import OnProgress, Response
from geoscout_places.parse import parse_document
from geoscout_places.urls import normalise

_BATCH = 500  # changes read at a time
_COMMIT_EVERY = 20  # batches; a commit costs about as much as ten pages
_PARENTS_REMEMBERED = 256
_PARSED_AT_A_TIME = 20  # pages handed to a process

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
    workers: int = 1,
    progress: OnProgress | None = None,
) -> IndexUpdate:
    """Bring the index of the crawl at an address up to date.

    The first call makes it. `settings` None means those of file and environment; `workers` is the
    number of processes that parse.

    Raises:
        UsageError: there is no crawl.
    """
    settings = settings or load_settings()
    with open_state(where).reader as store:
        writer = change_index(where, gazetteer, settings)
        if writer is not None and not _is_of(store, writer.cursor):
            _log.warning("the index is ahead of the crawl, an older copy: it is made again")
            writer.close()
            erase_index(where, settings)
            writer = change_index(where, gazetteer, settings)
        if writer is None:
            return IndexUpdate(busy=True)
        with closing(writer), _locating(gazetteer, settings) as locator:
            if writer.cursor == store.last_change():
                return IndexUpdate()
            follower = _Follower(store, writer, gazetteer, locator)
            pays = store.changes_left(writer.cursor) >= _BATCH
            with _parsing(workers if pays else 1) as parse:
                return follower.follow(parse, progress or (lambda _done, _all: None))


def _is_of(store: CrawlReader, cursor: str) -> bool:
    """Whether a store can say what has changed since a cursor."""
    try:
        store.changes(cursor, 1)
    except UsageError:
        return False
    return True


class PageText(NamedTuple):
    """What is indexed of a page that the store does not have."""

    title: str
    text: str
    dated_at: float = 0.0  # when it was changed, as it says; seconds since the epoch, 0 for unknown
    landmarks: tuple[StatedLandmark, ...] = ()


ParseAll = Callable[[Iterable[Response]], Iterator[PageText]]


class _Follower:
    """One update."""

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

    def follow(self, parse: ParseAll, progress: OnProgress) -> IndexUpdate:
        added = removed = batches = followed = 0
        after = self._writer.cursor
        in_all = self._store.changes_left(after)
        while changes := self._store.changes(after, _BATCH):
            urls = {change.url for change in changes}
            done = self._add(self._store.pages_of(urls).values(), parse)
            for url in urls - done:
                self._writer.remove(url)
            added, removed = added + len(done), removed + len(urls) - len(done)
            after, batches, followed = changes[-1].cursor, batches + 1, followed + len(changes)
            if batches % _COMMIT_EVERY == 0:
                self._writer.commit(after)
            progress(followed, max(in_all, followed))
        self._writer.commit(after)
        return IndexUpdate(added, removed)

    def _add(self, pages: Iterable[StoredVisit], parse: ParseAll) -> set[str]:
        """Add the pages that may be found and whose answers the archive still holds; their URLs."""
        chosen = {page.n: page for page in pages if not page.noindex}
        readings = self._store.readings_of(chosen)
        responses = list(self._store.responses(chosen))
        texts = parse(response for _, response in responses)
        for (n, _), text in zip(responses, texts, strict=True):
            facts = self._facts(chosen[n], readings.get(n, StoredReading()))
            facts = replace(facts, dated_at=text.dated_at, landmarks=text.landmarks)
            self._writer.add(make_document(facts, text.title, text.text, self._gazetteer))
        return {chosen[n].url for n, _ in responses}

    def _facts(self, page: StoredVisit, reading: StoredReading) -> Facts:
        points = [point for point, _ in reading.points]
        anchor = self._anchors_of(page.parent).get(page.url, "") if page.parent else ""
        addresses = [self._locator.locate(address) for address in reading.addresses]
        return Facts(page, reading.places, addresses, points, anchor)

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


@contextmanager
def _parsing(workers: int) -> Iterator[ParseAll]:
    """Parsing here, or in other processes."""
    if workers <= 1:
        yield lambda responses: map(read_text, responses)
        return
    # Not forked: Tantivy's threads are running by now.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield lambda responses: map(
            _TEXTS.decode,
            pool.map(_read_packed, map(_RESPONSES.encode, responses), chunksize=_PARSED_AT_A_TIME),
        )


# Pages cross the processes as bytes of ours: the executor pickles nothing but those.
_RESPONSES, _TEXTS = Codec(Response), Codec(PageText)


def _read_packed(response: bytes) -> bytes:
    return _TEXTS.encode(read_text(_RESPONSES.decode(response)))


def read_text(response: Response) -> PageText:
    """Title, visible text, date and landmarks of a page."""
    content_type = response.header("content-type")
    page = parse_document(response.body, response.url, content_type)
    return PageText(page.title, page.text, date_of(page), landmarks_of(page))
