"""Street-level coordinates by a geocoding service, for those who run one.

No command and no part of geoscout uses this module yet: it is for library users, who make a
`Geocoder` and hand their pages through it. Everything else in `geo` is pure and offline; this is
the one part that asks the network. Replies, empty ones too, are kept in a file, and the service is
asked no more often than its rules allow.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace

from geoscout.errors import UsageError
from geoscout.model import Address, Point

SERVICES = ("nominatim", "photon", "pelias")
SECONDS_BETWEEN = 1.0  # what the public Nominatim allows; your own service may take more


class Service(Protocol):
    """Something that turns the text of an address into a point; geopy's geocoders are such."""

    def geocode(self, query: str) -> object | None:
        """A reply with `latitude` and `longitude`; None when the address is unknown."""
        ...


class Geocoder:
    """Refines the points of addresses; remembers every reply."""

    def __init__(
        self,
        service: Service,
        cache: Path,
        *,
        seconds_between: float = SECONDS_BETWEEN,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._service = service
        self._seconds_between = seconds_between
        self._sleep = sleep
        self._clock = clock
        self._next_at = clock()
        self._cache = sqlite3.connect(cache)
        self._cache.execute(
            "CREATE TABLE IF NOT EXISTS answer"
            " (query TEXT PRIMARY KEY, latitude REAL, longitude REAL) WITHOUT ROWID"
        )

    def refine(self, address: Address) -> Address:
        """The address with the service's point; as it was when the service has none."""
        point = self._point(_query(address)) if address.street else None
        return replace(address, point=point) if point else address

    def close(self) -> None:
        self._cache.close()

    def _point(self, query: str) -> Point | None:
        known = self._cache.execute(
            "SELECT latitude, longitude FROM answer WHERE query = ?", (query,)
        ).fetchone()
        if known is None:
            known = self._ask(query)
            self._cache.execute("INSERT INTO answer VALUES (?, ?, ?)", (query, *known))
            self._cache.commit()
        return Point(*known) if known[0] is not None else None

    def _ask(self, query: str) -> tuple[float | None, float | None]:
        self._sleep(max(0.0, self._next_at - self._clock()))
        try:
            found = self._service.geocode(query)
        finally:
            self._next_at = self._clock() + self._seconds_between
        return getattr(found, "latitude", None), getattr(found, "longitude", None)


def open_service(name: str, domain: str, user_agent: str) -> Service:
    """One of geopy's geocoders at an address of your own, such as "localhost:8080".

    Raises:
        UsageError: the name is unknown, or geopy is not installed.
    """
    if name not in SERVICES:
        raise UsageError(f"no geocoder is called {name!r}; there are {', '.join(SERVICES)}")
    try:
        from geopy import geocoders  # noqa: PLC0415 - optional
    except ImportError as error:
        raise UsageError("geopy is not installed; pip install geoscout[geocoder]") from error
    makers = {
        "nominatim": geocoders.Nominatim,
        "photon": geocoders.Photon,
        "pelias": geocoders.Pelias,
    }
    service: Service = makers[name](domain=domain, user_agent=user_agent, timeout=10)
    return service


def _query(address: Address) -> str:
    street = f"{address.house_number} {address.street}".strip()
    if address.country in ("DE", "AT", "CH"):
        street = f"{address.street} {address.house_number}".strip()
    parts = (street, f"{address.postcode} {address.city}".strip(), address.region, address.country)
    return ", ".join(part for part in parts if part)
