"""Whole crawls, judged by what the servers saw and what the store holds."""

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from geoscout.cli.commands.status import status_figures
from geoscout.crawling.crawl_run import revisits_of
from geoscout.crawling.read_result import ReadResult
from geoscout.fetch.renderer import PageGate
from geoscout.state.sqlite import SqliteState
from geoscout_places.errors import TryLaterError
from geoscout_places.model import RequestKind, Response, SiteKnowledge
from tests.conftest import PROJECT
from tests.fakeweb import FakeWeb, Site, overlaps
from tests.fakeweb import misbehaviour as bad
from tests.fakeweb.menagerie import BAD, GOOD, TRAPS, TRY_LATER, all_sites
from tests.fakeweb.sites import (
    Visitor,
    by_path,
    chained,
    conditional,
    content,
    in_turn,
    markup,
    page,
    robots_file,
)
from tests.flow.crawler import crawl_to_the_end, read_without_places
from tests.stores import open_folder


def small_web(hosts: int, pages: int) -> dict[str, Site]:
    """Hosts with this number of pages each, every page leading to the next."""
    return {f"host{n}.test": Site(chained(pages)) for n in range(hosts)}


def stored_pages(folder: Path) -> list[str]:
    with open_folder(folder) as store:
        return [visit.url for visit in store.pages()]


def test_crawl_stores_every_page_once(tmp_path):
    with FakeWeb(small_web(6, 8), addresses=3) as web:
        seeds = [web.url(host) for host in web.sites]
        crawl_to_the_end(tmp_path / "c", seeds, web.resolver.addresses)

        expected = {web.url(h, f"/{n}" if n else "/") for h in web.sites for n in range(8)}

    pages = stored_pages(tmp_path / "c")
    assert set(pages) == expected
    assert len(pages) == len(set(pages))


@pytest.mark.parametrize("nodes", [False, True])
def test_hosts_and_addresses_are_asked_one_at_a_time(tmp_path, nodes):
    sites = small_web(50, 3)
    sites["slowly.test"] = Site(chained(3), robots_file("User-agent: *", "Crawl-delay: 0.3"))
    sites["closed.test"] = Site(chained(3), robots_file("User-agent: *", "Disallow: /1"))
    with FakeWeb(sites, addresses=5) as web:
        seeds = [web.url(host) for host in web.sites]
        addresses = web.resolver.addresses
        crawl_to_the_end(tmp_path / "c", seeds, addresses, delay=0.02, nodes=nodes)
        by_address = {a: [h for h in web.log if h.address == a] for a in web.addresses}
        slowly = [hit for hit in web.hits("slowly.test") if hit.path != "/robots.txt"]
        closed = web.paths("closed.test")

    assert all(overlaps(hits) == [] for hits in by_address.values())
    for hits in by_address.values():
        times = sorted((hit.start, hit.end) for hit in hits)
        gaps = [later[0] - earlier[1] for earlier, later in pairwise(times)]
        assert min(gaps) >= 0.015
    assert all(b.start - a.end >= 0.28 for a, b in pairwise(slowly))
    assert "/1" not in closed


@pytest.mark.slow
def test_every_misbehaviour_is_survived_and_counted(tmp_path):
    with FakeWeb(all_sites(), addresses=20) as web:
        seeds = [web.url(host) for host in web.sites]
        crawl_to_the_end(tmp_path / "c", seeds, web.resolver.addresses, max_pages=250, seconds=8)
        wanted = {web.url(host) for host in {**GOOD, **TRAPS}}

    with open_folder(tmp_path / "c") as store:
        kinds = {**store.tally("failure"), **store.tally("links")}
    expected = {kind for _, kind in BAD.values()} | {f"status {s}" for _, s in TRY_LATER.values()}
    assert wanted - set(stored_pages(tmp_path / "c")) == set()
    assert expected - set(kinds) == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("times", "nodes"), [pytest.param(30, False, marks=pytest.mark.long), (10, True)]
)
def test_crawl_killed_often_is_as_complete_as_one_that_was_not(tmp_path, times, nodes):
    chance = random.Random(7)
    folder = tmp_path / "killed"
    with FakeWeb(small_web(12, 150), addresses=12) as web:
        given = {
            "folder": str(folder),
            "seeds": [web.url(host) for host in web.sites],
            "addresses": web.resolver.addresses,
            "options": {"delay": 0.06, "nodes": nodes},
        }
        command = [sys.executable, "-m", "tests.flow.crawler", json.dumps(given)]
        kills = 0
        for _ in range(times):
            process = subprocess.Popen(command, cwd=PROJECT)
            try:
                process.wait(timeout=0.45 + chance.random() * 0.5)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                kills += 1
            process.wait()
        subprocess.run(command, cwd=PROJECT, check=True, timeout=120)
        expected = {web.url(h, f"/{n}" if n else "/") for h in web.sites for n in range(150)}
        asked = [hit for hit in web.log if hit.path != "/robots.txt"]

    pages = stored_pages(folder)
    assert set(pages) == expected
    assert len(pages) == len(set(pages))
    assert kills >= 0.8 * times
    # At most what was in flight, or in the group not yet committed, is asked again.
    assert len(asked) - len(expected) <= kills * (20 + 64)
    for archive in sorted(folder.glob("**/*.warc.gz")):
        check = [str(Path(sys.executable).with_name("warcio")), "check", str(archive)]
        subprocess.run(check, check=True, timeout=60)


def test_stopping_leaves_a_crawl_that_resumes(tmp_path):
    with FakeWeb(small_web(3, 20)) as web:
        seeds = [web.url(host) for host in web.sites]
        crawl_to_the_end(tmp_path / "c", seeds, web.resolver.addresses, max_pages=10)
        before = len(stored_pages(tmp_path / "c"))
        start = time.monotonic()

        crawl_to_the_end(tmp_path / "c", seeds, web.resolver.addresses)

    assert before == 10
    assert len(stored_pages(tmp_path / "c")) == 60
    assert time.monotonic() - start < 60


def test_sitemap_of_a_seed_leads_to_pages_nobody_links_to(tmp_path):
    listed = b"<urlset><url><loc>/orphan</loc></url></urlset>"
    pages = {"/": page("Home"), "/orphan": page("Orphan"), "/map.xml": content(listed, "text/xml")}
    site = Site(by_path(pages), robots_file("User-agent: *", "Sitemap: /map.xml"))
    with FakeWeb({"a.test": site}) as web:
        crawl_to_the_end(tmp_path / "c", [web.url("a.test")], web.resolver.addresses)
        expected = {web.url("a.test"), web.url("a.test", "/orphan")}

    assert set(stored_pages(tmp_path / "c")) == expected


def test_sitemap_is_found_at_a_usual_place_and_asked_for_once(tmp_path):
    listed = b"<urlset><url><loc>/orphan</loc></url></urlset>"
    pages = {
        "/": page("Home", ["/more"]),
        "/more": page("More"),
        "/orphan": page("Orphan"),
        "/sitemap_index.xml": content(listed, "text/xml"),
    }
    with FakeWeb({"a.test": Site(by_path(pages)), "b.test": Site(by_path(pages))}) as web:
        seeds = [web.url("a.test"), web.url("a.test", "/more")]
        crawl = crawl_to_the_end(tmp_path / "c", seeds, web.resolver.addresses)
        expected = {*seeds, web.url("a.test", "/orphan")}
        asked = [hit.path for hit in web.log if "sitemap" in hit.path]

    assert set(stored_pages(tmp_path / "c")) == expected
    assert asked == ["/sitemap.xml", "/sitemap_index.xml"]
    assert crawl.progress.visits == 4  # the one that is not there is not a visit


def test_links_of_repeated_text_are_left_out(tmp_path):
    async def same_for_ever(visitor: Visitor) -> None:
        number = int(visitor.path.strip("/") or 0)
        await visitor.answer(markup("Filter", [f"/{number + 1}"], "the same offer again " * 30))

    with FakeWeb({"a.test": Site(same_for_ever)}) as web:
        crawl_to_the_end(tmp_path / "c", [web.url("a.test")], web.resolver.addresses, max_pages=50)

    with open_folder(tmp_path / "c") as store:
        assert store.tally("links") == {"near-duplicate": 1}
    assert len(stored_pages(tmp_path / "c")) == 4


def test_page_that_says_it_is_missing_is_no_page(tmp_path):
    pages = {"/": page("Home", ["/gone"]), "/gone": page("404 Not Found", ["/more"])}
    with FakeWeb({"a.test": Site(by_path(pages))}) as web:
        crawl_to_the_end(tmp_path / "c", [web.url("a.test")], web.resolver.addresses)
        home = web.url("a.test")

    assert stored_pages(tmp_path / "c") == [home]
    with open_folder(tmp_path / "c") as store:
        assert store.tally("links") == {"soft 404": 1}


async def read_with_difficulty(
    response: Response, kind: RequestKind, site: SiteKnowledge | None
) -> ReadResult:
    if response.url.endswith("/1"):
        raise TryLaterError("unread", response.url)
    return await read_without_places(response, kind, site)


def test_page_that_no_process_can_read_is_given_up_and_the_crawl_goes_on(tmp_path):
    pages = {"/": page("Home", ["/1", "/2"]), "/1": page("One"), "/2": page("Two")}
    with FakeWeb({"a.test": Site(by_path(pages))}) as web:
        seeds, addresses = [web.url("a.test")], web.resolver.addresses
        crawl_to_the_end(tmp_path / "c", seeds, addresses, read=read_with_difficulty)
        readable = [web.url("a.test"), web.url("a.test", "/2")]

    assert stored_pages(tmp_path / "c") == readable
    with open_folder(tmp_path / "c") as store:
        assert store.tally("failure") == {"unread": 2}


def test_responses_are_counted_by_status_as_servers_log_them(tmp_path):
    good = {f"/{n}": page(f"Page {n}") for n in range(10)}
    links = ["/err", "/old", "/gone", "/picture", *good]
    pages = {
        "/": page("Home", links),
        "/err": bad.failing(503),
        "/old": bad.redirect("/0", 301),
        "/picture": bad.image,
        **good,
    }
    robots = robots_file("User-agent: *", "Disallow: /closed")
    with FakeWeb({"a.test": Site(by_path(pages), robots)}) as web:
        crawl_to_the_end(tmp_path / "c", [web.url("a.test")], web.resolver.addresses)
        logged = Counter(str(hit.status) for hit in web.hits("a.test"))

    with open_folder(tmp_path / "c") as store:
        assert store.tally("status") == logged
    assert set(logged) == {"200", "301", "404", "503"}
    assert logged["503"] == 2  # it is tried twice


class BarrenRenderer:
    """A browser that shows a page as it was sent."""

    async def render(self, gate: PageGate) -> bytes:
        return gate.document.body

    async def close(self) -> None:
        pass


def test_status_says_what_came_of_the_browser(tmp_path):
    shells = {f"/{n}": content(b"<script src=/%d.js></script>" % n) for n in range(14)}
    pages = by_path({"/": page("Home " * 100, list(shells)), **shells})
    with FakeWeb({"a.test": Site(pages)}) as web:
        seeds, addresses = [web.url("a.test")], web.resolver.addresses
        crawl_to_the_end(tmp_path / "c", seeds, addresses, renderer=BarrenRenderer())

    browser = status_figures(tmp_path / "c")["browser"]
    assert browser == {"showed no more": 11, "gave up on host": 1}


def test_retry_after_is_waited_for(tmp_path):
    busy = content(b"later", status=503, headers=[("Retry-After", "1")])
    with FakeWeb({"a.test": Site(in_turn(busy, page("Home")))}) as web:
        crawl_to_the_end(tmp_path / "c", [web.url("a.test")], web.resolver.addresses)
        first, second = (hit for hit in web.hits("a.test") if hit.path == "/")

    assert second.start - first.end >= 0.99


def test_unchanged_page_is_not_sent_again_when_revisited(tmp_path):
    site = Site(conditional('"v1"', "Sun, 06 Nov 1994 08:49:37 GMT", markup("Home")))
    with FakeWeb({"a.test": site}) as web:
        seeds, addresses = [web.url("a.test")], web.resolver.addresses
        crawl_to_the_end(tmp_path / "c", seeds, addresses)
        state = SqliteState(tmp_path / "c")
        requests = list(revisits_of(state.reader, days=0))
        state.frontier.put(requests)
        state.save()
        state.close()
        crawl_to_the_end(tmp_path / "c", seeds, addresses)
        statuses = [hit.status for hit in web.hits("a.test") if hit.path == "/"]

    assert len(requests) == 1
    assert statuses == [200, 304]
    assert stored_pages(tmp_path / "c") == seeds


def test_chain_of_one_short_text_is_left_after_a_few_pages(tmp_path):
    async def chain(visitor: Visitor) -> None:
        number = int(visitor.path.strip("/") or 0)
        link = f"<a href=/{number + 1}>next</a>".encode()
        await visitor.answer(b"<title>Show</title>The next picture follows. " + link)

    with FakeWeb({"a.test": Site(chain)}) as web:
        crawl_to_the_end(tmp_path / "c", [web.url("a.test")], web.resolver.addresses, max_pages=50)

    assert len(stored_pages(tmp_path / "c")) == 4


def test_waiting_urls_of_pages_that_came_under_another_are_not_asked_for(tmp_path):
    async def news(visitor: Visitor) -> None:
        number = visitor.path.split("/")[1]
        links = [f"/{n}/{end}" for n in range(40) for end in ("", "index.html")]
        text = " ".join(f"word{number}x{n}" for n in range(60))
        await visitor.answer(markup("News", () if number else links, text))

    with FakeWeb({"a.test": Site(news)}) as web:
        crawl_to_the_end(tmp_path / "c", [web.url("a.test")], web.resolver.addresses)

    pages = stored_pages(tmp_path / "c")
    assert {url.split("/")[3] for url in pages} == {"", *(str(n) for n in range(40))}
    assert len(pages) <= 1 + 40 + 5


def test_page_with_two_urls_is_asked_for_once_when_the_host_has_shown_it(tmp_path):
    async def news(visitor: Visitor) -> None:
        number = int(visitor.path.split("/")[1])
        links = [f"/{number + 1}/{ending}" for ending in ("", "index.html")]
        text = " ".join(f"word{number}x{n}" for n in range(60))
        await visitor.answer(
            markup("News", links if number < 40 else [], text).replace(b"/li", b"")
        )

    with FakeWeb({"a.test": Site(news)}) as web:
        seeds = [web.url("a.test", "/0/")]
        crawl_to_the_end(tmp_path / "c", seeds, web.resolver.addresses)

    found = [url.split("/")[3] for url in stored_pages(tmp_path / "c")]
    assert set(found) == {str(number) for number in range(41)}
    assert len(found) <= len(set(found)) + 6
