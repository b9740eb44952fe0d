"""Every misbehaviour of servers is survived, counted by name, and costs good hosts nothing."""

from collections.abc import Mapping

from tests.fakeweb import FakeWeb, Site, oddities
from tests.fakeweb import misbehaviour as bad
from tests.fakeweb.menagerie import BAD, GOOD
from tests.faults.arena import Arena, Findings, check, page_of, scenario, site_of_pages

_PROMISE = "Every misbehaviour of servers is survived and counted by name"
_GOOD = {f"fine{n}.test": site_of_pages(5) for n in range(4)}
_STATUSES = (
    *"000 099 100 101 102 103 199 200 201 202 203 204 205 206 207 226 299 300 304".split(),
    *"305 306 308 399".split(),
    *"400 401 402 403 404 405 406 407 408 410 418 421 425 428 431 451 499 500 501 502 505".split(),
    *"507 511 520 599 600 799 999 1000 -1 2xx".split(),
)  # fmt: skip


def _crawl(
    arena: Arena, sites: Mapping[str, Site], seconds: float = 30
) -> tuple[FakeWeb, Findings]:
    """Crawl some hosts beside good ones, of which every page must be stored."""
    with arena.web({**_GOOD, **sites}) as web:
        urls = [web.url(host) for host in (*_GOOD, *sites)]
        found = arena.crawl_for(seconds, "out", urls, total_seconds=5)
    check(found.pages("fine") == 20, f"{found.pages('fine')} of 20 pages of good hosts")
    check(not found.kinds("fine"), f"good hosts were blamed: {found.kinds('fine')}")
    return web, found


@scenario(_PROMISE, seconds=20)
def odd_statuses(arena: Arena) -> str:
    """Pages with 58 statuses, some of which do not exist."""
    sites = {f"s{n}.test": Site(oddities.odd_status(text)) for n, text in enumerate(_STATUSES)}
    web, found = _crawl(arena, sites)
    asked = sum(bool(web.hits(host)) for host in sites)
    silent = [host for host in sites if not found.tells_of(host)]
    check(not silent, f"nothing is known of {len(silent)} hosts, such as {silent[:3]}")
    return f"{asked} of {len(sites)} hosts were asked, all are told of; {found.kinds()}"


@scenario(_PROMISE, seconds=15)
def breaking_off(arena: Arena) -> str:
    """Answers that end, or are reset, at 40 points that chance chooses."""
    whole = len(oddities.whole_answer(page_of("")))
    points = sorted(arena.chance.sample(range(whole), 40))
    sites = {
        f"cut{at}.test": Site(oddities.breaking_off(at, reset=bool(n % 2)))
        for n, at in enumerate(points)
    }
    _, found = _crawl(arena, sites)
    stored = found.pages("cut")
    check(stored == 0, f"{stored} answers that were cut are stored as pages")
    known = {"reset", "truncated", "protocol"}
    check(set(found.kinds("cut")) <= known, f"counted as {found.kinds('cut')}")
    return f"cut at {len(points)} points: {found.kinds('cut')}"


@scenario(_PROMISE, seconds=12)
def wrong_lengths(arena: Arena) -> str:
    """Lengths that are negative, huge, signed, hexadecimal, doubled, or wrong."""
    lengths = ("-5", "99999999999999999999", "+50", "0x10", "5", "1e3", "", "5, 6", "٣")
    sites = {f"l{n}.test": Site(oddities.wrong_length(text)) for n, text in enumerate(lengths)}
    sites["two.test"] = Site(bad.two_lengths)
    _, found = _crawl(arena, sites)
    silent = [host for host in sites if not found.tells_of(host)]
    check(not silent, f"nothing is known of {silent}")
    return f"{len(sites)} lengths: {found.kinds()}, stored {found.pages('l')}"


@scenario(_PROMISE, seconds=25)
def bombs(arena: Arena) -> str:
    """Bodies that grow a thousandfold in all codings and in layers, and empty blocks."""
    sites = {f"{kind}.test": Site(oddities.small_bomb(kind)) for kind in oddities.BOMBS}
    _, found = _crawl(arena, sites, seconds=45)
    kinds = {kind: found.kinds(f"{kind}.test") for kind in oddities.BOMBS}
    grown = [
        kind for kind in oddities.BOMBS if found.pages(f"/{kind}.test") and "empty" not in kind
    ]
    large = {"gzip", "brotli", "gzip-twice"} - {
        k for k, found_as in kinds.items() if "bomb" in found_as
    }
    check(not large, f"not counted as bomb: { {kind: kinds[kind] for kind in large} }")
    check(not set(grown) & {"gzip", "brotli", "gzip-twice"}, f"stored: {grown}")
    return ", ".join(f"{kind} {'+'.join(found_as) or 'stored'}" for kind, found_as in kinds.items())


@scenario(_PROMISE, seconds=25)
def endless_heads(arena: Arena) -> str:
    """Hints, trailers, chunk extensions and cookies without end, other protocols, noise."""
    sites = {
        "hints.test": Site(oddities.endless_hints),
        "switching.test": Site(oddities.switching),
        "trailers.test": Site(oddities.endless_trailers()),
        "extensions.test": Site(oddities.long_chunk_extensions()),
        "cookies.test": Site(oddities.endless_cookies()),
        "fields.test": Site(bad.many_headers()),
        **{f"noise{n}.test": Site(oddities.noise(arena.chance, 3000)) for n in range(6)},
    }
    _, found = _crawl(arena, sites)
    silent = [host for host in sites if not found.tells_of(host)]
    check(not silent, f"nothing is known of {silent}")
    return ", ".join(f"{host.partition('.')[0]} {'+'.join(found.kinds(host))}" for host in sites)


@scenario("Text in any charset is read as browsers read it", seconds=12)
def charsets(arena: Arena) -> str:
    """Pages that claim charsets which only Python knows, or none at all."""
    text = "Käse in Düsseldorf, Königsallee 1, 40212 Düsseldorf"
    claims = [
        *"utf-7 utf-16 utf-32 punycode idna unicode_escape raw_unicode_escape rot13 zlib".split(),
        *"bz2 base64 hex undefined hz-gb-2312 iso-2022-kr x-user-defined mbcs oem uu".split(),
        "x" * 5000,
    ]
    sites = {
        f"c{n}.test": Site(oddities.in_charset(text, "utf-8", c)) for n, c in enumerate(claims)
    }
    sites["bare.test"] = Site(oddities.in_charset(text, "utf-16-le", None))
    _, found = _crawl(arena, sites)
    unread = [host for host in sites if not found.pages(f"//{host}")]
    check(not unread, f"not stored: {unread}: {found.kinds()}")
    return f"{len(sites)} charsets, all pages stored"


@scenario(_PROMISE, seconds=40)
def all_at_once(arena: Arena) -> str:
    """The whole menagerie of the tests, beside good hosts."""
    sites = {host: site for host, (site, _) in BAD.items()} | dict(GOOD)
    _, found = _crawl(arena, sites, seconds=45)
    expected = {kind for _, kind in BAD.values()} - {"slow", "stalled"}  # both may be a timeout
    expected -= {"private-address"} if arena.names is None else set()
    missing = expected - set(found.counted)
    check(not missing, f"not counted: {missing}; counted: {found.counted}")
    silent = [host for host in sites if not found.tells_of(host)]
    check(not silent, f"nothing is known of {silent}")
    return f"{len(BAD)} bad hosts, each counted by its name"
