"""Domains that tire."""

from __future__ import annotations

import numpy as np
import pytest

from geoscout.strategy.hybrid.domains import Brought, SeenAddresses, TiredDomains
from geoscout.strategy.terms import term_number
from geoscout_places.model import Address


def worth(domains: TiredDomains, host: str) -> float:
    domains.note([f"http://{host}/"])
    return float(domains.worth(np.array([term_number(host)], np.uint32))[0])


def test_responses_with_nothing_new_halve_the_worth() -> None:
    domains = TiredDomains(halved_after=20)
    for n in range(20):
        domains.add(f"http://a.test/{n}", Brought.NOTHING)

    assert worth(domains, "a.test") == pytest.approx(0.5)
    assert worth(domains, "b.test") == 1.0


def test_hosts_of_a_domain_tire_together() -> None:
    domains = TiredDomains(halved_after=20)
    for n in range(20):
        domains.add(f"http://n{n}.farm.com/", Brought.NOTHING)

    assert worth(domains, "fresh.farm.com") == pytest.approx(0.5)


def test_something_new_restores_the_worth_and_makes_it_last() -> None:
    domains = TiredDomains(halved_after=20)
    for n in range(40):
        domains.add(f"http://a.test/{n}", Brought.NOTHING)
    domains.add("http://a.test/found", Brought.NEWS)

    assert worth(domains, "a.test") == 1.0
    for n in range(60):
        domains.add(f"http://a.test/more/{n}", Brought.NOTHING)
    assert worth(domains, "a.test") == pytest.approx(0.5)


def test_nothing_tires_without_a_limit() -> None:
    domains = TiredDomains(halved_after=0)
    domains.add("http://a.test/", Brought.NOTHING)

    assert worth(domains, "a.test") == 1.0


def test_counts_are_saved() -> None:
    one, other = TiredDomains(halved_after=20), TiredDomains(halved_after=20)
    for n in range(20):
        one.add(f"http://a.test/{n}", Brought.NOTHING)
    other.load(one.save())

    assert worth(other, "a.test") == pytest.approx(0.5)


def test_crawl_of_an_earlier_version_has_counted_nothing() -> None:
    domains = TiredDomains(halved_after=20)
    domains.load({})

    assert worth(domains, "a.test") == 1.0


def test_repeats_tire_a_domain_faster() -> None:
    domains = TiredDomains(halved_after=20)
    for n in range(10):
        domains.add(f"http://nothing.com/{n}", Brought.NOTHING)
        domains.add(f"http://repeats.com/{n}", Brought.REPEATS)

    assert worth(domains, "repeats.com") < 0.5 * worth(domains, "nothing.com")


def address(street: str) -> Address:
    parts = {"house_number": "1", "street": street, "unit": "", "city": "Boston", "region": "MA"}
    more = {"postcode": "", "country": "US", "point": None, "place": None, "source": "text"}
    return Address(0, 0, street, **parts, **more)  # type: ignore[arg-type]


def test_address_is_new_once_for_each_domain() -> None:
    seen = SeenAddresses()

    assert seen.add("http://www.a.com/1", [address("Main Street")])
    assert not seen.add("http://a.com/2", [address("MAIN STREET")])
    assert seen.add("http://a.com/3", [address("Main Street"), address("Elm Street")])
    assert seen.add("http://b.com/", [address("Main Street")])


def test_page_without_an_address_counts_as_new() -> None:
    seen = SeenAddresses()

    assert seen.add("http://a.com/1", [])
    assert seen.add("http://a.com/2", [])


def test_seen_addresses_are_saved() -> None:
    one, other = SeenAddresses(), SeenAddresses()
    one.add("http://a.com/", [address("Main Street")])
    other.load(one.save())

    assert not other.add("http://a.com/2", [address("Main Street")])
