"""`geoscout crawl` over the site as users run it: geoparse, score, frontier, archive and facts.

    python geoscout_crawl.py WORKERS STRATEGY SEEDS_FILE CONCURRENCY

The processor time is that of the process and its workers, from the first line of the command to
its end, with opening the gazetteer; `own` is without the workers. Those are asked just before they
are ended: nobody waits for them, so that the system adds their time to that of the crawl by chance.
The rate is taken between the first and the last tenth of the pages, so that starting and stopping
processes does not count.
"""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import sys
import tempfile
import time
from contextlib import closing, redirect_stdout
from pathlib import Path


def processor_seconds(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def count_workers(used: list[float]) -> None:
    """Note what other processes have used when they are about to be ended."""
    from geoscout.crawling.processes.pool import Processes  # noqa: PLC0415

    close = Processes.close

    def counted(processes: Processes) -> None:
        used.extend(map(seconds_of, processes.pids))
        close(processes)

    setattr(Processes, "close", counted)  # noqa: B010


def seconds_of(pid: int) -> float:
    """The processor time of a process and of those it has waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def measured(folder: Path) -> dict[str, float]:
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as connection:
        rows = connection.execute("SELECT fetched_at FROM visit WHERE is_page ORDER BY fetched_at")
        times = [at for (at,) in rows]
        known = connection.execute("SELECT count(*) FROM frontier_request").fetchone()[0]
    tenth = len(times) // 10
    rate = (len(times) - 2 * tenth) / max(times[-tenth - 1] - times[tenth], 1e-9)
    return {"pages": len(times), "known": known, "rate": rate}


def main() -> None:
    workers, strategy, seeds, concurrency = sys.argv[1:]
    os.environ |= {
        "GEOSCOUT_WORKERS": workers,
        "GEOSCOUT_CONNECTIONS": concurrency,
        "GEOSCOUT_DELAY_SECONDS": "0",
    }
    # imports are not measured
    from geoscout.cli.commands import crawl as _  # noqa: F401, PLC0415
    from geoscout.cli.main import main as geoscout  # noqa: PLC0415
    from geoscout.crawling import read as _read  # noqa: F401, PLC0415

    workers_used: list[float] = []
    count_workers(workers_used)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "crawl"
        sys.argv[1:] = ["crawl", "--region", "Austin, TX", "--seeds", seeds]
        sys.argv += ["--out", str(folder), "--allow-private", "--strategy", strategy]
        started, own = time.perf_counter(), processor_seconds(resource.RUSAGE_SELF)
        with redirect_stdout(sys.stderr):
            geoscout()
        own, wall = processor_seconds(resource.RUSAGE_SELF) - own, time.perf_counter() - started
        cpu = own + sum(workers_used)
        print(json.dumps({**measured(folder), "cpu": cpu, "own": own, "wall": wall}))


if __name__ == "__main__":
    main()
