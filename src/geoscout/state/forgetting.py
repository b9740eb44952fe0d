"""Forgets everything that a crawl in a folder has of a host: facts, requests and archive records.

One commit deletes the rows and notes which bytes of the archive are to go. Then these bytes are
overwritten by records that say nothing, so that no other record moves and the archive stays one
that every program can read. Whoever is killed in between finds the note when the crawl is opened
for writing again (`erase_noted`). SQLite fills deleted rows with zeros, and the log is emptied.

Numbers of requests are places in a list, so a request is not deleted: its URL is.
What other sites say of the host stays, with their links to it: that is theirs.
"""

import os
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from geoscout.crawl_folder import open_file, sync_file, write_all
from geoscout.frontier.sqlite import TABLES as FRONTIER_TABLES
from geoscout.store.archive import ARCHIVE_FOLDER, archive_file
from geoscout.store.records import pack_filler
from geoscout.store.sqlite.database import TABLES, Database, open_database, read_database
from geoscout.store.sqlite.engine import SqliteStore
from geoscout.store.sqlite.mending import ArchivePart
from geoscout_places.errors import DamagedDataError
from geoscout_places.urls import without_port

_NOTE = "forgetting"  # the name of the note with what is still to be overwritten
FILLER = b"forgotten"
_PIECE = 500  # numbers in one statement


class HostTraces(Struct, frozen=True, kw_only=True):
    hosts: tuple[str, ...]  # it and those below it
    visits: int
    pages: int  # URLs whose last response was a page
    failures: int
    waiting: int  # requests
    archive_bytes: int

    def __bool__(self) -> bool:
        return bool(self.hosts or self.visits or self.failures or self.waiting)


def host_test(host: str) -> Callable[[str], bool]:
    """A function that tells whether a URL is of a host or of one below it.

    >>> is_ours = host_test("museum.example")
    >>> is_ours("http://www.museum.example:8080/a"), is_ours("http://mymuseum.example/")
    (True, False)
    """
    below = f".{host}"

    def is_ours(url: str) -> bool:
        try:
            found = urlsplit(url).hostname or ""
        except ValueError:  # nobody could fetch it
            return False
        return found == host or found.endswith(below)

    return is_ours


def trace_host(folder: Path, host: str) -> HostTraces:
    """What a crawl has of a host, as it was committed last; the crawl may be running."""
    with closing(read_database(folder)) as database:
        return _trace(database, host)


def forget_host(folder: Path, host: str) -> HostTraces:
    """Forget all that a crawl has of a host; what that was.

    Index and directory follow by the change log; `settle_forgotten` comes after that.

    Raises:
        UsageError: another process writes to the crawl, or there is none.
        DamagedDataError: the archive is damaged.
    """
    with _opened(folder, host) as (database, store):
        traces = _trace(database, host)
        erase_noted(database, folder)
        spans = _Forgetting(database, store).forget()
        store.set_note(_NOTE, msgspec.json.encode(spans).decode())
        store.flush()
        database.commit()
        erase_noted(database, folder)
    return traces


def settle_forgotten(folder: Path, host: str) -> None:
    """Forget which URLs were forgotten: index and directory know by now."""
    with _opened(folder, host) as (database, _):
        database.execute("UPDATE lost SET url = '' WHERE of_host(url)")
        database.commit()
        _empty_log(database)


def erase_noted(database: sqlite3.Connection, folder: Path) -> None:
    """Overwrite what is noted to be forgotten; again and again makes no difference."""
    found = database.execute("SELECT value FROM crawl WHERE name = ?", (_NOTE,)).fetchone()
    if found is None:
        return
    by_file: dict[int, list[ArchivePart]] = defaultdict(list)
    for part in msgspec.json.decode(found[0], type=list[ArchivePart]):
        by_file[part.file].append(part)
    for file, parts in by_file.items():
        _overwrite(archive_file(folder / ARCHIVE_FOLDER, file), parts)
    database.execute("DELETE FROM crawl WHERE name = ?", (_NOTE,))
    database.commit()
    _empty_log(database)


@contextmanager
def _opened(folder: Path, host: str) -> Iterator[tuple[Database, SqliteStore]]:
    """The crawl in a folder for writing; what was not committed is undone."""
    database = open_database(folder, (TABLES, FRONTIER_TABLES))
    with closing(database):
        database.execute("PRAGMA secure_delete = ON")
        _know_hosts(database, host)
        with closing(SqliteStore(folder, database)) as store:
            if store.lost:
                raise DamagedDataError(
                    f"the archive in {folder} is damaged: have it repaired first (geoscout check)"
                )
            yield database, store


def _know_hosts(database: sqlite3.Connection, host: str) -> None:
    is_ours = host_test(host)
    database.create_function("of_host", 1, is_ours, deterministic=True)
    database.create_function(
        "is_host", 1, lambda name: is_ours(f"http://{without_port(name)}/"), deterministic=True
    )


def _trace(database: sqlite3.Connection, host: str) -> HostTraces:
    _know_hosts(database, host)

    def one(query: str) -> int:
        return int(database.execute(query).fetchone()[0] or 0)

    names = database.execute("SELECT DISTINCT name FROM frontier_host WHERE is_host(name)")
    ours = "SELECT number FROM frontier_request WHERE of_host(url)"
    waiting = "SELECT number FROM frontier_queue UNION SELECT number FROM frontier_later"
    return HostTraces(
        hosts=tuple(sorted({without_port(name) for (name,) in names})),
        visits=one("SELECT count(*) FROM visit WHERE of_host(url)"),
        pages=one("SELECT count(*) FROM page WHERE of_host(url)"),
        failures=one("SELECT count(*) FROM failure WHERE of_host(url)"),
        waiting=one(f"SELECT count(*) FROM ({waiting}) WHERE number IN ({ours})"),  # noqa: S608
        archive_bytes=one("SELECT sum(archive_length) FROM visit WHERE of_host(url)"),
    )


class _Forgetting:
    """The rows of a host, deleted in one transaction."""

    def __init__(self, database: Database, store: SqliteStore) -> None:
        self._database, self._store = database, store

    def forget(self) -> list[ArchivePart]:
        """Delete the rows; the parts of the archive that are to be overwritten."""
        ours = self._numbers("SELECT n FROM visit WHERE of_host(url)")
        sharing = self._sharing_bodies(ours)
        spans = list(self._spans({*ours, *sharing}))
        for n in sharing:
            self._store.give_own_body(n)
        self._store.forget([visit for n in ours if (visit := self._store.visit(n))])
        self._forget_elsewhere()
        self._forget_requests()
        return spans

    def _sharing_bodies(self, ours: Sequence[int]) -> list[int]:
        """Other visits whose bodies are in our records; their own records name our URLs."""
        sharing: list[int] = []
        for first in range(0, len(ours), _PIECE):
            some = ours[first : first + _PIECE]
            marks = ",".join("?" * len(some))
            query = f"SELECT n FROM visit WHERE body_of IN ({marks}) AND NOT of_host(url)"  # noqa: S608
            sharing += self._numbers(query, some)
        return sharing

    def _spans(self, wanted: Collection[int]) -> Iterator[ArchivePart]:
        """Where the records of visits lie, each with that of its request, which follows it."""
        ends = dict(self._database.execute("SELECT file, size FROM archive"))
        rows = self._database.execute(
            "SELECT archive_file, archive_offset, n FROM visit WHERE archive_length > 0"
            " ORDER BY archive_file, archive_offset"
        ).fetchall()
        for (file, start, n), follows in zip_longest(rows, rows[1:], fillvalue=(0, 0, 0)):
            if n in wanted:
                end = follows[1] if follows[0] == file else ends.get(file, -1)
                if not 0 <= start <= end:
                    raise DamagedDataError(
                        f"visit {n} has no place in the archive: have it repaired first"
                        " (geoscout check)"
                    )
                yield ArchivePart(file, start, end)

    def _forget_elsewhere(self) -> None:
        """What other tables have of the host."""
        execute = self._database.execute
        execute("DELETE FROM failure WHERE of_host(url)")
        execute("UPDATE visit SET parent = '' WHERE of_host(parent)")
        # A site is called by its host without "www.", and has rows for some of its pages.
        for (name,) in execute("SELECT name FROM site").fetchall():
            site = name.partition(" ")[0]
            if execute("SELECT is_host(?) OR is_host(?)", (site, f"www.{site}")).fetchone()[0]:
                execute("DELETE FROM site WHERE name = ?", (name,))

    def _forget_requests(self) -> None:
        execute = self._database.execute
        ours = "SELECT number FROM frontier_request WHERE of_host(url)"
        execute(f"DELETE FROM frontier_queue WHERE number IN ({ours})")  # noqa: S608
        execute(f"DELETE FROM frontier_later WHERE number IN ({ours})")  # noqa: S608
        execute(
            "UPDATE frontier_request SET url = 'forgotten:' || number, parent = '',"
            " features = x'' WHERE of_host(url)"
        )
        execute("UPDATE frontier_request SET parent = '' WHERE of_host(parent)")
        execute("UPDATE frontier_host SET done = 0, failed = 0, address = '' WHERE is_host(name)")

    def _numbers(self, query: str, values: Sequence[int] = ()) -> list[int]:
        return [n for (n,) in self._database.execute(query, values)]


def _overwrite(path: Path, parts: Iterable[ArchivePart]) -> None:
    """Replace parts of an archive file by records that say nothing.

    Raises:
        DamagedDataError: a part is too short for one.
    """
    file = open_file(path, os.O_WRONLY, inside=2)
    try:
        size = os.fstat(file).st_size
        for part in parts:
            if not 0 <= part.start <= part.end <= size:
                raise DamagedDataError(f"{path} does not have what is to be forgotten")
            filler = pack_filler(part.end - part.start, time.time(), FILLER)
            if filler is None:
                raise DamagedDataError(f"{path} has records that are too short to be replaced")
            write_all(file, filler, part.start)
        sync_file(file)
    finally:
        os.close(file)


def _empty_log(database: sqlite3.Connection) -> None:
    """Copy the log back and empty it, as far as nobody reads what is in it."""
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
