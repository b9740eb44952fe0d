"""The state of a crawl in a folder: one SQLite file with facts and frontier, and WARC files.

Both write through one connection, so SQLite's commit covers both, and the position of the archive
is a row like any other. A commit waits for the disk, some milliseconds for a group of visits: other
work of the loop could not be kept out of the group meanwhile, because there is one connection. On
a slow disk groups become larger (`SyncBudget`).
"""

import logging
import math
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from geoscout.crawl_folder import held_folder, open_stream, replace_file
from geoscout.frontier.sqlite import TABLES as FRONTIER_TABLES
from geoscout.frontier.sqlite import SqliteFrontier, keep_clocks, translate_times
from geoscout.frontier.tables import TableView
from geoscout.sql import SqliteQueries
from geoscout.state.base import LOST, LOST_DETAIL, Beginning, CrawlView, Writing, requests_again
from geoscout.state.forgetting import erase_noted
from geoscout.store.base import Failure, StoredVisit
from geoscout.store.sqlite.database import FILE, TABLES, open_database, read_database
from geoscout.store.sqlite.database import RunMark as RunMark  # noqa: PLC0414 - who asks for a run
from geoscout.store.sqlite.database import is_written as is_written  # noqa: PLC0414
from geoscout.store.sqlite.database import read_mark as read_mark  # noqa: PLC0414
from geoscout.store.sqlite.engine import FolderReader, SqliteStore
from geoscout.store.sqlite.mending import ENOUGH
from geoscout_places.clock import read_clocks
from geoscout_places.errors import UsageError

SHARE = 0.02  # of the time
ALLOWANCE = 1.0  # seconds of waiting that are always possible after a time without
LONGEST_DELAY = 30.0  # seconds; so long a commit is put off at most


class SyncBudget:
    """Says whether there is time for a commit. All times are seconds of one monotonic clock.

    A commit waits for the disk twice, some milliseconds on an idle one. On a disk that is busy with
    other programs it can be a hundred times that, and every two seconds it would slow the crawl
    down. So groups become larger instead: waiting may take a share of the time, saved up to an
    allowance, and a commit that is due is put off while more than that has been spent.
    """

    def __init__(self, now: float) -> None:
        self._left, self._looked_at, self._spent_at = ALLOWANCE, now, now

    def allows(self, now: float) -> bool:
        """Whether a commit that is due may be made."""
        self._left = min(self._left + SHARE * (now - self._looked_at), ALLOWANCE)
        self._looked_at = now
        return self._left >= 0 or now - self._spent_at >= LONGEST_DELAY

    def spend(self, seconds: float, now: float) -> None:
        """A commit has waited so long."""
        self._left -= seconds
        self._spent_at = now


INDEX = "index"  # the folder of the search index, in that of the crawl
STEERING_FILE = "crawl.steering"
_LARGEST_FILE = 4_000_000  # bytes

_log = logging.getLogger(__name__)


class SqliteState:
    """The state of the crawl that is running in a folder; implements `CrawlState`."""

    def __init__(self, folder: Path, writing: Writing | None = None) -> None:
        """Open a folder for writing, new or not.

        Raises:
            UsageError: another process writes to it, or another version of geoscout did.
            DamagedDataError: the database cannot be used.
        """
        writing = writing or Writing()
        self.folder = self.disk = folder
        with ExitStack() as on_error:
            self._database = open_database(folder, (TABLES, FRONTIER_TABLES))
            on_error.callback(self._database.close)
            enough = math.inf if writing.check_all else ENOUGH
            self.writer = SqliteStore(folder, self._database, writing.agent, enough=enough)
            self.reader = self.writer
            erase_noted(self._database, folder)
            translate_times(self._database, read_clocks())
            self.frontier = SqliteFrontier(self._database, writing.limits)
            self._saved_at = time.monotonic()
            self._budget = SyncBudget(self._saved_at)
            if self.writer.lost:
                self._ask_again(self.writer.lost)
            on_error.pop_all()

    def _ask_again(self, lost: Sequence[StoredVisit]) -> None:
        """Have the requests wait again whose answers are gone."""
        view = TableView(SqliteQueries(self._database))
        again, now = list(requests_again(lost, self.reader, view)), time.time()
        for request in again:
            self.writer.add_failure(Failure(request, now, LOST, LOST_DETAIL))
        self.frontier.put_back(again)
        self.save()
        _log.warning(
            "the archive has lost %d responses; %d pages are fetched again", len(lost), len(again)
        )

    async def commit(self) -> None:
        self.save()

    async def commit_when_due(self, visits: int, seconds: float) -> None:
        unsaved, now = self.writer.unsaved, time.monotonic()
        is_due = unsaved >= visits or (unsaved and now - self._saved_at >= seconds)
        if is_due and self._budget.allows(now):
            self.save()

    def save(self) -> None:
        """What `commit` does; killed at any moment before its end, it did nothing."""
        begin = time.monotonic()
        self.writer.sync()
        synced = time.monotonic()
        self.writer.flush()
        self.frontier.flush()
        keep_clocks(self._database, read_clocks())
        flushed = time.monotonic()
        self._database.commit()
        self._saved_at = time.monotonic()
        waited = synced - begin + self._saved_at - flushed
        self._budget.spend(waited, self._saved_at)

    def close(self) -> None:
        self.writer.close()


def check_new_folder(folder: Path) -> None:
    """Complain about a folder that cannot take a new crawl."""
    if (folder / FILE).exists():
        raise UsageError(f"{folder} already contains a crawl: resume it or use another folder")
    if others := _other_files(folder):
        raise UsageError(
            f"{folder} is not empty and not a crawl: it has {others[0]}; name a new folder"
        )


class FileSlot:
    """A small file in the folder of a crawl; implements `Slot`.

    A file and not a signal: a signal needs a process number, which may be another's by now, of
    another machine, or of a program that does more than this crawl.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self) -> bytes:
        try:
            with open_stream(self._folder / STEERING_FILE, "rb") as file:
                return bytes(file.read(_LARGEST_FILE))
        except FileNotFoundError:
            return b""

    def change(self, change: Callable[[bytes], bytes]) -> None:
        try:
            with held_folder(self._folder):
                replace_file(self._folder / STEERING_FILE, change(self.read()))
        except OSError as error:
            raise UsageError(f"cannot write to {self._folder}: {error.strerror}") from error


class FolderBackend:
    """Crawls in folders; implements `StateBackend`."""

    def create(self, where: str, beginning: Beginning, writing: Writing) -> SqliteState:
        folder = folder_of(where)
        check_new_folder(folder)
        if beginning.archive:
            raise UsageError("a crawl in a folder has its archive there, not elsewhere")
        state = SqliteState(folder, writing)
        for name, value in beginning.notes.items():
            state.writer.set_note(name, value)
        state.writer.keep_model(beginning.learned)
        state.frontier.put(beginning.requests)
        state.save()
        return state

    def resume(self, where: str, writing: Writing) -> SqliteState:
        folder = folder_of(where)
        if not (folder / FILE).exists():
            raise UsageError(f"there is no crawl in {folder}: it has no {FILE}")
        return SqliteState(folder, writing)

    def open(self, where: str) -> CrawlView:
        folder = folder_of(where)
        database = read_database(folder)
        reader = FolderReader(folder, database)
        return CrawlView(reader, TableView(SqliteQueries(database)))

    def repair(self, where: str, lost: Sequence[int]) -> None:  # noqa: ARG002 - it looks itself
        self.resume(where, Writing(check_all=True)).close()

    def holds(self, where: str) -> bool:
        return (folder_of(where) / FILE).is_file()

    def slot(self, where: str) -> FileSlot:
        return FileSlot(folder_of(where))

    def index_folder(self, where: str, home: Path) -> Path:  # noqa: ARG002 - the folder moves as one
        return folder_of(where) / INDEX


def folder_of(where: str) -> Path:
    """The folder of an address.

    >>> str(folder_of("sqlite:///data/lisbon")), str(folder_of("lisbon"))
    ('/data/lisbon', 'lisbon')
    """
    return Path(where.removeprefix("sqlite://"))


def _other_files(folder: Path) -> list[str]:
    """What is in a folder that is neither hidden nor left of a crawl that did not begin."""
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    return [name for name in names if not name.startswith((".", "crawl."))]


def create() -> FolderBackend:
    return FolderBackend()
