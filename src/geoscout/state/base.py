"""The state of a crawl: facts, frontier and archive, which one commit covers.

That promise is what makes a crash harmless: a page, its links and what became of its request last
together or not at all. It is kept here, by `CrawlState.commit`, and nowhere else.

Where the state is kept is found by the address of the crawl: a folder is one SQLite file and WARC
files (`sqlite.py`), and "postgresql://…" is whatever package has an entry point of that name
in the group `geoscout.states`. The entry point is a module whose `create()` gives a `StateBackend`.
A folder can name another backend than `sqlite` in the file `crawl.backend`.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from hashlib import blake2b
from http import HTTPStatus
from pathlib import Path
from typing import Protocol, Self, runtime_checkable
from urllib.parse import urlsplit

from msgspec import Struct, field

from geoscout.crawl_folder import open_stream
from geoscout.frontier.base import Limits
from geoscout.frontier.frontier import Frontier
from geoscout.frontier.tables import TableView
from geoscout.store.base import Overview, StoredVisit
from geoscout.store.group import CrawlWriter
from geoscout.store.reader import CrawlReader
from geoscout_places.model import Request, RequestKind
from geoscout_places.plugins import load_plugin
from geoscout_places.urls import without_passwords

BACKENDS = "geoscout.states"  # the group of entry points
FOLDERS = "sqlite"  # the backend of an address that is a folder
OWN_POSTGRES = "own-postgresql"  # that of a folder with a PostgreSQL server of its own
KEEPER = "crawl.backend"  # a file in the folder, whose first line is the name of another backend
# Folders below the home for crawls that are not in a folder: their indexes, and their archives.
INDEXES, ARCHIVES = "indexes", "archives"
LOST = "lost"  # the kind of failure of a request whose response the archive has lost
LOST_DETAIL = "its response is damaged"
_LONGEST_KEEPER = 10_000  # bytes; it has a name and a path
_LONGEST_NAME = 40  # letters of a crawl's name in the name of a folder


class Beginning(Struct, frozen=True):
    """What a new crawl begins with. It is there with all of this, or it is not there."""

    requests: Sequence[Request] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    learned: bytes = b""  # what its strategy knows already
    archive: str = ""  # where the responses go; "": in its folder, or below the home


class Writing(Struct, frozen=True):
    """What the state must know of the crawl that writes to it."""

    agent: str = "geoscout"  # the User-Agent that the fetcher sends, for the archive
    limits: Limits = field(default_factory=Limits)  # of the frontier
    home: Path | None = None  # the folder of this machine for crawls that are not in a folder
    check_all: bool = False  # read the whole archive when it is opened, not only its end
    room_seconds: float = 0.0  # how long a server or disk that is full is waited for


class CrawlState(Protocol):
    """The state of a running crawl, held by one process until it is closed."""

    @property
    def writer(self) -> CrawlWriter:
        """What the crawl writes."""

    @property
    def reader(self) -> CrawlReader:
        """What the crawl has written; it need not have been committed."""

    @property
    def frontier(self) -> Frontier: ...

    async def commit(self) -> None:
        """Make everything last that was written since the last commit, all of it or nothing.

        That is what went to `writer`, with the archive behind it, and what `frontier` was told.
        """

    async def commit_when_due(self, visits: int, seconds: float) -> None:
        """Commit when this many visits or failures wait for it, or some for this long.

        It need not have ended: others see it, and it lasts, soon afterwards.
        """

    def close(self) -> None:
        """Let another process go on; what has not been committed is lost."""


@runtime_checkable
class OnServer(Protocol):
    """What a state on a server can have besides: pages are not asked for there."""

    def addresses(self) -> Sequence[str]:
        """The IP addresses of the server."""


@runtime_checkable
class InFolder(Protocol):
    """What a state in a folder of its own has besides."""

    @property
    def folder(self) -> Path: ...


@runtime_checkable
class OnDisk(Protocol):
    """What a state has besides whose archive is on a disk of this machine, which may fill."""

    @property
    def disk(self) -> Path | None:
        """A folder on that disk; None: the archive is elsewhere."""


class Slot(Protocol):
    """Some bytes beside a crawl that any process may read and change, while it runs or rests."""

    def read(self) -> bytes:
        """What is in it; nothing where nobody has put anything there.

        Raises:
            OSError: it cannot be read.
            DatabaseLostError: the server does not answer.
        """

    def change(self, change: Callable[[bytes], bytes]) -> None:
        """Put something else there. Those who change it at the same time wait for each other.

        Raises:
            UsageError: it cannot be written.
            DatabaseLostError: the server does not answer.
        """


class Fate(StrEnum):
    """What became of a URL that a crawl knows."""

    FETCHED = "fetched"
    WAITING = "waiting"
    GIVEN_UP = "given up"


class KnownUrl(Struct, frozen=True):
    """A URL that a crawl knows: how it came in, and what became of it."""

    fate: Fate
    request: Request  # as it waits, or as it was when it was taken
    visit: StoredVisit | None = None  # the last, where it was fetched


class CrawlView(Struct, frozen=True):
    """A crawl as it was committed last, running or not, for everyone but the crawl itself."""

    reader: CrawlReader
    frontier: TableView
    crew: Callable[[], Overview] | None = None  # who works on it, where several processes can

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.reader.close()

    def find(self, urls: Collection[str]) -> dict[str, KnownUrl]:
        """Those of these URLs, in normal form, that the crawl knows."""
        found = {
            url: KnownUrl(Fate.WAITING if known.waits else Fate.GIVEN_UP, known.request)
            for url, known in self.frontier.find(urls).items()
        }
        for url, visit in self.reader.last_visits(urls).items():
            found[url] = KnownUrl(Fate.FETCHED, request_of(visit), visit)
        return found


class StateBackend(Protocol):
    """Where crawls can be kept. `where` is the address of one: a folder, or a URL."""

    def create(self, where: str, beginning: Beginning, writing: Writing) -> CrawlState:
        """Begin a crawl.

        Raises:
            UsageError: there is one already, or there cannot be one.
        """

    def resume(self, where: str, writing: Writing) -> CrawlState:
        """Go on with a crawl, from its last commit.

        Raises:
            UsageError: there is none, or another process is writing to it.
        """

    def open(self, where: str) -> CrawlView:
        """Look at a crawl.

        Raises:
            UsageError: there is none.
        """

    def holds(self, where: str) -> bool:
        """Whether there is a crawl."""

    def slot(self, where: str) -> Slot:
        """Where others say what they ask of a crawl."""

    def repair(self, where: str, lost: Sequence[int]) -> None:
        """Forget visits whose responses are lost, and have their requests wait again.

        Raises:
            UsageError: somebody works on the crawl.
        """

    def index_folder(self, where: str, home: Path) -> Path:
        """The folder on this machine for the search index of a crawl.

        `home` is the folder for what geoscout can make again. `folder_below` gives one below it,
        for crawls that have no folder of their own.
        """


def create_state(
    where: Path | str, beginning: Beginning | None = None, writing: Writing | None = None
) -> CrawlState:
    """Begin a crawl at an address."""
    beginning, writing = beginning or Beginning(), writing or Writing()
    return backend_of(where).create(str(where), beginning, writing)


def resume_state(where: Path | str, writing: Writing | None = None) -> CrawlState:
    """Go on with the crawl at an address, from its last commit."""
    return backend_of(where).resume(str(where), writing or Writing())


def open_state(where: Path | str) -> CrawlView:
    """Look at the crawl at an address, running or not."""
    return backend_of(where).open(str(where))


def holds_crawl(where: Path | str) -> bool:
    """Whether there is a crawl at an address."""
    return backend_of(where).holds(str(where))


def index_folder(where: Path | str, home: Path) -> Path:
    """The folder on this machine for the search index of the crawl at an address."""
    return backend_of(where).index_folder(str(where), home)


def slot_of(where: Path | str) -> Slot:
    """Where others say what they ask of the crawl at an address."""
    return backend_of(where).slot(str(where))


def is_url(where: Path | str) -> bool:
    """Whether an address is a URL; otherwise it is a folder."""
    return "://" in str(where)


def name_of(where: Path | str) -> str:
    """A short name for the crawl at an address, without user and password.

    >>> name_of("postgresql://user:secret@host/database/lisbon"), name_of("crawls/lisbon")
    ('lisbon', 'lisbon')
    """
    if not is_url(where):
        return Path(where).name
    parts = urlsplit(str(where))
    return parts.path.rstrip("/").rpartition("/")[2] or parts.hostname or parts.scheme


def public_address(where: Path | str) -> str:
    """An address as it may be shown and kept: without its passwords."""
    return without_passwords(str(where)) if is_url(where) else str(where)


def with_name(server: str, name: str) -> str:
    """The address of a crawl of this name on a server; as it is when no name is given.

    >>> with_name("postgresql://host/database?sslmode=require", "lisbon")
    'postgresql://host/database/lisbon?sslmode=require'
    """
    parts = urlsplit(server)
    return parts._replace(path=f"{parts.path.rstrip('/')}/{name}").geturl() if name else server


def folder_below(home: Path, where: str, room: str = INDEXES) -> Path:
    """A folder for what belongs to a crawl at a URL, another one for each URL.

    User and password are left out: they do not say which crawl it is, and they may change.
    """
    parts = urlsplit(public_address(where))
    public = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    mark = blake2b(public.encode(), digest_size=8).hexdigest()
    plain = re.sub(r"[^\w.-]+", "_", name_of(where))[:_LONGEST_NAME]
    return home / room / f"{plain}-{mark}"


def backend_of(where: Path | str) -> StateBackend:
    """What keeps the crawl of an address, by the scheme of it."""
    module = load_plugin(BACKENDS, backend_name(where), "place for crawls")
    backend: StateBackend = module.create()
    return backend


def backend_name(where: Path | str) -> str:
    """The name of what keeps the crawl of an address: its scheme, or what its folder says."""
    if is_url(where):
        return str(where).partition("://")[0]
    try:
        with open_stream(Path(where) / KEEPER, "rb") as file:
            lines = file.read(_LONGEST_KEEPER).decode("utf-8", "replace").splitlines()
    except OSError:
        return FOLDERS
    return lines[0] if lines else FOLDERS


def request_of(visit: StoredVisit, kind: RequestKind = RequestKind.PAGE) -> Request:
    """The request that a visit answered, without what only the frontier knew of it."""
    return Request(
        visit.url,
        visit.priority,
        visit.depth,
        visit.distance,
        visit.parent,
        node=visit.node,
        kind=kind,
    )


def requests_again(
    lost: Collection[StoredVisit], reader: CrawlReader, frontier: TableView
) -> Iterator[Request]:
    """The requests of visits that are lost, without those that have been made again since."""
    known = frontier.find({visit.url for visit in lost})
    for visit in lost:
        if not any(_replaces(later, visit, lost) for later in reader.visits_of(visit.url)):
            kind = known[visit.url].request.kind if visit.url in known else RequestKind.PAGE
            yield request_of(visit, kind)


def _replaces(later: StoredVisit, visit: StoredVisit, lost: Collection[StoredVisit]) -> bool:
    """Whether a visit of the same URL is as good as one that was lost before it."""
    is_newer = (later.fetched_at, later.n) > (visit.fetched_at, visit.n)
    is_same = later.node == visit.node and later.status != HTTPStatus.NOT_MODIFIED
    return is_newer and is_same and later not in lost
