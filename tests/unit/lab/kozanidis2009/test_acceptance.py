from __future__ import annotations

from collections.abc import Sequence

from geoscout.strategy import Scores, Source
from geoscout_lab.kozanidis2009.measures import accepted_pages
from geoscout_places.model import Link
from tests.unit.lab.kozanidis2009.small_world import BOSTON, NOTHING, SmallWorld
from tests.unit.lab.kozanidis2009.traces import make_trace


class Linked(SmallWorld):
    """Its anchors are the numbers of their targets."""

    def links(self, page: int) -> Sequence[Link]:
        return [Link(self.url(target), f"to {target}") for target in self.targets(page)]


class Scorer:
    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return [None] * len(links)


class PageTest(Scorer):
    def is_geographic(self, url: str, links: Sequence[Link]) -> bool:
        return "host2" in url or any(link.anchor == "to 3" for link in links)


class LinkTest(Scorer):
    def expects_place(self, link: Link) -> bool:
        return link.anchor in ("to 1", "to 3")


WORLD = Linked([BOSTON, NOTHING, BOSTON, BOSTON], {0: [1, 2], 1: [3]}, {3: 404})
REDIRECTED = Linked([BOSTON, NOTHING, BOSTON], {0: [1], 1: [2]}, {1: 301})


def test_page_is_tested_by_its_url_and_links() -> None:
    assert accepted_pages(WORLD, make_trace([0, 1, 2], [-1, 0, 0]), PageTest()) == {1, 2}


def test_page_is_tested_by_the_link_that_led_to_it() -> None:
    trace = make_trace([0, 1, 2, 3], [-1, 0, 0, 1])

    assert accepted_pages(WORLD, trace, LinkTest()) == {1}  # a seed has no anchor, 3 is dead


def test_target_of_a_redirect_is_tested_by_the_link_to_it() -> None:
    trace = make_trace([0, 1, 2], [-1, 0, 1])

    assert accepted_pages(REDIRECTED, trace, LinkTest()) == {2}


def test_crawler_without_a_test_accepts_nothing_that_could_be_counted() -> None:
    assert accepted_pages(WORLD, make_trace([0], [-1]), Scorer()) is None
