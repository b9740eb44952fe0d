"""Focusing web crawls on location-specific content: accuracy, coverage, and two comparisons.

Everything is done with the names of GeoWordNet, as published: what the crawlers look for, and by
what pages are judged. The classification-aware crawler of their table 3 is `anchors`. A test that
accepts every page has an accuracy of 1.0, so the share of other pages that it accepts is reported
too. The order is compared with a plain queue of the same links: how many of the first pages fetched
are geographic?
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any, Protocol, runtime_checkable

from geoscout.strategy import Strategy
from geoscout.strategy.rank.strategy import ADMISSIONS, Rank
from geoscout_lab.experiments import (
    Cell,
    Experiment,
    ExperimentTask,
    Run,
    Table,
    interval_text,
    published,
)
from geoscout_lab.kozanidis2009.categories import TAUGHT, classifier_by_categories
from geoscout_lab.kozanidis2009.measures import (
    SHARES,
    GeographicTruth,
    accepted_pages,
    measure_geographic,
    regional_seeds,
    truth_of,
)
from geoscout_lab.simulation.collaborative import OF_WORLD, create_for
from geoscout_lab.simulation.simulate import simulate
from geoscout_lab.worlds.synthetic import SyntheticWeb
from geoscout_lab.worlds.truth import KnownWorld, World

PAPER = published("kozanidis2009")
TODAY = "rank:gazetteer=geowordnet"  # with registrations redacted (K-8 in docs/rank.md)
FOCUSED = f"{TODAY}:registrations={OF_WORLD}"  # they took a URL's place from whois, admin-c
EPSILON = ":epsilon=yes"  # without running dry (K-10): everything is visited in the end
ENDLESS = TODAY + EPSILON
CLASSIFIER = "anchors:gazetteer=geowordnet"
CATEGORIES = CLASSIFIER + TAUGHT  # by the seeds alone, as printed (K-12)
QUEUE = ":order=fifo"
_PUBLISHED = {
    FOCUSED: PAPER["comparison"]["rank"],
    CLASSIFIER: PAPER["comparison"]["anchors"],
    CATEGORIES: PAPER["comparison"]["anchors"],
}


def tables(runs: Sequence[Run]) -> Sequence[Table]:
    """Their three tables, and the order against a queue."""
    named = (_accuracy(runs), _coverage(runs), _comparison(runs), _same_pages(runs))
    return [*named, _order(runs), _course(runs), _admission(runs)]


def _accuracy(runs: Sequence[Run]) -> Table:
    paper = PAPER["accuracy"]
    rows: list[tuple[Cell, ...]] = []
    for label, key in (
        ("geographic pages visited, a web", "visited_geo_pages"),
        ("geographic pages retrieved, a web", "retrieved_geo_pages"),
        ("accuracy", "accuracy"),
        ("other pages accepted", "false_accepted"),
        ("accuracy of seen", "accuracy_of_seen"),
    ):
        cells = [_with_interval(runs, name, key) for name in (FOCUSED, TODAY, ENDLESS)]
        rows.append((label, *cells, paper.get(key)))
    note = (
        "Visited: fetched, with a name of GeoWordNet in the text. Retrieved: visited, and accepted "
        "by the test of figure 1. Other pages: fetched, without a name in the text; the share of "
        "them that the test accepts by mistake. Of seen: fetched over seen, the other reading. "
        "Means over webs with 95 % intervals; n: the geographic pages of all webs."
    )
    columns = ("", "with registrants", "without", "without, everything visited", "published")
    return Table("Table 1: accuracy of the focused crawler", columns, tuple(rows), note)


def _with_interval(runs: Sequence[Run], name: str, key: str) -> str | None:
    """The mean over webs with its interval; of the accuracy also how many pages it rests on."""
    own = [run for run in _of(runs, name) if run.get(key) is not None]
    if not own:
        return None
    text = interval_text([float(run[key]) for run in own])
    if key != "accuracy" or any("visited_geo_pages" not in run for run in own):
        return text
    return f"{text}, n = {sum(run['visited_geo_pages'] for run in own):,}"


def _coverage(runs: Sequence[Run]) -> Table:
    paper = PAPER["coverage"]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (label, *(_mean(runs, name, key) for name in (FOCUSED, TODAY, "breadth")), paper.get(key))
        for label, key in (
            ("location entities: distinct names", "entities"),
            ("distinct places", "distinct_entities"),
            ("coverage", "coverage"),
            ("places over all mentions", "coverage_of_occurrences"),
            ("the same, once a page", "coverage_of_types"),
            ("places on pages fetched, of those on pages seen", "coverage_of_seen"),
        )
    )
    note = (
        "1,265 entities in 2.5 million pages cannot be mentions; distinct names is our reading. "
        "The other rows are other readings."
    )
    columns = ("", "with registrants", "without", "breadth", "published")
    return Table("Table 2: location coverage", columns, rows, note)


def _same_pages(runs: Sequence[Run]) -> Table:
    """Two tests on the same pages: with epsilon, both crawlers visit everything."""
    rows: list[tuple[Cell, ...]] = []
    for title, name in (("the first pages", CLASSIFIER), ("categories", CATEGORIES)):
        pairs = [
            (rank["accuracy"], bayes["accuracy"])
            for rank in _of(runs, ENDLESS)
            for bayes in _of(runs, name + EPSILON)
            if _same_web(rank, bayes)
        ]
        if pairs:
            ahead = sum(rank > bayes for rank, bayes in pairs)
            apart = interval_text([rank - bayes for rank, bayes in pairs])
            cells = [_with_interval(runs, one, "accuracy") for one in (ENDLESS, name + EPSILON)]
            rows.append((f"accuracy, taught by {title}", *cells, apart, f"{ahead} of {len(pairs)}"))
            cells = [_with_interval(runs, o, "false_accepted") for o in (ENDLESS, name + EPSILON)]
            rows.append(("other pages accepted", *cells, None, None))
    columns = ("", "test of figure 1", "classifier", "difference", "webs where it is ahead")
    note = "Without registrants. Who accepts everything has an accuracy of 1."
    return Table("The two tests on the same pages", columns, tuple(rows), note)


def _admission(runs: Sequence[Run]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name in dict.fromkeys(run["strategy"] for run in runs):
        counts = [_mean(runs, name, f"links_{why}") or 0.0 for why in ADMISSIONS]
        if total := sum(counts):
            rows.append((name, *(count / total for count in counts)))
    columns = ("share of the links met", *ADMISSIONS)
    note = (
        "Not around it: places are named, but not where figure 2 looks. Far apart: with "
        "admission=either both thresholds fail. Seed: of a seed that was not admitted. Links count "
        "on every page."
    )
    return Table("Why links are not followed", columns, tuple(rows), note)


def _comparison(runs: Sequence[Run]) -> Table:
    rows = []
    for name in dict.fromkeys(run["strategy"] for run in runs):
        keys = ("false_accepted", "accuracy_of_seen", "precision", "fetched_pages", "dry_after")
        row: tuple[Cell, ...] = (
            name,
            _with_interval(runs, name, "accuracy"),
            _PUBLISHED.get(name),
            *(_with_interval(runs, name, key) for key in keys),
        )
        rows.append(row)
    columns = ("crawler", "accuracy", "published", "false", "of seen", "precision", "pages", "dry")
    note = (
        "False: the share of the pages without a place that passes the crawler's own test too; "
        "the accuracy of a test that accepts everything is 1 and says nothing. The same holds for "
        "a crawler that fetches only what its test accepts, as the classifier does after its "
        "training. Breadth first has no test. Dry: the visits after which no link was left."
    )
    return Table("Table 3: against a classification-aware crawler", columns, tuple(rows), note)


def _order(runs: Sequence[Run]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name in dict.fromkeys(run["strategy"] for run in runs):
        queues = _of(runs, name + QUEUE)
        pairs = [(r, q) for r in _of(runs, name) for q in queues if _same_web(r, q)]
        for share in (f"{share:.0%}" for share in SHARES[:-1]):
            label = f"{name}: geographic pages, first {share}"
            rows += [_versus(label, [_at(share, *pair) for pair in pairs])] if pairs else []
        areas = [(rank["geo_auc"], queue["geo_auc"]) for rank, queue in pairs]
        rows += [_versus(f"{name}: area", areas)] if areas else []
    columns = ("", "Rank", "queue", "webs where Rank is ahead")
    note = "Area: the mean, over all visits, of the share of its finds a crawl had by then."
    return Table("Rank against first in, first out", columns, tuple(rows), note)


def _at(share: str, rank: Run, queue: Run) -> tuple[float, float]:
    return rank["geo_found_at"][share], queue["geo_found_at"][share]


def _versus(label: str, values: Sequence[tuple[float, float]]) -> tuple[Cell, ...]:
    wins = sum(rank > queue for rank, queue in values)
    means = (fmean(rank for rank, _ in values), fmean(queue for _, queue in values))
    return label, *means, f"{wins} of {len(values)}"


def _course(runs: Sequence[Run]) -> Table:
    columns = ("geographic pages among the first", *(f"{share:.0%}" for share in SHARES))
    names = dict.fromkeys(run["strategy"] for run in runs)
    rows = tuple((name, *(_mean_at(runs, name, share) for share in columns[1:])) for name in names)
    return Table("The course of each crawl", columns, rows)


def _of(runs: Sequence[Run], strategy: str) -> list[Run]:
    return [run for run in runs if run["strategy"] == strategy]


def _same_web(first: Run, second: Run) -> bool:
    return all(first[key] == second[key] for key in ("web", "region", "random_seed"))


def _mean(runs: Sequence[Run], strategy: str, key: str) -> float | None:
    values = [run[key] for run in _of(runs, strategy) if run.get(key) is not None]
    return fmean(values) if values else None


def _mean_at(runs: Sequence[Run], strategy: str, share: str) -> float | None:
    values = [run["geo_found_at"][share] for run in _of(runs, strategy)]
    return fmean(values) if values else None


_ANCHOR = f"{TODAY}:focus=anchor"  # places around the anchor do not count (K-5)


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
    strategy = _strategy(task)
    trace = simulate(task.world, strategy, task.plan)
    accepted = accepted_pages(task.world, trace, strategy)
    figures = measure_geographic(task.world, trace, truth, accepted)
    if isinstance(strategy, _CountsLinks):
        figures |= {f"links_{why}": count for why, count in strategy.links.items()}
    dry = len(trace) if len(trace) < task.plan.budget else None
    return {**figures, "dry_after": dry, "cpu_seconds": trace.seconds}


def _strategy(task: ExperimentTask) -> Strategy:
    if TAUGHT in task.strategy:
        return classifier_by_categories(task.strategy, task.world, task.aim)
    return create_for(task.strategy, task.world, task.aim)


def _from_regional_sites(task: ExperimentTask, truth: GeographicTruth) -> World:
    """As many seeds as they had, of the same sort; archives bring their own."""
    world = task.world
    if not isinstance(world, KnownWorld):
        return world
    chance = random.Random(task.plan.random_seed)
    seeds = regional_seeds(world, truth, PAPER["setup"]["seeds"], chance)
    if isinstance(world, SyntheticWeb):
        world = world.as_parsed()  # a window of 50 words does not end with the block of its link
    return world.from_seeds(_best_first(replace(task, world=world), seeds))


def _best_first(task: ExperimentTask, seeds: Sequence[int]) -> Sequence[int]:
    """The seeds that figure 2 admits by Rank, then the others: their links may be admitted."""
    strategy = _strategy(task)
    if not isinstance(strategy, Rank):
        return seeds
    pages = {task.world.url(seed): seed for seed in seeds}
    ordered = strategy.best_first(task.world.page(seed) for seed in seeds)
    return list(dict.fromkeys([*(pages[url] for url in ordered), *seeds]))


def create() -> Experiment:
    """The experiment as the command runs it."""
    return Experiment(
        name="kozanidis2009",
        title="Focusing web crawls on location-specific content",
        source="Lefteris Kozanidis, Sofia Stamou and George Spiros, WEBIST 2009",
        # American cities, as their seeds were. A tenth of its links name a place, as in three real
        # directories (5, 8 and 12 %); in usa2006 it is a fiftieth.
        profile="gao2006",
        pages=10_000,
        webs=10,
        budget="100%",
        strategies=(
            FOCUSED,
            TODAY,
            TODAY + QUEUE,
            ENDLESS,
            ENDLESS + QUEUE,
            _ANCHOR,
            CLASSIFIER,
            CLASSIFIER + EPSILON,
            CATEGORIES,
            CATEGORIES + EPSILON,
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
