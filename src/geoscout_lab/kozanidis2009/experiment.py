"""Focusing web crawls on location-specific content: accuracy, coverage, and two comparisons.

Everything is done with the names of GeoWordNet, as published: what the crawlers look for, and by
what pages are judged. The classification-aware crawler of their table 3 is `anchors`. A test that
accepts every page has an accuracy of 1.0, so the share of other pages that it accepts is reported
too.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from geoscout_lab.experiments import Experiment, ExperimentTask
from geoscout_lab.kozanidis2009.measures import accepted_pages, measure_geographic
from geoscout_lab.kozanidis2009.tables import (
    CLASSIFIER,
    ENDLESS,
    EPSILON,
    FOCUSED,
    PAPER,
    QUEUE,
    TODAY,
    tables,
)
from geoscout_lab.kozanidis2009.truth import GeographicTruth, regional_seeds, truth_of
from geoscout_lab.simulation.collaborative import create_for
from geoscout_lab.simulation.simulate import simulate
from geoscout_lab.worlds.base import KnownWorld, World

_WINDOW = f"{TODAY}:focus=window"  # places around the anchor count as much as those in it (K-5)
_EITHER = f"{FOCUSED}:admission=either"  # the tests of figure 2 read as alternatives
_FULL = FOCUSED.replace("gazetteer=geowordnet", "gazetteer=full")


@runtime_checkable
class _CountsLinks(Protocol):
    """A strategy that counts its links by what became of them."""

    links: Mapping[str, int]


def run(task: ExperimentTask) -> Mapping[str, Any]:
    """One crawl with their measures."""
    if task.aim.gazetteer is None:
        raise RuntimeError("this experiment needs a gazetteer")
    truth = truth_of(task.world, task.aim.gazetteer)
    task = replace(task, world=_from_regional_sites(task, truth))
    strategy = create_for(task.strategy, task.world, task.aim)
    trace = simulate(task.world, strategy, task.plan)
    accepted = accepted_pages(task.world, trace, strategy)
    figures = measure_geographic(task.world, trace, truth, accepted)
    if isinstance(strategy, _CountsLinks):
        figures |= {f"links_{why}": count for why, count in strategy.links.items()}
    dry = len(trace) if len(trace) < task.plan.budget else None
    return {**figures, "dry_after": dry, "cpu_seconds": trace.seconds}


def _from_regional_sites(task: ExperimentTask, truth: GeographicTruth) -> World:
    """As many seeds as they had, of the same sort; archives bring their own."""
    if not isinstance(task.world, KnownWorld):
        return task.world
    chance = random.Random(task.plan.random_seed)
    seeds = regional_seeds(task.world, truth, PAPER["setup"]["seeds"], chance)
    return task.world.from_seeds(seeds)


def create() -> Experiment:
    """The experiment as the command runs it."""
    return Experiment(
        name="kozanidis2009",
        title="Focusing web crawls on location-specific content",
        source="Lefteris Kozanidis, Sofia Stamou and George Spiros, WEBIST 2009",
        profile="usa2006",  # American cities, as their seeds were
        pages=10_000,
        webs=10,
        budget="100%",
        strategies=(
            FOCUSED,
            FOCUSED + QUEUE,
            TODAY,
            TODAY + QUEUE,
            ENDLESS,
            ENDLESS + QUEUE,
            _WINDOW,
            _EITHER,
            _FULL,
            CLASSIFIER,
            CLASSIFIER + EPSILON,
            "breadth",
        ),
        tables=tables,
        run=run,
        figures={
            "accuracy": "accuracy",
            "false_accepted": "false",
            "accuracy_of_seen": "of seen",
            "precision": "precision",
            "fetched_pages": "pages",
            "dry_after": "ran dry after",
        },
    )
