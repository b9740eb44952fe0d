"""What the memory of sites changes in a crawl: frequent places, facets, processor time, memory.

    python -m benchmarks.sites [--corpora DIR] [--archive munich --region München]

Replays an archive twice, with `sites_remembered` 0 and with its default, and prints for both the
places that most pages name, the facets of ten queries (for the archive munich), the processor time
of the crawl, and what is kept of each site. The archives are not part of the project: they are
looked for in --corpora, GEOSCOUT_CORPORA or ../shared/corpora.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import median

QUERIES = (
    "museum in Munich", "Restaurant in München", "Hotel in München", "Schwimmbad",
    "Weihnachtsmarkt", "S-Bahn", "Biergarten", "Ausflug in Oberbayern", "theatre in Munich",
    "Universität",
)  # fmt: skip
LEVELS = ("country", "region", "city")
SHOWN = 5  # facets of a level
FREQUENT = 50
_FREQUENT = """
SELECT name, count(*) AS pages FROM visit_place JOIN place ON place.id = visit_place.place
WHERE mentions > 0 GROUP BY place ORDER BY pages DESC, name LIMIT ?
"""
_SIZES = "SELECT length(packed) FROM site"


def main() -> None:
    """Crawl, ask and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, help="the folder with archives/")
    parser.add_argument("--archive", default="munich")
    parser.add_argument("--region", default="München")
    parser.add_argument("--max-pages", type=int, default=2000)
    parser.add_argument("--times", type=int, default=3, help="crawls of which the quickest counts")
    given = parser.parse_args()
    corpora = given.corpora or os.environ.get("GEOSCOUT_CORPORA")
    archive = Path(corpora or "../shared/corpora") / "archives" / given.archive
    if not archive.is_dir():
        print(f"no archive {archive}: nothing to measure")
        return
    with tempfile.TemporaryDirectory() as scratch:
        folders = {sites: Path(scratch) / str(sites) for sites in (0, 20_000)}
        seconds: dict[int, list[float]] = {sites: [] for sites in folders}
        for turn in range(given.times):
            for sites, folder in folders.items():
                out = folder.with_name(f"{sites}-{turn}")
                seconds[sites].append(crawl(archive, out, given.region, sites, given.max_pages))
                folder = out  # noqa: PLW2901 - the last one is looked at
                folders[sites] = out
        report(folders, {sites: min(found) for sites, found in seconds.items()})
        if given.archive == "munich":
            report_facets(list(folders.values()))


def crawl(archive: Path, out: Path, region: str, sites: int, most: int) -> float:
    """Replay an archive; returns the processor time in seconds."""
    before = _processor_time()
    geoscout(
        "crawl", "--region", region, "--seeds", str(archive / "seeds.txt"),
        "--replay", *map(str, archive.glob("*.warc.gz")), "--out", str(out),
        "--strategy", "breadth", "--max-pages", str(most), "--set", "workers=1",
        sites=sites,
    )  # fmt: skip
    return _processor_time() - before


def geoscout(*arguments: str, sites: int = 20_000) -> str:
    command = [str(Path(sys.executable).with_name("geoscout")), *arguments]
    environment = os.environ | {"GEOSCOUT_SITES_REMEMBERED": str(sites)}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return done.stdout


def _processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def report(folders: dict[int, Path], seconds: dict[int, float]) -> None:
    """Print frequent places, time and memory."""
    for sites, folder in folders.items():
        with closing(sqlite3.connect(folder / "crawl.sqlite")) as database:
            ((pages, relevant),) = database.execute("SELECT sum(is_page), sum(relevant) FROM visit")
            frequent = database.execute(_FREQUENT, (FREQUENT,)).fetchall()
            sizes = [size for (size,) in database.execute(_SIZES)]
        each = 1000 * seconds[sites] / pages
        print(f"{sites} sites remembered: {pages} pages, {relevant} relevant, {each:.2f} ms a page")
        print("  " + ", ".join(f"{name} {count}" for name, count in frequent))
        if sizes:
            print(f"  kept of {len(sizes)} sites: {median(sizes):.0f} bytes, {max(sizes)} at most")
    without, with_sites = seconds[0], seconds[20_000]
    print(f"processor time of the crawl: {100 * (with_sites / without - 1):+.1f} %\n")


def report_facets(folders: Sequence[Path]) -> None:
    """Print the facets of the queries as rows of a table, first without and then with sites."""
    print("| query | level | without | with |\n|---|---|---|---|")
    for query in QUERIES:
        answers = [json.loads(geoscout("search", str(f), query, "--json")) for f in folders]
        for level in LEVELS:
            cells = [_cell(answer["facets"].get(level, ()), answer["total"]) for answer in answers]
            print(f"| {query if level == LEVELS[0] else ''} | {level} | {' | '.join(cells)} |")


def _cell(facets: Sequence[dict[str, object]], total: int) -> str:
    shown = ", ".join(f"{facet['name']} {facet['pages']}" for facet in facets[:SHOWN])
    return f"{shown or 'none'} (of {total})"


if __name__ == "__main__":
    main()
