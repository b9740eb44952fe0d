from __future__ import annotations

from geoscout_lab.worlds.synthetic import SyntheticWeb
from geoscout_lab.worlds.synthetic.register.sites import distinct_domains
from geoscout_lab.worlds.synthetic.structure.hosts import HostType
from geoscout_lab.worlds.synthetic.text.words import slug


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
