"""Whose a URL is, and what a lane does about those of others.

A site stays together in one partition, with all its hosts: they often share an address, and one
lane can then be polite to it without asking others. The number of partitions of a crawl never
changes, and the hash is the same in every process and on every machine.

Requests for sites of other partitions go to the outbox, in MessagePack of one declared type: a row
can contain nothing else. A server that another partition is asking is left alone: its address must
be rented (`engine/rents.py`) before a request is bound to it.

A slow answer must not overlap with what the next owner of a partition asks the same host. So every
fetch is cancelled when the lease ends, and the request waits again: it was not its fault. The alarm
cancels the fetches itself: a process that was stopped and wakes up too late runs its alarms before
any fetch takes another step, so no request leaves it then.
"""

import asyncio
from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from zlib import crc32

from msgspec.structs import astuple

from geoscout.fetch.base import Fetcher, WrappedFetcher
from geoscout.fetch.retries import failure
from geoscout.frontier.frontier import request_key
from geoscout.frontier.known_hosts import KnownUrls
from geoscout_cluster.engine.exchange import Outbox
from geoscout_cluster.engine.leases import MARGIN_SECONDS, LeaseClock
from geoscout_cluster.engine.rents import Rents
from geoscout_places.codec import Codec
from geoscout_places.model import Request, RequestKind, Response
from geoscout_places.urls import host_of, registrable_domain

DEFAULT_PARTITIONS = 16
_SENT_REMEMBERED = 500_000  # URLs of a generation; there are two, 25 bytes a URL
_HOSTS_REMEMBERED = 65_536  # the rules of public suffixes take 10 us a host

_Row = tuple[str, float, int, int, str, str, int, bytes, RequestKind, int]  # as in `Request`
_codec: Codec[list[_Row]] = Codec(list[_Row])


def partition_of_url(url: str, count: int) -> int:
    """The partition of a URL in normal form, from 0.

    >>> partition_of_url("https://www.lisboa.pt/a", 16), partition_of_url("http://lisboa.pt/", 16)
    (10, 10)
    """
    return partition_of_host(host_of(url), count)


def partition_of_host(host: str, count: int) -> int:
    return _mark(host) % count


@lru_cache(maxsize=_HOSTS_REMEMBERED)
def _mark(host: str) -> int:
    return crc32(registrable_domain(host).encode())


def pack_requests(requests: Sequence[Request]) -> bytes:
    return _codec.encode([astuple(request) for request in requests])


def unpack_requests(packed: bytes) -> list[Request]:
    """The requests of a row.

    Raises:
        DamagedDataError: it is not what `pack_requests` makes.
    """
    return [_request(row) for row in _codec.decode(packed)]


def _request(row: _Row) -> Request:
    url, priority, depth, distance, parent, node, tries, features, kind, level = row
    return Request(
        url, priority, depth, distance, parent,
        node=node, tries=tries, features=features, kind=kind, level=level,
    )  # fmt: skip


class SentUrls:
    """What was sent lately, and with which priority: most links lead to what is known already."""

    def __init__(self, remembered: int = _SENT_REMEMBERED) -> None:
        self._remembered = remembered
        self._new, self._old = _Generation(), _Generation()

    def is_new(self, request: Request) -> bool:
        """Whether this was not sent, or with a lower priority; it is then remembered as sent."""
        key = request_key(request.url, request.node)
        if request.priority <= max(self._new.priority(key), self._old.priority(key)):
            return request.kind == RequestKind.REVISIT
        self._new.note(key, request.priority)
        if len(self._new.priorities) > self._remembered:
            self._new, self._old = _Generation(), self._new
        return True


class _Generation:
    def __init__(self) -> None:
        self._known = KnownUrls()
        self.priorities = array("d", [float("-inf")])  # by number; numbers start at 1

    def priority(self, key: str) -> float:
        return self.priorities[self._known.find(key)]

    def note(self, key: str, priority: float) -> None:
        if number := self._known.find(key):
            self.priorities[number] = priority
        else:
            self._known.add(key)
            self.priorities.append(priority)


class Routing:
    """What is not up to one partition; implements `Owner` of a frontier."""

    def __init__(
        self, outbox: Outbox[Request], owner_of: Callable[[str], int | None], rents: Rents
    ) -> None:
        """`owner_of` gives the partition of a URL that is not our own, and None for others."""
        self._outbox, self._owner_of, self._rents = outbox, owner_of, rents
        self._sent = SentUrls()
        self._in_flight: dict[int, str] = {}  # addresses by host

    def sends(self, request: Request) -> bool:
        target = self._owner_of(request.url)
        if target is not None and self._sent.is_new(request):
            self._outbox.put(target, request)
        return target is not None

    def wait_for(self, address: str) -> float:
        return self._rents.wait_for(address)

    def begin(self, host: int, address: str) -> None:
        self._rents.begin(address)
        self._in_flight[host] = address

    def end(self, host: int, delay: float) -> None:
        # The server may be asked again after the delay, by whoever has rented it.
        if address := self._in_flight.pop(host, ""):
            self._rents.end(address, delay)


_EARLIER = 0.2  # seconds before the end: cancelling takes a moment


class LeasedFetcher(WrappedFetcher):
    """A fetcher that several lanes share, as one of them sees it.

    Whichever lane asks first counts the statuses: only their sum over all lanes matters.
    """

    def __init__(self, fetcher: Fetcher, clock: LeaseClock) -> None:
        super().__init__(fetcher)
        self._clock = clock
        self._under_way: set[asyncio.Future[Response]] = set()
        self._ended: set[asyncio.Future[Response]] = set()  # those that the lease has cancelled
        self._alarm: asyncio.TimerHandle | None = None

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        if self._clock.left() <= 0:
            raise failure("lease", request.url, 0.0)
        task = asyncio.ensure_future(self._fetcher.fetch(request, seen))
        self._under_way.add(task)
        self._set_alarm()
        try:
            return await task
        except asyncio.CancelledError:
            if task not in self._ended:
                raise
            raise failure("lease", request.url, 0.0) from None
        finally:
            self._under_way.discard(task)
            self._ended.discard(task)

    async def close(self) -> None:
        """The other lanes still need it."""

    def _set_alarm(self) -> None:
        if self._alarm is None and self._under_way:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(max(self._seconds_left(), 0.0), self._look)

    def _look(self) -> None:
        """The lease was made longer meanwhile, or it ends now."""
        self._alarm = None
        if self._seconds_left() <= 0:
            for task in self._under_way:
                self._ended.add(task)
                task.cancel()
        else:
            self._set_alarm()

    def _seconds_left(self) -> float:
        return self._clock.left() + MARGIN_SECONDS - _EARLIER
