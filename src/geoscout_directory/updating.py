"""Keeps a directory up with its crawl.

What the crawl has read of a page and its addresses are taken from the store. Statements are merged
again in the towns that have changed; the result is the same as if the directory had been made at
once.
"""

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from geoscout.crawl_folder import require_plain
from geoscout.settings import Settings, load_settings
from geoscout.state.base import open_state
from geoscout.state.changes import ChangedPage, can_follow, follow_changes
from geoscout_directory.listing.tables import (
    LISTING_FILE,
    directory_folder,
    has_listing,
    note_of,
    open_to_read,
)
from geoscout_directory.page_reader import EntryReader, PlacedAddress
from geoscout_directory.storage import DirectoryFile
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.geo.geoparser import ReadingLimits, cut_page
from geoscout_places.model import OnProgress

_WITH_PERSONS = "persons=True"  # in what a directory says of how it was made


@dataclass(frozen=True, slots=True)
class DirectoryUpdate:
    pages: int = 0  # looked at
    entries: int = 0  # in the directory now
    busy: bool = False  # another process is making it, so that not all is there


def update_listing(
    where: Path | str,
    gazetteer: Gazetteer,
    *,
    settings: Settings | None = None,
    persons: bool | None = None,
    progress: OnProgress | None = None,
) -> DirectoryUpdate:
    """Bring the directory of the crawl at an address up to date; the first call makes it.

    `settings` None means those of file and environment. `persons` keeps the names of people, None
    if the directory that is there does; one that was made the other way is made again.
    """
    settings, began = settings or load_settings(), time.monotonic()
    folder = directory_folder(where, home_folder(settings))
    if persons is None:
        persons = keeps_persons(folder)
    with (
        open_state(where).reader as store,
        DirectoryFile(folder, store, lambda place: gazetteer.lineage(place).ids) as file,
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
            file.note_seconds(time.monotonic() - began)
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


def keeps_persons(folder: Path) -> bool:
    """Whether the directory in a folder has names of people."""
    if not has_listing(folder):
        return False
    with closing(open_to_read(folder)) as database:
        return _WITH_PERSONS in note_of(database, "made with")


def forget_pages(folder: Path, is_forgotten: Callable[[str], bool]) -> int:
    """Delete what pages with some URLs said, for good; how many entries they named.

    The next update makes entries that other pages name again.
    """
    if not has_listing(folder):
        return 0
    with DirectoryFile(folder) as file:
        return file.forget(is_forgotten)


def erase_listing(folder: Path) -> None:
    """Forget a directory and its history; the next update makes it again."""
    require_plain(folder, inside=1)
    for suffix in ("", "-wal", "-shm"):
        (folder / f"{LISTING_FILE}{suffix}").unlink(missing_ok=True)
