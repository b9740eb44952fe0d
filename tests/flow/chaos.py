"""Does harm to a crawl by three workers, and judges it by the database and a log: `make chaos`.

    python -m tests.flow.chaos [workers|server|stopped|cut …]

Replays an archive of WebKB (GEOSCOUT_CORPORA, default ../shared/corpora) first by one process in a
folder, then by three workers with eight partitions and leases of six seconds:

    workers   ten workers are killed
    server    five workers and three times PostgreSQL
    stopped   four workers stand still for longer than their leases
    cut       the cable of a worker's machine is cut twice for 16 seconds (as root only)

Each time it must end with the same URLs as the one process, none stored twice, no fetch by an
owner that was replaced, and every partition of a dead worker claimed within lease + 2 s. Exit
status 1 if not.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from geoscout.crawling.options import CrawlOptions
from geoscout.crawling.run import create_crawl
from geoscout.settings import load_settings
from geoscout.state.base import open_state
from geoscout_cluster.postgres.server import LocalServer
from tests.flow import cut_network
from tests.flow.cluster_chaos import ChaosCrawl, Terms
from tests.postgres import DATABASE, running_server

ARCHIVE = Path(os.environ.get("GEOSCOUT_CORPORA", "../shared/corpora")) / "archives" / "webkb"
LEASE_SECONDS = 6.0
CUT_SECONDS = 16.0
EVERY_SECONDS = 8.0  # between two harms: longer than a takeover
LATEST = LEASE_SECONDS + 2.0
Harm = Callable[[Random], None]


class CutCrawl(ChaosCrawl):
    """Each worker has a machine of its own."""

    def start_worker(self) -> None:
        number = len(self.processes) % cut_network.WORKERS
        where = self.where.replace("127.0.0.1", cut_network.hub_address(number))
        self.start_command(where, cut_network.prefix_of(number))

    def cut_cable(self, chance: Random) -> None:
        """Let a machine reach nobody for longer than the leases of its worker."""
        number = chance.randrange(cut_network.WORKERS)
        cut_network.cut(number)
        self.note(f"cut {self.processes[number].pid}")
        time.sleep(CUT_SECONDS)
        cut_network.mend(number)
        self.note(f"mended {self.processes[number].pid}")


def harms_of(crawl: ChaosCrawl, name: str) -> list[Harm]:
    if isinstance(crawl, CutCrawl):
        return [crawl.cut_cable] * 2
    worker, server, stop = crawl.kill_worker, crawl.kill_server, crawl.stop_worker
    return {
        "workers": [worker] * 10,
        "server": [worker, server, worker, worker, server, worker, server, worker],
        "stopped": [stop] * 4,
    }[name]


def urls_of_one_process(folder: Path) -> set[str]:
    settings = load_settings()
    options = CrawlOptions(
        region=("Austin, TX",), strategy="breadth", replay=(str(ARCHIVE / "webkb-00.warc.gz"),)
    )
    where = folder / "one"
    with create_crawl(where, options, [str(ARCHIVE / "seeds.txt")], settings) as crawl:
        crawl.run()
    with open_state(where) as seen:
        return {visit.url for visit in seen.reader.visits()}


def let_everybody_in(server: LocalServer) -> None:
    """Let the machines of the hub connect; a new server takes this one's own users only."""
    server.stop()
    with (server.folder / "data" / "pg_hba.conf").open("a") as file:
        file.write("host all all samenet trust\n")
    server.start()


def try_harm(name: str, expected: set[str], folder: Path) -> bool:
    """Run one crawl, print what happened, and say whether all is well."""
    terms = Terms(
        ARCHIVE / "webkb-00.warc.gz", [str(ARCHIVE / "seeds.txt")],
        lease_seconds=LEASE_SECONDS, pause=0.1,
    )  # fmt: skip
    is_cut = name == "cut"
    options = {"listen_addresses": cut_network.listen_addresses()} if is_cut else {}
    kind = CutCrawl if is_cut else ChaosCrawl
    with running_server(options) as server:
        if is_cut:
            let_everybody_in(server)
        crawl = kind(server, server.address(DATABASE, name), folder, terms)
        began = time.monotonic()
        try:
            crawl.begin()
            crawl.run(harms_of(crawl, name), EVERY_SECONDS)
        finally:
            crawl.close()
        urls, late = crawl.urls(), [seconds for seconds in crawl.takeovers() if seconds > LATEST]
    replaced, takeovers = crawl.fetches_by_replaced_owners(), sorted(crawl.takeovers())
    fetches = sum(what == "fetch" for _, _, what, *_ in crawl.lines())
    print(
        f"{name}: {len(urls):,} URLs ({'the same' if set(urls) == expected else 'OTHERS'}),"
        f" {sum(urls.values()):,} visits, {fetches:,} fetches, {len(replaced)} by replaced owners,"
        f" {len(takeovers)} partitions taken over"
        + (f" in {takeovers[0]:.1f} to {takeovers[-1]:.1f} s" if takeovers else "")
        + f", {time.monotonic() - began:.0f} s",
        flush=True,
    )
    is_whole = set(urls) == expected and sum(urls.values()) == len(urls)
    return is_whole and not replaced and not late


def main() -> int:
    names = sys.argv[1:] or ["workers", "server", "stopped"]
    if "cut" in names and not cut_network.is_in_hub():
        return cut_network.run_in_hub("tests.flow.chaos", names)
    with tempfile.TemporaryDirectory() as place:
        expected = urls_of_one_process(Path(place))
        print(f"one process: {len(expected):,} URLs", flush=True)
        results = []
        for name in names:
            folder = Path(place) / name
            folder.mkdir()
            results.append(try_harm(name, expected, folder))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
