"""The passages and their labels, and the texts behind them."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.passages.sources import (
    SavedPage,
    archive_page,
    digest_of,
    package_folder,
    package_page,
)
from geoscout.fetch.archive import ArchiveFetcher, archive_files
from geoscout_places.model import Page

PASSAGES = Path(__file__).with_name("passages.tsv")
LABELS = Path(__file__).with_name("labels.tsv")
COUNTED = {"place", "address"}


@dataclass(frozen=True, slots=True)
class NameLabel:
    """A name that a reader marked."""

    passage: str
    start: int  # code points in the passage
    end: int
    name: str
    kind: str  # place, address, org, demonym, feature or free
    country: str  # ISO code; "" where it is in none or in several
    where: str  # "lat,lon", "lat,lon,wide", "country", "?" or ""
    meant: str

    @property
    def counts(self) -> bool:
        """Whether the geoparser must find it."""
        return self.kind in COUNTED


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of the text of a page."""

    id: str
    source: str
    page: str  # URL, or path in the package
    text: str  # digest of the whole text of the page
    start: int
    length: int
    language: str
    part: str  # dev or test
    host: str


@dataclass(frozen=True, slots=True)
class PassageText:
    """A passage with what was read in it."""

    passage: Passage
    page: Page | None  # None where only the passage is kept
    text: str
    labels: tuple[NameLabel, ...]


def read_passages(file: Path = PASSAGES) -> list[Passage]:
    """All passages."""
    return [
        Passage(**{**row, "start": int(row["start"]), "length": int(row["length"])})  # type: ignore[arg-type]
        for row in _rows(file)
    ]


def read_labels(file: Path = LABELS) -> dict[str, list[NameLabel]]:
    """The labels of each passage."""
    labels: dict[str, list[NameLabel]] = defaultdict(list)
    for row in _rows(file):
        label = NameLabel(**{**row, "start": int(row["start"]), "end": int(row["end"])})  # type: ignore[arg-type]
        labels[label.passage].append(label)
    return labels


def _rows(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


@dataclass(frozen=True, slots=True)
class Folders:
    """Where the pages are that passages were cut from."""

    corpora: Path
    packages: Path
    texts: Path  # passages of pages that are in neither, as files of text


def read_texts(passages: Sequence[Passage], folders: Folders) -> Iterator[PassageText]:
    """The passages whose page is there and still has the text that was labelled."""
    labels = read_labels()
    for source in dict.fromkeys(passage.source for passage in passages):
        texts = _TEXTS.get(source.partition(":")[0], _web_texts)
        yield from (
            PassageText(passage, page, text, tuple(labels.get(passage.id, ())))
            for passage, page, text in texts([p for p in passages if p.source == source], folders)
        )


Found = Iterator[tuple[Passage, Page | None, str]]


def _archive_texts(passages: Sequence[Passage], folders: Folders) -> Found:
    name = passages[0].source.partition(":")[2]
    folder = folders.corpora / "archives" / name
    if not folder.is_dir():
        return
    fetcher = ArchiveFetcher(archive_files([folder]))
    for passage in passages:
        saved = archive_page(fetcher, name, passage.page)
        if saved:
            yield from _cut(passage, saved)


def _package_texts(passages: Sequence[Passage], folders: Folders) -> Found:
    folder = package_folder(folders.packages, passages[0].source)
    for passage in passages:
        if (folder / passage.page).is_file():
            yield from _cut(passage, package_page(folder, passage.source, passage.page))


def _cut(passage: Passage, saved: SavedPage) -> Found:
    page = saved.parse()
    if digest_of(page.text) == passage.text:
        yield passage, page, page.text[passage.start : passage.start + passage.length]


def _web_texts(passages: Sequence[Passage], folders: Folders) -> Found:
    texts: dict[str, str] = {}
    for file in sorted(folders.texts.glob("*.txt")):
        for part in file.read_text(encoding="utf-8").split("=== ")[1:]:
            head, _, rest = part.partition("\n")
            texts[head.split()[0]] = rest.rstrip("\n")
    for passage in passages:
        text = texts.get(passage.id, "")
        if digest_of(text) == passage.text:
            yield passage, None, text


_TEXTS = {"archive": _archive_texts, "pypi": _package_texts, "npm": _package_texts}
