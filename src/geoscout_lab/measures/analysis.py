"""What one crawl did, seen from its visits: harvest, bridges, tails, distances from the seeds.

The analyses and definitions of Ahlers and Boll 2009, for a crawl at rest or a running one. The tree
of a crawl has an edge from each visit to the last visit of the page its link stood on. A bridge is
a stretch of pages that are not relevant between two that are; a tail is one behind the last.

The geospatial graph is what they wanted to know next: how far apart are the places of two pages
that are one, two or three links apart, where do the links to relevant pages come from, and how
often does a host repeat an address?
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from geoscout.store.base import StoredReading, StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout_lab.measures.harvest import found_curve, harvest_curve, share_of
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.geo.address import entity_form, is_entity
from geoscout_places.model import Point
from geoscout_places.urls import host_of

NONE_ABOVE = -1  # no page on the way from the seed was relevant
SEED = -1  # the parent of a seed


def gaps(parents: Sequence[int], relevant: Sequence[bool]) -> list[int]:
    """For each visit the pages since the last relevant one on its path, itself included.

    `parents` are numbers of visits, smaller than the visit's own, or `SEED`. `NONE_ABOVE` where
    there was no relevant page.

    >>> gaps([-1, 0, 1, 2, 3, 4], [True, False, False, True, True, False])
    [0, 1, 2, 0, 0, 1]
    """
    found: list[int] = []
    for parent, is_relevant in zip(parents, relevant, strict=True):
        above = NONE_ABOVE if parent == SEED else found[parent]
        found.append(0 if is_relevant else above if above == NONE_ABOVE else above + 1)
    return found


def bridge_distances(parents: Sequence[int], relevant: Sequence[bool]) -> list[int]:
    """For each relevant page with a relevant one above it, how many others lie between them.

    >>> bridge_distances([-1, 0, 1, 2, 3, 4], [True, False, False, True, True, False])
    [2, 0]
    """
    above = gaps(parents, relevant)
    return [
        above[parent]
        for parent, is_relevant in zip(parents, relevant, strict=True)
        if is_relevant and parent != SEED and above[parent] != NONE_ABOVE
    ]


def tails(parents: Sequence[int], relevant: Sequence[bool]) -> list[int]:
    """For each leaf below a relevant page, the pages since that one; 0 for a relevant leaf.

    >>> tails([-1, 0, 1, 2, 3, 4], [True, False, False, True, True, False])
    [1]
    """
    inner = set(parents)
    since = gaps(parents, relevant)
    return [gap for n, gap in enumerate(since) if n not in inner and gap != NONE_ABOVE]


def seed_distances(depths: Sequence[int], relevant: Sequence[bool]) -> list[int]:
    """How many links each relevant page is from its seed."""
    return [depth for depth, is_relevant in zip(depths, relevant, strict=True) if is_relevant]


def share_behind_bridges(parents: Sequence[int], relevant: Sequence[bool]) -> float:
    """The share of relevant pages that were reached over at least one other page; 0 for none."""
    distances = bridge_distances(parents, relevant)
    return sum(distance > 0 for distance in distances) / len(distances) if distances else 0.0


POINTS = 60  # of a curve that is kept
_BARS = "▁▂▃▄▅▆▇█"
_MOST_STEPS = 10  # a histogram ends here; the last entry counts all that is larger


@dataclass(frozen=True, slots=True)
class Analysis:
    """The figures of a crawl. A histogram says how many there are of 0, 1, 2 … links."""

    visits: int
    relevant: int
    curve: tuple[tuple[int, float], ...]  # visits and the harvest after them
    bridges: tuple[int, ...]
    behind_bridges: float  # share of relevant pages reached over others
    tails: tuple[int, ...]
    seed_distances: tuple[int, ...]


def analyse(visits: Iterable[StoredVisit]) -> Analysis:
    parents: list[int] = []
    relevant: list[bool] = []
    depths: list[int] = []
    numbers: dict[str, int] = {}
    for n, visit in enumerate(visits):
        parents.append(numbers.get(visit.parent, SEED) if visit.parent else SEED)
        relevant.append(visit.relevant)
        depths.append(visit.depth)
        numbers[visit.url] = n
    return Analysis(
        len(parents),
        sum(relevant),
        _curve(relevant),
        _histogram(bridge_distances(parents, relevant)),
        share_behind_bridges(parents, relevant),
        tails=_histogram(tails(parents, relevant)),
        seed_distances=_histogram(seed_distances(depths, relevant)),
    )


def _curve(relevant: Sequence[bool]) -> tuple[tuple[int, float], ...]:
    if not relevant:
        return ()
    harvest = harvest_curve(found_curve(np.array(relevant), len(relevant)))
    ends = np.unique(np.linspace(1, len(harvest), min(POINTS, len(harvest))).round().astype(int))
    return tuple((int(end), float(harvest[end - 1])) for end in ends)


def _histogram(values: Sequence[int]) -> tuple[int, ...]:
    if not values:
        return ()
    counts = Counter(min(value, _MOST_STEPS) for value in values)
    return tuple(counts[step] for step in range(max(counts) + 1))


def sparkline(curve: Sequence[tuple[int, float]]) -> str:
    """A curve as a line of small bars, the highest of them full.

    >>> sparkline([(1, 0.0), (2, 0.5), (3, 1.0)])
    '▁▅█'
    """
    top = max((value for _, value in curve), default=0.0) or 1.0
    return "".join(_BARS[round(value / top * (len(_BARS) - 1))] for _, value in curve)


def histogram_rows(counts: Sequence[int], width: int = 40) -> list[tuple[str, str, str]]:
    """Links, how many there are, and a bar, for a table."""
    top = max(counts, default=0) or 1
    return [
        (
            f"{step}+" if step == _MOST_STEPS else str(step),
            f"{count:,}",
            "█" * round(count / top * width),
        )
        for step, count in enumerate(counts)
    ]


def draw(analysis: Analysis, file: Path) -> None:
    """The same as a picture: the harvest curve and three histograms."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to import, and only for pictures

    figure = Figure(figsize=(11, 7), layout="constrained")
    axes = figure.subplots(2, 2)
    harvest = axes[0][0]
    harvest.plot([visits for visits, _ in analysis.curve], [value for _, value in analysis.curve])
    harvest.set(title="Harvest", xlabel="visits", ylabel="relevant / visits", ylim=(0, None))
    panels = (
        (axes[0][1], "Bridges", "pages between two relevant ones", analysis.bridges),
        (axes[1][0], "Tails", "pages after the last relevant one", analysis.tails),
        (axes[1][1], "Distances of relevant pages", "links from a seed", analysis.seed_distances),
    )
    for panel, title, label, counts in panels:
        panel.bar(range(len(counts)), counts)
        panel.set(title=title, xlabel=label)
        panel.set_xticks(range(len(counts)))
    figure.savefig(file, dpi=120)


STEPS = 3
_STARTS = 300  # pages that distances are measured from
_AROUND = 200  # pages at most that a page is compared with, at each number of links

_READ_AT_ONCE = 1000  # pages of a crawl on disk

Targets = Mapping[int, Sequence[int]]  # of each page, among the pages of the crawl


def graph_of(
    targets: Targets,
    points: Mapping[int, Point],
    relevant: Collection[int],
    named: Iterable[tuple[Hashable, Sequence[str]]],
) -> dict[str, Any]:
    """The figures of a graph; `named` are the hosts of the relevant pages and their addresses."""
    return {
        "kilometres": kilometres_by_links(targets, points, random.Random(0)),
        "from_relevant": links_from_relevant(targets, relevant.__contains__),
        "repetition": repetition(named),
    }


def graph_of_crawl(store: CrawlReader) -> dict[str, Any]:
    """The same of a crawl on disk, by what the geoparser read."""
    pages = {page.n: page for page in store.pages()}
    numbers = {page.url: n for n, page in pages.items()}
    targets: dict[int, list[int]] = {n: [] for n in pages}
    for found in store.links():
        end = numbers.get(found.link.url)
        if end is not None and found.n in targets:
            targets[found.n].append(end)
    points, named = {}, []
    for n, reading in _readings(store, pages):
        if reading.places and reading.places[0].is_main:
            points[n] = reading.places[0].place.point
        if pages[n].relevant:
            known = [a for a in reading.addresses if is_entity(a.address)]
            forms = [entity_form(a.address, a.place_id) for a in known]
            named.append((host_of(pages[n].url), forms))
    unique = {n: list(dict.fromkeys(ends)) for n, ends in targets.items()}
    return graph_of(unique, points, {n for n, page in pages.items() if page.relevant}, named)


def _readings(store: CrawlReader, pages: Iterable[int]) -> Iterator[tuple[int, StoredReading]]:
    numbers = iter(pages)
    while piece := list(islice(numbers, _READ_AT_ONCE)):
        yield from store.readings_of(piece).items()


def kilometres_by_links(
    targets: Targets, points: Mapping[int, Point], chance: random.Random
) -> list[float | None]:
    """The median distance of the places of pages 1, 2, 3 links apart; the last: of any two.

    Pages without a place are led through and not compared.
    """
    apart: list[list[float]] = [[] for _ in range(STEPS)]
    starts = sorted(points)
    for page in chance.sample(starts, min(_STARTS, len(starts))):
        seen, ring = {page}, [page]
        for found in apart:
            ring = _next_ring(targets, ring, seen, chance)
            found += [distance_km(points[page], points[one]) for one in ring if one in points]
    pairs = (chance.sample(starts, 2) for _ in range(_STARTS * 10 if len(starts) > 1 else 0))
    by_chance = [distance_km(points[one], points[other]) for one, other in pairs]
    return [median(found) if found else None for found in (*apart, by_chance)]


def _next_ring(
    targets: Targets, ring: Sequence[int], seen: set[int], chance: random.Random
) -> list[int]:
    """The pages one link further that were not met before."""
    found = dict.fromkeys(end for page in ring for end in targets.get(page, ()) if end not in seen)
    seen.update(found)
    return chance.sample(list(found), min(_AROUND, len(found)))


def links_from_relevant(targets: Targets, is_relevant: Callable[[int], bool]) -> dict[str, float]:
    """The share of links that come from a relevant page: of those to relevant pages, and of all."""
    counts = {(a, b): 0 for a in (False, True) for b in (False, True)}
    for page, ends in targets.items():
        here = is_relevant(page)
        for end in ends:
            counts[here, is_relevant(end)] += 1
    to_relevant = counts[True, True] + counts[False, True]
    every = to_relevant + counts[True, False] + counts[False, False]
    from_relevant = counts[True, True] + counts[True, False]
    return {
        "to_relevant": share_of(counts[True, True], to_relevant),
        "to_any": share_of(from_relevant, every),
    }


def repetition(entities: Iterable[tuple[Hashable, Sequence[str]]]) -> float:
    """How many pages of a host have an address that one of them has, in the mean over addresses.

    >>> repetition([("a", ["x"]), ("a", ["x", "y"]), ("b", ["x"])])
    1.3333333333333333
    """
    counts: dict[tuple[Hashable, str], int] = defaultdict(int)
    for host, named in entities:
        for entity in set(named):
            counts[host, entity] += 1
    return share_of(sum(counts.values()), len(counts))
