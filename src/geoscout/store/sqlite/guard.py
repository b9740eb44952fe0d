"""Makes a SQLite file harmless that somebody else may have made.

A view, a trigger or a virtual table in it would have our queries run what its maker wrote: without
an end, or with functions of SQLite that read and write. So whatever of this kind is not ours is
refused by its name before anything else is asked. The rest is as SQLite advises for files that are
not trusted: no schema is trusted, pages are looked at before they are used, no value is larger than
ours can be, and (from Python 3.12 on) SQLite's own tables cannot be written to.

What a query may take is bounded besides, since a damaged file can surprise: signals are heard while
one runs, and in a server it has a time after which it is ended.
"""

from __future__ import annotations

import re
import sqlite3
import sys
import time
from contextlib import closing, suppress
from functools import lru_cache
from pathlib import Path

from geoscout_places.errors import DamagedDataError

LARGEST_VALUE = 256 * 1024 * 1024  # bytes
_STEPS = 200_000  # of SQLite's machine between two looks, some milliseconds
_PRAGMAS = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
# SQLite goes by the text of a row of its schema alone; so do we, and not by its column `type`.
_HOLDS_ROWS = re.compile(r"CREATE (TABLE|INDEX|UNIQUE INDEX) ")
_COMPUTES = re.compile(r"\b(check|generated|select)\b", re.IGNORECASE)  # also in a table
_SPACE = re.compile(r"(?:--[^\n]*|\s)+")
_longest: float | None = None  # seconds of one query


def limit_queries(seconds: float | None) -> None:
    """End queries of this process that take longer from now on; None: none."""
    global _longest  # noqa: PLW0603 - a server asks for it once
    _longest = seconds


class GuardedConnection(sqlite3.Connection):
    """A connection whose queries hear signals, and end after a time."""

    _began = 0.0

    def watch(self) -> None:
        self.set_progress_handler(self._is_over, _STEPS)

    def close(self) -> None:
        with suppress(sqlite3.ProgrammingError):  # it is closed
            self.set_progress_handler(None, 0)  # which holds the connection
        super().close()

    def execute(self, *query: object) -> sqlite3.Cursor:
        self._began = time.monotonic()
        return super().execute(*query)  # type: ignore[arg-type]

    def _is_over(self) -> bool:
        """Python runs the handlers of signals before this, and ends the query if one raises."""
        return _longest is not None and time.monotonic() - self._began > _longest


def guard(connection: sqlite3.Connection, file: Path, *scripts: str) -> None:
    """Refuse what in a file could run, unless one of these scripts of ours makes the same.

    Raises:
        DamagedDataError: there is something.
    """
    if isinstance(connection, GuardedConnection):
        connection.watch()
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)  # noqa: FBT003 - its own way
    connection.executescript(_PRAGMAS)
    for name, text in connection.execute("SELECT name, sql FROM sqlite_master"):
        if not _is_harmless(text, scripts):
            what = ascii(" ".join(str(text).split()[:3]))
            raise DamagedDataError(f"{file} has something that is not ours, {name!a}: {what} …")


@lru_cache(maxsize=512)  # the same few in every crawl
def _is_harmless(text: object, ours: tuple[str, ...]) -> bool:
    """Whether a statement only holds rows, or is one of ours; None is an index without one."""
    if text is None or _plain(text) in _made_by(ours):
        return True
    return isinstance(text, str) and bool(_HOLDS_ROWS.match(text)) and not _COMPUTES.search(text)


def _plain(text: object) -> str:
    """A statement without its spaces and comments, which differ between versions."""
    return _SPACE.sub(" ", str(text)).strip().casefold()


@lru_cache
def _made_by(scripts: tuple[str, ...]) -> frozenset[str]:
    """The statements of what our own scripts make, as SQLite keeps them."""
    made: set[str] = set()
    for script in scripts:
        with closing(sqlite3.connect("")) as scratch:
            scratch.executescript(script)
            rows = scratch.execute("SELECT sql FROM sqlite_master")
            made.update(_plain(text) for (text,) in rows)
    return frozenset(made)
