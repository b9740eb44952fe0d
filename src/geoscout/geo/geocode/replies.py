"""What geocoding services replied, and when they may be asked next, in one file for all processes.

The pace is kept next to the replies, so that the workers of a crawl, the index and a server
together ask a service no more often than one of them might. A service that fails rests for a
minute, then for twice as long each time, up to an hour.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from geoscout.geo.geocode.services import GeocodedSpot
from geoscout.model import Point, Precision

UNKNOWN_SECONDS = 30 * 24 * 3600.0  # after this an address that was unknown is asked for again
_FIRST_REST_SECONDS, _LONGEST_REST_SECONDS = 60.0, 3600.0
_LOCKED_SECONDS = 2.0  # that one process waits for another
_TABLES = """
CREATE TABLE IF NOT EXISTS reply (
    service TEXT, address TEXT, latitude REAL, longitude REAL, precision TEXT, at REAL NOT NULL,
    PRIMARY KEY (service, address)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pace (
    service TEXT PRIMARY KEY, next_at REAL NOT NULL, failures INTEGER NOT NULL) WITHOUT ROWID;
"""


class ReplyFile:
    """Replies and pace of one service. Several threads and processes may use the file."""

    def __init__(self, file: Path, service: str) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._service = service
        self._using = Lock()
        self._connection = sqlite3.connect(
            file, timeout=_LOCKED_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._connection.executescript(_TABLES)

    def find(self, address: str, now: float) -> tuple[bool, GeocodedSpot | None]:
        """Whether the reply for an address is known, and the spot if there is one."""
        with self._using:
            row = self._connection.execute(
                "SELECT latitude, longitude, precision, at FROM reply"
                " WHERE service = ? AND address = ?",
                (self._service, address),
            ).fetchone()
        if row is None or (row[0] is None and now - row[3] > UNKNOWN_SECONDS):
            return False, None
        latitude, longitude, precision, _ = row
        if latitude is None:
            return True, None
        return True, GeocodedSpot(Point(latitude, longitude), Precision(precision))

    def keep(self, address: str, spot: GeocodedSpot | None, now: float) -> None:
        """Remember a reply; the service works, so its failures are forgotten."""
        point = spot.point if spot else None
        values = (point.latitude, point.longitude) if point else (None, None)
        precision = spot.precision if spot else None
        with self._writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO reply VALUES (?, ?, ?, ?, ?, ?)",
                (self._service, address, *values, precision, now),
            )
            connection.execute("UPDATE pace SET failures = 0 WHERE service = ?", (self._service,))

    def claim(self, now: float, seconds_between: float, most_seconds: float) -> float | None:
        """Take the next turn to ask: the seconds until then; None when that is too long."""
        with self._writing() as connection:
            row = connection.execute(
                "SELECT next_at FROM pace WHERE service = ?", (self._service,)
            ).fetchone()
            turn = max(now, row[0]) if row else now
            if turn - now > most_seconds:
                return None
            connection.execute(
                "INSERT INTO pace VALUES (?, ?, 0)"
                " ON CONFLICT (service) DO UPDATE SET next_at = excluded.next_at",
                (self._service, turn + seconds_between),
            )
            return turn - now

    def rest(self, now: float) -> float:
        """Leave the service alone after a failure; for how many seconds."""
        with self._writing() as connection:
            row = connection.execute(
                "SELECT failures FROM pace WHERE service = ?", (self._service,)
            ).fetchone()
            failures = row[0] if row else 0
            seconds = min(_FIRST_REST_SECONDS * 2.0**failures, _LONGEST_REST_SECONDS)
            connection.execute(
                "INSERT OR REPLACE INTO pace VALUES (?, ?, ?)",
                (self._service, now + seconds, min(failures + 1, 10)),
            )
            return seconds

    def close(self) -> None:
        with self._using:
            self._connection.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._using:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
