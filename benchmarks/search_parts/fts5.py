"""The rival: SQLite's FTS5 for words, place ids as words of a column, its R*Tree for points.

Places as words of the same table are the quickest way we found to ask for words within a place:
a join with a table of places takes longer.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from geoscout.index import Document
from geoscout_places.gazetteer.areas.sphere import bounding_box
from geoscout_places.model import Point

_TABLES = """
PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;
CREATE VIRTUAL TABLE IF NOT EXISTS page USING fts5(title, body, places, content='', detail=column,
    tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE IF NOT EXISTS spot USING rtree(id, west, east, south, north, +page INTEGER);
CREATE TABLE IF NOT EXISTS page_place (
    page INTEGER, place INTEGER, PRIMARY KEY (page, place)) WITHOUT ROWID;
"""


class Fts5Index:
    """Words, places and points in one SQLite file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._connection = sqlite3.connect(file)
        self._connection.executescript(_TABLES)
        self._connection.create_function("distance_km", 4, _distance_km, deterministic=True)

    def add(self, pages: Iterable[Document], ancestors: dict[int, list[int]]) -> None:
        run = self._connection.execute
        for page in pages:
            nodes = {n for p in page.places for n in (p.place_id, *ancestors[p.place_id])}
            marks = " ".join(f"p{node}".replace("-", "m") for node in nodes)
            row = page.visit + 1
            values = (row, page.title, page.text, marks)
            run("INSERT INTO page (rowid, title, body, places) VALUES (?, ?, ?, ?)", values)
            self._connection.executemany(
                "INSERT INTO page_place VALUES (?, ?)", [(row, node) for node in nodes]
            )
            for spot in page.spots:
                x, y = spot.point.longitude, spot.point.latitude
                run("INSERT INTO spot VALUES (NULL, ?, ?, ?, ?, ?)", (x, x, y, y, row))
        self._connection.commit()

    def finish(self) -> None:
        self._connection.execute("INSERT INTO page (page) VALUES ('optimize')")
        self._connection.commit()
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def within_place(self, words: Sequence[str], place: int) -> list[int]:
        mark = f"p{place}".replace("-", "m")
        match = f"({' AND '.join(words)}) AND places : {mark}"
        query = "SELECT rowid FROM page WHERE page MATCH ? ORDER BY rank LIMIT 10"
        return [row[0] for row in self._connection.execute(query, (match,))]

    def within_distance(self, words: Sequence[str], center: Point, radius_km: float) -> list[int]:
        west, south, east, north = bounding_box(center, radius_km)
        # The plus keeps SQLite from asking FTS5 once for every spot, which takes far longer.
        query = """SELECT rowid FROM page WHERE page MATCH ? AND +rowid IN (
            SELECT page FROM spot WHERE west >= ? AND east <= ? AND south >= ? AND north <= ?
            AND distance_km(south, west, ?, ?) <= ?) ORDER BY rank LIMIT 10"""
        values = (west, east, south, north, center.latitude, center.longitude, radius_km)
        found = self._connection.execute(query, (" AND ".join(words), *values))
        return [row[0] for row in found]

    def count_places(self, words: Sequence[str]) -> dict[int, int]:
        query = """SELECT place, count(*) FROM page_place WHERE page IN (
            SELECT rowid FROM page WHERE page MATCH ?) GROUP BY place"""
        return dict(self._connection.execute(query, (" AND ".join(words),)).fetchall())

    def close(self) -> None:
        self._connection.close()


def _distance_km(latitude: float, longitude: float, other: float, other_longitude: float) -> float:
    turn = math.radians(other_longitude - longitude)
    north, south = math.radians(latitude), math.radians(other)
    cosine = math.sin(north) * math.sin(south) + math.cos(north) * math.cos(south) * math.cos(turn)
    return 6371.0088 * math.acos(max(-1.0, min(1.0, cosine)))
