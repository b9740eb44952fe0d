"""What a map and a search box ask of the compiled gazetteer: beginnings of names, places in view.

They have a connection and two small tables of their own, because the geoparser never asks this:
the names of the best-known places by their first letters, and where the towns lie.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from geoscout_places.gazetteer.base import View
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Kind, Place

_LAST_LETTER = "\U0010ffff"
_LOOKED_AT = 200  # names with the best scores among those that begin so
_SHORT_LETTERS = 2  # prefixes this short have tens of thousands of names: known places only
_OTHER_NAME_MALUS = 3.0  # powers of ten: "lis" is not the Lithuania of some language
_KNOWN_SCORE = 5.5  # a town of some 60,000 people, a region of 300,000


@dataclass(frozen=True)
class _Towns:
    """All towns, the most populous first."""

    ids: npt.NDArray[np.int64]
    latitudes: npt.NDArray[np.float64]
    longitudes: npt.NDArray[np.float64]


class SqlitePlaceFinder:
    """Finds places in the file of a gazetteer; implements `PlaceFinder`.

    `place` gives the place of an id.
    """

    def __init__(self, file: Path, place: Callable[[int], Place | None]) -> None:
        self._place = place
        self._connection = sqlite3.connect(
            f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )

    def close(self) -> None:
        self._connection.close()

    def complete(self, beginning: str, limit: int) -> list[Place]:
        """The likeliest places one of whose names begins so, none twice."""
        folded = fold(beginning)
        if not folded:
            return []
        least = _KNOWN_SCORE if len(folded) <= _SHORT_LETTERS else -1e9
        rows = self._connection.execute(
            "SELECT place, max(score - CASE role WHEN 'name' THEN 0 ELSE ? END) AS best"
            " FROM name WHERE folded >= ? AND folded < ? AND score >= ? AND role != 'demonym'"
            " GROUP BY place ORDER BY best DESC, place LIMIT ?",
            (_OTHER_NAME_MALUS, folded, folded + _LAST_LETTER, least, _LOOKED_AT),
        ).fetchall()
        found = (self._place(id) for id, _ in rows)
        return [place for place in found if place is not None][:limit]

    def in_view(self, view: View, limit: int) -> list[Place]:
        """The most populous towns in a part of the map."""
        towns = self._towns
        inside = (towns.latitudes >= view.south) & (towns.latitudes <= view.north)
        east_of, west_of = towns.longitudes >= view.west, towns.longitudes <= view.east
        inside &= (east_of & west_of) if view.west <= view.east else (east_of | west_of)
        ids = towns.ids[inside][:limit].tolist()
        return [place for id in ids if (place := self._place(id)) is not None]

    def of_kind(self, kind: Kind) -> list[Place]:
        """Every place of a kind, the most populous first."""
        rows = self._connection.execute(
            "SELECT id FROM place WHERE kind = ? ORDER BY population DESC, id", (str(kind),)
        ).fetchall()
        found = (self._place(id) for (id,) in rows)
        return [place for place in found if place is not None]

    @cached_property
    def _towns(self) -> _Towns:
        rows = self._connection.execute(
            "SELECT id, latitude, longitude FROM place WHERE kind = 'city'"
            " ORDER BY population DESC, id"
        ).fetchall()
        columns = np.array(rows, np.float64).reshape(-1, 3)
        return _Towns(columns[:, 0].astype(np.int64), columns[:, 1], columns[:, 2])
