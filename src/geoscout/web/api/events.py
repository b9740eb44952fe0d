"""A crawl as it goes on, as server-sent events: how it stands, and the pages found since.

The store is asked once a second and by each listener, because a crawl commits every two seconds
and listeners are few. `end` says that nobody writes to the crawl any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import orjson
from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from geoscout.web.api.asking import PROBLEMS, After, CrawlHere
from geoscout.web.dashboard.sightings import SightingsJson, read_sightings
from geoscout.web.dashboard.status import StatusJson
from geoscout.web.site import ServedCrawl

router = APIRouter(prefix="/api", tags=["crawls"], responses=PROBLEMS)
_TICK_SECONDS = 1.0
_SIGHTINGS = 1000  # pages looked at for each event
_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


@router.get("/events", response_class=StreamingResponse)
async def events(
    request: Request,
    crawl: CrawlHere,
    after: After = "",
) -> StreamingResponse:
    """Events `status` and `pages` while the crawl runs, then `end`."""
    await run_in_threadpool(_look, crawl, after)  # a wrong `after` is told before anything is sent
    stream = _follow(request, crawl, after)
    return StreamingResponse(stream, media_type="text/event-stream", headers=_HEADERS)


async def _follow(request: Request, crawl: ServedCrawl, after: str) -> AsyncIterator[bytes]:
    told: StatusJson | None = None
    while not await request.is_disconnected():
        status, found = await run_in_threadpool(_look, crawl, after)
        if status != told:
            yield _event("status", status)
            told = status
        if found["last"] != after:
            yield _event("pages", found)
            after = found["last"]
        if found["more"]:
            continue
        if not status["running"]:
            yield _event("end", {"visits": status["visits"]})
            return
        await asyncio.sleep(_TICK_SECONDS)


def _look(crawl: ServedCrawl, after: str) -> tuple[StatusJson, SightingsJson]:
    with crawl.open() as opened:
        status = crawl.status(opened)
        return status, read_sightings(opened.reader, after, _SIGHTINGS)


def _event(name: str, value: object) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (name.encode(), orjson.dumps(value))
