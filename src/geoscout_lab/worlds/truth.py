"""The worlds that strategies are compared on, what is true of them, and how a process opens one.

A world is a closed web whose truth is known. Pages are numbers from 0, so that a simulation keeps
arrays instead of texts, and a page is made only when a strategy wants to look at it. Every world is
a `World`. One that was made by rule also knows what no reader of its pages can be sure of, and is a
`KnownWorld`; one whose pages were read before is a `ReadWorld`, and one that has sitemaps is a
`MappedWorld`. Code that needs more than a `World` asks with `isinstance`, so a world that wraps
another must have the methods itself: attributes handed on by `__getattr__` do not count.

The truth of a world, its links as two arrays and its relevant pages, is worked out once for all
strategies that crawl it. The oracles look at every link many times; a row of the table of links
costs them nothing, where a world may have to make one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from geoscout.registrations import RegistrationRecord
from geoscout.settings import DEFAULT_RELEVANCE, Settings
from geoscout_places.gazetteer.home import open_gazetteer
from geoscout_places.model import Link, OnProgress, Page, Place, Reading

OK = 200  # the status of a page; every other response is none


class World(Protocol):
    """A web, a region in it and where to start."""

    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int:
        """How many pages there are."""

    @property
    def seeds(self) -> Sequence[int]: ...

    def url(self, page: int) -> str:
        """In normal form."""

    def status(self, page: int) -> int:
        """200 for a page, 3xx for a redirect to its only target, else an error; 0 for none."""

    def targets(self, page: int) -> Sequence[int]:
        """The pages it links to, each once, in the order of the page."""

    def links(self, page: int) -> Sequence[Link]:
        """The links to the targets, one for each, in the same order, as the parser sees them."""

    def page(self, page: int) -> Page:
        """The whole page as the parser sees it; takes about a millisecond."""

    def is_relevant(self, page: int) -> bool:
        """Whether it is about the region."""

    def entities(self, page: int) -> Sequence[str]:
        """The addresses of the region in it, in a normal form; the same text is the same entity."""

    def host(self, page: int) -> int:
        """The number of its host."""


class KnownAddress(NamedTuple):
    """An address that a page of a `KnownWorld` shows."""

    normal_form: str  # the same text is the same address
    city: Place


@runtime_checkable
class KnownWorld(World, Protocol):
    """A world that was made by rule, so that the whole truth about it is known."""

    def place(self, page: int) -> Place | None:
        """The city a page is about."""

    def addresses(self, page: int) -> Sequence[KnownAddress]:
        """Every address in it, of the region or not."""

    def server(self, host: int) -> Place | None:
        """The location of a host's server in tables; None if they do not have it."""

    def registrations(self) -> Iterable[RegistrationRecord]:
        """The registrant of each domain, as registries have it, with their errors."""

    def from_seeds(self, seeds: Sequence[int]) -> Self:
        """The same world, crawled from other seeds."""


@runtime_checkable
class GradedWorld(World, Protocol):
    """A world whose pages are judged by degree, such as archives."""

    def degree(self, page: int) -> float:
        """How much the page is about the region, from 0 to 1."""


@runtime_checkable
class ReadWorld(World, Protocol):
    """A world whose pages have been read by the geoparser, such as archives."""

    def reading(self, page: int) -> Reading:
        """What the geoparser found in it."""

    def fingerprint(self, page: int) -> int:
        """The fingerprint of its text, as `parse.likeness` has it; 0 for none."""


@runtime_checkable
class MappedWorld(World, Protocol):
    """A world that has sitemaps; they are pages that are not relevant."""

    def is_sitemap(self, page: int) -> bool: ...

    def sitemaps(self, page: int) -> Sequence[int]:
        """The sitemaps a crawl asks for because of a page, or of a sitemap that lists them."""


UNREACHABLE = -1


@dataclass(frozen=True, slots=True)
class Graph:
    """Who links to whom: the targets of page n are `targets[starts[n]:starts[n + 1]]`."""

    starts: NDArray[np.int64]
    targets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def of(self, page: int) -> NDArray[np.int64]:
        return self.targets[self.starts[page] : self.starts[page + 1]]

    def rows(self) -> list[list[int]]:
        """The targets of every page as plain lists, which loops read faster than arrays."""
        flat, starts = self.targets.tolist(), self.starts.tolist()
        return [flat[starts[n] : starts[n + 1]] for n in range(len(self))]

    def depths(self, seeds: Sequence[int]) -> NDArray[np.int64]:
        """How many links each page is from a seed; `UNREACHABLE` for those no path leads to."""
        depths = np.full(len(self), UNREACHABLE, np.int64)
        level = np.unique(np.asarray(seeds, np.int64))
        depth = 0
        while len(level):
            depths[level] = depth
            found = np.unique(self._out_of(level))
            level = found[depths[found] == UNREACHABLE]
            depth += 1
        return depths

    def _out_of(self, pages: NDArray[np.int64]) -> NDArray[np.int64]:
        """The targets of several pages, with repeats."""
        counts = self.starts[pages + 1] - self.starts[pages]
        ends = np.cumsum(counts)
        offsets = np.arange(ends[-1]) - np.repeat(ends - counts, counts)
        found: NDArray[np.int64] = self.targets[np.repeat(self.starts[pages], counts) + offsets]
        return found


def graph_of(world: World) -> Graph:
    """The links of every page of a world; a dead page has none."""
    counts = np.zeros(world.size + 1, np.int64)
    rows: list[Sequence[int]] = []
    for page in range(world.size):
        row = _leads_to(world, page) if 200 <= world.status(page) < 400 else ()
        counts[page + 1] = len(row)
        rows.append(row)
    flat = [np.asarray(row, np.int64) for row in rows if len(row)]
    return Graph(np.cumsum(counts), np.concatenate(flat) if flat else np.zeros(0, np.int64))


def _leads_to(world: World, page: int) -> Sequence[int]:
    """The pages it links to, and the sitemaps that are asked for because of it."""
    targets = world.targets(page)
    sitemaps = world.sitemaps(page) if isinstance(world, MappedWorld) else ()
    return [*targets, *(set(sitemaps) - set(targets))] if sitemaps else targets


def relevance_of(world: World) -> NDArray[np.bool_]:
    """Which pages are relevant; one that does not answer with a page is not."""
    return np.array(
        [world.status(page) == 200 and world.is_relevant(page) for page in range(world.size)],
        dtype=np.bool_,
    )


@dataclass(frozen=True, slots=True)
class Truth:
    """A world as its oracle sees it."""

    graph: Graph
    relevant: NDArray[np.bool_]
    seeds: Sequence[int]

    def reachable_targets(self) -> NDArray[np.int64]:
        """The relevant pages some path leads to."""
        reached = self.graph.depths(self.seeds) != UNREACHABLE
        return np.flatnonzero(reached & self.relevant)


@dataclass(frozen=True, slots=True)
class WorldFacts:
    """A world's truth, and how much of it can be reached."""

    world: World
    truth: Truth
    reachable: int  # pages, dead ones and redirects included
    targets: NDArray[np.int64]  # relevant pages that can be reached
    hosts: int  # with a relevant page that can be reached
    entities: int  # distinct, in those pages

    def degrees_of(self, pages: NDArray[np.int64]) -> NDArray[np.float64]:
        """How much each of these pages is about the region; 0 or 1 where the world has no more."""
        if not isinstance(self.world, GradedWorld):
            return self.truth.relevant[pages].astype(np.float64)
        is_page = [self.world.status(page) == 200 for page in pages.tolist()]
        degrees = [self.world.degree(page) for page in pages.tolist()]
        return np.where(is_page, degrees, 0.0)

    def entities_of(self, pages: Sequence[int]) -> list[frozenset[str]]:
        """The addresses in each of these pages."""
        return [frozenset(self.world.entities(page)) for page in pages]


def facts_of(world: World) -> WorldFacts:
    """Look at all of a world."""
    truth = Truth(graph_of(world), relevance_of(world), world.seeds)
    depths = truth.graph.depths(world.seeds)
    targets = np.flatnonzero((depths != UNREACHABLE) & truth.relevant)
    entities = {entity for page in targets.tolist() for entity in world.entities(page)}
    return WorldFacts(
        world,
        truth,
        int(np.count_nonzero(depths != UNREACHABLE)),
        targets,
        len({world.host(page) for page in targets.tolist()}),
        entities=len(entities),
    )


@dataclass(frozen=True, slots=True)
class OpenUnit:
    """A web that is ready to be crawled."""

    world: World
    region: tuple[str, ...]  # as a user would write it; empty where any place is relevant


@dataclass(frozen=True, slots=True)
class SyntheticUnit:
    profile: str
    pages: int
    random_seed: int

    @property
    def web(self) -> str:
        """Its name in tables."""
        return f"{self.profile}-{self.random_seed}"

    def prepared(self, settings: Settings, progress: OnProgress) -> SyntheticUnit:  # noqa: ARG002
        """Itself: making a web costs less than keeping it."""
        return self

    def open(self, settings: Settings) -> OpenUnit:
        """Make the web; takes seconds for hundreds of thousands of pages."""
        from geoscout_lab.worlds.synthetic import WebPlan, make_web  # noqa: PLC0415 - only where one is wanted
        from geoscout_places.parse import parse_html  # noqa: PLC0415

        plan = WebPlan(self.profile, self.random_seed, self.pages)
        web = make_web(plan, open_gazetteer(settings), parse_html)
        return OpenUnit(web, tuple(filter(None, web.region.split("; "))))


@dataclass(frozen=True, slots=True)
class ArchiveUnit:
    """Archives, a region in them, and where to start."""

    files: tuple[str, ...]
    seeds: tuple[str, ...]  # URLs in normal form
    region: tuple[str, ...]
    relevance: str = DEFAULT_RELEVANCE  # a `RelevanceRule` of the geoparser
    truth: str = ""  # a file that says which pages are relevant, instead of the geoparser
    pages: str = ""  # the name of the file its archives were read into; "" before `prepared`

    @property
    def web(self) -> str:
        """Its name in tables: that of its files."""
        names = [Path(file).name.partition(".")[0] for file in self.files]
        return "+".join(dict.fromkeys(name.rstrip("-0123456789") or name for name in names))

    def prepared(self, settings: Settings, progress: OnProgress) -> ArchiveUnit:
        """The unit with its archives read, in all processes, unless that was done before.

        From then on it means these very readings, whatever becomes of the code meanwhile.
        """
        from geoscout_lab.worlds.archive_pages import read_archives  # noqa: PLC0415 - slow to import

        kept = read_archives([Path(file) for file in self.files], settings, progress)
        return replace(self, pages=kept.name)

    def open(self, settings: Settings) -> OpenUnit:
        """Judge the pages of the archives by the region."""
        from geoscout_lab.worlds.archive import Judging, world_of  # noqa: PLC0415 - slow to import
        from geoscout_lab.worlds.archive_pages import pages_folder  # noqa: PLC0415

        judging = Judging(self.region, self.relevance, self.truth)
        files = [Path(file) for file in self.files]
        kept = pages_folder(settings) / self.pages
        return OpenUnit(world_of(kept, files, self.seeds, judging, settings), self.region)


Unit = SyntheticUnit | ArchiveUnit


def label(region: Sequence[str]) -> str:
    """A region in tables."""
    return "; ".join(region) or "any place"
