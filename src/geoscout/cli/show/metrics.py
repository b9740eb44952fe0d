"""Figures of a running crawl for Prometheus, on a loopback port, when asked for.

A few lines of HTTP instead of a client library: there is one page, it is text, and it is made when
somebody asks.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial

from geoscout.crawl import Crawl
from geoscout.errors import UsageError

_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nConnection: close\r\n"
_PATIENCE_SECONDS = 5.0
_LAST_PORT = 65_535


@asynccontextmanager
async def serving_metrics(port: int, crawl: Crawl) -> AsyncIterator[None]:
    """Answer on the port while the crawl runs; do nothing when it is 0.

    Raises:
        UsageError: the port is taken.
    """
    if not port:
        yield
        return
    if not 0 < port <= _LAST_PORT:
        raise UsageError(f"a port is from 1 to {_LAST_PORT}, not {port}")
    respond = partial(_respond, crawl)
    try:
        server = await asyncio.start_server(respond, "127.0.0.1", port)
    except (OSError, OverflowError) as error:
        raise UsageError(f"metrics cannot be served on port {port}: {error}") from error
    try:
        yield
    finally:
        server.close()


async def _respond(
    crawl: Crawl,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    with contextlib.suppress(
        OSError,
        TimeoutError,
        asyncio.IncompleteReadError,
        asyncio.LimitOverrunError,
        ValueError,
    ):
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await reader.readuntil(b"\r\n\r\n")
            body = metrics_text(crawl).encode()
            writer.write(f"{_HEAD}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            await writer.drain()
    writer.close()


def metrics_text(crawl: Crawl) -> str:
    """The figures in the text form of Prometheus."""
    return "".join(f"{line}\n" for line in _lines(crawl))


def _lines(crawl: Crawl) -> Iterator[str]:
    progress, counts = crawl.progress, crawl.frontier.counts(top=0)
    for name, kind, value in (
        ("visits_total", "counter", progress.visits),
        ("pages_total", "counter", progress.pages),
        ("relevant_pages_total", "counter", progress.relevant),
        ("frontier_waiting", "gauge", counts.waiting),
        ("frontier_in_flight", "gauge", counts.busy),
        ("frontier_hosts", "gauge", counts.hosts),
        ("given_up_total", "counter", counts.failed),
    ):
        yield f"# TYPE geoscout_{name} {kind}"
        yield f"geoscout_{name} {value}"
    yield "# TYPE geoscout_failures_total counter"
    for failure, times in sorted(progress.failures.items()):
        yield f'geoscout_failures_total{{kind="{failure}"}} {times}'
    yield "# TYPE geoscout_waiting gauge"
    for reason, requests in crawl.frontier.waiting(time.time()).reasons:
        yield f'geoscout_waiting{{reason="{reason}"}} {requests}'
