"""The labelled pages, read from the archives they come from."""

from __future__ import annotations

import asyncio
import csv
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from geoscout.fetch.archive import ArchiveFetcher, archive_files
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo import Geoparser
from geoscout_places.model import Page, Reading, Request
from geoscout_places.parse import parse_html
from geoscout_places.urls import host_of, registrable_domain

LABELS = Path(__file__).with_name("labels.tsv")


@dataclass(frozen=True, slots=True)
class Label:
    """What a person said of a page and a region."""

    archive: str
    region: str
    url: str
    text: str  # the first 16 digits of the SHA-256 of the page's text
    label: str  # about, touches, no or damaged
    sure: bool
    second: str  # what a second reader said; "" where there was none

    @property
    def is_about(self) -> bool:
        """Whether the page is about the region."""
        return self.label == "about"

    @property
    def site(self) -> str:
        """The domain that the page belongs to."""
        return registrable_domain(host_of(self.url))


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A label with the page as the geoparser reads it."""

    label: Label
    page: Page
    reading: Reading

    @property
    def is_the_same(self) -> bool:
        """Whether the text is the one that was labelled."""
        digest = hashlib.sha256(self.page.text.encode("utf-8", "replace")).hexdigest()
        return digest.startswith(self.label.text)


def read_labels(file: Path = LABELS) -> list[Label]:
    """All labels, without those of damaged copies."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        labels = [
            Label(
                row["archive"], row["region"], row["url"], row["text"], row["label"],
                sure=row["sure"] == "yes", second=row["second"],
            )
            for row in rows
        ]  # fmt: skip
    return [label for label in labels if label.label != "damaged"]


def read_pages(
    labels: Sequence[Label], corpora: Path, gazetteer: Gazetteer
) -> Iterator[LabelledPage]:
    """The pages behind the labels, archive by archive; each page is geoparsed once."""
    geoparser = Geoparser(gazetteer)
    for name in dict.fromkeys(label.archive for label in labels):
        of_archive = [label for label in labels if label.archive == name]
        files = archive_files([corpora / "archives" / name])
        fetcher, urls = ArchiveFetcher(files), {label.url for label in of_archive}
        read = {url: _read(url, fetcher, geoparser) for url in urls}
        for label in of_archive:
            page, reading = read[label.url]
            yield LabelledPage(label, page, reading)


def _read(url: str, fetcher: ArchiveFetcher, geoparser: Geoparser) -> tuple[Page, Reading]:
    response = asyncio.run(fetcher.fetch(Request(url)))
    page = parse_html(response.body, response.url, response.header("content-type"))
    return page, geoparser.read(page)
