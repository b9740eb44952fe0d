"""What Gao, Lee and Miao 2006 measured of a whole crawl, and when it counts as reproduced.

`measures.py` has the formulas; here they are put together under the names that results and tables
use, for a crawl that was simulated or lies on disk. Of one on disk, finished or not, nothing is
read again but the facts: what a page is about is what the geoparser found when it was fetched, and
the crawl itself counts how many URLs went from node to node.

Absolute percentages belong to the web of 2005, so the checks are orders and ratios, each a
sentence. The tables say whether it holds for the means over all webs, and on how many webs it holds
by itself. A ratio is that of two means: a mean of ratios would hang on the web where the divisor
happens to be small.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import fmean
from typing import Any

from geoscout.collaborate import Partition
from geoscout.crawling.nodes import city_of
from geoscout.store.base import StoredVisit, Topic
from geoscout.store.reader import CrawlReader
from geoscout_lab.experiments import Cell, Run, Table
from geoscout_lab.gao2006 import measures
from geoscout_lab.gao2006.measures import Download, GeoEntity
from geoscout_lab.measures.harvest import share_of
from geoscout_lab.simulation.simulate import CollaborativeTrace
from geoscout_lab.worlds.truth import World
from geoscout_places.geo.address import entity_form, is_entity
from geoscout_places.model import Address
from geoscout_places.urls import host_of, registrable_domain

ByName = Mapping[str, Run]  # the runs of one web, or their means, by assignment
Check = Callable[[ByName], bool | None]  # None where what it needs was not run
# A small crawl leaves a node of two cities without any entity, and its focus is then undefined.
_FOCUS = "geo_focus_where_measured"


def falls(key: str, *names: str) -> Check:
    """A check that a figure falls from each of these assignments to the next."""

    def check(runs: ByName) -> bool | None:
        if any(name not in runs for name in names):
            return None
        values = [runs[name][key] for name in names]
        return all(more > less for more, less in pairwise(values))

    return check


def between(key: str, over: str, low: float, high: float) -> Check:
    """A check of the ratio of the URL assignment to another one."""

    def check(runs: ByName) -> bool | None:
        one, other = runs.get("url"), runs.get(over)
        if one is None or other is None:
            return None
        return bool(other[key]) and low <= one[key] / other[key] <= high

    return check


def _lift_above(name: str, least: float) -> Check:
    def check(runs: ByName) -> bool | None:
        run = runs.get(name)
        if run is None or "locality_unlinked" not in run:
            return None
        unlinked: float = run["locality_unlinked"]
        return bool(run["locality_linked"] > least * unlinked)

    return check


def _no_overlap(runs: ByName) -> bool | None:
    found = [runs[name]["overlap"] for name in ("hash", "url") if name in runs]
    return not any(found) if len(found) == 2 else None


def _repeats_where_covered(runs: ByName) -> bool | None:
    """Hash finds the fewest repeated entities, and covers least."""
    others = [run["unique_entities"] for name, run in runs.items() if name in ("url", "anchor")]
    if "hash" not in runs or not others:
        return None
    return bool(runs["hash"]["unique_entities"] > max(others))


def _in_order(title: str, key: str, *names: str) -> tuple[tuple[str, Check], ...]:
    """A check for each neighbour in an order that falls."""
    return tuple((f"{title}: {a} > {b}", falls(key, a, b)) for a, b in pairwise(names))


CHECKS: tuple[tuple[str, Check], ...] = (
    ("coverage: url > content", falls("geo_coverage", "url", "content")),
    ("coverage: anchor > content", falls("geo_coverage", "anchor", "content")),
    *_in_order("coverage", "geo_coverage", "content", "ip", "classifier", "hash"),
    ("coverage: url / hash between 4 and 12", between("geo_coverage", "hash", 4, 12)),
    *_in_order("focus", _FOCUS, "url", "anchor", "content", "ip", "classifier"),
    ("overlap: hash and url have none", _no_overlap),
    ("overlap: anchor has some", falls("overlap", "anchor", "hash")),
    ("overlap: content > anchor", falls("overlap", "content", "anchor")),
    ("overlap: classifier > content", falls("overlap", "classifier", "content")),
    ("communication: hash > ip", falls("communication", "hash", "ip")),
    ("communication: url > hash", falls("communication", "url", "hash")),
    ("communication: content > url", falls("communication", "content", "url")),
    ("communication: classifier > content", falls("communication", "classifier", "content")),
    ("communication: anchor > classifier", falls("communication", "anchor", "classifier")),
    ("unique entities: hash has the most", _repeats_where_covered),
    ("locality: url more than 10 times", _lift_above("url", 10)),
    ("locality: content more than 10 times", _lift_above("content", 10)),
)
# Of tables 6 and 8, counted apart: the order as printed, each assignment against the next.
FURTHER_CHECKS: tuple[tuple[str, Check], ...] = (
    *_in_order(
        "centrality", "geo_centrality", "url", "anchor", "content", "ip", "classifier", "hash"
    ),
    *_in_order("diversity", "diversity", "ip", "hash", "content", "anchor", "classifier", "url"),
)


def checks_tables(runs: Sequence[Run]) -> list[Table]:
    """Whether the orderings of the paper come out, for the means and web by web."""
    webs: dict[str, dict[str, Run]] = {}
    for run in runs:
        webs.setdefault(f"{run['web']} {run['random_seed']}", {})[run["collaboration"]] = run
    told = list(webs.values())
    return [
        _table("Orderings of the paper", CHECKS, told),
        _table("Orderings of tables 6 and 8", FURTHER_CHECKS, told),
    ]


def _table(title: str, checks: Sequence[tuple[str, Check]], webs: Sequence[ByName]) -> Table:
    means = means_of(webs)
    rows: list[tuple[Cell, ...]] = []
    for sentence, check in checks:
        on_means = check(means)
        held = [held for by_name in webs if (held := check(by_name)) is not None]
        if on_means is not None:
            rows.append((sentence, "yes" if on_means else "no", sum(held), len(held)))
    note = f"{sum(row[1] == 'yes' for row in rows)} of {len(rows)} hold for the means over webs."
    columns = ("", "for the means", "webs it holds on", "of")
    return Table(title, columns, tuple(rows), note)


def means_of(webs: Sequence[ByName]) -> dict[str, dict[str, float]]:
    """The mean over webs of every figure that is a number, by assignment."""
    names = dict.fromkeys(name for by_name in webs for name in by_name)
    means = {}
    for name in names:
        runs = [by_name[name] for by_name in webs if name in by_name]
        keys = [key for key, value in runs[0].items() if isinstance(value, float | int)]
        means[name] = {key: fmean(run[key] for run in runs) for key in keys}
    return means


_DRAWS_OF_A_PAIR = 20

EntitiesOf = Callable[[int], Sequence[GeoEntity]]  # of a page by its number


def entity_of(address: Address, partition: Partition) -> GeoEntity | None:
    """An address as an entity; None when it lies in no owned place, or is less than one."""
    if address.place is None or not partition.owner(address.place.id) or not is_entity(address):
        return None
    return GeoEntity(entity_form(address), _city(partition, address.place.id))


@dataclass(frozen=True)
class CollaborativeFigures:
    """What is measured of a crawl: its downloads, who owns what, and the links between pages."""

    downloads: Sequence[Download]
    partition: Partition
    links: Mapping[str, Sequence[str]]  # of every downloaded page to downloaded pages
    labels: Mapping[str, str]  # the place of each page by the assignment; empty where not noted

    def as_run(self) -> dict[str, Any]:
        """Every figure, by the name it has in `results.json`."""
        general = set(self.partition.general)
        geographic = [d for d in self.downloads if d.node not in general]
        return {
            "downloads": len(self.downloads),
            "geo_coverage": measures.geo_coverage(self.downloads),
            "geo_coverage_without_general": measures.geo_coverage(geographic),
            "geo_coverage_of_distinct": measures.geo_coverage(self._distinct()),
            "geo_coverage_by_node": self._by_node(measures.geo_coverage),
            "geo_focus": self._mean_focus(),
            "geo_focus_by_node": self._by_node(self._focus),
            "geo_focus_where_measured": self._mean_focus_where_measured(),
            "unique_entities": measures.unique_entities(self.downloads),
            "unique_entities_by_node": self._by_node(measures.unique_entities),
            "geo_centrality": self._centrality(2),
            "geo_centrality_next": self._centrality(1),
            "overlap": measures.overlap(self.downloads),
            "diversity": measures.diversity(self.downloads),
            "communication": measures.communication(self.downloads),
            "pages_by_node": {node: len(part) for node, part in self._parts.items()},
            **self._locality(),
        }

    def _distinct(self) -> list[Download]:
        """Every page once, even if several nodes fetched it."""
        return list({download.page: download for download in self.downloads}.values())

    @cached_property
    def _parts(self) -> dict[str, list[Download]]:
        parts = measures.by_node(self.downloads)
        return {node: parts.get(node, []) for node in self.partition.names}

    def _by_node(self, measure: Callable[[Sequence[Download]], float]) -> dict[str, float]:
        return {node: measure(part) for node, part in self._parts.items()}

    @cached_property
    def _owners(self) -> dict[str, str]:
        cities = {entity.city for d in self.downloads for entity in d.entities}
        return {city: self.partition.owner(int(city)) or "" for city in cities}

    def _focus(self, downloads: Sequence[Download]) -> float:
        return measures.geo_focus(downloads, self._owners)

    def _mean_focus(self) -> float:
        nodes = [node for node in self.partition.names if node not in self.partition.general]
        return measures.mean_over_nodes(self.downloads, self._focus, nodes)

    def _mean_focus_where_measured(self) -> float:
        """The mean over the nodes that have a page with an entity: of the others it is 0 / 0."""
        measured = [
            self._focus(part)
            for node, part in self._parts.items()
            if node not in self.partition.general and any(d.entities for d in part)
        ]
        return sum(measured) / len(measured) if measured else 0.0

    def _centrality(self, reach: int) -> float:
        geo = {d.page for d in self.downloads if d.entities}
        return measures.geo_centrality(self.links, geo, reach=reach)

    def _locality(self) -> dict[str, float]:
        if not self.labels:
            return {}
        # Of a small crawl all pairs are drawn many times over long before a million.
        pairs = min(measures.PAIRS, _DRAWS_OF_A_PAIR * len(self.labels) ** 2)
        found = measures.locality(self.labels, self.links, random.Random(0), pairs=pairs)
        return {"locality_linked": found.linked, "locality_unlinked": found.unlinked}


def figures_of(
    world: World, trace: CollaborativeTrace, partition: Partition, entities_of: EntitiesOf
) -> dict[str, Any]:
    """The figures of a simulated crawl."""
    pages = sorted({fetch.page for fetch in trace.fetches})
    urls = {page: world.url(page) for page in pages}
    entities = {page: tuple(entities_of(page)) for page in pages}
    downloads = [
        Download(
            fetch.node,
            urls[fetch.page],
            registrable_domain(host_of(urls[fetch.page])),
            entities[fetch.page],
            fetch.sent,
        )
        for fetch in trace.fetches
    ]
    links = {urls[p]: [urls[t] for t in world.targets(p) if int(t) in urls] for p in pages}
    labels = {urls[f.page]: str(f.label or "") for f in trace.fetches}
    crawl = CollaborativeFigures(
        downloads, partition, links, labels if any(labels.values()) else {}
    )
    return {**crawl.as_run(), "visits": trace.visits, "idle_ticks": trace.idle}


def figures_of_crawl(store: CrawlReader, partition: Partition) -> dict[str, Any]:
    """The figures of a crawl, by the names that `results.json` has for them."""
    pages = [visit for visit in store.visits() if visit.is_page]
    downloads = [_download(store, visit, partition) for visit in pages]
    known = {visit.url for visit in pages}
    links = {visit.url: list(_targets(store, visit, known)) for visit in pages}
    labels = {visit.url: str(city_of(store, visit, partition) or "") for visit in pages}
    figures = CollaborativeFigures(downloads, partition, links, labels).as_run()
    sent = sum(store.tally(Topic.EXCHANGED).values())
    return {**figures, "communication": share_of(sent, len(downloads))}


def _download(store: CrawlReader, visit: StoredVisit, partition: Partition) -> Download:
    domain = registrable_domain(host_of(visit.url))
    return Download(visit.node, visit.url, domain, tuple(_entities(store, visit, partition)))


def _entities(store: CrawlReader, visit: StoredVisit, partition: Partition) -> Iterator[GeoEntity]:
    for stored in store.addresses_of(visit.n):
        address = stored.address
        if partition.owner(stored.place_id) and is_entity(address):
            yield GeoEntity(
                entity_form(address, stored.place_id), _city(partition, stored.place_id)
            )


def _city(partition: Partition, place: int) -> str:
    """The city an entity belongs to: New York for one in Brooklyn."""
    return str(partition.target_of(place) or place)


def _targets(store: CrawlReader, visit: StoredVisit, known: set[str]) -> Iterator[str]:
    """The downloaded pages it links to, each once."""
    for url in dict.fromkeys(link.url for link in store.links_of(visit.n)):
        if url in known:
            yield url
