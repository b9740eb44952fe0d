from __future__ import annotations

import numpy as np
import pytest

from geoscout_lab.worlds.synthetic.profile import load_profile
from geoscout_lab.worlds.synthetic.structure.hosts import HostType, make_hosts

_WEIGHTS = np.full(50, 1 / 50)


def _hosts(name: str, pages: int = 40_000):  # type: ignore[no-untyped-def]
    return make_hosts(load_profile(name), pages, _WEIGHTS, np.random.default_rng(1))


@pytest.mark.parametrize("name", ["ahlers2009", "gao2006"])
def test_hosts_hold_exactly_the_pages(name: str) -> None:
    hosts = _hosts(name)

    assert hosts.size.sum() == 40_000
    assert (hosts.first[1:] == np.cumsum(hosts.size)[:-1]).all()


def test_types_come_in_their_shares() -> None:
    hosts = _hosts("ahlers2009", 200_000)

    shares = np.bincount(hosts.type) / hosts.count

    assert shares[HostType.BUSINESS] == pytest.approx(0.36, abs=0.01)
    assert shares[HostType.NATIONAL] == pytest.approx(0.493, abs=0.01)


def test_every_type_is_there_in_a_small_web() -> None:
    assert set(_hosts("ahlers2009", 2000).type.tolist()) == set(range(7))


def test_no_city_has_a_second_portal_before_each_has_one() -> None:
    hosts = _hosts("ahlers2009", 100_000)

    portals = hosts.city[hosts.type == HostType.PORTAL]

    assert len(set(portals.tolist())) == min(len(portals), 50)


def test_only_local_hosts_have_their_address_in_the_footer() -> None:
    hosts = _hosts("web2025")

    assert hosts.is_local[hosts.footer_address].all()
