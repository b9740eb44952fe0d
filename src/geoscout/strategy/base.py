"""What a strategy is: it scores the links of a page, and may learn from what became of them.

`Strategy` is all that one must have: a method `score`. Everything else is an ability that it has
when it has the methods, and it inherits nothing: what a crawl asks for is in `Abilities`, what
only commands and simulations ask for in a small Protocol of its own. Of what a strategy lacks
`Abilities` has the answer of one without an opinion, so the loop calls all of them alike, and looks
for no method while it runs.

A strategy sees values and returns values: no network, disk or clock, and no chance but what it was
given. So the same object runs in a live crawl, over an archive and in a simulation, and in every
node of a collaborative crawl.

What it wants to remember of a link travels with the link: `Scored.features` comes back in
`Request.features` when the link has been fetched, so the memory of a crawl does not grow with its
frontier, and a crash forgets nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, runtime_checkable

from msgspec import Struct

from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Link, Page, Reading, Request


@dataclass(frozen=True, slots=True)
class StrategyAim:
    """What a strategy is made for; handed to `create`."""

    region: Region | None = None  # None: any place will do
    gazetteer: Gazetteer | None = None  # None only in tests and small simulations
    options: Mapping[str, str] = field(default_factory=dict)  # as in "adaptive:depth=3"
    chance: random.Random = field(default_factory=lambda: random.Random(0))


class Source(Struct, frozen=True):
    """A page whose links are scored."""

    request: Request  # as it waited; `request.features` is what was noted of the link to it
    page: Page
    relevant: bool
    reading: Reading | None = None  # None in simulations that know the truth


class LinkOutcome(Struct, frozen=True):
    """What became of a link that was followed; the target of a redirect is a link of its own."""

    request: Request
    status: int  # of HTTP; 0 when there was no response and will be none
    relevant: bool = False
    duplicate: bool = False  # its text was seen before
    reading: Reading | None = None  # what was found in the page; None where nobody read it
    # The businesses in the region that it names, each by the numbers of its keys: two with a number
    # in common are the same. None where nobody looked for them.
    entities: tuple[tuple[int, ...], ...] | None = None


class Scored(NamedTuple):
    """The score of a link, and what to remember of it."""

    score: float  # any finite number: higher is fetched earlier
    features: bytes = b""


# One for each link, in the order of the links; None drops the link: it is never followed.
Scores = Sequence[Scored | None]


@dataclass(frozen=True, slots=True)
class Reason:
    """A part of a priority, for people: a value, what it is, and what it is made of."""

    name: str
    value: float
    detail: str = ""
    parts: tuple[Reason, ...] = ()


class ModelDescription(Struct, frozen=True):
    """What a strategy has learned, as a table for people."""

    responses: int  # that it learned from
    columns: tuple[str, ...]  # what the weights of a row are for
    rows: tuple[tuple[str, tuple[float, ...]], ...]  # a name and its weights, one a column


class StrategyTraits(Struct, frozen=True):
    """What is always true of a strategy; the defaults hold for one that says nothing."""

    # False: it never looks at what is in a link or page, so a simulation need not make them.
    reads_links: bool = True
    # True: of links with the same score, the one found first comes first; else chance decides.
    ties_in_order: bool = False
    # Patience: a link whose score is below this share of the best one waits, where the host of the
    # best is busy or free again within seconds. 0: no link waits for a better one.
    least_share: float = 0.0


class Strategy(Protocol):
    """Scores links. This is enough for a strategy."""

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        """The scores of these links of the page; the links have passed the filters."""


class LinkReader(Protocol):
    """Reads links for a strategy in the processes that read pages, of which there are several.

    The module of a strategy gives one by `create_link_reader(aim)`, next to `create`. What it notes
    of a link is in `Link.features` when the strategy scores it.
    """

    def note(self, page: str, links: Sequence[Link]) -> Sequence[bytes]:
        """What to note of each link of the page with this URL."""

    def take_words(self) -> tuple[str, ...]:
        """Words that were met for the first time since the last call, for `hear_words`."""


@runtime_checkable
class Describer(Protocol):
    """Has a model that people can read, for `geoscout status --model`."""

    def describe(self, most: int) -> ModelDescription:
        """What it has learned, with the terms that weigh most, `most` of them."""


@runtime_checkable
class Trainer(Protocol):
    """May train in a crawl of its own, which does not count; only a simulation can give it one."""

    def separate_training(self) -> int:
        """Responses of the crawl it trains in; 0: it trains in the crawl that counts."""

    def fit(self) -> None:
        """Learn from what was seen so far; called when the web was too small for the training."""


@runtime_checkable
class TrainingSharer(Protocol):
    """Can learn from the training crawl of another, so that a comparison runs each crawl once."""

    def training_key(self) -> str:
        """Equal where training crawls from the same seeds are the same; empty: shares none."""

    def training(self) -> object:
        """What its training crawl fills; asked for before the crawl begins."""

    def take_training(self, training: object) -> None:
        """Learn from what the crawl of another has filled, in place of a crawl of its own."""


class Abilities:
    """All that a crawl asks of a strategy."""

    score: Callable[[Source, Sequence[Link]], Scores]
    traits = StrategyTraits()  # they never change

    def __init__(self, strategy: Strategy) -> None:
        self.score, self._strategy = strategy.score, strategy
        for name in ("learn", "due", "rescore", "save", "load", "explain", "hear_words", "traits"):
            if hasattr(strategy, name):
                setattr(self, name, getattr(strategy, name))

    def learn(self, outcome: LinkOutcome) -> None:
        """Take in what became of a link; called once for each, before the links of its page."""

    @property
    def new_entities(self) -> int | None:
        """How many the outcome that it learned from last brought; None if they do not count."""
        return getattr(self._strategy, "new_entities", None)

    def due(self, responses: int) -> int:  # noqa: ARG002
        """How many waiting requests, the best first, to score again after this many responses.

        Asked after each response, in a crawl that was resumed with the responses of all its runs.
        0: none now.
        """
        return 0

    def rescore(self, waiting: Sequence[Request]) -> Sequence[float]:
        """The priorities of waiting requests as the strategy sees them now."""
        return [request.priority for request in waiting]

    def save(self) -> bytes:
        """What was learned, for `load` in a later process; empty for nothing."""
        return b""

    def load(self, state: bytes) -> None:
        """Go on from what `save` gave; an empty state changes nothing.

        Raises:
            UsageError: another version or other options made it.
        """

    def explain(self, source: Source, link: Link) -> Reason:
        """Why a link has its priority, as of now; the score alone where it gives no reasons."""
        (scored,) = self.score(source, [link])
        if scored is None:
            return Reason("priority", 0.0, "the strategy drops this link")
        return Reason("priority", scored.score)

    def hear_words(self, words: Sequence[str]) -> None:
        """Take in words that a `LinkReader` has met, so that people can read its model.

        They come from other processes, which may tell the same ones again.
        """


def abilities_of(strategy: Strategy) -> Abilities:
    """What a strategy can do."""
    return Abilities(strategy)
