"""The records that travel between the stages.

They are frozen: a stage makes new ones instead of changing what it was given, so two readers can
share a page. They are `msgspec` structs, because a page has hundreds of blocks and links: a frozen
dataclass takes ten times as long to build, and five times as long to send to another process
(`benchmarks/records.py`). They are left out of garbage collection (`gc=False`): a frozen record
cannot be part of a cycle. Coordinates are WGS 84 degrees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, Self

from msgspec import Struct

OnProgress = Callable[[int, int], None]  # called with what is done and with all there is to do


class Kind(StrEnum):
    """What sort of thing a place is, from the broad to the narrow."""

    CONTINENT = "continent"
    AREA = "area"  # has no place in the hierarchy of administration: Scandinavia, New England
    COUNTRY = "country"
    REGION = "region"  # first-level division: state, province, Land, nation of the UK
    DISTRICT = "district"  # second-level division: county, Kreis, département
    CITY = "city"  # any populated place: city, town, village
    NEIGHBOURHOOD = "neighbourhood"  # a section of a city
    WATER = "water"
    LANDMARK = "landmark"  # airports, peaks, parks and what else a user imports


class Point(Struct, frozen=True, gc=False):
    """A spot on the globe, in WGS 84 degrees."""

    latitude: float
    longitude: float


# Ids of places: those of GeoNames are above 0, and no place has 0. Below 0 are the places that
# GeoNames does not have: of the gazetteer down to -10^10, of GeoWordNet alone from -10^14 on (see
# `geoscout/index/places.py`), and from here on names that only a text has. Numbers of this size
# are still exact in a browser.
FIRST_LOCAL_ID = -(2**52)


class Precision(StrEnum):
    """How exactly a point is known, from the narrow to the broad."""

    HOUSE = "house"  # the building
    STREET = "street"  # of a long one the part that the house is in
    POSTCODE = "postcode"  # the middle of the area of a postal code
    TOWN = "town"  # the middle of a town, village or quarter
    REGION = "region"  # the middle of a district, region or country

    @property
    def is_exact(self) -> bool:
        """Whether it makes sense to measure short distances from the point."""
        return self in (Precision.HOUSE, Precision.STREET)


_NARROW_KINDS = (Kind.CITY, Kind.NEIGHBOURHOOD, Kind.LANDMARK)


def point_as_json(point: Point | None) -> dict[str, float | None]:
    """The degrees of a point under the names that they have in every output; None without one."""
    return {"lat": point.latitude if point else None, "lon": point.longitude if point else None}


class Place(Struct, frozen=True, gc=False):
    """A place of the gazetteer, or one that only a text names."""

    id: int  # never 0; the same in every run and on every machine
    name: str
    kind: Kind
    point: Point
    country: str  # ISO 3166 alpha-2; "" for what lies in no single country
    population: int = 0  # 0 where unknown
    timezone: str = ""  # IANA name; "" where unknown
    parent: int = 0  # id of the place right around it; 0 for none
    feature: str = ""  # GeoNames feature code (PPLC, ADM1, …); "" where unknown

    @classmethod
    def from_row(cls, row: Sequence[Any]) -> Self:
        """The place of a row of a table; the columns are the fields, and a point is two."""
        id, name, kind, latitude, longitude, country, population, timezone, parent, feature = row
        point = Point(latitude, longitude)
        return cls(
            id, name, Kind(kind), point, country,
            population=population, timezone=timezone, parent=parent, feature=feature,
        )  # fmt: skip

    @property
    def geonames_id(self) -> int | None:
        """The id that GeoNames has for it; None where it has none."""
        return self.id if self.id > 0 else None

    @property
    def is_local(self) -> bool:
        """Whether no gazetteer has it: a text named it, and `parent` is the place it is near."""
        return self.id <= FIRST_LOCAL_ID

    @property
    def precision(self) -> Precision:
        """How exactly a page is placed that only names it."""
        return Precision.TOWN if self.kind in _NARROW_KINDS else Precision.REGION

    def __hash__(self) -> int:
        """Only the id counts: places are keys of many tables, and hashing nine fields is slow."""
        return self.id


class NameRole(StrEnum):
    """What a name is to a place."""

    NAME = "name"
    ALIAS = "alias"
    CODE = "code"
    DEMONYM = "demonym"


class Candidate(Struct, frozen=True, gc=False):
    """A place a name may mean, and how well it fits."""

    place: Place
    score: float  # higher is likelier; comparable only among candidates of one name
    role: NameRole


class Postcode(Struct, frozen=True, gc=False):
    """One postal code of one country, with the town it serves."""

    country: str
    code: str
    town: str
    region: str  # GeoNames first-level code, such as "CA" or "06"; "" where unknown
    point: Point
    other_towns: tuple[str, ...] = ()  # further town names the post accepts for this code
    place_id: int = 0  # the town in the gazetteer; 0 where it has no such town


class Part(StrEnum):
    """Which part of a page a block of text stands in."""

    MAIN = "main"
    NAVIGATION = "navigation"
    HEADER = "header"
    FOOTER = "footer"
    ASIDE = "aside"
    ADDRESS = "address"  # inside an <address> element, wherever that is


class Block(Struct, frozen=True, gc=False):
    """A run of text a reader sees as one line, paragraph, cell or list item."""

    start: int  # code points into the page's text
    end: int
    part: Part


class Link(Struct, frozen=True, gc=False, omit_defaults=True):
    """A link of a page with what a reader sees around it."""

    url: str  # absolute
    anchor: str = ""
    title: str = ""
    rel: tuple[str, ...] = ()
    alt: str = ""  # alternative text of images inside the link
    before: str = ""  # up to 25 tokens before it in its block
    after: str = ""  # up to 25 tokens after it in its block
    tag_path: str = ""  # such as "body/main/ul/li/a"
    part: Part = Part.MAIN
    start: int = -1  # where it stands in the text of its page, in characters; -1 where unknown
    end: int = -1
    features: bytes = b""  # what the strategy notes of it, where the reader of the page has it

    @classmethod
    def to(cls, url: str) -> Self:
        """A link of which nothing is known but its target, such as a seed or a redirect."""
        return cls(url)


class Item(Struct, frozen=True, gc=False):
    """A piece of structured data: a typed thing with properties, as its page states it."""

    source: str  # "json-ld", "microdata", "rdfa", "microformat", "meta", "map-link", "geo-uri"
    types: tuple[str, ...]
    properties: tuple[tuple[str, str | Item], ...]  # in the order of the page; names may repeat


class Page(Struct, frozen=True, gc=False):
    """A document after parsing; `text` is its visible text, one block a line."""

    url: str
    title: str
    language: str  # BCP 47 as the page claims; "" where it does not
    text: str
    blocks: tuple[Block, ...]
    links: tuple[Link, ...] = ()
    items: tuple[Item, ...] = ()
    meta: tuple[tuple[str, str], ...] = ()  # name or property (lower case) and content
    canonical: str = ""

    @classmethod
    def empty(cls, url: str) -> Self:
        """A page without text, for a document that has none or was not parsed."""
        return cls(url, "", "", "", ())


class Outline(Struct, frozen=True, gc=False):
    """What stands out on a page."""

    headings: tuple[tuple[int, str], ...] = ()  # level 1 to 6 and text; 7 for bold text and terms
    phones: tuple[str, ...] = ()  # as the links write them
    mails: tuple[str, ...] = ()


class MentionKind(StrEnum):
    """How a name tells of a place."""

    PLACE = "place"
    DEMONYM = "demonym"
    LOCAL = "local"  # a feature located by the places named around it


class Mention(Struct, frozen=True, gc=False):
    """A place name in a text and the place it was resolved to."""

    start: int  # code points into the text
    end: int
    text: str
    kind: MentionKind
    place: Place | None  # None when nothing around a local feature tells where it is
    confidence: float  # 0 to 1: that it is a name of a place, and of this one
    sureness: float = 1.0  # 0 to 1: that it is this place, if it is a name of one
    of_site: bool = False  # it stands in a block that many pages of its site have

    @property
    def name_confidence(self) -> float:
        """That it is a name of a place, whichever it means; 0 to 1."""
        return min(self.confidence / self.sureness, 1.0) if self.sureness else 0.0


class Address(Struct, frozen=True, gc=False):
    """A postal address found in a page; parts it does not have are ""."""

    start: int  # code points into the text; 0, 0 when it stands only in structured data
    end: int
    text: str
    house_number: str
    street: str
    unit: str
    city: str
    region: str
    postcode: str
    country: str  # ISO 3166 alpha-2
    point: Point | None
    place: Place | None  # the city, where the gazetteer knows it
    source: str  # "text", or where in the markup it was found, as in Item.source
    of_site: bool = False  # as in Mention: it says where the site is, not what the page is about
    precision: Precision | None = None  # of `point`; None where there is none

    def parts(self) -> dict[str, str]:
        """The parts that it is written in, by their names."""
        return {
            "house_number": self.house_number,
            "street": self.street,
            "unit": self.unit,
            "city": self.city,
            "region": self.region,
            "postcode": self.postcode,
            "country": self.country,
        }


class ScopePlace(Struct, frozen=True, gc=False):
    """A place a page is about, with its share of the page's geographic weight."""

    place: Place
    path: tuple[Place, ...]  # from the continent down to the place itself
    score: float  # 0 to 1


class EvidencePart(Struct, frozen=True, gc=False):
    """One piece of what a page's relevance comes from."""

    name: str
    weight: float  # above 0 it speaks for the region, below 0 against it; 1 is a factor e in odds


class Relevance(Struct, frozen=True, gc=False):
    """Whether a page is about the region of the crawl, how much, and what decided."""

    relevant: bool = False
    degree: float = 0.0  # 0 to 1
    parts: tuple[EvidencePart, ...] = ()  # the most important first


class Reading(Struct, frozen=True, gc=False):
    """What the geoparser found in a page."""

    addresses: tuple[Address, ...]
    mentions: tuple[Mention, ...]
    points: tuple[tuple[Point, str], ...]  # coordinates in the markup, with their source
    scope: tuple[ScopePlace, ...]  # the main place first
    around: tuple[Place, ...] = ()  # all that contains the places of the mentions, each once


class SiteKnowledge(Struct, frozen=True, gc=False):
    """What is known of the site of a page before the page is read.

    An area comes with its share of what the pages of the site name, 0 to 1.
    """

    pages: int = 0  # that it was learned from
    countries: tuple[tuple[str, float], ...] = ()  # by ISO code
    regions: tuple[tuple[int, float], ...] = ()  # by id
    squares: tuple[tuple[int, float], ...] = ()  # of the map, by the number that `geo` gives them
    repeated: frozenset[int] = frozenset()  # marks of blocks that most of its pages have
    recurring: frozenset[int] = frozenset()  # and of those that some have

    @property
    def tells(self) -> bool:
        """Whether a page may be read otherwise for it."""
        return bool(self.countries or self.regions or self.squares or self.repeated)


LONG_BLOCK = 1  # the bit of a mark that says that the block is long enough to be told from others


class SiteNotes(Struct, frozen=True, gc=False):
    """What a page tells of its site: the shares of areas, and its blocks that have places."""

    language: str = ""
    countries: tuple[tuple[str, float], ...] = ()  # these as in `SiteKnowledge`
    regions: tuple[tuple[int, float], ...] = ()
    squares: tuple[tuple[int, float], ...] = ()
    blocks: tuple[int, ...] = ()  # their marks, each once


class RelevanceRule(StrEnum):
    """What makes a page relevant."""

    ABOUT = "about"
    ADDRESS = "address"
    SCOPE = "scope"
    EITHER = "either"


class RequestKind(StrEnum):
    """What a request asks for."""

    PAGE = "page"
    SITEMAP = "sitemap"
    REVISIT = "revisit"  # a page that was fetched before


HELD = -1e200  # a request of this priority waits until it is given a higher one


class Request(Struct, frozen=True, gc=False):
    """A URL that waits in the frontier to be fetched."""

    url: str  # in normal form
    priority: float = 0.0  # higher comes first
    depth: int = 0  # links since a seed
    distance: int = 0  # links since the last relevant page, or the seed, on its path
    parent: str = ""  # URL of the page it was found on; "" for a seed
    node: str = ""  # the node that owns it in a collaborative crawl
    tries: int = 0  # failed attempts so far
    features: bytes = b""  # what the strategy noted of the link, to learn from its outcome
    kind: RequestKind = RequestKind.PAGE
    level: int = 0  # links since its domain was entered


class Response(Struct, frozen=True, gc=False):
    """What a server or an archive sent back; a redirect is a response too."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]  # names in lower case, in the order they came
    body: bytes  # decoded of content and transfer encodings
    address: str  # IP address; "" from an archive
    fetched_at: float  # when we asked, also an archive; seconds since the epoch, UTC
    seconds: float  # from the request to the last byte
    captured_at: float | None = None  # when an archive got it; None: we did, at `fetched_at`
    sent: bytes = b""  # the body as it came, where a browser has made another one of it
    browser: str = ""  # what came of showing it to one, in the words of `status`; else ""

    @property
    def answered_at(self) -> float:
        """When a server sent it, to us or to whoever made the archive."""
        return self.fetched_at if self.captured_at is None else self.captured_at

    def header(self, name: str) -> str:
        """The first header of this name, which is given in lower case; "" where there is none."""
        return next((value for field, value in self.headers if field == name), "")
