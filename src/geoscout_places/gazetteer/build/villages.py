"""Makes places of the villages that only postal tables know.

GeoNames' cities end at 500 inhabitants, but postal tables name every village that has letters. They
have no coordinates for most of them, so a village is put where its postal code is: some kilometres
off at most, in the right district. Names that a town near by has already are left out.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import NamedTuple

from geoscout_places.gazetteer.build.links import TownFinder
from geoscout_places.gazetteer.build.writer import Writer
from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.postcodes import forms
from geoscout_places.gazetteer.tables import PostcodeRow
from geoscout_places.model import Kind, Place, Point

# Where the names in postal tables are villages. Elsewhere they are post offices, wards of cities or
# housing estates, hundreds of thousands of them, or post towns that are places already.
COUNTRIES = frozenset(
    "AT AU BE CH CZ DE DK EE ES FI FR GB HR HU IT LI LT LU LV NL NO NZ PL PT SE SI SK".split()
)
FEATURE = "PPLL"  # GeoNames' code of a populated locality
_SAME_KM = 30.0  # a town of the name within this distance is the village itself
_FIRST_ID = 20_000_000_000  # ids of the shipped tables are above
_ID_BYTES = 5
_NAME = re.compile(r"[^\W\d_][^\d_()/,;:*\"]{2,50}")


class Village(NamedTuple):
    """A village of a postal table, at the point of its code."""

    name: str
    country: str
    region: str  # its code without the country; "" where that is not known
    point: Point
    town: int  # id of the town of its code; 0 where that is not known


class VillageRows:
    """Collects the rows of a postal table that have neither coordinates nor a known town."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str, str], str] = {}

    def add(self, row: PostcodeRow) -> None:
        if row.country in COUNTRIES:
            # A village with many codes is at one of them.
            self._rows.setdefault((row.country, row.region, row.place), row.code)

    def villages(self, connection: sqlite3.Connection) -> Iterator[Village]:
        """Those whose code is known from another row."""
        for (country, region, name), code in self._rows.items():
            for form in forms(country, code):
                found = connection.execute(
                    "SELECT latitude, longitude, place FROM postcode"
                    " WHERE country = ? AND code = ? LIMIT 1",
                    (country, form),
                ).fetchone()
                if found:
                    yield Village(name, country, region, Point(*found[:2]), found[2])
                    break


def villages_of_codes(connection: sqlite3.Connection) -> Iterator[Village]:
    """The places that share a code with the town it is known for."""
    rows = connection.execute(
        "SELECT names, country, region, latitude, longitude, place FROM postcode WHERE names != ''"
    ).fetchall()
    for names, country, region, latitude, longitude, town in rows:
        for name in names.split("|") if country in COUNTRIES else ():
            yield Village(name, country, region, Point(latitude, longitude), town)


def add_villages(connection: sqlite3.Connection, writer: Writer, found: Iterable[Village]) -> None:
    """Write the villages that no place near by is."""
    towns = TownFinder(connection)
    written: set[int] = set()
    for village in found:
        id = _id_of(village)
        if id in written or not is_village_name(village.name) or towns.is_near(village, _SAME_KM):
            continue
        written.add(id)
        writer.add_place(_as_place(id, village, writer))


def is_village_name(name: str) -> bool:
    """Whether a text of a postal table is a name and nothing else.

    >>> [is_village_name(name) for name in ("Gaindorf", "Lyon CEDEX 03", "Zona Industrial (Sul)")]
    [True, False, False]
    """
    return _NAME.fullmatch(name) is not None and not name.isupper()


def _as_place(id: int, village: Village, writer: Writer) -> Place:
    """The village, in the district that its town is in, else in its region or country."""
    if known := writer.place(village.town):
        parent = known.parent
    else:
        known = writer.area(f"{village.country}.{village.region}") or writer.area(village.country)
        parent = known.id if known else 0
    return Place(
        id,
        village.name,
        Kind.CITY,
        village.point,
        village.country,
        timezone=known.timezone if known else "",
        parent=parent,
        feature=FEATURE,
    )


def _id_of(village: Village) -> int:
    """Made from name and whereabouts, so that it is the same with other packages installed."""
    where = f"{round(village.point.latitude)}|{round(village.point.longitude)}"
    key = f"{village.country}|{fold(village.name)}|{where}"
    number = int.from_bytes(blake2b(key.encode(), digest_size=_ID_BYTES).digest(), "big")
    return -(_FIRST_ID + number)
