"""What many hosts cost the frontier: memory, time of `next`, and time to open it again.

    python benchmarks/hosts.py             100,000 hosts, 10,000 of them resting
    python benchmarks/hosts.py --full      1,000,000 hosts, 100,000 of them resting; some minutes

Every host has one page, and those that are to rest have two: their first page is fetched and they
are left alone for an hour. Then the next 5,000 pages are taken, with pauses of 30 seconds. All runs
on SQLite, as in a crawl, in a process of its own for each part; memory is what the part added.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.store.sqlite.database import Database, open_database
from geoscout_places.model import Request
from geoscout_places.urls import host_of

TAKEN = 5000
GROUP = 500  # hosts that come with one page


def memory() -> float:
    """Resident megabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def requests(first: int, hosts: int, resting: int) -> list[Request]:
    return [
        Request(f"http://host-{number}.example{number % 997}.test/{page}", 0.5 + number % 97 / 200)
        for number in range(first, min(first + GROUP, hosts))
        for page in range(2 if number < resting else 1)
    ]


def fill(database: Database, hosts: int, resting: int) -> dict[str, float]:
    """Meet the hosts, and let some rest."""
    before = memory()
    frontier = SqliteFrontier(database)
    started = time.process_time()
    for first in range(0, resting, GROUP):
        frontier.put(requests(first, resting, resting))
    for number in range(resting):
        request = frontier.next(1000.0)
        assert request is not None
        frontier.bind(host_of(request.url), address(number), 1000.0)
        frontier.done(request, 1000.0, 3600.0)
    for first in range(resting, hosts, GROUP):
        frontier.put(requests(first, hosts, resting))
    frontier.flush()
    database.commit()
    met = time.process_time() - started
    return {"us a host": met / hosts * 1e6, "MB": memory() - before, **take(frontier, resting)}


def address(number: int) -> str:
    return f"11.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def take(frontier: SqliteFrontier, resting: int) -> dict[str, float]:
    """Take the next pages, and see what that costs while others rest."""
    taken, worst = 0.0, 0.0
    now = 1001.0
    for number in range(TAKEN):
        started = time.process_time()
        request = frontier.next(now)
        seconds = time.process_time() - started
        assert request is not None
        frontier.bind(host_of(request.url), address(resting + number), now)
        frontier.done(request, now, 30.0)
        taken, worst, now = taken + seconds, max(worst, seconds), now + 0.01
    return {"us of next": taken / TAKEN * 1e6, "ms at worst": worst * 1e3}


def reopen(database: Database) -> dict[str, float]:
    """Open the frontier that was left, and take the first page."""
    before, started = memory(), time.process_time()
    frontier = SqliteFrontier(database)
    opened = time.process_time() - started
    frontier.next(1200.0)
    first = time.process_time() - started - opened
    return {"s to open": opened, "s of first next": first, "MB when opened": memory() - before}


def run_part(part: str, folder: Path, hosts: int, resting: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--part", part, "--folder", str(folder)]
    command += ["--hosts", str(hosts), "--resting", str(resting)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, float] = json.loads(output)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--part", choices=["fill", "reopen"])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--hosts", type=int, default=100_000)
    parser.add_argument("--resting", type=int, default=10_000)
    options = parser.parse_args()
    hosts, resting = (1_000_000, 100_000) if options.full else (options.hosts, options.resting)
    if options.part:
        database = open_database(options.folder, [TABLES])
        parts: dict[str, Callable[[], dict[str, float]]] = {
            "fill": lambda: fill(database, hosts, resting),
            "reopen": lambda: reopen(database),
        }
        print(json.dumps(parts[options.part]()))
        return
    with tempfile.TemporaryDirectory() as folder:
        found = run_part("fill", Path(folder), hosts, resting)
        found |= run_part("reopen", Path(folder), hosts, resting)
    print(f"{hosts:,} hosts, {resting:,} of them resting")
    for name, value in found.items():
        print(f"  {name:16} {value:10,.2f}")


if __name__ == "__main__":
    main()
