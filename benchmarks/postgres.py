"""Costs of a crawl in PostgreSQL next to one in a folder: CPU time, log and disk a page.

    python benchmarks/postgres.py [--pages 3000] [--new-urls 15] [--on postgresql://…/database/name]

Each page has 50 links, two addresses and two places, and brings some new URLs to the frontier; a
group has 64 pages. Packing its archive records is left out: a worker process does that. Without
`--on` a server of our own is started, whose processes are then measured, too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from benchmarks.archive import made_up_visits
from geoscout.state.base import Beginning, CrawlState, Writing, create_state
from geoscout.store.base import Visit
from geoscout.store.records import Exchange, pack_exchange
from geoscout_cluster.postgres.database import connect
from geoscout_cluster.postgres.server import LocalServer
from geoscout_places.model import (
    Address,
    Kind,
    Mention,
    MentionKind,
    Place,
    Point,
    Reading,
    Request,
    ScopePlace,
)

GROUP = 64  # visits a commit
CONNECTS = 50
DATABASE = "postgres"
USA = Place(1, "United States", Kind.COUNTRY, Point(39.8, -98.6), "US")
AUSTIN = Place(3, "Austin", Kind.CITY, Point(30.27, -97.74), "US", parent=1)
ADDRESS = Address(
    4, 31, "12 Main St, Austin, TX 78701", "12", "Main St",
    unit="", city="Austin", region="TX", postcode="78701", country="US",
    point=AUSTIN.point, place=AUSTIN, source="text",
)  # fmt: skip
READING = Reading(
    addresses=(ADDRESS, ADDRESS),
    mentions=(Mention(0, 6, "Austin", MentionKind.PLACE, AUSTIN, confidence=0.9),),
    points=(),
    scope=(ScopePlace(AUSTIN, (USA, AUSTIN), 0.8), ScopePlace(USA, (USA,), 0.1)),
)
Packed = tuple[Visit, Exchange]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--new-urls", type=int, default=15)
    parser.add_argument("--on", metavar="URL", help="a server to measure instead of our own")
    options = parser.parse_args()
    pages = list(packed_visits(options.pages))
    with tempfile.TemporaryDirectory(prefix="geoscout-pg-") as folder:
        archive = f"{folder}/segments"
        Path(folder).chmod(0o755)  # a server that root starts runs as somebody else
        state = create_state(f"{folder}/crawl")
        show("crawl in a folder", crawl(state, pages, options.new_urls), options.pages)
        state.close()
        if options.on:
            measure(options.on, archive, pages, options.new_urls)
            return
        with LocalServer(Path(folder) / "server") as server:
            where = server.address(DATABASE, "bench")
            measure(where, archive, pages, options.new_urls, server.folder)


def packed_visits(count: int) -> Iterator[Packed]:
    for visit in made_up_visits(count):
        yield replace(visit, reading=READING), pack_exchange(visit.response, "geoscout")


def measure(
    where: str, archive: str, pages: Sequence[Packed], new_urls: int, server: Path | None = None
) -> None:
    """Crawl into a server, and see what that took; `server` is its folder, if it is ours."""
    state = create_state(where, Beginning(archive=archive), Writing())
    before = server_seconds(server) if server else 0.0
    with connect(where) as connection:
        start = connection.execute("SELECT pg_current_wal_lsn()").fetchone()
    show("crawl on PostgreSQL, this process", crawl(state, pages, new_urls), len(pages))
    if server:
        seconds = server_seconds(server) - before
        show("PostgreSQL, all its processes", seconds, len(pages))
    state.close()
    with connect(where) as connection:
        query = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), %s)::bigint"
        (log,) = connection.execute(query, start).fetchone() or (0,)
        query = """SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class
            WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"""
        (size,) = connection.execute(query).fetchone() or (0,)
    print(f"log {log / len(pages):,.0f} and tables {size / len(pages):,.0f} bytes a page")
    started = time.perf_counter()
    for _ in range(CONNECTS):
        connect(where).close()
    print(f"a connection {(time.perf_counter() - started) / CONNECTS * 1000:.1f} ms")


def crawl(state: CrawlState, pages: Sequence[Packed], new_urls: int) -> float:
    """Write pages as the loop does; the CPU seconds that this process took."""
    return asyncio.run(_crawl(state, pages, new_urls))


async def _crawl(state: CrawlState, pages: Sequence[Packed], new_urls: int) -> float:
    state.frontier.put([Request(visit.request.url, 1.0) for visit, _ in pages])
    await state.commit()
    started = time.process_time()
    for visit, exchange in pages:
        request = state.frontier.next(0.0)
        assert request is not None
        url = visit.request.url
        state.frontier.put([Request(f"{url}/new/{n}", 0.5) for n in range(new_urls)])
        state.writer.add(visit, exchange)
        state.frontier.done(request, 0.0, 0.0)
        await state.commit_when_due(GROUP, 1e9)
    await state.commit()
    return time.process_time() - started


def server_seconds(folder: Path) -> float:
    """CPU time so far of all processes of the server in a folder."""
    first = (folder / "data" / "postmaster.pid").read_text().partition("\n")[0]
    ticks = 0
    for process in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = process.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if first in (process.parent.name, fields[1]):  # itself and its children
            ticks += sum(map(int, fields[11:13]))
        if first == process.parent.name:  # and those that have ended
            ticks += sum(map(int, fields[13:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def show(what: str, seconds: float, pages: int) -> None:
    print(f"{what:36} {seconds / pages * 1e6:6.0f} µs of CPU a page")


if __name__ == "__main__":
    main()
