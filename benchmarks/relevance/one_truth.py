"""Whether a crawl and a comparison call the same pages relevant, page by page.

    python -m benchmarks.relevance.one_truth [--corpora DIR] [--pages 600] [--rule RULE]

Crawls a part of three archives, in two orders, and reads every page again as `geoscout compare`
reads archives. Where a verdict or degree differs, it ends with status 1.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from geoscout import open_crawl, start_crawl
from geoscout.fetch.archive import archive_files
from geoscout.settings import DEFAULT_RELEVANCE, load_settings
from geoscout.warc import unpack
from geoscout_lab.worlds.archive import judge_page
from geoscout_lab.worlds.archive_pages import PAGES, READINGS, ArchivePageReader
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.geo.relevance import Judge
from geoscout_places.model import Request

REGIONS = {"webkb": "Madison, WI", "usdirs": "California", "munich": "München"}
ORDERS = ("breadth", "hybrid")


def main() -> None:
    """Crawl, read again, and count what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, help="the folder with archives/")
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--rule", default=DEFAULT_RELEVANCE)
    given = parser.parse_args()
    corpora = given.corpora or os.environ.get("GEOSCOUT_CORPORA")
    archives = Path(corpora or Path(__file__).parents[3] / "shared" / "corpora") / "archives"
    differing = 0
    for name, region in REGIONS.items():
        if not (archives / name).is_dir():
            print(f"no {archives / name}: nothing to compare")
            continue
        for order in ORDERS:
            crawled = crawl(archives / name, region, order, given.rule, given.pages)
            read = compared(archive_files([archives / name]), region, given.rule, list(crawled))
            wrong = [url for url in crawled if crawled[url] != read[url]]
            differing += len(wrong)
            relevant = sum(is_relevant for is_relevant, _ in crawled.values())
            print(f"{name}, {region}, {order}: {len(crawled)} pages, {relevant} relevant", end=", ")
            print(f"{len(wrong)} judged otherwise by compare {wrong[:3] or ''}", flush=True)
    sys.exit(1 if differing else 0)


def crawl(
    archive: Path, region: str, order: str, rule: str, pages: int
) -> dict[str, tuple[bool, float]]:
    """The verdicts of a crawl, with the memory of sites that it gathers."""
    with tempfile.TemporaryDirectory() as scratch:
        with start_crawl(
            Path(scratch) / "crawl", region=region, seeds=[str(archive / "seeds.txt")],
            replay=[str(file) for file in archive_files([archive])],
            strategy=order, max_pages=pages, relevance=rule,
        ) as running:  # fmt: skip
            running.run()
        with open_crawl(Path(scratch) / "crawl") as found:
            return {page.url: (page.relevant, page.degree) for page in found.pages()}


def compared(
    files: Sequence[Path], region: str, rule: str, urls: Sequence[str]
) -> Mapping[str, tuple[bool, float]]:
    """The verdicts on pages that are read as for a comparison."""
    judge = Judge(Region.parse(region, open_gazetteer()), rule)
    found = {}
    with closing(ArchivePageReader(files, load_settings())) as reader:
        for url in urls:
            read = reader.read(Request(url))
            page, reading = PAGES.decode(unpack(read.page)), READINGS.decode(unpack(read.reading))
            judged = judge_page(judge, page, reading)
            found[url] = (judged.relevant, judged.degree)
    return found


if __name__ == "__main__":
    main()
