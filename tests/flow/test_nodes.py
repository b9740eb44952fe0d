"""Nodes over HTTP, in small; `make nodes` is the same with twenty thousand answers."""

import pytest

from tests.fakeweb import Hit
from tests.flow.node_web import CRAWL_DELAY, DELAY, CityWeb, manners_of
from tests.flow.nodes import city_web, crawl_twice


def hit(start: float, end: float, host: str = "a", path: str = "/") -> Hit:
    return Hit(host, "127.0.0.1", path, start, end, status=200)


@pytest.mark.parametrize(
    ("second", "path", "good"),
    [
        (2 + CRAWL_DELAY, "/", True),
        (2 + DELAY, "/", False),  # its Crawl-delay is longer
        (1.5, "/", False),
        (2 + CRAWL_DELAY, "/intern/1.html", False),
    ],
)
def test_bad_manners_show_in_the_log(second, path, good):
    hits = [hit(1, 2), hit(second, second + 1, path=path)]

    assert manners_of(hits, {"a"}).are_good is good


@pytest.mark.slow
@pytest.mark.usefixtures("gazetteer")
def test_six_nodes_are_polite_and_lose_nothing_when_killed(tmp_path, settings):
    cities = CityWeb(city_web(20_000, settings.home), 40, most=250)

    peace, killed = crawl_twice(cities, tmp_path, settings.home, 3, print)

    assert peace.manners.are_good
    assert killed.manners.are_good
    assert killed.kills == 3
    assert killed.remains.same_as(peace.remains)
