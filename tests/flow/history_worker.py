"""A worker of a cluster that writes down what it does, before the web or anybody else sees it.

    python -m tests.flow.history_worker ERRAND

It is one of those of `history_run.py`, and as good as any: only the moments at which a request
leaves and a group is told to last are caught, by what stands between the worker and its fetcher and
its writer. Times are of the machine's steady clock, which a wrong wall clock does not touch.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from geoscout.fetch.base import Fetcher, WrappedFetcher
from geoscout.machine import run_on_loop
from geoscout.store import schema
from geoscout.store.group import VisitGroup
from geoscout_cluster import lane
from geoscout_cluster.engine.leases import Lease, LeaseClock
from geoscout_cluster.postgres import state
from geoscout_cluster.postgres.groups import GroupWriter
from geoscout_cluster.routing import LeasedFetcher
from geoscout_cluster.worker import WorkerTerms
from geoscout_cluster.workers import joined
from geoscout_places.errors import DatabaseLostError
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.model import Request, Response
from tests.faults import set_clock
from tests.flow.node_crawl import Errand, forget_forms, made_fetcher, settings_of

_URL = 2  # the column of a visit's row: `n`, `partition`, `url`
_TRIES = 8  # of a page: whoever stands still or is cut off may see a server as silent


class History:
    """A file that several processes append to, an event at a time."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    def write(self, what: str, at: float | None = None, **more: object) -> None:
        event = {"at": round(time.monotonic() if at is None else at, 4), "what": what, **more}
        os.write(self._file, json.dumps(event).encode() + b"\n")


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker is told, as a JSON file."""

    history: str
    lease_seconds: float
    errand: Errand

    @classmethod
    def read(cls, file: Path) -> Task:
        told = json.loads(file.read_text())
        return cls(told["history"], told["lease_seconds"], Errand(**told["errand"]))


class _Noting(WrappedFetcher):
    """Writes a fetch down when its lease has let it pass."""

    def __init__(self, fetcher: Fetcher, lease: Lease, history: History) -> None:
        super().__init__(fetcher)
        self._lease, self._history = lease, history

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        p, e = self._lease.partition, self._lease.epoch
        self._history.write("fetch", by=os.getpid(), p=p, e=e, url=request.url)
        return await super().fetch(request, seen)


def write_down(history: History) -> None:
    """Have this process write down what its lanes do."""

    class NotingFetcher(LeasedFetcher):
        def __init__(self, fetcher: Fetcher, clock: LeaseClock) -> None:
            super().__init__(_Noting(fetcher, clock.lease, history), clock)

    class NotingWriter(GroupWriter):
        def send(self, group: VisitGroup, clock: LeaseClock) -> Future[None]:
            sent = super().send(group, clock)
            urls = [str(row[_URL]) for row in group.rows.get(schema.VISIT, ())]
            sent.add_done_callback(partial(note, clock.lease, group.number, urls))
            return sent

    def note(lease: Lease, group: int, urls: list[str], sent: Future[None]) -> None:
        if not sent.cancelled() and sent.exception() is None:
            p, e = lease.partition, lease.epoch
            history.write("committed", by=os.getpid(), p=p, e=e, g=group, urls=urls)

    lane.LeasedFetcher = NotingFetcher  # type: ignore[misc]
    state.GroupWriter = NotingWriter  # type: ignore[misc]


async def _work(task: Task) -> None:
    settings = replace(settings_of(task.errand), tries=_TRIES, workers=1)
    terms = WorkerTerms(until_done=True, lease_seconds=task.lease_seconds)
    fetcher = made_fetcher(task.errand, settings)
    try:
        gazetteer = open_gazetteer(settings)
        async with joined(task.errand.folder, settings, gazetteer, terms, fetcher) as worker:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
            await worker.run()
    finally:
        await fetcher.close()


def main() -> None:
    assert set_clock.VARIABLE in os.environ, "the wall clock cannot be set"
    task = Task.read(Path(sys.argv[1]))
    forget_forms()
    write_down(History(Path(task.history)))
    while True:
        try:
            run_on_loop(_work(task))
        except DatabaseLostError:  # it was killed or cut off while we started
            time.sleep(0.5)
        else:
            return


if __name__ == "__main__":
    main()
