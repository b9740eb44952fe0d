"""Keeps a directory up with its crawl.

What the crawl has read of a page and its addresses are taken from the store. Statements are merged
again in the towns that have changed; the result is the same as if the directory had been made at
once.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from geoscout.settings import Settings, load_settings
from geoscout.state.base import open_state
from geoscout.state.changes import ChangedPage, can_follow, follow_changes
from geoscout_directory.folder import directory_folder
from geoscout_directory.page_reader import EntryReader, PlacedAddress
from geoscout_directory.storage import DirectoryFile
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.geo.geoparser import ReadingLimits, cut_page
from geoscout_places.model import OnProgress


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
        DirectoryFile(
            directory_folder(where, home_folder(settings)),
            store,
            lambda place: gazetteer.lineage(place).ids,
        ) as file,
    ):
        made_with = f"persons={persons} gazetteer={gazetteer.identity}"
        if not file.begin(made_with):
            return DirectoryUpdate(entries=file.count(), busy=True)
        if not can_follow(store, cursor := file.note("cursor")):  # it is an older copy
            file.remove_all()
            cursor = ""
        lister = _Lister(file, EntryReader(gazetteer, persons=persons), made_with)
        followed = follow_changes(store, cursor, lister, progress)
        pages = followed.added + followed.removed
        if not followed.is_whole:
            return DirectoryUpdate(pages, file.count(), busy=True)
        if file.note("merged") != followed.cursor:
            file.merge(followed.cursor)
        file.commit(followed.cursor)
        return DirectoryUpdate(pages, file.count())


class _Lister:
    """Keeps what pages say of businesses; implements `Applier`."""

    def __init__(self, file: DirectoryFile, reader: EntryReader, made_with: str) -> None:
        self._file, self._reader, self._made_with = file, reader, made_with
        self._characters = ReadingLimits().text

    def add(self, page: ChangedPage) -> None:
        addresses = page.reading.addresses
        known = [PlacedAddress(stored.address, stored.place_id) for stored in addresses]
        seen = cut_page(page.read.page, self._characters)
        entries = self._reader.read(seen, known, page.read.outline)
        url = page.visit.url
        self._file.replace(url, [replace(entry, url=url) for entry in entries])

    def remove(self, url: str) -> None:
        self._file.remove([url])

    def commit(self, cursor: str) -> bool:
        self._file.commit(cursor)
        return self._file.begin(self._made_with)
