"""Scores every judge on labelled pages: precision, recall and F for *about*, overall and by region.

    python -m benchmarks.relevance [--corpora DIR]

The pages are not part of the project: their archives are looked for in --corpora, GEOSCOUT_CORPORA
or ../shared/corpora. Where they are missing this says so and ends well. `about, other sites` is
the judge with weights fitted without the site of each page, which is how well it does on sites it
has not seen; `about` has the weights of the code, which were fitted on all of these pages.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.relevance.fit import SIGNS, Numbers, cross_validated, fit
from benchmarks.relevance.truth import Label, LabelledPage, read_labels, read_pages
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.relevance import Judge, RelevanceRule
from geoscout_places.geo.relevance.judge import RegionEvidenceReader
from geoscout_places.geo.relevance.rules import THRESHOLD

Flags = NDArray[np.bool_]
UNSEEN = "about, other sites"


def main() -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, help="the folder with archives/")
    arguments = parser.parse_args()
    given = arguments.corpora or os.environ.get("GEOSCOUT_CORPORA")
    corpora = Path(given or Path(__file__).parents[3] / "shared" / "corpora")
    labels = read_labels()
    if not all((corpora / "archives" / label.archive).is_dir() for label in labels):
        print(f"no archives in {corpora}: nothing to score")
        return
    gazetteer = open_gazetteer()
    pages = list(read_pages(labels, corpora, gazetteer))
    changed = sum(not page.is_the_same for page in pages)
    print(f"{len(pages)} pages and regions; the text of {changed} is not the labelled one\n")
    report(pages, gazetteer)


def report(pages: Sequence[LabelledPage], gazetteer: Gazetteer) -> None:
    """Print the scores of every judge, the time of a page, and the weights of the fit."""
    labels = [page.label for page in pages]
    is_about = np.array([label.is_about for label in labels])
    regions = {name: Region.parse([name], gazetteer) for name in {x.region for x in labels}}
    said = {str(rule): _said(rule, pages, regions) for rule in RelevanceRule}
    values = _values(pages, regions)
    said[UNSEEN] = cross_validated(values, is_about, [x.site for x in labels]) >= THRESHOLD
    _print_overall(said, is_about, np.array([label.sure for label in labels]))
    _print_regions(said, is_about, labels)
    weights = dict(zip([*SIGNS, "nothing"], fit(values, is_about).round(2).tolist(), strict=True))
    print(f"\nweights fitted on all pages: {weights}")


def _said(rule: str, pages: Sequence[LabelledPage], regions: dict[str, Region]) -> Flags:
    judges = {name: Judge(region, rule) for name, region in regions.items()}
    for page in pages:  # so that the time is that of a crawl that has met most places
        judges[page.label.region].judge(page.page, page.reading)
    said: list[bool] = []
    spent: list[str] = []
    for archive in dict.fromkeys(page.label.archive for page in pages):
        started = time.process_time()
        here = [page for page in pages if page.label.archive == archive]
        said += [judges[p.label.region].judge(p.page, p.reading).relevant for p in here]
        seconds = (time.process_time() - started) / len(here)
        spent.append(f"{archive} {seconds * 1000:.3f}")
    print(f"{rule}: milliseconds for a page of {', '.join(spent)}")
    return np.array(said)


def _values(pages: Sequence[LabelledPage], regions: dict[str, Region]) -> Numbers:
    readers = {name: RegionEvidenceReader(region) for name, region in regions.items()}
    found = [readers[page.label.region].read(page.page, page.reading) for page in pages]
    return np.array([[getattr(evidence, name) for name in SIGNS] for evidence in found])


def _print_overall(said: dict[str, Flags], is_about: Flags, sure: Flags) -> None:
    print("\n| judge | all: P | R | F | sure ones: P | R | F |\n|---|---|---|---|---|---|---|")
    for name, flags in said.items():
        every, certain = scores(flags, is_about), scores(flags[sure], is_about[sure])
        print(f"| {name} | {' | '.join(f'{x:.2f}' for x in (*every, *certain))} |")


def _print_regions(said: dict[str, Flags], is_about: Flags, labels: Sequence[Label]) -> None:
    heads = [UNSEEN, *RelevanceRule]
    print(f"\n| region | pages | about | {' | '.join(f'{x}: P, R, F' for x in heads)} |")
    print(f"|---|---|---|{'---|' * len(heads)}")
    for region in sorted({label.region for label in labels}):
        here = np.array([label.region == region for label in labels])
        cells = [scores(said[name][here], is_about[here]) for name in heads]
        shown = " | ".join(", ".join(f"{x:.2f}" for x in cell) for cell in cells)
        print(f"| {region} | {here.sum()} | {is_about[here].sum()} | {shown} |")


def scores(said: Flags, true: Flags) -> tuple[float, float, float]:
    """Precision, recall and their harmonic mean."""
    hits = float(np.count_nonzero(said & true))
    precision = hits / (int(np.count_nonzero(said)) or 1)
    recall = hits / (int(np.count_nonzero(true)) or 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


if __name__ == "__main__":
    main()
