"""Costs of the store and of replay: CPU time a page to archive, note, read back and serve again.

    python benchmarks/archive.py [--pages 2000] [--replay FILE...]

Pages are made of random words; `--replay` also measures archives of your own. `warcio` and
`fastwarc` are measured next to our own reader where they are installed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from geoscout import warc
from geoscout.fetch.archive import ArchiveFetcher, archive_files
from geoscout.state.sqlite import SqliteState
from geoscout.store.base import Visit
from geoscout.store.records import pack_exchange
from geoscout_places.errors import FetchError
from geoscout_places.model import Link, Page, Request, Response

Item = TypeVar("Item")
LINKS = 50
WORDS_IN_PAGE = 1500
GROUP = 100  # visits a commit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--replay", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        visits = list(made_up_visits(options.pages))
        measure_store(Path(folder), visits)
        measure_replay(archive_files([Path(folder) / "archive"]))
    for path in options.replay:
        measure_replay(archive_files([path]))


def made_up_visits(count: int) -> Iterator[Visit]:
    chance = random.Random(1)
    words = ["".join(chance.choices("abcdefghij", k=chance.randrange(2, 9))) for _ in range(5000)]
    for n in range(count):
        url = f"http://host{n % 50}.example/{chance.choice(words)}/{n}"
        texts = chance.choices(words, k=LINKS)
        links = tuple(Link(f"{url}/{t}", t) for t in texts)
        text = " ".join(chance.choices(words, k=WORDS_IN_PAGE))
        body = f"<html><body><p>{text}</p></body></html>".encode()
        headers = (("content-type", "text/html"), ("server", "made up"))
        response = Response(url, 200, headers, body, "192.0.2.1", fetched_at=1e9 + n, seconds=0.1)
        yield Visit(Request(url), response, Page(url, "A title", "en", "", (), links=links))


def measure_store(folder: Path, visits: Sequence[Visit]) -> None:
    size = sum(len(visit.response.body) for visit in visits) // len(visits)
    print(f"\n{len(visits)} made-up pages of {size} bytes with {LINKS} links")
    show("compress the body", visits, lambda visit: warc.pack(visit.response.body))
    show("make the records (with that)", visits, lambda v: pack_exchange(v.response, "agent"))
    exchanges = [pack_exchange(visit.response, "agent") for visit in visits]
    started = time.process_time()
    with closing(SqliteState(folder)) as state:
        for visit, exchange in zip(visits, exchanges, strict=True):
            if state.writer.add(visit, exchange) % GROUP == 0:
                state.save()
        state.save()
        print_cost("append, note and commit", time.process_time() - started, len(visits))
        show("read back", range(1, len(visits) + 1), state.reader.response)


def measure_replay(files: list[Path]) -> None:
    print(f"\nreplay of {', '.join(path.name for path in files)}")
    started = time.process_time()
    fetcher = ArchiveFetcher(files)
    print_cost("index", time.process_time() - started, max(1, len(fetcher.index)))
    urls = [found.record.target for path in files for found in warc.scan(path)]
    random.Random(1).shuffle(urls)
    requests = [Request(url) for url in urls if url]

    async def fetch_all() -> None:
        for request in requests:
            try:
                await fetcher.fetch(request)
            except FetchError:
                continue

    started = time.process_time()
    asyncio.run(fetch_all())
    print_cost("fetch", time.process_time() - started, len(requests))
    for name, read in (("warcio", read_by_warcio), ("fastwarc", read_by_fastwarc)):
        started = time.process_time()
        try:
            count = sum(read(path) for path in files)
        except ImportError:
            continue
        print_cost(f"{name}, read all in order", time.process_time() - started, count)


def read_by_warcio(path: Path) -> int:
    module = import_module("warcio.archiveiterator")
    with path.open("rb") as stream:
        return sum(1 for record in module.ArchiveIterator(stream) if record.content_stream().read())


def read_by_fastwarc(path: Path) -> int:
    module = import_module("fastwarc.warc")
    with path.open("rb") as stream:
        return sum(1 for record in module.ArchiveIterator(stream) if record.reader.read())


def show(what: str, items: Sequence[Item], work: Callable[[Item], object]) -> None:
    started = time.process_time()
    for item in items:
        work(item)
    print_cost(what, time.process_time() - started, len(items))


def print_cost(what: str, seconds: float, count: int) -> None:
    print(f"{what:30} {seconds / count * 1e6:7.1f} µs each, {count / seconds:9,.0f} a second")


if __name__ == "__main__":
    main()
