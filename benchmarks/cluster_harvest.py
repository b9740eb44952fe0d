"""A replayed crawl by 1, 2 and 4 workers: pages a second, CPU a page, and what focus is left.

    python -m benchmarks.cluster_harvest ARCHIVES [--only webkb,munich] [--workers 1,2,4]

Each crawl is on a PostgreSQL server of our own, new for each, with 16 partitions and `hybrid`, and
ends after `--pages` responses. The first row is a crawl by one process in a folder. CPU times are
of whole processes: starting a worker (a second or two, for the gazetteer) is taken off. Times mean
little where there are fewer cores than workers.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.postgres import DATABASE, server_seconds
from geoscout.state.base import open_state
from geoscout_cluster.postgres.server import LocalServer

CASES = {
    "webkb": ("Austin, TX", 900),
    "munich": ("München", 125),
    "usdirs": ("Napa County, California", 3500),
}  # a region, and 20 % of the pages that can be reached from the seeds
PARTITIONS = 16


@dataclass(frozen=True, slots=True)
class CrawlCost:
    """What a crawl brought, and what it took."""

    visits: int
    relevant: int
    half: int  # relevant pages in the first half of the visits
    seconds: float
    worker_cpu: float
    server_cpu: float

    def show(self, name: str) -> None:
        print(
            f"{name:>18}  {self.visits:5} pages, {self.relevant:4} relevant ({self.half} in the"
            f" first half), {self.seconds:5.1f} s,"
            f" {1000 * self.worker_cpu / self.visits:5.2f} ms CPU a page,"
            f" PostgreSQL {1000 * self.server_cpu / self.visits:.2f}",
            flush=True,
        )


def run(*arguments: str, environment: dict[str, str] | None = None) -> tuple[float, float]:
    """Run a command of geoscout; its time, and the CPU time of it and all its children."""
    before, started = _children(), time.perf_counter()
    command = [sys.executable, "-m", "geoscout", *arguments]
    subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, **(environment or {})},
    )  # fmt: skip
    return time.perf_counter() - started, _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def options_of(archive: Path, pages: int) -> list[str]:
    files = [str(path) for path in sorted(archive.glob("*.warc.gz"))]
    seeds = str(archive / "seeds.txt")
    chosen = ["--strategy", "hybrid", "--set", "workers=0", "--max-pages", str(pages)]
    return ["--region", CASES[archive.name][0], "--seeds", seeds, *chosen, "--replay", *files]


def in_a_folder(archive: Path, pages: int, folder: Path) -> CrawlCost:
    seconds, cpu = run("crawl", "--out", str(folder / "crawl"), *options_of(archive, pages))
    return _cost(str(folder / "crawl"), seconds, cpu, 0.0)


def by_workers(archive: Path, pages: int, folder: Path, workers: int) -> CrawlCost:
    with LocalServer(folder / "server") as server:
        where = server.address(DATABASE, "bench")
        on = {"GEOSCOUT_ON": where}
        run(
            "crawl", "--on", where, "--partitions", str(PARTITIONS), "--no-work",
            "--archive", str(folder / "segments"), *options_of(archive, pages),
        )  # fmt: skip
        before = server_seconds(server.folder)
        seconds, cpu = run("cluster", "start", "--workers", str(workers), environment=on)
        return _cost(where, seconds, cpu, server_seconds(server.folder) - before)


def _cost(where: str, seconds: float, worker_cpu: float, server_cpu: float) -> CrawlCost:
    with open_state(where) as view:
        relevant = [visit.relevant for visit in view.reader.visits()]
    half = sum(relevant[: len(relevant) // 2])
    return CrawlCost(
        visits=len(relevant),
        relevant=sum(relevant),
        half=half,
        seconds=seconds,
        worker_cpu=worker_cpu,
        server_cpu=server_cpu,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("archives", type=Path)
    parser.add_argument("--only", default="webkb,munich")
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--pages", type=int, help="default: 20 %% of those that can be reached")
    asked = parser.parse_args()
    for name in asked.only.split(","):
        archive, pages = asked.archives / name, asked.pages or CASES[name][1]
        print(f"{name}, {CASES[name][0]}, {pages} pages")
        with tempfile.TemporaryDirectory(prefix="geoscout-bench-") as folder:
            in_a_folder(archive, pages, Path(folder)).show("a folder")
        for workers in map(int, asked.workers.split(",")):
            with tempfile.TemporaryDirectory(prefix="geoscout-bench-") as folder:
                Path(folder).chmod(0o755)  # a server that root starts runs as somebody else
                cost = by_workers(archive, pages, Path(folder), workers)
                cost.show(f"{workers} workers")


if __name__ == "__main__":
    main()
