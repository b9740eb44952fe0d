"""A long crawl of hosts with every misbehaviour, killed and resumed; memory must stay in bounds.

    python -m tests.faults.soak [--minutes 60] [--delay 6] [--seed 1]

Of 200 hosts most are good and have pages without end, so that there is always work; the others do
all that `tests/fakeweb` and this campaign know. Beside them 1,000 slow hosts name 400 new URLs on
each page, 5,000,000 in an hour on a machine with two processors to spare. The crawl is killed after
a third of the time and stopped after two thirds, and resumed each time. At the end every page that
a good host has given must be stored exactly once or wait to be asked for again, every archive must
open, the memory of the last third must be that of the second, but for the URLs that were named, and
the main process may have so much for each of them that 5,000,000 stay within 500 MB.
"""

import argparse
import asyncio
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.fakeweb import FakeWeb, Handler, Site, Visitor, misbehaviour, oddities
from tests.fakeweb import misbehaviour as bad
from tests.fakeweb.menagerie import BAD, GOOD, TRY_LATER
from tests.fakeweb.sites import content
from tests.faults import network
from tests.faults.arena import (
    Arena,
    BrokenPromiseError,
    Command,
    check,
    children_of,
    megabytes_of,
    page_of,
    read_only,
    site_of_pages,
)
from tests.faults.heavy_pages import heavy_bodies

_HOSTS = 200
_SLOW_HOSTS, _SLOW_SECONDS, _NAMED = 1000, 2.0, 400  # URLs that a page of theirs names
_MAIN_MEGABYTES, _BYTES_OF_URL = 250.0, 50  # of the main process, and for each URL it knows of
_EVERY_SECONDS = 5.0
_MOST_GROWTH = 1.15  # of the last third over the second
_FEW_MEGABYTES = 40.0  # which may be chance
_LAST_SECONDS = 15.0  # before the end, when what was asked need not be committed


@dataclass
class Course:
    """What was seen over time."""

    memory: list[tuple[float, float, int]] = field(default_factory=list)  # seconds, MB, part
    main: float = 0.0  # MB, the most that the main process had
    named: list[int] = field(default_factory=list)  # URLs, at the end of each part
    stops: list[float] = field(default_factory=list)

    def part(self, number: int) -> list[float]:
        """The memory of one part, without its first quarter, in which caches fill."""
        found = [megabytes for _, megabytes, part in self.memory if part == number]
        return found[len(found) // 4 :]

    def table(self) -> str:
        """Seconds and megabytes, twenty lines at most."""
        step = max(1, len(self.memory) // 20)
        lines = [f"{at:7.0f} s {mb:7.0f} MB" for at, mb, _ in self.memory[::step]]
        return "\n".join(lines)


def sites(seed: int) -> dict[str, Site]:
    """200 hosts: one for each misbehaviour, and good ones."""
    chance = random.Random(seed)
    found = {host: site for host, (site, _) in {**BAD, **TRY_LATER}.items()} | dict(GOOD)
    found |= {f"heavy-{name}.test": Site(content(b)) for name, b in heavy_bodies().items()}
    found |= {f"bomb-{kind}.test": Site(oddities.small_bomb(kind)) for kind in oddities.BOMBS}
    found |= {
        f"status{code}.test": Site(oddities.odd_status(str(code))) for code in range(100, 600, 37)
    }
    found |= {f"cut{n}.test": Site(oddities.breaking_off(chance.randrange(300))) for n in range(10)}
    found |= {
        "hints.test": Site(oddities.endless_hints),
        "trailers.test": Site(oddities.endless_trailers()),
        "extensions.test": Site(oddities.long_chunk_extensions()),
        "cookies.test": Site(oddities.endless_cookies()),
        "calendar.test": Site(misbehaviour.calendar),
        "sessions.test": Site(misbehaviour.sessions),
        "depth.test": Site(misbehaviour.infinite_depth),
        "years.test": Site(bad.too_many_requests("999999999")),
    }
    good = max(_HOSTS - len(found), 40)
    found |= {f"slow{n}.test": Site(_naming(chance.randrange(10**9))) for n in range(_SLOW_HOSTS)}
    return found | {f"plenty{n}.test": site_of_pages(10**9) for n in range(good)}


def _naming(seed: int) -> Handler:
    """Takes long to answer, with links to pages of slow hosts that nobody has named before."""
    chance = random.Random(seed)

    async def handler(visitor: Visitor) -> None:
        await asyncio.sleep(chance.random() * _SLOW_SECONDS)
        port = visitor.headers["host"].partition(":")[2]
        links = [
            f"http://slow{chance.randrange(_SLOW_HOSTS)}.test:{port}/a-page-about-{chance.getrandbits(60)}"
            for _ in range(_NAMED)
        ]
        await visitor.answer(page_of(visitor.path, links))

    return handler


def run(course: Course, minutes: float, delay: float, seed: int) -> None:
    """Soak, and note in `course` what is seen.

    Raises:
        BrokenPromiseError: something was not as promised.
    """
    with _arena(seed) as arena, arena.web(sites(seed)) as web:
        seeds = [web.url(host) for host in web.sites]
        command = arena.crawl("out", seeds, delay_seconds=delay, tries=4)
        for part in range(3):
            if part:
                command = arena.start("resume", str(arena.at("out")), delay_seconds=delay)
            _watch(command, course, part, 20 * minutes)
            if part == 0:
                command.kill()
            else:
                course.stops.append(command.stop(30 * arena.slower))
            check(not command.has_traceback(), f"a traceback: {command.last_line()}")
            with closing(read_only(arena.at("out"))) as database:
                query = "SELECT max(number) FROM frontier_request"
                course.named += database.execute(query).fetchone()
        _check_stored(arena, web)
        _check_archives(arena)
    _check_memory(course)


@contextmanager
def _arena(seed: int) -> Iterator[Arena]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="geoscout-soak-")))
        names = None
        if network.is_inside():
            network.set_up(folder)
            names = stack.enter_context(network.NameServer())
        arena = Arena(folder, random.Random(seed), names, slower=4.0)
        stack.callback(arena.end)
        yield arena


def _watch(command: Command, course: Course, part: int, seconds: float) -> None:
    end, begin = time.monotonic() + seconds, course.memory[-1][0] if course.memory else 0.0
    started = time.monotonic()
    while time.monotonic() < end:
        time.sleep(_EVERY_SECONDS)
        check(command.status is None, f"it ended by itself: {command.last_line()}")
        main = megabytes_of(command.process.pid)
        megabytes = main + sum(map(megabytes_of, children_of(command.process.pid)))
        course.main = max(course.main, main)
        course.memory.append((begin + time.monotonic() - started, megabytes, part))


def _check_stored(arena: Arena, web: FakeWeb) -> None:
    found = arena.findings("out")
    last = max(hit.start for hit in web.log) - _LAST_SECONDS
    given = {
        web.url(hit.host, hit.path)
        for hit in web.log
        if hit.host.startswith("plenty") and hit.status == 200 and hit.start < last
    }
    given = {url for url in given if not url.endswith("robots.txt")}
    stored = {visit["url"] for visit in found.visits}
    print(f"{len(web.log)} requests, {len(stored)} pages stored, {dict(found.counted)}")
    lost = given - stored - _waiting(arena)  # what was not committed is asked again in its turn
    check(not lost, f"{len(lost)} of {len(given)} pages are lost, such as {sorted(lost)[:2]}")
    twice = [url for url in found.twice() if "plenty" in url]
    check(not twice, f"{len(twice)} pages are stored twice, such as {twice[:2]}")
    blamed = {k: n for k, n in found.kinds("plenty").items() if k != "robots-delay"}  # a pause
    check(not blamed, f"good hosts were blamed: {blamed}")


def _waiting(arena: Arena) -> set[str]:
    """The URLs of good hosts in the frontier."""
    query = "SELECT url FROM frontier_request WHERE url LIKE 'http://plenty%'"
    with closing(read_only(arena.at("out"))) as database:
        return {row[0] for row in database.execute(query)}


def _check_archives(arena: Arena) -> None:
    files = [str(file) for file in sorted((arena.at("out") / "archive").glob("*.warc.gz"))]
    checked = subprocess.run(
        [sys.executable, "-m", "warcio.cli", "check", *files], capture_output=True, check=False
    )
    check(files and not checked.returncode, f"an archive does not open: {checked.stdout[-300:]!r}")


def _check_memory(course: Course) -> None:
    second, third = (statistics.median(course.part(part)) for part in (1, 2))
    allowed = max(second * _MOST_GROWTH, second + _FEW_MEGABYTES)
    allowed += (course.named[2] - course.named[1]) * _BYTES_OF_URL / 1e6
    check(third <= allowed, f"{second:.0f} MB in the second third, {third:.0f} MB in the last")
    most = _MAIN_MEGABYTES + max(course.named) * _BYTES_OF_URL / 1e6
    known = f"{course.main:.0f} MB in the main process, of {max(course.named):,} URLs"
    check(course.main <= most, f"{known}; {most:.0f} are allowed")
    print(known)


def main() -> int:
    """Soak, and print the memory over time; 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description="A long crawl of 200 misbehaving hosts.")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--delay", type=float, default=6.0, help="seconds for each host")
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    network.enter("tests.faults.soak", sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # end what we started
    print(f"seed {words.seed}, {words.minutes:g} minutes", flush=True)
    course = Course()
    try:
        run(course, words.minutes, words.delay, words.seed)
    except BrokenPromiseError as error:
        print(f"{course.table()}\nBROKEN: {error}")
        return 1
    print(course.table())
    stops = ", ".join(f"{seconds:.1f}" for seconds in course.stops)
    print(f"held: memory flat, nothing lost, nothing twice; SIGTERM obeyed in {stops} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
