"""What this house offers to the others, as `geoscout.entries` asks for it.

Directories of served crawls are kept up to date each by a process of its own: to read and merge
entries takes seconds to minutes of a processor, and searches of this process would wait for it.
The process ends when it is done, and with this one.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from array import array
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoscout.entries import EntryHits, EntryJson, PageEntryReader
from geoscout.search.base import Interpretation, Question
from geoscout.settings import Settings
from geoscout.state.forgetting import host_test
from geoscout.store.base import Cursor
from geoscout_directory.entry_search import find_entries, names_of_sorts, told_facts
from geoscout_directory.formats import whole_row
from geoscout_directory.listing.finding import ListedEntry, Listing
from geoscout_directory.listing.tables import directory_folder, has_listing
from geoscout_directory.records import address_line
from geoscout_directory.updating import update_listing
from geoscout_places.background import end_with_parent
from geoscout_places.errors import last_line
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import home_folder

if TYPE_CHECKING:
    from geoscout.web.endpoints import Endpoints

_SHARE = 20  # an update may take a twentieth of the time
_LEAST_PAUSE = 30.0  # seconds between updates
_PAUSE_AFTER_FAILURE = 600.0  # seconds

_log = logging.getLogger(__name__)


class DirectoryKeeper:
    """The directory of one crawl, which follows the crawl."""

    def __init__(self, where: str, listing: Listing, settings: Settings) -> None:
        self._where, self._listing, self._settings = where, listing, settings
        self._process: SpawnProcess | None = None
        self._began = 0.0
        self._next_at = 0.0  # of the clock that only goes forward
        self._known: Cursor | None = None  # that the listing has
        self._trouble = ""  # that was told last

    def keep_up(self, last_change: Callable[[], Cursor]) -> None:
        """Begin an update if the crawl has gone on and it is time for one; never waits.

        What cannot be read is told once, and tried again.
        """
        if self.is_running() or time.monotonic() < self._next_at:
            return
        try:
            is_behind = self._is_behind(last_change())
        except Exception as error:  # of store, disk or listing; all of them may pass
            if last_line(error) != self._trouble:
                self._trouble = last_line(error)
                _log.warning("the directory of %s cannot be read: %s", self._where, self._trouble)
            return
        if is_behind:
            self._began = time.monotonic()
            self._process = get_context("spawn").Process(
                target=_update, args=(self._where, self._settings), daemon=True
            )
            self._process.start()

    def _is_behind(self, last_change: Cursor) -> bool:
        if self._known != last_change:
            state = self._listing.state()
            self._known = state.cursor if state else None
        return self._known != last_change

    def is_running(self) -> bool:
        """Whether an update runs now."""
        process = self._process
        if process is None:
            return False
        if process.is_alive():
            return True
        least = _PAUSE_AFTER_FAILURE if process.exitcode else _LEAST_PAUSE
        process.close()
        self._process = None
        now = time.monotonic()
        self._next_at = now + max(least, _SHARE * (now - self._began))
        return False

    def close(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.join()
            self._process.close()
            self._process = None


def _update(where: str, settings: Settings) -> None:
    """Update a directory, in a process of its own; searches come first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
    end_with_parent()
    os.nice(10)
    try:
        update_listing(where, open_gazetteer(settings), settings=settings)
    except Exception as error:
        logging.basicConfig()
        _log.warning("the directory of %s cannot be updated: %s", where, last_line(error))
        raise SystemExit(1) from None


_ROUNDED = 0.01  # seconds, of the times of a harvest curve
_QUICK_SECONDS = 5.0  # that a search may wait for the directory of a crawl that goes on


class Found:
    """An entry that answers a query, in the forms that the other houses want."""

    def __init__(self, listed: ListedEntry) -> None:
        self.listed = listed

    def as_json(self) -> EntryJson:
        from geoscout_directory.formats import entry_json  # noqa: PLC0415 - telephones are slow

        return entry_json(self.listed)

    def as_row(self) -> dict[str, Any]:
        return whole_row(self.listed.entry)

    def as_lines(self) -> tuple[str, str]:
        """For people: the name, and what else is known."""
        from geoscout_directory.contacts import shown_phone  # noqa: PLC0415 - takes long to import

        entry = self.listed.entry
        phone = shown_phone(entry.phones[0]) if entry.phones else ""
        website = entry.website.partition("://")[2].rstrip("/")
        return entry.name, " · ".join(filter(None, (address_line(entry), phone, website)))


class OpenDirectory:
    """The directory of one crawl: its listing, and what keeps that up."""

    def __init__(self, where: Path | str, gazetteer: Gazetteer, settings: Settings) -> None:
        self._where, self._gazetteer, self._settings = where, gazetteer, settings
        self.listing = Listing(directory_folder(where, home_folder(settings)), gazetteer.place)
        self._keeper = DirectoryKeeper(str(where), self.listing, settings)
        self._known: tuple[Hashable, array[float]] = (None, array("d"))

    @property
    def edition(self) -> Hashable:
        return self.listing.edition

    def find(self, question: Question, read: Interpretation) -> EntryHits:
        hits = find_entries(self.listing, question, read, self._gazetteer)
        facts = told_facts(hits.entries, read, self.listing, self._gazetteer)
        shown = tuple(map(Found, hits.entries))
        return EntryHits(shown, hits.total, hits.filters, tuple(facts), hits.notes)

    def total(self) -> int | None:
        found = self._found_at()
        return len(found) if self._known[0] is not None else None

    def found_by(self, moments: Sequence[float]) -> list[int]:
        """How many entries were known at each time: a second harvest curve.

        An entry counts from the response on that named it first. The directory is behind a running
        crawl by some minutes, so the curve ends in a level line.
        """
        found = self._found_at()
        return [bisect_right(found, moment + _ROUNDED) for moment in moments] if found else []

    def keep_up(self, last_change: Callable[[], Cursor]) -> None:
        self._keeper.keep_up(last_change)

    def update_if_quick(self) -> None:
        state = self.listing.state()
        if state is None or state.update_seconds <= _QUICK_SECONDS:
            HOUSE.update(self._where, self._gazetteer, self._settings)

    def close(self) -> None:
        """End an update that runs, and let go of the listing."""
        self._keeper.close()
        self.listing.close()

    def _found_at(self) -> array[float]:
        """When the first page of each entry was fetched, in order; read again when it changes."""
        edition = self.edition
        if edition != self._known[0]:
            self._known = (edition, self.listing.found_at())
        return self._known[1]


class DirectoryHouse:
    """What `geoscout.entries.Directory` asks for."""

    def open(self, where: Path | str, gazetteer: Gazetteer, settings: Settings) -> OpenDirectory:
        return OpenDirectory(where, gazetteer, settings)

    def count(self, where: Path | str, settings: Settings) -> int | None:
        folder = directory_folder(where, home_folder(settings))
        if not has_listing(folder):
            return None
        with closing(Listing(folder, lambda _: None)) as listing:  # places are not counted
            state = listing.state()
        return state.entries if state else None

    def update(self, where: Path | str, gazetteer: Gazetteer, settings: Settings) -> int:
        """Bring a directory up to date; its entries then."""
        from geoscout_directory.command import update_directory  # noqa: PLC0415 - takes long to import

        return update_directory(where, gazetteer, settings).entries

    def forget(self, where: Path | str, host: str, gazetteer: Gazetteer, settings: Settings) -> int:
        from geoscout_directory.updating import forget_pages  # noqa: PLC0415 - as above

        entries_folder = directory_folder(where, home_folder(settings))
        if not entries_folder.is_dir():
            return 0
        entries = forget_pages(entries_folder, host_test(host))
        self.update(where, gazetteer, settings)
        return entries

    def page_reader(self, gazetteer: Gazetteer, region: Region | None) -> PageEntryReader:
        from geoscout_directory.page_reader import PageEntries  # noqa: PLC0415 - as above

        return PageEntries(gazetteer, region)

    def names_of_sorts(self, words: Sequence[str]) -> Iterator[tuple[range, Sequence[str]]]:
        return names_of_sorts(words)

    def endpoints(self) -> Endpoints:
        from geoscout_directory.api import endpoints  # noqa: PLC0415 - Starlette

        return endpoints


HOUSE = DirectoryHouse()


def create() -> DirectoryHouse:
    return HOUSE
