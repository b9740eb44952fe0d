"""The tables of a directory's file, and how it is opened.

What pages say (`statement`, `roamer`, `phone`) and the entries that it comes to are in one file,
which one process changes while others read what was there before.
"""

import sqlite3
from functools import cache
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote

from msgspec import json

from geoscout.crawl_folder import is_writable, require_plain
from geoscout.sql import GuardedConnection, guard
from geoscout.state.base import folder_below, is_url
from geoscout_directory.records import DirectoryEntry, PageEntry
from geoscout_places.codec import Codec
from geoscout_places.errors import DamagedDataError

LISTING_FILE = "listing.sqlite"


def directory_folder(where: Path | str, home: Path) -> Path:
    """The folder on this machine for the directory of the crawl at an address."""
    return (
        folder_below(home, str(where), "directories")
        if is_url(where)
        else Path(where) / "directory"
    )


def has_listing(folder: Path) -> bool:
    """Whether a directory is there to be asked."""
    return (folder / LISTING_FILE).is_file()


ENTRY, STATEMENT = Codec(DirectoryEntry), Codec(PageEntry)
_CACHE = 64_000  # KB of the file that SQLite keeps in memory
PATIENCE = 5.0  # seconds to wait for another process that writes
_VERSION = 5  # of the tables; those of another version are dropped
_SCHEMA = """
CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS statement (
  partition TEXT NOT NULL, url TEXT NOT NULL, position INTEGER NOT NULL, packed BLOB NOT NULL,
  PRIMARY KEY (partition, url, position)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS statement_by_url ON statement (url);
CREATE TABLE IF NOT EXISTS roamer (
  url TEXT NOT NULL, position INTEGER NOT NULL, packed BLOB NOT NULL,
  home TEXT NOT NULL,  -- its partition, when it was last looked for; "" before
  PRIMARY KEY (url, position)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS roamer_by_home ON roamer (home);
CREATE TABLE IF NOT EXISTS phone (  -- the towns of telephone numbers
  number TEXT NOT NULL, partition TEXT NOT NULL, url TEXT NOT NULL,
  PRIMARY KEY (number, partition, url)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dirty (partition TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS refetched (page INTEGER PRIMARY KEY);  -- since the last merge
CREATE TABLE IF NOT EXISTS entry (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  partition TEXT NOT NULL,
  name TEXT NOT NULL,          -- folded, to sort by; digits last
  place INTEGER NOT NULL,      -- the town; 0 where unknown
  lat REAL, lon REAL,
  found_at REAL NOT NULL,      -- when the crawl fetched the first page that names it
  first_seen REAL NOT NULL,    -- as found_at, in a replay by the dates of the archive
  last_seen REAL NOT NULL,
  changed_at REAL NOT NULL,    -- when pages last said something else of it, or named it first
  sites INTEGER NOT NULL,      -- that name it
  packed BLOB NOT NULL         -- a DirectoryEntry
);
CREATE INDEX IF NOT EXISTS entry_by_partition ON entry (partition);
CREATE INDEX IF NOT EXISTS entry_by_name ON entry (name, id);
CREATE INDEX IF NOT EXISTS entry_by_point ON entry (lat, lon);
CREATE INDEX IF NOT EXISTS entry_by_place ON entry (place);
CREATE INDEX IF NOT EXISTS entry_by_change ON entry (changed_at);
CREATE TABLE IF NOT EXISTS category (
  tag TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (tag, n)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS category_by_entry ON category (n);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (name, other, prefix = '3');
CREATE TABLE IF NOT EXISTS page (
  number INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  visit INTEGER NOT NULL,
  fetched_at REAL NOT NULL,
  answered_at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS source (
  page INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (page, n)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS source_by_entry ON source (n);
CREATE TABLE IF NOT EXISTS town (  -- what each town lies in, and the town itself
  above INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (above, place)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS history (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  at REAL NOT NULL,
  what TEXT NOT NULL,          -- as in `HistoryKind`
  field TEXT NOT NULL,
  before TEXT NOT NULL,
  after TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS history_by_id ON history (id);
CREATE TABLE IF NOT EXISTS gone (  -- entries that no page names any more
  id TEXT PRIMARY KEY,
  first_seen REAL NOT NULL,
  last_seen REAL NOT NULL,
  followed_by TEXT NOT NULL,   -- the entry that pages name in its place; "" for none
  packed BLOB NOT NULL
) WITHOUT ROWID;
"""
TABLES = (
    "statement", "roamer", "phone", "dirty", "refetched", "entry", "category", "words", "page",
    "source", "town", "history", "gone", "note",
)  # fmt: skip


@cache
def shape() -> str:
    """What the records and tables look like: a listing of another shape is made again."""
    described = json.encode(json.schema(DirectoryEntry))
    return f"{_VERSION} {blake2b(described, digest_size=8).hexdigest()}"


def open_to_write(folder: Path) -> sqlite3.Connection:
    """The file of a directory, made if it is not there.

    Raises:
        DamagedDataError: it is not a database.
    """
    require_plain(folder, inside=1)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LISTING_FILE
    connection = sqlite3.connect(
        path, isolation_level=None, timeout=PATIENCE, factory=GuardedConnection
    )
    try:
        guard(connection, path, _SCHEMA)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA cache_size = -{_CACHE}")
        connection.execute("PRAGMA synchronous = NORMAL")  # all but the history can be made again
        connection.execute("PRAGMA secure_delete=ON")  # what was deleted must not stay in the file
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != _VERSION:
            drops = "".join(f"DROP TABLE IF EXISTS {table};" for table in TABLES)
            connection.executescript(
                f"BEGIN; {drops} {_SCHEMA} PRAGMA user_version = {_VERSION}; COMMIT;"
            )
    except sqlite3.DatabaseError as error:
        connection.close()
        raise damaged(path, error) from error
    return connection


def open_to_read(folder: Path) -> sqlite3.Connection:
    """The file of a directory that is there.

    Raises:
        DamagedDataError: it is not a database.
    """
    require_plain(folder, inside=1)
    path = folder / LISTING_FILE
    # SQLite needs a file next to it even to read, unless it is told that nothing changes.
    still = "" if is_writable(folder) else "&immutable=1"
    address = f"file:{quote(str(path.absolute()))}?mode=ro{still}"
    try:
        # Threads use it one after another.
        connection = sqlite3.connect(
            address, uri=True, timeout=PATIENCE, check_same_thread=False, factory=GuardedConnection
        )
        guard(connection, path, _SCHEMA)
        connection.execute("PRAGMA query_only = ON")
    except sqlite3.DatabaseError as error:
        raise damaged(path, error) from error
    return connection


def damaged(path: Path, error: Exception) -> DamagedDataError:
    return DamagedDataError(
        f"{path} is damaged: {error}; `geoscout directory --set rebuild=yes` makes it again"
    )


def note_of(connection: sqlite3.Connection, name: str) -> str:
    """What was noted under a name; "" for nothing."""
    row = connection.execute("SELECT value FROM note WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""
