from __future__ import annotations

from dataclasses import replace

import pytest

from geoscout_lab.worlds.synthetic import SyntheticWeb
from geoscout_lab.worlds.synthetic.hosts import HostType
from geoscout_lab.worlds.synthetic.profile import slug
from geoscout_lab.worlds.synthetic.sites import TRAPS, distinct_domains, step_of_trap, trap_path
from geoscout_places.urls import normalise, trap


def test_taken_domain_gets_a_number() -> None:
    given = distinct_domains(["www.meyer.de", "meyer.de", "www.meyer.de", "www.meyer.de"])

    assert given == ["www.meyer.de", "meyer-2.de", "www.meyer-3.de", "www.meyer-4.de"]


def test_domains_are_distinct_even_without_www(web: SyntheticWeb) -> None:
    names = [site.domain.removeprefix("www.") for site in web.register.sites]

    assert len(set(names)) == len(names)


def test_domain_has_an_ending_of_its_country(web: SyntheticWeb) -> None:
    british = [site for site in web.register.sites if site.city.country == "GB"]

    assert sum(site.domain.endswith(".uk") for site in british) > len(british) / 2


def test_portals_often_have_their_city_in_the_name(webs: dict[str, SyntheticWeb]) -> None:
    sites = [site for web in webs.values() for site in web.register.sites]
    portals = [site for site in sites if site.type is HostType.PORTAL]

    named = [site for site in portals if slug(site.city.name).replace("-", "") in site.domain]

    assert named


def test_local_hosts_say_what_they_are(web: SyntheticWeb) -> None:
    businesses = [site for site in web.register.sites if site.type is HostType.BUSINESS]

    assert all(site.kind for site in businesses)


@pytest.mark.parametrize("name", ["ahlers2009", "web2025", "gao2006"])
def test_urls_are_distinct_and_in_normal_form(name: str, webs: dict[str, SyntheticWeb]) -> None:
    web = webs[name]

    urls = [web.url(page) for page in range(web.size)]

    assert len(set(urls)) == len(urls)
    assert [url for url in urls if normalise(url) != url] == []


@pytest.mark.parametrize("kind", range(len(TRAPS)))
def test_any_step_into_a_trap_is_known_by_its_path(kind: int, web: SyntheticWeb) -> None:
    site = replace(web.register.sites[0], habit=kind)

    steps = [0, 1, 17, 500, 40_000]

    assert [step_of_trap(site, trap_path(site, step)) for step in steps] == steps
    assert step_of_trap(site, "/something/else") is None


@pytest.mark.parametrize("kind", [0, 3])
def test_calendars_and_session_ids_look_like_traps(kind: int, web: SyntheticWeb) -> None:
    site = replace(web.register.sites[0], habit=kind)

    assert trap(f"http://a.example{trap_path(site, 31)}") == ("calendar", "", "", "session")[kind]
