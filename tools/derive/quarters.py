"""Quarters of cities: GeoNames has them only where somebody counted their inhabitants.

They are written down from general knowledge in `curated/quarters.txt`, whose head tells the form. A
quarter that another table has gets no second entry, only the name with its city.
"""

import sys
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from tools.derive.features import KnownName, finished_rows, table_rows
from tools.derive.geometry import distance_km
from tools.derive.names import fold
from tools.derive.places import Place
from tools.derive.sources import CURATED, format_rows, header_of, record_rows, write_xz

_FILE = CURATED / "quarters.txt"
_FIRST_ID = 10_000_000_000  # the ids of features end below
_FEATURE = "quarter"
_LARGE_CITY = 80_000  # inhabitants
_WITHIN_KM = 30.0
_SAME_KM = 8.0
_HYPHENATED = frozenset({"DE", "AT", "CH"})  # countries that write "München-Schwabing"


@dataclass(frozen=True)
class Quarter:
    """A quarter and its city, by the name that the table of places has and the local one."""

    name: str
    city: str
    local_city: str
    country: str
    latitude: float
    longitude: float
    needs_city: bool  # the bare name mostly means something else

    @property
    def joined(self) -> str:
        """The name with its city, "" where it is not written so."""
        if self.country not in _HYPHENATED or self.name.startswith(self.local_city):
            return ""
        return f"{self.local_city}-{self.name}"

    @property
    def id(self) -> int:
        """Made from the names alone, so that it stays when coordinates are corrected."""
        key = f"{self.name}, {self.city}, {self.country}"
        return -(_FIRST_ID + zlib.crc32(key.encode()))


def read_quarters(file: Path = _FILE) -> list[Quarter]:
    """All quarters of the file.

    Raises:
        ValueError: a line is malformed, two quarters have one id, or one that is known only with
            its city is in a country that does not write it so.
    """
    found = list(parse_quarters(file.read_text(encoding="utf-8")))
    seen: dict[int, Quarter] = {}
    for quarter in found:
        if quarter.id in seen:
            raise ValueError(
                f"two quarters have one id: {quarter.name} and {seen[quarter.id].name}"
            )
        if quarter.needs_city and not quarter.joined:
            raise ValueError(f"{quarter.name} cannot be named with {quarter.city}")
        seen[quarter.id] = quarter
    return found


def parse_quarters(text: str) -> Iterator[Quarter]:
    r"""The quarters of a text.

    >>> text = "= Munich|München DE\nSchwabing 48.17 11.58; *Gern 48.16 11.52"
    >>> [(q.name, q.joined, q.needs_city) for q in parse_quarters(text)]
    [('Schwabing', 'München-Schwabing', False), ('Gern', 'München-Gern', True)]
    """
    city = local = country = ""
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            if line.startswith("= "):
                names, country = line[2:].rsplit(" ", 1)
                city, _, local = names.partition("|")
            elif line and not line.startswith("#"):
                for part in line.split(";"):
                    yield _parse_quarter(part.strip(), (city, local or city, country))
        except ValueError as error:
            raise ValueError(f"line {number} is malformed: {line!r}") from error


def _parse_quarter(text: str, city: tuple[str, str, str]) -> Quarter:
    name, latitude, longitude = text.rsplit(" ", 2)
    needs_city = name.startswith("*")
    return Quarter(
        name=name.removeprefix("*"),
        city=city[0],
        local_city=city[1],
        country=city[2],
        latitude=float(latitude),
        longitude=float(longitude),
        needs_city=needs_city,
    )


class QuarterTables:
    """Sorts quarters into new places and names of places that the other tables have."""

    def __init__(self, rows: Iterable[Mapping[str, str]]) -> None:
        self._known: dict[str, list[Mapping[str, str]]] = defaultdict(list)
        self._cities: dict[tuple[str, str], list[Mapping[str, str]]] = defaultdict(list)
        for row in rows:
            # A place of the table of places has codes of its areas, and inhabitants.
            is_place = "admin1" in row
            is_city = is_place and int(row["population"] or 0) >= _LARGE_CITY
            for name in {fold(name) for name in (row["name"], *row["names"].split("|")) if name}:
                if is_place or name == fold(row["name"]):
                    self._known[name].append(row)
                if is_city:
                    self._cities[name, row["country"]].append(row)

    def split(self, quarters: Iterable[Quarter]) -> tuple[list[Place], list[KnownName]]:
        """New rows for the table of places, and further names of places there are.

        Raises:
            ValueError: a quarter is far from its city, or its city is unknown.
        """
        places: list[Place] = []
        names: list[KnownName] = []
        for quarter in quarters:
            city = self._city_of(quarter)
            same = self._same_place(quarter, city)
            if same is None:
                places.append(_as_place(quarter, city))
            else:
                names += _names_of(quarter, same)
        return places, names

    def _city_of(self, quarter: Quarter) -> Mapping[str, str]:
        cities = self._cities.get((fold(quarter.city), quarter.country), ())
        near = [city for city in cities if _away_km(quarter, city) <= _WITHIN_KM]
        if not near:
            raise ValueError(f"{quarter.name} is not within {_WITHIN_KM} km of {quarter.city}")
        return max(near, key=lambda row: int(row["population"]))

    def _same_place(self, quarter: Quarter, city: Mapping[str, str]) -> Mapping[str, str] | None:
        bearers = self._known.get(fold(quarter.name), ())
        near = [row for row in bearers if row != city and _away_km(quarter, row) <= _SAME_KM]
        return min(near, key=lambda row: _away_km(quarter, row), default=None)


def _away_km(quarter: Quarter, row: Mapping[str, str]) -> float:
    point = float(row["latitude"]), float(row["longitude"])
    return distance_km(quarter.latitude, quarter.longitude, *point)


def _names_of(quarter: Quarter, known: Mapping[str, str]) -> Iterator[KnownName]:
    """The name with the city, and the bare one where it has been an alias so far."""
    if quarter.joined and fold(quarter.joined) != fold(known["name"]):
        yield KnownName(int(known["id"]), "", quarter.joined, "")
    if not quarter.needs_city and fold(quarter.name) != fold(known["name"]):
        yield KnownName(int(known["id"]), "", quarter.name, "t")


def _as_place(quarter: Quarter, city: Mapping[str, str]) -> Place:
    names = (quarter.joined,) if quarter.joined and not quarter.needs_city else ()
    return Place(
        id=quarter.id,
        name=quarter.joined if quarter.needs_city else quarter.name,
        latitude=quarter.latitude,
        longitude=quarter.longitude,
        country=quarter.country,
        admin1=city["admin1"],
        admin2=city["admin2"],
        population=0,
        timezone=city["timezone"],
        feature=_FEATURE,
        names=names,
    )


def derive(out: Path) -> None:
    """Write the tables of quarters, from our file and the finished tables of a folder."""
    rows = chain(finished_rows(out), table_rows(out / "landmarks.known.tsv.xz"))
    places, names = QuarterTables(rows).split(read_quarters())
    places.sort(key=lambda place: (place.country, place.admin1, place.name))
    for name, type, records in (
        ("places.quarters", Place, places),
        ("names.quarters", KnownName, names),
    ):
        size = write_xz(out / f"{name}.tsv.xz", format_rows(header_of(type), record_rows(records)))
        print(f"{name}: {len(records):,} rows, {size:,} bytes", file=sys.stderr)


if __name__ == "__main__":
    derive(Path("src/geoscout_places/gazetteer/data"))
