"""Clients of geocoding services: Nominatim, Photon and Pelias, at an address of the user's choice.

One GET with the text of an address, and the best reply as a point with its precision. The standard
library does that; geopy would bring the same URLs without the precision.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import urlencode, urlsplit

from geoscout.errors import UsageError
from geoscout.model import Point, Precision

if TYPE_CHECKING:
    from http.client import HTTPResponse

TIMEOUT_SECONDS = 4.0
_LARGEST_REPLY = 1_000_000  # bytes


class GeocodedSpot(NamedTuple):
    """Where a service says an address is."""

    point: Point
    precision: Precision


class ServiceFailedError(Exception):
    """The service did not reply, or with something that cannot be read."""


class GeocodingService(Protocol):
    """Something that turns the text of an address into a point."""

    @property
    def name(self) -> str:
        """Which service it is; replies of different services are kept apart."""
        ...

    def ask(self, address: str) -> GeocodedSpot | None:
        """The spot of a house or street; None when the service does not know it.

        Raises:
            ServiceFailedError: there was no reply of use.
        """
        ...


@dataclass(frozen=True, slots=True)
class _Protocol:
    """How one kind of service is asked, and how its reply is read."""

    path: str
    query: Callable[[str], dict[str, str]]
    read: Callable[[Any], GeocodedSpot | None]


@dataclass(frozen=True, slots=True)
class HttpService:
    """A service of one of the known kinds at an address."""

    kind: str
    url: str
    user_agent: str

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.url}"

    def ask(self, address: str) -> GeocodedSpot | None:
        # imported late: with TLS it takes longer than most commands run, and few name a service
        import json  # noqa: PLC0415
        from http.client import HTTPException  # noqa: PLC0415
        from urllib.error import URLError  # noqa: PLC0415
        from urllib.request import Request, urlopen  # noqa: PLC0415

        protocol = _PROTOCOLS[self.kind]
        url = f"{self.url}{protocol.path}?{urlencode(protocol.query(address))}"
        request = Request(url, headers={"User-Agent": self.user_agent})  # noqa: S310 - http only
        try:
            with urlopen(request, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310
                return protocol.read(json.loads(_read_all(response)))
        except (URLError, HTTPException, OSError) as error:
            raise ServiceFailedError(f"{self.name}: {error}") from error
        except (ValueError, ArithmeticError, TypeError, LookupError, AttributeError) as error:
            raise ServiceFailedError(f"{self.name}: a reply that cannot be read") from error


def _read_all(response: HTTPResponse) -> bytes:
    """The body of a reply; `urlopen` limits the time of each part of it, not that of the whole."""
    parts, size, until = [], 0, time.monotonic() + TIMEOUT_SECONDS
    while part := response.read1(_LARGEST_REPLY):
        parts.append(part)
        size += len(part)
        if size > _LARGEST_REPLY or time.monotonic() > until:
            raise OSError("the reply is too long")
    return b"".join(parts)


def open_service(kind: str, url: str, user_agent: str) -> HttpService:
    """A service by its kind and the address of its server.

    Raises:
        UsageError: the kind is unknown, or the address is not one.
    """
    if kind not in _PROTOCOLS:
        known = ", ".join(_PROTOCOLS)
        raise UsageError(f"no geocoder is called {kind!r}; there are: {known}")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"{url!r} is not an address such as http://localhost:8080")
    return HttpService(kind, url.rstrip("/"), user_agent)


def _read_nominatim(reply: Any) -> GeocodedSpot | None:
    if not reply:
        return None
    best = reply[0]
    # Ranks of Nominatim: 26 and 27 are streets, 28 to 30 houses and what stands at a house.
    rank = int(best.get("place_rank", 30))
    precision = _house_or_street(is_house=rank >= 28, is_street=rank >= 26)
    return _spot(best["lat"], best["lon"], precision)


def _read_photon(reply: Any) -> GeocodedSpot | None:
    return _read_feature(reply, "type", ("house",), ("street",))


def _read_pelias(reply: Any) -> GeocodedSpot | None:
    return _read_feature(reply, "layer", ("address", "venue"), ("street", "intersection"))


def _read_feature(
    reply: Any, key: str, houses: tuple[str, ...], streets: tuple[str, ...]
) -> GeocodedSpot | None:
    if not reply["features"]:
        return None
    best: Mapping[str, Any] = reply["features"][0]
    kind = best["properties"].get(key)
    longitude, latitude = best["geometry"]["coordinates"][:2]
    precision = _house_or_street(is_house=kind in houses, is_street=kind in streets)
    return _spot(latitude, longitude, precision)


def _house_or_street(*, is_house: bool, is_street: bool) -> Precision | None:
    if is_house:
        return Precision.HOUSE
    return Precision.STREET if is_street else None


def _spot(latitude: Any, longitude: Any, precision: Precision | None) -> GeocodedSpot | None:
    """The spot; None for what is no more than a town, which the gazetteer knows as well."""
    north, east = float(latitude), float(longitude)
    if not (-90 <= north <= 90 and -180 <= east <= 180):
        raise ValueError("not a point on the globe")
    return GeocodedSpot(Point(north, east), precision) if precision else None


_PROTOCOLS = {
    "nominatim": _Protocol(
        "/search", lambda text: {"q": text, "format": "jsonv2", "limit": "1"}, _read_nominatim
    ),
    "photon": _Protocol("/api", lambda text: {"q": text, "limit": "1"}, _read_photon),
    "pelias": _Protocol("/v1/search", lambda text: {"text": text, "size": "1"}, _read_pelias),
}
