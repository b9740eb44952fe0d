"""Six nodes and four workers crawl a web of a hundred cities over HTTP, while workers are killed.

    python -m tests.flow.cluster_nodes [--pages 14000] [--kills 8] [--addresses 50]

The sites of a partition share servers with those of others. First one process crawls in peace, then
four workers do on PostgreSQL, and some of them are killed and started again. The servers' log must
show that no host or address was asked twice at a time or too soon, whoever asked, and the cluster
must hold just what the one process holds: every page at every node once. Exit status 1 if not.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from geoscout.machine import run_on_loop
from geoscout.state.base import open_state
from geoscout_cluster.joining import joined
from geoscout_cluster.postgres.server import LocalServer
from geoscout_cluster.worker import WorkerTerms
from geoscout_places.gazetteer import open_gazetteer
from tests.conftest import PROJECT
from tests.flow.node_crawl import (
    Errand,
    crawl,
    forget_forms,
    made_fetcher,
    settings_of,
    write_errand,
)
from tests.flow.node_web import DELAY, CityWeb, Manners, manners_of
from tests.flow.nodes import city_web

PARTITIONS, LEASE_SECONDS = 16, 5.0
_LOOK_SECONDS = 0.1
_MOST_SHOWN = 20
_PATIENCE_SECONDS = 8.0
_LONGEST_SECONDS = 3 * 3600.0

Visits = Counter[tuple[str, str]]  # answers by node and URL


@dataclass(frozen=True, slots=True)
class ClusterOutcome:
    """What the crawl by several workers showed and left."""

    manners: Manners
    visits: Visits
    kills: int


def errand_on(where: str, home: str) -> Errand:
    """What the workers of a crawl at this address are told; the web adds what it knows."""
    return Errand(where, home, [], [], {}, delay=DELAY)


def visits_of(where: str) -> Visits:
    with open_state(where) as view:
        return Counter((visit.node, visit.url) for visit in view.reader.visits())


def found(errand: Errand, archive: Path) -> None:
    """Make the crawl on PostgreSQL."""
    command = [
        sys.executable, "-m", "geoscout", "crawl", "--home", errand.home, "--on", errand.folder,
        "--partitions", str(PARTITIONS), "--no-work", "--archive", str(archive),
        "--strategy", "breadth", "--collaboration", errand.assignment, "--nodes", errand.nodes,
        "--allow-private", "--seeds", *errand.seeds,
    ]  # fmt: skip
    regions = [f"--region={region}" for region in errand.region]
    subprocess.run([*command, *regions], check=True, cwd=PROJECT, stderr=subprocess.DEVNULL)


async def _work(errand: Errand) -> None:
    forget_forms()
    settings = settings_of(errand)
    terms = WorkerTerms(until_done=True, lease_seconds=LEASE_SECONDS)
    fetcher = made_fetcher(errand, settings)
    try:
        gazetteer = open_gazetteer(settings)
        async with joined(errand.folder, settings, gazetteer, terms, fetcher) as worker:
            await worker.run()
    finally:
        await fetcher.close()


def crawl_by_workers(errand: Path, cities: CityWeb, workers: int, kills: int, every: int) -> int:
    """Let them crawl to the end; every so many requests one is killed; returns how many were.

    Raises:
        RuntimeError: a worker ended with an error, or the crawl does not end.
    """
    chance, killed, until = random.Random(9), 0, time.monotonic() + _LONGEST_SECONDS
    command = [sys.executable, "-m", "tests.flow.cluster_nodes", "--work", str(errand)]

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, cwd=PROJECT)

    processes = [start() for _ in range(workers)]
    try:
        while any(process.poll() is None for process in processes):
            time.sleep(_LOOK_SECONDS)
            if time.monotonic() > until:
                raise RuntimeError("the crawl does not end")
            if any(process.returncode for process in processes):
                raise RuntimeError("a worker ended with an error")
            if killed < kills and len(cities.fake.log) >= (killed + 1) * every:
                number = chance.randrange(workers)
                processes[number].kill()
                processes[number].wait()
                processes[number] = start()
                killed += 1
    finally:
        for process in processes:
            process.kill()
    return killed


def crawl_both(
    cities: CityWeb, errand: Errand, folder: Path, workers: int, kills: int
) -> tuple[Visits, ClusterOutcome]:
    """The crawl by one process in peace, and then that by workers of which some are killed."""
    with cities:
        addresses = dict(cities.fake.resolver.addresses)
        told = replace(errand, region=cities.region, seeds=cities.seeds, addresses=addresses)
        crawl(replace(told, folder=str(folder / "peace")))
        peace, requests = visits_of(str(folder / "peace")), len(cities.take_log())
        found(told, folder / "segments")
        file = write_errand(told, folder / "cluster.json")
        killed = crawl_by_workers(file, cities, workers, kills, max(1, requests // (kills + 1)))
        manners = manners_of(cities.take_log(), cities.slow_hosts)
        return peace, ClusterOutcome(manners, visits_of(errand.folder), killed)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--work", type=Path, help="be one of the workers, told by this file")
    parser.add_argument("--pages", type=int, default=14_000, help="of the web")
    parser.add_argument("--kills", type=int, default=8)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--addresses", type=int, default=50)
    options = parser.parse_args()
    if options.work:
        run_on_loop(_work(Errand(**json.loads(options.work.read_text()))))
        return
    home = str(PROJECT / ".cache" / "home")
    cities = CityWeb(city_web(options.pages, home), options.addresses)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # a server that root starts runs as somebody else
        with LocalServer(folder / "server") as server:
            errand = errand_on(server.address("postgres", "cities"), home)
            # A page that one crawl waits for and the other does not would be a difference.
            errand = replace(errand, idle_seconds=_PATIENCE_SECONDS)
            peace, outcome = crawl_both(cities, errand, folder, options.workers, options.kills)
    manners = outcome.manners
    print(
        f"{manners.requests:,} requests to {manners.hosts:,} hosts on {manners.addresses}"
        f" addresses by {options.workers} workers, {outcome.kills} of them killed;"
        f" {manners.overlapping} overlap; shortest pause {1000 * manners.shortest_pause:.1f} ms of"
        f" {1000 * DELAY:.0f} ({manners.hastiest}); shortest Crawl-delay"
        f" {1000 * manners.shortest_crawl_delay:.0f} ms; {manners.disallowed} disallowed"
    )
    is_same = outcome.visits == peace
    print(f"{peace.total():,} answers by one process; the workers have the same: {is_same}")
    for what, visits in (("missing", peace - outcome.visits), ("more", outcome.visits - peace)):
        for node, url in sorted(visits)[:_MOST_SHOWN]:
            print(f"{what}: {url} at {node}")
    raise SystemExit(0 if manners.are_good and is_same else 1)


if __name__ == "__main__":
    main()
