"""Judges on cases: what each says, and precision, recall and F for each unit."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.relevance.truth import Case, Read, read_pages
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.relevance import Judge
from geoscout_places.model import Page, Reading

Flags = NDArray[np.bool_]
T = TypeVar("T")
Scores = tuple[float, float, float]  # precision, recall, F
LEAST = 2  # pages about the region that a unit needs to be scored


@dataclass(frozen=True, slots=True)
class Asked:
    """Where the pages are."""

    corpora: Path
    pages_of_many: Path

    @classmethod
    def parse(cls, description: str | None) -> Asked | None:
        """What the command line says; None, and a word about it, where the pages are missing."""
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--corpora", type=Path, help="the folder with archives/ and relevance/")
        parser.add_argument("--many", type=Path, help="the archive with pages of many sites")
        given = parser.parse_args()
        found = given.corpora or os.environ.get("GEOSCOUT_CORPORA")
        corpora = Path(found or Path(__file__).parents[3] / "shared" / "corpora")
        if not (corpora / "relevance").is_dir() or not (corpora / "archives").is_dir():
            print(f"no archives and labels in {corpora}: nothing to score")
            return None
        return cls(corpora, given.many or corpora / "relevance" / "many.warc.gz")

    def read(
        self, sets: Iterable[Callable[[Path], Iterator[Case]]]
    ) -> tuple[list[list[Case]], Read, Gazetteer]:
        """The cases of each set whose pages are there, and the pages."""
        gazetteer = open_gazetteer()
        cases = [list(labelled(self.corpora)) for labelled in sets]
        every = [case for labelled in cases for case in labelled]
        pages = read_pages(every, self.corpora, self.pages_of_many, gazetteer)
        missing = sum((case.archive, case.url) not in pages for case in every)
        print(f"{len(every)} cases, {len(pages)} pages; the pages of {missing} cases are missing\n")
        there = [[case for case in of if (case.archive, case.url) in pages] for of in cases]
        return there, pages, gazetteer


def ask(
    cases: Sequence[Case], pages: Read, make: Callable[[str], Callable[[Page, Reading], T]]
) -> list[T]:
    """What is said of each case; `make` gives who says it of a region."""
    said: dict[int, T] = {}
    by_region = sorted(range(len(cases)), key=lambda number: cases[number].region)
    for region, numbers in groupby(by_region, key=lambda number: cases[number].region):
        reader = make(region)
        for number in numbers:
            said[number] = reader(*pages[cases[number].archive, cases[number].url])
    return [said[number] for number in range(len(cases))]


def by_rule(rule: str, gazetteer: Gazetteer) -> Callable[[str], Callable[[Page, Reading], bool]]:
    """Judges by a rule, for `ask`."""

    def make(region: str) -> Callable[[Page, Reading], bool]:
        judge = Judge(Region.parse(region, gazetteer), rule)
        return lambda page, reading: judge.judge(page, reading).relevant

    return make


def units_of(cases: Sequence[Case]) -> dict[str, NDArray[np.int_]]:
    """The numbers of the cases of each unit that can be scored; those not sure are left out."""
    found: dict[str, list[int]] = {}
    for number, case in enumerate(cases):
        if case.is_sure:
            found.setdefault(case.unit, []).append(number)
    about = {unit: sum(cases[number].is_about for number in found[unit]) for unit in found}
    return {unit: np.array(found[unit]) for unit in found if about[unit] >= LEAST}


def score(said: Flags, cases: Sequence[Case]) -> Scores:
    """Precision, recall and F, each case counted by its weight."""
    weights = np.array([case.weight for case in cases])
    true = np.array([case.is_about for case in cases])
    hits = float(weights[said & true].sum())
    all_said, all_true = float(weights[said].sum()), float(weights[true].sum())
    return (
        hits / max(all_said, 1e-9),
        hits / max(all_true, 1e-9),
        2 * hits / max(all_said + all_true, 1e-9),
    )


def print_set(title: str, cases: Sequence[Case], pages: Read, gazetteer: Gazetteer) -> None:
    """A table of the units of a set, the rules beside each other, and what a page costs."""
    rules, spent = ["scope", "about", "address", "either"], []
    said = []
    for rule in rules:
        started = time.process_time()
        said.append(np.array(ask(cases, pages, by_rule(rule, gazetteer))))
        spent.append(f"{rule} {(time.process_time() - started) / len(cases) * 1000:.2f}")
    print(f"| {title} | pages | about | {' | '.join(f'{rule}: P, R, F' for rule in rules)} |")
    print(f"|---|---|---|{'---|' * len(rules)}")
    rows = []
    for unit, numbers in units_of(cases).items():
        of_unit = [cases[number] for number in numbers]
        rows.append([score(flags[numbers], of_unit) for flags in said])
        about = sum(case.is_about for case in of_unit)
        print(f"| {unit} | {len(of_unit)} | {about} | {' | '.join(map(_cell, rows[-1]))} |")
    table = np.array(rows)
    print(f"| mean of {len(rows)} | | | {' | '.join(map(_cell, table.mean(0)))} |")
    print(f"| least F | | | {' | '.join(f'{least:.2f}' for least in table[:, :, 2].min(0))} |")
    print(f"\nmilliseconds for a page, with the beginning of each region: {', '.join(spent)}\n")


def _cell(scores: Iterable[float]) -> str:
    return ", ".join(f"{value:.2f}" for value in scores)
