"""Keeps the directory of a crawl up with it, for whoever wants it: commands, searches, servers."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from geoscout.crawl_folder import require_plain
from geoscout.settings import Settings, load_settings
from geoscout_directory.folder import LISTING_FILE, directory_folder, has_listing
from geoscout_directory.listing.tables import note_of, open_to_read
from geoscout_directory.storage import DirectoryFile
from geoscout_directory.updating import DirectoryUpdate, follow_pages
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.model import OnProgress

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
    if done.pages and not done.busy:
        with DirectoryFile(folder) as file:
            file.note_seconds(time.monotonic() - began)
    return done


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
