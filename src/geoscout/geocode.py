"""The point of a house by a geocoding service, for those who name one in the setting `geocoder`.

Everything else in `geo` is pure and works offline; this module asks the network: a server that
speaks as Nominatim or Photon do. Every reply is kept in a file, and so is the pace, so that all
processes together ask no more often than one might. A service that fails rests for a minute, then
for twice as long each time, up to an hour.

Nothing that goes wrong with a service is an error here: an address that cannot be asked about now
keeps the point it has.
"""

from __future__ import annotations

import ipaddress
import logging
import math
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from msgspec.structs import replace

from geoscout.named_service import ask_named
from geoscout.settings import Settings, user_agent
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.model import Address, Point, Precision

FILE = "geocoded.sqlite"  # in the home folder
UNKNOWN_SECONDS = 30 * 24 * 3600.0  # after this an address that was unknown is asked for again
_PER_SECOND = 1.0  # what the public Nominatim allows; your own service may take more
_FARTHEST_KM = 60.0  # from the point of town or postal code; beyond, it is another town
_NUMBER_LAST = frozenset(("DE", "AT", "CH", "NL", "BE", "IT", "ES", "PT"))
_TIMEOUT_SECONDS = 4.0
_LARGEST_REPLY = 1_000_000  # bytes
_FIRST_REST_SECONDS, _LONGEST_REST_SECONDS, _LOCKED_SECONDS = 60.0, 3600.0, 2.0
_HOUSE_RANK, _STREET_RANK = 28, 26  # of Nominatim: 28 to 30 are houses, 26 and 27 streets
_REQUESTS = {
    "nominatim": ("/search", {"format": "jsonv2", "limit": "1"}),
    "photon": ("/api", {"limit": "1"}),
}
_TABLES = """
CREATE TABLE IF NOT EXISTS reply (
    service TEXT, address TEXT, latitude REAL, longitude REAL, precision TEXT, at REAL NOT NULL,
    PRIMARY KEY (service, address)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pace (
    service TEXT PRIMARY KEY, next_at REAL NOT NULL, failures INTEGER NOT NULL) WITHOUT ROWID;
"""

_log = logging.getLogger(__name__)


class AskingLimits(NamedTuple):
    """How long an asker waits for its turn to ask the service."""

    seconds: float  # for one address
    in_all: float = math.inf  # waiting and asking for all addresses together


class GeocodedSpot(NamedTuple):
    """Where a service says an address is."""

    point: Point
    precision: Precision


class Service(NamedTuple):
    """What the setting says."""

    kind: str
    url: str
    user_agent: str
    seconds_between: float = 1 / _PER_SECOND

    @property
    def name(self) -> str:
        """Replies of different services are kept apart."""
        return f"{self.kind}:{self.url}"

    def ask(self, address: str) -> GeocodedSpot | None:
        """The spot of a house or street; None when the service does not know it.

        Raises:
            OSError: there was no reply.
            ValueError: it cannot be read; others of the kind when it has not the right parts.
        """
        import json  # noqa: PLC0415 - few name a service

        path, more = _REQUESTS[self.kind]
        url = f"{self.url}{path}?{urlencode({'q': address, **more})}"
        headers = {"User-Agent": self.user_agent}
        reply = ask_named(url, headers, most_bytes=_LARGEST_REPLY, seconds=_TIMEOUT_SECONDS)
        return _read(json.loads(reply))


class Geocoder:
    """Refines the points of addresses by one service. Several threads and processes may."""

    def __init__(
        self,
        service: Service,
        file: Path,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,  # a date: the file outlives the process
    ) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._service, self._sleep, self._clock = service, sleep, clock
        self._using = Lock()
        self._connection = sqlite3.connect(
            file, timeout=_LOCKED_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._connection.executescript(_TABLES)

    def refine(self, address: Address, patience: AskingLimits) -> Address:
        """The address with the service's point; as it was when there is none."""
        spot = self.locate(address, patience)
        return replace(address, point=spot.point, precision=spot.precision) if spot else address

    def locate(self, address: Address, patience: AskingLimits) -> GeocodedSpot | None:
        """Where the house or street of an address is; None when that cannot be told now."""
        if not address.street:
            return None
        try:
            spot = self._find(text_of(address), patience)
        except sqlite3.Error as error:
            _log.warning("replies of the geocoder cannot be kept: %s", error)
            return None
        near = address.place.point if address.place else address.point
        if spot and near and distance_km(spot.point, near) > _FARTHEST_KM:
            return None
        return spot

    def spend(self, patience: AskingLimits) -> GeocodingBudget:
        """A budget over many addresses, for one page or one update of the index."""
        return GeocodingBudget(self, patience, self._clock)

    def close(self) -> None:
        with self._using:
            self._connection.close()

    def _find(self, text: str, patience: AskingLimits) -> GeocodedSpot | None:
        query = """SELECT latitude, longitude, precision, at FROM reply
            WHERE service = ? AND address = ?"""
        with self._using:
            row = self._connection.execute(query, (self._service.name, text)).fetchone()
        if row is not None and row[0] is not None:
            return GeocodedSpot(Point(row[0], row[1]), Precision(row[2]))
        is_known = row is not None and self._clock() - row[3] <= UNKNOWN_SECONDS
        if is_known or min(patience) < 0:
            return None
        wait = self._claim(patience.seconds)
        if wait is None:
            return None
        self._sleep(wait)
        try:
            spot = self._service.ask(text)
        except Exception as error:
            _log.warning("the geocoder is left alone for %.0f s: %r", self._rest(), error)
            return None
        self._keep(text, spot)
        return spot

    def _keep(self, text: str, spot: GeocodedSpot | None) -> None:
        """Remember a reply; the service works, so its failures are forgotten."""
        where: tuple[object, ...] = (None, None, None)
        if spot is not None:
            where = spot.point.latitude, spot.point.longitude, spot.precision
        row = (self._service.name, text, *where, self._clock())
        with self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO reply VALUES (?, ?, ?, ?, ?, ?)", row)
            connection.execute("UPDATE pace SET failures = 0 WHERE service = ?", row[:1])

    def _claim(self, most_seconds: float) -> float | None:
        """Take the next turn to ask: the seconds until then; None when that is too long."""
        with self._writing() as connection:
            now, (next_at, failures) = self._clock(), self._pace()
            turn = max(now, next_at)
            if turn - now > most_seconds:
                return None
            row = (self._service.name, turn + self._service.seconds_between, failures)
            connection.execute("INSERT OR REPLACE INTO pace VALUES (?, ?, ?)", row)
            return turn - now

    def _rest(self) -> float:
        """Leave the service alone after a failure; for how many seconds."""
        with self._writing() as connection:
            failures = self._pace()[1]
            seconds = min(_FIRST_REST_SECONDS * 2.0**failures, _LONGEST_REST_SECONDS)
            row = (self._service.name, self._clock() + seconds, min(failures + 1, 10))
            connection.execute("INSERT OR REPLACE INTO pace VALUES (?, ?, ?)", row)
            return seconds

    def _pace(self) -> tuple[float, int]:
        query = "SELECT next_at, failures FROM pace WHERE service = ?"
        row = self._connection.execute(query, (self._service.name,)).fetchone()
        return row or (0.0, 0)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._using, self._connection:  # commits, or rolls back
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection


class GeocodingBudget:
    """Refines addresses until its time is used up; after that, by known replies only."""

    def __init__(
        self, geocoder: Geocoder, patience: AskingLimits, clock: Callable[[], float]
    ) -> None:
        self._geocoder, self._patience, self._clock = geocoder, patience, clock
        self._used = 0.0

    def refine(self, address: Address) -> Address:
        """The address with the service's point; as it was when there is none."""
        left = AskingLimits(self._patience.seconds, self._patience.in_all - self._used)
        began = self._clock()
        try:
            return self._geocoder.refine(address, left)
        finally:
            self._used += max(0.0, self._clock() - began)


def read_geocoder(settings: Settings) -> Service | None:
    """The service that the setting names; None when it names none.

    The setting is a kind of service and its address, "nominatim:http://localhost:8080", and after a
    comma the requests a second it may get, if that is not one.
    """
    if not settings.geocoder:
        return None
    kind, colon, rest = settings.geocoder.partition(":")
    url, comma, rate = rest.partition(",")
    if not colon:
        raise UsageError(
            f"geocoder {settings.geocoder!r} should be a kind of service and its address:"
            " nominatim:http://localhost:8080"
        )
    if kind not in _REQUESTS:
        raise UsageError(f"no geocoder is called {kind!r}; there are: {', '.join(_REQUESTS)}")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"{url!r} is not an address such as http://localhost:8080")
    if not settings.contact and not _is_local(parts.hostname):
        raise UsageError(
            "a geocoder on another machine needs a way to reach you: set `contact`"
            " (or GEOSCOUT_CONTACT) to a web or mail address"
        )
    between = 1 / (_read_rate(rate) if comma else _PER_SECOND)
    return Service(kind, url.rstrip("/"), user_agent(settings), between)


def open_geocoder(settings: Settings, home: Path) -> Geocoder | None:
    """The geocoder that the setting names, with its replies in the home folder; None for none."""
    service = read_geocoder(settings)
    if service is None:
        return None
    try:
        return Geocoder(service, home / FILE)
    except (sqlite3.Error, OSError) as error:
        raise UsageError(f"{home / FILE} cannot be used: {error}; delete it") from error


def text_of(address: Address) -> str:
    parts = (address.house_number, address.street)
    street = " ".join(reversed(parts) if address.country in _NUMBER_LAST else parts).strip()
    town = f"{address.postcode} {address.city}".strip()
    return ", ".join(part for part in (street, town, address.region, address.country) if part)


def _read(reply: Any) -> GeocodedSpot | None:
    """The best place of a reply; None for what is no more than a town, which we know as well."""
    found = reply["features"] if isinstance(reply, dict) else reply
    if not found:
        return None
    best = found[0]
    if "geometry" in best:  # as Photon has it
        longitude, latitude = best["geometry"]["coordinates"][:2]
        rank = {"house": _HOUSE_RANK, "street": _STREET_RANK}.get(best["properties"].get("type"), 0)
    else:
        latitude, longitude, rank = best["lat"], best["lon"], int(best.get("place_rank", 30))
    north, east = float(latitude), float(longitude)
    if not (-90 <= north <= 90 and -180 <= east <= 180):
        raise ValueError("not a point on the globe")
    if rank < _STREET_RANK:
        return None
    precision = Precision.HOUSE if rank >= _HOUSE_RANK else Precision.STREET
    return GeocodedSpot(Point(north, east), precision)


def _read_rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate < math.inf:
        raise UsageError(f"{text!r} is not a number of requests a second: nominatim:URL,20")
    return rate


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost"
