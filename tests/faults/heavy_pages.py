"""Pages that are much work to read cost their own host only; SIGTERM is heard meanwhile."""

import time

from tests.fakeweb import Site
from tests.fakeweb.sites import content
from tests.faults.arena import (
    TEXT,
    Arena,
    Findings,
    MemoryWatch,
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
            done = _wait_for_good(arena, begin, 90)
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


def _wait_for_good(arena: Arena, begin: float, seconds: float) -> int:
    """How many good pages are committed once all are, or the time is over."""
    done = 0
    while time.monotonic() - begin < seconds and done < 180:
        time.sleep(1)
        if (arena.at("both") / "crawl.sqlite").exists():
            done = arena.findings("both").pages("good")
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
