"""Compiles the tables into the one file that answers questions.

Everything is derived again from the tables each time, into a temporary file that takes its final
name only when complete: an interrupted build leaves nothing, and deleting a build loses nothing.
"""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

from geoscout_places.gazetteer import automaton, tables
from geoscout_places.gazetteer.areas.boundaries import read_boundaries
from geoscout_places.gazetteer.build.arrays import write_arrays
from geoscout_places.gazetteer.build.places import (
    Named,
    PostcodeValues,
    TownFinder,
    VillageRows,
    Writer,
    add_villages,
    adopt_neighbourhoods,
    adopt_parts,
    prefer_own_names,
    villages_of_codes,
)
from geoscout_places.gazetteer.home import BuildProgress, Sources
from geoscout_places.gazetteer.names import fold_street, german_spellings
from geoscout_places.gazetteer.tables import INDEXES, TABLES, arrays_of
from geoscout_places.model import Kind, NameRole, Place, Point

_GERMAN_SPEAKING = {"DE", "AT", "CH", "LI", "LU"}
# Of the types of landmarks; others, such as airports and peaks, are landmarks themselves.
_LANDMARK_KINDS = {
    **dict.fromkeys(("water", "sea", "river", "lake"), Kind.WATER),
    **dict.fromkeys(("area", "region", "range", "island", "park"), Kind.AREA),
}
_TRANSLATION = "t"  # the flag of a place's own name in another language
# Broad ones first, so that a parent's id is known when its children come.
_AREA_ORDER = (Kind.CONTINENT, Kind.COUNTRY, Kind.REGION, Kind.DISTRICT, Kind.AREA)

# Of GeoNames' feature codes.
_WATER_CODES = """
    AIRS ANCH BAY BAYS BGHT BNK BNKR BNKX BOG CAPG CHN CHNL CHNM CHNN CNFL CNL CNLA CNLB CNLD CNLI
    CNLN CNLQ CNLSB CNLX COVE CRKT CRNT CUTF DCK DCKB DOMG DPRG DTCH DTCHD DTCHI DTCHM ESTY FISH FJD
    FJDS FLLS FLLSX FLTM FLTT GLCR GULF GYSR HBR HBRX INLT INLTQ LBED LGN LGNS LGNX LK LKC LKI LKN
    LKNI LKO LKOI LKS LKSB LKSC LKSI LKSN LKSNI LKX MFGN MGV MOOR MRSH MRSHN NRWS OCN OVF PND PNDI
    PNDN PNDNI PNDS PNDSF PNDSI PNDSN POOL POOLI RCH RDGG RDST RF RFC RFX RPDS RSV RSVI RSVT RVN
    SBKH SD SEA SHOL SILL SPNG SPNS SPNT STM STMA STMB STMC STMD STMGS STMH STMI STMIX STMM STMQ
    STMS STMSB STMX STRT SWMP SYSG TNLC WAD WADB WADJ WADM WADS WADX WHRL WLL WLLQ WLLS WTLD WTLDI
    WTRC WTRH
"""
_WATERS = frozenset(_WATER_CODES.split())
_KINDS = {
    "CONT": Kind.CONTINENT,
    "ADM1": Kind.REGION,
    "PPLX": Kind.NEIGHBOURHOOD,
    "quarter": Kind.NEIGHBOURHOOD,  # of our own list
}
_AREAS = frozenset({"AREA", "CST", "RGN", "RGNE", "RGNH", "RGNL"})


def build(
    target: Path, sources: Sources, progress: BuildProgress = lambda _what, _share: None
) -> None:
    """Write the compiled gazetteer to `target` and its mapped file next to it, atomically.

    The mapped file takes its name first, so that where `target` is, both are.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".building-", suffix=".sqlite", dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        connection = sqlite3.connect(temporary)
        try:
            _Builder(connection, sources, arrays_of(temporary)).run(progress)
        finally:
            connection.close()
        arrays_of(temporary).replace(arrays_of(target))
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
        arrays_of(temporary).unlink(missing_ok=True)


class _Builder:
    """One build: the open file and what later tables need to know of earlier ones."""

    def __init__(self, connection: sqlite3.Connection, sources: Sources, arrays: Path) -> None:
        self.connection = connection
        self.sources = sources
        self.arrays = arrays
        self.names: list[str] = []
        self.automaton = b""
        self.writer = Writer(connection)
        self.villages = VillageRows()
        self.area_ids: dict[tuple[str, str], int] = {}  # kind and code -> id

    def run(self, progress: BuildProgress) -> None:
        self.connection.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;"
            + TABLES
        )
        # Each with the share of the time a build takes until it begins.
        steps: list[tuple[float, str, Callable[[], object]]] = [
            (0.00, "countries and regions", self.add_areas),
            (0.10, "places", self.add_places),
            (0.52, "landmarks", self.add_landmarks),
            (0.53, "further names", self.add_names),
            (0.54, "demonyms", self.add_demonyms),
            (0.55, "indexes", lambda: self.connection.executescript(INDEXES)),
            (0.57, "neighbourhoods", lambda: adopt_neighbourhoods(self.connection)),
            (0.59, "parts of cities", lambda: adopt_parts(self.connection)),
            (0.60, "own names", lambda: prefer_own_names(self.connection)),
            (0.61, "postal codes", self.add_postcodes),
            (0.72, "villages", self.add_villages),
            (0.80, "streets", self.add_streets),
            (0.81, "boundaries", self.add_boundaries),
            (0.83, "finishing", self.finish),
            (0.85, "automaton", self.compile_automaton),
            (0.95, "arrays", self.write_arrays),
        ]
        for share, what, step in steps:
            progress(what, share)
            step()
        progress("done", 1.0)

    def add_areas(self) -> None:
        continents = {row.code: row.continent for row in self.sources.countries()}
        for row in sorted(self.sources.areas(), key=lambda row: _AREA_ORDER.index(Kind(row.kind))):
            self.area_ids.setdefault((row.kind, row.code), int(row.id))
            place = _place_of(row, Kind(row.kind), self._parent_of(row, continents))
            names = [*_named(row.names, NameRole.ALIAS), *_named(row.codes, NameRole.CODE)]
            self.writer.add_place(place, names, row.code)

    def _parent_of(self, row: tables.AreaRow, continents: dict[str, str]) -> int:
        if row.kind == Kind.COUNTRY:
            return self.area_ids.get((Kind.CONTINENT, continents.get(row.code, "")), 0)
        if row.kind in (Kind.REGION, Kind.DISTRICT):
            return self._around(*row.code.split(".")[:-1])
        return self._around(row.country) if row.country else 0

    def _around(self, country: str, admin1: str = "", admin2: str = "") -> int:
        """The id of the narrowest known area with these codes; 0 for none."""
        return (
            self.area_ids.get((Kind.DISTRICT, f"{country}.{admin1}.{admin2}"))
            or self.area_ids.get((Kind.REGION, f"{country}.{admin1}"))
            or self.area_ids.get((Kind.COUNTRY, country), 0)
        )

    def add_places(self) -> None:
        for row in self.sources.places():
            parent = self._around(row.country, row.admin1, row.admin2)
            place = _place_of(row, kind_of(row.feature), parent)
            names = list(_named(row.names, NameRole.ALIAS))
            if row.country in _GERMAN_SPEAKING:
                names += [(spelling, NameRole.ALIAS) for spelling in german_spellings(row.name)]
            # New York City and Mexico City are mostly called by the first part of their name.
            short = row.name.removesuffix(" City")
            if short != row.name and (short, NameRole.ALIAS) in names:
                names.insert(0, (short, NameRole.NAME))
            known = self.writer.place(place.id)
            if known and (known.kind in _AREA_ORDER or not row.feature):
                # An area keeps its rank among areas; who gives no feature code knows less.
                self.writer.add_names(known, [(place.name, NameRole.ALIAS), *names])
            else:
                self.writer.add_place(place, names)

    def add_landmarks(self) -> None:
        for row in self.sources.landmarks():
            kind = _LANDMARK_KINDS.get(row.kind, Kind.LANDMARK)
            point = Point(float(row.latitude), float(row.longitude))
            parent = self._around(row.country)
            place = Place(
                int(row.id), row.name, kind, point, row.country, parent=parent, feature=row.kind
            )
            names = [*_named(row.translations, NameRole.NAME), *_named(row.names, NameRole.ALIAS)]
            self.writer.add_place(place, names)

    def add_names(self) -> None:
        for row in self.sources.names():
            role = NameRole.NAME if _TRANSLATION in row.flags else NameRole.ALIAS
            if place := self.writer.place(int(row.id)):
                self.writer.add_names(place, [(row.name, role)])

    def add_demonyms(self) -> None:
        for row in self.sources.demonyms():
            if place := self.writer.place(int(row.area)):
                self.writer.add_names(place, [(row.demonym, NameRole.DEMONYM)])

    def add_postcodes(self) -> None:
        towns = TownFinder(self.connection)
        self.connection.executemany(
            "INSERT OR IGNORE INTO postcode VALUES (?, ?, ?, ?, ?, ?, ?, ?)", self._located(towns)
        )

    def _located(self, towns: TownFinder) -> Iterator[PostcodeValues]:
        for row in self.sources.postcodes():
            if found := towns.locate(row):
                yield found
            else:
                self.villages.add(row)

    def add_villages(self) -> None:
        found = chain(villages_of_codes(self.connection), self.villages.villages(self.connection))
        add_villages(self.connection, self.writer, found)

    def add_streets(self) -> None:
        towns = TownFinder(self.connection)
        for row in self.sources.streets():
            street = fold_street(row.street)
            for place in towns.places_of(row):
                self.connection.execute(
                    "INSERT OR IGNORE INTO street VALUES (?, ?)", (place, street)
                )
                if row.latitude:
                    self.connection.execute(
                        "INSERT INTO street_spot VALUES (?, ?, ?, ?, ?)",
                        (place, street, row.block or None, row.latitude, row.longitude),
                    )

    def add_boundaries(self) -> None:
        kinds = (Kind.COUNTRY, Kind.REGION, Kind.DISTRICT)
        for code, rings in read_boundaries():
            found = self.area_ids.get((kinds[code.count(".")], code))
            if found:
                self.connection.execute("INSERT INTO boundary VALUES (?, ?)", (found, rings))

    def finish(self) -> None:
        facts = self.sources.describe()
        self.connection.executemany("INSERT INTO meta VALUES (?, ?)", facts.items())
        self.connection.commit()
        self.connection.executescript("ANALYZE; VACUUM;")

    def compile_automaton(self) -> None:
        self.names = automaton.written_names(self.writer.spellings)
        self.automaton = automaton.compile_automaton(self.names)

    def write_arrays(self) -> None:
        write_arrays(self.arrays, self.connection, self.names, self.automaton)


def _named(joined: str, role: NameRole) -> Iterator[Named]:
    return ((spelling, role) for spelling in joined.split("|") if spelling)


def _place_of(row: tables.PlaceRow | tables.AreaRow, kind: Kind, parent: int) -> Place:
    return Place(
        id=int(row.id),
        name=row.name,
        kind=kind,
        point=Point(float(row.latitude), float(row.longitude)),
        country=row.country,
        population=int(row.population or 0),
        timezone=row.timezone,
        parent=parent,
        feature=row.feature if isinstance(row, tables.PlaceRow) else "",
    )


def kind_of(feature: str) -> Kind:
    """What kind of place a GeoNames feature code stands for; a city where there is no code.

    >>> [str(kind_of(code)) for code in ("PPLA", "ADM2", "STM", "MT", "")]
    ['city', 'district', 'water', 'landmark', 'city']
    """
    if found := _KINDS.get(feature):
        return found
    if not feature or feature.startswith("PPL") or feature in ("POST", "STLMT"):
        return Kind.CITY
    if feature.startswith("PCL") or feature == "TERR":
        return Kind.COUNTRY
    if feature.startswith("ADM"):
        return Kind.DISTRICT
    if feature in _AREAS:
        return Kind.AREA
    return Kind.WATER if feature in _WATERS else Kind.LANDMARK
