"""Figures of a running crawl, or of a worker of one, for Prometheus, on a loopback port.

A few lines of HTTP instead of a client library: there is one page, it is text, and it is made when
somebody asks.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from functools import partial

from msgspec import Struct, field

from geoscout.crawl import Crawl
from geoscout_places.clock import steady_time
from geoscout_places.errors import UsageError

_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nConnection: close\r\n"
_PATIENCE_SECONDS = 5.0
_LAST_PORT = 65_535


@asynccontextmanager
async def serving_metrics(port: int, text: Callable[[], str]) -> AsyncIterator[None]:
    """Answer on the port with a text that is made when somebody asks; do nothing when it is 0."""
    if not port:
        yield
        return
    if not 0 < port <= _LAST_PORT:
        raise UsageError(f"a port is from 1 to {_LAST_PORT}, not {port}")
    respond = partial(_respond, text)
    try:
        server = await asyncio.start_server(respond, "127.0.0.1", port)
    except (OSError, OverflowError) as error:
        raise UsageError(f"metrics cannot be served on port {port}: {error}") from error
    try:
        yield
    finally:
        server.close()


async def _respond(
    text: Callable[[], str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    with contextlib.suppress(
        OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError
    ):
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await reader.readuntil(b"\r\n\r\n")
            body = text().encode()
            writer.write(f"{_HEAD}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            await writer.drain()
    writer.close()


class Figure(Struct, frozen=True):
    """One number, as Prometheus knows it."""

    name: str  # without the prefix
    kind: str  # counter or gauge
    value: float
    labels: Mapping[str, object] = field(default_factory=dict)

    def line(self) -> str:
        labels = ",".join(f'{name}="{_escaped(value)}"' for name, value in self.labels.items())
        return f"geoscout_{self.name}{f'{{{labels}}}' if labels else ''} {self.value}"


def metrics_text(crawl: Crawl) -> str:
    """The figures of a crawl in the text form of Prometheus."""
    return figures_text(crawl_figures(crawl, {}))


def figures_text(figures: Iterable[Figure]) -> str:
    """Figures in the text form of Prometheus, which wants those of one name together."""
    by_name: dict[str, list[Figure]] = {}
    for figure in figures:
        by_name.setdefault(figure.name, []).append(figure)
    lines: list[str] = []
    for name, found in by_name.items():
        lines += [f"# TYPE geoscout_{name} {found[0].kind}", *(figure.line() for figure in found)]
    return "".join(f"{line}\n" for line in lines)


def crawl_figures(crawl: Crawl, labels: Mapping[str, object]) -> Iterator[Figure]:
    """How far a crawl is and what waits, with these labels."""
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
        yield Figure(name, kind, value, labels)
    for status, times in sorted(progress.statuses.items()):
        yield Figure("responses_total", "counter", times, {**labels, "status": status})
    for failure, times in sorted(progress.failures.items()):
        yield Figure("failures_total", "counter", times, {**labels, "kind": failure})
    for reason, requests in crawl.frontier.waiting(steady_time()).reasons:
        yield Figure("waiting", "gauge", requests, {**labels, "reason": reason})


def _escaped(value: object) -> str:
    """A label as Prometheus reads it; host names can contain anything."""
    return str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
