"""What happens to single requests, for the log: at `debug`, because there are thousands."""

from __future__ import annotations

import logging

from geoscout.fetch.retries import Verdict
from geoscout_places.model import Request, Response
from geoscout_places.urls import host_of

_LONG_REST_SECONDS = 600.0  # a host that rests that long is worth a line at `info`

_log = logging.getLogger(__name__)


def log_response(response: Response, *, relevant: bool) -> None:
    """A response that the crawl keeps."""
    if _log.isEnabledFor(logging.DEBUG):
        facts = {"url": response.url, "status": response.status, "relevant": relevant}
        _log.debug("fetched", extra={**facts, "seconds": round(response.seconds, 3)})


def log_failure(request: Request, verdict: Verdict, detail: str) -> None:
    """A request without a response of use, and what follows from it."""
    if verdict.host_rests >= _LONG_REST_SECONDS:
        rest = {"host": host_of(request.url), "seconds": round(verdict.host_rests)}
        _log.info("host rests", extra={**rest, "reason": verdict.reason})
    if _log.isEnabledFor(logging.DEBUG):
        facts = {"url": request.url, "reason": verdict.reason, "tries": request.tries + 1}
        if verdict.again_in is None:
            _log.debug("given up", extra={**facts, "detail": detail})
        else:
            again = {"again_in": round(verdict.again_in, 1), "host_rests": verdict.host_rests}
            _log.debug("failed, tried again later", extra={**facts, **again, "detail": detail})
