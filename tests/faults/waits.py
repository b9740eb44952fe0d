"""Whoever sets the clock or asks for years of patience does not stop the crawl."""

import os
import time

from tests.fakeweb import FakeWeb, Site
from tests.fakeweb import misbehaviour as bad
from tests.fakeweb.sites import content, page, robots_file
from tests.faults.arena import Arena, check, read_only, scenario, site_of_pages
from tests.faults.politeness import least_gap
from tests.faults.set_clock import VARIABLE

_WEEK = 7 * 24 * 3600
_HOUR = 3600
_DAY = 24 * _HOUR


def _requests_around_a_step(arena: Arena, step: float) -> tuple[FakeWeb, int, int, float]:
    """Requests in some seconds before the wall clock is set, and in as many afterwards."""
    delay, span = 0.3, 7.0
    sites = {f"good{n}.test": site_of_pages(400) for n in range(10)}
    clock = arena.folder / "clock"
    clock.write_text("0", encoding="ascii")
    os.environ[VARIABLE] = str(clock)
    try:
        with arena.web(sites) as web:
            command = arena.crawl(
                "out", map(web.url, sites), module="tests.faults.set_clock", delay_seconds=delay
            )
            while len(web.log) < 40 and command.status is None:
                time.sleep(0.1)
            first = len(web.log)
            time.sleep(span)
            before = len(web.log) - first
            clock.write_text(str(step), encoding="ascii")
            time.sleep(span)
            after = len(web.log) - first - before
            command.stop(25 * arena.slower)
    finally:
        del os.environ[VARIABLE]
    return web, before, after, least_gap(web.log, lambda hit: hit.host)


@scenario("A clock that is set does not stop the crawl", seconds=30)
def clock_set_back(arena: Arena) -> str:
    """The wall clock is set back an hour while hosts wait for their turn."""
    _, before, after, least = _requests_around_a_step(arena, -_HOUR)
    check(after >= before / 3, f"{before} requests in 7 s before, {after} in 7 s after")
    return (
        f"{before} requests in 7 s before, {after} in 7 s after, least gap {least:.2f} s at 0.3 s"
    )


@scenario("A clock that is set does not make the crawl impolite", seconds=30)
def clock_set_forward(arena: Arena) -> str:
    """The wall clock is set forward a day."""
    _, before, after, least = _requests_around_a_step(arena, _DAY)
    check(least >= 0.29, f"a gap of {least:.3f} s where 0.3 s were promised")
    check(after >= before / 3, f"{before} requests in 7 s before, {after} in 7 s after")
    return f"{before} requests in 7 s before, {after} after, least gap {least:.2f} s at 0.3 s"


@scenario("Every wait that a server asks for is bounded", seconds=20)
def patience_of_years(arena: Arena) -> str:
    """Retry-After of centuries and nonsense, for pages and robots.txt; Crawl-delays of years."""
    asked = (
        "999999999", "3153600000", "-5", "1e999", "Fri, 31 Dec 9999 23:59:59 GMT", "x" * 5000,
        "Fri, 99 Dec 99999 99:99:99 +9999999999", "9" * 300, "nan", "١٢٣",
    )  # fmt: skip
    answers = {
        f"{status}-{n}": content(b"later", status=status, headers=[("Retry-After", text)])
        for status in (429, 503)
        for n, text in enumerate(asked)
        if text.isascii()
    }
    sites = {f"page{name}.test": Site(answer) for name, answer in answers.items()}
    sites |= {f"rules{name}.test": Site(page("Later"), answer) for name, answer in answers.items()}
    delays = {"99999999": "years", "-1": "negative", "1e999": "infinite", "nan": "none"}
    for text, name in delays.items():
        rules = robots_file("User-agent: *", f"Crawl-delay: {text}")
        sites[f"{name}.delay.test"] = Site(page("Slowly", ["/1"]), rules)
    sites |= {"fine.test": site_of_pages(5), "busy.test": Site(bad.too_many_requests("1"))}
    with arena.web(sites) as web:
        found = arena.crawl_for(12, "out", map(web.url, sites))
    check(found.pages("fine.test") == 5, f"{found.pages('fine.test')} of 5 pages of a good host")
    database = read_only(arena.at("out"))
    waits = dict(
        database.execute("SELECT name, max(free_at, blocked_until) FROM frontier_host").fetchall()
    )
    later = database.execute("SELECT max(until) FROM frontier_later").fetchone()[0] or 0
    database.close()
    longest = max([*waits.values(), later]) - time.time()
    check(
        longest <= _WEEK + _HOUR,
        f"a wait of {longest / _DAY:.0f} days: {max(waits, key=waits.__getitem__)}",
    )
    return f"{len(sites)} hosts, the longest wait is {longest / _DAY:.1f} days"
