"""Labelled pages of many kinds, each with the region it was labelled for.

Five sets. `ours` was read for the project, region by region; `many` one page a site, of some sixty
countries; `read` for three regions of one site or a few each, drawn by stratum, where a page counts
as often as there are pages of its stratum for one that was drawn. `homes` are home pages of
institutions with their towns as the makers of a list gave them: a page should be relevant for the
province and the town, and for no other; many do not say where they are. `directories` tell the
state of each page by its URL.

Pages are read as `geoscout compare` reads them. Each case has the kind of its site: kinds are what
is left out together when something is chosen.
"""

from __future__ import annotations

import asyncio
import csv
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any
from zlib import crc32

from geoscout.fetch.archive import ArchiveFetcher, archive_files
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo import Geoparser
from geoscout_places.model import Page, Reading, Request
from geoscout_places.reading import Document, PageReader

FOLDER = Path(__file__).parent
MOST = 9  # provinces, and towns
STATES = ("California", "New York State", "Texas", "Oregon", "Virginia", "Ohio")
DRAWN = 1_500  # pages of the directories
KINDS = {
    "university sites 1997": "webkb", "business directories": "usdirs", "city portal": "munich",
    "texts about no place": "philde", "libraries and museums, Canada": "homes",
    "libraries and museums, Québec": "homes",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """A page and a region."""

    unit: str  # what is scored together
    kind: str  # what is left out together
    region: str
    archive: str  # below the corpora; with "#" and an id, a text in a file of JSON lines
    url: str
    is_about: bool
    weight: float = 1.0
    is_sure: bool = True


def ours(_: Path) -> Iterator[Case]:
    """The labels of this project, without those of damaged copies."""
    for row in _rows(FOLDER / "labels.tsv"):
        if row["label"] != "damaged":
            archive, region, is_about = row["archive"], row["region"], row["label"] == "about"
            url = row["url"]
            yield Case(region, archive, region, f"archives/{archive}", url=url, is_about=is_about)


def many(_: Path) -> Iterator[Case]:
    """One page a site; those that two readers saw differently are not sure."""
    for row in _rows(FOLDER / "labels_of_many_sites.tsv"):
        unit, is_about = row["sites"], row["label"] == "about"
        kind = KINDS.get(unit, unit.split(",", maxsplit=1)[0].split(" and ", maxsplit=1)[0])
        sure = row["sure"] == "yes"
        archive, url = row["archive"], row["url"]
        yield Case(unit, kind, row["region"], archive, url, is_about=is_about, is_sure=sure)


def read(corpora: Path) -> Iterator[Case]:
    """Pages that were drawn by stratum and read for one region each."""
    rows = _lines(corpora / "relevance" / "labelled.jsonl")
    drawn = Counter((row["region"], row["stratum"]) for row in rows)
    for row in rows:
        region, is_about = row["region"], row["label"] == "about"
        weight = row["population"] / drawn[region, row["stratum"]]
        archive, url, sure = "relevance/labelled.warc.gz", row["url"], not row["unsure"]
        yield Case(
            region, region, region, archive, url, is_about=is_about, weight=weight, is_sure=sure
        )


def homes(corpora: Path) -> Iterator[Case]:
    """Home pages, each for the provinces and the towns that have most institutions."""
    rows = _lines(corpora / "relevance" / "dialled.jsonl")
    for parts in (("province",), ("community", "province")):
        regions = [
            {", ".join(place[part] for part in parts) for place in row["places"]} for row in rows
        ]
        for name, _ in Counter(chain.from_iterable(regions)).most_common(MOST):
            unit, region = f"{parts[0]} {name}", f"{name}, Canada"
            for row, there in zip(rows, regions, strict=True):
                archive, url = "relevance/dialled.warc.gz", row["url"]
                yield Case(unit, "homes", region, archive, url, is_about=name in there)


def directories(corpora: Path) -> Iterator[Case]:
    """Pages of directories, a part of them, for six states."""
    file = corpora / "archives" / "usdirs" / "labels.json"
    states = {url: label.get("state") for url, label in json.loads(file.read_text()).items()}
    urls = sorted(filter(states.get, states), key=lambda url: crc32(url.encode()))[:DRAWN]
    for name in STATES:
        state = name.removesuffix(" State").lower().replace(" ", "-")
        for url in urls:
            region, is_about = f"{name}, United States", states[url] == state
            yield Case(name, "usdirs", region, "archives/usdirs", url, is_about=is_about)


SETS = (ours, many, read, homes, directories)


def _rows(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.open(encoding="utf-8")]


Read = Mapping[tuple[str, str], tuple[Page, Reading]]  # by archive and URL


def read_pages(
    cases: Iterable[Case], corpora: Path, pages_of_many: Path, gazetteer: Gazetteer
) -> Read:
    """The pages of cases; one whose page is not there is not in it."""
    urls: defaultdict[str, set[str]] = defaultdict(set)
    for case in cases:
        urls[case.archive].add(case.url)
    reader, found = PageReader(Geoparser(gazetteer)), {}
    for archive, wanted in urls.items():
        for document in _documents(archive, sorted(wanted), corpora, pages_of_many):
            page = reader.read(document)
            found[archive, document.url] = (page.seen, page.reading)
    return found


def _documents(
    archive: str, urls: Sequence[str], corpora: Path, pages_of_many: Path
) -> Iterator[Document]:
    file, _, id = archive.partition("#")
    if id:
        yield Document(urls[0], _texts(corpora / file)[id])
        return
    source = corpora / file if (corpora / file).exists() else pages_of_many
    if not source.exists():
        return
    fetcher = _fetcher(source)
    for url in urls:
        response = asyncio.run(fetcher.fetch(Request(url)))
        if response.status == 200:
            yield Document(url, response.body, response.header("content-type"))


@cache
def _fetcher(source: Path) -> ArchiveFetcher:
    return ArchiveFetcher(archive_files([source]))


@cache
def _texts(file: Path) -> dict[str, str]:
    return {str(row["doc_id"]): row["text"] for row in _lines(file)}
