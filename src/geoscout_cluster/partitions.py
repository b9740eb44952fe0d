"""Which partition a URL belongs to, and how many partitions a worker should hold.

A site stays together, with all its hosts: they often share an address, and one lane can then be
polite to it without asking others. The number of partitions of a crawl never changes, and the hash
is the same in every process and on every machine.
"""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

from geoscout_places.urls import host_of, registrable_domain

DEFAULT_PARTITIONS = 16
_HOSTS_REMEMBERED = 65_536  # the rules of public suffixes take 10 us a host


def partition_of_url(url: str, count: int) -> int:
    """The partition of a URL in normal form, from 0.

    >>> partition_of_url("https://www.lisboa.pt/a", 16), partition_of_url("http://lisboa.pt/", 16)
    (10, 10)
    """
    return partition_of_host(host_of(url), count)


def partition_of_host(host: str, count: int) -> int:
    """The partition of a host or domain."""
    return _mark(host) % count


@lru_cache(maxsize=_HOSTS_REMEMBERED)
def _mark(host: str) -> int:
    return crc32(registrable_domain(host).encode())


def fair_share(partitions: int, workers: int) -> int:
    """How many partitions a worker may hold when this many work.

    >>> fair_share(16, 3), fair_share(2, 5), fair_share(16, 0)
    (6, 1, 16)
    """
    return -(-partitions // max(workers, 1))


def surplus(held: int, share: int) -> int:
    """How many partitions to give back.

    One too many is kept: taking a partition over means reading all of its requests.

    >>> surplus(16, 8), surplus(9, 8), surplus(3, 8)
    (8, 0, 0)
    """
    return held - share if held > share + 1 else 0
