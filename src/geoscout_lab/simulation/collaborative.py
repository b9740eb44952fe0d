"""A crawl of a world by several nodes, without network, parser or politeness.

Every node fetches one page a tick; a node with nothing to fetch is skipped. The budget counts the
pages that were downloaded, so that crawls with idle nodes are as long as the others: in the paper
all had the same number of pages (table 2). A node does not know what the others have seen: a page
that is sent to two nodes is fetched twice. Inside a node the order is that of a strategy; in the
paper it is first come, first served.

`create_for` gives a strategy the registrants of a synthetic web (`registrations=world`): what a
registry says today must not decide a comparison, and synthetic webs have a registrant for every
domain, as often wrong as published.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from geoscout.collaborate import Collaboration, Origin, traits_of
from geoscout.collaborate.base import DepthRule, Labeller
from geoscout.crawling.requests import SEED_PRIORITY, Followed, requests_from
from geoscout.registrations import RegistrantReader
from geoscout.strategy import (
    LinkOutcome,
    Scored,
    Source,
    Strategy,
    StrategyAim,
    StrategyTraits,
    abilities_of,
    create_strategy,
)
from geoscout_lab.simulation.simulate import (
    NO_PARENT,
    CollaborativeTrace,
    Fetch,
    WaitingPage,
    WaitingPages,
    late_page,
)
from geoscout_lab.worlds.truth import OK, KnownWorld, World
from geoscout_places.errors import UsageError
from geoscout_places.model import Link, Page, Request
from geoscout_places.plugins import split_spec


@dataclass(frozen=True, slots=True)
class CollaborativePlan:
    """How a collaborative crawl goes."""

    budget: int  # pages that all nodes download together; redirects and dead links do not count
    depth: DepthRule = field(default_factory=DepthRule)
    strategy: Strategy | None = None  # orders the pages of each node; None: first come, first
    repeats_are_sent: bool = True  # a URL is sent again to a node that has it (G-15)
    with_labels: bool = False  # note the place of every page, for the measures of locality


_NO_PAGE = "http://seeds.invalid/"  # where seeds are found


class _Node:
    """A node: its waiting pages, how deep in its domain each is, and the pages it was sent."""

    def __init__(self, name: str, size: int, *, first_come: bool) -> None:
        self.name = name
        self.waiting = WaitingPages(size, first_come=first_come)
        self.levels: dict[int, int] = {}
        self.was_sent: set[int] = set()


def crawl_together(
    world: World, collaboration: Collaboration, terms: CollaborativePlan
) -> CollaborativeTrace:
    """Crawl until the budget is spent or no node has anything left."""
    return _Crawl(world, collaboration, terms).run()


class _Crawl:
    """One crawl."""

    def __init__(
        self, world: World, collaboration: Collaboration, terms: CollaborativePlan
    ) -> None:
        self._world = world
        self._collaboration = collaboration
        self._terms = terms
        self._traits = traits_of(collaboration)
        self._strategy = abilities_of(terms.strategy or _FirstCome())
        self._reads_links = self._strategy.traits.reads_links
        first_come = terms.strategy is None
        names = collaboration.partition.names
        self._nodes = [_Node(name, world.size, first_come=first_come) for name in names]
        self._by_name = {node.name: node for node in self._nodes}
        self._trace = CollaborativeTrace([])
        self._rescored_at = 0  # visits

    def run(self) -> CollaborativeTrace:
        self._place_seeds()
        while self._goes_on and any(len(node.waiting) for node in self._nodes):
            for node in self._nodes:
                if self._goes_on:
                    self._take_turn(node)
            self._rescore_when_due()
        return self._trace

    @property
    def _goes_on(self) -> bool:
        return len(self._trace.fetches) < self._terms.budget

    def _take_turn(self, node: _Node) -> None:
        entry = node.waiting.take()
        if entry is None:
            self._trace.idle += 1
        else:
            self._trace.visits += 1
            self._visit(node, entry)

    def _rescore_when_due(self) -> None:
        """When the strategy asks for it after any response since the last tick, of all nodes."""
        visits = range(self._rescored_at + 1, self._trace.visits + 1)
        self._rescored_at = self._trace.visits
        if most := max(map(self._strategy.due, visits), default=0):
            for node in self._nodes:
                node.waiting.rescore(most, self._rescored)

    def _rescored(self, entries: Sequence[WaitingPage]) -> Sequence[float]:
        return self._strategy.rescore([self._request(entry, "") for entry in entries])

    def _place_seeds(self) -> None:
        """Seeds are assigned like links of an empty page."""
        links = [Link.to(self._world.url(seed)) for seed in self._world.seeds]
        owners = self._collaboration.assign(Origin(Page.empty(_NO_PAGE)), links)
        for seed, names in zip(self._world.seeds, owners, strict=True):
            for name in names:
                self._put(self._by_name[name], WaitingPage(seed, SEED_PRIORITY), 0)

    def _visit(self, node: _Node, entry: WaitingPage) -> None:
        page, status = entry.page, self._world.status(entry.page)
        relevant = status == OK and self._world.is_relevant(page)
        request = self._request(entry, node.name)
        self._strategy.learn(LinkOutcome(request, status, relevant))
        if status == OK:
            self._follow(node, entry, request, relevant=relevant)
        elif 300 <= status < 400:
            for target in self._world.targets(page):
                self._redirect(node, entry._replace(page=target, parent=page), node.levels[page])

    def _redirect(self, node: _Node, entry: WaitingPage, level: int) -> None:
        """Where it leads stays at the node, unless the URL alone says whose it is."""
        names: Sequence[str] = (node.name,)
        if self._traits.goes_by_url:
            links = [Link.to(self._world.url(entry.page))]
            (names,) = self._collaboration.assign(Origin(Page.empty(links[0].url)), links)
        for name in names:
            self._put(self._by_name[name], entry, level)

    def _follow(self, node: _Node, entry: WaitingPage, request: Request, *, relevant: bool) -> None:
        page = entry.page
        targets, levels = self._allowed(page, node.levels[page])
        source = Source(request, late_page(self._world, page, request.url), relevant)
        links = self._links(page, targets)
        followed = Followed(page, entry.depth, entry.distance, relevant)
        scores = self._strategy.score(source, links)
        numbers = range(len(links))
        found = requests_from(
            followed,
            numbers,
            scores,
            lambda number, priority, features, depth, distance, parent: (
                number,
                WaitingPage(targets[number], priority, features, depth, distance, parent=parent),
            ),
        )
        origin = Origin(source.page, node.name)
        owners = self._collaboration.assign(origin, [links[number] for number, _ in found])
        sent = 0
        for (number, waiting), names in zip(found, owners, strict=True):
            sent += sum(self._hand(node, name, waiting, levels[number]) for name in names)
        label = self._label(origin) if self._terms.with_labels else 0
        self._trace.fetches.append(Fetch(node.name, page, sent, label))

    def _hand(self, node: _Node, name: str, found: WaitingPage, level: int) -> bool:
        """Give a link to a node; True when it was sent to another one."""
        receiver = self._by_name[name]
        self._put(receiver, found, level)
        if receiver is node:
            return False
        known = found.page in receiver.was_sent
        receiver.was_sent.add(found.page)
        return self._terms.repeats_are_sent or not known

    def _label(self, origin: Origin) -> int:
        return self._collaboration.label(origin) if isinstance(self._collaboration, Labeller) else 0

    def _put(self, node: _Node, entry: WaitingPage, level: int) -> None:
        if node.waiting.wants(entry.page, entry.priority):
            node.waiting.put(entry)
            node.levels[entry.page] = level

    def _allowed(self, page: int, level: int) -> tuple[list[int], list[int]]:
        """The targets the depth rule allows, with their levels."""
        world, rule = self._world, self._terms.depth
        url = world.url(page)
        found = [(t, rule.level(url, level, world.url(t))) for t in world.targets(page)]
        kept = [(int(target), at) for target, at in found if at is not None]
        return [target for target, _ in kept], [at for _, at in kept]

    def _links(self, page: int, targets: Sequence[int]) -> Sequence[Link]:
        if not (self._traits.reads_links or self._reads_links):
            return [Link.to(self._world.url(target)) for target in targets]
        made = dict(zip(self._world.targets(page), self._world.links(page), strict=True))
        return [made[target] for target in targets]

    def _request(self, entry: WaitingPage, node: str) -> Request:
        url, parent = self._world.url(entry.page), entry.parent
        return Request(
            url,
            entry.priority,
            entry.depth,
            entry.distance,
            self._world.url(parent) if parent != NO_PARENT else "",
            node=node,
            features=entry.features,
        )


class _FirstCome:
    """All links are equal, so the first to come is the first to go."""

    traits = StrategyTraits(reads_links=False)

    def score(self, source: Source, links: Sequence[Link]) -> Sequence[Scored]:  # noqa: ARG002
        return [Scored(0.0)] * len(links)


OF_WORLD = "world"


def create_for(spec: str, world: World, aim: StrategyAim) -> Strategy:
    """The strategy of a spec, which may ask for the registrations of its world."""
    name, options = split_spec(spec)
    if options.get("registrations") != OF_WORLD:
        return create_strategy(spec, aim)
    del options["registrations"]
    strategy = create_strategy(name, replace(aim, options={**aim.options, **options}))
    if not isinstance(strategy, RegistrantReader):
        raise UsageError(f"{name} has no option 'registrations'")
    records = world.registrations() if isinstance(world, KnownWorld) else ()
    strategy.add_registrations({record.domain: record for record in records})
    return strategy
