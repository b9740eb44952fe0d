"""Crawls that ask real, small whois and RDAP servers who holds the domains they find."""

import asyncio
import json
import math
import random
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from geoscout.crawl import Crawl, Plan, Stages
from geoscout.crawling.follow import Follower, Reach
from geoscout.crawling.registrants import QuestionCounts, crawl_asking
from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.fetch.registries import (
    RdapRules,
    RegistrationCache,
    RegistryRules,
    live_registrations,
)
from geoscout.fetch.retries import Health
from geoscout.state.sqlite import SqliteState
from geoscout.strategy import Strategy, StrategyAim, abilities_of, create_strategy
from geoscout_places.gazetteer import Region
from geoscout_places.model import Request
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb.sites import by_path, content
from tests.flow.crawler import PATIENCE, read_without_places
from tests.unit.fetch.asking import RULES
from tests.unit.fetch.whois_servers import ROOT, Answer, WhoisServers, silence, text
from tests.unit.fetch.whois_servers import RULES as WHOIS_RULES
from tests.unit.strategy.american_places import GAZETTEER

RANK = "rank:admission=either"  # a registrant admits links by this rule only
REGIONS = {RANK: None, "hybrid": Region.parse("Massachusetts", GAZETTEER)}
REDACTED = "Domain Name: x\nAdmin City: REDACTED FOR PRIVACY\n"
FAR = f"<p>{'word ' * 80}</p>"
HELD_IN_BOSTON = "Domain Name: x\nAdmin City: Boston\nAdmin Country: US\n"


def site(body: str) -> Site:
    return Site(content(f"<title>x</title>{body}".encode()))


def small_web() -> FakeWeb:
    """A seed with links to a site in Boston, to one nobody knows, and to a page that says Mesa."""
    names = ("seed.test", "shop.test", "blog.test", "open.test", "iana.test", "rdap.test")
    return FakeWeb({name: site("<p>Hello</p>") for name in names})


def link_the_seed(web: FakeWeb) -> None:
    """Links so far apart that what stands at one is not around another."""
    targets = {"shop.test": "Shop", "blog.test": "Blog", "open.test": "Mesa"}
    links = [
        f"<p><a href={web.url(host)}>{anchor}</a></p>{FAR}" for host, anchor in targets.items()
    ]
    web.sites["seed.test"] = site("".join(links))
    services = [[["test"], [web.url("rdap.test")]]]
    web.sites["iana.test"] = Site(content(json.dumps({"services": services}).encode()))


async def by_domain(question: str, writer: asyncio.StreamWriter) -> None:
    """A registry that knows one registrant."""
    await text(HELD_IN_BOSTON if "shop.test" in question else REDACTED)(question, writer)


def registry(answer: Answer = by_domain) -> dict[str, Answer]:
    return {ROOT: text("refer: nic.test\n"), "nic.test": answer}


async def crawl(
    folder: Path,
    web: FakeWeb,
    servers: WhoisServers,
    kinds: tuple[str, ...],
    strategy: Strategy,
    **plan: int,
) -> QuestionCounts:
    """Start the crawl of a folder at the seed, or go on with it."""
    web.resolver.addresses.update(servers.resolver.addresses)
    state = SqliteState(folder)
    state.frontier.put([Request(web.url("seed.test"), 1.0)])
    await state.commit()
    fetcher = HttpFetcher(RULES, resolver=web.resolver)
    abilities_of(strategy).load(state.reader.model())
    follower = Follower(strategy, Reach(sitemap_links=0), fetcher)
    health = Health(PATIENCE, random.Random(1))
    stages = Stages(state, fetcher, health, read_without_places, strategy, follower=follower)
    rules = RegistryRules(
        RULES,
        RdapRules(bootstrap=web.url("iana.test", "/dns.json"), pause_seconds=0.0),
        replace(WHOIS_RULES, port=servers.port, seconds=plan.pop("seconds", 5)),
        kinds,
    )
    running = Crawl(stages, Plan(plan.get("max_pages", math.inf), 20))
    try:
        async with live_registrations(
            rules, folder / "r.sqlite", resolver=web.resolver
        ) as registrations:
            return await crawl_asking(running, state.frontier, strategy, registrations)
    finally:
        await fetcher.close()
        state.close()


def run(
    folder: Path,
    web: FakeWeb,
    answers: Mapping[str, Answer],
    *kinds: str,
    strategy: str = RANK,
    **plan: int,
) -> tuple[QuestionCounts, list[str]]:
    """What came of the questions, and the domains that whois servers were asked about."""

    async def both() -> tuple[QuestionCounts, list[str]]:
        async with WhoisServers(answers) as servers:
            created = create_strategy(strategy, StrategyAim(REGIONS[strategy], GAZETTEER))
            counts = await crawl(folder, web, servers, kinds, created, **plan)
            return counts, sorted(q for name, q, _ in servers.log if name == "nic.test")

    link_the_seed(web)
    return asyncio.run(both())


def visited(web: FakeWeb) -> set[str]:
    return {hit.host for hit in web.log if hit.path == "/"} - {"iana.test", "rdap.test"}


def test_whois_lets_a_link_go_that_names_no_place(tmp_path):
    with small_web() as web:
        counts, asked = run(tmp_path, web, registry(), "whois")

    assert visited(web) == {"seed.test", "shop.test", "open.test"}
    assert asked == ["blog.test", "open.test", "seed.test", "shop.test"]
    assert (counts.placed, counts.failed) == (1, 0)


def test_rdap_lets_a_link_go_that_names_no_place(tmp_path):
    card = ["vcard", [["adr", {}, "text", ["", "", "", "Boston", "MA", "", "US"]]]]
    entity = {"roles": ["administrative"], "vcardArray": card}
    with small_web() as web:
        known = content(json.dumps({"entities": [entity]}).encode(), "application/rdap+json")
        redacted = content(b'{"entities": []}', "application/rdap+json")
        web.sites["rdap.test"] = Site(by_path({"/domain/shop.test": known}, redacted))
        counts, asked = run(tmp_path, web, registry(), "rdap")

    assert visited(web) == {"seed.test", "shop.test", "open.test"}
    assert (asked, counts.placed) == ([], 1)


def test_crawl_goes_on_while_a_registry_is_silent(tmp_path):
    with small_web() as web:
        counts, _ = run(tmp_path, web, registry(silence), "whois", seconds=1)

    assert visited(web) == {"seed.test", "open.test"}
    assert counts.failed == counts.asked > 0


def test_held_links_are_let_go_after_a_resume(tmp_path):
    with small_web() as web:
        run(tmp_path, web, registry(silence), "whois", seconds=1)
        before = visited(web)
        run(tmp_path, web, registry(), "whois")

    assert before == {"seed.test", "open.test"}
    assert visited(web) == {"seed.test", "shop.test", "open.test"}


def test_nobody_who_has_answered_is_asked_again(tmp_path):
    with small_web() as web:
        _, first = run(tmp_path, web, registry(), "whois", max_pages=1)
        with closing(RegistrationCache(tmp_path / "r.sqlite")) as cache:
            answered = {domain for domain in first if cache.get(domain)}  # the rest was cut short
        _, second = run(tmp_path, web, registry(), "whois")

    assert not answered & set(second)
    assert "shop.test" in {*first, *second}
    assert "shop.test" in visited(web)


def test_hybrid_asks_and_holds_nothing(tmp_path):
    with small_web() as web:
        counts, asked = run(tmp_path, web, registry(), "whois", strategy="hybrid")

    assert visited(web) == {"seed.test", "shop.test", "blog.test", "open.test"}
    assert asked  # as many as were answered before the crawl was over
    assert counts.failed == 0


def test_hybrid_does_not_wait_for_a_silent_registry(tmp_path):
    with small_web() as web:
        started = time.monotonic()
        run(tmp_path, web, registry(silence), "whois", strategy="hybrid", seconds=60)

    assert visited(web) == {"seed.test", "shop.test", "blog.test", "open.test"}
    assert time.monotonic() - started < 30
