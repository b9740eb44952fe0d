"""What goes into the store and what comes out of it: records, and a Protocol for each side.

`CrawlWriter` is what the running crawl writes to, `CrawlReader` what everyone else reads from. A
store that keeps its rows elsewhere implements both; nothing above this package knows which store
it talks to. Committing belongs to neither: one commit covers facts, frontier and archive, and so
the state of the crawl does it (`state/base.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Protocol, Self

from msgspec import Struct

from geoscout.model import (
    Address,
    Link,
    OnProgress,
    Page,
    Place,
    Point,
    Reading,
    Request,
    Response,
)
from geoscout.store.figures import CrawlFigures, Cursor
from geoscout.store.records import Exchange


class Topic(StrEnum):
    """What the crawl counts by name."""

    FAILURE = "failure"  # by kind
    LINKS = "links"  # left out, by rule
    BROWSER = "browser"  # pages shown to a browser, by what came of it
    STATUS = "status"  # responses of servers, by their HTTP status
    EXCHANGED = "exchanged"  # sent to another node, by the node that sent them
    ENTITIES = "entities"  # that are new, by the hundreds of visits before them


class Visit(Struct, frozen=True):
    """A request that was answered, and what the crawl made of the response."""

    request: Request
    response: Response
    page: Page | None = None  # None for redirects, errors and everything that is not a page
    reading: Reading | None = None
    relevant: bool = False
    simhash: int = 0  # 64 bits; 0 for none
    noindex: bool = False  # the page asks not to be found
    degree: float = 0.0  # how much the page is about the region, 0 to 1


class Failure(Struct, frozen=True):
    """A request that got no response, or none we may have."""

    request: Request
    at: float  # seconds since the epoch, UTC
    kind: str  # as in FetchError
    detail: str = ""


class PageHistory(Struct, frozen=True, gc=False):
    """The visits of a URL that is a page now."""

    url: str
    visits: int
    changes: int  # visits that found another text than the one before
    first_at: float
    last_at: float  # when it was last asked for, also if it had not changed
    relevant: bool


class StoredVisit(Struct, frozen=True):
    """A visit as the store knows it; the order of the fields is that of the table."""

    n: int  # its number; time orders visits first by `fetched_at`, then by this
    url: str
    node: str
    status: int
    relevant: bool
    priority: float
    depth: int
    distance: int
    parent: str
    fetched_at: float  # when the crawl asked for it; seconds since the epoch, UTC
    seconds: float
    address: str  # IP address; "" from an archive
    size: int  # bytes of the decoded body
    title: str
    language: str
    digest: bytes  # SHA-1 of the body
    simhash: int
    is_page: bool
    noindex: bool = False  # the page asks not to be found
    degree: float = 0.0  # how much the page is about the region, 0 to 1
    captured_at: float | None = None  # when an archive got it that was replayed; None: we did

    @property
    def answered_at(self) -> float:
        """When a server sent it: to us, or to whoever made the archive that was replayed."""
        return self.fetched_at if self.captured_at is None else self.captured_at


class StoredPlace(Struct, frozen=True):
    """A place a page mentions or is about."""

    place: Place
    path: tuple[str, ...]  # names from the broad to the narrow, as far as they are known
    mentions: int  # those of the page itself
    confidence: float  # of the surest mention; 0 to 1
    score: float  # share of the page's scope, 0 to 1; 0 when it is only mentioned
    is_main: bool | None = None  # what the page is mainly about; None: the crawl did not keep it
    site_mentions: int = 0  # in blocks that many pages of the site have; they count for nothing


class PlaceCounts(Struct, frozen=True):
    """A place of a crawl and how many pages have it."""

    place: Place
    path: tuple[str, ...]  # names from the broad to the narrow, as far as they are known
    mentioned_by: int  # pages that name it themselves
    about: int  # pages whose scope it belongs to
    main_of: int  # pages that are mainly about it
    mentions: int  # by pages themselves, in all


class StoredAddress(Struct, frozen=True):
    """An address, and the visit whose page it stands in. The place has no more than its id."""

    n: int
    url: str
    relevant: bool
    address: Address
    place_id: int  # of the city in the gazetteer; 0 where unknown


class StoredLink(Struct, frozen=True):
    """A link and the visit whose page it stands in; its surroundings are in the archive only."""

    n: int
    source: str
    link: Link


class StoredReading(Struct, frozen=True):
    """What is kept of what the geoparser found in a page."""

    places: Sequence[StoredPlace] = ()  # the main one, the rest of its scope, what it mentions
    addresses: Sequence[StoredAddress] = ()  # in the order of the page
    points: Sequence[tuple[Point, str]] = ()  # coordinates in the markup, each with its source


class LinksTo(Struct, frozen=True):
    """Pages with a link to a URL, as far as they were looked for."""

    sources: tuple[str, ...]  # their URLs
    looked_at: int  # pages whose links were read
    pages: int  # that have links


class Change(Struct, frozen=True):
    """Something an index has to follow: the page of this URL is new, changed or gone."""

    cursor: Cursor  # what to ask after next
    visit: int
    url: str


class ArchiveDamage(Struct, frozen=True):
    """What a look at all of a crawl has found."""

    responses: int = 0  # visits whose responses were read
    lost: Sequence[int] = ()  # visits whose responses cannot be had
    problems: Sequence[str] = ()  # a line for each thing that is wrong

    def __bool__(self) -> bool:
        return bool(self.lost or self.problems)


PROVENANCE = "provenance"  # the note with what the archive says of the crawl, pairs in JSON


class CrawlWriter(Protocol):
    """What a running crawl writes. Nothing lasts, or is seen by others, before the commit."""

    def add(self, visit: Visit, exchange: Exchange | None = None) -> int:
        """Keep a visit; returns its number.

        `exchange` is what `pack_exchange` makes of its response, where a worker has done that.
        """
        ...

    def add_failure(self, failure: Failure) -> None:
        """Log a request without a response, and count its kind."""
        ...

    def add_change(self, n: int) -> None:
        """Have a visit looked at again by those who follow the change log."""
        ...

    def count_all(self, topic: Topic, counts: Mapping[str, int]) -> None:
        """Add to the counts of a topic."""
        ...

    def set_note(self, name: str, value: str) -> None:
        """Note something about the crawl as a whole, such as what it was asked for."""
        ...

    def keep_model(self, value: bytes) -> None:
        """Keep what the strategy has learned; nothing is kept when that is empty."""
        ...

    def keep_sites(self, sites: Mapping[str, bytes]) -> None:
        """Keep what the crawl knows of some sites, by their names; a site without is forgotten."""
        ...

    async def seen(self, request: Request) -> Response | None:
        """The last response for a request that asks for a page again; None for any other."""
        ...


class CrawlReader(CrawlFigures, Protocol):
    """A crawl as it was committed last, running or not, for everyone but the crawl itself."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def close(self) -> None: ...

    def visits(self, since: float = 0.0) -> Iterator[StoredVisit]:
        """Every visit in the order of time: by `fetched_at`, then by number.

        With `since`, here and below, only those that were stored or read again at this time or
        later, in seconds since the epoch.
        """
        ...

    def pages(self, since: float = 0.0) -> Iterator[StoredVisit]:
        """The last visit of every URL that is a page, in the order of time."""
        ...

    def pages_of(self, urls: Collection[str]) -> Mapping[str, StoredVisit]:
        """Those of the pages that have one of these URLs."""
        ...

    def histories(self) -> Iterator[PageHistory]:
        """How often each page was asked for, and how often its text had changed."""
        ...

    def lists(self) -> Iterator[str]:
        """The URLs of what was fetched and is not a page: sitemaps and feeds."""
        ...

    def pages_asked_until(self, at: float) -> Iterator[StoredVisit]:
        """The pages that were last asked for at this time or earlier."""
        ...

    def visit(self, n: int) -> StoredVisit | None: ...

    def visits_of(self, url: str) -> Sequence[StoredVisit]:
        """The visits of a URL in normal form, first to last."""
        ...

    def last_visits(self, urls: Collection[str]) -> Mapping[str, StoredVisit]:
        """The last visit of each of these URLs that was visited."""
        ...

    def addresses(self, since: float = 0.0) -> Iterator[StoredAddress]:
        """The addresses of all pages."""
        ...

    def addresses_of(self, n: int) -> Sequence[StoredAddress]:
        """The addresses of a visit's page, in the order of the page."""
        ...

    def places(self, since: float = 0.0) -> Iterator[PlaceCounts]:
        """The places of all pages, those that most pages are about first.

        Those that only the repeated parts of sites name are left out.
        """
        ...

    def places_of(self, n: int) -> Sequence[StoredPlace]:
        """The places of a visit: the main one, the rest of its scope, then what it mentions."""
        ...

    def points_of(self, n: int) -> Sequence[tuple[Point, str]]:
        """The coordinates in the markup of a visit's page, each with its source."""
        ...

    def readings_of(self, visits: Collection[int]) -> Mapping[int, StoredReading]:
        """The places, addresses and points of some visits; without those that have none.

        For those who need them of many: a store elsewhere answers all in one go.
        """
        ...

    def entries_of(self, visits: Collection[int]) -> Mapping[int, bytes]:
        """What the pages of some visits say of businesses, as it is in `Reading.entries`.

        Visits whose pages nobody has looked at are left out.
        """
        ...

    def links(self, since: float = 0.0) -> Iterator[StoredLink]:
        """The links of all pages."""
        ...

    def links_of(self, n: int) -> Sequence[Link]:
        """The links of a visit's page, in the order of the page."""
        ...

    def links_to(self, url: str, most: int, until: float) -> LinksTo:
        """Pages with a link to a URL, looked for until a time of `time.monotonic`."""
        ...

    def changes(self, after: Cursor = "", limit: int = 1000) -> Sequence[Change]:
        """What an index that has followed the log up to a cursor must look at next.

        Raises:
            UsageError: the cursor is not one of this store.
        """
        ...

    def changes_left(self, after: Cursor = "") -> int:
        """About how many changes there are after a cursor."""
        ...

    def last_change(self) -> Cursor:
        """The cursor of the last change; "" when there is none."""
        ...

    def tally(self, topic: Topic) -> Mapping[str, int]:
        """The counts of a topic, the largest first."""
        ...

    def note(self, name: str) -> str | None:
        """What was noted about the crawl under a name; None for nothing."""
        ...

    def model(self) -> bytes:
        """What the strategy had learned when it was last kept; empty for nothing."""
        ...

    def site(self, name: str) -> bytes:
        """What the crawl knows of a site; empty for nothing."""
        ...

    def sites(self) -> Iterator[tuple[str, bytes]]:
        """The sites that something is known of, with that, the ones kept last at the end.

        A writer of one of several partitions gives only its own.
        """
        ...

    def response(self, n: int) -> Response:
        """The response of a visit, from the archive.

        Raises:
            DamagedDataError: the archive does not hold it.
        """
        ...

    def responses(self, visits: Collection[int]) -> Iterator[tuple[int, Response]]:
        """The responses of some visits, with their numbers, in the order quickest to read.

        Those that the archive has lost are left out.
        """
        ...

    def archive_files(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """The files of the archive, each with its name and its bytes in pieces.

        The bytes of one are to be read before the next is asked for.

        Raises:
            DamagedDataError: it cannot be read.
        """
        ...

    def damage(self, progress: OnProgress) -> ArchiveDamage:
        """Read every response and compare it with its row; nothing is changed."""
        ...

    def is_running(self) -> bool:
        """Whether somebody writes to the crawl right now; asking never gets in their way."""
        ...
