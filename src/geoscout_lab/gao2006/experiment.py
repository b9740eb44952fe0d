"""Geographically focused collaborative crawling: six assignments of links to nodes, compared.

Five nodes own the hundred cities by time zone and one is general, as in the paper; in an archive
each place of the region has a node of its own. Every assignment crawls the same web from the same
seeds with the same budget of fetches. Absolute figures belong to the web of 2005, so what counts is
the order and the ratios.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from geoscout.collaborate import (
    Collaboration,
    CollaborationAim,
    Node,
    Partition,
    create_collaboration,
)
from geoscout.collaborate.partition import shipped_partition
from geoscout.collaborate.text_classifier import TextClassifier
from geoscout_lab.experiments import Experiment, ExperimentTask, Run, Table
from geoscout_lab.gao2006.checks import checks_tables
from geoscout_lab.gao2006.figures import figures_of
from geoscout_lab.gao2006.tables import SIX, tables
from geoscout_lab.gao2006.world import TRAINING_PAGES, GaoWorld, world_to_learn_from
from geoscout_lab.simulation.collaborative import CollaborativePlan, crawl_together
from geoscout_lab.simulation.trace import CollaborativeTrace
from geoscout_lab.worlds.base import KnownWorld
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.region_areas import NamedArea
from geoscout_places.gazetteer.base import Gazetteer

# Left out because the paper's table of addresses had none there, and its node of them stayed empty.
_IP_OPTIONS = ":leave_out=Alaska+Hawaii"
# `classifier:training=N` learns from N pages a city at the most; `url:workers=N` is crawled by N
# processes, next to the simulation.
_OWN = ("training", "workers")
_MOST_WORKERS = 32  # four partitions each
_LABELLED = ("url", "content", "classifier")  # table 11


def run(task: ExperimentTask) -> Mapping[str, Any]:
    """One collaborative crawl and its figures."""
    gazetteer = task.aim.gazetteer
    if gazetteer is None:
        raise UsageError("the experiment gao2006 needs a gazetteer")
    partition = _partition(task, gazetteer)
    spec, own = _own_options(task.strategy)
    terms = CollaborativePlan(task.plan.budget, with_labels=spec.startswith(_LABELLED))
    told = replace(task, strategy=spec)
    collaboration = _collaboration(told, CollaborationAim(partition, gazetteer), own)
    trace = crawl_together(task.world, collaboration, terms)
    if workers := _workers(own):
        return {"collaboration": task.strategy, **_by_workers(told, trace, workers, own)}
    entities_of = GaoWorld(task.world, partition).entities_of()
    figures = figures_of(task.world, trace, partition, entities_of)
    return {"collaboration": task.strategy, **figures}


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
    return GaoWorld(world, partition).train(chance, pages)


def _partition(task: ExperimentTask, gazetteer: Gazetteer) -> Partition:
    """That of the paper for its web; a node for each place of the region elsewhere."""
    if isinstance(task.world, KnownWorld) or task.aim.region is None:
        return shipped_partition("gao2006", gazetteer)
    areas = [area for area in task.aim.region.areas if isinstance(area, NamedArea)]
    nodes = [Node(area.place.name, (area.place,)) for area in areas]
    return Partition(nodes, gazetteer)


def all_tables(runs: Sequence[Run]) -> Sequence[Table]:
    """The paper's tables, and whether its orderings come out."""
    return [*checks_tables(runs), *tables(runs)]


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
