"""What a prediction starts from: the cluster, the web it crawls, and what a page costs.

Every default was measured, and docs/scale.md says where. They are of pages as the archives of our
tests have them; give your own where your pages or machines differ.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PageCosts:
    """What a page costs, on average."""

    worker_cpu: float = 0.0090  # seconds: fetch, parse, read, score, scratch file, send
    server_cpu: float = 0.00023  # seconds, over all processes of PostgreSQL
    log_bytes: int = 4_800  # of PostgreSQL's write-ahead log
    row_bytes: int = 4_500  # of facts and links that stay in PostgreSQL
    archive_bytes: int = 6_000  # of the response, compressed
    new_urls: float = 15.0  # URLs that nobody knew
    foreign_share: float = 0.25  # of the new URLs that are on other registrable domains
    outcome_cpu: float = 0.00015  # seconds to learn from one visit of another worker


@dataclass(frozen=True, slots=True)
class UrlCosts:
    """What a known URL costs."""

    server_bytes: int = 280  # in PostgreSQL
    memory_bytes: int = 60  # in the worker that owns it
    restore_cpu: float = 0.000014  # seconds, when its partition changes hands


@dataclass(frozen=True, slots=True)
class Machine:
    """One worker and what it runs on."""

    cores: int = 2
    connections: int = 50  # requests in flight
    memory_bytes: float = 4e9
    base_bytes: float = 350e6  # that a worker uses before it knows any URL


@dataclass(frozen=True, slots=True)
class Server:
    """PostgreSQL, on one machine or on several that share the partitions."""

    servers: int = 1
    cores: int = 8  # of each
    log_bytes_per_second: float = 100e6  # that the disk of each takes, with backups
    flush_seconds: float = 0.004  # until a commit is on disk


@dataclass(frozen=True, slots=True)
class HostPopulation:
    """The hosts of the web that is crawled."""

    urls_per_host: float = 100.0
    spread: float = 1.5  # of the logarithm of their sizes
    in_play: float = 0.3  # share of hosts whose best page is worth a request now
    delay_seconds: float = 1.0  # between two requests to a host
    answer_seconds: float = 0.4  # median time until an answer is there
    answer_spread: float = 0.8  # of its logarithm


@dataclass(frozen=True, slots=True)
class ClusterSize:
    """A cluster and how much it knows."""

    workers: int
    urls: int  # known, in all partitions
    machine: Machine = field(default_factory=Machine)
    server: Server = field(default_factory=Server)
    hosts: HostPopulation = field(default_factory=HostPopulation)
    page: PageCosts = field(default_factory=PageCosts)
    url: UrlCosts = field(default_factory=UrlCosts)
    partitions_per_worker: int = 4
    lease_seconds: float = 10.0
    # Of the outcomes of others, a worker learns from all up to this number a second, then from a
    # sample. 0: it learns from all of them.
    most_outcomes: float = 1000.0
