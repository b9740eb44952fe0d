"""One request at a time for each host and address, and the pauses kept: by the servers' clock."""

from collections import defaultdict
from collections.abc import Callable, Iterable

from tests.fakeweb import Hit, Site, overlaps
from tests.fakeweb import misbehaviour as bad
from tests.fakeweb.sites import by_path, chained, page, robots_file
from tests.faults.arena import NAMESPACE, Arena, check, scenario, site_of_pages
from tests.faults.network import Answer

_PROMISE = "Polite: one request at a time for each host and address, and its pauses"
_ROUNDING = 0.01  # seconds; a clock of the server against one of the crawler


def least_gap(log: Iterable[Hit], key: Callable[[Hit], str]) -> float:
    """The shortest time from the end of an answer to the next request of the same key."""
    groups: dict[str, list[Hit]] = defaultdict(list)
    for hit in log:
        groups[key(hit)].append(hit)
    gaps = [
        later.start - earlier.end
        for hits in groups.values()
        for earlier, later in zip(hits, sorted(hits, key=lambda h: h.start)[1:], strict=False)
    ]
    return min(gaps, default=float("inf"))


def check_polite(log: list[Hit], delay: float) -> float:
    """The least gap by address and host; fails where requests overlap or a pause is too short."""
    by_start = sorted(log, key=lambda hit: hit.start)
    together = [
        pair
        for a in {hit.address for hit in log}
        for pair in overlaps(hit for hit in by_start if hit.address == a)
    ]
    check(not together, f"{len(together)} requests at a time for one address: {together[:1]}")
    least = min(
        least_gap(by_start, lambda hit: hit.address), least_gap(by_start, lambda hit: hit.host)
    )
    check(least >= delay - _ROUNDING, f"a gap of {least:.3f} s where {delay} s were promised")
    return least


@scenario(_PROMISE, seconds=30)
def many_hosts(arena: Arena) -> str:
    """80 hosts, some slow, some with redirects and errors, 40 connections, two workers."""
    delay = 0.4
    sites: dict[str, Site] = {f"good{n}.test": site_of_pages(4) for n in range(70)}
    sites |= {f"slow{n}.test": Site(bad.slow(0.3)) for n in range(4)}
    there = by_path({"/": bad.redirect("/1"), "/1": bad.redirect("/2"), "/2": page("There")})
    sites |= {f"moved{n}.test": Site(there) for n in range(3)}
    sites |= {f"failing{n}.test": Site(bad.failing(500)) for n in range(3)}
    with arena.web(sites) as web:
        found = arena.crawl_to_the_end(
            "out", [web.url(host) for host in sites], seconds=90,
            delay_seconds=delay, connections=40, workers=2,
        )  # fmt: skip
        least = check_polite(web.log, delay)
    check(found.pages("good") == 280, f"{found.pages('good')} of 280 good pages")
    return f"{len(web.log)} requests, no overlap, least gap {least:.3f} s at {delay} s"


@scenario(_PROMISE, seconds=20, needs=(NAMESPACE,))
def many_hosts_of_one_address(arena: Arena) -> str:
    """60 hosts behind one address take turns."""
    delay = 0.2
    names: dict[str, Answer | list[Answer]] = {f"h{n}.farm.test": ("11.9.9.9",) for n in range(60)}
    with arena.web(dict.fromkeys(names, site_of_pages(2)), names) as web:
        arena.crawl_for(15, "out", [web.url(host) for host in names], delay_seconds=delay)
        least = check_polite(web.log, delay)
    check(len(web.log) > 20, f"only {len(web.log)} requests in all")
    return f"{len(web.log)} requests of 60 hosts at one address, least gap {least:.3f} s"


@scenario("Nothing that robots.txt disallows is fetched", seconds=10)
def closed_paths(arena: Arena) -> str:
    """Hosts that close paths, all paths, or answer robots.txt with errors; links lead to all."""
    links = ["/open", "/closed/a", "/closed/b?x", "/%63losed/c"]
    rules = robots_file("User-agent: *", "Disallow: /closed", "Crawl-delay: 0.1")
    sites = {
        "some.test": Site(chained(3, lambda _: links), rules),
        "all.test": Site(chained(3), robots_file("User-agent: geoscout", "Disallow: /")),
        "down.test": Site(chained(3), bad.failing(503)),
        "hanging.test": Site(chained(3), bad.silent),
    }
    with arena.web(sites) as web:
        arena.crawl_for(12, "out", [web.url(host) for host in sites])
        asked = [(hit.host, hit.path) for hit in web.log if hit.path != "/robots.txt"]
    wrong = [one for one in asked if one[0] != "some.test" or "losed" in one[1]]
    check(not wrong, f"asked for {wrong[:3]}")
    check(len(asked) >= 3, f"only {asked} was asked")
    return f"{len(asked)} requests, none for a path that is closed"
