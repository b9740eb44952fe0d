from __future__ import annotations

import pytest

from geoscout.strategy import Source, StrategyAim, abilities_of, create_strategy
from geoscout_places.errors import UsageError
from geoscout_places.model import Page, Request
from tests.memory.frontier import MemoryFrontier
from tests.unit.strategy.links import link, source, urls


def test_hope_is_halved_with_every_link() -> None:
    strategy = create_strategy("distance", StrategyAim())

    scores = [strategy.score(source(distance=n), [link("x")])[0].score for n in range(3)]

    assert scores == [0.5, 0.25, 0.125]


def test_links_of_a_relevant_page_start_again() -> None:
    strategy = create_strategy("distance", StrategyAim())

    (scored,) = strategy.score(source(relevant=True, distance=7), [link("x")])

    assert scored.score == 0.5


def test_decay_is_an_option() -> None:
    strategy = create_strategy("distance:decay=0.9", StrategyAim())

    (scored,) = strategy.score(source(distance=1), [link("x")])

    assert scored.score == pytest.approx(0.81)


def test_decay_beyond_one_is_refused() -> None:
    with pytest.raises(UsageError, match="decay is a share"):
        create_strategy("distance:decay=2", StrategyAim())


def test_links_beyond_the_cutoff_are_dropped() -> None:
    strategy = create_strategy("distance:cutoff=2", StrategyAim())

    (near,) = strategy.score(source(distance=1), [link("x")])
    (far,) = strategy.score(source(distance=2), [link("x")])

    assert near.score == 0.25
    assert far is None


def test_explanation_names_the_distance() -> None:
    strategy = abilities_of(create_strategy("distance", StrategyAim()))

    reason = strategy.explain(source(distance=1), link("x"))

    assert reason.value == 0.25
    assert reason.detail == "2 links from the last relevant page or seed"


def test_crawl_order_is_that_of_figure_3() -> None:
    web = {"r": "abc", "a": ["a1", "a2", "a3"], "c": ["c1", "c2"]}
    order = _crawl(web, relevant={"c"})

    assert order[0] == "r"
    assert sorted(order[1:4]) == ["a", "b", "c"]
    assert sorted(order[4:6]) == ["c1", "c2"]
    assert sorted(order[6:]) == ["a1", "a2", "a3"]


def _crawl(web: dict[str, str | list[str]], relevant: set[str]) -> list[str]:
    """The names of the pages in the order in which a frontier lets them go."""
    strategy, frontier = create_strategy("distance", StrategyAim()), MemoryFrontier()
    frontier.put([Request(*urls(["r"]), priority=1.0)])
    order = []
    while (request := frontier.next(0.0)) is not None:
        name = request.url.rpartition("/")[2]
        order.append(name)
        page = Source(request, Page.empty(request.url), name in relevant)
        links = [link(url) for url in urls(list(web.get(name, ())))]
        distance = 1 if page.relevant else request.distance + 1
        scores = strategy.score(page, links)
        found = zip(links, scores, strict=True)
        frontier.put([Request(one.url, s.score, distance=distance) for one, s in found])
        frontier.bind("example.org", "", 0.0)
        frontier.done(request, 0.0, 0.0)
    return order
