"""The compiled gazetteer, read from its file.

What the geoparser asks of every name comes from the mapped file (`arrays.py`), and answers that it
asks for again and again are kept in a small cache; the rest is one indexed query each. The files
never change, so any number of processes and threads may share them.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from geoscout_places.errors import DamagedDataError, UnknownPlaceError
from geoscout_places.gazetteer.areas.shapes import city_radius_km
from geoscout_places.gazetteer.areas.sphere import bounding_box, distance_km
from geoscout_places.gazetteer.arrays import PlaceArrays, refusing_damage
from geoscout_places.gazetteer.automaton import NameSearch
from geoscout_places.gazetteer.base import View
from geoscout_places.gazetteer.names import (
    TYPOS,
    PlaceQuery,
    StreetSpot,
    fold,
    fold_street,
    forms,
    middle_of,
    nearest_names,
    readings,
)
from geoscout_places.gazetteer.tables import arrays_of, cell_of
from geoscout_places.gazetteer.wordnet import Synset, load_geowordnet
from geoscout_places.model import Candidate, Kind, NameRole, Place, Point, Postcode

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PLACE = (
    "place.id, place.name, place.kind, place.latitude, place.longitude, place.country,"
    " place.population, place.timezone, place.parent, place.feature"
)
_BEYOND_TOWN_KM = 3.0  # from its edge, that a street of a small town may be
_NEAREST_RADII_KM = (15.0, 60.0, 300.0)
# The latest: a geoparser and a strategy in one process both need it. Without the kernel, it takes
# 70 MB.
_automata: dict[Path, NameSearch] = {}
_LAST_LETTER = "\U0010ffff"
_LOOKED_AT = 200  # names with the best scores among those that begin so
_SHORT_LETTERS = 2  # prefixes this short have tens of thousands of names: known places only
_OTHER_NAME_MALUS = 3.0  # powers of ten: "lis" is not the Lithuania of some language
_KNOWN_SCORE = 5.5  # a town of some 60,000 people, a region of 300,000
_CACHED = 50_000  # names and places: a few thousand recur in any crawl


class SqliteGazetteer:
    """The knowledge of places in one SQLite file; implements `Gazetteer`."""

    def __init__(self, path: Path) -> None:
        self.file = path
        self._connect()
        self._arrays = PlaceArrays(arrays_of(path))
        self._using = Lock()  # closing a connection that a thread is using crashes the process
        self.place = lru_cache(_CACHED)(refusing_damage(self._arrays.place))
        self.candidates = lru_cache(_CACHED)(refusing_damage(self._arrays.candidates))
        self.lineage = lru_cache(_CACHED)(refusing_damage(self._arrays.lineage))
        self._from_parent = lru_cache(_CACHED)(self._find_from_parent)
        self.postcodes = lru_cache(_CACHED)(refusing_damage(self._postcodes))

    def _connect(self) -> None:
        try:
            self._connection = sqlite3.connect(
                f"{self.file.absolute().as_uri()}?mode=ro&immutable=1",
                uri=True,
                check_same_thread=False,
            )
            self._connection.execute("PRAGMA mmap_size = 268435456")
            self._connection.execute("SELECT value FROM meta WHERE key = 'extras'")
        except sqlite3.Error as error:
            raise DamagedDataError(f"gazetteer {self.file} cannot be read: {error}") from error
        self._process = os.getpid()

    @property
    def identity(self) -> str:
        """The name of the file, which has a checksum of all sources in it."""
        return self.file.name

    def close(self) -> None:
        """Let go of the file, once no other thread is reading it; then nothing can be asked."""
        with self._using:
            self._connection.close()
            self._arrays.close()

    def search(self, name: str, country: str = "") -> Sequence[Candidate]:
        """Candidates for a name that may carry qualifiers, likeliest first; empty when none fits.

        `country` is an ISO code; "" allows all.
        """
        for query in readings(name):
            found = [
                candidate
                for candidate in self.candidates(query.name)
                if (not country or candidate.place.country == country)
                and self._is_qualified(candidate.place, query)
            ]
            if found:
                return found
        return ()

    def find(self, name: str, country: str = "") -> Sequence[Candidate]:
        """Like `search`, and complains; `country` may be a name.

        Raises:
            UnknownPlaceError: nothing fits; carries the three nearest spellings.
        """
        wanted = self._country_code(country) if country else ""
        found = self.search(name, wanted)
        if not found:
            raise UnknownPlaceError(name, self._suggestions(name, wanted))
        return found

    def names(self, places: Sequence[Place]) -> Mapping[int, Sequence[tuple[str, NameRole]]]:
        """Every folded name of these places with its role; one pass over all names, some ms."""
        with self._using:  # the file cannot be closed meanwhile
            return refusing_damage(self._arrays.names)([place.id for place in places])

    def ancestors(self, place: Place) -> Sequence[Place]:
        """What contains the place, from its parent up to the continent."""
        above = self._from_parent(place.parent)
        # Files a user imports may say that two places contain each other.
        return above[: above.index(place)] if place in above else above

    def _find_from_parent(self, id: int) -> tuple[Place, ...]:
        """The place with this id and what contains it; many places have the same parent."""
        found: list[Place] = []
        place = self.place(id)
        while place is not None and place not in found:
            found.append(place)
            place = self.place(place.parent)
        return tuple(found)

    def children(self, place: Place) -> Sequence[Place]:
        rows = self._execute(
            f"SELECT {_PLACE} FROM place WHERE parent = ? ORDER BY population DESC, id", (place.id,)
        )
        return [Place.from_row(row) for row in rows]

    def is_inside(self, inner: Place, outer: Place) -> bool:
        return inner.id == outer.id or any(p.id == outer.id for p in self.ancestors(inner))

    def nearest(self, point: Point, *, minimum_population: int = 0) -> Place | None:
        for radius_km in _NEAREST_RADII_KM:
            cells = ",".join(str(cell) for cell in _cells_around(point, radius_km))
            rows = self._execute(
                f"SELECT {_PLACE} FROM place"
                f" WHERE kind = 'city' AND cell IN ({cells}) AND population >= ?",
                (minimum_population,),
            )
            places = [Place.from_row(row) for row in rows]
            best = min(places, key=lambda p: distance_km(p.point, point), default=None)
            if best is not None and distance_km(best.point, point) <= radius_km:
                return best
        return None

    def _postcodes(self, country: str, code: str) -> Sequence[Postcode]:
        for form in forms(country, code):
            if found := self._arrays.postcodes(country, form):
                return found
        return ()

    def postcodes_of(self, place: Place) -> Sequence[Postcode]:
        """The postcodes that serve the place, in their order."""
        rows = self._execute(
            "SELECT country, code, town, region, latitude, longitude, names, place"
            " FROM postcode WHERE place = ? ORDER BY country, code, town",
            (place.id,),
        )
        return tuple(_as_postcode(row) for row in rows)

    def is_street(self, street: str, city: Place) -> bool | None:
        if not self.has_streets:
            return None
        around = [place for place in self.ancestors(city) if place.kind != Kind.CONTINENT]
        ids = [city.id, *(place.id for place in around)]
        marks = ",".join("?" * len(ids))
        if self._execute(
            f"SELECT 1 FROM street WHERE folded = ? AND city IN ({marks})",
            (fold_street(street), *ids),
        ):
            return True
        # Tables of states and countries have main roads only: what they lack may still exist.
        complete = [city.id, *(place.id for place in around if place.kind == Kind.DISTRICT)]
        marks = ",".join("?" * len(complete))
        covered = f"SELECT 1 FROM street WHERE city IN ({marks}) LIMIT 1"
        return False if self._execute(covered, tuple(complete)) else None

    def street_point(self, street: str, house_number: str, city: Place) -> Point | None:
        if not self._has_street_spots:
            return None
        if spots := self._street_spots(street, city):
            return middle_of(spots, house_number)
        # Tables of counties do not say which of its towns a street is in; other towns have such
        # a street too.
        around = [place for place in self.ancestors(city) if place.kind == Kind.DISTRICT]
        reach_km = city_radius_km(city.population) + _BEYOND_TOWN_KM
        near = [
            spot
            for district in around
            for spot in self._street_spots(street, district)
            if distance_km(spot.point, city.point) <= reach_km
        ]
        return middle_of(near, house_number)

    def _street_spots(self, street: str, place: Place) -> list[StreetSpot]:
        rows = self._execute(
            "SELECT block, latitude, longitude FROM street_spot WHERE city = ? AND folded = ?",
            (place.id, fold_street(street)),
        )
        return [StreetSpot(block, Point(*degrees)) for block, *degrees in rows]

    def boundary(self, place: Place) -> bytes | None:
        rows = self._execute("SELECT rings FROM boundary WHERE place = ?", (place.id,))
        return rows[0][0] if rows else None

    def synsets(self, place: Place) -> Sequence[Synset]:
        """The GeoWordNet synsets that mean this place."""
        return load_geowordnet().of_place(place.id)

    def automaton(self) -> NameSearch:
        """The automaton that finds every name; one for all who read this file."""
        if self.file not in _automata:
            _automata.clear()
            _automata[self.file] = self._arrays.automaton()
        return _automata[self.file]

    def complete(self, beginning: str, limit: int) -> list[Place]:
        """The likeliest places one of whose names begins so, none twice."""
        folded = fold(beginning)
        if not folded:
            return []
        least = _KNOWN_SCORE if len(folded) <= _SHORT_LETTERS else -1e9
        rows = self._execute(
            "SELECT place, max(score - CASE role WHEN 'name' THEN 0 ELSE ? END) AS best"
            " FROM name WHERE folded >= ? AND folded < ? AND score >= ? AND role != 'demonym'"
            " GROUP BY place ORDER BY best DESC, place LIMIT ?",
            (_OTHER_NAME_MALUS, folded, folded + _LAST_LETTER, least, _LOOKED_AT),
        )
        found = (self.place(id) for id, _ in rows)
        return [place for place in found if place is not None][:limit]

    def in_view(self, view: View, limit: int) -> list[Place]:
        """The most populous towns in a part of the map."""
        all_ids, latitudes, longitudes = self._towns
        inside = (latitudes >= view.south) & (latitudes <= view.north)
        east_of, west_of = longitudes >= view.west, longitudes <= view.east
        inside &= (east_of & west_of) if view.west <= view.east else (east_of | west_of)
        ids = all_ids[inside][:limit].tolist()
        return [place for id in ids if (place := self.place(id)) is not None]

    def of_kind(self, kind: Kind) -> list[Place]:
        """Every place of a kind, the most populous first."""
        rows = self._execute(
            "SELECT id FROM place WHERE kind = ? ORDER BY population DESC, id", (str(kind),)
        )
        found = (self.place(id) for (id,) in rows)
        return [place for place in found if place is not None]

    @cached_property
    def _towns(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Ids, latitudes and longitudes of all towns, the most populous first."""
        rows = self._execute(
            "SELECT id, latitude, longitude FROM place WHERE kind = 'city'"
            " ORDER BY population DESC, id"
        )
        import numpy as np  # noqa: PLC0415 - for maps only: it takes longer than most commands

        columns = np.array(rows, np.float64).reshape(-1, 3)
        return columns[:, 0].astype(np.int64), columns[:, 1], columns[:, 2]

    def describe(self) -> dict[str, str | int]:
        """Where it lies, counts and origins, for `geoscout gazetteer info`."""
        facts: dict[str, str | int] = {"file": str(self.file)}
        facts |= dict(self._execute("SELECT key, value FROM meta"))
        for kind, count in self._execute("SELECT kind, count(*) FROM place GROUP BY kind"):
            facts[f"{kind} places"] = count
        for table in ("name", "postcode", "street", "boundary"):
            facts[f"{table} rows"] = self._execute(f"SELECT count(*) FROM {table}")[0][0]
        synsets = load_geowordnet().synsets.values()
        facts["synset rows"] = len(synsets)
        facts["synsets with coordinates"] = sum(s.place_id is not None for s in synsets)
        return facts

    @cached_property
    def has_streets(self) -> bool:
        return bool(self._execute("SELECT 1 FROM street LIMIT 1"))

    @cached_property
    def _has_street_spots(self) -> bool:
        return bool(self._execute("SELECT 1 FROM street_spot LIMIT 1"))

    def _execute(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            with self._using:
                if self._process != os.getpid():  # two processes would share one place in the file
                    self._connect()
                return self._connection.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise DamagedDataError(f"gazetteer is damaged: {error}") from error

    def _country_code(self, country: str) -> str:
        """The ISO code for a code or a name of a country."""
        for candidate in self.candidates(country):
            if candidate.place.kind is Kind.COUNTRY:
                return candidate.place.country
        raise UnknownPlaceError(country, self._suggestions(country, ""))

    def _is_qualified(self, place: Place, query: PlaceQuery) -> bool:
        above = {ancestor.id for ancestor in self.ancestors(place)}
        return all(
            any(candidate.place.id in above for candidate in self.candidates(qualifier))
            for qualifier in query.qualifiers
        )

    def _suggestions(self, name: str, country: str) -> list[str]:
        """Up to three known places whose names are spelt most like `name`'s first part."""
        first = fold(name.partition(",")[0])
        if not first:
            return []
        lengths = (len(first) - TYPOS, len(first) + TYPOS)
        query = "SELECT DISTINCT folded FROM name WHERE length(folded) BETWEEN ? AND ?"
        known = (row[0] for row in self._execute(query, lengths))
        labels: list[str] = []
        for spelt in nearest_names(first, known, limit=12):
            for candidate in self.candidates(spelt):
                if not country or candidate.place.country == country:
                    label = self.label(candidate.place)
                    labels += [label] if label not in labels else []
                    break
        return labels[:3]

    def path(self, place: Place) -> list[str]:
        """The names from the continent down to the place, one step once where names repeat."""
        names = [p.name for p in reversed(self.ancestors(place))] + [place.name]
        return [n for i, n in enumerate(names) if i == 0 or n != names[i - 1]]

    def label(self, place: Place) -> str:
        """The place's name with region and country, as a user would write it."""
        above = [p for p in self.ancestors(place) if p.kind in (Kind.REGION, Kind.COUNTRY)]
        names = [place.name, *(p.name for p in above)]
        return ", ".join(n for i, n in enumerate(names) if i == 0 or n != names[i - 1])


def _as_postcode(row: tuple[Any, ...]) -> Postcode:
    country, code, town, region, latitude, longitude, names, place = row
    others = tuple(name for name in names.split("|") if name)
    return Postcode(
        country, code, town, region, Point(latitude, longitude), other_towns=others, place_id=place
    )


def _cells_around(point: Point, radius_km: float) -> set[int]:
    """The one-degree squares a circle touches."""
    west, south, east, north = bounding_box(point, radius_km)
    width = int(east - west if east >= west else east - west + 360) + 2
    return {
        cell_of(min(max(latitude, -90), 90), (west + step + 180) % 360 - 180)
        for latitude in range(int(south) - 1, int(north) + 2)
        for step in range(width)
    }
