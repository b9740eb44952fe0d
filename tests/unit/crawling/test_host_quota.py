from __future__ import annotations

from geoscout.crawling.host_quota import HostQuota


def test_hosts_that_were_admitted_stay() -> None:
    quota = HostQuota(2)
    names = ["a.farm.test", "b.farm.test", "c.farm.test", "a.farm.test", "www.other.test"]

    assert [quota.admits(name) for name in names] == [True, True, False, True, True]


def test_hosters_and_public_suffixes_are_not_one_domain() -> None:
    quota = HostQuota(1)
    names = [
        f"{name}{number}.{hoster}"
        for hoster in ("blogspot.com", "github.io", "wordpress.com")
        for name in "ab"
        for number in range(3)
    ]

    assert all(quota.admits(name) for name in names)


def test_no_limit_admits_all() -> None:
    assert all(HostQuota(0).admits(f"{number}.farm.test") for number in range(100))
