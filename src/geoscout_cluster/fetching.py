"""Fetches that end with the lease.

A slow answer must not overlap with what the next owner of a partition asks the same host. So every
fetch is cancelled when the lease ends, and the request waits again: it was not its fault. Nothing
is begun in the last second.

The alarm cancels the fetches itself. A process that was stopped and wakes up too late runs its
alarms before any fetch takes another step, so no request leaves it then.
"""

from __future__ import annotations

import asyncio

from geoscout.fetch.base import Fetcher, WrappedFetcher
from geoscout.fetch.retries import failure
from geoscout_cluster.engine.leases import MARGIN_SECONDS, LeaseClock
from geoscout_places.model import Request, Response

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
