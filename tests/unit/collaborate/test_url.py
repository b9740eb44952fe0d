"""Which cities URLs name: the paper's own examples, and G-5 in docs/results/fidelity.md."""

import pytest

from geoscout.collaborate import CollaborationAim, create_collaboration
from geoscout.collaborate.partition import shipped_partition
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
        ("http://www.example/newyork/", "eastern"),
        ("http://www.newyork.example/", "eastern"),
        ("http://newyorker.example/", "general"),
        ("http://www.example/newyorkers.html", "general"),
        ("http://magpienewyork.example/", "eastern"),
        ("http://glendalenews.example/", "mountain"),
        ("http://glendaleca.example/", "pacific"),
        ("http://www.example/glendalenews.html", "general"),
        ("http://glendaler.example/", "general"),
        ("http://192.0.2.7/", "general"),
        ("http://www.example/new-york/to/glendale-ca/", "pacific"),  # a pair before a larger city
        ("http://www.example/mesa/new-york/", "eastern"),
    ],
)
def test_url_names_its_node(url, node):
    assert node_of(url) == node


def test_policy_b_names_the_nodes_of_all_cities():
    both = create_collaboration("url:policy=B", aim())

    (names,) = both.assign(page(), [link("http://www.example/mesa/new-york/")])

    assert set(names) == {"mountain", "eastern"}


def test_host_may_be_left_out():
    path_only = create_collaboration("url:host=no", aim())

    assert path_only.assign(page(), [link("http://glendale.example/")]) == [("general",)]


def test_link_without_a_city_may_stay():
    staying = create_collaboration("url:unclaimed=stay", aim())

    assert staying.assign(page(), [link()]) == [("general",)]
    assert staying.assign(worlds.page(), []) == []


def test_label_of_a_page_is_the_city_of_its_own_url():
    assert URL.label(page(url="http://mesa.example/")) == worlds.MESA.id
    assert URL.label(page()) == 0


SHIPPED = [
    ("http://newyork.com/", "New York City"),
    ("http://www.sanjose.com/", "San Jose"),
    ("http://stlouis.com/", "St. Louis"),
    ("http://saintlouisrams.com/", "St. Louis"),
    ("http://www.chicagotribune.com/sports/", "Chicago"),
    ("http://www.houstonchronicle.com/", "Houston"),
    ("http://elpasotimes.com/", "El Paso"),
    ("http://www.theporchinbuffalo.com/", "Buffalo"),
    ("http://uchicago.edu/", "Chicago"),
    ("http://austin360.com/", "Austin"),
    ("http://brooklyneagle.com/", "New York City"),
    ("http://www.example.com/staten-island/", "New York City"),
    ("http://www.example.com/bronx/", "New York City"),
    ("http://www.example.com/manhattan-ks/", ""),
    ("http://sanfrancisco.example/", "San Francisco"),
    ("http://www.example/albany/", ""),
    ("http://newyorker.com/", ""),
    ("http://www.example.com/message.html", ""),
    ("http://mesage.com/", ""),
    ("http://madisonville.com/", ""),
    ("http://bostonian.com/", ""),
    ("http://mobilephones.com/", ""),
    ("http://salvationarmyrichmondky.org/", ""),
    ("http://www.example.com/spoken/", ""),
]


@pytest.fixture(scope="module")
def hundred_cities(gazetteer):
    partition = shipped_partition("gao2006", gazetteer)
    return create_collaboration("url", CollaborationAim(partition, gazetteer))


@pytest.mark.parametrize(("url", "city"), SHIPPED)
def test_city_of_the_hundred_in_a_real_url(hundred_cities, gazetteer, url, city):
    found = gazetteer.place(hundred_cities.label(page(url=url)))

    assert (found.name if found else "") == city
