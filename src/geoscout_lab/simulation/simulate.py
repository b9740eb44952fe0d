"""A crawl of a world by a strategy, without network, parser or politeness.

It is the loop of `crawl.py` without everything that does not change the order: take the best page,
tell the strategy what became of it, score its links, and let them wait. Every response counts, also
dead links and redirects. For a strategy that does not read links, none are made; this makes tens of
thousands of visits a second possible. For the others a page is made when they first look at it.

The crawl's own frontier keeps URLs, hosts and politeness, which a simulation does not need; the one
here takes a microsecond a link. It keeps the same promises about order: highest priority first, a
page that is found again is replaced if its new priority is higher. A trace is arrays: a million
visits are a few megabytes, and two of one world can be compared page by page.
"""

from __future__ import annotations

import heapq
import math
import random
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from geoscout.crawling.copies import Repeat, SeenTexts, UrlForms
from geoscout.crawling.requests import SEED_PRIORITY, Followed, requests_from
from geoscout.strategy import LinkOutcome, Scores, Source, Strategy, StrategyTraits, abilities_of
from geoscout.strategy.base import Trainer, TrainingSharer
from geoscout.strategy.terms import term_number
from geoscout_lab.measures.analysis import SEED
from geoscout_lab.worlds.truth import OK, MappedWorld, ReadWorld, World
from geoscout_places.model import Link, Page, Reading, Request


@dataclass(frozen=True, slots=True)
class Trace:
    """The visits of a crawl, in order; every response is one, dead links and redirects too."""

    pages: NDArray[np.int64]
    parents: NDArray[np.int64]  # number of the visit whose link was followed; -1 for a seed
    depths: NDArray[np.int64]  # links since the seed
    priorities: NDArray[np.float64]  # when it was taken
    relevant: NDArray[np.bool_]
    statuses: NDArray[np.int64]
    seconds: float = 0.0  # CPU time of the strategy and the simulation
    training: Trace | None = None  # the crawl before, where training was not counted

    def __len__(self) -> int:
        """How many visits there were."""
        return len(self.pages)

    def cut(self, visits: int) -> Trace:
        """The first visits, this number of them."""
        return replace(
            self,
            pages=self.pages[:visits],
            parents=self.parents[:visits],
            depths=self.depths[:visits],
            priorities=self.priorities[:visits],
            relevant=self.relevant[:visits],
            statuses=self.statuses[:visits],
        )

    def with_training(self, budget: int) -> NDArray[np.int64]:
        """The pages in the order fetched if training counts: first its pages, then the new ones."""
        if self.training is None:
            return self.pages[:budget]
        first = self.training.pages
        new = self.pages[~np.isin(self.pages, first)]
        return np.concatenate([first, new])[:budget]


@dataclass(frozen=True, slots=True)
class Fetch:
    """One page fetched by one node; responses that are not pages are left out."""

    node: str
    page: int
    sent: int  # links that went to another node
    label: int  # the place of the page as the assignment sees it; 0 for none


@dataclass(slots=True)
class CollaborativeTrace:
    """What a collaborative crawl did."""

    fetches: list[Fetch]
    visits: int = 0  # all responses
    idle: int = 0  # ticks of a node with nothing to fetch


WAITING, DONE = 1, 2  # states of a page; 0: not known yet


NO_PARENT = -1  # of a seed


class WaitingPage(NamedTuple):
    """A page that waits, and how it was found."""

    page: int
    priority: float
    features: bytes = b""  # what the strategy noted of the link
    depth: int = 0  # links since a seed
    distance: int = 0  # links since the last relevant page, or the seed
    parent: int = NO_PARENT  # the page whose link, or whose redirect, leads here


class WaitingPages:
    """Pages by priority; equals in the order they came, or by chance where it is given."""

    def __init__(
        self, size: int, chance: random.Random | None = None, *, first_come: bool = False
    ) -> None:
        """`first_come`: a page that is found again keeps its first priority (A-1)."""
        self._chance = chance
        self._first_come = first_come
        self._states = bytearray(size)
        self._priorities = array("d", bytes(8 * size))
        self._entries: dict[int, WaitingPage] = {}
        self._heap: list[tuple[float, float, int]] = []  # minus the priority, order of equals, page
        self._count = 0

    def __len__(self) -> int:
        """How many pages wait."""
        return len(self._entries)

    def wants(self, page: int, priority: float) -> bool:
        """Whether `put` would change anything; asked for every link, so it makes no record."""
        state = self._states[page]
        if not state:
            return True
        return state == WAITING and not self._first_come and priority > self._priorities[page]

    def put(self, entry: WaitingPage) -> None:
        """Add a page, or replace one that waits with a lower priority."""
        page, priority = entry.page, entry.priority
        if not self.wants(page, priority):
            return
        self._states[page] = WAITING
        self._priorities[page] = priority
        self._entries[page] = entry
        self._count += 1
        order = self._count if self._chance is None else self._chance.random()
        heapq.heappush(self._heap, (-priority, order, page))

    def take(self) -> WaitingPage | None:
        """The best page, which is then done; None when nothing waits."""
        best = self._pop()
        if best is None:
            return None
        self._states[best[2]] = DONE
        return self._entries.pop(best[2])

    def best(self) -> float:
        """The priority of the best page; minus infinity when nothing waits."""
        best = self._pop()
        if best is None:
            return -math.inf
        heapq.heappush(self._heap, best)
        return -best[0]

    def rescore(self, most: int, score: Callable[[Sequence[WaitingPage]], Sequence[float]]) -> None:
        """Give the best waiting pages new priorities, `most` of them at most."""
        taken: list[tuple[float, float, int]] = []
        while len(taken) < most and (best := self._pop()) is not None:
            self._states[best[2]] = DONE  # so that a second mark of it in the heap is passed over
            taken.append(best)
        entries = [self._entries[page] for _, _, page in taken]
        for (_, order, page), entry, priority in zip(taken, entries, score(entries), strict=True):
            self._states[page] = WAITING
            self._priorities[page] = priority
            self._entries[page] = entry._replace(priority=priority)
            heapq.heappush(self._heap, (-priority, order, page))

    def _pop(self) -> tuple[float, float, int] | None:
        """The best mark that still holds; those of pages raised since then are dropped."""
        while self._heap:
            mark = heapq.heappop(self._heap)
            page = mark[2]
            if self._states[page] == WAITING and self._priorities[page] == -mark[0]:
                return mark
        return None


_BLANK_PAGE = Page.empty("")
_BLANK_LINK = Link.to("")


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """How a simulation goes."""

    budget: int  # responses
    random_seed: int = 0  # decides between links of equal priority
    first_come: bool = False  # a page found again keeps its first priority
    in_flight: int = 0  # requests at a time, as the crawl's own frontier gives them; 0: just one


class TrainingCrawls:
    """The training crawls of one world, so that strategies that train alike share one.

    Only those of one random seed are kept: a graph of 30,000 pages takes tens of megabytes.
    """

    def __init__(self) -> None:
        self._plan: SimulationPlan | None = None
        self._kept: dict[str, tuple[object, Trace]] = {}

    def train(self, world: World, strategy: Trainer, plan: SimulationPlan) -> Trace:
        """Train by a crawl, or by what one like it has seen; `plan` is that of the crawl after."""
        if plan != self._plan:
            self._plan, self._kept = plan, {}
        if not isinstance(strategy, TrainingSharer) or not (key := strategy.training_key()):
            return _train(world, strategy, plan)
        if key in self._kept:
            seen, trace = self._kept[key]
            strategy.take_training(seen)
            return trace
        seen = strategy.training()
        self._kept[key] = seen, _train(world, strategy, plan)
        return self._kept[key][1]


def _train(world: World, strategy: Trainer, plan: SimulationPlan) -> Trace:
    """The strategy leads its own training; if the web ends before that does, `fit` ends it."""
    pages = strategy.separate_training()
    trace = Simulation(world, cast("Strategy", strategy), replace(plan, budget=pages)).run()
    if len(trace) < pages:
        strategy.fit()
    return trace


def simulate(
    world: World, strategy: Strategy, plan: SimulationPlan, crawls: TrainingCrawls | None = None
) -> Trace:
    """Crawl; if the strategy's training does not count, it has a crawl of its own before.

    `crawls`: those of earlier simulations in the same world.
    """
    training = None
    if isinstance(strategy, Trainer) and strategy.separate_training():
        training = (crawls or TrainingCrawls()).train(world, strategy, plan)
    return replace(Simulation(world, strategy, plan).run(), training=training)


class _Late:
    """Takes the place of a record that is slow to make, until somebody looks into it."""

    def __init__(self, make: Callable[[int], object], number: int) -> None:
        self._make = make
        self._number = number
        self._made: object | None = None

    def __getattr__(self, name: str) -> Any:  # Any: whatever the record has
        if self._made is None:
            self._made = self._make(self._number)
        return getattr(self._made, name)


class _LatePage(_Late):
    """A page whose URL is known without it, which is all that most strategies ask of it."""

    def __init__(self, world: World, number: int, url: str) -> None:
        super().__init__(world.page, number)
        self.url = url


def late_page(world: World, number: int, url: str) -> Page:
    """A page that is made when more than its URL is asked for."""
    return cast("Page", _LatePage(world, number, url))


def _waiting_pages(world: World, plan: SimulationPlan, traits: StrategyTraits) -> WaitingPages:
    chance = random.Random(plan.random_seed)
    if plan.in_flight:
        # Most simulations need no frontier.
        from geoscout_lab.simulation.in_flight import PagesInFlight  # noqa: PLC0415

        return PagesInFlight(world, plan.in_flight, traits.least_share, chance)
    ties = None if traits.ties_in_order else chance
    return WaitingPages(world.size, ties, first_come=plan.first_come)


class Simulation:
    """One crawl. A subclass may let several of them exchange what they find."""

    def __init__(self, world: World, strategy: Strategy, plan: SimulationPlan) -> None:
        self._strategy = abilities_of(strategy)
        self._reads_links = self._strategy.traits.reads_links
        self._world = world
        self._plan = plan
        self._waiting = _waiting_pages(world, plan, self._strategy.traits)
        self._visits: list[WaitingPage] = []
        self._relevant: list[bool] = []
        self._statuses: list[int] = []
        self._read = world.reading if isinstance(world, ReadWorld) else None
        self._fingerprint = world.fingerprint if isinstance(world, ReadWorld) else None
        self._texts = SeenTexts()
        self._forms = UrlForms()
        self._mapped = world if isinstance(world, MappedWorld) else None

    def run(self) -> Trace:
        started = time.process_time()
        for seed in self._world.seeds:
            self._let_wait(WaitingPage(seed, SEED_PRIORITY))
        while len(self._visits) < self._plan.budget and self._step():
            pass
        seconds = time.process_time() - started
        return trace_of(self._visits, self._relevant, self._statuses, seconds)

    def _step(self) -> bool:
        """Visit the best page, and score again what waits when that is due; False: none waits."""
        while (entry := self._waiting.take()) is not None:
            if self._is_answered(entry.page):
                continue
            self._visit(entry)
            if most := self._strategy.due(len(self._visits)):
                self._waiting.rescore(most, self._rescored)
            return True
        return False

    def _let_wait(self, entry: WaitingPage) -> None:
        self._waiting.put(entry)

    def _visit(self, entry: WaitingPage) -> None:
        page = entry.page
        status = self._world.status(page)
        relevant = status == OK and self._world.is_relevant(page)
        request = self._request(entry)
        repeat = self._repeat(entry) if status == OK else Repeat()
        if self._mapped is None or not self._mapped.is_sitemap(page):
            reading = self._reading(page) if status == OK else None
            outcome = LinkOutcome(request, status, relevant, repeat.is_copy, reading)
            if status == OK:
                outcome = structs.replace(outcome, entities=self._named(page))
            self._learn(outcome)
        self._visits.append(entry)
        self._relevant.append(relevant)
        self._statuses.append(status)
        if status == OK and not repeat.too_often:
            self._follow(entry, request, relevant=relevant)
        elif 300 <= status < 400:
            for target in self._world.targets(page):
                self._let_wait(entry._replace(page=target, parent=page))
        if status == OK and self._mapped is not None:
            for sitemap in self._mapped.sitemaps(page):
                self._let_wait(entry._replace(page=sitemap, parent=page, features=b""))

    def _named(self, page: int) -> tuple[tuple[int, ...], ...]:
        """The entities of the region that it names, by number."""
        return tuple((term_number(name),) for name in self._world.entities(page))

    def _learn(self, outcome: LinkOutcome) -> None:
        self._strategy.learn(outcome)

    def _repeat(self, entry: WaitingPage) -> Repeat:
        """Whether its text was seen before; only worlds that have texts can tell."""
        if self._fingerprint is None:
            return Repeat()
        url, mark = self._world.url(entry.page), self._fingerprint(entry.page)
        parent = self._world.url(entry.parent) if entry.parent != NO_PARENT else ""
        self._forms.answered(url, mark)
        return self._texts.add(url, mark, parent)

    def _is_answered(self, page: int) -> bool:
        """Whether it has come under another URL since it began to wait."""
        return self._fingerprint is not None and self._forms.was_answered(self._world.url(page))

    def _wants(self, page: int, priority: float) -> bool:
        """Whether a link is to wait; not if its page was asked for under another URL."""
        if not self._waiting.wants(page, priority):
            return False
        return self._fingerprint is None or not self._forms.is_known(self._world.url(page))

    def _follow(self, entry: WaitingPage, request: Request, *, relevant: bool) -> None:
        targets = self._world.targets(entry.page)
        if not len(targets):
            return
        scores = self._scores(entry.page, request, len(targets), relevant=relevant)
        page = Followed(entry.page, entry.depth, entry.distance, relevant)
        for found in requests_from(page, targets, scores, WaitingPage, self._wants):
            self._let_wait(found)

    def _scores(self, page: int, request: Request, count: int, *, relevant: bool) -> Scores:
        if not self._reads_links:
            source = Source(request, _BLANK_PAGE, relevant)
            return self._strategy.score(source, [_BLANK_LINK] * count)
        late = late_page(self._world, page, request.url)
        source = Source(request, late, relevant, self._reading(page))
        return self._strategy.score(source, self._world.links(page))

    def _reading(self, page: int) -> Reading | None:
        return cast("Reading", _Late(self._read, page)) if self._read else None

    def _rescored(self, entries: Sequence[WaitingPage]) -> Sequence[float]:
        return self._strategy.rescore([self._request(entry) for entry in entries])

    def _request(self, entry: WaitingPage) -> Request:
        url = parent = ""
        if self._reads_links:
            url = self._world.url(entry.page)
            parent = self._world.url(entry.parent) if entry.parent != NO_PARENT else ""
        return Request(
            url, entry.priority, entry.depth, entry.distance, parent, features=entry.features
        )


def trace_of(
    visits: Sequence[WaitingPage], relevant: Sequence[bool], statuses: Sequence[int], seconds: float
) -> Trace:
    """The trace of these visits."""
    # A page is visited once, so its number tells which visit it was.
    numbers = {visit.page: number for number, visit in enumerate(visits)} | {NO_PARENT: SEED}
    return Trace(
        np.array([visit.page for visit in visits], dtype=np.int64),
        np.array([numbers[visit.parent] for visit in visits], dtype=np.int64),
        np.array([visit.depth for visit in visits], dtype=np.int64),
        np.array([visit.priority for visit in visits], dtype=np.float64),
        np.array(relevant, dtype=np.bool_),
        statuses=np.array(statuses, dtype=np.int64),
        seconds=seconds,
    )
