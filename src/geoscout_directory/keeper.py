"""Keeps the directories of served crawls up to date, each by a process of its own.

To read and merge entries takes seconds to minutes of a processor, and searches of this process
would wait for it. The process ends when it is done, and with this one.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess

from geoscout.settings import Settings
from geoscout.store.base import Cursor
from geoscout_directory.listing.finding import Listing
from geoscout_directory.listing.keeping import update_listing
from geoscout_places.errors import last_line
from geoscout_places.gazetteer import open_gazetteer

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
        """End an update that runs; the next one goes on where it was."""
        if self._process is not None:
            self._process.terminate()
            self._process.join()
            self._process.close()
            self._process = None


def _update(where: str, settings: Settings) -> None:
    """Update a directory, in a process of its own; searches come first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
    os.nice(10)
    try:
        update_listing(where, open_gazetteer(settings), settings=settings)
    except Exception as error:
        logging.basicConfig()
        _log.warning("the directory of %s cannot be updated: %s", where, last_line(error))
        raise SystemExit(1) from None
