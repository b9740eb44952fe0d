"""Seeds from a map against seeds by hand: the harvest of the same crawl, on synthetic webs.

    python -m benchmarks.seeds [--pages 60000] [--webs 3] [--profile ahlers2009,web2025]

The map is made from the web's hosts and has the defects of real ones: only a part of the local
sites is on it (`--on-map`), points are a few hundred metres off, chains have a branch in every
town, some of them with the page of the branch, and nothing says who is important. Seeds by hand are
those of the profile: local hosts, known ones more likely, which is what a person would name. Both
crawls use `hybrid` and the same number of pages; the harvest is given at several budgets. A host is
"found" if a page of it was relevant, within the largest budget.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from geoscout.seeding.gather import gather_seeds
from geoscout.settings import load_settings
from geoscout.strategy import StrategyAim, create_strategy
from geoscout_lab.simulation.simulate import SimulationPlan, simulate
from geoscout_lab.worlds.synthetic.hosts import LOCAL, HostType
from geoscout_lab.worlds.synthetic.pages import Role
from geoscout_lab.worlds.synthetic.web import SyntheticWeb, WebPlan, make_web
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.parse import parse_html

OFF_DEGREES = 0.004  # a few hundred metres
BRANCH_PAGES = 0.5  # of the branches on a map that name their own page, not the home page
TAGS = {
    HostType.BUSINESS: {"shop": "yes"},
    HostType.PORTAL: {"amenity": "townhall"},
    HostType.ORGANISATION: {"club": "yes"},
    HostType.CHAIN: {"shop": "yes"},
}


class Outcome(NamedTuple):
    """What a crawl has found."""

    harvests: tuple[float, ...]  # at each budget
    hosts: int


def main() -> None:
    """Print a table for each profile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=60_000)
    parser.add_argument("--webs", type=int, default=3)
    parser.add_argument("--first", type=int, default=41, help="random seed of the first web")
    parser.add_argument("--profile", default="ahlers2009,web2025")
    parser.add_argument("--on-map", type=float, default=0.3, help="share of local sites on it")
    words = parser.parse_args()
    gazetteer = open_gazetteer(replace(load_settings(), extras=False))
    for profile in words.profile.split(","):
        webs = range(words.first, words.first + words.webs)
        results = [_measure(profile, number, words, gazetteer) for number in webs]
        _print(profile, results, _budgets(words.pages))


def _print(profile: str, results: Sequence[dict[str, Outcome]], budgets: Sequence[int]) -> None:
    ten = _means([result["10 by hand"] for result in results])
    names = "".join(f"{budget:>14,}" for budget in budgets)
    print(f"{profile}: harvest and its relation to 10 by hand at budgets, hosts found")
    print(f"  {'':12}{names}")
    for name in results[0]:
        means = _means([result[name] for result in results])
        cells = "".join(f"  {m:.3f} ({m / t:.2f})" for m, t in zip(means, ten, strict=True))
        print(f"  {name:12}{cells}  {statistics.mean(r[name].hosts for r in results):.0f}")


def _means(outcomes: Sequence[Outcome]) -> list[float]:
    return [statistics.mean(column) for column in zip(*(o.harvests for o in outcomes), strict=True)]


def _measure(
    profile: str, number: int, words: argparse.Namespace, gazetteer: Gazetteer
) -> dict[str, Outcome]:
    """What crawls find, by their seeds."""
    web = make_web(WebPlan(profile, number, words.pages), gazetteer, parse_html)
    region = Region.parse(web.region, gazetteer)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.geojson"
        path.write_text(json.dumps(_map(web, random.Random(number), words.on_map)))
        found = gather_seeds([path], gazetteer, region, most=100)
    pages = {web.url(page): page for page in range(web.size)}
    mapped = [pages[seed.url] for seed in found if seed.url in pages]
    by_hand = list(web.seeds)
    crawls = {f"{n} by hand": by_hand[:n] for n in (1, 10, 20)}
    crawls |= {f"{n} of a map": mapped[:n] for n in (1, 10, 100)}
    crawls["10 + 100"] = [*by_hand[:10], *mapped]
    budgets = _budgets(words.pages)
    return {name: _crawl(web, seeds, region, budgets) for name, seeds in crawls.items()}


def _budgets(pages: int) -> list[int]:
    return [pages // 200, pages // 50, pages // 15]


def _crawl(
    web: SyntheticWeb, seeds: Sequence[int], region: Region, budgets: Sequence[int]
) -> Outcome:
    strategy = create_strategy("hybrid", StrategyAim(region, region.gazetteer))
    plan = SimulationPlan(budgets[-1])
    trace = simulate(web.from_seeds(list(dict.fromkeys(seeds))), strategy, plan)
    harvests = tuple(float(trace.relevant[:budget].sum()) / budget for budget in budgets)
    return Outcome(harvests, len({web.host(int(page)) for page in trace.pages[trace.relevant]}))


def _map(web: SyntheticWeb, chance: random.Random, share: float) -> dict[str, object]:
    homes: dict[int, str] = {}
    for page in range(web.size):
        if web.role(page) == Role.HOME:
            homes[web.host(page)] = web.url(page)
    features = []
    for page in range(web.size):
        role, kind = web.role(page), web.host_type(page)
        is_site = role == Role.HOME and kind in LOCAL
        is_branch = role == Role.LOCATOR and kind is HostType.CHAIN
        place = web.place(page)
        if place is None or not (is_site or is_branch) or chance.random() >= share:
            continue
        own_page = is_site or chance.random() < BRANCH_PAGES
        website = web.url(page) if own_page else homes.get(web.host(page), web.url(page))
        longitude = place.point.longitude + chance.gauss(0, OFF_DEGREES)
        latitude = place.point.latitude + chance.gauss(0, OFF_DEGREES)
        point = {"type": "Point", "coordinates": [longitude, latitude]}
        tags = {"name": f"Site {page}", "website": website, **TAGS[kind]}
        node = {"type": "Feature", "id": f"node/{page}", "geometry": point, "properties": tags}
        features.append(node)
    return {"type": "FeatureCollection", "features": features}


if __name__ == "__main__":
    main()
