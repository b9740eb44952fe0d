"""Adaptive geospatially focused crawling: the harvest of three crawlers, with verdicts.

Absolute rates belong to the web of 2009, so ratios to breadth first and orders decide. The adaptive
crawler runs as printed and with the default of geoscout, which smooths in another way (A-5), both
with a training crawl that does not count, as published; and once counted, as a user has it. The
verdicts are about the method as printed; where that was not run, about the default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from geoscout_lab.experiments import Cell, Experiment, Run, Table, interval_text, published
from geoscout_lab.study.figures import graph_table, graphs_of
from geoscout_lab.study.study import by_unit, paired
from geoscout_places.plugins import split_spec

PRINTED, OURS = "as printed", "our default"
_OTHER_OPTIONS = ("unknown", "model", "labels", "evidence", "update_every")


@dataclass(frozen=True, slots=True)
class Crawler:
    """An adaptive crawler, as its spec in `--strategies` says."""

    spec: str
    depth: int
    training_pages: int
    is_counted: bool
    reading: str  # of the smoothing; "" for another than those two

    @classmethod
    def read(cls, spec: str) -> Crawler | None:
        """None for other strategies."""
        name, options = split_spec(spec)
        if name != "adaptive":
            return None
        is_printed = options.get("smoothing") == "laplace"
        is_other = any(key in options for key in _OTHER_OPTIONS)
        return cls(
            spec,
            depth=int(options.get("depth", 3)),
            training_pages=int(options.get("training_pages", 0)),
            is_counted=options.get("counted", "yes") != "no",
            reading="" if is_other else PRINTED if is_printed else OURS,
        )


def crawlers_of(runs: Sequence[Run]) -> list[Crawler]:
    """The adaptive crawlers of a study, each once."""
    found = (Crawler.read(spec) for spec in dict.fromkeys(run["strategy"] for run in runs))
    return [crawler for crawler in found if crawler is not None]


def by_depth(runs: Sequence[Run], reading: str) -> Mapping[int, str]:
    """The specs by depth, of one reading, all trained alike.

    Several trainings may have been compared; it is the one that most depths have, then the one
    that does not count, then the longest.
    """
    alike: dict[tuple[bool, int], dict[int, str]] = {}
    for crawler in crawlers_of(runs):
        if crawler.reading == reading:
            training = (not crawler.is_counted, crawler.training_pages)
            alike.setdefault(training, {})[crawler.depth] = crawler.spec
    best = max(alike, key=lambda training: (len(alike[training]), training), default=None)
    return dict(sorted(alike[best].items())) if best is not None else {}


def by_training(runs: Sequence[Run], reading: str) -> Mapping[int, str]:
    """The specs by training pages, of one reading at its largest depth, counted or not alike."""
    deepest = list(by_depth(runs, reading).values())[-1:]
    main = Crawler.read(deepest[0]) if deepest else None
    if main is None:
        return {}
    same = [
        crawler
        for crawler in crawlers_of(runs)
        if (crawler.reading, crawler.depth, crawler.is_counted)
        == (reading, main.depth, main.is_counted)
    ]
    return {crawler.training_pages: crawler.spec for crawler in same}


def mean_of(runs: Sequence[Run], spec: str | None, key: str) -> float | None:
    """Over webs, repeats averaged first; None where the study has no such run."""
    values = by_unit([run for run in runs if run["strategy"] == spec], key).values()
    return fmean(values) if values else None


def ratio_of(runs: Sequence[Run], spec: str | None, base: str | None, key: str) -> float | None:
    """The ratio of means over webs."""
    above, below = mean_of(runs, spec, key), mean_of(runs, base, key)
    return above / below if above is not None and below else None


YES, PARTLY, NO = "reproduced", "partly", "not"
TOO_FEW = "too few webs"
LONG_TAIL = 5  # pages; a longer one is long
_NEAR, _SAME_KIND = 1.25, 2.0  # times or parts of what was printed: reproduced, partly
_EARLY = "5%"  # of the budget: the peak is there
_RISE = 1.1  # a curve rises again where it climbs by a tenth above an earlier low
_ALPHA = 0.05
_FEWEST = 6  # webs for a test
_MOST = 0.9  # of the crawls

Row = tuple[Cell, ...]
# What one reading gives: the value to show, and whether it agrees; None where it was not run.
Finding = tuple[Cell, str] | None


def published_table(runs: Sequence[Run], paper: Mapping[str, Any]) -> Table:
    """Each published number and claim, with both readings and the verdict."""
    rows = [
        _row(what, published, [finding(_Reading(runs, reading)) for reading in (PRINTED, OURS)])
        for what, published, finding in _checks(paper)
    ]
    columns = ("", "published", PRINTED, OURS, "verdict")
    note = (
        "The verdict is about the method as printed. Harvests agree within a quarter, and partly "
        "within a factor of two."
    )
    return Table("Everything published", columns, tuple(row for row in rows if row), note)


def _row(what: str, published: Cell, findings: Sequence[Finding]) -> Row | None:
    known = [finding for finding in findings if finding is not None]
    if not known:
        return None
    cells = [finding[0] if finding is not None else None for finding in findings]
    return (what, published, *cells, known[0][1])


class _Reading:
    """The runs of a study as one reading of the method sees them."""

    def __init__(self, runs: Sequence[Run], reading: str) -> None:
        self.runs = runs
        self.depths = by_depth(runs, reading)
        self.trainings = by_training(runs, reading)
        self.deepest = self.depths[max(self.depths)] if self.depths else None
        self.own = [run for run in runs if run["strategy"] == self.deepest]


def _checks(
    paper: Mapping[str, Any],
) -> Sequence[tuple[str, Cell, Callable[[_Reading], Finding]]]:
    harvest, claims, accepted = paper["harvest"], paper["claims"], paper["accepted"]
    ratios = {name: harvest[name] / harvest["breadth"] for name in ("distance", "adaptive")}
    return (
        ("harvest of breadth first", harvest["breadth"], _near("breadth", harvest["breadth"])),
        ("harvest of link distance", harvest["distance"], _near("distance", harvest["distance"])),
        ("harvest of adaptive", harvest["adaptive"], _near(None, harvest["adaptive"])),
        (
            "link distance over breadth first",
            ratios["distance"],
            _within("distance", "breadth", accepted["distance_over_breadth"]),
        ),
        (
            "adaptive over breadth first",
            ratios["adaptive"],
            _within(None, "breadth", accepted["adaptive_over_breadth"]),
        ),
        (
            "adaptive over link distance",
            harvest["adaptive"] / harvest["distance"],
            _within(None, "distance", accepted["adaptive_over_distance"]),
        ),
        ("webs with breadth < distance < adaptive", "the order", _order),
        ("harvest at depths 1, 2, 3", claims["depths"], _depths),
        ("harvest by training pages", claims["training"], _trainings),
        ("relevant pages behind bridges", f"over {claims['behind_bridges_at_least']}", _bridges),
        (f"tails of more than {LONG_TAIL} pages", claims["tails"], _tails),
        ("crawls that start with a peak", claims["peak"], _peaks),
        ("crawls that rise again later", claims["rise"], _rises),
        ("share of the budget that a cut-off uses", claims["cutoff"], _cutoff),
        ("links from the seed, in the mean", "a curve without numbers", _seed_distance),
    )


def _near(spec: str | None, published: float) -> Callable[[_Reading], Finding]:
    def finding(reading: _Reading) -> Finding:
        ours = mean_of(reading.runs, spec or reading.deepest, "harvest")
        if ours is None:
            return None
        apart = max(ours / published, published / ours) if ours else np.inf
        return ours, YES if apart <= _NEAR else PARTLY if apart <= _SAME_KIND else NO

    return finding


def _within(
    spec: str | None, base: str, limits: tuple[float, float]
) -> Callable[[_Reading], Finding]:
    def finding(reading: _Reading) -> Finding:
        ratio = ratio_of(reading.runs, spec or reading.deepest, base, "harvest")
        if ratio is None:
            return None
        return ratio, YES if limits[0] <= ratio <= limits[1] else PARTLY if ratio > 1 else NO

    return finding


def _order(reading: _Reading) -> Finding:
    specs = ("breadth", "distance", reading.deepest)
    series = [
        by_unit([r for r in reading.runs if r["strategy"] == spec], "harvest") for spec in specs
    ]
    webs = series[0].keys() & series[1].keys() & series[2].keys()
    if not webs:
        return None
    holds = sum(series[0][web] < series[1][web] < series[2][web] for web in webs)
    means = [fmean(one[web] for web in webs) for one in series]
    verdict = YES if holds == len(webs) else PARTLY if means == sorted(means) else NO
    return f"{holds} of {len(webs)}", verdict


def _depths(reading: _Reading) -> Finding:
    """Significantly better is: in the mean, and by Wilcoxon over webs against each."""
    if len(reading.depths) < 2 or reading.deepest is None:
        return None
    means = [mean_of(reading.runs, spec, "harvest") or 0.0 for spec in reading.depths.values()]
    others = list(reading.depths.values())[:-1]
    pairs = [paired(reading.runs, reading.deepest, other) for other in others]
    p = [found.p for found in pairs]
    better = [x < _ALPHA for x in p]
    rises = means == sorted(means)
    verdict = YES if rises and all(better) else PARTLY if rises and any(better) else NO
    if pairs[0].units < _FEWEST:
        verdict = TOO_FEW
    shown = ", ".join("–" if np.isnan(x) else f"{x:.2g}" for x in p)
    return f"{', '.join(f'{mean:.3f}' for mean in means)}; p {shown}", verdict


def _trainings(reading: _Reading) -> Finding:
    """The two longest trainings of those that were run."""
    longest = sorted(reading.trainings)[-2:]
    if len(longest) < 2:
        return None
    less, more = (reading.trainings[pages] for pages in longest)
    found = paired(reading.runs, more, less)
    verdict = NO if found.p < _ALPHA else YES if found.units >= _FEWEST else TOO_FEW
    p = "–" if np.isnan(found.p) else f"{found.p:.2g}"
    words = f"{longest[1]:,} over {longest[0]:,}: × {found.ratio:.2f}, p {p}"
    return words, verdict


def _bridges(reading: _Reading) -> Finding:
    share = mean_of(reading.runs, reading.deepest, "behind_bridges")
    return None if share is None else (share, YES if share > 0.5 else NO)


def _tails(reading: _Reading) -> Finding:
    counts = _sums(reading.own, "tails")
    if not sum(counts):
        return None
    share = sum(counts[LONG_TAIL + 1 :]) / sum(counts)
    return share, YES if share < 0.1 else PARTLY if share < 0.25 else NO


def _peaks(reading: _Reading) -> Finding:
    crawls = [run["harvest_at"] for run in reading.own if "harvest_at" in run]
    if not crawls:
        return None
    share = fmean(at[_EARLY] > at["100%"] for at in crawls)
    return share, YES if share >= _MOST else PARTLY if share >= 0.5 else NO


def _rises(reading: _Reading) -> Finding:
    crawls = [run for run in reading.own if "curve" in run]
    if not crawls:
        return None
    share = fmean(rises_again(run) for run in crawls)
    return share, YES if share >= _MOST else PARTLY if share > 0 else NO


def rises_again(run: Run) -> bool:
    """Whether the harvest so far climbs by a tenth above an earlier low.

    The first twentieth does not count: a few pages make any harvest there.
    """
    visits = np.arange(max(run["budget"] // 20, 1), run["budget"] + 1)
    harvest = np.interp(visits, run["curve"]["visits"], run["curve"]["found"]) / visits
    lows = np.minimum.accumulate(harvest)
    return bool(np.any((lows > 0) & (harvest >= _RISE * lows)))


def _cutoff(reading: _Reading) -> Finding:
    cut = [run for run in reading.runs if "cutoff" in run["strategy"] and "visits" in run]
    if not cut:
        return None
    share = fmean(run["visits"] / run["budget"] for run in cut)
    return share, YES if share < _MOST else NO


def _seed_distance(reading: _Reading) -> Finding:
    counts = _sums(reading.own, "seed_distances")
    if not sum(counts):
        return None
    mean = sum(number * count for number, count in enumerate(counts)) / sum(counts)
    return f"at least {mean:.1f}", "no number to compare with"


def _sums(runs: Sequence[Run], key: str) -> list[int]:
    rows = [run[key] for run in runs if key in run]
    return [sum(column) for column in zip(*rows, strict=True)]


_PAPER = published("ahlers2009")
_DEPTHS = (1, 2, 3)
_PRINTED = ":smoothing=laplace"
_TRAINED = ":training_pages=30000:counted=no"
_OTHER_TRAININGS = (3_000, 10_000)


def tables(runs: Sequence[Run]) -> Sequence[Table]:
    """Everything published with our verdict, and the harvest of every strategy."""
    if any(":" in run["web"] for run in runs):
        return [_seeds_table(runs)]
    return [published_table(runs, _PAPER), _harvest_table(runs), graph_table(graphs_of(runs))]


def _seeds_table(runs: Sequence[Run]) -> Table:
    """How much hangs on where a crawl begins: the same webs with other seeds."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run["web"].rpartition("-")[0], []).append(run)
    names = [n for n in dict.fromkeys(run["strategy"] for run in runs) if Crawler.read(n)]
    rows: list[tuple[Cell, ...]] = []
    for profile, own in groups.items():
        cells = [_harvests(own, name) for name in ("breadth", "distance", *names)]
        change = profile.partition(":")[2] or "as they are: 20 hosts of the region"
        rows.append((change, *map(interval_text, cells), interval_text(cells[-1], cells[0])))
    columns = ("seeds", "breadth", "distance", *names, "the last over breadth")
    return Table("Harvest by seeds", columns, tuple(rows))


def _harvests(runs: Sequence[Run], strategy: str) -> list[float]:
    own = [run for run in runs if run["strategy"] == strategy]
    return list(by_unit(own, "harvest").values())


def _harvest_table(runs: Sequence[Run]) -> Table:
    rows = []
    for strategy in dict.fromkeys(run["strategy"] for run in runs):
        theirs = _PAPER["harvest"].get(strategy.partition(":")[0])
        printed = theirs / _PAPER["harvest"]["breadth"] if theirs else None
        ours, counted = _harvests(runs, strategy), mean_of(runs, strategy, "harvest_counted")
        base = _harvests(runs, "breadth")
        ratio = interval_text(ours, base) if len(ours) == len(base) else "–"
        row: tuple[Cell, ...] = (strategy, interval_text(ours), counted, theirs, ratio, printed)
        rows.append(row)
    columns = ("strategy", "harvest", "training counted", "published", "× breadth", "published ×")
    note = "The published adaptive crawler was trained by a crawl that does not count."
    return Table("Harvest at the end of the crawl", columns, tuple(rows), note)


def create() -> Experiment:
    """The experiment as the command runs it."""
    return Experiment(
        name="ahlers2009",
        title="Adaptive geospatially focused crawling",
        source="Dirk Ahlers and Susanne Boll, CIKM 2009",
        profile="ahlers2009",
        pages=100_000,
        webs=10,
        budget="5000",
        repeats=5,
        strategies=(
            "breadth",
            "distance",
            "distance:cutoff=2",
            *(f"adaptive:depth={depth}{_TRAINED}{_PRINTED}" for depth in _DEPTHS),
            *(f"adaptive:depth={depth}{_TRAINED}" for depth in _DEPTHS),
            *(
                f"adaptive:depth=3:training_pages={pages}:counted=no{reading}"
                for pages in _OTHER_TRAININGS
                for reading in (_PRINTED, "")
            ),
            "adaptive:depth=3:training_pages=2000",
            "adaptive:depth=3:training_pages=2000:update_every=500",
        ),
        tables=tables,
        published_ends=_PAPER["harvest"],
        country="DE",  # their filters were in place in all crawls
    )
