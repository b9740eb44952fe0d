"""Which hosts are ailing: counts failures in a row and says how long to leave a host alone."""

from __future__ import annotations

import random
from dataclasses import replace

from geoscout.errors import FetchError
from geoscout.fetch.retries import Patience, Verdict, after_error, after_status, parked_for
from geoscout.model import Request, Response
from geoscout.urls import host_of


class Health:
    """The health of the hosts a crawl has asked lately."""

    def __init__(self, patience: Patience, chance: random.Random) -> None:
        self._patience = patience
        self._chance = chance
        self._failures: dict[str, int] = {}  # in a row; only hosts that have some

    def after_error(self, request: Request, error: FetchError) -> Verdict:
        """What to do after a request without an answer."""
        jitter = self._chance.random()
        return self._parked(request, after_error(error, request.tries, self._patience, jitter))

    def after_answer(self, request: Request, response: Response) -> Verdict | None:
        """What to do after an answer that is no use now; None after one that stays."""
        jitter = self._chance.random()
        verdict = after_status(response, request.tries, self._patience, jitter)
        if verdict is None:
            self._failures.pop(host_of(request.url), None)
            return None
        return self._parked(request, verdict)

    def _parked(self, request: Request, verdict: Verdict) -> Verdict:
        """The verdict, with a longer rest for a host that keeps failing."""
        if not verdict.counts or verdict.again_in is None:
            return verdict
        host = host_of(request.url)
        failures = self._failures[host] = self._failures.get(host, 0) + 1
        rests = max(verdict.host_rests, parked_for(failures, self._patience))
        return replace(verdict, host_rests=rests)
