"""A crawl of a made-up web, quick enough to be run hundreds of times, always in the same order.

    python -m tests.faults.made_up_crawl FOLDER MARKS [PAGES | damage]

Groups, archive files and SQLite's log are small, so that much happens on the disk. After each
commit it writes to MARKS how many visits are safe. After PAGES it dies in the middle of a group.
With `damage` it overwrites part of an archive file first.
"""

import asyncio
import math
import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from geoscout import crawl as crawl_module
from geoscout.crawl import Crawl, Plan, Stages
from geoscout.crawling.follow import Follower, Reach
from geoscout.crawling.in_flight import Progress
from geoscout.fetch.retries import Health, Patience
from geoscout.state.base import Writing
from geoscout.state.sqlite import SqliteState
from geoscout.store.sqlite import database
from geoscout.store.sqlite.engine import SqliteStore
from geoscout.strategy.breadth import Breadth
from geoscout_places.model import Request, Response
from tests.flow.crawler import read_without_places

PAGES = 110
HOSTS = 4
GROUP = 8  # visits
ARCHIVE_FILE = 40_000  # bytes
DIED = 9  # the exit status of a crawl that died where it should
DAMAGED = b"damaged\n"  # in MARKS: from here on, responses are lost
LOG_PAGES = 60  # of SQLite, before they are copied back


def url_of(n: int) -> str:
    return f"http://host{n % HOSTS}.example/{n}"


def page_of(n: int) -> bytes:
    """Every tenth page has the same text as another one; each leads to some later ones."""
    words = random.Random(n - 7 if n % 10 == 9 else n)
    text = " ".join(f"w{words.randrange(4000)}" for _ in range(120))
    links = "" if n % 10 == 9 else "".join(f'<a href="{url_of(m)}">{m}</a>' for m in leads_to(n))
    return f"<html><body><p>{text}</p>{links}</body></html>".encode()


def leads_to(n: int) -> list[int]:
    return [m for m in (2 * n + 1, 2 * n + 2, n + 5) if m < PAGES]


class MadeUpWeb:
    """Gives the pages; implements `Fetcher`."""

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        n = int(request.url.rpartition("/")[2])
        status = 404 if n % 17 == 16 else 200
        headers = (("content-type", "text/html"),)
        return Response(request.url, status, headers, page_of(n), "", fetched_at=n, seconds=0.01)

    async def resolve(self, host: str) -> str:
        return ""

    def known_as(self, url: str) -> str | None:
        return url if url.rpartition("/")[2].isdecimal() else None  # no sitemaps

    def sitemaps(self, url: str) -> tuple[str, ...]:
        return ()

    def delay_after(self, response: Response) -> float:
        return 0.0

    def delay_after_failure(self, url: str) -> float:
        return 0.0

    async def close(self) -> None:
        pass


class MarkedState(SqliteState):
    """Tells after each commit how many visits are safe."""

    def __init__(self, folder: Path, marks: Path | None) -> None:
        self._marks = None
        super().__init__(folder, Writing())
        if marks is not None:
            self._marks = os.open(marks, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def save(self) -> None:
        super().save()
        if self._marks is not None:
            os.write(self._marks, f"{self.reader.totals().visits}\n".encode())


class _DiesAfter(Progress):
    """Ends the process after a number of pages, with some of a group in the archive."""

    def __init__(self, pages: float, state: SqliteState) -> None:
        super().__init__()
        self._left, self._state = pages, state

    def add(self, node: str, *, page: bool, relevant: bool) -> None:
        super().add(node, page=page, relevant=relevant)
        self._left -= 1
        if self._left <= 0:
            self._state.reader.totals()  # whoever asks has everything written first
            os._exit(DIED)


@contextmanager
def small_parts() -> Iterator[None]:
    """Small groups, archive files and logs, so that all of them are begun and ended often."""
    pragmas, limits = vars(database)["_PRAGMAS"], SqliteStore.__init__.__kwdefaults__
    group, largest = crawl_module.COMMIT_VISITS, limits["largest_file"]
    database._PRAGMAS = pragmas.replace("8192", str(LOG_PAGES))
    crawl_module.COMMIT_VISITS, limits["largest_file"] = GROUP, ARCHIVE_FILE
    try:
        yield
    finally:
        database._PRAGMAS = pragmas
        crawl_module.COMMIT_VISITS, limits["largest_file"] = group, largest


def crawl_made_up_web(folder: Path, marks: Path | None = None, pages: float = math.inf) -> int:
    """Begin the crawl or go on with it, to the end; how many responses had been lost."""
    with small_parts():
        return asyncio.run(_crawl(folder, marks, pages))


async def _crawl(folder: Path, marks: Path | None, pages: float) -> int:
    state = MarkedState(folder, marks)
    try:
        state.frontier.put([Request(url_of(0), 1.0)])
        await state.commit()
        web, strategy, progress = MadeUpWeb(), Breadth(), _DiesAfter(pages, state)
        follower = Follower(strategy, Reach(None), web)
        health = Health(Patience(), random.Random(1))
        stages = Stages(state, web, health, read_without_places, strategy, follower=follower)
        await Crawl(stages, Plan(connections=1), progress).run()
        return len(state.writer.lost)
    finally:
        state.close()


def damage(folder: Path, marks: Path) -> None:
    """Overwrite a third of the second archive file."""
    with marks.open("ab", buffering=0) as file:
        file.write(DAMAGED)
    with sorted((folder / "archive").glob("*.warc.gz"))[1].open("r+b", buffering=0) as file:
        file.seek(ARCHIVE_FILE // 3)
        file.write(bytes(ARCHIVE_FILE // 3))
        os.fsync(file.fileno())


def main(folder: Path, marks: Path, how: str = "") -> None:
    if how == "damage":
        damage(folder, marks)
        how = ""
    crawl_made_up_web(folder, marks, float(how or "inf"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
