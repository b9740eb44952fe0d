"""Scores every judge on pages that none of them was made with.

    python -m benchmarks.relevance.elsewhere [--corpora DIR]

`labelled.jsonl` has pages that were read for one region each, drawn by stratum: a page counts as
many times as there are pages of its stratum for one that was drawn, and those that the reader was
not sure of are left out. `dialled.jsonl` has home pages of institutions with their towns, as the
makers of a list gave them: a page should be relevant for the province and the town of its
institution, and for no other. Half of them do not say where they are, so recall is low for
everybody, and only the order of the judges counts. Each page is read alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from geoscout.fetch.archive import ArchiveFetcher
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo import Geoparser
from geoscout_places.geo.relevance import Judge, RelevanceRule
from geoscout_places.model import Page, Reading, Request
from geoscout_places.parse import parse_document

MOST = 9  # provinces, and towns
Read = Mapping[str, tuple[Page, Reading]]
Case = tuple[str, bool, float]  # URL, whether it should be relevant, and how often it counts


def main() -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, help="the folder with relevance/")
    given = parser.parse_args().corpora or os.environ.get("GEOSCOUT_CORPORA")
    folder = Path(given or Path(__file__).parents[3] / "shared" / "corpora") / "relevance"
    if not folder.is_dir():
        print(f"no {folder}: nothing to score")
        return
    gazetteer = open_gazetteer()
    for name, units in (("labelled", labelled_units), ("dialled", dialled_units)):
        rows = [json.loads(line) for line in (folder / f"{name}.jsonl").open(encoding="utf-8")]
        pages = dict(
            read_pages(folder / f"{name}.warc.gz", {row["url"] for row in rows}, gazetteer)
        )
        _print(name, units([row for row in rows if row["url"] in pages]), pages, gazetteer)


def read_pages(
    archive: Path, urls: Iterable[str], gazetteer: Gazetteer
) -> Iterator[tuple[str, tuple[Page, Reading]]]:
    """The pages of an archive by their URLs, geoparsed."""
    geoparser, fetcher = Geoparser(gazetteer), ArchiveFetcher([archive])
    for url in sorted(urls):
        response = asyncio.run(fetcher.fetch(Request(url)))
        if response.status == HTTPStatus.OK:
            page = parse_document(response.body, url, response.header("content-type"))
            yield url, (page, geoparser.read(page))


def labelled_units(rows: Sequence[dict[str, Any]]) -> dict[str, list[Case]]:
    """The pages of each region; labels that were not sure are left out."""
    drawn = Counter((row["region"], row["stratum"]) for row in rows)
    units: dict[str, list[Case]] = {}
    for row in rows:
        weight = row["population"] / drawn[row["region"], row["stratum"]]
        if not row["unsure"]:
            case = (row["url"], row["label"] == "about", weight)
            units.setdefault(row["region"], []).append(case)
    return units


def dialled_units(rows: Sequence[dict[str, Any]]) -> dict[str, list[Case]]:
    """All pages for each of the provinces and towns with the most institutions."""
    units: dict[str, list[Case]] = {}
    for parts in (("province",), ("community", "province")):
        regions = [
            {", ".join(place[part] for part in parts) for place in row["places"]} for row in rows
        ]
        for name, _ in Counter(chain.from_iterable(regions)).most_common(MOST):
            cases = [
                (row["url"], name in there, 1.0) for row, there in zip(rows, regions, strict=True)
            ]
            units[f"{name}, Canada"] = cases
    return units


def _print(
    title: str, units: Mapping[str, Sequence[Case]], pages: Read, gazetteer: Gazetteer
) -> None:
    rules = list(RelevanceRule)
    print(f"\n| {title} | pages | {' | '.join(f'{rule}: P, R, F' for rule in rules)} |")
    print(f"|---|---|{'---|' * len(rules)}")
    found: list[list[tuple[float, float, float]]] = []
    for name, cases in units.items():
        judges = [Judge(Region.parse(name, gazetteer), rule) for rule in rules]
        found.append([_score(judge, cases, pages) for judge in judges])
        print(f"| {name} | {len(cases)} | {' | '.join(map(_cell, found[-1]))} |")
    by_rule = [np.array(column) for column in zip(*found, strict=True)]
    print(f"| mean | | {' | '.join(_cell(column.mean(0)) for column in by_rule)} |")
    print(f"| least F | | {' | '.join(f'{column[:, 2].min():.2f}' for column in by_rule)} |")


def _score(judge: Judge, cases: Sequence[Case], pages: Read) -> tuple[float, float, float]:
    """Precision, recall and F, each page counted by its weight."""
    hits = said = true = 0.0
    for url, should_be, weight in cases:
        is_relevant = judge.judge(*pages[url]).relevant
        said += weight * is_relevant
        true += weight * should_be
        hits += weight * (is_relevant and should_be)
    return hits / max(said, 1e-9), hits / max(true, 1e-9), 2 * hits / max(said + true, 1e-9)


def _cell(scores: Iterable[float]) -> str:
    return ", ".join(f"{score:.2f}" for score in scores)


if __name__ == "__main__":
    main()
