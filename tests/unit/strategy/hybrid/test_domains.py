"""Domains that tire."""

from __future__ import annotations

import numpy as np
import pytest

from geoscout.strategy.hybrid.domains import TiredDomains
from geoscout.strategy.terms import term_number


def worth(domains: TiredDomains, host: str) -> float:
    domains.note([f"http://{host}/"])
    return float(domains.worth(np.array([term_number(host)], np.uint32))[0])


def test_responses_with_nothing_new_halve_the_worth() -> None:
    domains = TiredDomains(halved_after=20)
    for n in range(20):
        domains.add(f"http://a.test/{n}", is_new=False)

    assert worth(domains, "a.test") == pytest.approx(0.5)
    assert worth(domains, "b.test") == 1.0


def test_hosts_of_a_domain_tire_together() -> None:
    domains = TiredDomains(halved_after=20)
    for n in range(20):
        domains.add(f"http://n{n}.farm.com/", is_new=False)

    assert worth(domains, "fresh.farm.com") == pytest.approx(0.5)


def test_something_new_restores_the_worth_and_makes_it_last() -> None:
    domains = TiredDomains(halved_after=20)
    for n in range(40):
        domains.add(f"http://a.test/{n}", is_new=False)
    domains.add("http://a.test/found", is_new=True)

    assert worth(domains, "a.test") == 1.0
    for n in range(40):
        domains.add(f"http://a.test/more/{n}", is_new=False)
    assert worth(domains, "a.test") == pytest.approx(0.5)


def test_nothing_tires_without_a_limit() -> None:
    domains = TiredDomains(halved_after=0)
    domains.add("http://a.test/", is_new=False)

    assert worth(domains, "a.test") == 1.0


def test_counts_are_saved() -> None:
    one, other = TiredDomains(halved_after=20), TiredDomains(halved_after=20)
    for n in range(20):
        one.add(f"http://a.test/{n}", is_new=False)
    other.load(one.save())

    assert worth(other, "a.test") == pytest.approx(0.5)


def test_crawl_of_an_earlier_version_has_counted_nothing() -> None:
    domains = TiredDomains(halved_after=20)
    domains.load({})

    assert worth(domains, "a.test") == 1.0
