"""Which cities URLs name: the paper's own examples, and G-5 in docs/results/gao2006.md."""

from __future__ import annotations

import pytest

from geoscout.collaborate import create_collaboration
from tests.unit.collaborate import worlds
from tests.unit.collaborate.worlds import aim, link, page

URL = create_collaboration("url", aim())


def node_of(url: str) -> str:
    ((name,),) = URL.assign(page(), [link(url)])
    return name


@pytest.mark.parametrize(
    ("url", "node"),
    [
        ("http://www.example/glendale/", "mountain"),
        ("http://www.example/glendale-ca/", "pacific"),
        ("http://www.example/california/glendale.html", "pacific"),
        ("http://www.example/find?city=Glendale&state=CA", "pacific"),
        ("http://glendale.example/", "mountain"),
        ("http://sanfrancisco.example/", "pacific"),
        ("http://visitsanfrancisco.example/", "pacific"),
        ("http://www.example/san-francisco/hotels", "pacific"),
        ("http://www.example/San%20Francisco", "pacific"),
        ("http://www.example/san-franc%C3%ADsco/", "pacific"),
        ("http://www.example/mesa.html", "mountain"),
        ("http://www.example/message.html", "general"),
        ("http://www.example/albany/", "general"),
        ("http://www.example/kansas-city-ks/", "general"),
        ("http://www.example/kansas-city/", "eastern"),
        ("http://www.example/nyc/", "general"),
        ("http://www.example/newyork/", "general"),
        ("http://192.0.2.7/", "general"),
    ],
)
def test_url_names_its_node(url: str, node: str) -> None:
    assert node_of(url) == node


def test_city_with_its_state_comes_before_a_larger_one_without() -> None:
    assert node_of("http://www.example/new-york/to/glendale-ca/") == "pacific"


def test_of_two_bare_cities_the_larger_wins() -> None:
    assert node_of("http://www.example/mesa/new-york/") == "eastern"


def test_policy_b_names_the_nodes_of_all_cities() -> None:
    both = create_collaboration("url:policy=B", aim())

    (names,) = both.assign(page(), [link("http://www.example/mesa/new-york/")])

    assert set(names) == {"mountain", "eastern"}


def test_host_may_be_left_out() -> None:
    path_only = create_collaboration("url:host=no", aim())

    assert path_only.assign(page(), [link("http://glendale.example/")]) == [("general",)]


def test_link_without_a_city_may_stay() -> None:
    staying = create_collaboration("url:unclaimed=stay", aim())

    assert staying.assign(page(), [link()]) == [("general",)]
    assert staying.assign(worlds.page(), []) == []


def test_label_of_a_page_is_the_city_of_its_own_url() -> None:
    assert URL.label(page(url="http://mesa.example/")) == worlds.MESA.id
    assert URL.label(page()) == 0
