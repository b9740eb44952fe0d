"""Keeps the listing of a crawl up with it: reads new pages, merges, writes what differs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from geoscout.settings import Settings, load_settings
from geoscout.state.base import open_state
from geoscout.store.reader import CrawlReader
from geoscout_directory.folder import directory_folder, has_listing
from geoscout_directory.listing.writing import ListingEdition, ListingWriter
from geoscout_directory.storage import DirectoryFile, erase_directory
from geoscout_directory.updating import DirectoryUpdate, follow_pages
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.model import OnProgress

_BATCH = 1000  # changes read at a time
_WITH_PERSONS = "persons=True"  # in what a directory says of how it was made


def update_listing(
    where: Path | str,
    gazetteer: Gazetteer,
    *,
    settings: Settings | None = None,
    persons: bool | None = None,
    progress: OnProgress | None = None,
) -> DirectoryUpdate:
    """Bring the directory of the crawl at an address up to date; the first call makes it.

    `persons` None keeps names of people if the directory that is there does.

    Raises:
        UsageError: there is no crawl.
    """
    settings = settings or load_settings()
    began = time.monotonic()
    folder = directory_folder(where, home_folder(settings))
    if persons is None:
        persons = keeps_persons(folder)
    done = follow_pages(where, gazetteer, settings=settings, persons=persons, progress=progress)
    if done.busy:
        return done
    with (
        open_state(where).reader as store,
        DirectoryFile(folder) as file,
        ListingWriter(folder, lambda place: gazetteer.lineage(place).ids) as writer,
    ):
        if _refresh(store, file, writer):
            writer.note_seconds(time.monotonic() - began)
    return done


def _refresh(store: CrawlReader, file: DirectoryFile, writer: ListingWriter) -> bool:
    """Write the merged entries if they are not those of the listing; whether they were not."""
    edition = ListingEdition(
        cursor=file.note("merged"), made_with=file.note("made with"), pages=store.totals().pages
    )
    if writer.has(edition):
        return False
    known = writer.note("cursor")
    if not _is_of(store, known):
        writer.empty()
        known = ""
    writer.refresh(file.entries(), edition, store, _changed(store, known, edition.cursor))
    return True


def _is_of(store: CrawlReader, cursor: str) -> bool:
    """Whether a listing that has followed a crawl up to a cursor is of this crawl."""
    try:
        store.changes(cursor, 1)
    except UsageError:
        return False
    return True


def _changed(store: CrawlReader, after: str, last: str) -> Iterator[str]:
    """The URLs that have changed up to a cursor; none for a new listing, which looks at all."""
    while after and after != last and (changes := store.changes(after, _BATCH)):
        for change in changes:
            yield change.url
        after = changes[-1].cursor


def keeps_persons(folder: Path) -> bool:
    """Whether the directory in a folder has names of people."""
    if not has_listing(folder):
        return False
    with ListingWriter(folder, lambda _: ()) as writer:
        return _WITH_PERSONS in writer.note("made with")


def forget_pages(folder: Path, is_forgotten: Callable[[str], bool]) -> int:
    """Delete what pages with some URLs said, for good; how many entries they named.

    The statements of all pages are deleted: SQLite would keep bytes of deleted rows, and the crawl
    has those of the other pages. The next update makes the rest again.
    """
    if not has_listing(folder):
        erase_directory(folder)
        return 0
    with ListingWriter(folder, lambda _: ()) as writer:
        count = writer.forget(is_forgotten)
    erase_directory(folder)
    return count


def erase_listing(folder: Path) -> None:
    """Forget a directory, its listing and its history; the next update makes it again."""
    erase_directory(folder)
    if has_listing(folder):
        with ListingWriter(folder, lambda _: ()) as writer:
            writer.empty()
