"""The directory of a crawl, as crawl, search, commands and the API ask for it.

The directory is a house above this one. So it is found by its entry point and known by what stands
here only, and nothing here says how entries are read, merged or kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

from geoscout.search.base import Interpretation, Question
from geoscout.settings import Settings
from geoscout.store.base import Cursor
from geoscout_places.gazetteer import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.plugins import load_plugin

if TYPE_CHECKING:
    from geoscout.web.endpoints import Endpoints
    from geoscout_places.reading import PageReading


class EntryFactsJson(TypedDict):
    """What is said of a business, club or office; what is unknown is empty."""

    name: str
    street: str
    house_number: str
    postcode: str
    city: str
    region: str
    country: str  # ISO code
    lat: float | None
    lon: float | None
    precision: str | None  # of the point: house, street, postcode, town or region
    phones: list[str]  # as E.164
    mails: list[str]
    opening_hours: str  # as OpenStreetMap writes them
    categories: list[str]  # as OpenStreetMap tags them
    website: str


class EntryJson(EntryFactsJson):
    """An entry of the directory."""

    id: str
    shown_phones: list[str]  # the same as `phones`, as people write them
    pages: int  # that say something of it
    sites: int
    price: str  # as markup has it: "€€", "12 EUR"
    source: str  # URL of the page that is trusted most
    first_seen: str
    last_seen: str
    disagreements: int  # fields of which pages say different things


class FactJson(TypedDict):
    """What a page says of an entry, for who asked just that."""

    kind: str  # hours, phone, mail, website, address or price
    value: str
    open: bool | None  # of hours: now, or when the query says; null where that is not known
    entry: str  # id
    name: str
    address: str
    url: str  # of the page that says so
    fetched_at: str | None


class EntryFiltersJson(TypedDict):
    """What to ask the directory for; "" asks for nothing."""

    text: str
    category: str
    within: str


class FoundEntry(Protocol):
    """An entry that answers a query."""

    def as_json(self) -> EntryJson:
        """As the API has it."""

    def as_row(self) -> dict[str, Any]:
        """As exports have it, with all that pages say."""

    def as_lines(self) -> tuple[str, str]:
        """Its name; address, telephone and website, "" where nothing is known."""


@dataclass(frozen=True, slots=True)
class EntryHits:
    entries: tuple[FoundEntry, ...] = ()  # the best first
    total: int = 0
    # By which a list of the directory has about the same.
    filters: EntryFiltersJson = field(
        default_factory=lambda: EntryFiltersJson(text="", category="", within="")
    )
    facts: tuple[FactJson, ...] = ()  # that were asked for, of the best entries
    notes: tuple[str, ...] = ()  # what the user should know, a sentence each


class CrawlEntries(Protocol):
    """The entries of one crawl, which may have none yet; closed by whoever opened it."""

    @property
    def edition(self) -> Hashable:
        """What answers depend on; None while there is no directory."""

    def find(self, question: Question, read: Interpretation) -> EntryHits:
        """The entries for a question that was understood as `read`."""

    def total(self) -> int | None:
        """How many entries there are; None without a directory."""

    def found_by(self, moments: Sequence[float]) -> list[int]:
        """How many were known at each time, in seconds since the epoch; [] without a directory."""

    def keep_up(self, last_change: Callable[[], Cursor]) -> None:
        """Begin to follow the crawl in another process if it is time to; never waits."""

    def update_if_quick(self) -> None:
        """Follow the crawl now, unless that took long the last time."""

    def close(self) -> None:
        """Let go of it; an update that runs is ended, and the next one goes on where it was."""


EntityKeys = tuple[tuple[int, ...], ...]  # for each business the numbers of its keys


class PageEntryReader(Protocol):
    """Reads what pages say of businesses, while they are crawled."""

    def keys(self, found: PageReading) -> EntityKeys:
        """What tells the businesses in the region that a page names from those of others."""


class Directory(Protocol):
    """What the house of directories offers."""

    def open(self, where: Path | str, gazetteer: Gazetteer, settings: Settings) -> CrawlEntries:
        """The entries of the crawl at an address."""

    def count(self, where: Path | str, settings: Settings) -> int | None:
        """How many entries a directory has; None where there is none."""

    def update(self, where: Path | str, gazetteer: Gazetteer, settings: Settings) -> int:
        """Bring the directory up to date, with a bar where that takes long; its entries then."""

    def forget(self, where: Path | str, host: str, gazetteer: Gazetteer, settings: Settings) -> int:
        """Forget what pages of a host say; how many entries they named."""

    def page_reader(self, gazetteer: Gazetteer, region: Region | None) -> PageEntryReader:
        """What reads the entries of pages in a crawl."""

    def names_of_sorts(self, words: Sequence[str]) -> Iterable[tuple[range, Sequence[str]]]:
        """What the sorts of things that folded words name are called, with their positions."""

    def endpoints(self) -> Endpoints:
        """Its part of the API."""


def directory() -> Directory:
    found: Directory = load_plugin("geoscout.houses", "directory", "house").create()
    return found
