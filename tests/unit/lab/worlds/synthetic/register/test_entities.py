from __future__ import annotations

import pytest

from geoscout_lab.worlds.synthetic.profile import load_profile
from geoscout_lab.worlds.synthetic.register.register import make_entity
from geoscout_lab.worlds.synthetic.structure.hosts import City, load_cities
from geoscout_lab.worlds.synthetic.text.words import language_of
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo.address import extract_addresses


@pytest.fixture(scope="module")
def cities(gazetteer: SqliteGazetteer) -> dict[str, City]:
    return {city.label: city for city in load_cities(load_profile("web2025"), gazetteer)}


@pytest.mark.parametrize(
    "label",
    [
        "Berlin, State of Berlin, Germany",
        "Vienna, Austria",
        "London, England, United Kingdom",
        "Paris, Île-de-France, France",
        "Portland, Maine, United States",
    ],
)
def test_addresses_are_found_in_the_city(
    label: str, cities: dict[str, City], gazetteer: SqliteGazetteer
) -> None:
    city = cities[label]
    language = language_of(city.country)
    found = 0

    for key in range(40):
        entity = make_entity(key, "Name", city, language, 1)
        text = f"{entity.street_line}\n{entity.town_line}"
        places = [address.place for address in extract_addresses(text, gazetteer)]
        found += places == [city.place]

    assert found >= 38


def test_same_key_has_the_same_address(cities: dict[str, City]) -> None:
    city = cities["Vienna, Austria"]

    one, other = (make_entity(7, name, city, language_of("AT"), 1) for name in ("A", "B"))

    assert one.normal_form == other.normal_form
