"""Opens the one database of a crawl in a folder, which holds its frontier and its facts.

They share a file and a connection so that one commit covers both. A write-ahead log with
synchronous = FULL: what is committed, and so what anybody can see, survives the death of the
process and a power failure. With NORMAL a power failure could take the last groups, and an index
that has followed them would never learn that their numbers were given to others. A stage hands in
its tables when the database is opened, because a stage must not know another one.
"""

import fcntl
import json
import logging
import os
import secrets
import socket
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO
from urllib.parse import quote

from geoscout.crawl_folder import is_writable, make_folder, open_stream, require_plain
from geoscout.sql import SQLITE, GuardedConnection, guard
from geoscout.store import schema
from geoscout.store.archive import ARCHIVE_FOLDER, archive_numbers
from geoscout_places.errors import DamagedDataError, UsageError

LOCK_FILE = "crawl.lock"
MARK_FILE = "crawl.running"
_LONGEST_MARK = 10_000  # bytes
_LOOKS = 1000  # a millisecond each; whoever looks for longer than a second has been stopped


@dataclass(frozen=True, slots=True)
class RunMark:
    """One run of a crawl, as its folder names it."""

    run: str  # no other run has it
    pid: int  # of its process, on its machine
    machine: str
    since: float  # seconds since the epoch, UTC


class WriterLock:
    """Keeps other writers out of a folder until it is closed, be it by the death of the process.

    Two files: only writers lock the first, so whoever fails to get it met another writer. The
    writer then locks the second, which those who only want to look try as one of many readers. A
    look holds that lock for microseconds, and a writer that meets it waits that long. The second
    file also says who writes: a mark of the run, by which others can ask for its end, and its
    process, for people.
    """

    def __init__(self, folder: Path) -> None:
        """Take the lock.

        Raises:
            UsageError: another process has it, or the folder cannot be written to.
        """
        with ExitStack() as on_error:
            self._files = [on_error.enter_context(_open(folder / LOCK_FILE))]
            if not _try(self._files[0], fcntl.LOCK_EX):
                raise UsageError(f"another process is writing to the crawl in {folder}")
            self._files.append(on_error.enter_context(_open(folder / MARK_FILE)))
            _wait(self._files[1])
            self.mark = _mark(self._files[1])
            on_error.pop_all()

    def close(self) -> None:
        for file in reversed(self._files):
            file.close()


def is_written(folder: Path) -> bool:
    """Whether a process writes to the crawl in a folder."""
    try:
        with open_stream(folder / MARK_FILE, "rb") as mark:
            return not _try(mark, fcntl.LOCK_SH)
    except OSError:  # no such file: nobody ever wrote here, or it may not be read
        return False


def read_mark(folder: Path) -> RunMark | None:
    """The run that writes to a folder now; None when none does, or one of an earlier version."""
    if not is_written(folder):
        return None
    try:
        with open_stream(folder / MARK_FILE, "rb") as mark:
            return RunMark(**json.loads(mark.read(_LONGEST_MARK)))
    except (OSError, ValueError, TypeError):
        return None


def _mark(file: IO[bytes]) -> RunMark:
    mark = RunMark(secrets.token_hex(8), os.getpid(), socket.gethostname(), time.time())
    try:
        file.write(json.dumps(asdict(mark)).encode())
        file.flush()
    except OSError:  # a full disk: the crawl says so itself, and others see that somebody writes
        pass
    return mark


def _open(path: Path) -> IO[bytes]:
    try:
        return open_stream(path, "wb")
    except OSError as error:
        raise UsageError(f"cannot write to {path}: {error.strerror}") from error


def _try(file: IO[bytes], kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _wait(mark: IO[bytes]) -> None:
    """Let those pass who are looking; one that never ends only hides that we are running."""
    for _ in range(_LOOKS):
        if _try(mark, fcntl.LOCK_EX):
            return
        time.sleep(0.001)


FILE = "crawl.sqlite"
# The view has what each URL held when it was last fetched, if it was a page.
TABLES = f"""{SQLITE.create(schema.TABLES)}
CREATE INDEX IF NOT EXISTS visit_url ON visit (url);
DROP VIEW IF EXISTS page;
CREATE VIEW page AS
    SELECT * FROM visit WHERE is_page AND n = (
        SELECT later.n FROM visit AS later WHERE later.url = visit.url AND later.status <> 304
        ORDER BY later.fetched_at DESC, later.n DESC LIMIT 1);
{schema.FETCH_LOG}"""
_TIMEOUT = 30  # seconds that a process waits for another
VERSION = 7  # of all tables together; one more whenever a stage changes its own. 0: an empty file
_BEFORE = 6  # did not keep what was read of a page, and is the same otherwise
_PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA cache_size = -32768;        -- 32 MB: the inner pages and the part of the queue in use
PRAGMA wal_autocheckpoint = 8192;  -- pages, 32 MB: a page changed often is copied back once
PRAGMA journal_size_limit = 67108864;  -- bytes of the log that stay when it is begun again
PRAGMA secure_delete = OFF;        -- some builds fill what is deleted with zeros
"""
LARGEST_LOG = 256 * 1024 * 1024  # bytes; a log of that size is one that somebody keeps from ending
_NO_ROOM_TO_READ = "SQLITE_IOERR_SHM"  # for the file that those who read share
_PATIENCE = 0.2  # seconds that a commit waits for those who read

_log = logging.getLogger(__name__)


class Database(GuardedConnection):
    """A connection that keeps other writers out of its folder for as long as it is open.

    It looks after the log, too. SQLite begins it again when all of it has been copied back and
    nobody reads what is in it; a reader that never ends, such as a process that was stopped, or
    many that overlap, would let it grow until the disk is full.
    """

    lock: WriterLock | None = None
    file: Path | None = None  # None: somebody else looks after the log
    _limit = LARGEST_LOG  # when the log is looked at next

    def commit(self) -> None:
        super().commit()
        if self.file is not None:
            log = self.file.with_name(f"{self.file.name}-wal")
            if log.exists() and (size := log.stat().st_size) > self._limit:
                self._end_log(size)

    def _end_log(self, size: int) -> None:
        """Copy all of the log back and begin it again, or say that this is not possible."""
        self.execute(f"PRAGMA busy_timeout = {int(1000 * _PATIENCE)}")
        (is_busy, *_) = self.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self.execute(f"PRAGMA busy_timeout = {1000 * _TIMEOUT}")
        if not is_busy:
            self._limit = LARGEST_LOG
            return
        self._limit = 2 * size  # so that it is said a few times only
        _log.warning(
            "%s-wal has grown to %d MB: another process has been reading the crawl for long;"
            " end it, or the log fills the disk",
            self.file,
            size // 1_000_000,
        )

    def close(self) -> None:
        super().close()
        if self.lock is not None:
            self.lock.close()


def open_database(folder: Path, tables: Iterable[str] = ()) -> Database:
    """Open the database of a crawl for writing, and make it with these tables if it is new.

    Each of `tables` is a script of `CREATE TABLE IF NOT EXISTS`. Changes open a transaction by
    themselves; `commit()` ends it.

    Raises:
        UsageError: another process writes to this folder, another version of geoscout did, or
            the file cannot be opened.
        DamagedDataError: the file is not a database, or an empty one next to an archive.
    """
    try:
        make_folder(folder)
    except OSError as error:
        raise UsageError(f"{folder} cannot be the folder of a crawl: {error.strerror}") from error
    require_plain(folder)
    lock = WriterLock(folder)
    with _translated(folder), ExitStack() as on_error:
        on_error.callback(lock.close)
        connection = _connect(folder / FILE)
        on_error.callback(connection.close)
        connection.lock, connection.file = lock, folder / FILE
        guard(connection, folder / FILE, TABLES)
        if not (version := check_version(connection)):
            _check_archive_is_empty(folder)
        if version == _BEFORE:  # what it kept of businesses is in no other table now
            connection.execute("DROP TABLE IF EXISTS page_entries")
        connection.executescript(_PRAGMAS)
        script = "\n".join(tables)
        connection.executescript(f"BEGIN; {script} PRAGMA user_version = {VERSION}; COMMIT;")
        on_error.pop_all()
    return connection


def read_database(folder: Path) -> Database:
    """Open the database of a crawl, running or not, to read what has been committed.

    Raises:
        UsageError: there is no crawl in this folder, another version of geoscout made it, or the
            file cannot be opened.
        DamagedDataError: the file is not a database, or is empty.
    """
    if folder.is_dir():
        require_plain(folder)
    if not (folder / FILE).is_file():
        raise UsageError(f"there is no crawl in {folder}: it has no {FILE}")
    with _translated(folder), ExitStack() as on_error:
        connection = _connect_to_read(folder)
        on_error.callback(connection.close)
        guard(connection, folder / FILE, TABLES)
        version = check_version(connection)
        if not version:
            raise DamagedDataError(f"{folder / FILE} is empty: there is no crawl in it")
        if version == _BEFORE:
            connection.execute(f"CREATE TEMP TABLE {schema.READ_PAGE.name} (visit, packed)")
            connection.commit()
        connection.execute("PRAGMA query_only = ON")
        on_error.pop_all()
    return connection


def _connect(file: Path) -> Database:
    # A deferred transaction would fail with "locked" at its first change instead of waiting.
    return sqlite3.connect(file, timeout=_TIMEOUT, isolation_level="IMMEDIATE", factory=Database)


def _connect_to_read(folder: Path) -> Database:
    if not is_writable(folder):
        return _connect_still(folder)
    connection = _connect(folder / FILE)
    try:
        connection.execute("PRAGMA user_version")
    except sqlite3.OperationalError as error:
        connection.close()
        if not error.sqlite_errorname.startswith(_NO_ROOM_TO_READ):
            raise
        return _connect_still(folder)
    return connection


def _connect_still(folder: Path) -> Database:
    """Open a file that nobody can change: its disk is full, or mounted to be read only.

    SQLite needs a file next to it even to read, unless it is told that nothing changes. What a
    crash left in the log could not be taken into account then.
    """
    log = folder / f"{FILE}-wal"
    if log.is_file() and log.stat().st_size:
        raise UsageError(f"{folder} cannot be written to, and its crawl was not closed: copy it")
    address = f"file:{quote(str((folder / FILE).absolute()))}?mode=ro&immutable=1"
    return sqlite3.connect(address, uri=True, factory=Database)


def check_version(connection: sqlite3.Connection) -> int:
    """The version of the tables."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version not in (0, _BEFORE, VERSION):
        raise UsageError(
            f"this crawl was made by another version of geoscout (its tables are of version"
            f" {version}, ours of {VERSION}): start a new one in another folder"
        )
    return int(version)


def _check_archive_is_empty(folder: Path) -> None:
    """Refuse to begin a crawl over the responses of one whose database was lost."""
    if any(archive_numbers(folder / ARCHIVE_FOLDER)):
        raise DamagedDataError(
            f"{folder / FILE} is empty or was copied without {FILE}-wal, but"
            f" {folder / ARCHIVE_FOLDER} has responses: copy {FILE}* again while no crawl runs,"
            " or move the archive away"
        )


@contextmanager
def _translated(folder: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise UsageError(f"cannot open {folder / FILE}: {error}") from error
    except sqlite3.DatabaseError as error:
        raise DamagedDataError(f"{folder / FILE} cannot be used: {error}") from error
