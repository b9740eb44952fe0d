"""The records that travel between the stages.

They are frozen: a stage makes new ones instead of changing what it was given, so a page can be
handed to another process, or to two readers, without a thought. Coordinates are WGS 84 degrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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


@dataclass(frozen=True, slots=True)
class Point:
    """A spot on the globe, in WGS 84 degrees."""

    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class Place:
    """One entry of the gazetteer."""

    id: int  # GeoNames id; negative where GeoNames has none
    name: str
    kind: Kind
    point: Point
    country: str  # ISO 3166 alpha-2; "" for what lies in no single country
    population: int  # 0 where unknown
    timezone: str  # IANA name; "" where unknown
    parent: int  # id of the place right around it; 0 for none
    feature: str = ""  # GeoNames feature code (PPLC, ADM1, …); "" where unknown

    def __hash__(self) -> int:
        """By the id alone: places key the weights of a page, and nine fields took a while."""
        return self.id


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place a name may mean, and how well it fits."""

    place: Place
    score: float  # higher is likelier; comparable only among candidates of one name
    role: str  # "name", "alias", "code" or "demonym": what the name is to the place


@dataclass(frozen=True, slots=True)
class Postcode:
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


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text a reader sees as one line, paragraph, cell or list item."""

    start: int  # code points into the page's text
    end: int
    part: Part


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page with what a reader sees around it."""

    url: str  # absolute
    anchor: str
    title: str
    rel: tuple[str, ...]
    alt: str  # alternative text of images inside the link
    before: str  # up to 25 tokens before it
    after: str  # up to 25 tokens after it
    tag_path: str  # such as "body/main/ul/li/a"
    part: Part


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of structured data: a typed thing with properties, as its page states it."""

    source: str  # "json-ld", "microdata", "rdfa", "microformat", "meta", "map-link", "geo-uri"
    types: tuple[str, ...]
    properties: tuple[tuple[str, str | Item], ...]  # in the order of the page; names may repeat


@dataclass(frozen=True, slots=True)
class Page:
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


@dataclass(frozen=True, slots=True)
class Mention:
    """A place name in a text and the place it was resolved to."""

    start: int  # code points into the text
    end: int
    text: str
    kind: str  # "place", "demonym", or "local": a feature located by the places named around it
    place: Place | None  # None when nothing around a local feature tells where it is
    confidence: float  # 0 to 1


@dataclass(frozen=True, slots=True)
class Address:
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


@dataclass(frozen=True, slots=True)
class ScopePlace:
    """A place a page is about, with its share of the page's geographic weight."""

    place: Place
    path: tuple[Place, ...]  # from the continent down to the place itself
    score: float  # 0 to 1


@dataclass(frozen=True, slots=True)
class Reading:
    """What the geoparser found in a page."""

    addresses: tuple[Address, ...]
    mentions: tuple[Mention, ...]
    points: tuple[tuple[Point, str], ...]  # coordinates in the markup, with their source
    scope: tuple[ScopePlace, ...]  # the main place first


HELD = -1e200  # a request of this priority waits until it is given a higher one


@dataclass(frozen=True, slots=True)
class Request:
    """A URL that waits in the frontier to be fetched."""

    url: str  # in normal form
    priority: float = 0.0  # higher comes first
    depth: int = 0  # links since a seed
    distance: int = 0  # links since the last relevant page, or the seed, on its path
    parent: str = ""  # URL of the page it was found on; "" for a seed
    node: str = ""  # the node that owns it in a collaborative crawl
    tries: int = 0  # failed attempts so far
    features: bytes = b""  # what the strategy noted of the link, to learn from its outcome
    kind: str = "page"  # or "sitemap", or "revisit" for a page that was fetched before
    level: int = 0  # links since its domain was entered


@dataclass(frozen=True, slots=True)
class Response:
    """What a server or an archive answered; a redirect is an answer too."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]  # names in lower case, in the order they came
    body: bytes  # decoded of content and transfer encodings
    address: str  # IP address; "" from an archive
    fetched_at: float  # seconds since the epoch, UTC
    seconds: float  # from the request to the last byte
