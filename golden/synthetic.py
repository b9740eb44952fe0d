"""The small set, on a synthetic web: part of `make test`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from golden import steps
from golden.doors import command, gazetteer_key, served
from golden.masters import Fact, Masters
from golden.plain import Plain
from golden.slices import cut
from golden.steps import Piece

REGION = "London, England, United Kingdom"
QUERIES = (
    "driving school in London", "dentist near London", "elementary school", "inn near me",
    "museum in Manchester", "restaurant near Camden", "tennis club London", "opening hours",
    "W1D 4EG", "hotel in Lodnon",
)  # fmt: skip
KNOWN = {
    "q": "driving school in London",
    "text": "school",
    "within": "London",
    "bbox": "-1,51,1,52",
    "view": "-1,51,1,52",
    "crawl": "london",
    "limit": 20,
}


def compute(masters: Masters) -> tuple[dict[str, Fact], str]:
    """Every piece, and the gazetteer that they were computed with."""
    key = gazetteer_key()
    with tempfile.TemporaryDirectory() as folder:
        return {name: masters.keep(name, text) for name, text in _pieces(Path(folder))}, key


def _pieces(folder: Path) -> Iterator[Piece]:
    plain = Plain(folder)
    web, crawl = folder / "web", folder / "london"
    command("synthweb", web, "--profile", "web2025", "--pages", 2000, "--random-seed", 7)
    steps.crawl(crawl, web, REGION, 150)
    yield "order", steps.order(crawl)
    for name, text in steps.exports(crawl, plain):
        yield f"exports/{name}", text
    yield "readings", steps.readings(cut(next(web.glob("*.warc.gz")), folder / "some", 40), plain)
    for name, text in steps.directory(crawl, plain):
        yield f"directory.{name}", text
    with served(crawl) as site:
        yield "answers", steps.answers(site, "london", QUERIES, plain)
        for name, text in steps.api(site, KNOWN, plain):
            yield f"api/{name}", text
