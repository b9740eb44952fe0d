"""A collaborative crawl as a process that can be killed, and what it leaves on disk.

Everything is as in `geoscout crawl` but for the limits that make a result depend on the order of
answers (levels of a domain, repeated texts, retries): so two crawls of a web that end by
themselves hold the same pages at the same nodes, or one of them has lost something.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from geoscout.crawling import assemble, follow
from geoscout.crawling.copies import UrlForms
from geoscout.crawling.crawl_run import CrawlRun
from geoscout.crawling.follow import Reach
from geoscout.crawling.options import CrawlOptions, NodeOptions
from geoscout.crawling.run import create_crawl, resume_crawl
from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.fetch.http.rules import HttpLimits, HttpRules
from geoscout.fetch.politeness import Manners
from geoscout.machine import run_on_loop
from geoscout.settings import Settings, user_agent
from geoscout.state.base import open_state
from geoscout.store.base import Topic
from tests.fakeweb import FakeResolver

_WITHOUT_END = 1_000_000


@dataclass(frozen=True, slots=True)
class Errand:
    """What a crawl process is told, as a JSON file."""

    folder: str
    home: str
    region: list[str]
    seeds: list[str]
    addresses: dict[str, str]
    delay: float
    assignment: str = "content"
    nodes: str = "gao2006"
    # Long enough for a server on a busy machine, short enough for the pages that never answer.
    idle_seconds: float = 4.0


def settings_of(errand: Errand) -> Settings:
    """The settings of its process."""
    return Settings(
        home=errand.home, extras=False, delay_seconds=errand.delay, tries=1,
        sites_remembered=0,
    )  # fmt: skip


class NoForms(UrlForms):
    """Knows no page under another URL.

    Which form of a URL is asked for depends on the order of answers, and after a kill it is
    learned again. Two crawls are the same only without it.
    """

    def is_known(self, url: str, node: str = "") -> bool:
        return False

    def was_answered(self, url: str, node: str = "") -> bool:
        return False


def forget_forms() -> None:
    """Let this process ask for every form of a URL, every copy and no sitemap, however deep."""
    follow.UrlForms = NoForms  # type: ignore[misc]
    assemble.DOMAIN_LEVELS = 0
    assemble.Reach = partial(Reach, most_alike=_WITHOUT_END, sitemap_links=0)  # type: ignore[misc,assignment]


def crawl(errand: Errand) -> None:
    """Start the crawl, or go on with it, and end when nothing is left."""
    forget_forms()
    settings = settings_of(errand)
    folder = Path(errand.folder)
    nodes = NodeOptions(errand.assignment, errand.nodes)
    options = CrawlOptions(
        region=tuple(errand.region), strategy="breadth", allow_private=True, nodes=nodes
    )
    if (folder / "crawl.sqlite").exists():
        opened = resume_crawl(folder, settings=settings)
    else:
        opened = create_crawl(folder, options, errand.seeds, settings)
    with opened:
        run_on_loop(_run(opened, errand, settings))


async def _run(opened: CrawlRun, errand: Errand, settings: Settings) -> None:
    fetcher = made_fetcher(errand, settings)
    try:
        async with opened.ready(fetcher=fetcher) as crawl:
            await opened.run_ready(crawl)
    finally:
        await fetcher.close()


def made_fetcher(errand: Errand, settings: Settings) -> HttpFetcher:
    """The fetcher of the live web, on loopback."""
    manners = Manners(settings.delay_seconds, delay_factor=0.0)
    limits = HttpLimits(idle_seconds=errand.idle_seconds)
    rules = HttpRules(user_agent(settings), manners=manners, limits=limits, allow_private=True)
    return HttpFetcher(rules, resolver=FakeResolver(errand.addresses))


@dataclass(frozen=True, slots=True)
class Remains:
    """What a crawl left on disk."""

    visits: Counter[tuple[str, str]]  # answers by node and URL
    failures: frozenset[str]  # URLs that gave no answer
    exchanged: dict[str, int]  # requests each node sent to others
    waiting: int

    def pages_by_node(self) -> dict[str, int]:
        return dict(sorted(Counter(node for node, _ in self.visits.elements()).items()))

    def same_as(self, other: Remains) -> bool:
        """Whether nothing is missing, double or left over in either."""
        return self == other and max(self.visits.values()) == 1 and not self.waiting


def remains_of(folder: Path) -> Remains:
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as database:
        failures = frozenset(url for (url,) in database.execute("SELECT url FROM failure"))
    with open_state(folder) as crawl:
        visits = Counter((visit.node, visit.url) for visit in crawl.reader.visits())
        exchanged = {node: n for node, n in crawl.reader.tally(Topic.EXCHANGED).items() if n}
        return Remains(visits, failures, exchanged, crawl.frontier.counts().waiting)


def check_archives(folder: Path) -> int:
    """Have warcio read every record of every archive; returns how many files there are."""
    files = sorted(folder.glob("archive/*.warc.gz"))
    for file in files:
        command = [str(Path(sys.executable).with_name("warcio")), "check", str(file)]
        subprocess.run(command, check=True, timeout=600, stdout=subprocess.DEVNULL)
    return len(files)


def write_errand(errand: Errand, file: Path) -> Path:
    file.write_text(json.dumps({name: getattr(errand, name) for name in Errand.__slots__}))
    return file


if __name__ == "__main__":
    crawl(Errand(**json.loads(Path(sys.argv[1]).read_text())))
