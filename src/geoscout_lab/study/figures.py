"""One run in figures: what `results.json` has about a strategy in a world.

A run is a plain mapping because it goes to a file as it is, and published experiments add keys of
their own.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geoscout_lab.experiments import Cell, Run, Table, interval_text
from geoscout_lab.measures import analysis
from geoscout_lab.measures import harvest as measures
from geoscout_lab.simulation.oracles import greedy_oracle, one_step_oracle, upper_bound
from geoscout_lab.simulation.simulate import Trace
from geoscout_lab.worlds.truth import OK, KnownWorld, ReadWorld, World, WorldFacts
from geoscout_places.model import Place

ORACLE = "oracle"
ONE_STEP = "one-step-oracle"
_SHOWN = 10  # bridges, tails and seed distances from here on are counted together


def measure(facts: WorldFacts, trace: Trace, budget: int) -> dict[str, Any]:
    """Every measure of a crawl."""
    figures = measure_order(facts, trace.pages, budget)
    figures |= _tree_figures(trace)
    figures |= _cost_figures(facts, trace, budget)
    if trace.training is not None:
        counted = measure_order(facts, trace.with_training(budget), budget)
        figures["training_pages"] = len(trace.training)
        figures["harvest_counted"] = counted["harvest"]
        figures["auc_counted"] = counted["auc"]
        figures["curve_counted"] = counted["curve"]
    return figures


def measure_order(facts: WorldFacts, pages: NDArray[np.int64], budget: int) -> dict[str, Any]:
    """The measures that need only the order of pages."""
    pages = pages[:budget]
    relevant = facts.truth.relevant[pages]
    found = measures.found_curve(relevant, budget)
    hosts = np.array([facts.world.host(page) for page in pages.tolist()], dtype=np.int64)
    entities = facts.entities_of(pages[relevant].tolist())
    distinct = len(frozenset().union(*entities)) if entities else 0
    shares = measures.harvest_at(found)
    return {
        "visits": len(pages),
        "found": int(found[-1]) if len(found) else 0,
        "harvest": measures.harvest(found),
        "degree_harvest": float(facts.degrees_of(pages).sum()) / budget if budget else 0.0,
        "harvest_at": {f"{share:.0%}": value for share, value in shares.items()},
        "recall": measures.share_of(int(found[-1]), len(facts.targets)),
        "auc": measures.area(found, len(facts.targets)),
        "marginal_harvest": measures.marginal_harvest(relevant, budget),
        "host_recall": measures.host_recall(hosts, relevant, facts.hosts),
        "entity_recall": measures.share_of(distinct, facts.entities),
        "unique_harvest": measures.share_of(measures.unique_found(entities), budget),
        "tail_waste": measures.tail_waste(hosts, relevant),
        "curve": measures.thinned(found),
    }


def measure_graph(facts: WorldFacts, trace: Trace) -> dict[str, Any]:
    """The geospatial graph of the pages of a crawl."""
    world = facts.world
    pages = [page for page in dict.fromkeys(trace.pages.tolist()) if world.status(page) == OK]
    known = frozenset(pages)
    targets = {page: [int(t) for t in world.targets(page) if t in known] for page in pages}
    places = ((page, _place(world, page)) for page in pages)
    points = {page: place.point for page, place in places if place is not None}
    relevant = {page: None for page in pages if world.is_relevant(page)}
    named = ((world.host(page), world.entities(page)) for page in relevant)
    return analysis.graph_of(targets, points, relevant, named)


def _place(world: World, page: int) -> Place | None:
    """What a page is about: as its maker knows, or as the geoparser read it."""
    if isinstance(world, KnownWorld):
        return world.place(page)
    scope = world.reading(page).scope if isinstance(world, ReadWorld) else ()
    return scope[0].place if scope else None


def measure_oracles(facts: WorldFacts, budget: int, random_seed: int) -> list[dict[str, Any]]:
    """The runs of the two oracles; the first also has the upper bound."""
    greedy = np.array(greedy_oracle(facts.truth, budget), dtype=np.int64)
    chance = random.Random(random_seed)
    one_step = np.array(one_step_oracle(facts.truth, budget, chance), dtype=np.int64)
    bound = upper_bound(facts.truth, budget)
    first = {"strategy": ORACLE, "oracle": True} | measure_order(facts, greedy, budget)
    first["upper_bound"] = int(bound[-1]) if len(bound) else 0
    first["upper_bound_curve"] = measures.thinned(bound)
    second = {"strategy": ONE_STEP, "oracle": True} | measure_order(facts, one_step, budget)
    return [first, second]


def with_ratios(runs: Sequence[Mapping[str, Any]], baseline: str) -> list[dict[str, Any]]:
    """The runs of one unit, with their ratios to its oracle and the mean of its baseline."""
    oracle = next((run for run in runs if run["strategy"] == ORACLE), None)
    base = _mean_of([run for run in runs if run["strategy"] == baseline])
    completed = []
    for run in runs:
        more: dict[str, Any] = {}
        if "auc" in run and oracle is not None and oracle["auc"]:
            more["oracle_share"] = run["auc"] / oracle["auc"]
        if "harvest" in run and base.get("harvest"):
            more["times_baseline"] = run["harvest"] / base["harvest"]
        if "found" in run and "found" in base and oracle is not None:
            more["oracle_efficiency"] = measures.oracle_efficiency(
                run["found"], base["found"], oracle["found"]
            )
        completed.append({**run, **more})
    return completed


def _mean_of(runs: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Harvest and pages found, over the random seeds of one strategy."""
    keys = [key for key in ("harvest", "found") if runs and key in runs[0]]
    return {key: fmean(run[key] for run in runs) for key in keys}


def _tree_figures(trace: Trace) -> dict[str, Any]:
    parents, relevant = trace.parents.tolist(), trace.relevant.tolist()
    distances = analysis.seed_distances(trace.depths.tolist(), relevant)
    return {
        "behind_bridges": analysis.share_behind_bridges(parents, relevant),
        "bridges": _histogram(analysis.bridge_distances(parents, relevant)),
        "tails": _histogram(analysis.tails(parents, relevant)),
        "seed_distances": _histogram(distances),
    }


def _cost_figures(facts: WorldFacts, trace: Trace, budget: int) -> dict[str, Any]:
    hosts = [facts.world.host(page) for page in trace.pages.tolist()]
    polite = measures.polite_seconds(hosts, trace.parents.tolist())
    seconds = int(polite.max()) + 1 if len(polite) else 0
    found = int(np.count_nonzero(trace.relevant[:budget]))
    return {
        "cpu_milliseconds_per_visit": 1000 * trace.seconds / max(len(trace), 1),
        "peak_megabytes": peak_megabytes(),
        "polite_seconds": seconds,
        "found_per_polite_second": measures.share_of(found, seconds),
    }


def peak_megabytes() -> float:
    """The most memory this process has had."""
    import resource  # noqa: PLC0415 - not on every system, and only asked for here

    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kibibytes elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def _histogram(values: Sequence[int]) -> list[int]:
    """How many there are of 0, 1, 2 …; the last counts all that are larger."""
    counts = Counter(min(value, _SHOWN) for value in values)
    return [counts[value] for value in range(_SHOWN + 1)]


_READINGS: tuple[tuple[str, Callable[[Mapping[str, Any]], float | None]], ...] = (
    ("km between the places of pages one link apart", lambda graph: graph["kilometres"][0]),
    ("two links apart", lambda graph: graph["kilometres"][1]),
    ("three links apart", lambda graph: graph["kilometres"][2]),
    ("of any two pages", lambda graph: graph["kilometres"][-1]),
    (
        "links to relevant pages that come from one",
        lambda graph: graph["from_relevant"]["to_relevant"],
    ),
    ("links to any page that come from one", lambda graph: graph["from_relevant"]["to_any"]),
    ("pages of a host with the same address", lambda graph: graph["repetition"]),
)


def graphs_of(runs: Iterable[Run]) -> list[Mapping[str, Any]]:
    """Those that were measured: of the pages that breadth first fetched."""
    return [run["graph"] for run in runs if "graph" in run]


def graph_table(graphs: Sequence[Mapping[str, Any]]) -> Table:
    """The figures of some graphs."""
    rows: list[tuple[Cell, ...]] = []
    for title, read in _READINGS:
        if values := [value for graph in graphs if (value := read(graph)) is not None]:
            rows.append((title, interval_text(values)))
    note = "Medians of kilometres of a web, and means over webs."
    return Table("The geospatial web graph", ("", "ours"), tuple(rows), note)
