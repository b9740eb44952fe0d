"""Pages that are much work to read cost their own host only; SIGTERM is heard meanwhile."""

import contextlib
import shutil
import sqlite3
import time

from tests.fakeweb import Site, Visitor
from tests.fakeweb.sites import content, robots_file
from tests.faults.arena import (
    TEXT,
    Arena,
    Command,
    Findings,
    MemoryWatch,
    NotHereError,
    check,
    page_of,
    scenario,
    site_of_pages,
)

_STOP_SECONDS = 3.0
_MOST_TIMES = 1.5  # how much longer good hosts may take because of heavy ones
_OVERHEAD_SECONDS = 6.0  # two crawls are never alike
_MEGABYTE = 1_000_000


def heavy_bodies() -> dict[str, bytes]:
    """Bodies of some megabytes, each much work in another place."""
    repeated = {
        "table": "<tr><td>1 Main St<td>Austin<td>TX 78701",
        "bidi": "\u202eAustin\u202c, TX 78701 ",
        "addresses": "1100 Congress Avenue, Austin, TX 78701. ",
        "places": "Austin Paris London Berlin Springfield Washington Georgia Jackson ",
        "german": "Königsallee 1, 40212 Düsseldorf. ",
        "commas": "Austin, Austin, Austin, ",
        "divs": "<div>",
        "tables": "<table><tr><td>",
        "fonts": "<p><font size=1>",
        "items": "<div itemscope itemtype=http://schema.org/Place itemprop=x>",
        "cards": "<div class='vcard adr h-adr h-card'>",
    }
    bodies = {name: _filled(text) for name, text in repeated.items()}
    bodies["links"] = page_of("Links", [f"/p{n}" for n in range(80_000)])
    bodies["json"] = page_of(
        "Deep", head=f"<script type=application/ld+json>{'[' * _MEGABYTE}</script>"
    )
    return bodies


def _filled(text: str) -> bytes:
    return f"<!doctype html><title>Heavy</title><p>{TEXT}".encode() + (
        text.encode() * (3 * _MEGABYTE // len(text.encode()))
    )


def _seconds_of_good(found: Findings) -> float:
    times = [visit["fetched_at"] for visit in found.visits if "good" in visit["url"]]
    return max(times) - min(times) if times else 0.0


@scenario("A heavy page holds up nobody else", seconds=110)
def beside_good_hosts(arena: Arena) -> str:
    """12 pages of 3 MB beside 60 good hosts, timed with and without them; then SIGTERM."""
    good = {f"good{n}.test": site_of_pages(3) for n in range(60)}
    bodies = list(heavy_bodies().values())
    heavy = {f"heavy{n}.test": Site(content(bodies[n % len(bodies)])) for n in range(12)}
    with arena.web({**good, **heavy}) as web:
        alone = arena.crawl_to_the_end("alone", [web.url(host) for host in good])
        begin = time.monotonic()
        command = arena.crawl("both", [web.url(host) for host in (*heavy, *good)])
        with MemoryWatch(command) as memory:
            done = _wait_for_good(arena, command, 90)
            stopped = command.stop(20 * arena.slower) if command.status is None else 0.0
    before, after = _seconds_of_good(alone), _seconds_of_good(arena.findings("both"))
    blamed = arena.findings("both").kinds("good")
    check(not blamed, f"good hosts were blamed: {blamed}")
    check(done == 180, f"{done} of 180 good pages after {time.monotonic() - begin:.0f} s")
    allowed = before * _MOST_TIMES + _OVERHEAD_SECONDS
    check(
        after <= allowed, f"good pages took {after:.1f} s with heavy ones, {before:.1f} s without"
    )
    check(stopped <= _STOP_SECONDS * arena.slower, f"SIGTERM was obeyed after {stopped:.1f} s")
    return (
        f"180 good pages in {after:.1f} s with the heavy ones, {before:.1f} s without; SIGTERM"
        f" obeyed in {stopped:.1f} s; {memory.most:.0f} MB at most"
    )


def _wait_for_good(
    arena: Arena, command: Command, seconds: float, out: str = "both", pages: int = 180
) -> int:
    """How many good pages are committed once all are, or the time is over."""
    done, begin = 0, time.monotonic()
    while time.monotonic() - begin < seconds and done < pages and not command.status:
        time.sleep(1)
        with contextlib.suppress(sqlite3.OperationalError):  # it has only begun
            done = arena.findings(out).pages("good")
    return done


@scenario("SIGTERM is obeyed within 3 s, whatever is being read", seconds=60)
def stopped_while_reading(arena: Arena) -> str:
    """SIGTERM at moments that chance chooses, while only heavy pages are read."""
    bodies = heavy_bodies()
    seen: list[float] = []
    with arena.web({f"{name}.test": Site(content(body)) for name, body in bodies.items()}) as web:
        for turn in range(3):
            hosts = arena.chance.sample(sorted(bodies), 5)
            command = arena.crawl(f"out{turn}", [web.url(f"{host}.test") for host in hosts])
            time.sleep(4 * arena.slower + 4 * arena.chance.random())
            seen.append(command.stop(25 * arena.slower))
            check(not command.has_traceback(), f"a traceback: {command.last_line()}")
    worst = max(seen)
    check(worst <= _STOP_SECONDS * arena.slower, f"it took {worst:.1f} s")
    return f"obeyed after {', '.join(f'{seconds:.1f}' for seconds in seen)} s"


_PIECES = (
    b"<", b"<!--", b"-->", b"--!>", b"<script", b"<script ", b"<script>", b"</script", b"<style>",
    b"</", b"<svg", b"<template>", b"<![CDATA[", b"]]>", b"<noscript>", b" type=", b"=", b'"', b"'",
    b"&nbsp", b"&#160", b"<title>", b"\0", b" ", b"\t\n", b"<a href=x ", b"<p style='display:none",
    b"<?xml", b"<textarea>",
)  # fmt: skip


@scenario("--render: pages made to be slow to look at hold up nobody", seconds=60)
def hostile_shells(arena: Arena) -> str:
    """16 pages of 300 KB of repeated pieces of markup, which might need a browser."""
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        raise NotHereError("it needs chromium")
    good = {f"good{n}.test": site_of_pages(12) for n in range(10)}
    shells = {}
    for number in range(16):
        unit = b"".join(arena.chance.choices(_PIECES, k=arena.chance.randrange(1, 4)))
        body = b"<!doctype html><script>x()</script><script>" + unit * (300_000 // len(unit))
        shells[f"shell{number}.test"] = Site(content(body))
    with arena.web({**shells, **good}) as web:
        command = arena.crawl("out", map(web.url, (*shells, *good)), "--render", "auto")
        done = _wait_for_good(arena, command, 60 * arena.slower, "out", 120)
        stopped = command.stop(25 * arena.slower)
    check(done == 120, f"{done} of 120 good pages")
    check(stopped <= 2 * _STOP_SECONDS * arena.slower, f"SIGTERM was obeyed after {stopped:.1f} s")
    return f"120 good pages; SIGTERM obeyed in {stopped:.1f} s"


@scenario("Sitemaps do not stand behind heavy pages", seconds=50)
def sitemaps_behind_heavy_pages(arena: Arena) -> str:
    """Good hosts with sitemaps of 400 KB, of pages and of noise, beside hosts of heavy pages."""
    entries = "".join(f"<url><loc>http://x.test/{n}</loc></url>" for n in range(9000)).encode()
    noise = b'<?xml version="1.0" encoding="punycode"?><urlset>' + b"a-" * 200_000
    bodies = heavy_bodies()

    def with_sitemap(site: Site, sitemap: bytes) -> Site:
        async def handler(visitor: Visitor) -> None:
            is_map = visitor.path == "/map.xml"
            await (content(sitemap, "text/xml") if is_map else site.handler)(visitor)

        async def robots(visitor: Visitor) -> None:
            map_of_host = f"http://{visitor.headers['host']}/map.xml"
            await robots_file("User-agent: *", f"Sitemap: {map_of_host}")(visitor)

        return Site(handler, robots)

    good = {
        f"good{n}.test": with_sitemap(site_of_pages(10), noise if n % 2 else b"<urlset>" + entries)
        for n in range(18)
    }
    names = arena.chance.sample(sorted(bodies), 4)
    heavy = {f"{name}.test": with_sitemap(Site(content(bodies[name])), noise) for name in names}
    with arena.web({**good, **heavy}) as web:
        command = arena.crawl("both", map(web.url, (*heavy, *good)))
        done = _wait_for_good(arena, command, 40 * arena.slower, pages=198)
        stopped = command.stop(25 * arena.slower)
    said = f"beside {', '.join(names)}: {command.last_line()}"
    check(done == 198, f"{done} of 198 good pages and sitemaps, {said}")
    return f"all good pages beside {', '.join(names)}; SIGTERM obeyed in {stopped:.1f} s"
