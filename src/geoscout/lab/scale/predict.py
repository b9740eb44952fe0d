"""Predicts what a cluster does: from a simulated slice of it, and from what a URL or page costs."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from geoscout.lab.scale.events import Slice
from geoscout.lab.scale.sizes import ClusterSize

WARM_UP_SECONDS, SECONDS = 10.0, 40.0
_PARTITIONS_DRAWN, _MOST_HOSTS_DRAWN = 64, 20_000
_FULL = 0.9  # a resource this busy is what gives out
_DAY = 86_400

# Focus by the number of workers: the area under the recall curve as a share of that of one process,
# the mean of five synthetic webs (`python -m benchmarks.cluster_focus`). Beyond sixteen workers it
# is drawn on in the same direction, which is a guess.
FOCUS = ((1, 1.0), (4, 0.993), (16, 0.954))


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a cluster of a size does."""

    pages_per_second: float
    idle: float  # share of the workers' cores
    server_busy: float  # share of PostgreSQL's cores
    disk_busy: float  # share of what the disk of PostgreSQL takes
    log_bytes_per_second: float
    exchanged_per_second: float  # URLs that go to another worker
    restore_seconds: float  # until the largest partition of a dead worker is read again
    takeover_seconds: float  # until its hosts are asked again
    memory_bytes: float  # of a worker
    server_bytes: float  # of the known URLs in PostgreSQL
    rows_per_day: float  # bytes of facts
    archive_per_day: float  # bytes
    focus: float  # share of one process's
    limit: str  # what gives out first


def predict(size: ClusterSize) -> Prediction:
    """What a cluster does; takes some seconds for the large ones."""
    part = Slice(size)
    part.start()
    before = part.run(WARM_UP_SECONDS)
    after = part.run(WARM_UP_SECONDS + SECONDS)
    pages = (after.committed - before.committed) / SECONDS
    rate = pages * size.workers / part.workers_simulated
    cores = size.machine.cores * part.workers_simulated * SECONDS
    server = size.server
    server_busy = rate * size.page.server_cpu / (server.cores * server.servers)
    disk_busy = rate * size.page.log_bytes / (server.log_bytes_per_second * server.servers)
    busy = min(1.0, (after.core_seconds - before.core_seconds) / cores)
    memory = size.machine.base_bytes + size.urls / size.workers * size.url.memory_bytes
    shares = {
        "memory of the workers": memory / size.machine.memory_bytes,
        "cores of the workers": busy,
        "PostgreSQL's cores": server_busy,
        "PostgreSQL's disk": disk_busy,
    }
    restore = _largest_partition(size) * size.url.restore_cpu
    return Prediction(
        pages_per_second=rate,
        idle=1 - busy,
        server_busy=server_busy,
        disk_busy=disk_busy,
        log_bytes_per_second=rate * size.page.log_bytes,
        exchanged_per_second=rate * _exchanged(size),
        restore_seconds=restore,
        takeover_seconds=size.lease_seconds + restore,
        memory_bytes=memory,
        server_bytes=size.urls * size.url.server_bytes,
        rows_per_day=rate * size.page.row_bytes * _DAY,
        archive_per_day=rate * size.page.archive_bytes * _DAY,
        focus=focus_of(size.workers),
        limit=_limit(shares, part),
    )


def focus_of(workers: int) -> float:
    """The focus that is left, by `FOCUS`, straight lines between its points.

    >>> focus_of(1), round(focus_of(8), 4)
    (1.0, 0.9735)
    """
    counts = [count for count, _ in FOCUS]
    after = min(max(bisect_left(counts, workers), 1), len(FOCUS) - 1)
    (left, low), (right, high) = FOCUS[after - 1], FOCUS[after]
    part = (math.log(workers) - math.log(left)) / (math.log(right) - math.log(left))
    return max(0.0, low + part * (high - low))


def _exchanged(size: ClusterSize) -> float:
    """URLs of a page that go to another worker."""
    return size.page.new_urls * size.page.foreign_share * (1 - 1 / size.workers)


def _largest_partition(size: ClusterSize) -> float:
    """URLs of the largest partition: hosts differ much in size, and no host is divided."""
    partitions = size.workers * size.partitions_per_worker
    mean = size.urls / partitions
    hosts = max(1, round(mean / size.hosts.urls_per_host))
    drawn = min(hosts, _MOST_HOSTS_DRAWN)
    sizes = np.random.default_rng(1).lognormal(
        0.0, size.hosts.spread, (min(partitions, _PARTITIONS_DRAWN), drawn)
    )
    shares = sizes.sum(axis=1) / sizes.sum() * len(sizes)
    return float(mean * (1 + (shares.max() - 1) * math.sqrt(drawn / hosts)))


def _limit(busy: Mapping[str, float], part: Slice) -> str:
    """What gives out first: what is nearly full, else what the workers waited for."""
    for name, share in busy.items():
        if share >= _FULL:
            return name
    if part.counts.waited_for_commits:
        return "PostgreSQL's commits"
    return "hosts" if part.counts.waited_for_hosts else "connections"
