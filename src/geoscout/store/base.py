"""What goes into the store and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass

from geoscout.model import Address, Link, Page, Place, Reading, Request, Response


@dataclass(frozen=True, slots=True)
class Visit:
    """A request that was answered, and what the crawl made of the answer."""

    request: Request
    response: Response
    page: Page | None = None  # None for redirects, errors and what is no page
    reading: Reading | None = None
    relevant: bool = False
    simhash: int = 0  # 64 bits; 0 for none
    noindex: bool = False  # the page asks not to be found


@dataclass(frozen=True, slots=True)
class Failure:
    """A request that got no answer, or none we may have."""

    request: Request
    at: float  # seconds since the epoch, UTC
    kind: str  # as in FetchError
    detail: str = ""


@dataclass(frozen=True, slots=True)
class StoredVisit:
    """A visit as the store knows it; the order of the fields is that of the table."""

    n: int  # the order of fetching, from 1
    url: str
    node: str
    status: int
    relevant: bool
    priority: float
    depth: int
    distance: int
    parent: str
    fetched_at: float  # seconds since the epoch, UTC
    seconds: float
    address: str  # IP address; "" from an archive
    size: int  # bytes of the decoded body
    title: str
    language: str
    digest: bytes  # SHA-1 of the body
    simhash: int
    is_page: bool
    noindex: bool = False  # the page asks not to be found


@dataclass(frozen=True, slots=True)
class StoredPlace:
    """A place a page mentions or is about."""

    place: Place
    path: tuple[str, ...]  # names from the broad to the narrow, as far as they are known
    mentions: int
    confidence: float  # of the surest mention; 0 to 1
    score: float  # share of the page's scope, 0 to 1; 0 when it is only mentioned


@dataclass(frozen=True, slots=True)
class StoredAddress:
    """An address, and the visit whose page it stands in. The place has no more than its id."""

    n: int
    url: str
    relevant: bool
    address: Address
    place_id: int  # of the city in the gazetteer; 0 where unknown


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A link and the visit whose page it stands in; its surroundings are in the archive only."""

    n: int
    source: str
    link: Link


@dataclass(frozen=True, slots=True)
class Change:
    """Something an index has to follow: the page of this URL is new, changed or gone."""

    sequence: int  # grows by itself and never repeats
    visit: int
