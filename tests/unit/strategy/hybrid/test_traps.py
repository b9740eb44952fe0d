"""Traps that look local: no crawl may end in one.

Each world has a guide to 1,500 small sites, a third of them relevant, and next to it a trap without
an end whose links name the region. The tests compare what the trap takes of the crawl with domains
that tire and with domains that do not.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from geoscout.strategy import StrategyAim
from geoscout.strategy.hybrid.signals import Habits
from geoscout.strategy.hybrid.strategy import create
from geoscout_lab.simulation.simulate import SimulationPlan, simulate
from geoscout_places.gazetteer import Region
from geoscout_places.model import Address, Link, Page, Reading
from tests.unit.strategy.american_places import BOSTON, GAZETTEER

START = "http://start.com/"
BUDGET = 1200
LISTS = 150  # of the guide, ten sites each
ENDLESS = 3000  # pages of a trap, more than any crawl here can fetch


@dataclass(frozen=True)
class TrapPage:
    """A page of these worlds."""

    links: Sequence[tuple[str, str]] = ()  # URLs and anchors
    street: str = ""  # of the address it shows; a page with an address is relevant
    status: int = 200


@dataclass
class TrapWorld:
    """A web of such pages that was read before."""

    pages: dict[str, TrapPage]
    name: str = "trap"
    urls: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        found = (url for page in self.pages.values() for url, _ in page.links)
        self.urls = list(dict.fromkeys([*self.pages, *found]))
        self._numbers = {url: number for number, url in enumerate(self.urls)}

    @property
    def size(self) -> int:
        return len(self.urls)

    @property
    def seeds(self) -> Sequence[int]:
        return [self._numbers[START]]

    def _page(self, page: int) -> TrapPage:
        return self.pages.get(self.urls[page], TrapPage())

    def url(self, page: int) -> str:
        return self.urls[page]

    def status(self, page: int) -> int:
        return self._page(page).status

    def targets(self, page: int) -> Sequence[int]:
        return [self._numbers[url] for url, _ in self._page(page).links]

    def links(self, page: int) -> Sequence[Link]:
        return [Link(url, anchor, tag_path="ul/li/a") for url, anchor in self._page(page).links]

    def page(self, page: int) -> Page:
        return Page.empty(self.urls[page])

    def is_relevant(self, page: int) -> bool:
        return bool(self._page(page).street)

    def entities(self, page: int) -> Sequence[str]:
        return [street] if (street := self._page(page).street) else []

    def host(self, page: int) -> int:
        return hash(self.urls[page].split("/")[2])

    def reading(self, page: int) -> Reading:
        shown = [address(street) for street in self.entities(page)]
        return Reading(tuple(shown), (), (), ())

    def fingerprint(self, page: int) -> int:
        return 0  # no text is like another


def address(street: str) -> Address:
    parts = {"house_number": "1", "street": street, "unit": "", "city": "Boston", "region": "MA"}
    more = {"postcode": "", "country": "US", "point": None, "place": BOSTON, "source": "text"}
    return Address(0, 0, street, **parts, **more)  # type: ignore[arg-type]


def town() -> dict[str, TrapPage]:
    """The guide and its sites; a third of them are in Boston."""
    pages = {
        "http://guide.com/": TrapPage([(f"http://guide.com/{n}", "list") for n in range(LISTS)])
    }
    for n in range(LISTS):
        sites = [f"http://site{n}x{m}.com/" for m in range(10)]
        pages[f"http://guide.com/{n}"] = TrapPage([(site, "their site") for site in sites])
        for site in sites[::3]:
            pages[site] = TrapPage(street=f"Street of {site}")
    return pages


def farm() -> dict[str, TrapPage]:
    """Hosts without end, each named after the region, all with the address of their owner."""

    def link(n: int) -> tuple[str, str]:
        return f"http://boston{n}.farm.com/boston-massachusetts/{n}", f"Boston, Massachusetts {n}"

    rows = {link(n)[0]: [link(10 * n + m) for m in range(1, 11)] for n in range(ENDLESS)}
    pages = {url: TrapPage(row, street="Farm Road") for url, row in rows.items()}
    return {START: TrapPage([link(0), ("http://guide.com/", "guide")]), **pages}


def redirects() -> dict[str, TrapPage]:
    """A redirect to a redirect to a redirect."""
    url = "http://hop.com/boston/{}".format
    pages = {url(n): TrapPage([(url(n + 1), "")], status=302) for n in range(ENDLESS)}
    return {START: TrapPage([(url(0), "Boston"), ("http://guide.com/", "guide")]), **pages}


def refresh_chain() -> dict[str, TrapPage]:
    """Pages that say nothing but where to go next."""
    url = "http://chain.com/boston/{}".format
    pages = {url(n): TrapPage([(url(n + 1), "Boston")]) for n in range(ENDLESS)}
    return {START: TrapPage([(url(0), "Boston"), ("http://guide.com/", "guide")]), **pages}


def calendar() -> dict[str, TrapPage]:
    """A calendar without end, whose pages are relevant by the address in the footer."""
    url = "http://townhall.com/boston/calendar?month={}".format
    rows = {n: [(url(n + m), "Boston calendar") for m in (1, 2, 12)] for n in range(ENDLESS)}
    pages = {url(n): TrapPage(row, street="City Hall Square") for n, row in rows.items()}
    return {START: TrapPage([(url(0), "Boston"), ("http://guide.com/", "guide")]), **pages}


TRAPS = {
    "farm.com": farm,
    "hop.com": redirects,
    "chain.com": refresh_chain,
    "townhall.com": calendar,
}


@dataclass(frozen=True)
class Taken:
    """What a trap took of a crawl."""

    first_half: float  # share of the responses
    second_half: float
    sites: int  # relevant sites that were found all the same


def crawl(trap: str, **habits: float) -> Taken:
    world = TrapWorld({**TRAPS[trap](), **town()})
    aim = StrategyAim(Region.parse("Boston", GAZETTEER), GAZETTEER, chance=random.Random(0))
    trace = simulate(world, create(aim, Habits(**habits)), SimulationPlan(BUDGET))
    urls = [world.url(page) for page in trace.pages.tolist()]
    inside = [f"{trap}/" in url for url in urls]
    found = [world.url(page) for page in trace.pages[trace.relevant].tolist()]
    half = BUDGET // 2
    sites = sum("//site" in url for url in found)
    return Taken(sum(inside[:half]) / half, sum(inside[half:]) / half, sites)


@pytest.mark.parametrize("trap", ["farm.com", "hop.com", "townhall.com"])
def test_crawl_leaves_a_trap_that_would_take_it_whole(trap):
    before, after = crawl(trap, tires_after=0.0), crawl(trap)

    assert before.second_half > 0.95
    assert before.sites == 0
    assert after.second_half < 0.6
    assert after.sites > 100


def test_chain_of_pages_with_nothing_is_left_at_once():
    after = crawl("chain.com")

    assert after.first_half < 0.05
    assert after.sites > 150
