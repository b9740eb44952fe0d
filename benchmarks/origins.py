"""What domain, language and registrant of a site bring to the names of its pages.

    python -m benchmarks.origins [--corpora DIR]

Reads the local news of LGL (../shared/corpora or GEOSCOUT_CORPORA) in three ways: each item alone,
each with what the items of its site before it tell, and each with what all others tell. For each
way it prints the end-to-end F1 of `score.py` with one kind of evidence at a time:

- registrants: there are no records of these newspapers' domains. `newspapers.tsv` was written by
  hand and has two places for each: the town where it appears, and the seat of the company that
  owned it in 2009. The first is what a registrant says at best, the second at worst.
- domains of cities and regions: as if the site were below the domain of its town or state.

The languages of LGL are one, which counts for nothing; `python -m benchmarks.passages` reads nine.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.geoeval import find_corpora
from geoscout.crawling.site_memory import SiteMemory
from geoscout.gazetteer import open_gazetteer
from geoscout.gazetteer.base import Gazetteer
from geoscout.geo import Geoparser
from geoscout.geo.origin import OriginWeights
from geoscout.geo.presenting import mention_as_json
from geoscout.model import Kind, Page, Place, Reading
from geoscout.parse import parse_text
from geoscout.urls import host_of, registrable_domain

WEIGHTS = (0.1, 0.2, 0.5, 1.0)
NEWSPAPERS = Path(__file__).with_name("newspapers.tsv")

Read = Callable[[Geoparser, Sequence[Page], Mapping[str, Place]], list[Reading]]


def main() -> None:
    """Read and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", help="folder with geoeval/ in it")
    folder = find_corpora(parser.parse_args().corpora)
    if folder is None:
        print("no labelled texts here: set GEOSCOUT_CORPORA or --corpora; nothing was scored")
        return
    score = load_scorer(folder / "score.py")
    documents = [json.loads(line) for line in (folder / "lgl.jsonl").open(encoding="utf-8")]
    pages = [parse_text(document["text"], document["url"]) for document in documents]
    gazetteer = open_gazetteer()
    towns, owners = read_places(gazetteer, pages)
    geoparser = Geoparser(gazetteer)
    print("| evidence | weight | alone | with those before | with all others |")
    print("|---|---|---|---|---|")
    regions = {url: region_of(place, gazetteer) for url, place in towns.items()}
    kinds: Sequence[tuple[str, Mapping[str, Place], Sequence[float]]] = (
        ("none", {}, (0.0,)),
        ("the town", towns, WEIGHTS),
        ("its region", regions, WEIGHTS),
        ("the owner", owners, WEIGHTS),
    )
    for name, places, weights in kinds:
        for weight in weights:
            geoparser.origins.weights = OriginWeights(registrant=weight)
            readings = [read(geoparser, pages, places) for read in WAYS]
            cells = " | ".join(f"{f1_of(documents, of, score):.3f}" for of in readings)
            print(f"| {name} | {weight} | {cells} |", flush=True)


def f1_of(documents: Sequence[Any], readings: Sequence[Reading], score: ModuleType) -> float:
    """The end-to-end F1 of some readings."""
    found = {
        str(document["doc_id"]): {"toponyms": [mention_as_json(m) for m in reading.mentions]}
        for document, reading in zip(documents, readings, strict=True)
    }
    figures: dict[str, float] = score.toponyms(documents, found, demonyms=True, recall_only=False)
    return figures["e2e_f1"]


def load_scorer(file: Path) -> ModuleType:
    """The scorer of the labelled texts as a module."""
    spec = importlib.util.spec_from_file_location("score", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_places(
    gazetteer: Gazetteer, pages: Sequence[Page]
) -> tuple[dict[str, Place], dict[str, Place]]:
    """By URL, the town of the newspaper and the seat of its owner."""
    rows = [line.split("\t") for line in NEWSPAPERS.read_text("utf-8").splitlines()[1:]]
    known = {domain: [gazetteer.search(name)[0].place for name in names] for domain, *names in rows}
    found = {page.url: known[registrable_domain(host_of(page.url))] for page in pages}
    return {url: of[0] for url, of in found.items()}, {url: of[1] for url, of in found.items()}


def region_of(place: Place, gazetteer: Gazetteer) -> Place:
    """The first-level region of a place, or the place itself."""
    above = [found for found in gazetteer.ancestors(place) if found.kind is Kind.REGION]
    return above[-1] if above else place


def read_alone(
    geoparser: Geoparser, pages: Sequence[Page], places: Mapping[str, Place]
) -> list[Reading]:
    """Each page as the first of its site."""
    memory = SiteMemory(registrant_of=places.get)
    return [geoparser.read(page, memory.recall(page.url)) for page in pages]


def read_in_order(
    geoparser: Geoparser, pages: Sequence[Page], places: Mapping[str, Place]
) -> list[Reading]:
    """Each page with what those before it tell, as a crawl does."""
    memory, readings = SiteMemory(registrant_of=places.get), []
    for page in pages:
        reading = geoparser.read(page, memory.recall(page.url))
        memory.learn(page.url, geoparser.notes(page, reading))
        readings.append(reading)
    return readings


def read_twice(
    geoparser: Geoparser, pages: Sequence[Page], places: Mapping[str, Place]
) -> list[Reading]:
    """Each page with what all others tell, as a batch does."""
    memory = SiteMemory(registrant_of=places.get)
    notes = []
    for page in pages:
        own = geoparser.notes(page, geoparser.read(page, memory.recall("")))
        memory.learn(page.url, own)
        notes.append(own)
    known = (memory.recall(page.url, without=own) for page, own in zip(pages, notes, strict=True))
    return [geoparser.read(page, site) for page, site in zip(pages, known, strict=True)]


WAYS: Sequence[Read] = (read_alone, read_in_order, read_twice)


if __name__ == "__main__":
    main()
