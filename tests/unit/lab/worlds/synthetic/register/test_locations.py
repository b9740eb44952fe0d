from __future__ import annotations

import numpy as np
import pytest

from geoscout_lab.worlds.synthetic import SyntheticWeb, WebPlan, make_web
from geoscout_places.gazetteer import SqliteGazetteer


@pytest.fixture(scope="module")
def large(gazetteer: SqliteGazetteer) -> SyntheticWeb:
    return make_web(WebPlan("ahlers2009", pages=40_000), gazetteer)


def test_servers_stand_where_tables_say_in_their_shares(large: SyntheticWeb) -> None:
    local = np.flatnonzero(large.structure.hosts.is_local).tolist()
    servers = [(large.locations.server(h), large.register.sites[h].city) for h in local]

    unknown = sum(server is None for server, _ in servers) / len(servers)
    right = sum(server is city for server, city in servers) / len(servers)

    assert unknown == pytest.approx(0.40, abs=0.05)
    assert right == pytest.approx(0.25 + 0.35 * 0.08, abs=0.06)  # some data centres are in the city


def test_a_third_of_the_owners_is_wrong(large: SyntheticWeb) -> None:
    sites = large.register.sites

    wrong = [h for h in range(len(sites)) if large.locations.owner(h) is not sites[h].city]

    assert len(wrong) / len(sites) == pytest.approx(0.30, abs=0.04)


def test_addresses_are_of_the_network_for_tests(large: SyntheticWeb) -> None:
    assert large.locations.address(0) == "198.18.0.0"
    assert large.locations.address(257) == "198.18.1.1"
