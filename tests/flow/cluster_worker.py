"""A worker of a cluster as a process that writes down what it claims and what the web sees of it.

    python -m tests.flow.cluster_worker ADDRESS ARCHIVE LOG LEASE_SECONDS PAUSE_SECONDS

A line is: when, by which process, and "claimed P" or "fetch P URL" with the number of a partition.
Every answer takes the pause, so that a kill meets requests in flight.
"""

import asyncio
import logging
import os
import re
import signal
import sys
import time
from pathlib import Path

from geoscout.fetch.archive import ArchiveFetcher
from geoscout.machine import run_on_loop
from geoscout.settings import load_settings
from geoscout_cluster.joining import joined
from geoscout_cluster.postgres.database import read_address
from geoscout_cluster.postgres.state import count_partitions
from geoscout_cluster.routing import partition_of_url
from geoscout_cluster.worker import WorkerTerms
from geoscout_places.errors import DatabaseLostError
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.model import Request, Response


class Log(logging.Handler):
    """A file that several processes append to, a line at a time."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def write(self, text: str) -> None:
        os.write(self._file, f"{time.time():.3f} {os.getpid()} {text}\n".encode())

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if found := re.match(r"partition (\d+): claimed", text):
            self.write(f"claimed {found[1]}")
        else:
            self.write(f"said {text}")


class NotingFetcher(ArchiveFetcher):
    """Writes every fetch down at the moment it leaves."""

    log: Log
    pause: float
    partitions: int

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        number = partition_of_url(request.url, self.partitions)
        self.log.write(f"fetch {number} {request.url}")
        await asyncio.sleep(self.pause)
        return await super().fetch(request, seen)


async def work(where: str, fetcher: NotingFetcher, lease_seconds: float) -> None:
    settings = load_settings()
    terms = WorkerTerms(until_done=True, lease_seconds=lease_seconds)
    async with joined(where, settings, open_gazetteer(settings), terms, fetcher) as worker:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
        await worker.run()


def main() -> None:
    where, archive, log, lease_seconds, pause = sys.argv[1:]
    logging.getLogger("geoscout_cluster").setLevel(logging.INFO)
    fetcher = NotingFetcher([Path(archive)], cache=home_folder(load_settings()) / "archives")
    fetcher.log, fetcher.pause = Log(Path(log)), float(pause)
    logging.getLogger("geoscout_cluster").addHandler(fetcher.log)
    while True:
        try:
            fetcher.partitions = count_partitions(read_address(where))
            run_on_loop(work(where, fetcher, float(lease_seconds)))
        except DatabaseLostError:  # it was killed while we started
            time.sleep(0.5)
        else:
            return


if __name__ == "__main__":
    main()
