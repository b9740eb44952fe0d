"""Writes places and their names into a gazetteer that is being built."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.schema import cell_of, importance, name_score
from geoscout_places.model import Kind, NameRole, Place, Point

Named = tuple[str, NameRole]  # a spelling and its role


class Writer:
    """The open file, and every spelling written to it so far."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.spellings: set[str] = set()

    def add_place(self, place: Place, names: Iterable[Named] = (), code: str = "") -> None:
        """A place with its own name and further ones; one with a known id replaces it."""
        point = place.point
        self._connection.execute(
            "INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                place.id, place.name, place.kind, point.latitude, point.longitude, place.country,
                place.population, place.timezone, place.parent, place.feature, code,
                cell_of(point.latitude, point.longitude),
            ),
        )  # fmt: skip
        self.add_names(place, [(place.name, NameRole.NAME), *names])

    def add_names(self, place: Place, names: Iterable[Named]) -> None:
        """Names of a place; the first role of a name stays."""
        weight = importance(place.kind, place.population, place.feature)
        for spelling, role in names:
            if folded := fold(spelling):
                self._connection.execute(
                    "INSERT OR IGNORE INTO name VALUES (?, ?, ?, ?)",
                    (folded, place.id, role, name_score(weight, place.kind, role)),
                )
                self.spellings.add(spelling)

    def area(self, code: str) -> Place | None:
        """The area written before under a code, such as "DE" or "DE.02"."""
        row = self._connection.execute(
            # The index has only places with a code, and is used only where that is said.
            "SELECT id FROM place WHERE code = ? AND code != '' AND kind != ?",
            (code, Kind.CONTINENT),
        ).fetchone()
        return self.place(row[0]) if row else None

    def place(self, id: int) -> Place | None:
        """A place written before."""
        row = self._connection.execute(
            "SELECT name, kind, latitude, longitude, country, population, timezone, parent,"
            " feature FROM place WHERE id = ?",
            (id,),
        ).fetchone()
        if row is None:
            return None
        name, kind, latitude, longitude, country, population, timezone, parent, feature = row
        return Place(
            id, name, Kind(kind), Point(latitude, longitude), country,
            population=population, timezone=timezone, parent=parent, feature=feature,
        )  # fmt: skip
