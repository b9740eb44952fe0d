"""The columns of a batch: one row for each page, with its places and addresses inside it.

The names are those of `geoscout export`. These records are the one list of columns: JSON lines are
their fields, and the Parquet schema is made from their types. Parquet has one more, `geometry`, the
point of the main place. docs/batch.md explains each.
"""

from __future__ import annotations

from msgspec import Struct

from geoscout_places.codec import Codec
from geoscout_places.model import SiteNotes


class PagePlace(Struct, frozen=True, gc=False):
    """A place that a page is about or mentions."""

    name: str
    path: tuple[str, ...]  # names from the continent down to the place
    country: str  # ISO 3166 alpha-2
    lat: float
    lon: float
    id: int  # the same for a place in every batch and crawl; that of GeoNames where it has one
    geonameid: int | None  # None where GeoNames has none
    kind: str
    mentions: int  # by the page itself
    site_mentions: int  # in blocks that many pages of its site have
    score: float  # share of the page's geographic weight, 0 to 1; 0 for a mere mention
    precision: str  # of the point: town or region


class PageAddress(Struct, frozen=True, gc=False):
    """An address of a page."""

    text: str
    house_number: str
    street: str
    unit: str
    city: str
    region: str
    postcode: str
    country: str
    lat: float | None
    lon: float | None
    geonameid: int | None  # of the city
    source: str  # "text", or where in the markup it is
    of_site: bool  # it stands in a block that many pages of its site have
    precision: str | None  # of the point: house, street, postcode, town or region


class PagePoint(Struct, frozen=True, gc=False):
    """Coordinates in the markup of a page."""

    lat: float
    lon: float
    source: str
    precision: str  # by the digits that are written


class PageRow(Struct, frozen=True, gc=False, kw_only=True):
    """A page. The columns from `place` to `precision` are its main place, or null."""

    url: str
    date: str | None  # when it was archived, ISO 8601 in UTC
    language: str | None
    title: str | None
    place: str | None = None
    path: tuple[str, ...] | None = None
    country: str | None = None
    lat: float | None = None
    lon: float | None = None
    geonameid: int | None = None
    kind: str | None = None
    score: float | None = None
    precision: str | None = None  # of lat and lon: town or region
    relevant: bool | None = None  # None without a region
    relevance: float | None = None
    places: tuple[PagePlace, ...] = ()
    addresses: tuple[PageAddress, ...] = ()
    points: tuple[PagePoint, ...] = ()
    offset: int = 0
    length: int = 0


class EncodedRow(Struct, frozen=True, gc=False):
    """A row as a line of JSON, and what is counted of it."""

    line: bytes
    addresses: int
    has_place: bool
    relevant: bool
    notes: SiteNotes | None = None  # what the page tells of its site, where that is asked for


row_codec = Codec(EncodedRow)
