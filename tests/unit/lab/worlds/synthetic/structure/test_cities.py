from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from geoscout_lab.worlds.synthetic.profile import load_profile, profile_names
from geoscout_lab.worlds.synthetic.structure.hosts import load_cities, nearness_of, weights_of
from geoscout_places.gazetteer import Region, SqliteGazetteer


@pytest.mark.parametrize("name", profile_names())
def test_hundred_cities_with_their_postcodes(name: str, gazetteer: SqliteGazetteer) -> None:
    cities = load_cities(load_profile(name), gazetteer)

    assert len(cities) == 100
    assert all(code.country == city.country for city in cities for code in city.postcodes)


@pytest.mark.parametrize("name", profile_names())
def test_label_is_read_as_the_very_city(name: str, gazetteer: SqliteGazetteer) -> None:
    cities = load_cities(load_profile(name), gazetteer)

    read = [Region.parse(city.label, gazetteer).places[0].id for city in cities]

    assert read == [city.place.id for city in cities]


@pytest.mark.parametrize("name", profile_names())
def test_some_cities_share_their_name(name: str, gazetteer: SqliteGazetteer) -> None:
    cities = load_cities(load_profile(name), gazetteer)

    names = Counter(city.name.partition(" (")[0].partition(" am ")[0] for city in cities)

    assert sum(count for count in names.values() if count > 1) >= 4


def test_cities_of_the_paper_keep_their_zones(gazetteer: SqliteGazetteer) -> None:
    zones = Counter(city.zone for city in load_cities(load_profile("gao2006"), gazetteer))

    assert zones == {
        "eastern": 33, "central": 33, "pacific": 22, "mountain": 10, "alaska": 1, "hawaii": 1,
    }  # fmt: skip


def test_near_cities_are_linked_more(gazetteer: SqliteGazetteer) -> None:
    cities = load_cities(load_profile("ahlers2009"), gazetteer)
    numbers = {city.name: city.number for city in cities}

    sums = nearness_of(cities, weights_of(cities, 0.75))
    likely = np.diff(sums[numbers["Fürth"]], prepend=0.0)

    assert likely[numbers["Fürth"]] == 0
    assert likely[numbers["Nürnberg"]] > likely[numbers["Hannover"]]
    assert sums[:, -1] == pytest.approx(1)
