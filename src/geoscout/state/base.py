"""The state of a crawl: facts, frontier and archive, which one commit covers.

That promise is what makes a crash harmless: a page, its links and what became of its request last
together or not at all. It is kept here, by `CrawlState.commit`, and nowhere else.

Where the state is kept is found by the address of the crawl: a folder is one SQLite file and WARC
files (`sqlite.py`), and "postgresql://…" is whatever package has an entry point of that name
in the group `geoscout.states`. The entry point is a module whose `create()` gives a `StateBackend`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol, Self

from geoscout.frontier.base import Frontier, FrontierView, Limits
from geoscout.model import Request, RequestKind
from geoscout.plugins import load_plugin
from geoscout.store.base import CrawlReader, CrawlWriter, StoredVisit

BACKENDS = "geoscout.states"  # the group of entry points
FOLDERS = "sqlite"  # the backend of an address that is a folder


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a new crawl begins with. It is there with all of this, or it is not there."""

    requests: Sequence[Request] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    learned: bytes = b""  # what its strategy knows already


@dataclass(frozen=True, slots=True)
class Writing:
    """What the state must know of the crawl that writes to it."""

    agent: str = "geoscout"  # the User-Agent that the fetcher sends, for the archive
    limits: Limits = field(default_factory=Limits)  # of the frontier


class CrawlState(Protocol):
    """The state of a running crawl, held by one process until it is closed."""

    @property
    def facts(self) -> CrawlWriter:
        """What the crawl writes."""
        ...

    @property
    def reader(self) -> CrawlReader:
        """What the crawl has written; it need not have been committed."""
        ...

    @property
    def frontier(self) -> Frontier: ...

    async def commit(self) -> None:
        """Make everything last that was written since the last commit, all of it or nothing.

        That is what went to `facts`, with the archive behind them, and what `frontier` was told.
        """
        ...

    async def commit_when_due(self, visits: int, seconds: float) -> None:
        """Commit when this many visits or failures wait for it, or some for this long."""
        ...

    def close(self) -> None:
        """Let another process go on; what has not been committed is lost."""
        ...


class Fate(StrEnum):
    """What became of a URL that a crawl knows."""

    FETCHED = "fetched"
    WAITING = "waiting"
    GIVEN_UP = "given up"


@dataclass(frozen=True, slots=True)
class KnownUrl:
    """A URL that a crawl knows: how it came in, and what became of it."""

    fate: Fate
    request: Request  # as it waits, or as it was when it was taken
    visit: StoredVisit | None = None  # the last, where it was fetched


@dataclass(frozen=True, slots=True)
class CrawlView:
    """A crawl as it was committed last, running or not, for everyone but the crawl itself."""

    facts: CrawlReader
    frontier: FrontierView

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.facts.close()

    def find(self, urls: Collection[str]) -> dict[str, KnownUrl]:
        """Those of these URLs, in normal form, that the crawl knows."""
        found = {
            url: KnownUrl(Fate.WAITING if known.waits else Fate.GIVEN_UP, known.request)
            for url, known in self.frontier.find(urls).items()
        }
        for url, visit in self.facts.last_visits(urls).items():
            found[url] = KnownUrl(Fate.FETCHED, request_of(visit), visit)
        return found


class StateBackend(Protocol):
    """Where crawls can be kept. `where` is the address of one: a folder, or a URL."""

    def create(self, where: str, beginning: Beginning, writing: Writing) -> CrawlState:
        """Begin a crawl.

        Raises:
            UsageError: there is one already, or there cannot be one.
        """
        ...

    def resume(self, where: str, writing: Writing) -> CrawlState:
        """Go on with a crawl, from its last commit.

        Raises:
            UsageError: there is none, or another process is writing to it.
        """
        ...

    def open(self, where: str) -> CrawlView:
        """Look at a crawl.

        Raises:
            UsageError: there is none.
        """
        ...

    def holds(self, where: str) -> bool:
        """Whether there is a crawl."""
        ...


def create_state(
    where: Path | str, beginning: Beginning | None = None, writing: Writing | None = None
) -> CrawlState:
    """Begin a crawl at an address.

    Raises:
        UsageError: there is one already, or there cannot be one.
    """
    beginning, writing = beginning or Beginning(), writing or Writing()
    return backend_of(where).create(str(where), beginning, writing)


def resume_state(where: Path | str, writing: Writing | None = None) -> CrawlState:
    """Go on with the crawl at an address, from its last commit.

    Raises:
        UsageError: there is none, or another process is writing to it.
    """
    return backend_of(where).resume(str(where), writing or Writing())


def open_state(where: Path | str) -> CrawlView:
    """Look at the crawl at an address, running or not.

    Raises:
        UsageError: there is none.
    """
    return backend_of(where).open(str(where))


def holds_crawl(where: Path | str) -> bool:
    """Whether there is a crawl at an address."""
    return backend_of(where).holds(str(where))


def backend_of(where: Path | str) -> StateBackend:
    """What keeps the crawl of an address, by the scheme of it.

    Raises:
        UsageError: nothing is installed for it.
    """
    scheme, mark, _ = str(where).partition("://")
    module = load_plugin(BACKENDS, scheme if mark else FOLDERS, "place for crawls")
    backend: StateBackend = module.create()
    return backend


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
