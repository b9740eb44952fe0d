"""Whoever sets the clock or asks for years of patience does not stop the crawl."""

import asyncio
import os
import time

from tests.fakeweb import FakeWeb, Site, Visitor
from tests.fakeweb import misbehaviour as bad
from tests.fakeweb.sites import content, page, robots_file
from tests.faults.arena import Arena, check, read_only, scenario, site_of_pages
from tests.faults.politeness import least_gap
from tests.faults.set_clock import VARIABLE

_MOST_TRIES = 30  # of a page that never comes, also where we may be late
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


def _sent_by_drops(before: bytes, drop: bytes, seconds: float) -> Site:
    async def handler(visitor: Visitor) -> None:
        await visitor.send(before)
        while True:
            await visitor.send(drop)
            await asyncio.sleep(seconds)

    return Site(handler)


@scenario("A crawl over hosts that drip comes to its end", seconds=60)
def dripping_to_the_end(arena: Arena) -> str:
    """Drops in status lines, fields, interim answers, lengths of chunks, chunks and bodies."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    chunked = head + b"Transfer-Encoding: chunked\r\n\r\n"
    points = {
        "status": (b"HTTP/1.1 200 ", b"O"), "field": (head + b"X: ", b"x"),
        "fields": (head, b"X: y\r\n"), "early": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
        "go-on": (b"", b"HTTP/1.1 100 \r\n\r\n"), "length": (chunked, b"0"),
        "extension": (chunked + b"1;x=", b"y"), "chunks": (chunked, b"1\r\na\r\n"),
        "trailers": (chunked + b"0\r\n", b"X: y\r\n"), "body": (head + b"\r\n", b"x"),
        "gzip": (head + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x10" + bytes(6), b"n"),
    }  # fmt: skip
    drips = {
        f"{name}.test": _sent_by_drops(*two, arena.chance.uniform(0.01, 0.5))
        for name, two in points.items()
    }
    good = {f"good{n}.test": site_of_pages(8) for n in range(6)}
    with arena.web({**drips, **good}) as web:
        found = arena.crawl_to_the_end("out", map(web.url, (*drips, *good)), total_seconds=4)
        asked = max(len(web.hits(host)) for host in drips)
    check(found.pages("good") == 48, f"{found.pages('good')} of 48 good pages")
    check(not found.kinds("good"), f"good hosts were blamed: {found.kinds('good')}")
    check(asked <= _MOST_TRIES, f"a host was asked {asked} times")
    silent = [host for host in drips if not found.tells_of(host)]
    check(not silent, f"nothing is known of {silent}")
    return f"{len(drips)} hosts given up after {asked} requests at most: {found.kinds()}"
