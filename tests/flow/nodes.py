"""Six nodes crawl a web of a hundred cities over HTTP: once in peace, once killed again and again.

    python -m tests.flow.nodes [--pages 14000] [--kills 20]     (or: make nodes)

A web of that many pages is asked for more often than that, because several nodes may own a page.
Both crawls go on until nothing is left. The servers' log must show that no host or address was
asked twice at a time or too soon, and nothing was fetched that robots.txt forbids; and the killed
crawl must hold just what the other holds: every page at every node once, the same counts of what
went from node to node, nothing waiting, archives that warcio reads. Exit status 1 if not.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from geoscout.settings import Settings
from geoscout_lab.worlds.synthetic import SyntheticWeb, WebPlan, make_web
from geoscout_places.gazetteer import open_gazetteer
from tests.conftest import PROJECT
from tests.flow.node_crawl import Errand, Remains, check_archives, remains_of, write_errand
from tests.flow.node_web import DELAY, CityWeb, Manners, manners_of

PROFILE, RANDOM_SEED = "usa2006", 101
ADDRESSES = 100
_LOOK_SECONDS = 0.02
_EARLY_DEATHS = 5  # one kill in this many comes while the process is still getting ready
_READY_SECONDS = 3.0
_LONGEST_SECONDS = 4 * 3600.0

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one crawl showed and left."""

    manners: Manners
    remains: Remains
    archives: int
    kills: int = 0


def city_web(pages: int, home: str) -> SyntheticWeb:
    gazetteer = open_gazetteer(Settings(home=home, extras=False))
    return make_web(WebPlan(PROFILE, RANDOM_SEED, pages), gazetteer)


def crawl_twice(
    cities: CityWeb, folder: Path, home: str, kills: int, say: Say
) -> tuple[Outcome, Outcome]:
    """The crawl in peace and the crawl that is killed, one after the other."""
    with cities:
        addresses = dict(cities.fake.resolver.addresses)
        errand = Errand("", home, cities.region, cities.seeds, addresses, delay=DELAY)
        outcomes = []
        for name, times in (("peace", 0), ("killed", kills)):
            told = replace(errand, folder=str(folder / name))
            file = write_errand(told, folder / f"{name}.json")
            every = len(outcomes[0].remains.visits) // (kills + 1) if outcomes else 0
            died = _crawl(file, cities, times, every, say)
            remains, archives = remains_of(folder / name), check_archives(folder / name)
            manners = manners_of(cities.take_log(), cities.slow_hosts)
            outcomes.append(Outcome(manners, remains, archives, died))
            say(f"{name}: {described(outcomes[-1])}")
    return outcomes[0], outcomes[1]


def _crawl(errand: Path, cities: CityWeb, kills: int, every: int, say: Say) -> int:
    """Kill it this many times, every `every` requests or so, then let it end; returns the kills."""
    chance = random.Random(8)
    died = 0
    for number in range(kills):
        early = number % _EARLY_DEATHS == _EARLY_DEATHS - 1
        patience = chance.random() * _READY_SECONDS if early else _LONGEST_SECONDS
        requests = chance.randint(1, 2 * every)
        died += _let_live(errand, cities, patience, requests)
        say(f"  killed {died} times, {len(cities.fake.log):,} requests so far")
    _let_live(errand, cities, _LONGEST_SECONDS, sys.maxsize)
    return died


def _let_live(errand: Path, cities: CityWeb, seconds: float, requests: int) -> bool:
    """Run it for that long or that many requests, then kill it; False when it ended by itself.

    Raises:
        CalledProcessError: it ended with an error.
    """
    command = [sys.executable, "-m", "tests.flow.node_crawl", str(errand)]
    until, enough = time.monotonic() + seconds, len(cities.fake.log) + requests
    with subprocess.Popen(command, cwd=PROJECT) as process:
        while process.poll() is None:
            if time.monotonic() > until or len(cities.fake.log) >= enough:
                process.kill()
                return True
            time.sleep(_LOOK_SECONDS)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return False


def described(outcome: Outcome) -> str:
    manners, remains = outcome.manners, outcome.remains
    pages = ", ".join(f"{node} {count:,}" for node, count in remains.pages_by_node().items())
    return (
        f"{manners.requests:,} requests to {manners.hosts:,} hosts on {manners.addresses}"
        f" addresses; {len(remains.visits):,} answers kept ({pages});"
        f" {sum(remains.exchanged.values()):,} links from node to node;"
        f" {len(remains.failures):,} URLs without an answer; {outcome.archives} archives;"
        f" killed {outcome.kills} times; {manners.overlapping} requests overlap,"
        f" shortest pause {manners.shortest_pause * 1000:.1f} ms of {DELAY * 1000:.0f}"
        f" ({manners.hastiest}),"
        f" {manners.crawl_delay_pairs} pauses with Crawl-delay, the shortest"
        f" {manners.shortest_crawl_delay * 1000:.0f} ms; {manners.disallowed} disallowed;"
        f" {remains.waiting} still waiting"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=14_000, help="of the web")
    parser.add_argument("--kills", type=int, default=20)
    options = parser.parse_args()
    home = str(PROJECT / ".cache" / "home")
    cities = CityWeb(city_web(options.pages, home), ADDRESSES)
    started = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - started:6.0f} s  {text}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        peace, killed = crawl_twice(cities, Path(folder), home, options.kills, say)
    polite = peace.manners.are_good and killed.manners.are_good
    complete = killed.remains.same_as(peace.remains)
    say(f"polite: {polite}; the killed crawl holds what the other holds: {complete}")
    raise SystemExit(0 if polite and complete else 1)


if __name__ == "__main__":
    main()
