"""A world made of archives: real pages, a region, and what the geoparser or a file says is true.

It is closed: links out of the archives are dropped, and how many is reported. Numbers, links and
judgements are in memory; pages and their readings stay in the file of `archive_pages` until they
are looked at.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import weakref
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from geoscout.crawling.follow import Reach
from geoscout.fetch.archive import ArchiveFetcher
from geoscout.settings import DEFAULT_RELEVANCE, Settings
from geoscout.warc import unpack
from geoscout_lab.worlds.archive_pages import LINKS, PAGES, READINGS, read_archives
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.geo.geoparser import cut_page
from geoscout_places.geo.relevance import Judge, is_inside
from geoscout_places.model import Address, Link, OnProgress, Page, Reading, Relevance
from geoscout_places.urls import host_of

_REMEMBERED = 4096  # pages whose links stay made, for the next strategy


@dataclass(frozen=True, slots=True)
class Judging:
    region: tuple[str, ...]  # empty: every page with an address
    relevance: str = DEFAULT_RELEVANCE  # a `RelevanceRule`
    truth: str = ""  # a file of lines {"url", "relevant"}; it wins


def open_archive(
    files: Sequence[Path],
    seeds: Sequence[str],
    judging: Judging,
    settings: Settings,
    progress: OnProgress = lambda _done, _all: None,
) -> ArchiveWorld:
    """The world of some archives; reads them first where that was not done yet."""
    return world_of(read_archives(files, settings, progress), files, seeds, judging, settings)


def world_of(
    kept: Path, files: Sequence[Path], seeds: Sequence[str], judging: Judging, settings: Settings
) -> ArchiveWorld:
    """The world of archives whose pages were read into the file `kept`."""
    pages = _Pages(kept, Reach().sitemap_links)
    fetcher = ArchiveFetcher(files, cache=home_folder(settings) / "archives")
    numbers = {url: number for number, url in enumerate(pages.urls)}
    known = [numbers.get(fetcher.known_as(seed) or "") for seed in seeds]
    found = list(dict.fromkeys(number for number in known if number is not None))
    if not found:
        raise UsageError(f"none of the seeds is in the archives; they have {pages.urls[0]}")
    judgements = _judge(pages, judging, settings)
    if judging.truth:
        told = read_truth(Path(judging.truth))
        served = {fetcher.known_as(url) or url: relevant for url, relevant in told.items()}
        judgements.relevant = [served.get(url, False) for url in pages.urls]
        judgements.degrees = [float(relevant) for relevant in judgements.relevant]
    return ArchiveWorld(pages, found, judgements)


def read_truth(file: Path) -> dict[str, bool]:
    """Which URLs are relevant, from lines such as {"url": "http://…", "relevant": true}.

    A `.tsv.gz` is the truth of a task of `geoscout geofocus`.
    """
    try:
        if file.name.endswith(".tsv.gz"):
            table = gzip.decompress(file.read_bytes()).decode().splitlines()
            return {url: mark == "1" for url, mark, _ in (row.split("\t") for row in table)}
        lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
        return {str(line["url"]): bool(line["relevant"]) for line in lines}
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f'{file} should have lines {{"url": …, "relevant": true}}') from error


class _Pages:
    """The file of read pages; only the small columns are in memory."""

    def __init__(self, file: Path, sitemap_links: int) -> None:
        """`sitemap_links`: pages that one sitemap leads to; 0: sitemaps are not looked at."""
        self._connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        weakref.finalize(self, self._connection.close)
        rows = self._connection.execute(
            "SELECT url, status, simhash, outside, targets FROM page ORDER BY number"
        ).fetchall()
        self.urls: list[str] = [row[0] for row in rows]
        self.statuses: list[int] = [row[1] for row in rows]
        self.simhashes: list[int] = [row[2] + (1 << 63) for row in rows]
        self.outside: list[int] = [row[3] for row in rows]
        self.targets = [array("i", row[4]) for row in rows]
        self.sitemaps: dict[str, list[int]] = {}  # by the host, or the URL of a sitemap
        named = self._connection.execute("SELECT named_by, number FROM sitemap").fetchall()
        for source, number in named if sitemap_links else ():
            self.sitemaps.setdefault(source, []).append(number)
        self.are_sitemaps = {number for _, number in named}
        for number in self.are_sitemaps:
            del self.targets[number][sitemap_links:]

    def packed(self, column: str, number: int) -> bytes:
        """What a column holds of a page, as `archive_pages` encoded it; b"" for nothing."""
        # The columns are names written in this module.
        query = f"SELECT {column} FROM page WHERE number = ?"  # noqa: S608
        data = self._connection.execute(query, (number,)).fetchone()[0]
        return unpack(data) if data else b""


@dataclass(slots=True)
class _Judgements:
    relevant: list[bool]
    degrees: list[float]
    entities: dict[int, tuple[str, ...]]


def _judge(pages: _Pages, judging: Judging, settings: Settings) -> _Judgements:
    """Judge every page once, as a crawl would."""
    region = Region.parse(judging.region, open_gazetteer(settings)) if judging.region else None
    judge = Judge(region, judging.relevance)
    count = len(pages.urls)
    judgements = _Judgements([False] * count, [0.0] * count, {})
    for number in range(count):
        packed = pages.packed("reading", number)
        if not packed or number in pages.are_sitemaps:
            continue
        reading = READINGS.decode(packed)
        inside = [a for a in reading.addresses if region is None or is_inside(a, region)]
        if inside:
            judgements.entities[number] = tuple(dict.fromkeys(map(entity, inside)))
        relevance = judge_page(judge, PAGES.decode(pages.packed("page", number)), reading)
        judgements.relevant[number] = relevance.relevant
        judgements.degrees[number] = relevance.degree
    return judgements


def judge_page(judge: Judge, page: Page, reading: Reading) -> Relevance:
    """The relevance of a page of an archive: that which a crawl gives it, in whatever order."""
    return judge.judge(cut_page(page), reading)


def entity(address: Address) -> str:
    """An address in a form in which the same one is the same text."""
    parts = (address.house_number, address.street, address.postcode, address.city, address.country)
    return " ".join(" ".join(parts).casefold().replace(".", "").split())


class ArchiveWorld:
    def __init__(self, pages: _Pages, seeds: Sequence[int], judgements: _Judgements) -> None:
        self._pages = pages
        self._judgements = judgements
        self._links: dict[int, Sequence[Link]] = {}
        hosts: dict[str, int] = {}
        self._hosts = [hosts.setdefault(host_of(url), len(hosts)) for url in pages.urls]
        self.seeds = list(seeds)
        self.name = host_of(pages.urls[seeds[0]])

    @property
    def size(self) -> int:
        return len(self._pages.urls)

    @property
    def outside(self) -> int:
        """Links to pages the archives do not have."""
        return sum(self._pages.outside)

    def url(self, page: int) -> str:
        return self._pages.urls[page]

    def status(self, page: int) -> int:
        return self._pages.statuses[page]

    def targets(self, page: int) -> Sequence[int]:
        return self._pages.targets[page]

    def links(self, page: int) -> Sequence[Link]:
        if page not in self._links:
            if len(self._links) >= _REMEMBERED:
                self._links.pop(next(iter(self._links)))
            packed = self._pages.packed("links", page)
            links = LINKS.decode(packed) if packed else ()
            self._links[page] = links[: len(self.targets(page))]
        return self._links[page]

    def is_sitemap(self, page: int) -> bool:
        return page in self._pages.are_sitemaps

    def sitemaps(self, page: int) -> Sequence[int]:
        url = self._pages.urls[page]
        if self.is_sitemap(page):
            return self._pages.sitemaps.get(url, ())
        is_worth_it = self.is_relevant(page) or page in self.seeds
        return self._pages.sitemaps.get(host_of(url), ()) if is_worth_it else ()

    def page(self, page: int) -> Page:
        return PAGES.decode(self._pages.packed("page", page))

    def reading(self, page: int) -> Reading:
        return READINGS.decode(self._pages.packed("reading", page))

    def fingerprint(self, page: int) -> int:
        """The fingerprint of its text, by which copies are told."""
        return self._pages.simhashes[page]

    def is_relevant(self, page: int) -> bool:
        return self._judgements.relevant[page]

    def degree(self, page: int) -> float:
        return self._judgements.degrees[page]

    def entities(self, page: int) -> Sequence[str]:
        return self._judgements.entities.get(page, ())

    def host(self, page: int) -> int:
        return self._hosts[page]
