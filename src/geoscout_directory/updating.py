"""Keeps a directory up with its crawl: follows the change log and reads the changed pages again.

As the search index does (`search/updating.py`). What the crawl has read of a page is taken from the
store (`packing.py`). Pages that it has not read, or with another version, are read from the
archive, so a directory can be made of any crawl that is there; addresses are taken from the store,
so such a page is parsed again but not geoparsed. Statements are merged again in the towns
that have changed; the result is the same as if the directory had been made at once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from geoscout.settings import Settings, load_settings
from geoscout.state.base import open_state
from geoscout.store.base import StoredReading, StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout_directory.folder import directory_folder
from geoscout_directory.packing import unpack_entries
from geoscout_directory.page_reader import EntryReader, PlacedAddress
from geoscout_directory.records import PageEntry
from geoscout_directory.storage import DirectoryFile
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.geo.limits import ReadingLimits, cut_page
from geoscout_places.model import OnProgress, Response
from geoscout_places.parse import parse_document
from geoscout_places.parse.outline import Outline, outline_of

_BATCH = 500  # changes read at a time
_COMMIT_EVERY = 20 * _BATCH
# What markup of a business has somewhere; a page without it and without an address says nothing.
_MARKUP = re.compile(rb"schema\.org|vcard|h-card|contact_data", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DirectoryUpdate:
    """What an update did."""

    pages: int = 0  # looked at
    entries: int = 0  # in the directory now
    busy: bool = False  # another process is making it, so that not all is there


def follow_pages(
    where: Path | str,
    gazetteer: Gazetteer,
    *,
    settings: Settings | None = None,
    persons: bool = False,
    progress: OnProgress | None = None,
) -> DirectoryUpdate:
    """Bring the directory of the crawl at an address up to date; the first call makes it.

    `settings` None means those of file and environment. `persons` keeps the names of people; a
    directory that was made the other way is made again.

    Raises:
        UsageError: there is no crawl.
    """
    settings = settings or load_settings()
    with (
        open_state(where).reader as store,
        DirectoryFile(directory_folder(where, home_folder(settings))) as file,
    ):
        reader = EntryReader(gazetteer, persons=persons)
        follower = _Follower(store, file, reader, ReadingLimits().text)
        made_with = f"persons={persons} gazetteer={gazetteer.identity}"
        return follower.follow(made_with, progress or (lambda _done, _all: None))


class _Follower:
    """One update."""

    def __init__(
        self, store: CrawlReader, file: DirectoryFile, reader: EntryReader, characters: int
    ) -> None:
        """`characters` of a page are looked at."""
        self._store, self._file, self._reader = store, file, reader
        self._characters = characters

    def follow(self, made_with: str, progress: OnProgress) -> DirectoryUpdate:
        if not self._file.begin(made_with):
            return DirectoryUpdate(entries=self._file.count(), busy=True)
        cursor = self._known_cursor()
        followed, in_all = 0, self._store.changes_left(cursor)
        while changes := self._store.changes(cursor, _BATCH):
            self._read({change.url for change in changes})
            cursor, followed = changes[-1].cursor, followed + len(changes)
            progress(followed, max(in_all, followed))
            if followed % _COMMIT_EVERY == 0:  # whoever is killed goes on from there
                self._file.commit(cursor)
                if not self._file.begin(made_with):
                    return DirectoryUpdate(followed, self._file.count(), busy=True)
        if self._file.note("merged") != cursor:
            self._file.merge(cursor)
        self._file.commit(cursor)
        return DirectoryUpdate(followed, self._file.count())

    def _known_cursor(self) -> str:
        """How far the crawl was followed; from the beginning where it is another crawl now."""
        cursor = self._file.note("cursor")
        try:
            self._store.changes(cursor, 1)
        except UsageError:
            self._file.remove_all()
            return ""
        return cursor

    def _read(self, urls: Collection[str]) -> None:
        pages = {page.n: page for page in self._store.pages_of(urls).values() if not page.noindex}
        left = set(urls)
        for n, packed in self._store.entries_of(pages).items():
            url = pages[n].url
            entries = unpack_entries(packed, url, persons=self._reader.persons)
            if entries is not None:
                left.discard(url)
                self._file.replace(url, entries)
        self._read_archive({n: page for n, page in pages.items() if page.url in left}, left)
        self._file.remove(left)

    def _read_archive(self, pages: Mapping[int, StoredVisit], left: set[str]) -> None:
        """Read pages whose entries the crawl has not stored; takes those that are there off."""
        readings = self._store.readings_of(pages)
        for n, response in self._store.responses(pages):
            url = pages[n].url
            left.discard(url)
            reading = readings.get(n, StoredReading())
            entries = read_response(self._reader, response, reading, self._characters)
            self._file.replace(url, [replace(entry, url=url) for entry in entries])


def read_response(
    reader: EntryReader, response: Response, reading: StoredReading, characters: int
) -> Sequence[PageEntry]:
    """What the page of a response says, with the addresses that the crawl found in it."""
    if not reading.addresses and not _MARKUP.search(response.body):
        return ()
    content_type = response.header("content-type")
    page = cut_page(parse_document(response.body, response.url, content_type), characters)
    known = [PlacedAddress(stored.address, stored.place_id) for stored in reading.addresses]
    outline = outline_of(response.body, response.url, content_type) if known else Outline()
    return reader.read(page, known, outline)
