"""The records of the directory: what one page says of something, and what all pages say of it."""

from enum import StrEnum
from typing import Any

from msgspec import Struct

from geoscout_places.geo.structured import NUMBER_FIRST
from geoscout_places.model import Address, Point, Precision, point_as_json

READING_VERSION = 7  # of what is read from a page: one more whenever that changes


class PageEntry(Struct, frozen=True, gc=False, array_like=True, kw_only=True):
    """What one page says of one business, club or office. What it does not say is ""."""

    url: str  # of the page
    name: str
    evidence: str  # where the name stands: as in `Item.source`, or a `NamePlace`
    address: Address | None = None  # its place has no more than its id, in `place_id`
    place_id: int = 0  # of the town in the gazetteer; 0 where unknown
    phones: tuple[str, ...] = ()  # as E.164: +498921013
    mails: tuple[str, ...] = ()
    hours: str = ""  # as OpenStreetMap writes opening_hours
    categories: tuple[str, ...] = ()  # as OpenStreetMap tags them: amenity=restaurant
    website: str = ""
    is_own: bool = False  # the page is part of the website
    price: str = ""  # as markup has it: "€€", "12 EUR"


class NamePlace(StrEnum):
    """Where in a text a name was found."""

    LINE = "line"  # a line near the address
    HEADING = "heading"
    TITLE = "title"  # of the page
    SITE = "site"  # of the whole site


class MergeReason(Struct, frozen=True, gc=False, array_like=True):
    """Why two statements are about the same thing."""

    one: str  # URL of a page
    other: str
    why: str  # such as "same telephone, names alike (96)"


class Contradiction(Struct, frozen=True, gc=False, array_like=True):
    """A field of which pages say different things."""

    field: str
    values: tuple[tuple[str, str], ...]  # each with the first page that says it; the chosen first


class MapStatus(StrEnum):
    """How an entry stands to the map."""

    SAME = "same"  # the map has it, and says nothing else than the pages
    CHANGED = "changed"  # the map has it, and says something else
    NEW = "new"  # the map does not have it


class MapChange(Struct, frozen=True, gc=False):
    """A field of which the map says something else than the pages."""

    field: str
    in_map: str
    on_pages: str


class MapMatch(Struct, frozen=True, gc=False, kw_only=True):
    """The object of OpenStreetMap that an entry is, or that there is none."""

    status: MapStatus
    osm_id: str = ""  # "node/123"; "" for a new one
    score: float = 0.0
    why: str = ""
    changes: tuple[MapChange, ...] = ()
    lacks: tuple[str, ...] = ()  # fields that pages say and the map does not
    located_by: str = ""  # the object whose point the entry has now; "" if it kept its own


class DirectoryEntry(Struct, frozen=True, gc=False, array_like=True, kw_only=True):
    """A business, club or office, as all pages together describe it."""

    id: str  # the same as long as its name and address are
    name: str
    address: Address | None
    place_id: int
    phones: tuple[str, ...]
    mails: tuple[str, ...]
    hours: str
    categories: tuple[str, ...]
    website: str
    said: tuple[PageEntry, ...]  # what each page says, the most trusted first
    reasons: tuple[MergeReason, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    map: MapMatch | None = None  # None where it was not joined to a map; never kept in the file
    price: str = ""

    @property
    def point(self) -> Point | None:
        return self.address.point if self.address else None

    @property
    def precision(self) -> Precision | None:
        """How exact the point is."""
        return self.address.precision if self.address else None

    @property
    def street_line(self) -> str:
        """Street and house number, in the order of the country."""
        return street_line(self.address) if self.address else ""


def street_line(address: Address) -> str:
    """Street and house number of an address, in the order of its country."""
    parts = [address.street, address.house_number]
    if address.country in NUMBER_FIRST:
        parts.reverse()
    return " ".join(filter(None, parts))


def address_line(entry: DirectoryEntry | PageEntry) -> str:
    """The address of an entry in one line; "" where it has none."""
    if entry.address is None:
        return ""
    town = " ".join(filter(None, (entry.address.postcode, entry.address.city)))
    return ", ".join(filter(None, (street_line(entry.address), town)))


def where_row(entry: DirectoryEntry | PageEntry) -> dict[str, Any]:
    """The address of an entry in its parts, with its point."""
    address = entry.address
    names = ("street", "house_number", "postcode", "city", "region", "country")
    return {
        **{name: getattr(address, name, "") for name in names},
        **point_as_json(address.point if address else None),
        "precision": str(address.precision) if address and address.precision else None,
    }


def contact_row(entry: DirectoryEntry | PageEntry) -> dict[str, Any]:
    """What else is known of an entry."""
    return {
        "phones": list(entry.phones),
        "mails": list(entry.mails),
        "opening_hours": entry.hours,
        "categories": list(entry.categories),
        "website": entry.website,
    }
