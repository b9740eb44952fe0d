"""Pages that need a browser, and pages that would break one, with a real chromium.

The first test runs the commands of docs/how-to/render.md.
"""

import asyncio
import json
import os
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from msgspec.structs import replace

from geoscout.cli.main import main
from geoscout.fetch.browser import RenderingFetcher
from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.fetch.renderer import PageRenderer, RenderLimits, browser_processes
from geoscout_places.model import Request, Response
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb.sites import by_path, content
from tests.local_server import LocalFile, answering, served
from tests.unit.fetch.asking import RULES

SHELL = b"<!doctype html><title>Shop</title><body><div id=root></div><script src=/app.js></script>"
APP = b"""
fetch('/shop.json').then(answer => answer.json()).then(shop => {
  document.getElementById('root').innerHTML =
    `<h1>${shop.name}</h1><p>${shop.address}</p><a href="/about">About us</a>`;
});
"""
SHOP = '{"name": "Café Klinge", "address": "Theaterwall 47, 26122 Oldenburg"}'.encode()
SITE = {
    "/": LocalFile("text/html", SHELL),
    "/about": LocalFile("text/html", SHELL),
    "/app.js": LocalFile("text/javascript", APP),
    "/shop.json": LocalFile("application/json", SHOP),
}
GOOD = b"<title>good</title><div id=a></div><script>a.textContent = 'shown'.repeat(50)</script>"
LIMITS = RenderLimits(seconds=4.0, pages=2, megabytes=500)


def test_site_whose_addresses_appear_only_by_script_is_found(tmp_path, at_home, capsys):
    found = {}
    for mode in ("never", "auto"):
        folder = str(tmp_path / mode)
        with served(SITE) as site:
            words = ["--region", "Oldenburg, Germany", "--seeds", site, "--out", folder, "--json"]
            words += ["--allow-private", "--set", "delay_seconds=0", "--set", f"render={mode}"]
            assert main(["crawl", *words]) == 0
        found[mode] = json.loads(capsys.readouterr().out)
    assert main(["search", str(tmp_path / "auto"), "klinge in Oldenburg"]) == 0
    assert "Theaterwall 47" in capsys.readouterr().out
    assert main(["check", str(tmp_path / "auto")]) == 0

    assert (found["never"]["pages"], found["never"]["relevant"]) == (1, 0)
    assert (found["auto"]["pages"], found["auto"]["relevant"]) == (2, 2)


@pytest.fixture
def hidden():
    """A server that only this machine may see, and what it was asked."""
    asked: list[str] = []

    def answer(path: str, _: object) -> LocalFile:
        asked.append(path)
        return LocalFile("text/html", b"secret", headers={"Access-Control-Allow-Origin": "*"})

    with answering(answer, "127.0.0.77") as address:
        yield address.removeprefix("http://").rstrip("/"), asked


def shown(
    pages: dict[str, bytes],
    act: Callable[[RenderingFetcher, PageRenderer, FakeWeb], Awaitable[list[Response]]],
    limits: RenderLimits = LIMITS,
) -> list[Response]:
    """What a fetcher gives that shows every page to the browser; hosts are pages' names."""
    sites = {
        f"{name}.test": Site(by_path({"/": content(body), "/robots.txt": content(b"")}))
        for name, body in pages.items()
    }

    async def run(web: FakeWeb) -> list[Response]:
        renderer = PageRenderer("geoscout/test", limits)
        plain = HttpFetcher(RULES, resolver=web.resolver)
        fetcher = RenderingFetcher(plain, plain.ask_for_page, renderer, "always")
        try:
            return await act(fetcher, renderer, web)
        finally:
            mark = renderer._mark
            await fetcher.close()
            assert browser_processes(mark or "--geoscout=none") == {}

    with FakeWeb(sites) as web:
        return asyncio.run(run(web))


def one_after_another(*names: str):
    async def act(fetcher: RenderingFetcher, _: PageRenderer, web: FakeWeb) -> list[Response]:
        return [await fetcher.fetch(Request(web.url(f"{name}.test"))) for name in names]

    return act


@pytest.mark.parametrize(
    "script",
    [
        "while (true) {}",
        "setTimeout(() => { while (true) {} }, 50)",
        "const all = []; while (true) all.push(new Array(1e6).fill(Math.random()))",
        "const all = []; setInterval(() => all.push(new Uint8Array(1e8).fill(1)), 1)",
        "for (let n = 0; n < 50; n++) window.open('about:blank')",
        "alert('a'); prompt('b'); window.onbeforeunload = () => 'stay'",
        "location.href = 'http://elsewhere.test/'",
        "setInterval(() => fetch('/x' + Math.random()), 1)",
        "document.write('<p>x'.repeat(5e6))",
        "navigator.serviceWorker?.register('/sw.js'); new SharedWorker('/w.js')",
    ],
)
def test_hostile_page_is_survived_and_the_next_page_is_shown(script):
    hostile = f"<title>bad</title><p>hello<script>{script}</script>".encode()

    began = time.monotonic()
    bad, good = shown({"bad": hostile, "good": GOOD}, one_after_another("bad", "good"))

    assert b"hello" in bad.body  # as it was sent, or with what the script did
    assert b"shownshown" in good.body
    assert time.monotonic() - began < 60


def test_page_asks_no_private_address(hidden):
    """The page is on an address that is allowed here; the secret is on one that is not."""
    secret, asked = hidden
    script = f"""
      const urls = ['http://{secret}/fetch', 'http://localhost:{secret.partition(":")[2]}/local'];
      for (const url of urls) fetch(url, {{mode: 'no-cors'}}).catch(() => 0);
      new Image().src = 'http://{secret}/image';
      new WebSocket('ws://{secret}/socket');
      navigator.sendBeacon('http://{secret}/beacon');
      new EventSource('http://{secret}/events');
      const frame = document.createElement('iframe'); frame.src = 'http://{secret}/frame';
      document.body.append(frame);
      const link = document.createElement('link'); link.rel = 'prefetch';
      link.href = 'http://{secret}/prefetch'; document.head.append(link);
      const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:{secret}'}}]}});
      peer.createDataChannel('x'); peer.createOffer().then(o => peer.setLocalDescription(o));
      fetch('file:///etc/hostname').catch(() => 0);
      window.open('http://{secret}/window');
      setTimeout(() => {{ location.href = 'http://{secret}/away' }}, 200);
    """
    page = f"<title>spy</title><body><p>hello<script>{script}</script>".encode()

    async def run() -> Response:
        with FakeWeb({"spy.test": Site(by_path({"/": content(page)}))}) as web:
            address = web.resolver.addresses["spy.test"]
            rules = replace(RULES, allowed_networks=(f"{address}/32",))
            plain = HttpFetcher(rules, resolver=web.resolver)
            fetcher = RenderingFetcher(
                plain, plain.ask_for_page, PageRenderer("geoscout/test", LIMITS), "always"
            )
            try:
                return await fetcher.fetch(Request(web.url("spy.test")))
            finally:
                await fetcher.close()

    response = asyncio.run(run())

    assert b"hello" in response.body
    assert response.sent
    assert asked == []


def test_browser_that_is_killed_is_started_again():
    async def act(
        fetcher: RenderingFetcher, renderer: PageRenderer, web: FakeWeb
    ) -> list[Response]:
        first = await fetcher.fetch(Request(web.url("good.test")))
        for pid in browser_processes(renderer._mark):
            with suppress(ProcessLookupError):  # it ended with another of them
                os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(0.5)
        return [first, *[await fetcher.fetch(Request(web.url("good.test"))) for _ in range(2)]]

    responses = shown({"good": GOOD}, act)

    assert [b"shownshown" in response.body for response in responses][::2] == [True, True]


def test_pages_are_shown_at_the_same_time():
    slow = b"<title>slow</title><p>hello<script>while (true) {}</script>"

    async def act(fetcher: RenderingFetcher, _: PageRenderer, web: FakeWeb) -> list[Response]:
        names = ("slow", "good")
        return list(
            await asyncio.gather(*(fetcher.fetch(Request(web.url(f"{n}.test"))) for n in names))
        )

    bad, good = shown({"slow": slow, "good": GOOD}, act)

    assert not bad.sent
    assert b"shownshown" in good.body
