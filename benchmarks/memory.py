"""How much memory a long crawl takes: the main process of `geoscout crawl`, looked at from outside.

    python benchmarks/memory.py            20,000 pages
    python benchmarks/memory.py --full     200,000 pages, the size of the limit; 10 to 30 minutes
    python benchmarks/memory.py --named    5,000,000 URLs named by slow hosts; 5 to 30 minutes

Crawls a synthetic site over loopback: a thousand hosts, small pages with a postal address and 24
links each. It has six times as many pages as are crawled, and in whatever order that is done, the
frontier soon knows nearly all of them, more than a crawl of the web as a rule does. Prints the
resident memory as the crawl goes on, and what a page added in the second half: with --workers 1
the geoparser's tables lie in the main process, with more they do not. "all" is the main process and
those that read pages for it; what they share is divided among them.

With --named each host has a sitemap of 5,000 URLs, all answers take up to two seconds, and 300
requests are in flight: as many URLs are named as in an hour over slow hosts. The crawl is ended
when all are known, and has a limit of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from geoscout.machine import memory_of

LIMIT = 400.0  # MB
LIMIT_NAMED = 650.0  # of which half is of what is in flight
FULL = 200_000  # pages
MAIN = "import sys; from geoscout.cli.main import main; sys.exit(main())"
PORT = 8730
HOSTS = 1000
SEEDS = 200
KNOWN = 6  # pages of the site for one that is crawled
LINKS = 24
NAMED = 5_000_000  # URLs
SLOW = 2.0  # seconds that an answer takes at most
CONNECTIONS = 300
STREETS = ("Main Street", "Oak Avenue", "Lake Road", "Station Street", "Church Lane")
TOWNS = ("Springfield, IL 62701", "Austin, TX 78701", "Madison, WI 53703", "Portland, OR 97201")


def address(host: int) -> str:
    return f"127.0.{host // 250}.{host % 250 + 1}"


def page_url(number: int) -> str:
    return f"http://{address(number * 7919 % HOSTS)}:{PORT}/towns/a-page-about-{number}.html"


def page(number: int, size: int) -> bytes:
    """A page of about 5 KB of a site of this size, with 24 links; the same number is the same."""
    chance = random.Random(number)
    links = "".join(
        f'<p>Further on there is <a href="{page_url(target)}">the page {target}</a> to read.</p>\n'
        for target in (chance.randrange(size) for _ in range(LINKS))
    )
    town = chance.choice(TOWNS)
    return (
        f"<!doctype html><title>Page {number} of {town}</title><h1>{town}</h1>{links}"
        f"<address>{number % 900 + 1} {chance.choice(STREETS)}<br>{town}</address>"
    ).encode()


class Server(asyncio.Protocol):
    """Makes pages as they are asked for."""

    def __init__(self, size: int, slow: float, named: int) -> None:
        self._size, self._slow, self._named = size, slow, named

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment] # it is one
        self.waiting = b""

    def data_received(self, data: bytes) -> None:
        self.waiting += data
        while b"\r\n\r\n" in self.waiting:
            head, _, self.waiting = self.waiting.partition(b"\r\n\r\n")
            found = answer(head.decode("latin-1"), self._size, self._named)
            if self._slow:
                loop = asyncio.get_running_loop()
                loop.call_later(random.random() * self._slow, self.transport.write, found)
            else:
                self.transport.write(found)


def answer(head: str, size: int, named: int) -> bytes:
    path = head.split(" ", 2)[1]
    number = path.rpartition("-")[2].removesuffix(".html")
    root = "http://" + head.partition("Host: ")[2].partition("\r")[0]
    status, body, kind = "404 Not Found", b"", "text/html"
    if number.isdecimal():
        status, body = "200 OK", page(int(number), size)
    elif named and path == "/robots.txt":
        status, body, kind = "200 OK", f"Sitemap: {root}/map.xml\n".encode(), "text/plain"
    elif named and path == "/map.xml":
        urls = (f"<url><loc>{root}/towns/more-about-{n}.html</loc></url>" for n in range(named))
        status, body, kind = "200 OK", f"<urlset>{''.join(urls)}</urlset>".encode(), "text/xml"
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def serve(size: int, slow: float, named: int) -> None:
    """Serve until the input is closed."""
    loop = asyncio.get_running_loop()
    for host in range(HOSTS):
        await loop.create_server(lambda: Server(size, slow, named), address(host), PORT)
    print("ready", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


def start_crawl(
    folder: Path, pages: int, workers: int, connections: int, seed_count: int
) -> subprocess.Popen[bytes]:
    seeds = folder / "seeds.txt"
    seeds.write_text("\n".join(page_url(number) for number in range(seed_count)))
    command = [sys.executable, "-c", MAIN, "crawl", "--region", "Austin, TX"]
    command += ["--seeds", str(seeds), "--out", str(folder / "crawl"), "--allow-private"]
    command += ["--max-pages", str(pages), "--connections", str(connections)]
    settings = {"GEOSCOUT_DELAY_SECONDS": "0", "GEOSCOUT_WORKERS": str(workers)}
    return subprocess.Popen(
        command, env=os.environ | settings, stdout=subprocess.DEVNULL, start_new_session=True
    )


def megabytes(process: int) -> tuple[float, float, float]:
    """What the process takes, that with the processes below it, and the most it ever had."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0, 0.0, 0.0  # it is gone
    most = float(status.partition("VmHWM:")[2].split()[0]) / 1024
    main, *others = (memory_of(pid) / 1024**2 for pid in (process, *below(process)))
    return main, main + sum(others), most


def below(process: int) -> list[int]:
    """The processes that one has started, and those that they have started."""
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, task.read_text().split())
    return [each for child in found for each in (child, *below(child))]


def progress(folder: Path) -> tuple[int, int]:
    """Pages visited and URLs known, as committed."""
    file = folder / "crawl" / "crawl.sqlite"
    if not file.exists():
        return 0, 0
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            query = "SELECT (SELECT max(n) FROM visit), (SELECT max(number) FROM frontier_request)"
            pages, urls = connection.execute(query).fetchone()
    except sqlite3.Error:
        return 0, 0  # it is being made
    return pages or 0, urls or 0


class Sample(NamedTuple):
    """The state of the crawl at one moment."""

    pages: int
    urls: int
    now: float  # MB of the main process
    most: float  # ever, MB, with what it shares


def watch(
    crawl: subprocess.Popen[bytes], folder: Path, every: float, urls_wanted: float
) -> list[Sample]:
    """Pages and memory as the crawl goes on; prints them. It is ended when it knows enough URLs."""
    seen: list[Sample] = []
    started = time.monotonic()
    print(f"{'seconds':>8} {'pages':>9} {'URLs known':>11} {'main, MB':>9} {'all':>5} {'most':>5}")
    while crawl.poll() is None:
        now, together, most = megabytes(crawl.pid)
        pages, urls = progress(folder)
        if now and pages:
            seen.append(Sample(pages, urls, now, most))
            seconds = time.monotonic() - started
            figures = f"{now:>9.0f} {together:>5.0f} {most:>5.0f}"
            print(f"{seconds:>8.0f} {pages:>9,} {urls:>11,} {figures}", flush=True)
        if urls >= urls_wanted:
            crawl.terminate()
        try:
            crawl.wait(every)
        except subprocess.TimeoutExpired:
            continue
    return seen


def report(seen: list[Sample], limit: float, *, is_whole: bool) -> None:
    """Judge the crawl, but only if it went to its end."""
    if not seen:
        raise SystemExit("the crawl ended before it had a page")
    last = seen[-1]
    half = next(sample for sample in seen if sample.urls >= last.urls / 2)
    print(f"\nmost: {last.most:.0f} MB, seen at {last.pages:,} pages and {last.urls:,} URLs")
    if last.pages > half.pages:
        growth = (last.now - half.now) * 1024 * 1024
        a_page, a_url = growth / (last.pages - half.pages), growth / (last.urls - half.urls or 1)
        print(f"second half: {a_page:,.0f} bytes a page, {a_url:,.0f} bytes a URL")
    if not is_whole:
        raise SystemExit(f"no verdict: it ended after {last.pages:,} pages")
    print(f"{'within' if last.most < limit else 'ABOVE'} the limit of {limit:.0f} MB")


def main() -> None:
    """Crawl and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--full", action="store_true", help="200,000 pages instead of 20,000")
    parser.add_argument("--pages", type=int, help="or any other number")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument(
        "--named", type=int, nargs="?", const=NAMED, help=f"{NAMED:,} URLs by slow hosts"
    )
    parser.add_argument("--serve", type=float, nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        size, slow, named = options.serve
        asyncio.run(serve(int(size), slow, int(named)))
        return
    named = options.named or 0
    pages = options.pages or (FULL if options.full or named else 20_000)
    slow, connections, seeds = (SLOW, CONNECTIONS, HOSTS) if named else (0.0, 50, SEEDS)
    site = KNOWN * pages, slow, named // HOSTS
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the crawl is ended, too
    command = [sys.executable, __file__, "--serve", *map(str, site)]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdout is not None
    server.stdout.readline()
    with tempfile.TemporaryDirectory() as name:
        crawl = start_crawl(Path(name), pages, options.workers, connections, seeds)
        wanted = 0.99 * named or math.inf
        try:
            seen = watch(crawl, Path(name), 30 if pages > 50_000 and not named else 5, wanted)
            done, urls = progress(Path(name))
            is_whole = done >= pages or urls >= wanted
            report(seen, LIMIT_NAMED if named else LIMIT, is_whole=is_whole)
        finally:
            if crawl.poll() is None:
                os.killpg(crawl.pid, signal.SIGTERM)
                crawl.wait()
            server.terminate()


if __name__ == "__main__":
    main()
