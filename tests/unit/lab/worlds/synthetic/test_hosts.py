from collections import Counter

import numpy as np
import pytest

from geoscout_lab.worlds.synthetic.hosts import (
    HostType,
    load_cities,
    make_hosts,
    nearness_of,
    weights_of,
)
from geoscout_lab.worlds.synthetic.profile import load_profile, profile_names
from geoscout_places.gazetteer import Region

_WEIGHTS = np.full(50, 1 / 50)


def _hosts(name: str, pages: int = 40_000):  # type: ignore[no-untyped-def]
    return make_hosts(load_profile(name), pages, _WEIGHTS, np.random.default_rng(1))


@pytest.mark.parametrize("name", ["ahlers2009", "gao2006"])
def test_hosts_hold_exactly_the_pages(name):
    hosts = _hosts(name)

    assert hosts.size.sum() == 40_000
    assert (hosts.first[1:] == np.cumsum(hosts.size)[:-1]).all()


def test_types_come_in_their_shares():
    hosts = _hosts("ahlers2009", 200_000)

    shares = np.bincount(hosts.type) / hosts.count

    assert shares[HostType.BUSINESS] == pytest.approx(0.36, abs=0.01)
    assert shares[HostType.NATIONAL] == pytest.approx(0.493, abs=0.01)


def test_no_city_has_a_second_portal_before_each_has_one():
    hosts = _hosts("ahlers2009", 100_000)

    portals = hosts.city[hosts.type == HostType.PORTAL]

    assert len(set(portals.tolist())) == min(len(portals), 50)


@pytest.mark.parametrize("name", profile_names())
def test_hundred_cities_with_their_postcodes_and_some_shared_names(name, gazetteer):
    cities = load_cities(load_profile(name), gazetteer)
    names = Counter(city.name.partition(" (")[0].partition(" am ")[0] for city in cities)
    read = [Region.parse(city.label, gazetteer).places[0].id for city in cities]

    assert len(cities) == 100
    assert all(code.country == city.country for city in cities for code in city.postcodes)
    assert read == [city.place.id for city in cities]  # a label is read as the very city
    assert sum(count for count in names.values() if count > 1) >= 4


def test_cities_of_the_paper_keep_their_zones(gazetteer):
    zones = Counter(city.zone for city in load_cities(load_profile("gao2006"), gazetteer))

    assert zones == {
        "eastern": 33, "central": 33, "pacific": 22, "mountain": 10, "alaska": 1, "hawaii": 1,
    }  # fmt: skip


def test_near_cities_are_linked_more(gazetteer):
    cities = load_cities(load_profile("ahlers2009"), gazetteer)
    numbers = {city.name: city.number for city in cities}

    sums = nearness_of(cities, weights_of(cities, 0.75))
    likely = np.diff(sums[numbers["Fürth"]], prepend=0.0)

    assert likely[numbers["Fürth"]] == 0
    assert likely[numbers["Nürnberg"]] > likely[numbers["Hannover"]]
    assert sums[:, -1] == pytest.approx(1)
