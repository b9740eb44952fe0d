from __future__ import annotations

import numpy as np
import pytest

from geoscout_lab.worlds.synthetic import SyntheticWeb, WebPlan, make_web
from geoscout_lab.worlds.synthetic.hosts import load_cities
from geoscout_lab.worlds.synthetic.pages import Role
from geoscout_lab.worlds.synthetic.profile import language_of, load_profile
from geoscout_lab.worlds.synthetic.register import make_entity
from geoscout_places.geo.address import extract_addresses


def _pages(web: SyntheticWeb, role: Role) -> list[int]:
    found: list[int] = np.flatnonzero(web.structure.pages.role == role).tolist()
    return found


def test_page_with_an_address_shows_entities_of_that_city(web):
    shown = np.flatnonzero(web.structure.pages.address_city >= 0)[:500].tolist()

    for page in shown:
        cities = {entity.city.number for entity in web.register.entities(page)}
        assert cities == {int(web.structure.pages.address_city[page])}


def test_pages_of_one_host_show_one_address(web):
    host = int(np.flatnonzero(web.structure.hosts.footer_address)[0])
    pages = np.flatnonzero(web.structure.pages.host == host).tolist()

    keys = {entity.key for page in pages for entity in web.register.entities(page)}

    assert keys == {host}


def test_few_national_titles_name_a_city(webs):
    web = webs["usa2006"]
    content = [page for page in _pages(web, Role.CONTENT) if web.city(page) is None]

    named = [page for page in content if web.register.named_city(page)]

    assert len(named) / len(content) == pytest.approx(0.02, abs=0.01)


def test_some_content_pages_have_contact_words_astray(webs):
    web = webs["usa2006"]
    content = _pages(web, Role.CONTENT)

    astray = [page for page in content if web.register.is_astray(page)]

    assert len(astray) / len(content) == pytest.approx(0.02, abs=0.01)
    assert web.register.title(astray[0]) in web.site(astray[0]).language.labels["contact"]


@pytest.fixture(scope="module")
def cities(gazetteer):
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
def test_addresses_are_found_in_the_city(label, cities, gazetteer):
    city = cities[label]
    language = language_of(city.country)
    found = 0

    for key in range(40):
        entity = make_entity(key, "Name", city, language, 1)
        text = f"{entity.street_line}\n{entity.town_line}"
        places = [address.place for address in extract_addresses(text, gazetteer)]
        found += places == [city.place]

    assert found >= 38


def test_same_key_has_the_same_address(cities):
    city = cities["Vienna, Austria"]

    one, other = (make_entity(7, name, city, language_of("AT"), 1) for name in ("A", "B"))

    assert one.normal_form == other.normal_form


@pytest.fixture(scope="module")
def large(gazetteer):
    return make_web(WebPlan("ahlers2009", pages=40_000), gazetteer)


def test_servers_stand_where_tables_say_in_their_shares(large):
    local = np.flatnonzero(large.structure.hosts.is_local).tolist()
    servers = [(large.locations.server(h), large.register.sites[h].city) for h in local]

    unknown = sum(server is None for server, _ in servers) / len(servers)
    right = sum(server is city for server, city in servers) / len(servers)

    assert unknown == pytest.approx(0.40, abs=0.05)
    assert right == pytest.approx(0.25 + 0.35 * 0.08, abs=0.06)  # some data centres are in the city


def test_a_third_of_the_owners_is_wrong(large):
    sites = large.register.sites

    wrong = [h for h in range(len(sites)) if large.locations.owner(h) is not sites[h].city]

    assert len(wrong) / len(sites) == pytest.approx(0.30, abs=0.04)
