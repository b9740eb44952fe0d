"""Keeps a directory up with its crawl: follows the change log and reads the changed pages again.

As the search index does (`search/updating.py`), for the same reason: a crawl is not held up, and a
directory can be made of any crawl that is there. Addresses are taken from the store, so that a
page is parsed again but not geoparsed. Statements are merged again as a whole: it takes seconds for
a hundred thousand, and the result is the same as if the directory had been made at once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from geoscout.directory.merging import merge_entries
from geoscout.directory.page_reader import EntryReader, PlacedAddress
from geoscout.directory.records import PageEntry
from geoscout.directory.storage import DirectoryFile, directory_folder
from geoscout.errors import UsageError
from geoscout.gazetteer.base import Gazetteer
from geoscout.gazetteer.home import home_folder
from geoscout.model import OnProgress, Response
from geoscout.parse import parse_html
from geoscout.parse.outline import Outline, outline_of
from geoscout.settings import Settings, load_settings
from geoscout.state.base import open_state
from geoscout.store.base import CrawlReader, StoredReading

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
        follower = _Follower(store, file, EntryReader(gazetteer, persons=persons))
        made_with = f"persons={persons} gazetteer={gazetteer.identity}"
        return follower.follow(made_with, progress or (lambda _done, _all: None))


class _Follower:
    """One update."""

    def __init__(self, store: CrawlReader, file: DirectoryFile, reader: EntryReader) -> None:
        self._store, self._file, self._reader = store, file, reader

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
            self._file.keep_merged(merge_entries(self._file.said()), cursor)
        self._file.commit(cursor)
        return DirectoryUpdate(followed, self._file.count())

    def _known_cursor(self) -> str:
        """How far the crawl was followed; from the beginning where it is another crawl now."""
        cursor = self._file.note("cursor")
        try:
            self._store.changes(cursor, 1)
        except UsageError:
            self._file.remove([entry.url for entry in self._file.said()])
            return ""
        return cursor

    def _read(self, urls: Collection[str]) -> None:
        pages = {page.n: page for page in self._store.pages_of(urls).values() if not page.noindex}
        readings = self._store.readings_of(pages)
        left = set(urls)
        for n, response in self._store.responses(pages):
            url = pages[n].url
            left.discard(url)
            entries = read_response(self._reader, response, readings.get(n, StoredReading()))
            self._file.replace(url, [replace(entry, url=url) for entry in entries])
        self._file.remove(left)


def read_response(
    reader: EntryReader, response: Response, reading: StoredReading
) -> Sequence[PageEntry]:
    """What the page of a response says, with the addresses that the crawl found in it."""
    if not reading.addresses and not _MARKUP.search(response.body):
        return ()
    content_type = response.header("content-type")
    page = parse_html(response.body, response.url, content_type)
    known = [PlacedAddress(stored.address, stored.place_id) for stored in reading.addresses]
    outline = outline_of(response.body, response.url, content_type) if known else Outline()
    return reader.read(page, known, outline)
