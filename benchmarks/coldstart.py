"""What a crawl finds in archives when it starts far from its region, near it, or at their seeds.

    python -m benchmarks.coldstart ARCHIVES [--strategies A,B] [--starts far,near,own] [--repeats 5]

ARCHIVES is a folder with one folder for each archive. The first time, every archive is read, which
takes minutes; the pages are then kept in the home folder of geoscout (GEOSCOUT_HOME).

- far: the page with the longest way to its nearest relevant page, of those that can reach at
  least half of all relevant pages (of those that the best seed of the archive can reach, where its
  sites are not linked to each other). Of equals, the first in the archive.
- near: five relevant pages that can reach as many, spread evenly.
- own: the seeds of the archive.

Each line has the means over the runs of one strategy from one start: how many responses it took to
the first relevant page, and after 5, 10 and 20 % of the reachable pages the recall and the area
under the recall curve as a share of the greedy oracle's. `between` is the standard deviation of
that share at 10 % between runs.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geoscout.crawling.seeds import read_seeds
from geoscout.fetch.archive import archive_files
from geoscout.settings import Settings, load_settings
from geoscout.strategy import Strategy, StrategyAim
from geoscout.strategy.hybrid.link_features import FeatureReader
from geoscout.strategy.hybrid.strategy import Hybrid
from geoscout_lab.measures.harvest import area, found_curve
from geoscout_lab.simulation.collaborative import create_for
from geoscout_lab.simulation.oracles import greedy_oracle, one_step_oracle
from geoscout_lab.simulation.simulate import SimulationPlan, simulate
from geoscout_lab.worlds import archive
from geoscout_lab.worlds.archive import ArchiveWorld
from geoscout_lab.worlds.truth import UNREACHABLE, ArchiveUnit, Graph, Truth, facts_of
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.model import Link

SHARES = (0.05, 0.10, 0.20)
NEAR_SEEDS = 5
ONE_STEP = "one-step oracle"


@dataclass(frozen=True, slots=True)
class Case:
    """Archives with their regions."""

    name: str
    folders: tuple[str, ...]
    regions: tuple[str, ...]
    relevance: str = "address"


CASES = (
    Case("webkb", ("webkb",), ("Austin, TX", "Madison, WI", "Seattle, WA", "Ithaca, NY")),
    Case("munich", ("munich", "philde"), ("Dachau", "Starnberg", "Freising", "München")),
    Case("schoolswiki", ("schoolswiki",), ("Germany", "Africa", "Scotland"), "scope"),
    Case(
        "usdirs",
        ("usdirs",),
        ("Napa County, California", "Texas", "Oregon", "San Antonio, TX"),
        "either",
    ),
)


def units(case: Case, folder: Path) -> Iterator[ArchiveUnit]:
    """The regions of a case, from the seeds of its archives."""
    folders = [folder / name for name in case.folders]
    files = tuple(str(file) for file in archive_files(folders))
    seeds = tuple(read_seeds([str(place / "seeds.txt") for place in folders]))
    for region in case.regions:
        yield ArchiveUnit(files, seeds, (region,), case.relevance)


def backwards(graph: Graph) -> Graph:
    """The same links from target to source."""
    sources = np.repeat(np.arange(len(graph)), np.diff(graph.starts))
    order = np.argsort(graph.targets, kind="stable")
    counts = np.bincount(graph.targets, minlength=len(graph))
    return Graph(np.concatenate([[0], np.cumsum(counts)]), sources[order])


def reached_from(truth: Truth, page: int) -> int:
    """How many relevant pages can be reached from a page."""
    reached = truth.graph.depths([page]) != UNREACHABLE
    return int(np.count_nonzero(reached & truth.relevant))


def half(truth: Truth) -> float:
    """How many relevant pages a start must reach."""
    most, relevant = max(reached_from(truth, seed) for seed in truth.seeds), truth.relevant.sum()
    return float(relevant if 2 * most >= relevant else most) / 2


def far_seed(truth: Truth) -> int:
    """The page that is farthest from its nearest relevant page and still reaches half of them."""
    to_relevant = backwards(truth.graph).depths(np.flatnonzero(truth.relevant).tolist())
    farthest_first = np.argsort(-to_relevant, kind="stable").tolist()
    least = half(truth)
    return int(next(page for page in farthest_first if reached_from(truth, page) >= least))


def near_seeds(truth: Truth) -> list[int]:
    """A few relevant pages that reach half of the relevant ones."""
    least, relevant = half(truth), np.flatnonzero(truth.relevant).tolist()
    able = [page for page in relevant if reached_from(truth, page) >= least]
    picks = np.linspace(0, len(able) - 1, min(NEAR_SEEDS, len(able))).astype(int)
    return [able[pick] for pick in picks.tolist()]


class KnownFeatures:
    """Reads the features of a page's links once for all runs; they depend on nothing else."""

    def __init__(self) -> None:
        self._known: dict[str, list[bytes]] = {}

    def attach(self, reader: FeatureReader) -> None:
        """Let a reader use what others have read."""
        note = reader.note

        def note_once(page: str, links: Sequence[Link]) -> list[bytes]:
            if page not in self._known:
                self._known[page] = note(page, links)
            return self._known[page]

        reader.note = note_once  # type: ignore[method-assign]


class Start:
    """One unit from one start, with its oracle."""

    def __init__(self, world: ArchiveWorld, region: Region, seeds: Sequence[int]) -> None:
        world.seeds = list(seeds)
        self.world, self.region = world, region
        self.facts = facts_of(world)
        self.budgets = [max(1, round(share * self.facts.reachable)) for share in SHARES]
        self._oracle = np.array(greedy_oracle(self.facts.truth, self.budgets[-1]), np.int64)
        self.features = KnownFeatures()

    def run(self, spec: str, random_seed: int) -> dict[str, Any]:
        """One crawl in figures."""
        chance, budget = random.Random(random_seed), self.budgets[-1]
        if spec == ONE_STEP:
            return self.figures(np.array(one_step_oracle(self.facts.truth, budget, chance)))
        aim = StrategyAim(self.region, open_gazetteer(load_settings()), chance=chance)
        strategy = self._create(spec, aim)
        return self.figures(
            simulate(self.world, strategy, SimulationPlan(budget, random_seed)).pages
        )

    def _create(self, spec: str, aim: StrategyAim) -> Strategy:
        strategy = create_for(spec, self.world, aim)
        if isinstance(strategy, Hybrid) and "window" not in spec and "without" not in spec:
            self.features.attach(strategy._reader)  # noqa: SLF001 - saves most of the time
        return strategy

    def figures(self, pages: NDArray[np.int64]) -> dict[str, Any]:
        """What an order of pages found."""
        relevant = self.facts.truth.relevant
        hits, wanted = np.flatnonzero(relevant[pages]), len(self.facts.targets)
        return {
            "first": int(hits[0]) + 1 if len(hits) else None,
            "recall": [float(relevant[pages[:n]].sum() / wanted) for n in self.budgets],
            "share": [self._area(pages, n) / self._area(self._oracle, n) for n in self.budgets],
        }

    def _area(self, pages: NDArray[np.int64], budget: int) -> float:
        curve = found_curve(self.facts.truth.relevant[pages[:budget]], budget)
        return area(curve, len(self.facts.targets))


def measure(start: Start, spec: str, repeats: int) -> dict[str, Any]:
    """The means over some runs."""
    runs = [start.run(spec, number) for number in range(repeats)]
    firsts = [run["first"] or start.budgets[-1] for run in runs]
    shares = np.array([run["share"] for run in runs])
    return {
        "strategy": spec,
        "first": float(np.mean(firsts)),
        "recall": np.mean([run["recall"] for run in runs], axis=0).round(4).tolist(),
        "share": shares.mean(axis=0).round(4).tolist(),
        "between": round(float(shares[:, 1].std(ddof=1)) if repeats > 1 else 0.0, 4),
        "shares": shares.round(4).tolist(),
    }


def seeds_of(kind: str, world: ArchiveWorld, own: Sequence[int]) -> list[int]:
    """Where a crawl starts."""
    world.seeds = list(own)
    truth = facts_of(world).truth
    return {"far": lambda: [far_seed(truth)], "near": lambda: near_seeds(truth)}.get(
        kind, lambda: list(own)
    )()


def rows(options: argparse.Namespace, settings: Settings) -> Iterator[dict[str, Any]]:
    """Every unit, start and strategy."""
    archive._REMEMBERED = 1_000_000  # noqa: SLF001 - all runs read the same links
    for case in CASES:
        if options.only and case.name not in options.only.split(","):
            continue
        for unit in units(case, options.archives):
            opened = unit.prepared(settings, lambda _done, _all: None).open(settings)
            if options.regions and unit.region[0] not in options.regions.split(";"):
                continue
            world = opened.world
            assert isinstance(world, ArchiveWorld)
            own = list(world.seeds)
            region = Region.parse(unit.region, open_gazetteer(settings))
            for kind in options.starts.split(","):
                start = Start(world, region, seeds_of(kind, world, own))
                known = {
                    "archive": case.name,
                    "region": unit.region[0],
                    "start": kind,
                    "seed": world.url(world.seeds[0]),
                    "reachable": start.facts.reachable,
                    "relevant": len(start.facts.targets),
                }
                for spec in options.strategies.split(","):
                    repeats = 1 if spec == ONE_STEP else options.repeats
                    yield known | measure(start, spec, repeats)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("archives", type=Path)
    parser.add_argument("--strategies", default=f"hybrid,{ONE_STEP}")
    parser.add_argument("--starts", default="far,near")
    parser.add_argument("--only", default="", help="names of archives")
    parser.add_argument("--regions", default="", help="regions, separated by semicolons")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path, help="a file to add the figures to, one line each")
    options = parser.parse_args()
    settings = replace(load_settings(), workers=2)
    print("archive     region         start  first  recall 5/10/20 %  share 5/10/20 %  between")
    for row in rows(options, settings):
        recall, share = (
            "  ".join(f"{value:.2f}" for value in row[key]) for key in ("recall", "share")
        )
        print(
            f"{row['archive']:<11} {row['region'][:14]:<14} {row['start']:<5} {row['first']:6.0f}  "
            f"{recall}   {share}   {row['between']:.2f}  {row['strategy']}",
            flush=True,
        )
        if options.json:
            with options.json.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
