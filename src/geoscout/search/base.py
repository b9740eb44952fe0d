"""What one can ask, how it was understood, and what comes back.

The parts of hits are structs, as the records of `geoscout_places.model`: an answer has two hundred
of them, and those are made ten times as fast.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from msgspec import Struct

from geoscout.index.base import NO_FILTERS, PageFilters
from geoscout_places.model import Place, Point, Precision

_LONGEST_CODE = 2  # letters
WORDS_ONLY = 0  # as `Question.place_id`: read no place


class Relation(StrEnum):
    """How pages are to lie to the place of a query."""

    IN = "in"
    NEAR = "near"
    ANYWHERE = ""  # no place is meant; the only one that is false


@dataclass(frozen=True, slots=True)
class Question:
    """A question as a user asks it."""

    text: str
    near: Point | None = None  # where the user is, or what the text should be near to
    radius_km: float | None = None  # no further from `near` than this; None only ranks by distance
    within: str = ""  # a region as in `geoscout crawl --region`; "" everywhere
    place_id: int | None = None  # the place that is meant; WORDS_ONLY for none; None reads the text
    limit: int = 10
    offset: int = 0  # hits to leave out, for the next page
    model: str = "bm25"  # or "cosine"
    explain: bool = False
    facets: bool = True
    filters: PageFilters = NO_FILTERS


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another interpretation of the same text."""

    label: str  # such as "Lisbon, New Hampshire, United States"; "no place" for words only
    place: Place | None
    pages: int  # in the index that belong to the place
    is_elsewhere: bool = True  # neither around the chosen place nor inside it


@dataclass(frozen=True, slots=True)
class Interpretation:
    """How a question was understood."""

    words: tuple[str, ...]  # that pages must have, as the index knows them
    relation: Relation = Relation.ANYWHERE
    place: Place | None = None  # None with a relation: the point that was given
    label: str = ""
    name: str = ""  # as it stands in the text
    point: Point | None = None
    is_explicit: bool = False  # the text has a preposition, or the caller named the place
    corrected: str = ""  # the spelling that was read instead of `name`
    missing: tuple[str, ...] = ()  # words that no page has, and are not searched for
    alternatives: tuple[Alternative, ...] = ()
    rival: Place | None = None  # a namesake far larger than the place, which has more pages
    notes: tuple[str, ...] = ()  # what the user should know, a sentence each
    kind: str = ""  # of place that words name, where pages about such places were added
    street: str = ""  # with its house number, as it stands in the text; `place` is its town
    precision: Precision | None = None  # of `point`, where the text has a street or postal code
    asks_here: bool = False  # the text says "near me"
    known_key: str = ""  # of a house, street or landmark that pages of the index give
    asks: tuple[str, ...] = ()  # kinds of facts: hours, phone, price, weather, route …
    preferred: tuple[str, ...] = ()  # words of the query that pages need not have: "best", "hours"
    open_at: str = ""  # now, today or a day ("Su"): what is open then is wanted

    @property
    def namesakes(self) -> tuple[int, ...]:
        """The ids of other places of the same name."""
        return tuple(o.place.id for o in self.alternatives if o.place and o.is_elsewhere)

    @property
    def town_of_street(self) -> int:
        """The id of the town of a street or house; 0 where none is asked for."""
        return self.place.id if self.place and self.street else 0

    @property
    def is_at_street(self) -> bool:
        """Whether the point is that of a house or street."""
        return self.precision in (Precision.HOUSE, Precision.STREET)

    @property
    def place_name(self) -> str:
        """The name of the place with its qualifiers, as the user wrote it."""
        return self.corrected or self.name or self.label

    @property
    def searched_name(self) -> str:
        """The name by which pages are found: as it was written, but not a code such as "LA"."""
        name = self.place_name
        return self.place.name if self.place and len(name) <= _LONGEST_CODE else name


class Highlight(Struct, frozen=True, gc=False):
    """A part of a snippet to point out."""

    start: int  # code points into the snippet's text
    end: int
    kind: str  # "word" or "place"


class Snippet(Struct, frozen=True, gc=False):
    """A piece of a page's text."""

    text: str
    highlights: tuple[Highlight, ...] = ()


class HitPlace(Struct, frozen=True, gc=False):
    """A place a hit belongs to."""

    place: Place
    label: str
    share: float  # of the page's scope
    has_address: bool
    synset: str = ""  # of GeoWordNet, "09144851-n"; "" where it has none


class HitPoint(Struct, frozen=True, gc=False):
    """A point a hit belongs to."""

    point: Point
    precision: Precision
    reach_km: float  # how far from the point it may really be


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a hit's score came about; score = text ** (1 - weight) * place ** weight * fit."""

    text: float  # 0 to 1: of the best text score of all candidates
    text_score: float  # as the model gave it
    place: float  # 0 to 1
    place_weight: float  # 0 to 1
    reason: str  # of the place score, a sentence
    distance_km: float | None  # from the place or point asked for; None where nothing is measured
    reach_km: float | None  # by how much the distance may be wrong
    kind: str  # the place of the kind asked for that the page is about: "Sicily, island"
    fit: float  # 0 to 1: what another language, a long list and foreign sites leave


class Hit(Struct, frozen=True, gc=False):
    """A page that answers the question."""

    url: str
    title: str
    score: float
    snippet: Snippet
    places: tuple[HitPlace, ...]
    points: tuple[HitPoint, ...]  # for the map, the surest first
    language: str
    fetched_at: float  # seconds since the epoch, UTC
    visit: int
    relevant: bool  # to the region of the crawl
    dated_at: float  # when the page was changed, as it says, like `fetched_at`; 0 where unknown
    host: str  # by which `PageFilters` finds the other pages of the host
    similar: tuple[str, ...]  # URLs of near-duplicates that were left out
    more_of_host: int  # pages of the same host that come further down
    explanation: Explanation | None


class Facet(Struct, frozen=True, gc=False):
    """A place and how many of the pages that fit belong to it."""

    place: Place
    pages: int


class SearchOffer(Struct, frozen=True, gc=False, rename={"text": "q", "place_id": "place"}):
    """A question that has hits, in place of one that has none."""

    text: str
    place_id: int | None  # as in `Question`
    pages: int
    keeps_filters: bool  # False: the same question without its filters


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits for a question."""

    interpretation: Interpretation
    hits: tuple[Hit, ...]
    facets: tuple[Facet, ...]  # the most pages first for each kind of place
    total: int  # pages that fit
    total_is_exact: bool  # False where distances were measured for the best candidates only
    has_more: bool
    offers: tuple[SearchOffer, ...] = ()  # only where no hit has all that was asked for
    languages: Mapping[str, int] = field(default_factory=dict)  # of all pages, by code
