"""Who works on a crawl that several processes share, and what is without a worker."""

from __future__ import annotations

from collections import Counter

from typing_extensions import TypedDict

from geoscout.state.base import CrawlView
from geoscout.store.crew import Overview, PartitionRow, Rest, WorkerRow, short_name

_STATES = {Rest.NONE: "works", Rest.EMPTY: "nothing to do", Rest.SPENT: "page limit reached"}
_NOBODY = "nobody works on it"
_ENDED = "done"


class CrewWorkerJson(TypedDict):
    """A worker that is alive, or did not say goodbye."""

    worker: str  # the machine and the process
    version: str
    alive: bool
    seconds: float  # since it came; of one that is not alive, since it was last heard of
    partitions: int


class PartitionJson(TypedDict):
    """A part of the work, and who does it."""

    partition: int
    worker: str  # "" for nobody
    lease_seconds: float  # until others may take it over; 0 for nobody
    state: str
    orphaned: bool  # it waits for a worker
    waiting: int
    done: int
    failed: int
    hosts: int
    exchange_rows: int  # sent to it by others, and not taken yet


class CrewJson(TypedDict):
    """Workers and partitions; both are empty for a crawl of one process."""

    ended: bool
    workers: list[CrewWorkerJson]
    partitions: list[PartitionJson]


def read_crew(crawl: CrawlView) -> CrewJson:
    """Who works on a crawl; nobody is named for one that only one process can work on."""
    found = crawl.crew() if crawl.crew else None
    if found is None or len(found.partitions) <= 1:
        return {"ended": False, "workers": [], "partitions": []}
    held = Counter(row.owner for row in found.partitions if row.is_held)
    return {
        "ended": found.has_ended,
        "workers": [_worker(row, held[row.name]) for row in found.workers],
        "partitions": [_partition(row, found) for row in found.partitions],
    }


def _worker(row: WorkerRow, partitions: int) -> CrewWorkerJson:
    is_alive = row.seconds_left > 0
    return {
        "worker": short_name(row.name),
        "version": row.version,
        "alive": is_alive,
        "seconds": round(row.seconds_here if is_alive else -row.seconds_left, 1),
        "partitions": partitions,
    }


def _partition(row: PartitionRow, found: Overview) -> PartitionJson:
    nobody = _ENDED if found.has_ended else _NOBODY
    return {
        "partition": row.number,
        "worker": short_name(row.owner) if row.is_held else "",
        "lease_seconds": round(max(row.seconds_left, 0.0), 1),
        "state": _STATES[Rest(row.rest)] if row.is_held else nobody,
        "orphaned": not row.is_held and not found.has_ended,
        "waiting": row.waiting,
        "done": row.done,
        "failed": row.failed,
        "hosts": row.hosts,
        "exchange_rows": row.parcels,
    }
