"""Finds the house or street of addresses with a geocoding service, or leaves them as they are.

Nothing that goes wrong with a service is an error here: an address that cannot be asked about now,
because the service fails or others have their turn first, keeps the point it has.
"""

from __future__ import annotations

import ipaddress
import logging
import math
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from msgspec.structs import replace

from geoscout.errors import UsageError
from geoscout.gazetteer.areas.sphere import distance_km
from geoscout.geo.geocode.replies import ReplyFile
from geoscout.geo.geocode.services import (
    GeocodedSpot,
    GeocodingService,
    HttpService,
    ServiceFailedError,
    open_service,
)
from geoscout.model import Address
from geoscout.settings import Settings, user_agent

FILE = "geocoded.sqlite"  # in the home folder
_PER_SECOND = 1.0  # what the public Nominatim allows; your own service may take more
_FARTHEST_KM = 60.0  # from the point of town or postal code; beyond, it is another town
_NUMBER_LAST = frozenset(("DE", "AT", "CH", "NL", "BE", "IT", "ES", "PT"))

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AskingLimits:
    """How long an asker waits for its turn to ask the service."""

    seconds: float  # for one address
    in_all: float = math.inf  # waiting and asking for all addresses together


class Geocoder:
    """Refines the points of addresses by one service."""

    def __init__(
        self,
        service: GeocodingService,
        replies: ReplyFile,
        *,
        seconds_between: float = 1 / _PER_SECOND,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,  # a date: the file outlives the process
    ) -> None:
        self._service = service
        self._replies = replies
        self._seconds_between = seconds_between
        self._sleep = sleep
        self._clock = clock

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
        self._replies.close()

    def _find(self, text: str, patience: AskingLimits) -> GeocodedSpot | None:
        is_known, spot = self._replies.find(text, self._clock())
        if is_known or min(patience.seconds, patience.in_all) < 0:
            return spot
        wait = self._replies.claim(self._clock(), self._seconds_between, patience.seconds)
        if wait is None:
            return None
        self._sleep(wait)
        try:
            spot = self._service.ask(text)
        except ServiceFailedError as error:
            seconds = self._replies.rest(self._clock())
            _log.warning("the geocoder is left alone for %.0f s: %s", seconds, error)
            return None
        self._replies.keep(text, spot, self._clock())
        return spot


class GeocodingBudget:
    """Refines addresses until its time is used up; after that, by known replies only."""

    def __init__(
        self, geocoder: Geocoder, patience: AskingLimits, clock: Callable[[], float]
    ) -> None:
        self._geocoder = geocoder
        self._patience = patience
        self._clock = clock
        self._used = 0.0

    def refine(self, address: Address) -> Address:
        """The address with the service's point; as it was when there is none."""
        left = AskingLimits(self._patience.seconds, self._patience.in_all - self._used)
        began = self._clock()
        try:
            return self._geocoder.refine(address, left)
        finally:
            self._used += max(0.0, self._clock() - began)


@dataclass(frozen=True, slots=True)
class GeocoderChoice:
    """What the setting `geocoder` says."""

    service: HttpService
    seconds_between: float


def read_geocoder(settings: Settings) -> GeocoderChoice | None:
    """The service that the setting names; None when it names none.

    The setting is a kind of service and its address, "nominatim:http://localhost:8080", and after a
    comma the requests a second it may get, if that is not one.

    Raises:
        UsageError: the setting cannot be read, or the service is on another machine and `contact`
            is empty.
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
    service = open_service(kind, url, user_agent(settings))
    if not settings.contact and not _is_local(url):
        raise UsageError(
            "a geocoder on another machine needs a way to reach you: set `contact`"
            " (or GEOSCOUT_CONTACT) to a web or mail address"
        )
    return GeocoderChoice(service, 1 / (_read_rate(rate) if comma else _PER_SECOND))


def open_geocoder(settings: Settings, home: Path) -> Geocoder | None:
    """The geocoder that the setting names, with its replies in the home folder; None for none.

    Raises:
        UsageError: the setting cannot be read, or the file of replies cannot be opened.
    """
    chosen = read_geocoder(settings)
    if chosen is None:
        return None
    try:
        replies = ReplyFile(home / FILE, chosen.service.name)
    except (sqlite3.Error, OSError) as error:
        raise UsageError(f"{home / FILE} cannot be used: {error}; delete it") from error
    return Geocoder(chosen.service, replies, seconds_between=chosen.seconds_between)


def text_of(address: Address) -> str:
    """The address as a service is asked for it."""
    parts = (address.house_number, address.street)
    street = " ".join(reversed(parts) if address.country in _NUMBER_LAST else parts).strip()
    town = f"{address.postcode} {address.city}".strip()
    return ", ".join(part for part in (street, town, address.region, address.country) if part)


def _read_rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate < math.inf:
        raise UsageError(f"{text!r} is not a number of requests a second: nominatim:URL,20")
    return rate


def _is_local(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost"
