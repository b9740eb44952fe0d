"""Figures of a running crawl for Prometheus."""

import asyncio
import socket
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from geoscout.cli.show.metrics import Figure, metrics_text, serving_metrics
from geoscout.crawling.in_flight import Progress
from geoscout_places.errors import UsageError
from geoscout_places.model import Request
from tests.memory.frontier import MemoryFrontier


def crawl() -> Any:
    progress = Progress(visits=3, pages=2, relevant=1)
    progress.add_failure("timeout")
    progress.statuses["404"] += 2
    return SimpleNamespace(progress=progress, frontier=frontier())


def frontier() -> MemoryFrontier:
    made = MemoryFrontier()
    made.put([Request("http://a.test/"), Request("http://a.test/b")])
    return made


def test_figures_are_in_the_text():
    lines = metrics_text(crawl()).splitlines()

    assert "geoscout_visits_total 3" in lines
    assert "geoscout_relevant_pages_total 1" in lines
    assert "geoscout_frontier_waiting 2" in lines
    assert 'geoscout_failures_total{kind="timeout"} 1' in lines
    assert 'geoscout_responses_total{status="404"} 2' in lines
    assert 'geoscout_waiting{reason="ready"} 2' in lines


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_they_are_served_while_the_crawl_runs():
    async def ask() -> bytes:
        port = free_port()
        async with serving_metrics(port, partial(metrics_text, crawl())):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = await reader.read()
            writer.close()
            return answer

    answer = asyncio.run(ask())

    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert b"geoscout_pages_total 2" in answer


def test_taken_port_is_said_clearly():
    async def serve(port: int) -> None:
        async with serving_metrics(port, partial(metrics_text, crawl())):
            pass

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UsageError, match="metrics cannot be served"):
            asyncio.run(serve(taken.getsockname()[1]))


def test_labels_cannot_break_a_line():
    figure = Figure("waiting", "gauge", 1, {"worker": 'a"b\\c\nd'})

    assert figure.line() == 'geoscout_waiting{worker="a\\"b\\\\c\\nd"} 1'
