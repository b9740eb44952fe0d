"""What the profile of Gao, Lee and Miao has that others have not: directories, and wrong clues."""

from __future__ import annotations

import numpy as np
import pytest

from geoscout_lab.worlds.synthetic import SyntheticWeb, WebPlan, make_web
from geoscout_lab.worlds.synthetic.hosts import HostType
from geoscout_lab.worlds.synthetic.pages import Role
from geoscout_lab.worlds.synthetic.profile import load_profile
from geoscout_lab.worlds.synthetic.structure import make_structure


def test_tree_of_a_site_begins_with_its_home_page_and_is_not_too_deep(web):
    structure = web.structure
    pages = structure.pages
    above = np.flatnonzero(pages.role < Role.DUPLICATE)
    for _ in range(8):
        above = pages.parent[above]

    assert (pages.role[structure.hosts.first] == Role.HOME).all()
    assert (pages.role[above] == Role.HOME).all()


def test_pages_of_local_hosts_are_about_their_city_and_national_ones_about_none(web):
    structure = web.structure
    pages, hosts = structure.pages, structure.hosts
    local = hosts.is_local[pages.host] & (pages.role < Role.DUPLICATE)
    national = hosts.type[pages.host] == HostType.NATIONAL

    assert (pages.city[local] == hosts.city[pages.host[local]]).all()
    assert (pages.city[national] == -1).all()


def test_contact_pages_mostly_show_an_address(webs):
    structure = webs["ahlers2009"].structure
    pages = structure.pages
    chosen = (pages.role == Role.CONTACT) & structure.hosts.is_local[pages.host]

    assert (pages.address_city[chosen] >= 0).mean() == pytest.approx(0.95, abs=0.06)


PROFILE = load_profile("gao2006")


@pytest.fixture(scope="module")
def cities(gazetteer):
    return make_web(WebPlan("gao2006", random_seed=101, pages=30_000), gazetteer)


@pytest.fixture(scope="module")
def listed(cities):
    """The pages of directories."""
    return np.flatnonzero(cities.structure.pages.role == Role.DIRECTORY)


def test_crawls_begin_at_one_directory(cities):
    (seed,) = cities.seeds

    assert cities.host_type(seed) is HostType.DIRECTORY
    assert cities.role(seed) is Role.HOME


def test_directory_covers_some_cities(cities, listed):
    pages = cities.structure.pages
    for host in np.unique(pages.host[listed]):
        covered = np.unique(pages.city[listed[pages.host[listed] == host]])

        assert 1 < len(covered) <= PROFILE.directory_cities


def test_page_of_a_directory_has_many_links(cities, listed):
    links = [len(cities.targets(page)) for page in listed.tolist()]
    others = [len(cities.targets(page)) for page in range(0, cities.size, 10)]

    assert np.mean(links) > 35
    assert np.mean(links) > 1.8 * np.mean(others)


def test_other_cities_are_linked_by_their_first_page(cities, listed):
    """So a city's other pages are found from pages about it, as in a list of cities."""
    pages, graph = cities.structure.pages, cities.structure.graph
    first: dict[tuple[int, int], int] = {}
    for page in listed.tolist():
        first.setdefault((int(pages.host[page]), int(pages.city[page])), page)
    elsewhere = [
        int(target)
        for page in listed.tolist()
        for target in graph.targets(page)
        if pages.role[target] == Role.DIRECTORY
        and pages.host[target] == pages.host[page]
        and pages.city[target] != pages.city[page]
    ]
    fronts = sum(target in first.values() for target in elsewhere)

    assert fronts / len(elsewhere) > 0.7  # the others are linked by the tree of the site


def test_directories_link_to_each_other_by_city(gazetteer):
    profile = load_profile("gao2006:directory_partners=4:directory_cities=60")
    structure = make_structure(profile, gazetteer, 101, 20_000, "")
    pages, graph = structure.pages, structure.graph
    listed = np.flatnonzero(pages.role == Role.DIRECTORY).tolist()
    partners = [
        (pages.city[page], pages.city[target])
        for page in listed
        for target in graph.targets(page)
        if pages.role[target] == Role.DIRECTORY and pages.host[target] != pages.host[page]
    ]

    assert len(partners) > len(listed) / 2
    assert np.mean([here == there for here, there in partners]) > 0.9


def test_some_addresses_are_in_another_city(cities):
    pages = cities.structure.pages
    shown = (pages.city >= 0) & (pages.address_city >= 0)
    elsewhere = pages.city[shown] != pages.address_city[shown]

    assert elsewhere.mean() == pytest.approx(PROFILE.address_elsewhere, abs=0.05)


def test_some_pages_are_called_by_another_city(cities, listed):
    register = cities.register
    wrong = [page for page in listed.tolist() if register.wrong_title(page)]

    assert len(wrong) / len(listed) == pytest.approx(PROFILE.wrong_anchors, abs=0.03)
    source = next(p for p in listed.tolist() if set(cities.targets(p)) & set(wrong))
    names = {link.url: link.anchor for link in cities.links(source)}
    called = [names[cities.url(p)] for p in wrong if cities.url(p) in names]
    assert any(register.wrong_title(p) in called for p in wrong)


def test_national_page_is_never_called_by_a_city_it_might_be_about(cities):
    pages = cities.structure.pages
    about_none = np.flatnonzero(pages.city < 0)[:500].tolist()

    assert {cities.register.wrong_title(page) for page in about_none} == {""}


def test_servers_of_sites_that_are_not_local_are_mostly_unknown(cities):
    hosts = np.flatnonzero(~cities.structure.hosts.is_local).tolist()

    unknown = [host for host in hosts if cities.server(host) is None]

    assert len(unknown) / len(hosts) == pytest.approx(PROFILE.server_unknown_national, abs=0.05)


def test_sites_that_are_not_local_have_any_topic(cities, webs):
    def topics(web: SyntheticWeb) -> set[str]:
        return {site.topic for site in web.register.sites if site.type is HostType.NATIONAL}

    assert "restaurant" in topics(cities)
    assert "restaurant" not in topics(webs["usa2006"])
