"""One command on one machine, with harm: three workers crawl a synthetic web over HTTP.

    python -m tests.flow.one_machine [--pages 3000] [--folder DIR]     (or: make cluster)

The web is served on loopback by a process of its own. When the crawl has had a sixth as many
responses as the web has pages, one worker is killed, after a third PostgreSQL. The crawl must end
by itself with nothing left to do and no URL stored twice. Exit status 1 if not.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from geoscout.state.base import holds_crawl, open_state
from geoscout_cluster.postgres.own_state import leave_server, running_server
from geoscout_cluster.shared_crawl import look_at
from geoscout_places.errors import GeoscoutError
from tests.conftest import PROJECT

WORKERS = 3
_LOOK_SECONDS = 0.2
_LONGEST_SECONDS = 600.0
_HOME = PROJECT / ".cache" / "home"


def geoscout(*words: str) -> list[str]:
    return [sys.executable, "-m", "geoscout", words[0], "--home", str(_HOME), *words[1:]]


def say(text: str) -> None:
    print(f"\n== {text}", flush=True)


@dataclass(frozen=True)
class Trial:
    """A web and the folder of its crawl."""

    web: Path
    crawl: Path
    pages: int  # of the web

    def clear(self) -> None:
        """Remove what the last trial left; its server may still run if that was killed."""
        if holds_crawl(self.crawl):
            running_server(self.crawl)
            leave_server(self.crawl)
        shutil.rmtree(self.crawl, ignore_errors=True)
        shutil.rmtree(self.web, ignore_errors=True)

    @contextmanager
    def served(self) -> Iterator[dict[str, Any]]:
        """Serve the web while the block runs; gives what it was made by."""
        make = ("synthweb", str(self.web), "--profile", "web2025", "--pages", str(self.pages))
        with subprocess.Popen(geoscout(*make, "--serve")) as server:
            try:
                while not (self.web / "hosts.txt").exists() and server.poll() is None:
                    time.sleep(_LOOK_SECONDS)
                yield json.loads((self.web / "web.json").read_text())
            finally:
                server.terminate()

    def run(self, region: str) -> None:
        """The command, while harm is done to its processes."""
        command = geoscout(
            "cluster", "start", "--out", str(self.crawl), "--workers", str(WORKERS),
            "--region", region, "--seeds", str(self.web / "seeds.txt"),
            "--strategy", "breadth", "--set", "max_depth=6", "--set", "lease_seconds=3",
            "--set", "delay_seconds=0.02",
            "--set", f"fetcher=live:hosts={self.web / 'hosts.txt'}", "--allow-private",
        )  # fmt: skip
        print("$ geoscout", *command[3:], flush=True)
        with subprocess.Popen(command) as started:
            try:
                harm = Harm(self.crawl, started)
                harm.do_at(self.pages // 6, harm.kill_worker)
                harm.do_at(self.pages // 3, harm.kill_server)
                started.wait(_LONGEST_SECONDS)
            finally:
                started.terminate()
        if started.returncode:
            raise subprocess.CalledProcessError(started.returncode, command)


@dataclass(frozen=True)
class Harm:
    """What is done to a crawl that runs."""

    crawl: Path
    started: subprocess.Popen[bytes]

    def do_at(self, visits: int, harm: Callable[[], None]) -> None:
        """Do something when the crawl has had this many responses."""
        while self.started.poll() is None:
            if (self.crawl / "crawl.backend").exists() and self._visits() >= visits:
                harm()
                return
            time.sleep(_LOOK_SECONDS)
        raise SystemExit("the crawl ended before harm was done to it")

    def kill_worker(self) -> None:
        worker = look_at(running_server(self.crawl)).workers[0]
        process = int(worker.name.split("/")[1])
        say(f"{self._visits():,} responses: killing worker {process}")
        os.kill(process, signal.SIGKILL)

    def kill_server(self) -> None:
        file = self.crawl / "postgres" / "data" / "postmaster.pid"
        process = int(file.read_text().splitlines()[0])
        say(f"{self._visits():,} responses: killing PostgreSQL, process {process}")
        leave_server(self.crawl)  # or we would start it again ourselves
        os.kill(process, signal.SIGKILL)

    def _visits(self) -> int:
        with suppress(GeoscoutError), open_state(self.crawl) as crawl:
            return crawl.reader.totals().visits
        return 0


def show(command: Sequence[str]) -> None:
    print("$ geoscout", *command[3:], flush=True)
    subprocess.run(command, check=True, timeout=_LONGEST_SECONDS)


def judge(trial: Trial) -> bool:
    """Say what the crawl holds; False if something is missing or double."""
    with open_state(trial.crawl) as crawl:
        found = Counter(visit.url for visit in crawl.reader.visits())
        totals, waiting = crawl.reader.totals(), crawl.frontier.counts().waiting
    leave_server(trial.crawl)
    double = sum(count > 1 for count in found.values())
    say(
        f"{found.total():,} responses, {double} URLs stored twice, {waiting} still waiting;"
        f" {totals.pages:,} pages, {totals.relevant:,} of them relevant"
    )
    return not double and not waiting


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=2_000, help="of the web")
    parser.add_argument("--folder", type=Path, default=PROJECT / ".cache" / "cluster")
    given = parser.parse_args()
    # A page that does not answer is not tried again: the trial would wait minutes for it.
    os.environ |= {"GEOSCOUT_EXTRAS": "no", "GEOSCOUT_TRIES": "1"}
    trial = Trial(given.folder / "web", given.folder / "crawl", given.pages)
    trial.clear()
    with trial.served() as about:
        say(f"a web of {about['pages']:,} pages on {about['hosts']} hosts about {about['region']}")
        trial.run(about["region"])
    is_good = judge(trial)
    show(geoscout("cluster", "status", "--out", str(trial.crawl)))
    say(f"pages, map and dashboard: geoscout serve --home {_HOME} {trial.crawl}")
    raise SystemExit(0 if is_good else 1)


if __name__ == "__main__":
    main()
