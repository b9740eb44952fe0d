"""The three tables of Kozanidis, Stamou and Spiros 2009 next to ours, and what lies behind them.

The order is compared with a plain queue of the same links: how many of the first pages fetched are
geographic?
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from geoscout.lab.experiments import Cell, Run, Table, published
from geoscout.lab.kozanidis2009.measures import SAMPLE, SHARES
from geoscout.lab.simulation.registrations import OF_WORLD
from geoscout.strategy.rank.strategy import ADMISSIONS

PAPER = published("kozanidis2009")
FOCUSED = f"rank:registrations={OF_WORLD}"  # they took a URL's place from whois, admin-c
CLASSIFIER = "anchors"
QUEUE = ":order=fifo"
_PUBLISHED = {FOCUSED: PAPER["comparison"]["rank"], CLASSIFIER: PAPER["comparison"]["anchors"]}


def tables(runs: Sequence[Run]) -> Sequence[Table]:
    """Their three tables, and the order against a queue."""
    named = (_accuracy(runs), _coverage(runs), _comparison(runs))
    return [*named, _order(runs), _course(runs), _admission(runs)]


def _accuracy(runs: Sequence[Run]) -> Table:
    paper = PAPER["accuracy"]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (label, _mean(runs, FOCUSED, key), paper[key])
        for label, key in (
            ("geographic pages seen", "visited_geo_pages"),
            ("geographic pages fetched", "retrieved_geo_pages"),
            ("accuracy", "accuracy"),
        )
    )
    return Table("Table 1: accuracy of the focused crawler", ("", "ours", "published"), rows)


def _coverage(runs: Sequence[Run]) -> Table:
    paper = PAPER["coverage"]
    rows: tuple[tuple[Cell, ...], ...] = (
        ("location entities", _mean(runs, FOCUSED, "entities"), paper["entities"]),
        ("distinct", _mean(runs, FOCUSED, "distinct_entities"), paper["distinct_entities"]),
        ("coverage", _mean(runs, FOCUSED, "coverage"), paper["coverage"]),
        ("the same, once a page", _mean(runs, FOCUSED, "coverage_of_types"), None),
        (f"of {SAMPLE} entities drawn", _mean(runs, FOCUSED, "coverage_of_sample"), None),
        ("places that the pages seen name", _mean(runs, FOCUSED, "entities_seen"), None),
        ("share of these on a page fetched", _mean(runs, FOCUSED, "coverage_of_seen"), None),
    )
    note = (
        "1,265 entities in 2.5 million pages cannot be mentions: their figure is of a sample or "
        "of types, and as printed it falls with every page that is added."
    )
    return Table("Table 2: location coverage", ("", "ours", "published"), rows, note)


def _admission(runs: Sequence[Run]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name in dict.fromkeys(run["strategy"] for run in runs):
        counts = [_mean(runs, name, f"links_{why}") or 0.0 for why in ADMISSIONS]
        if total := sum(counts):
            rows.append((name, *(count / total for count in counts)))
    columns = ("share of the links met", *ADMISSIONS)
    note = "Far apart: there are places, but both thresholds fail. Links count on every page."
    return Table("Why links are not followed", columns, tuple(rows), note)


def _comparison(runs: Sequence[Run]) -> Table:
    rows = []
    for name in dict.fromkeys(run["strategy"] for run in runs):
        keys = ("accuracy", "precision", "fetched_pages", "dry_after")
        row: tuple[Cell, ...] = (
            name,
            _mean(runs, name, "accuracy"),
            _PUBLISHED.get(name),
            *(_mean(runs, name, key) for key in keys[1:]),
        )
        rows.append(row)
    columns = ("crawler", "accuracy", "published", "precision", "pages", "ran dry after")
    note = (
        "Breadth first fetches whatever it sees, so its accuracy says nothing; see precision. "
        "The synthetic web has a registrant for every domain, so with registrations nearly every "
        "link is admitted, and the same holds."
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
