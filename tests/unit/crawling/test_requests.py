"""The one rule from scored links to what waits."""

from typing import NamedTuple

import pytest

from geoscout.crawling.requests import HOSTS_FOR_A_PAGE, Followed, HostQuota, requests_from
from geoscout.strategy import Scored


class Found(NamedTuple):
    target: str
    priority: float
    features: bytes
    depth: int
    distance: int
    parent: str


PAGE = Followed("home", depth=2, distance=3, relevant=False)


def test_link_is_one_step_on():
    found = requests_from(PAGE, ["a"], [Scored(0.5, b"noted")], Found)

    assert found == [Found("a", 0.5, b"noted", 3, 4, parent="home")]


def test_dropped_links_are_left_out_and_the_others_keep_their_order():
    scores = [Scored(0.1), None, Scored(0.9)]

    found = requests_from(PAGE, ["a", "b", "c"], scores, Found)

    assert [one.target for one in found] == ["a", "c"]


def test_nothing_is_made_of_what_is_not_wanted():
    made: list[str] = []

    def make(target: str, *rest: object) -> str:
        made.append(target)
        return target

    scores = [Scored(0.1), Scored(0.9), None]
    found = requests_from(PAGE, ["a", "b", "c"], scores, make, lambda _, priority: priority > 0.5)

    assert found == made == ["b"]


def test_every_link_needs_its_score():
    with pytest.raises(ValueError, match="zip"):
        requests_from(PAGE, ["a", "b"], [Scored(0.1)], Found)


def test_hosts_that_were_admitted_stay():
    quota = HostQuota(2)
    names = ["a.farm.test", "b.farm.test", "c.farm.test", "a.farm.test", "www.other.test"]

    assert [quota.admits(name) for name in names] == [True, True, False, True, True]


def test_hosters_and_public_suffixes_are_not_one_domain():
    quota = HostQuota(1)
    names = [
        f"{name}{number}.{hoster}"
        for hoster in ("blogspot.com", "github.io", "wordpress.com")
        for name in "ab"
        for number in range(3)
    ]

    assert all(quota.admits(name) for name in names)


def test_no_limit_admits_all():
    assert all(HostQuota(0).admits(f"{number}.farm.test") for number in range(100))


def test_domain_without_a_relevant_page_has_fewer_hosts_and_each_relevant_one_admits_more():
    quota = HostQuota(0, unproven=3)
    farm = [f"h{number}.farm.test" for number in range(100)]

    assert sum(map(quota.admits, farm)) == 3
    quota.note_relevant("h0.farm.test", "11.0.0.1")
    assert sum(map(quota.admits, farm)) == 3 + HOSTS_FOR_A_PAGE


def test_many_domains_of_one_address_are_limited_and_others_are_not():
    quota = HostQuota(0, unproven=3)
    farm = [f"farm{number}.test" for number in range(100)]

    assert [quota.admits_at(host, "11.0.0.1") for host in farm] == [True] * 3 + [False] * 97
    assert quota.admits_at("good.test", "11.0.0.2")
    assert quota.admits_at("farm0.test", "11.0.0.1")
    quota.note_relevant("farm0.test", "11.0.0.1")
    assert sum(quota.admits_at(host, "11.0.0.1") for host in farm) == 3 + HOSTS_FOR_A_PAGE


def test_relevant_pages_do_not_raise_the_limit_of_a_domain():
    quota = HostQuota(4, unproven=3)
    for _ in range(10):
        quota.note_relevant("h0.farm.test", "")

    assert sum(quota.admits(f"h{number}.farm.test") for number in range(100)) == 4


def test_private_and_unknown_addresses_have_no_limit():
    quota = HostQuota(0, unproven=1)

    assert all(
        quota.admits_at(f"{n}.test", address) for n in range(9) for address in ("", "10.0.0.1")
    )
