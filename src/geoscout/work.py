"""The work on one page: parse, geoparse, judge, pack. Pure, so that it can go to other processes.

`Reader` does it in place; `WorkerPool` keeps as many processes with a reader each. What travels
between them is the response there and a `Work` back.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

from geoscout.gazetteer import Region, open_gazetteer
from geoscout.geo import Geoparser
from geoscout.geo.judge import is_relevant
from geoscout.model import Page, Reading, Response
from geoscout.parse import parse_html
from geoscout.settings import Settings
from geoscout.store.records import Exchange, pack_exchange


@dataclass(frozen=True, slots=True)
class Work:
    """What was made of a response; empty for what is no page."""

    page: Page | None = None
    reading: Reading | None = None
    relevant: bool = False
    exchange: Exchange | None = None  # its archive records, packed


@dataclass(frozen=True, slots=True)
class Task:
    """What a reader has to know besides the page."""

    settings: Settings
    region: tuple[str, ...]  # as the user wrote it; empty: every page with an address is relevant
    user_agent: str


class Reader:
    """Reads pages in this process."""

    def __init__(self, task: Task) -> None:
        gazetteer = open_gazetteer(task.settings)
        self._geoparser = Geoparser(gazetteer)
        self._region = Region.parse(task.region, gazetteer) if task.region else None
        self._user_agent = task.user_agent

    def read(self, response: Response) -> Work:
        """Parse, geoparse and judge one answer."""
        content_type = next((v for name, v in response.headers if name == "content-type"), "")
        page = parse_html(response.body, response.url, content_type)
        reading = self._geoparser.read(page)
        relevant = is_relevant(reading, self._region) if self._region else bool(reading.addresses)
        return Work(page, reading, relevant, pack_exchange(response, self._user_agent))

    async def __call__(self, response: Response) -> Work:
        """The same for the loop, which waits for it."""
        return self.read(response)

    def close(self) -> None:
        """Nothing to give back."""


_reader: Reader | None = None  # one a worker process, made when the process starts


def _start(task: Task) -> None:
    global _reader  # noqa: PLW0603 - how a process pool keeps state in its workers
    _reader = Reader(task)


def _read(response: Response) -> Work:
    if _reader is None:
        raise RuntimeError("the worker was not started")
    return _reader.read(response)


class WorkerPool:
    """Reads pages in other processes."""

    def __init__(self, task: Task, workers: int) -> None:
        self._pool = ProcessPoolExecutor(workers, initializer=partial(_start, task))

    async def __call__(self, response: Response) -> Work:
        """Read one answer in whichever process is free."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, _read, response)

    def close(self) -> None:
        """End the processes."""
        self._pool.shutdown(cancel_futures=True)


def open_reader(task: Task, workers: int) -> Reader | WorkerPool:
    """A reader in this process for no or one worker, else a pool."""
    return WorkerPool(task, workers) if workers > 1 else Reader(task)
