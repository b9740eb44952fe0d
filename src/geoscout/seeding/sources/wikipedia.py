"""External links of Wikipedia's articles about things in the region, from two of its dumps.

`…-geo_tags.sql.gz` has the coordinates of articles, `…-externallinks.sql.gz` their links. Both are
statements of SQL, each with thousands of rows: (12,'https://de.example.www.','/path'),(13,…
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from geoscout.seeding.hints import SeedHint
from geoscout.seeding.sources.lines import opened
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.model import Point
from geoscout_places.urls import host_of, normalise, registrable_domain

_VALUES = b" VALUES "
_ROW = re.compile(rb"\(((?:[^()']|'(?:[^'\\]|\\.)*')*)\)")
_FIELD = re.compile(rb"'((?:[^'\\]|\\.)*)'|([^,']+)")
_ESCAPED = re.compile(rb"\\(.)")
# Cited everywhere, and of no town.
_CITED = frozenset(
    "archive.org d-nb.info doi.org google.com jstor.org loc.gov viaf.org wikidata.org wikimedia.org"
    " wikipedia.org wmcloud.org wmflabs.org worldcat.org youtube.com".split()
)


def articles_inside(path: Path, region: Region) -> frozenset[int]:
    """The numbers of the articles whose coordinates are in the region.

    The columns are gt_id, gt_page_id, gt_globe, gt_primary, gt_lat, gt_lon and more.

    Raises:
        ImportFileError: the file cannot be read.
    """
    found = set()
    for row in _rows(path):
        try:
            globe, is_primary = row[2], row[3] == b"1"
            point, article = Point(float(row[4]), float(row[5])), int(row[1])
        except (IndexError, ValueError):
            continue
        if globe == b"earth" and is_primary and region.contains_point(point):
            found.add(article)
    return frozenset(found)


def hints_of_articles(path: Path, articles: frozenset[int]) -> Iterator[SeedHint]:
    """The links of these articles to other sites.

    Raises:
        ImportFileError: the file cannot be read.
    """
    for row in _rows(path):
        if len(row) > 2 and _number(row[1]) in articles:
            url = normalise(_link(row))
            if url and registrable_domain(host_of(url)) not in _CITED:
                yield SeedHint(url, "Wikipedia", inside=True)


def _link(row: list[bytes]) -> str:
    """The URL of a row: in two columns since 2023, the host backwards, before that in one."""
    first = row[2].decode("utf-8", "replace")
    scheme, found, host = first.partition("://")
    if not found or not host.endswith("."):
        return first
    path = row[3].decode("utf-8", "replace") if len(row) > 3 else "/"
    return f"{scheme}://{'.'.join(reversed(host.rstrip('.').split('.')))}{path}"


def _number(text: bytes) -> int:
    """A number of at most twenty digits; -1 for anything else."""
    return int(text) if len(text) <= 20 and text.isdigit() else -1


def _rows(path: Path) -> Iterator[list[bytes]]:
    """The rows that the statements insert; NULL is an empty field."""
    with opened(path) as stream:
        for line in stream:
            start = line.find(_VALUES)
            if line.startswith(b"INSERT INTO") and start >= 0:
                for row in _ROW.finditer(line, start + len(_VALUES)):
                    yield [_field(match) for match in _FIELD.finditer(row[1])]


def _field(match: re.Match[bytes]) -> bytes:
    quoted, plain = match.groups()
    if quoted is not None:
        return _ESCAPED.sub(rb"\1", quoted)
    return b"" if plain == b"NULL" else plain.strip()
