"""A fetcher that asks only for what the rules of the user admit.

Links are sorted out before they wait. This is the second place: whatever waits, comes from a
redirect, or was put there before the rules were changed, is looked at again before it is asked
for, and no name is looked up for it.
"""

from __future__ import annotations

from collections.abc import Mapping

from geoscout.fetch.admission import Admission
from geoscout.fetch.base import Fetcher, statuses_unseen
from geoscout.fetch.failures import failure
from geoscout.model import Request, Response


class RuledFetcher:
    """Another fetcher, for what is admitted; implements `Fetcher`."""

    def __init__(self, fetcher: Fetcher, admission: Admission) -> None:
        self._fetcher, self._admission = fetcher, admission
        self._statuses = statuses_unseen(fetcher)

    async def fetch(self, request: Request, seen: Response | None = None) -> Response:
        if not self._admission.admits(request.url, request.kind):
            raise failure("excluded", request.url)
        return await self._fetcher.fetch(request, seen)

    async def resolve(self, host: str) -> str:
        """The address of a host; none is looked up for one that is not asked."""
        return await self._fetcher.resolve(host) if self._admission.admits_host(host) else ""

    def delay_after(self, response: Response) -> float:
        return self._fetcher.delay_after(response)

    def delay_after_failure(self, url: str) -> float:
        """No pause after what was not asked, or a host with many of these would hold up the end."""
        return self._fetcher.delay_after_failure(url) if self._admission.admits(url) else 0.0

    def known_as(self, url: str) -> str | None:
        return self._fetcher.known_as(url)

    def sitemaps(self, url: str) -> tuple[str, ...]:
        return self._fetcher.sitemaps(url)

    def take_statuses(self) -> Mapping[int, int]:
        return self._statuses()

    async def close(self) -> None:
        await self._fetcher.close()
