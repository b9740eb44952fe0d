"""What goes into an index, what can be asked of it, and a Protocol for each side.

An index knows a page by its slot, a number that holds for as long as the page is there. Questions
about many pages are asked at once and answered in arrays of equal length: ranking looks at
hundreds of pages for a query, and an object for each would take longer than everything else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from geoscout_places.model import Point, Precision

if TYPE_CHECKING:  # numpy takes longer to import than most commands run
    import numpy as np
    import numpy.typing as npt

    Slots = npt.NDArray[np.int64]
    Numbers = npt.NDArray[Any]

DIRECT, ADDRESS, MAIN, PART = 1, 2, 4, 8  # what a page has of a place: see `PlaceRows`
Word = tuple[str, ...]  # the word as asked for, then other forms of it


@dataclass(frozen=True, slots=True)
class PlaceEvidence:
    """What a page itself says about one place; what contains the place inherits it."""

    place_id: int
    share: float = 0.0  # of the page's scope, with all that lies inside the place; 0 to 1
    mentions: int = 0
    has_address: bool = False
    is_main: bool = False  # the first place of the page's scope


@dataclass(frozen=True, slots=True)
class Spot:
    """A point a page belongs to, for questions by distance."""

    point: Point
    strength: float  # 1 for the house or street of an address, less for a town or its postal code
    precision: Precision = Precision.HOUSE
    reach_km: float = 0.0  # how far from the point it may really be


class Evidence(StrEnum):
    """How a page tells where it belongs."""

    ADDRESS = "address"  # a postal address
    NAME = "name"  # the name of a place that it is about, or mentions
    MARKUP = "markup"  # an address or coordinates in its structured data


@dataclass(frozen=True, slots=True)
class KnownSpot:
    """A house, street or landmark that a page gives, for questions that name it.

    `key` and `wider` are made by `geoscout.index.schema`.
    """

    key: str
    place_id: int  # the town; 0 where unknown
    spot: Spot | None  # None where the page does not tell where it is
    wider: str = ""  # the street of a house; "" for none


@dataclass(frozen=True, slots=True)
class PageFilters:
    """What a page must be like, besides its words and places; the defaults let all pages pass."""

    language: str = ""  # such as "de"; "" any
    host: str = ""  # with all hosts below it; "" any
    since: float | None = None  # fetched at this time or later; seconds since the epoch, UTC
    before: float | None = None  # fetched before this time
    dated_since: float | None = None  # the same for the date that the page itself gives
    dated_before: float | None = None
    evidence: Evidence | None = None

    def __bool__(self) -> bool:
        return self != NO_FILTERS


NO_FILTERS = PageFilters()


@dataclass(frozen=True, slots=True)
class Document:
    """One page as the index takes it."""

    url: str  # its key: a document replaces the one of the same URL
    title: str
    text: str
    visit: int  # the visit of the store it was made from
    fetched_at: float  # seconds since the epoch, UTC
    anchor: str = ""  # of the link by which the page was found
    language: str = ""
    relevant: bool = False
    places: tuple[PlaceEvidence, ...] = ()
    spots: tuple[Spot, ...] = ()
    addresses: tuple[tuple[int, int], ...] = ()  # where in the text they stand, in code points
    dated_at: float = 0.0  # when it was published or changed, as it says; 0 where it does not
    evidence: tuple[Evidence, ...] = ()
    listed: int = 0  # different addresses on the page
    known: tuple[KnownSpot, ...] = ()


class PlaceField(StrEnum):
    """By which of its places a page is looked up; the values are names of fields of the index."""

    NAMED = "node"  # those that the page names, and what contains them
    STRONG = "strong"  # those with an address or the main place inside
    ABOUT = "about"  # those, and what has more than a trace of the page's scope
    DIRECT = "direct"  # those that the page itself names
    KIND = "kind"  # not places but kinds of those it is about: offsets of GeoWordNet
    KNOWN = "known"  # not places but marks of houses, streets and landmarks: `known_spots.mark_of`


@dataclass(frozen=True, slots=True)
class Where:
    """The places and cells of which a page must be in one; nothing at all means everywhere."""

    places: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    field: PlaceField = PlaceField.NAMED


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a page must have to be a candidate."""

    words: tuple[Word, ...] = ()
    needs_all: bool = True  # every word, else any of them
    where: tuple[Where, ...] = ()  # in each of these
    preferred: tuple[Where, ...] = ()  # candidates in these come first, whatever their words
    named: tuple[str, ...] = ()  # words that must be there too, without counting
    titled: tuple[str, ...] = ()  # the same in its title, address or in-link
    without: tuple[int, ...] = ()  # places it must not belong to
    without_field: PlaceField = PlaceField.NAMED  # by which that is told
    hints: tuple[str, ...] = ()  # words that need not be there, and count a little if they are
    leads: tuple[str, ...] = ()  # the same, and count like others in title, address and in-link
    filters: PageFilters = NO_FILTERS


class Found(Struct, frozen=True, gc=False, eq=False):
    """Candidates: the preferred ones first, then by their text scores."""

    slots: Slots
    scores: npt.NDArray[np.float64]
    total: int  # of all pages that fit, found or not


class PageHead(Struct, frozen=True, gc=False):
    """What a list of hits shows of a page."""

    url: str
    title: str
    language: str
    relevant: bool
    anchor: str  # of the link by which it was found
    addresses: tuple[tuple[int, int], ...] = ()  # where in the text
    visit: int = 0  # the visit of the store it was made from
    fetched_at: float = 0.0  # seconds since the epoch, UTC
    dated_at: float = 0.0  # when it was published or changed, as it says; 0 where it does not


class PlaceRows(Struct, frozen=True, gc=False, eq=False):
    """Places of several pages, one row for each place of each page, what contains them included."""

    owners: Numbers  # which of the pages asked about, from 0
    places: Numbers  # ids
    shares: Numbers  # of the page's scope, with all that lies inside the place; 0 to 1
    # DIRECT where the page itself names it; ADDRESS, MAIN also of what is inside; PART where a
    # place of the page is part of it by GeoWordNet
    flags: Numbers
    synsets: Numbers  # offsets of GeoWordNet; 0 for none

    def taken(self, chosen: Numbers) -> PlaceRows:
        """Some of the rows, by number or by truth, in that order."""
        parts = (self.owners, self.places, self.shares, self.flags, self.synsets)
        return PlaceRows(*(part[chosen] for part in parts))


class SpotRows(Struct, frozen=True, gc=False, eq=False):
    """Points of several pages, one row for each."""

    owners: Numbers  # which of the pages asked about, from 0
    latitudes: Numbers
    longitudes: Numbers
    strengths: Numbers  # 1 for an address, less for what only names a place
    precisions: Numbers  # positions in `Precision`
    reaches_km: Numbers  # how far from the point the page may really be


class PageSigns(Struct, frozen=True, gc=False, eq=False):
    """By what pages are grouped."""

    texts: Sequence[int]  # simhashes: those of like texts differ in few bits
    hosts: Sequence[int]  # the same number for the same host


class PageTraits(Struct, frozen=True, gc=False, eq=False):
    """What tells pages apart whose words and places fit equally well."""

    languages: Numbers  # codes without a region, as bytes; b"" where unknown
    listed: Numbers  # different addresses on each page


class Index(Protocol):
    """Pages by their words and places, as of one commit. Several threads may ask at once."""

    @property
    def cursor(self) -> str:
        """How far the changes of the store have been followed, in the store's words."""

    @property
    def edition(self) -> Hashable:
        """What every answer depends on: another one after each commit that is seen."""

    @property
    def page_count(self) -> int: ...

    def reload(self) -> bool:
        """Go on to the newest commit; whether there was a newer one."""

    def words_of(self, text: str) -> Sequence[str]:
        """A text as the index sees it: words without case and accents."""

    def with_forms(self, word: str) -> Word:
        """A word with the inflected forms of it that occur in the index."""

    def stems_of(self, word: str) -> Sequence[str]:
        """What stemmers of the languages of the pages leave of a word: "ski" of "skiing"."""

    def pages_with(self, word: str) -> int:
        """About how many pages have this very word."""

    def spelt_like(self, word: str) -> str:
        """The word on the most pages that differs in one letter, or two swapped; "" for none."""

    def pages_at(self, place_id: int) -> int:
        """About how many pages belong to a place or what lies in it."""

    def pages_addressed_at(self, place_id: int) -> int:
        """About how many pages have an address in a place."""

    def find(self, wanted: Wanted, limit: int) -> Found:
        """The pages with the best text score among those that fit, the preferred ones first."""

    def count(self, wanted: Wanted) -> int:
        """How many pages fit."""

    def count_places(self, wanted: Wanted, field: PlaceField = PlaceField.NAMED) -> dict[int, int]:
        """For every place the pages that fit and have it in a field, NAMED or ABOUT."""

    def languages(self) -> Mapping[str, int]:
        """About how many pages there are in each language, by code; "" where it is unknown."""

    def languages_with(self, word: str) -> Mapping[str, int]:
        """How many pages with this very word there are in each language, by code."""

    def known_spots(self, key: str) -> list[KnownSpot]:
        """What pages tell of a house, street or landmark."""

    def is_known(self, key: str) -> bool:
        """Whether a page has a house, street or landmark."""

    def slot_of(self, url: str) -> int | None:
        """The slot of a page; None when the index does not have it."""

    def head(self, slot: int) -> PageHead: ...

    def heads(self, slots: Slots) -> list[PageHead]: ...

    def urls_of(self, slots: Slots) -> list[str]:
        """The URLs of some pages."""

    def text(self, slot: int) -> str: ...

    def texts(self, slots: Slots) -> list[str]: ...

    def word_counts(self, slot: int) -> Counter[str]:
        """How often each word occurs in a page."""

    def places_of(self, slots: Slots) -> PlaceRows:
        """All places of some pages."""

    def places_at(self, slots: Slots, ids: Sequence[int]) -> PlaceRows:
        """Of the places of some pages those with one of a few ids."""

    def main_places(self, slots: Slots) -> Numbers:
        """The id of the main place of each page; 0 for none."""

    def spots_of(self, slots: Slots) -> SpotRows:
        """The points of some pages."""

    def signs_of(self, slots: Slots) -> PageSigns:
        """By what pages are grouped."""

    def traits_of(self, slots: Slots) -> PageTraits:
        """What tells pages apart whose words and places fit equally well."""

    def lengths_of(self, slots: Slots) -> Numbers:
        """The length of the vector of each page's words."""


class WritableIndex(Protocol):
    """An index that is being changed, by one process at a time; nothing is seen before `commit`."""

    @property
    def cursor(self) -> str:
        """How far the changes of the store had been followed at the last commit."""

    def add(self, document: Document) -> None:
        """Add a page, in place of the one with its URL."""

    def remove(self, url: str) -> None:
        """Take a page out; it is not an error if it is not there."""

    def commit(self, cursor: str) -> None:
        """Make everything last and visible; `cursor` says how far the store was followed."""

    def close(self) -> None:
        """Let go; what has not been committed is lost."""
