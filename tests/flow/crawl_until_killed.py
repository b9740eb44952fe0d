"""Replays an archive into a new crawl, and kills itself after a number of pages.

python -m tests.flow.crawl_until_killed WHERE ARCHIVE PAGES
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

from geoscout.crawling.crawl_run import CrawlRun
from geoscout.crawling.run import start_crawl
from geoscout.machine import run_on_loop


async def _crawl(run: CrawlRun, pages: int) -> None:
    async with run.ready() as crawl:
        task = asyncio.create_task(run.run_ready(crawl))
        while crawl.progress.visits < pages:
            await asyncio.sleep(0)
        os.kill(os.getpid(), signal.SIGKILL)
        await task


def main(where: str, archive: str, pages: int) -> None:
    """Crawl, and die."""
    options = {"replay": (archive,), "region": "Oldenburg", "strategy": "breadth"}
    if "://" in where:
        options["archive"] = str(Path(archive).parent / "segments")
    run = start_crawl(where, seeds=["http://a.example/"], **options)
    run_on_loop(_crawl(run, pages))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
