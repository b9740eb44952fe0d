"""What Gao, Lee and Miao 2006 measured of a whole crawl, and when it counts as reproduced.

`measures.py` has the formulas; here they are put together under the names that results and tables
use, for a crawl that was simulated or lies on disk. Of one on disk, finished or not, nothing is
read again but the facts: what a page is about is what the geoparser found when it was fetched, and
the crawl itself counts how many URLs went from node to node.

Absolute percentages belong to the web of 2005, so the checks are orders: every pair of neighbours
in a printed table is a sentence, whichever come out. The table says whether it holds for the means
over all webs, on how many webs it holds by itself, and how sure that is. A ratio is that of two
means: a mean of ratios would hang on the web where the divisor happens to be small.
"""

import math
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
from geoscout_lab.experiments import Cell, Run, Table, interval_text, published
from geoscout_lab.gao2006 import measures
from geoscout_lab.gao2006.measures import Download, GeoEntity
from geoscout_lab.measures.harvest import ratio_interval, share_of
from geoscout_lab.simulation.simulate import CollaborativeTrace
from geoscout_lab.worlds.truth import World
from geoscout_places.geo.address import entity_form, is_entity
from geoscout_places.model import Address
from geoscout_places.urls import host_of, registrable_domain

ByName = Mapping[str, Run]  # the runs of one web, or their means, by assignment
PAPER = published("gao2006")
# A small crawl leaves a node of two cities without any entity, and its focus is then undefined.
_FOCUS = "geo_focus_where_measured"


def _printed_tables() -> Iterator[tuple[str, str, Mapping[str, float]]]:
    """The title of each table, what it is in a run, and its last column."""
    titles = {"geo_coverage": "3 coverage", "geo_focus": "4 focus", "unique_entities": "5 unique"}
    for key, title in titles.items():
        rows = {name: row[6 if key != "geo_focus" else 5] for name, row in _rows(PAPER[key])}
        yield title, _FOCUS if key == "geo_focus" else key, rows
    titles = {"geo_centrality": "6 centrality", "overlap": "7 overlap", "diversity": "8 diversity"}
    for key, title in {**titles, "communication": "9 sent"}.items():
        yield title, key, PAPER["single"][key]
    for key in ("linked", "unlinked"):
        rows = {name: row[key] for name, row in PAPER["locality"].items()}
        yield f"11 {key}", f"locality_{key}", rows


def _rows(table: Mapping[str, Any]) -> Iterator[tuple[str, list[float]]]:
    return ((name, row) for name, row in table.items() if name != "columns")


PRINTED = tuple(_printed_tables())


@dataclass(frozen=True, slots=True)
class Sentence:
    """That one assignment has more than the next one in a printed table, or that it has 0."""

    table: str
    key: str
    more: str
    less: str  # "": `more` is printed as 0
    printed: float  # the ratio

    @property
    def text(self) -> str:
        """As a row of the report has it."""
        return f"{self.table}: {self.more} {f'> {self.less}' if self.less else '= 0'}"

    def holds(self, runs: ByName) -> bool | None:
        """Whether it is so; None where it was not run."""
        names = (self.more, self.less) if self.less else (self.more,)
        values = [runs[name][self.key] for name in names if self.key in runs.get(name, {})]
        if len(values) < len(names):
            return None
        return bool(values[0] > values[1]) if self.less else not values[0]


def _sentences() -> Iterator[Sentence]:
    """Every order of two neighbours, table by table, and every 0: nothing is left out."""
    for title, key, printed in PRINTED:
        names = sorted(printed, key=lambda name: -printed[name])
        for more, less in pairwise(names):
            if printed[more]:
                ratio = printed[more] / printed[less] if printed[less] else math.inf
                yield Sentence(title, key, more, less, ratio)
        for name in names:
            if not printed[name]:
                yield Sentence(title, key, name, "", 0.0)


SENTENCES = tuple(_sentences())


def checks_table(runs: Sequence[Run]) -> Table:
    """Whether every printed order comes out: for the means, web by web, and with an interval."""
    webs = list(by_web(runs).values())
    means = means_of(webs)
    rows: list[tuple[Cell, ...]] = []
    certain = holding = 0
    for sentence in SENTENCES:
        if (on_means := sentence.holds(means)) is None:
            continue
        held = [held for by_name in webs if (held := sentence.holds(by_name)) is not None]
        ratio, verdict = _judged(sentence, webs)
        certain += verdict == "yes"
        printed = "–" if math.isinf(sentence.printed) else sentence.printed
        holding += on_means
        rows.append((sentence.text, printed, ratio, f"{sum(held)}/{len(held)}", verdict))
    note = (
        f"{holding} of {len(rows)} hold for the means over webs,"
        f" {certain} with the whole 95 % interval."
    )
    columns = ("every printed order", "ratio printed", "ours", "webs", "holds")
    return Table("Orders of the paper", columns, tuple(rows), note)


def _judged(sentence: Sentence, webs: Sequence[ByName]) -> tuple[str, str]:
    """The ratio over webs with its interval, or the value that should be 0, and a verdict."""
    known = [runs for runs in webs if sentence.holds(runs) is not None]
    more = [runs[sentence.more][sentence.key] for runs in known]
    if not sentence.less:
        return interval_text(more), "no" if any(more) else "yes"
    less = [runs[sentence.less][sentence.key] for runs in known]
    if not fmean(less):
        return "–", "yes" if fmean(more) else "no"
    low, high = ratio_interval(more, less)
    verdict = "yes" if low > 1 else "no" if high < 1 else "open"
    return interval_text(more, less), verdict if len(known) > 1 else "open"


def by_web(runs: Sequence[Run]) -> dict[str, dict[str, Run]]:
    """The runs of each web by assignment."""
    webs: dict[str, dict[str, Run]] = {}
    for run in runs:
        webs.setdefault(f"{run['web']} {run['random_seed']}", {})[run["collaboration"]] = run
    return webs


def sensitivity_table(runs: Sequence[Run]) -> Table:
    """Which orders flip when a number of the profile is changed, on the same webs.

    One web is not another: an order flips where it held on every web, and now holds on none.
    """
    profiles: dict[str, list[ByName]] = {}
    for web, by_name in by_web(runs).items():
        profiles.setdefault(web.rpartition("-")[0], []).append(by_name)
    held = {profile: _held(webs) for profile, webs in profiles.items()}
    changes = {profile.partition(":")[2]: shares for profile, shares in held.items()}
    base = changes.pop("")
    rows: list[tuple[Cell, ...]] = []
    for text, before in base.items():
        flips = [c for c, shares in changes.items() if {before, shares[text]} == {0.0, 1.0}]
        if flips:
            rows.append((text, "yes" if before else "no", len(flips), ", ".join(flips)))
    counts = [sum(share > 0.5 for share in shares.values()) for shares in changes.values()]
    note = (
        f"{len(base) - len(rows)} of {len(base)} orders flip with none of the {len(changes)} "
        f"changes. Unchanged, {sum(share > 0.5 for share in base.values())} hold; changed, "
        f"{min(counts)} to {max(counts)}."
    )
    columns = ("order", "holds unchanged", "flips", "with")
    return Table("Numbers of the profile changed", columns, tuple(rows), note)


def _held(webs: Sequence[ByName]) -> dict[str, float]:
    """On what share of the webs each order holds."""
    return {
        sentence.text: fmean(bool(sentence.holds(by_name)) for by_name in webs)
        for sentence in SENTENCES
    }


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
        distinct = list({d.page: d for d in self.downloads}.values())  # if several nodes fetched it
        return {
            "downloads": len(self.downloads),
            "geo_coverage": measures.geo_coverage(self.downloads),
            "geo_coverage_without_general": measures.geo_coverage(geographic),
            "geo_coverage_of_distinct": measures.geo_coverage(distinct),
            "geo_coverage_by_node": self._by_node(measures.geo_coverage),
            "geo_focus": self._mean_focus(),
            "geo_focus_by_node": self._by_node(self._focus),
            _FOCUS: self._mean_focus_where_measured(),
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
