"""What a page costs by 1, 2 and 4 workers: processor time of the workers and of PostgreSQL.

    python benchmarks/cluster.py [--workers 1 2 4] [--strategy breadth]

Replays all of WebKB (GEOSCOUT_CORPORA, default ../shared/corpora) with `geoscout cluster start`,
each time as a new crawl of eight partitions, on a server that this starts. What workers need to
start is measured by starting them for a crawl that has ended, and is left out. The time of
PostgreSQL is that of all its processes, those for its log and its checkpoints too.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from geoscout_cluster.postgres.database import connect
from geoscout_cluster.postgres.server import LocalServer

ARCHIVE = Path(os.environ.get("GEOSCOUT_CORPORA", "../shared/corpora")) / "archives" / "webkb"
TICKS = os.sysconf("SC_CLK_TCK")
WORKERS = (1, 2, 4)


def geoscout(*words: str) -> None:
    command = [sys.executable, "-m", "geoscout", *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def server_seconds(server: LocalServer) -> float:
    """Of the server and all its processes, those that have ended too."""
    first = (server.folder / "data" / "postmaster.pid").read_text().partition("\n")[0]
    children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    # The times of a process that has ended are with its parent.
    return _ticks(first, 4) / TICKS + sum(_ticks(child, 2) for child in children) / TICKS


def _ticks(process: str, fields: int) -> int:
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:  # it has just ended
        return 0
    return sum(map(int, stat.rpartition(")")[2].split()[11 : 11 + fields]))


def counts_of(where: str) -> tuple[int, int]:
    """How many pages there are, and in how many transactions they came."""
    query = "SELECT (SELECT count(*) FROM visit), (SELECT sum(groups) FROM partition)"
    with closing(connect(where)) as connection:
        pages, groups = connection.execute(query).fetchone() or (0, 0)
    return int(pages), int(groups)


def measure(server: LocalServer, workers: int, strategy: str) -> None:
    where, pages_folder = server.address("postgres", f"workers{workers}"), server.folder / "pages"
    geoscout(
        "crawl", "--region", "Austin, TX", "--seeds", str(ARCHIVE / "seeds.txt"),
        "--replay", str(ARCHIVE / "webkb-00.warc.gz"), "--strategy", strategy, "--on", where,
        "--archive", str(pages_folder), "--partitions", "8", "--no-work",
    )  # fmt: skip
    start = ("cluster", "start", "--on", where, "--workers", str(workers))
    before, of_server, began = children_seconds(), server_seconds(server), time.monotonic()
    geoscout(*start)
    crawled, of_server = children_seconds() - before, server_seconds(server) - of_server
    seconds, before = time.monotonic() - began, children_seconds()
    geoscout(*start)  # it has ended: this is what starting takes
    started = children_seconds() - before
    pages, groups = counts_of(where)
    print(
        f"{workers:>7}{seconds:12.1f}{(crawled - started) / pages * 1e3:14.2f}"
        f"{of_server / pages * 1e3:14.3f}{pages / groups:14.1f}{started / workers:11.1f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--workers", type=int, nargs="+", default=WORKERS)
    parser.add_argument("--strategy", default="breadth")
    arguments = parser.parse_args()
    if not ARCHIVE.is_dir():
        print(f"there is no {ARCHIVE}: set GEOSCOUT_CORPORA")
        return
    print("workers    wall, s   worker, ms    server, ms  pages/group   start, s")
    with tempfile.TemporaryDirectory(prefix="pg-") as folder, LocalServer(Path(folder)) as server:
        for workers in arguments.workers:
            measure(server, workers, arguments.strategy)


if __name__ == "__main__":
    main()
