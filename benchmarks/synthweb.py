"""How synthetic webs compare with the figures they are made to have, and what making them costs.

python -m benchmarks.synthweb                      # small webs, ten random seeds
python -m benchmarks.synthweb --pages 300000 --webs 3
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import deque
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from geoscout_lab.worlds.synthetic import SyntheticWeb, WebPlan, make_web, profile_names
from geoscout_lab.worlds.synthetic.pages import Role
from geoscout_places.gazetteer import open_gazetteer

_TAIL = 0.02  # of the pages, by in-degree
_BUDGET = 1 / 15  # of the URLs: 20,000 of 300,000


@dataclass(frozen=True, slots=True)
class Shape:
    """What a web looks like from above."""

    out_degree: float
    tail_exponent: float
    external_share: float
    largest_component: float
    behind_bridges: float
    linked: float
    unlinked: float
    harvest: float


def measure(web: SyntheticWeb) -> Shape:
    """The figures of one web."""
    structure = web.structure
    pages, graph = structure.pages, structure.graph
    degrees = np.diff(graph.start)
    source = np.repeat(np.arange(web.size), degrees)
    target = graph.target.astype(np.int64)
    external = pages.host[source] != pages.host[target]
    city = pages.city
    both = external & (city[source] >= 0) & (city[target] >= 0)
    shares = np.bincount(city[city >= 0]) / int((city >= 0).sum())
    return Shape(
        out_degree=float(degrees[pages.role < Role.DUPLICATE].mean()),
        tail_exponent=tail_exponent(np.bincount(target, minlength=web.size)),
        external_share=float(external.mean()),
        largest_component=largest_component(source, target, web.size),
        behind_bridges=behind_bridges(web, source, target),
        linked=float((city[source] == city[target])[both].mean()),
        unlinked=float((shares**2).sum()),
        harvest=breadth_first_harvest(web, int(web.size * _BUDGET)),
    )


def tail_exponent(degrees: np.ndarray) -> float:
    """Hill's estimate of the exponent of the density, over the top of the in-degrees."""
    largest = np.sort(degrees)[::-1]
    count = int(_TAIL * len(largest))
    return 1 + 1 / float(np.mean(np.log(largest[:count] / largest[count])))


def largest_component(source: np.ndarray, target: np.ndarray, size: int) -> float:
    """The share of URLs in the largest strongly connected component."""
    ones = np.ones(len(source), dtype=np.int8)
    _, labels = connected_components(
        csr_matrix((ones, (source, target)), shape=(size, size)), connection="strong"
    )
    return float(np.bincount(labels).max() / size)


def behind_bridges(web: SyntheticWeb, source: np.ndarray, target: np.ndarray) -> float:
    """The share of relevant pages that no relevant page links to."""
    relevant = web.structure.relevant
    reached = np.zeros(web.size, dtype=np.bool_)
    reached[target[relevant[source]]] = True
    return 1 - float(reached[relevant].mean())


def breadth_first_harvest(web: SyntheticWeb, budget: int) -> float:
    """The share of relevant pages among the first visits."""
    known, queue = set(web.seeds), deque(web.seeds)
    visits = found = 0
    while queue and visits < budget:
        page = queue.popleft()
        visits += 1
        found += web.is_relevant(page)
        new = [t for t in web.targets(page) if t not in known]
        known.update(new)
        queue.extend(new)
    return found / visits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=60_000)
    parser.add_argument("--webs", type=int, default=10)
    parser.add_argument("--profiles", default=",".join(profile_names()))
    arguments = parser.parse_args()
    gazetteer = open_gazetteer()
    fields = Shape.__slots__
    print(f"| profile | {' | '.join(name.replace('_', ' ') for name in fields)} |")
    print(f"|---|{'---|' * len(fields)}")
    for profile in arguments.profiles.split(","):
        begun = time.process_time()
        plans = [WebPlan(profile, seed + 1, arguments.pages) for seed in range(arguments.webs)]
        shapes = [measure(make_web(plan, gazetteer)) for plan in plans]
        means = [float(np.mean([getattr(shape, name) for shape in shapes])) for name in fields]
        print(f"| `{profile}` | {' | '.join(f'{mean:.3f}' for mean in means)} |")
        each = (time.process_time() - begun) / len(plans)
        print(f"<!-- {each:.1f} s of CPU a web, measuring included -->")
    _measure_pages(make_web(plans[0], gazetteer))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"\nmost memory: {memory} MB")


def _measure_pages(web: SyntheticWeb) -> None:
    chance = np.random.default_rng(1)
    pages = chance.choice(web.size, 4000, replace=False).tolist()
    for page in pages[:2000]:  # the pools of sentences are made on first use
        web.links(page)
    for name, ask in (("links", web.links), ("html", web.html)):
        begun = time.process_time()
        for page in pages[2000:]:
            ask(page)
        cost = (time.process_time() - begun) / 2000
        print(f"\n{name} of a page: {cost * 1e6:.0f} µs of CPU")


if __name__ == "__main__":
    main()
