"""Where the street or house of a query is.

A geocoder knows best, if the settings name one; else a street table that the user has imported;
else the addresses and coordinates of the crawl's own pages; else only the town is known, and the
answer says so.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from geoscout.geocode import AskingLimits, Geocoder
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.structured import StreetLine
from geoscout_places.model import Address, Kind, Place, Point, Precision

if TYPE_CHECKING:  # it imports from here
    from geoscout.search.own_spots import OwnSpot, OwnSpots

QUERY_LIMITS = AskingLimits(seconds=1.0)


@dataclass(frozen=True, slots=True)
class StreetQuery:
    """A street or house in a query."""

    line: StreetLine
    town: str  # as it is written, with qualifiers
    address: Address  # for a geocoder; its place is the town if an address format has found it
    start: int  # code points into the text
    end: int

    @property
    def name(self) -> str:
        """The street with its number, as it is written."""
        return self.address.text


@dataclass(frozen=True, slots=True)
class StreetSearch:
    """Where the street of a query is."""

    point: Point
    precision: Precision
    note: str  # what the user should know; "" for nothing
    key: str = ""  # by which the index finds the pages with this very house or street


class StreetLocator:
    """Finds where streets are."""

    def __init__(
        self, gazetteer: Gazetteer, geocoder: Geocoder | None = None, own: OwnSpots | None = None
    ) -> None:
        self._gazetteer = gazetteer
        self._geocoder = geocoder
        self._own = own

    def locate(self, query: StreetQuery, town: Place) -> StreetSearch:
        """The house, else the street, else its postal code, else the town."""
        line = query.line
        own = self._own.house(line.street, line.house_number, town) if self._own else None
        found = self._by_tables(query, town) or self._by_pages(query, own)
        found = found or StreetSearch(town.point, Precision.TOWN, self._why_town(query, town))
        return dataclasses.replace(found, key=own.key) if own else found

    def _by_pages(self, query: StreetQuery, own: OwnSpot | None) -> StreetSearch | None:
        """By what pages tell, if they tell more than the town."""
        if own is None or own.spot is None:
            return None
        precision = own.spot.precision
        if precision.is_exact:
            return StreetSearch(own.spot.point, precision, "")
        if precision is not Precision.POSTCODE:
            return None
        note = f"where {query.name} is is known by its postal code only; searched around that"
        return StreetSearch(own.spot.point, precision, note)

    def _by_tables(self, query: StreetQuery, town: Place) -> StreetSearch | None:
        """By the geocoder or a street table."""
        line, gazetteer = query.line, self._gazetteer
        asked = _address_in(query, town, gazetteer)
        spot = self._geocoder.locate(asked, QUERY_LIMITS) if self._geocoder else None
        if spot and (spot.precision is Precision.HOUSE or not line.house_number):
            return StreetSearch(spot.point, spot.precision, "")
        point = gazetteer.street_point(line.street, line.house_number, town)
        point = point or (spot.point if spot else None)
        if point:
            note = (
                f"house {line.house_number} itself is not known;"
                f" searched near its part of {line.street}"
            )
            return StreetSearch(point, Precision.STREET, note if line.house_number else "")
        return None

    def _why_town(self, query: StreetQuery, town: Place) -> str:
        if self._gazetteer.is_street(query.line.street, town) is False:
            why = f"the imported street tables have no {query.line.street} in {town.name}"
        elif self._geocoder:
            why = f"neither the geocoder nor a street table knows where {query.name} is"
        else:
            why = (
                f"where {query.name} is in {town.name} is not known without a street table"
                " or a geocoder"
            )
        return f"{why}; searched near {town.name} itself"


def make_address(text: str, line: StreetLine, found: Address | None = None) -> Address:
    return Address(
        start=0,
        end=0,
        text=text,
        house_number=line.house_number,
        street=line.street,
        unit=line.unit,
        city=found.city if found else "",
        region=found.region if found else "",
        postcode=found.postcode if found else "",
        country=found.country if found else "",
        point=None,
        place=found.place if found else None,
        source="query",
    )


def _address_in(query: StreetQuery, town: Place, gazetteer: Gazetteer) -> Address:
    """The address as a geocoder is asked for it, in the town that was chosen."""
    known = query.address.place is not None and query.address.place.id == town.id
    region = query.address.region if known else _region_of(town, gazetteer)
    postcode = query.address.postcode if known else ""
    return replace(
        query.address, city=town.name, region=region, postcode=postcode, country=town.country,
        place=town,
    )  # fmt: skip


def _region_of(town: Place, gazetteer: Gazetteer) -> str:
    above = gazetteer.ancestors(town)
    return next((place.name for place in above if place.kind is Kind.REGION), "")
