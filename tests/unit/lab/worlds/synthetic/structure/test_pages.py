from __future__ import annotations

import numpy as np
import pytest

from geoscout_lab.worlds.synthetic import SyntheticWeb
from geoscout_lab.worlds.synthetic.structure.hosts import HostType
from geoscout_lab.worlds.synthetic.structure.pages import Role

_DEEPEST = 8


def test_every_host_begins_with_its_home_page(web: SyntheticWeb) -> None:
    structure = web.structure

    assert (structure.pages.role[structure.hosts.first] == Role.HOME).all()


def test_tree_of_a_site_is_not_too_deep(web: SyntheticWeb) -> None:
    pages = web.structure.pages
    proper = np.flatnonzero(pages.role < Role.DUPLICATE)
    above = proper
    for _ in range(_DEEPEST):
        above = pages.parent[above]

    assert (pages.role[above] == Role.HOME).all()


def test_pages_of_local_hosts_are_about_their_city(web: SyntheticWeb) -> None:
    structure = web.structure
    pages, hosts = structure.pages, structure.hosts
    local = hosts.is_local[pages.host] & (pages.role < Role.DUPLICATE)

    assert (pages.city[local] == hosts.city[pages.host[local]]).all()


def test_national_pages_are_about_no_city(web: SyntheticWeb) -> None:
    pages = web.structure.pages
    national = web.structure.hosts.type[pages.host] == HostType.NATIONAL

    assert (pages.city[national] == -1).all()


def test_contact_pages_mostly_show_an_address(webs: dict[str, SyntheticWeb]) -> None:
    structure = webs["ahlers2009"].structure
    pages = structure.pages
    chosen = (pages.role == Role.CONTACT) & structure.hosts.is_local[pages.host]

    assert (pages.address_city[chosen] >= 0).mean() == pytest.approx(0.95, abs=0.06)
