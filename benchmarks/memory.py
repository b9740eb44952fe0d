"""How much memory a long crawl takes: the main process of `geoscout crawl`, looked at from outside.

    python benchmarks/memory.py            20,000 pages
    python benchmarks/memory.py --full     200,000 pages, the size of the limit; 10 to 30 minutes
    python benchmarks/memory.py --named    5,000,000 URLs named by slow hosts; 5 to 20 minutes

Crawls a synthetic site over loopback: a thousand hosts, small pages with a postal address and 24
links each. It has six times as many pages as are crawled, and in whatever order that is done, the
frontier soon knows nearly all of them, more than a crawl of the web as a rule does. Prints the
resident memory as the crawl goes on, and what a page added in the second half: with --workers 1
the geoparser's tables lie in the main process, with more they do not.

With --named a page has 400 links, nearly all of them new, each answer takes up to two seconds, and
300 requests are in flight: as many URLs are named as in an hour over slow hosts.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

LIMIT = 400.0  # MB
FULL = 200_000  # pages
MAIN = "import sys; from geoscout.cli.main import main; sys.exit(main())"
PORT = 8730
HOSTS = 1000
SEEDS = 200
KNOWN = 6  # pages of the site for one that is crawled
LINKS = 24
NAMED = 5_000_000  # URLs
NAMING = 400  # links of a page
SLOW = 2.0  # seconds that an answer takes at most
CONNECTIONS = 300
STREETS = ("Main Street", "Oak Avenue", "Lake Road", "Station Street", "Church Lane")
TOWNS = ("Springfield, IL 62701", "Austin, TX 78701", "Madison, WI 53703", "Portland, OR 97201")


def address(host: int) -> str:
    return f"127.0.{host // 250}.{host % 250 + 1}"


def page_url(number: int) -> str:
    return f"http://{address(number * 7919 % HOSTS)}:{PORT}/towns/a-page-about-{number}.html"


def page(number: int, size: int, count: int) -> bytes:
    """A page of about 5 KB of a site of this size, with 24 links; the same number is the same."""
    chance = random.Random(number)
    links = "".join(
        f'<p>Further on there is <a href="{page_url(target)}">the page {target}</a> to read.</p>\n'
        for target in (chance.randrange(size) for _ in range(count))
    )
    town = chance.choice(TOWNS)
    return (
        f"<!doctype html><title>Page {number} of {town}</title><h1>{town}</h1>{links}"
        f"<address>{number % 900 + 1} {chance.choice(STREETS)}<br>{town}</address>"
    ).encode()


class Server(asyncio.Protocol):
    """Makes pages as they are asked for."""

    def __init__(self, size: int, links: int, slow: float) -> None:
        self._size, self._links, self._slow = size, links, slow

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment] # it is one
        self.waiting = b""

    def data_received(self, data: bytes) -> None:
        self.waiting += data
        while b"\r\n\r\n" in self.waiting:
            head, _, self.waiting = self.waiting.partition(b"\r\n\r\n")
            found = answer(head.split(b" ", 2)[1].decode(), self._size, self._links)
            if self._slow:
                loop = asyncio.get_running_loop()
                loop.call_later(random.random() * self._slow, self.transport.write, found)
            else:
                self.transport.write(found)


def answer(path: str, size: int, links: int) -> bytes:
    number = path.rpartition("-")[2].removesuffix(".html")
    status, body = "404 Not Found", b""
    if number.isdecimal():
        status, body = "200 OK", page(int(number), size, links)
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def serve(size: int, links: int, slow: float) -> None:
    """Serve until the input is closed."""
    loop = asyncio.get_running_loop()
    for host in range(HOSTS):
        await loop.create_server(lambda: Server(size, links, slow), address(host), PORT)
    print("ready", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


def start_crawl(
    folder: Path, pages: int, workers: int, connections: int
) -> subprocess.Popen[bytes]:
    seeds = folder / "seeds.txt"
    seeds.write_text("\n".join(page_url(number) for number in range(SEEDS)))
    command = [sys.executable, "-c", MAIN, "crawl", "--region", "Austin, TX"]
    command += ["--seeds", str(seeds), "--out", str(folder / "crawl"), "--allow-private"]
    command += ["--max-pages", str(pages), "--connections", str(connections)]
    settings = {"GEOSCOUT_DELAY_SECONDS": "0", "GEOSCOUT_WORKERS": str(workers)}
    return subprocess.Popen(
        command, env=os.environ | settings, stdout=subprocess.DEVNULL, start_new_session=True
    )


def resident_megabytes(process: int) -> tuple[float, float]:
    """What the process has now, and the most it ever had; 0 when it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0, 0.0
    fields = dict(line.split(":", 1) for line in lines)
    now, most = (int(fields.get(name, "0 kB").split()[0]) for name in ("VmRSS", "VmHWM"))
    return now / 1024, most / 1024


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
    now: float  # resident, MB
    most: float  # ever, MB


def watch(crawl: subprocess.Popen[bytes], folder: Path, every: float) -> list[Sample]:
    """Pages and resident memory as the crawl goes on; prints them."""
    seen: list[Sample] = []
    started = time.monotonic()
    print(f"{'seconds':>8} {'pages':>9} {'URLs known':>11} {'RSS, MB':>8} {'most, MB':>9}")
    while crawl.poll() is None:
        now, most = resident_megabytes(crawl.pid)
        pages, urls = progress(folder)
        if now and pages:
            seen.append(Sample(pages, now, most))
            seconds = time.monotonic() - started
            print(f"{seconds:>8.0f} {pages:>9,} {urls:>11,} {now:>8.0f} {most:>9.0f}", flush=True)
        try:
            crawl.wait(every)
        except subprocess.TimeoutExpired:
            continue
    return seen


def report(seen: list[Sample], done: int, planned: int, workers: int) -> None:
    """Judge the crawl, but only if it went to its end."""
    if not seen:
        raise SystemExit("the crawl ended before it had a page")
    last = seen[-1]
    half = next(sample for sample in seen if sample.pages >= last.pages / 2)
    print(f"\nmost: {last.most:.0f} MB with {workers} worker(s), seen at {last.pages:,} pages")
    if last.pages > half.pages:
        growth = (last.now - half.now) * 1024 * 1024 / (last.pages - half.pages)
        print(f"second half: {growth:,.0f} bytes a page")
    if done < planned:
        raise SystemExit(f"no verdict: it ended after {done:,} of {planned:,} pages")
    verdict = "within" if last.most < LIMIT else "ABOVE"
    print(f"{verdict} the limit of {LIMIT:.0f} MB, which is promised for {FULL:,} pages")


def main() -> None:
    """Crawl and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--full", action="store_true", help="200,000 pages instead of 20,000")
    parser.add_argument("--pages", type=int, help="or any other number")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--named", action="store_true", help=f"{NAMED:,} URLs by slow hosts")
    parser.add_argument("--serve", type=float, nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        size, links, slow = options.serve
        asyncio.run(serve(int(size), int(links), slow))
        return
    pages = options.pages or (FULL if options.full else 20_000)
    site = KNOWN * pages, LINKS, 0.0
    connections = 50
    if options.named:  # a few links lead to what another has named
        pages = options.pages or int(1.15 * NAMED / NAMING)
        site, connections = (4 * pages * NAMING, NAMING, SLOW), CONNECTIONS
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the crawl is ended, too
    command = [sys.executable, __file__, "--serve", *map(str, site)]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdout is not None
    server.stdout.readline()
    with tempfile.TemporaryDirectory() as name:
        crawl = start_crawl(Path(name), pages, options.workers, connections)
        try:
            seen = watch(crawl, Path(name), every=30 if pages > 50_000 else 5)
            report(seen, progress(Path(name))[0], pages, options.workers)
        finally:
            if crawl.poll() is None:
                os.killpg(crawl.pid, signal.SIGTERM)
                crawl.wait()
            server.terminate()


if __name__ == "__main__":
    main()
