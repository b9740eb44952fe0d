"""The table of docs/results/archives.md, of what `geoscout compare --budget 20%` wrote.

    python -m benchmarks.archive_table webkb munich schools usdirs

The areas at 5 and 10 % are read off the curves, which have 200 points.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np

PARTS = {"5 %": 0.25, "10 %": 0.5, "20 %": 1.0}  # of the budget
STRATEGIES = ("breadth", "distance", "hybrid", "one-step-oracle")
Unit = tuple[str, str]


def area(run: dict[str, Any], part: float) -> float:
    """The mean number of relevant pages over the first part of a budget."""
    visits = np.arange(1, round(part * run["budget"]) + 1)
    found = np.interp(visits, run["curve"]["visits"], run["curve"]["found"])
    return float(found.mean())


def main() -> None:
    """Print a line for each region, and the means at each share of the pages."""
    runs = [
        run
        for folder in sys.argv[1:]
        for run in json.loads((Path(folder) / "results.json").read_text(encoding="utf-8"))["runs"]
    ]
    units: dict[Unit, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        units[run["web"], run["region"]][run["strategy"]].append(run)
    shares: dict[str, dict[str, list[list[float]]]] = defaultdict(lambda: defaultdict(list))
    for (web, region), by in units.items():
        (oracle,) = by["oracle"]
        for name in STRATEGIES:
            for share, part in PARTS.items():
                found = [area(run, part) / area(oracle, part) for run in by[name]]
                shares[name][share].append(found)
        recalls = [f"{fmean(run['recall'] for run in by[name]):.2f}" for name in STRATEGIES[:3]]
        areas = [
            "/".join(f"{fmean(shares[name][share][-1]):.2f}" for share in PARTS)
            for name in STRATEGIES
        ]
        known = f"{oracle['reachable_relevant']:,} of {oracle['reachable']:,}"
        print("|", " | ".join([web.replace("+", " + "), region, known, *recalls, *areas]), "|")
    for name, by_share in shares.items():
        means = ", ".join(f"{fmean(map(fmean, by_share[share])):.2f}" for share in PARTS)
        spread = fmean(stdev(one) if len(one) > 1 else 0.0 for one in by_share["5 %"])
        print(f"{name}: {means}; between random seeds at 5 %: {spread:.3f}")


if __name__ == "__main__":
    main()
