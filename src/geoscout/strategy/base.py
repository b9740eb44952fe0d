"""What a strategy is: it scores the links of a page, and may learn from what became of them.

A strategy sees values and returns values: no network, disk or clock, and no chance but what it was
given. So the same object runs in a live crawl, over an archive and in a simulation, and in every
node of a collaborative crawl.

What it wants to remember of a link travels with the link: `Scored.features` comes back in
`Request.features` when the link has been fetched, so the memory of a crawl does not grow with its
frontier, and a crash forgets nothing.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from geoscout.gazetteer.areas.region import Region
from geoscout.gazetteer.base import Gazetteer
from geoscout.model import Link, Page, Reading, Request


@dataclass(frozen=True, slots=True)
class Aim:
    """What a strategy is made for; handed to `create`."""

    region: Region | None = None  # None: any place will do
    gazetteer: Gazetteer | None = None  # None only in tests and small simulations
    options: Mapping[str, str] = field(default_factory=dict)  # as in "adaptive:depth=3"
    chance: random.Random = field(default_factory=lambda: random.Random(0))


@dataclass(frozen=True, slots=True)
class Source:
    """A page whose links are scored."""

    request: Request  # as it waited; `request.features` is what was noted of the link to it
    page: Page
    relevant: bool
    reading: Reading | None = None  # None in simulations that know the truth


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a request; where a redirect leads is a request of its own."""

    request: Request
    status: int  # of HTTP; 0 when there was no answer and will be none
    relevant: bool = False
    duplicate: bool = False  # its text was seen before


class Scored(NamedTuple):
    """What a link is worth."""

    priority: float  # any finite number: higher is fetched earlier
    features: bytes = b""


DROP = Scored(-1e300)  # the link shall not be followed at all


@dataclass(frozen=True, slots=True)
class Reason:
    """A part of a priority, for people: a value, what it is, and what it is made of."""

    name: str
    value: float
    detail: str = ""
    parts: tuple[Reason, ...] = ()


class Strategy:
    """Scores links. `score` is enough for a strategy; the rest is for those that learn."""

    # False: it never looks at what is in a link or page, so a simulation need not make them.
    reads_links = True
    # True: of links that are worth the same, the one found first comes first; else chance decides.
    ties_in_order = False
    # A link that is worth less than this share of the best on a host that is busy or rests for
    # seconds waits for that one; 0: none waits, whatever may be asked is asked.
    least_share = 0.0
    # Re-score what waits after so many answers; 0 is never.
    rescore_every = 0
    rescore_most = 5000  # of the best waiting requests at a time

    def score(self, source: Source, links: Sequence[Link]) -> Sequence[Scored]:
        """What each of these links of the page is worth; they have passed the filters."""
        raise NotImplementedError

    def learn(self, outcome: Outcome) -> None:
        """Hear what became of a request; called once for each, before its links are scored."""

    def rescore(self, waiting: Sequence[Request]) -> Sequence[float]:
        """The priorities of waiting requests as the strategy sees them now."""
        return [request.priority for request in waiting]

    def explain(self, source: Source, link: Link) -> Reason:
        """Why a link has its priority, as of now."""
        return Reason("priority", self.score(source, [link])[0].priority)

    def save(self) -> bytes:
        """What was learned, for `load` in a later process; empty for nothing."""
        return b""

    def load(self, state: bytes) -> None:
        """Go on from what `save` gave."""
