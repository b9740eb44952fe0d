"""What goes into the store and what comes out of it, as records.

`CrawlWriter` is what the running crawl writes to, `CrawlReader` what everyone else reads from.
Nothing above this package knows where the rows are. Committing belongs to neither: one commit
covers facts, frontier and archive, and so the state of the crawl does it (`state/base.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from geoscout_places.model import Address, Link, Page, Place, Point, Reading, Request, Response

# A position in what a crawl wrote, given out by a store. "" is the beginning. Nobody but that
# store reads it or compares two of them except for being equal: in a crawl of several processes
# it is not a number.
Cursor = str


def harvest_of(relevant: float, pages: int) -> float:
    """The harvest: the share of relevant pages among those fetched; 0 before the first page."""
    return relevant / pages if pages else 0.0


class Totals(Struct, frozen=True):
    """What a crawl has come to."""

    visits: int = 0
    pages: int = 0
    relevant: int = 0
    first_at: float = 0.0  # seconds since the epoch, UTC; 0 before the first response
    last_at: float = 0.0
    degrees: float = 0.0  # the sum of how much each page is about the region

    @property
    def harvest(self) -> float:
        return harvest_of(self.relevant, self.pages)

    @property
    def harvest_by_degree(self) -> float:
        return harvest_of(self.degrees, self.pages)


class Step(NamedTuple):
    """What some visits added to a crawl; a tuple, because a crawl has millions."""

    visits: int
    pages: int
    relevant: int
    at: float  # when the last of them was fetched


class NodeTotals(Struct, frozen=True):
    """What one node of a collaborative crawl has come to; "" is the node of any other crawl."""

    node: str
    visits: int
    pages: int
    relevant: int

    @property
    def harvest(self) -> float:
        return harvest_of(self.relevant, self.pages)


class MappedPage(Struct, frozen=True):
    """A page and the surest point it belongs to."""

    n: int
    url: str
    title: str
    relevant: bool
    point: Point


class MappedPages(Struct, frozen=True):
    """The pages with a point among the next ones that were fetched."""

    pages: Sequence[MappedPage]
    cursor: Cursor  # what to ask after next
    more: bool  # whether there may be more already


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
    is_main: bool = False  # what the page is mainly about
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


class Rest(StrEnum):
    """Why a lane has nothing to do."""

    NONE = ""  # it works
    EMPTY = "empty"  # no request waits, or none that time alone would bring
    SPENT = "spent"  # requests wait, and the budget of the crawl is used up


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A worker that is alive, or was lately."""

    name: str
    machine: str
    version: str
    seconds_left: float  # until it counts as dead; below 0: it does
    seconds_here: float


@dataclass(frozen=True, slots=True)
class PartitionRow:
    """A partition and who holds it."""

    number: int
    owner: str  # the last; "" when it was given back
    epoch: int
    seconds_left: float  # of its lease
    rest: str  # a `Rest`
    waiting: int
    done: int
    failed: int
    hosts: int
    parcels: int  # rows that others have sent and it has not taken

    @property
    def is_held(self) -> bool:
        """Whether somebody works on it, or could."""
        return self.seconds_left > 0


@dataclass(frozen=True, slots=True)
class Overview:
    """A crawl and those who work on it."""

    has_ended: bool
    workers: Sequence[WorkerRow]
    partitions: Sequence[PartitionRow]

    def orphans(self, seconds: float) -> int:
        """Partitions on which nobody has worked for this long, though the crawl has not ended."""
        if self.has_ended:
            return 0
        return sum(row.seconds_left < -seconds for row in self.partitions)


def short_name(name: str) -> str:
    """The name of a worker as people can tell it from others: the machine, and the process.

    What else is in a name (the last start of the machine, for one) is nobody's business.

    >>> short_name("crawler-3:0c1f-77/4711/829301"), short_name("")
    ('crawler-3/4711', '')
    """
    machine, _, rest = name.partition("/")
    process = rest.partition("/")[0]
    return "/".join(part for part in (machine.partition(":")[0], process) if part)
