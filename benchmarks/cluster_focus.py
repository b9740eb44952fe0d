"""How much of the focus of one process several workers keep.

    python -m benchmarks.cluster_focus [--webs 5] [--pages 120000] [--budget 16000]

Simulates crawls of synthetic webs with `hybrid` (`partitioned.py`): by one process,
and by 4 and 16 workers that own sites, exchange links and learn from each other's outcomes, both
64 visits late. The figure is the area under the recall curve as a share of that of one process in
the same web, then its mean over the webs. "waits" tells that a worker skips its turn while its best
page promises less than a fifth of the best page of all.
"""

from __future__ import annotations

import argparse
import random

from benchmarks.partitioned import ClusterPlan, Sharing, simulate_cluster
from geoscout.settings import load_settings
from geoscout.strategy import Strategy, StrategyAim, create_strategy
from geoscout_lab.measures.harvest import area, found_curve
from geoscout_lab.simulation.simulate import SimulationPlan, Trace, simulate
from geoscout_lab.worlds.truth import OpenUnit, SyntheticUnit
from geoscout_places.gazetteer import Region, open_gazetteer

WAITS = 0.2  # the share of the best promise below which a worker waits
PLANS = {
    "4 workers, outcomes, waits": ClusterPlan(4, Sharing.OUTCOMES, least_share=WAITS),
    "16 workers, outcomes, waits": ClusterPlan(16, Sharing.OUTCOMES, least_share=WAITS),
    "16 workers, outcomes": ClusterPlan(16, Sharing.OUTCOMES),
    "16 workers, alone, waits": ClusterPlan(16, Sharing.ALONE, least_share=WAITS),
    "16 workers, one model, waits": ClusterPlan(16, Sharing.ONE_MODEL, least_share=WAITS),
}


def compare(unit: OpenUnit, budget: int) -> tuple[float, dict[str, float]]:
    """The area of one process, and that of each plan as a share of it."""
    gazetteer = open_gazetteer(load_settings())
    region = Region.parse(unit.region, gazetteer)
    world, plan = unit.world, SimulationPlan(budget, random_seed=1)
    reachable = sum(world.is_relevant(page) for page in range(world.size))

    def make() -> Strategy:
        return create_strategy("hybrid", StrategyAim(region, gazetteer, chance=random.Random(1)))

    def focus(trace: Trace) -> float:
        return area(found_curve(trace.relevant, budget), reachable)

    alone = focus(simulate(world, make(), plan))
    shares = {}
    for name, cluster in PLANS.items():
        done = simulate_cluster(world, make, plan, cluster)
        shares[name] = focus(done.trace) / alone
        print(f"  {name}: {shares[name]:.3f}, {done.sent:,} links sent", flush=True)
    return alone, shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--profile", default="web2025")
    parser.add_argument("--first-web", type=int, default=11, help="random seed of the first web")
    parser.add_argument("--webs", type=int, default=5)
    parser.add_argument("--pages", type=int, default=120_000)
    parser.add_argument("--budget", type=int, default=16_000)
    asked = parser.parse_args()
    found: list[dict[str, float]] = []
    for seed in range(asked.first_web, asked.first_web + asked.webs):
        unit = SyntheticUnit(asked.profile, asked.pages, seed)
        print(f"{unit.web}, {asked.pages:,} pages, {asked.budget:,} visits", flush=True)
        alone, shares = compare(unit.open(load_settings()), asked.budget)
        print(f"  one process: area {alone:.3f}", flush=True)
        found.append(shares)
    print("mean of all webs (lowest)")
    for name in PLANS:
        values = [shares[name] for shares in found]
        print(f"  {name}: {sum(values) / len(values):.3f} ({min(values):.3f})")


if __name__ == "__main__":
    main()
