"""What it costs that a commit outlasts a power failure: replayed crawls with and without syncs.

    python benchmarks/durable.py ARCHIVE [--region Austin] [--pages 1000] [--rounds 3] [--workers 1]

The rounds alternate. "without" is what geoscout did before: the archive was never synced, and
SQLite only when its log was copied back. The cost is the time that commits take longer, as a share
of the whole crawl: the difference of two whole crawls would be lost in the noise of the machine.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from geoscout.crawling.run import start_crawl
from geoscout.fetch.archive import archive_files
from geoscout.settings import load_settings
from geoscout.state.sqlite import SqliteState
from geoscout.store import archive
from geoscout.store.sqlite import database
from geoscout.warc import scan

MOST_SEEDS = 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--region", default="Austin, Texas")
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    seeds = seeds_of(options.archive)
    print(f"{'':>10} {'crawl s':>8} {'commits s':>10} {'commits':>8} {'longest ms':>11}")
    costs = []
    for _ in range(options.rounds):
        with without_syncs():
            _, before = measure("without", options, seeds)
        whole, after = measure("with", options, seeds)
        costs.append((after - before) / whole)
    shown = " ".join(f"{cost:.2%}" for cost in costs)
    print(f"cost of the syncs: {statistics.median(costs):.2%} of the crawl (rounds: {shown})")


def seeds_of(path: Path) -> list[str]:
    """Pages from all over the archive, so that most of it can be reached."""
    found = [
        one.record.target
        for file in archive_files([path])
        for one in scan(file)
        if one.record.type == "response"
    ]
    return found[:: max(len(found) // MOST_SEEDS, 1)]


def measure(name: str, options: argparse.Namespace, seeds: list[str]) -> tuple[float, float]:
    """Seconds of a crawl, and those of its commits."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder, timed_commits() as times:
        crawl = start_crawl(
            Path(folder) / "crawl",
            seeds=seeds,
            region=options.region,
            replay=(str(options.archive),),
            max_pages=options.pages,
            settings=replace(load_settings(), workers=options.workers),
        )
        started = time.perf_counter()
        with crawl:
            crawl.run()
        whole = time.perf_counter() - started
    figures = f"{whole:8.2f} {sum(times):10.3f} {len(times):8} {max(times) * 1000:11.1f}"
    print(f"{name:>10} {figures}", flush=True)
    return whole, sum(times)


@contextmanager
def timed_commits() -> Iterator[list[float]]:
    times: list[float] = []
    save = SqliteState.save

    def timed(state: SqliteState) -> None:
        started = time.perf_counter()
        save(state)
        times.append(time.perf_counter() - started)

    with patched(SqliteState, "save", timed):
        yield times


@contextmanager
def without_syncs() -> Iterator[None]:
    pragmas = vars(database)["_PRAGMAS"].replace("FULL", "NORMAL")
    with (
        patched(archive, "sync_file", lambda _file: None),
        patched(database, "_PRAGMAS", pragmas),
    ):
        yield


@contextmanager
def patched(owner: object, name: str, value: object) -> Iterator[None]:
    kept = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, kept)


if __name__ == "__main__":
    main()
