"""Bounded: hosts, rules, sitemaps and chains without end cost little, and nobody else waits."""

import asyncio
import os
import random
import time

from tests.fakeweb import Site, Visitor
from tests.fakeweb.sites import by_path, content, robots_file
from tests.faults.arena import (
    NAMESPACE,
    TEXT,
    Arena,
    Command,
    MemoryWatch,
    check,
    page_of,
    scenario,
    site_of_pages,
)
from tests.faults.network import Answer

_FARM_MEGABYTES = 50.0  # that a wildcard farm may cost
_ROBOTS_MEGABYTES = 120.0  # that 60 files of the largest size may cost
_SITEMAP_MEGABYTES = 800.0  # in all: 400 of a crawl and its reader, and five copies of 10 MB a host
_MOST_SITEMAPS = 600  # requests to a host without an end
_GOOD = {f"fine{n}.test": site_of_pages(12) for n in range(5)}


def _farm(links: int) -> Site:
    async def handler(visitor: Visitor) -> None:
        chance = random.Random(f"{visitor.host}{visitor.path}")
        hosts = [f"http://h{chance.randrange(10**12)}.farm.test/" for _ in range(links)]
        words = " ".join(f"word{chance.randrange(9999)}" for _ in range(40))
        await visitor.answer(page_of("Austin hosts", hosts, TEXT + words))

    return Site(handler)


def _growth(memory: MemoryWatch) -> float:
    """What was used at the end beyond what a crawl needs when it begins to fetch."""
    quarter = max(len(memory.megabytes) // 4, 1)
    return max(memory.megabytes) - max(memory.megabytes[:quarter])


def _watched(arena: Arena, command: Command, seconds: float) -> MemoryWatch:
    with MemoryWatch(command) as memory:
        if not command.ends_within(seconds):
            command.stop(25 * arena.slower)
    check(command.status == 0, f"it ended with {command.status}: {command.last_line()}")
    return memory


@scenario("Memory does not grow with the hosts that others name", seconds=60, needs=(NAMESPACE,))
def wildcard_farm(arena: Arena) -> str:
    """Pages that name 2,000 new hosts each, all at one address, beside good hosts."""
    names: dict[str, Answer | list[Answer]] = {"*.farm.test": ("11.9.9.9",)}
    with arena.web({"*.farm.test": _farm(2000), **_GOOD}, names) as web:
        seeds = [web.url("h1.farm.test"), *map(web.url, _GOOD)]
        seconds = 40 * min(arena.slower, 2.5)
        memory = _watched(arena, arena.crawl("out", seeds, delay_seconds=0.1), seconds)
        farm = len([hit for hit in web.log if hit.address == "11.9.9.9"])
    found = arena.findings("out")
    named = 2000 * found.pages("farm.test")
    grown, fine = _growth(memory), found.pages("fine")
    cost = f"{grown:+.0f} MB for {named:,} hosts that were named"
    check(fine == 60, f"{fine} of 60 pages of good hosts in {seconds:.0f} s; {cost}")
    check(named > 20_000, f"only {named} hosts were named")
    allowed = _FARM_MEGABYTES * max(1.0, named / 240_000)
    check(grown <= allowed, cost)
    return f"{named:,} hosts named, {farm} requests to them, {grown:+.0f} MB, all good pages"


@scenario("Many domains on one server crowd out nobody", seconds=30, needs=(NAMESPACE,))
def domains_of_one_address(arena: Arena) -> str:
    """Pages without places that name 500 new domains each, all at one address, and good hosts."""

    async def handler(visitor: Visitor) -> None:
        chance = random.Random(f"{visitor.host}{visitor.path}")
        hosts = (f"http://a{chance.randrange(10**12)}.farm/" for _ in range(500))
        words = " ".join(f"word{chance.randrange(9999)}" for _ in range(40))
        links = "".join(f"<a href={host}>more</a>" for host in hosts)
        await visitor.answer(f"<title>Hosts</title><p>{words}</p>{links}".encode())

    farm: dict[str, Answer | list[Answer]] = {"*.farm": ("11.9.9.9",)}
    with arena.web({"*.farm": Site(handler), **_GOOD}, farm) as web:
        seeds = [web.url("a1.farm"), *map(web.url, _GOOD)]
        found = arena.crawl_for(20 * arena.slower, "out", seeds, hosts_per_domain=500)
        asked = {hit.host for hit in web.log if hit.address == "11.9.9.9"}
    left_out = found.counted.get("hosts of address", 0)
    check(found.pages("fine") == 60, f"{found.pages('fine')} of 60 pages of good hosts")
    check(len(asked) <= 50, f"{len(asked)} hosts of one address were asked")
    check(left_out, "none was left out")
    return f"{len(asked)} hosts of the address asked, {left_out} others left out, all good pages"


@scenario("robots.txt files are bounded by bytes", seconds=60)
def large_robots(arena: Arena) -> str:
    """60 hosts with half a megabyte of rules each."""
    rules = "User-agent: *\n" + "".join(f"Disallow: /x{n:x}\n" for n in range(32_000))
    robots = content(rules.encode()[: 500 * 1024], "text/plain")
    sites = {f"rules{n}.test": Site(site_of_pages(3).handler, robots) for n in range(60)}
    with arena.web({**sites, **_GOOD}) as web:
        begin = time.monotonic()
        command = arena.crawl("out", [web.url(host) for host in (*sites, *_GOOD)])
        memory = _watched(arena, command, 50 * arena.slower)
    found = arena.findings("out")
    check(found.pages("rules") == 180, f"{found.pages('rules')} of 180 pages")
    check(found.pages("fine") == 60, f"{found.pages('fine')} of 60 pages of good hosts")
    grown = _growth(memory)
    check(grown <= _ROBOTS_MEGABYTES, f"{grown:.0f} MB more for 60 files of 500 KB")
    return (
        f"180 pages in {time.monotonic() - begin:.0f} s, {grown:+.0f} MB, {memory.most:.0f} in all"
    )


def _with_sitemap(body: bytes) -> Site:
    handler = by_path({"/map.xml": content(body, "text/xml"), "/": content(page_of("Map"))})

    async def robots(visitor: Visitor) -> None:
        host = visitor.headers["host"]
        await robots_file("User-agent: *", f"Sitemap: http://{host}/map.xml")(visitor)

    return Site(handler, robots)


@scenario("A sitemap holds up nobody, whatever it declares", seconds=40)
def sitemap_in_strange_codecs(arena: Arena) -> str:
    """Sitemaps of 3 MB in punycode, idna, UTF-7 and escapes, which are slow codecs of Python."""
    codecs = ("punycode", "idna", "utf-7", "unicode_escape", "hz", "zlib_codec", "rot13")
    sites = {
        f"{codec.replace('_', '-')}.map.test": _with_sitemap(
            f'<?xml version="1.0" encoding="{codec}"?>'.encode()
            + b"a" * 100
            + b"-"
            + b"9" * 3_000_000
        )
        for codec in codecs
    }
    with arena.web({**sites, **_GOOD}) as web:
        command = arena.crawl("out", [web.url(host) for host in (*sites, *_GOOD)])
        ended = command.ends_within(35 * arena.slower)
        stopped = 0.0 if ended else command.stop(12 * arena.slower)
    found = arena.findings("out")
    check(found.pages("fine") == 60, f"{found.pages('fine')} of 60 pages of good hosts")
    check(ended, f"it did not end by itself; SIGTERM was obeyed in {stopped:.1f} s")
    return f"{len(codecs)} codecs, the crawl ended by itself with all good pages"


@scenario("Sitemaps are bounded by bytes for each host", seconds=70)
def sitemap_flood(arena: Arena) -> str:
    """8 hosts with 49 MB of noise as their sitemap, and an index of 50,000 sitemaps."""
    noise = b"<urlset>" + os.urandom(49_000_000)
    sites = {f"noise{n}.test": _with_sitemap(noise) for n in range(8)}
    index = "".join(
        f"<sitemap><loc>http://index.test/{n}.xml</loc></sitemap>" for n in range(50_000)
    )
    sites["index.test"] = _with_sitemap(f"<sitemapindex>{index}</sitemapindex>".encode())
    with arena.web({**sites, **_GOOD}) as web:
        command = arena.crawl("out", [web.url(host) for host in (*sites, *_GOOD)])
        memory = _watched(arena, command, 50)
    found = arena.findings("out")
    archived = sum(f.stat().st_size for f in arena.at("out").rglob("*.warc.gz*")) / 1e6
    check(found.pages("fine") == 60, f"{found.pages('fine')} of 60 pages of good hosts")
    check(memory.most <= _SITEMAP_MEGABYTES, f"{memory.most:.0f} MB of memory")
    asked = len(web.hits("index.test"))
    return (
        f"{memory.most:.0f} MB of memory at most, {archived:.0f} MB archived, {asked} of the index"
    )


def _growing(tail: str) -> Site:
    """Its robots.txt names a sitemap, which names two, each of which names two, for ever."""

    async def handler(visitor: Visitor) -> None:
        if "map" not in visitor.path:
            await visitor.answer(page_of("Map", text=TEXT + visitor.host))
            return
        url = f"http://{visitor.headers['host']}{visitor.path}"
        named = "".join(f"<sitemap><loc>{url}{n}{tail}</loc></sitemap>" for n in "ab")
        await visitor.answer(f"<sitemapindex>{named}</sitemapindex>".encode(), 200, "text/xml")

    return Site(handler, _with_sitemap(b"").robots)


def _sending(first: bytes, seconds: float) -> Site:
    """A sitemap that goes on for ever, a piece after some time."""
    begun = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nConnection: close\r\n\r\n<urlset>"

    async def handler(visitor: Visitor) -> None:
        if visitor.path != "/map.xml":
            await visitor.answer(page_of("Map", text=TEXT + visitor.host))
            return
        await visitor.send(begun)
        while True:
            await visitor.send(first)
            await asyncio.sleep(seconds)

    return Site(handler, _with_sitemap(b"").robots)


@scenario("Sitemaps without an end cost their own host only", seconds=60)
def sitemaps_without_end(arena: Arena) -> str:
    """Sitemaps that name new ones for ever, in three spellings, or never stop coming."""
    entry = b"<url><loc>http://x.test/%s</loc></url>" % os.urandom(4).hex().encode()
    sites = {
        **{f"growing{n}.test": _growing(tail) for n, tail in enumerate(("", "/", "?x=1", ".gz"))},
        "fast.test": _sending(entry * 1000, 0), "slow.test": _sending(entry, 0.2),
        "open.test": _sending(b"<url>" * 1000, 0), "comment.test": _sending(b"<!--" * 1000, 0),
        "entity.test": _sending(b"<!DOCTYPE a [<!ENTITY b '&c;&c;'>" * 100, 0),
    }  # fmt: skip
    with arena.web({**sites, **_GOOD}) as web:
        command = arena.crawl("out", [web.url(host) for host in (*sites, *_GOOD)])
        memory = _watched(arena, command, 50 * arena.slower)
        asked = {host: len(web.hits(host)) for host in sites}
    found, most = arena.findings("out"), max(asked, key=lambda host: asked[host])
    check(found.pages("fine") == 60, f"{found.pages('fine')} of 60 pages of good hosts")
    check(asked[most] <= _MOST_SITEMAPS, f"{most} was asked {asked[most]} times")
    check(memory.most <= _SITEMAP_MEGABYTES, f"{memory.most:.0f} MB of memory")
    return f"60 good pages; {most} was asked {asked[most]} times; {memory.most:.0f} MB at most"


@scenario("A chain of pages without end does not take the crawl", seconds=30)
def refresh_chain(arena: Arena) -> str:
    """A page of one short text that refreshes to the next, for ever, beside good hosts."""

    async def handler(visitor: Visitor) -> None:
        number = int("0" + visitor.path.strip("/")) + 1 if visitor.path[1:].isdecimal() else 1
        refresh = f'<meta http-equiv=refresh content="0;url=/{number}">'
        await visitor.answer(page_of("Austin", head=refresh, text="Austin, Texas 78701"))

    with arena.web({"chain.test": Site(handler), **_GOOD}) as web:
        found = arena.crawl_for(20, "out", map(web.url, ["chain.test", *_GOOD]), delay_seconds=0.02)
    chain = found.pages("chain.test")
    check(found.pages("fine") == 60, f"{found.pages('fine')} of 60 pages of good hosts")
    check(chain <= 60, f"{chain} pages of the chain")
    return f"{chain} pages of the chain, 60 good ones"
