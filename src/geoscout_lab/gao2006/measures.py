"""The measures of Gao, Lee and Miao 2006 for crawls by several nodes.

A download is a fetch by one node; the same page fetched by two nodes is two downloads. Where the
paper leaves a reading open, the name in brackets is its row in the table of readings in
docs/results/fidelity.md.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from geoscout_lab.measures.harvest import share_of

Page = TypeVar("Page", bound=Hashable)
PAIRS = 1_000_000  # drawn for the chance that two pages without a link are about one city (G-17)


@dataclass(frozen=True, slots=True)
class GeoEntity:
    """An address in a normal form, and the target city it lies in."""

    text: str
    city: str


@dataclass(frozen=True, slots=True)
class Download:
    """One fetch by one node."""

    node: str
    page: str  # URL in normal form
    domain: str  # registrable (G-14)
    entities: tuple[GeoEntity, ...] = ()  # those of target cities only
    sent: int = 0  # links of it that went to another node, each once (G-15)


def geo_coverage(downloads: Sequence[Download]) -> float:
    """The share of downloads with an entity of a target city; weighted by pages (G-10)."""
    return share_of(sum(bool(d.entities) for d in downloads), len(downloads))


def geo_focus(downloads: Iterable[Download], owner: Mapping[str, str]) -> float:
    """Of one node's downloads with an entity, the share with one of its own cities (G-11).

    `owner`: the node of each target city.
    """
    with_entity = [d for d in downloads if d.entities]
    own = [d for d in with_entity if any(owner.get(e.city) == d.node for e in d.entities)]
    return share_of(len(own), len(with_entity))


def mean_over_nodes(
    downloads: Sequence[Download],
    measure: Callable[[Sequence[Download]], float],
    nodes: Sequence[str],
) -> float:
    """A measure of each node, averaged plainly, as table 4 does; a node without pages counts 0."""
    parts = by_node(downloads)
    return sum(measure(parts.get(node, [])) for node in nodes) / len(nodes) if nodes else 0.0


def by_node(downloads: Iterable[Download]) -> dict[str, list[Download]]:
    """The downloads of each node."""
    parts: dict[str, list[Download]] = defaultdict(list)
    for download in downloads:
        parts[download.node].append(download)
    return dict(parts)


def unique_entities(downloads: Iterable[Download]) -> float:
    """Distinct entities over their occurrences; over all downloads it is the pooled one (G-16)."""
    counts = Counter(entity for d in downloads for entity in d.entities)
    return share_of(len(counts), counts.total())


def geo_centrality(
    links: Mapping[Page, Sequence[Page]], geo: Iterable[Page], *, reach: int = 2, base: int = 10
) -> float:
    """The mean over pages of what geographic pages lie around them, nearer ones weighing more.

    A geographic page `d` links away adds `base ** -d`, up to `reach` links (G-12), along links
    between downloaded pages (G-13); the page itself is 0 away. `links` has every page as a key.

    >>> star = {"a": ["b", "c", "d"], "b": ["e", "f"], "c": ["g", "h"]}
    >>> star |= {page: [] for page in "defgh"}
    >>> round(page_centrality("a", star, frozenset("abcdefgh"), reach=2, base=10), 2)
    1.34
    """
    marked = frozenset(geo)
    near = _near_geo(links, marked, reach)
    total = sum(page_centrality(page, links, marked, reach=reach, base=base) for page in near)
    return total / len(links) if links else 0.0


def page_centrality(
    page: Page, links: Mapping[Page, Sequence[Page]], geo: frozenset[Page], *, reach: int, base: int
) -> float:
    """What geographic pages lie around one page."""
    seen, level, total = {page}, [page], 0.0
    for distance in range(reach + 1):
        total += sum(near in geo for near in level) * float(base) ** -distance
        if distance == reach:
            break
        following = dict.fromkeys(
            target for near in level for target in links.get(near, ()) if target not in seen
        )
        seen.update(following)
        level = list(following)
    return total


def _near_geo(
    links: Mapping[Page, Sequence[Page]], geo: frozenset[Page], reach: int
) -> Iterable[Page]:
    """The pages with a geographic one in reach; all others have centrality 0."""
    sources: dict[Page, list[Page]] = defaultdict(list)
    for page, targets in links.items():
        for target in targets:
            sources[target].append(page)
    near = set(geo & links.keys())
    level = list(near)
    for _ in range(reach):
        level = list({source for page in level for source in sources.get(page, ())} - near)
        near.update(level)
    return [page for page in links if page in near]


def overlap(downloads: Sequence[Download]) -> float:
    """The share of downloads that repeat a page another node has downloaded."""
    return share_of(len(downloads) - len({d.page for d in downloads}), len(downloads))


def diversity(downloads: Sequence[Download]) -> float:
    """Distinct domains over downloads."""
    return share_of(len({d.domain for d in downloads}), len(downloads))


def communication(downloads: Sequence[Download]) -> float:
    """URLs sent between nodes for each download."""
    return share_of(sum(d.sent for d in downloads), len(downloads))


@dataclass(frozen=True, slots=True)
class Locality:
    """How likely two pages are about the same city."""

    linked: float
    unlinked: float

    @property
    def lift(self) -> float:
        """How much likelier a link makes it; infinite when it never happens without one."""
        return self.linked / self.unlinked if self.unlinked else float("inf")


def locality(
    cities: Mapping[Page, str],
    links: Mapping[Page, Sequence[Page]],
    chance: random.Random,
    *,
    pairs: int = PAIRS,
) -> Locality:
    """The chance that two pages are about one city, with a link between them and without.

    `cities` has every page, with "" for one about none: it is never about the same (G-17). Pairs
    are ordered and of two pages; those without a link are drawn by chance.
    """
    same = total = 0
    for page, targets in links.items():
        for target in set(targets) - {page}:
            if target in cities and page in cities:
                total += 1
                same += cities[page] == cities[target] != ""
    return Locality(share_of(same, total), _unlinked(cities, links, chance, pairs))


def _unlinked(
    cities: Mapping[Page, str],
    links: Mapping[Page, Sequence[Page]],
    chance: random.Random,
    pairs: int,
) -> float:
    pages = list(cities)
    targets = {page: frozenset(found) for page, found in links.items()}
    none: frozenset[Page] = frozenset()
    same = total = 0
    for _ in range(pairs if len(pages) > 1 else 0):
        first, second = chance.choice(pages), chance.choice(pages)
        if first != second and second not in targets.get(first, none):
            total += 1
            same += cities[first] == cities[second] != ""
    return share_of(same, total)


def policy_a_cost(download: float, send: float, links: int) -> float:
    """The most a page and its links cost when each link goes to one node (lemma 2)."""
    return download + links * (send + download)


def policy_b_cost(download: float, links: int, nodes: int) -> float:
    """The least they cost when page and links go to this number of nodes (lemma 2)."""
    return nodes * download + links * nodes * download
