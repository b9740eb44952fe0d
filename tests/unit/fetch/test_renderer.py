"""What pages in the browser may have of the web."""

import asyncio
import os
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from geoscout.fetch import renderer as module
from geoscout.fetch.renderer import (
    GateReply,
    PageGate,
    ScriptCache,
    browser_processes,
    end_processes,
)
from geoscout.fetch.retries import failure
from geoscout_places.errors import FetchError
from geoscout_places.model import Response

PAGE = "http://a.example/"


def response(url: str, body: bytes = b"x", status: int = 200, **headers: str) -> Response:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response(url, status, named, body, "", fetched_at=0.0, seconds=0.0)


class Server:
    def __init__(self, *answers: Response | FetchError) -> None:
        self.answers, self.asked = list(answers), []

    async def ask(self, url: str) -> Response:
        self.asked.append(url)
        reply = self.answers.pop(0)
        if isinstance(reply, FetchError):
            raise reply
        return reply


def gate(server: Server, cache: ScriptCache | None = None) -> PageGate:
    document = response(PAGE, b"<p>hello", content_type="text/html", content_encoding="br")
    return PageGate(document, server.ask, cache or ScriptCache())


def reply(gate: PageGate, url: str, kind: str = "script", method: str = "GET") -> GateReply | None:
    return asyncio.run(gate.reply(url, kind, method))


def test_document_is_given_as_it_was_fetched_without_its_coding():
    found = gate(Server()).take_document()

    assert (found.status, found.headers, found.body) == (
        200, {"content-type": "text/html"}, b"<p>hello",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("url", "kind", "method"),
    [
        ("http://a.example/a.png", "image", "GET"),
        ("http://a.example/a.mp4", "media", "GET"),
        ("http://a.example/", "document", "GET"),
        ("http://a.example/buy", "fetch", "POST"),
        ("file:///etc/passwd", "fetch", "GET"),
        ("ws://a.example/", "websocket", "GET"),
    ],
)
def test_what_no_text_comes_of_is_refused_without_asking(url, kind, method):
    server = Server()

    assert reply(gate(server), url, kind, method) is None
    assert server.asked == []


def test_what_the_rules_of_the_crawl_forbid_is_refused():
    one = gate(Server(failure("robots", "http://a.example/a.js")))

    assert reply(one, "http://a.example/a.js") is None
    assert (one.refused, one.waiting) == (1, 0)


def test_script_that_pages_share_is_asked_for_once():
    server, cache = Server(response("http://a.example/a.js")), ScriptCache()

    first = reply(gate(server, cache), "http://a.example/a.js")
    second = reply(gate(server, cache), "http://a.example/a.js")

    assert first == second
    assert server.asked == ["http://a.example/a.js"]


def test_data_is_asked_for_by_every_page():
    server = Server(response(f"{PAGE}d", b"1"), response(f"{PAGE}d", b"2"))
    cache = ScriptCache()

    bodies = [reply(gate(server, cache), f"{PAGE}d", "fetch").body for _ in range(2)]

    assert bodies == [b"1", b"2"]


def test_redirects_are_followed_a_few_times():
    hops = [response(PAGE, status=302, location=f"/{n}") for n in range(5)]
    server = Server(*hops)

    found = reply(gate(server), f"{PAGE}a.js")

    assert found.status == 302
    assert server.asked == [f"{PAGE}a.js", f"{PAGE}0", f"{PAGE}1"]


def test_page_that_asks_for_ever_gets_no_more(monkeypatch):
    monkeypatch.setattr(module, "_MOST_REQUESTS", 2)
    one = gate(Server(*(response(PAGE) for _ in range(5))))

    found = [reply(one, f"{PAGE}{n}", "fetch") for n in range(4)]

    assert [bool(each) for each in found] == [True, True, False, False]


def test_page_that_takes_too_many_bytes_gets_no_more(monkeypatch):
    monkeypatch.setattr(module, "_MOST_BYTES", 10)
    one = gate(Server(response(PAGE, b"x" * 11), response(PAGE)))

    assert reply(one, f"{PAGE}1", "fetch")
    assert reply(one, f"{PAGE}2", "fetch") is None


def test_cache_forgets_the_oldest_scripts():
    cache = ScriptCache(most_bytes=10)
    for name in "abc":
        cache.keep(name, GateReply(200, {}, b"12345"))

    assert [bool(cache.find(name)) for name in "abc"] == [False, True, True]


# A process that has a child, as a browser has its renderers.
FAMILY = (
    "import subprocess, sys, time;"
    "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); time.sleep(60)"
)


def test_processes_are_found_by_their_mark_and_ended():
    mark = f"--geoscout=test-{os.getpid()}"
    process = subprocess.Popen([sys.executable, "-c", FAMILY, mark])
    try:
        until = time.monotonic() + 20
        while len(found := browser_processes(mark)) < 2 and time.monotonic() < until:
            time.sleep(0.02)
        assert process.pid in found
        assert len(found) == 2
        assert all(size > 1_000_000 for size in found.values())
    finally:
        end_processes(list(browser_processes(mark)))
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
    assert browser_processes(mark) == {}


def test_mark_that_nobody_has_finds_nothing():
    assert browser_processes("--geoscout=nobody") == {}
