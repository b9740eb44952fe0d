"""Geographically focused collaborative crawling: six assignments of links to nodes, compared.

Five nodes own the hundred cities by time zone and one is general, as in the paper; in an archive
each place of the region has a node of its own. Every assignment crawls the same web from the same
seeds with the same budget of fetches. Absolute figures belong to the web of 2005, so what counts is
the order and the ratios.

It asks a world for entities, servers and labelled pages (`GaoWorld`). A synthetic web knows all of
it. For an archive, the geoparser's reading tells the entities, and which pages are about a city;
the locations of its servers are not known.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from geoscout.collaborate import (
    Collaboration,
    CollaborationAim,
    Node,
    Partition,
    create_collaboration,
)
from geoscout.collaborate.base import Locate
from geoscout.collaborate.classifier import NONE, TextClassifier, of_nodes, train
from geoscout.collaborate.partition import shipped_partition
from geoscout_lab.experiments import Experiment, ExperimentTask, Run, Table
from geoscout_lab.gao2006.checks import (
    EntitiesOf,
    checks_table,
    entity_of,
    figures_of,
    sensitivity_table,
)
from geoscout_lab.gao2006.measures import GeoEntity
from geoscout_lab.gao2006.streets import ReadAddresses, streets_table
from geoscout_lab.gao2006.tables import SIX, tables
from geoscout_lab.simulation.collaborative import CollaborativePlan, crawl_together, create_for
from geoscout_lab.simulation.simulate import CollaborativeTrace
from geoscout_lab.worlds.synthetic import SyntheticWeb, WebPlan, make_web
from geoscout_lab.worlds.synthetic.hosts import LOCAL, HostType
from geoscout_lab.worlds.truth import OK, KnownWorld, ReadWorld, World
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.region_areas import NamedArea
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Place
from geoscout_places.parse import parse_html
from geoscout_places.plugins import split_spec
from geoscout_places.urls import host_of

_SAME_CITY_KM = 15.0  # a gazetteer may have a city and its county seat as two places
TRAINING_PAGES = 20  # a city at the most, and as many about none; the paper: 500 to 2000, 2000
_TUNING_SEED = 100  # of the synthetic web to learn from, which is not crawled


_LISTED = (*LOCAL, HostType.NATIONAL)


class GaoWorld:
    """A world with what the experiment must know about it."""

    def __init__(self, world: World, partition: Partition) -> None:
        self._world = world
        self._partition = partition
        self._owned: dict[int, int] = {}

    def entities_of(self) -> EntitiesOf:
        """How to find the entities of a page that lie in owned cities."""
        world = self._world
        if isinstance(world, KnownWorld):
            return lambda page: list(self._entities_told(world, page))
        return self._entities_read

    def city_of(self, page: int) -> int:
        """The owned city a page is truly about; 0 for none."""
        if isinstance(self._world, KnownWorld):
            place = self._world.place(page)
            return self.target(place) if place is not None else NONE
        return next((int(entity.city) for entity in self._entities_read(page)), NONE)

    def locations(self) -> Locate:
        """Where servers stand, by host name.

        Raises:
            UsageError: the world does not know.
        """
        world = self._world
        if not isinstance(world, KnownWorld):
            raise UsageError("the locations of servers are not known in this world")
        numbers = {host_of(world.url(page)): world.host(page) for page in range(world.size)}
        return lambda host: world.server(numbers[host]) if host in numbers else None

    def train(
        self, chance: random.Random, of_city: int = TRAINING_PAGES, classes: str = "cities"
    ) -> TextClassifier:
        """A classifier from pages of the world whose city is known, `of_city` of each at most.

        `classes` is "cities", or "nodes", whose cities are one class.
        """
        chosen = self._chosen(chance, of_city)
        pages = ((self._world.page(page).text, city) for page, city in chosen)
        return train(of_nodes(pages, self._partition) if classes == "nodes" else pages)

    def _chosen(self, chance: random.Random, of_city: int) -> Iterator[tuple[int, int]]:
        wanted: dict[int, int] = dict.fromkeys(self._partition.targets, of_city)
        wanted[NONE] = of_city
        pages = list(range(self._world.size))
        chance.shuffle(pages)
        for page in pages:
            if self._world.status(page) != OK or not self._is_listed(page):
                continue
            city = self.city_of(page)
            if wanted.get(city):  # a town of an owned division may not be a class
                wanted[city] -= 1
                yield page, city

    def _is_listed(self, page: int) -> bool:
        """Whether the Open Directory would list its site: those of a city, or of none."""
        world = self._world
        return not isinstance(world, SyntheticWeb) or world.host_type(page) in _LISTED

    def _entities_told(self, world: KnownWorld, page: int) -> Iterator[GeoEntity]:
        if world.entities(page):
            for address in world.addresses(page):
                if city := self.target(address.city):
                    yield GeoEntity(address.normal_form, str(city))

    def _entities_read(self, page: int) -> Sequence[GeoEntity]:
        if not isinstance(self._world, ReadWorld):
            return []
        reading = self._world.reading(page)
        found = [entity_of(a, self._partition) for a in reading.addresses] if reading else ()
        return [entity for entity in found if entity is not None]

    def target(self, place: Place) -> int:
        """The owned city that a place is, or all but is; 0 for none."""
        if place.id not in self._owned:
            targets = self._partition.targets
            near = [(distance_km(place.point, city.point), id) for id, city in targets.items()]
            distance, id = min(near, default=(_SAME_CITY_KM, NONE))
            self._owned[place.id] = id if distance < _SAME_CITY_KM else NONE
        return self._owned[place.id]


def world_to_learn_from(world: World, gazetteer: Gazetteer) -> World:
    """Another synthetic web of the same kind and size; an archive has only itself."""
    if not isinstance(world, SyntheticWeb):
        return world
    plan = WebPlan(world.structure.profile.name, _TUNING_SEED, world.size)
    return make_web(plan, gazetteer, parse_html)


# Left out because the paper's table of addresses had none there, and its node of them stayed empty.
_IP_OPTIONS = ":leave_out=Alaska+Hawaii"
# `classifier:training=N` learns from N pages a city at the most; `url:workers=N` is crawled by N
# processes, next to the simulation.
# `classifier:classes=nodes` has one class for all cities of a node (G-7).
# `url:addresses=read` measures by what the address extractor finds in the pages of a synthetic web,
# `url:addresses=checked` by those of them whose street is in a table of `streets`, a share of all.
# `url:order=inlinks+by=scope` orders the pages of each node by a strategy; else first come.
_OWN = ("training", "workers", "classes", "addresses", "streets", "order")
_MOST_WORKERS = 32  # four partitions each
_LABELLED = ("url", "content", "classifier")  # table 11


def run(task: ExperimentTask) -> Mapping[str, Any]:
    """One collaborative crawl and its figures."""
    gazetteer = task.aim.gazetteer
    if gazetteer is None:
        raise UsageError("the experiment gao2006 needs a gazetteer")
    partition = _partition(task, gazetteer)
    spec, own = _own_options(task.strategy)
    told = replace(task, strategy=spec)
    order = own.get("order", "").replace("+", ":")
    terms = CollaborativePlan(
        task.plan.budget,
        strategy=create_for(order, task.world, task.aim) if order else None,
        with_labels=spec.startswith(_LABELLED),
    )
    collaboration = _collaboration(told, CollaborationAim(partition, gazetteer), own)
    trace = crawl_together(_as_read(told), collaboration, terms)
    if workers := _workers(own):
        return {"collaboration": task.strategy, **_by_workers(told, trace, workers, own)}
    known = GaoWorld(task.world, partition)
    read = _addresses(task.world, gazetteer, known, own)
    if read is None:
        figures = figures_of(task.world, trace, partition, known.entities_of())
    else:
        figures = figures_of(task.world, trace, partition, read.entities)
        figures |= read.accuracy({fetch.page for fetch in trace.fetches})
    return {"collaboration": task.strategy, **figures}


def _addresses(
    world: World, gazetteer: Gazetteer, known: GaoWorld, own: Mapping[str, str]
) -> ReadAddresses | None:
    """Addresses as the extractor finds them; None where those that the world tells count.

    Raises:
        UsageError: there is no such way, or the world has no table of streets.
    """
    way = own.get("addresses", "told")
    if way == "told":
        return None
    if way not in {"read", "checked"} or not isinstance(world, SyntheticWeb):
        raise UsageError("addresses is told, or on a synthetic web read or checked")
    share = float(own.get("streets", 1)) if way == "checked" else 0.0
    return ReadAddresses(world, gazetteer, known.target, share)


def _as_read(task: ExperimentTask) -> World:
    """The world with what the assignment looks at: what stands beyond the block of a link."""
    looks_around = split_spec(task.strategy)[0] in {"anchor", "dom"}
    world = task.world
    return world.as_parsed() if looks_around and isinstance(world, SyntheticWeb) else world


def _workers(own: Mapping[str, str]) -> int:
    """How many processes crawl; 0: none, it is a simulation alone.

    Raises:
        UsageError: it is not a number of processes.
    """
    text = own.get("workers", "0")
    if not text.isdecimal() or ("workers" in own and not 1 <= int(text) <= _MOST_WORKERS):
        raise UsageError(f"workers is 1 to {_MOST_WORKERS}, not {text}")
    return int(text)


def _by_workers(
    task: ExperimentTask, trace: CollaborativeTrace, workers: int, own: Mapping[str, str]
) -> Mapping[str, Any]:
    from geoscout_lab.gao2006.on_cluster import (  # noqa: PLC0415 - needs an extra
        NodesPlan,
        agreement,
        crawl_by_workers,
    )

    gazetteer = task.aim.gazetteer
    assert gazetteer is not None
    model = None
    if task.strategy.startswith("classifier"):
        model = _model(task, _partition(task, gazetteer), own)
    plan = NodesPlan(task.strategy, workers, trace.visits, model)
    figures, fetched = crawl_by_workers(task.world, plan, task.settings, gazetteer)
    return {**figures, "workers": workers, **agreement(trace, task.world, fetched)}


def _own_options(spec: str) -> tuple[str, dict[str, str]]:
    """What is for the assignment, and what is for the experiment itself."""
    parts = [part.partition("=") for part in spec.split(":")]
    own = {name: value for name, _, value in parts if name in _OWN}
    return ":".join("".join(part) for part in parts if part[0] not in _OWN), own


def _collaboration(
    task: ExperimentTask, aim: CollaborationAim, own: Mapping[str, str]
) -> Collaboration:
    name = task.strategy.partition(":")[0]
    known = GaoWorld(task.world, aim.partition)
    if name == "ip":
        told = replace(aim, locations=known.locations)
        return create_collaboration(task.strategy + _IP_OPTIONS, told)
    if name == "classifier":
        aim = replace(aim, model=_model(task, aim.partition, own))
    return create_collaboration(task.strategy, aim)


def _model(task: ExperimentTask, partition: Partition, own: Mapping[str, str]) -> TextClassifier:
    """A classifier that has learned on another web."""
    assert task.aim.gazetteer is not None
    world = world_to_learn_from(task.world, task.aim.gazetteer)
    chance = random.Random(task.plan.random_seed)
    pages = int(own.get("training", TRAINING_PAGES))
    classes = own.get("classes", "cities")
    if classes not in ("cities", "nodes"):
        raise UsageError(f"classes is cities or nodes, not {classes!r}")
    return GaoWorld(world, partition).train(chance, pages, classes)


def _partition(task: ExperimentTask, gazetteer: Gazetteer) -> Partition:
    """That of the paper for its web; a node for each place of the region elsewhere."""
    if isinstance(task.world, KnownWorld) or task.aim.region is None:
        return shipped_partition("gao2006", gazetteer)
    areas = [area for area in task.aim.region.areas if isinstance(area, NamedArea)]
    nodes = [Node(area.place.name, (area.place,)) for area in areas]
    return Partition(nodes, gazetteer)


def all_tables(runs: Sequence[Run]) -> Sequence[Table]:
    """The paper's tables, and whether its orders come out; of a changed profile, what flips."""
    if any("address_precision" in run for run in runs):
        return [streets_table(runs)]
    if len({":" in run["web"] for run in runs}) > 1:
        return [sensitivity_table(runs)]
    return [checks_table(runs), *tables(runs)]


def create() -> Experiment:
    """The experiment as the command runs it."""
    return Experiment(
        name="gao2006",
        title="Geographically focused collaborative crawling",
        source="Weizheng Gao, Hyun Chul Lee and Yingbo Miao, WWW 2006",
        profile="gao2006",
        pages=150_000,
        webs=5,
        budget="8000",
        strategies=(
            *SIX,
            "ip:server=target",
            "classifier:classes=nodes",
            "url:policy=B",
            "anchor:policy=B",
            "content:policy=B",
            "classifier:policy=B",
        ),
        figures={
            "downloads": "pages",
            "geo_coverage": "coverage",
            "geo_focus": "focus",
            "unique_entities": "unique",
            "geo_centrality": "centrality",
            "overlap": "overlap",
            "diversity": "diversity",
            "communication": "sent a page",
        },
        tables=all_tables,
        run=run,
    )
