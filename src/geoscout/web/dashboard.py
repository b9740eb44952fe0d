"""The figures of the crawl page, read from the tables of a crawl that may be running.

How it stands, what waits and why, and who works on it where several processes do.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct, convert

from geoscout.crawling.status import HarvestCurve, NodeStatus, read_nodes, read_status
from geoscout.frontier.base import Bin, HostState
from geoscout.frontier.tables import TableView
from geoscout.state.base import CrawlView
from geoscout.store.base import Overview, PartitionRow, Rest, WorkerRow, short_name
from geoscout_places.codec import record_of

_MOST_NODES = 500
_BINS = 30
_MOST_HOSTS = 100
_FOR_GOOD = 1e12  # times beyond it are infinity
_STATES = {Rest.NONE: "works", Rest.EMPTY: "nothing to do", Rest.SPENT: "page limit reached"}
_NOBODY = "nobody works on it"
_ENDED = "done"


class StatusJson(Struct, frozen=True, kw_only=True):
    """How a crawl stands."""

    crawl: str
    running: bool
    state: str  # what it is doing, or how it ended
    barren: str  # that it has found nothing for long, and what may help; "" when it has
    ended_at: float | None  # seconds since the epoch, UTC
    region: Sequence[str]
    strategy: str
    collaboration: str
    visits: int
    pages: int
    relevant: int
    harvest: float
    pages_per_second: float
    frontier: int
    given_up: int
    hosts: int
    statuses: Mapping[str, int]  # responses by HTTP status
    failures: Mapping[str, int]
    links_left_out: Mapping[str, int]
    first_at: float | None
    last_at: float | None
    index_trouble: str  # why search is behind the crawl; "" when it is not
    entries: int | None  # of the directory; null while there is none


class CrawlNodeJson(Struct, frozen=True, kw_only=True):
    """One node of a collaborative crawl."""

    node: str
    visits: int
    pages: int
    relevant: int
    harvest: float
    waiting: int


class RequestJson(Struct, frozen=True):
    """A request that waits."""

    url: str
    priority: float
    depth: int
    distance: int
    parent: str
    node: str
    tries: int


class FrontierJson(Struct, frozen=True):
    """What waits, by priority."""

    bins: Sequence[Bin]
    best: list[RequestJson]


class HostJson(Struct, frozen=True):
    """A host with what it waits for."""

    host: str
    waiting: int
    done: int
    failed: int
    reason: str  # a `WaitReason`, or why it is left alone
    seconds: float | None  # until it may be asked; null for never


class CrewWorkerJson(Struct, frozen=True, kw_only=True):
    """A worker that is alive, or did not say goodbye."""

    worker: str  # the machine and the process
    version: str
    alive: bool
    seconds: float  # since it came; of one that is not alive, since it was last heard of
    partitions: int


class PartitionJson(Struct, frozen=True, kw_only=True):
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


class CrewJson(Struct, frozen=True):
    """Workers and partitions; both are empty for a crawl of one process."""

    ended: bool
    workers: list[CrewWorkerJson]
    partitions: list[PartitionJson]


def status_json(
    crawl: CrawlView,
    name: str,
    curve: HarvestCurve,
    index_trouble: str = "",
    entries: int | None = None,
) -> StatusJson:
    """The figures of a crawl, as committed last; the curve saves counting all over again."""
    found = read_status(crawl, curve.totals(crawl.reader))
    totals = found.totals
    return record_of(
        StatusJson,
        found,
        crawl=name,
        running=found.is_running,
        ended_at=found.ending.at if found.ending and not found.is_running else None,
        visits=totals.visits,
        pages=totals.pages,
        relevant=totals.relevant,
        harvest=round(totals.harvest, 4),
        pages_per_second=round(found.pages_per_second, 2),
        frontier=found.frontier.waiting,
        given_up=found.frontier.failed,
        hosts=found.frontier.hosts,
        first_at=totals.first_at or None,
        last_at=totals.last_at or None,
        index_trouble=index_trouble,
        entries=entries,
    )


def nodes_json(crawl: CrawlView) -> list[CrawlNodeJson]:
    """The nodes of a collaborative crawl; of any other one node without a name."""
    return [_node(node) for node in read_nodes(crawl)[:_MOST_NODES]]


def _node(node: NodeStatus) -> CrawlNodeJson:
    harvest = round(node.totals.harvest, 4)
    return record_of(CrawlNodeJson, node.totals, harvest=harvest, waiting=node.waiting)


def read_frontier(frontier: TableView, best: int) -> FrontierJson:
    """The waiting requests in bins of priority, and the best of them; without those held."""
    waiting = convert(frontier.best(best), list[RequestJson], from_attributes=True)
    return FrontierJson(frontier.bins(_BINS), waiting)


def read_hosts(frontier: TableView, limit: int = _MOST_HOSTS) -> list[HostJson]:
    """The hosts with the most waiting requests, then those with the most done."""
    now = time.time()
    return [_host(host, now) for host in frontier.hosts(limit)]


def _host(host: HostState, now: float) -> HostJson:
    reason, until = host.waits_for(now)
    seconds = None if until > _FOR_GOOD else round(max(until - now, 0.0), 1)
    return record_of(HostJson, host, reason=reason, seconds=seconds)


def read_crew(crawl: CrawlView) -> CrewJson:
    """Who works on a crawl; nobody is named for one that only one process can work on."""
    found = crawl.crew() if crawl.crew else None
    if found is None or len(found.partitions) <= 1:
        return CrewJson(ended=False, workers=[], partitions=[])
    held = Counter(row.owner for row in found.partitions if row.is_held)
    workers = [_worker(row, held[row.name]) for row in found.workers]
    return CrewJson(found.has_ended, workers, [_part(row, found) for row in found.partitions])


def _worker(row: WorkerRow, partitions: int) -> CrewWorkerJson:
    is_alive = row.seconds_left > 0
    return CrewWorkerJson(
        worker=short_name(row.name),
        version=row.version,
        alive=is_alive,
        seconds=round(row.seconds_here if is_alive else -row.seconds_left, 1),
        partitions=partitions,
    )


def _part(row: PartitionRow, found: Overview) -> PartitionJson:
    nobody = _ENDED if found.has_ended else _NOBODY
    return record_of(
        PartitionJson,
        row,
        partition=row.number,
        worker=short_name(row.owner) if row.is_held else "",
        lease_seconds=round(max(row.seconds_left, 0.0), 1),
        state=_STATES[Rest(row.rest)] if row.is_held else nobody,
        orphaned=not row.is_held and not found.has_ended,
        exchange_rows=row.parcels,
    )
