"""Domains that tire.

The hybrid aimed at entities that are new.
"""

import numpy as np
import pytest

from geoscout.strategy import LinkOutcome, StrategyAim, create_strategy
from geoscout.strategy.hybrid.domains import Brought, SeenAddresses, SeenEntities, TiredDomains
from geoscout.strategy.hybrid.strategy import Hybrid
from geoscout.strategy.terms import term_number
from geoscout_places.errors import UsageError
from geoscout_places.model import Address
from tests.unit.strategy.hybrid.test_strategy import hybrid, link, priorities, source, visit


def worth(domains: TiredDomains, host: str) -> float:
    domains.note([f"http://{host}/"])
    return float(domains.worth(np.array([term_number(host)], np.uint32))[0])


def test_responses_with_nothing_new_halve_the_worth_of_a_domain():
    domains, again, never = TiredDomains(20), TiredDomains(20), TiredDomains(0)
    for n in range(20):
        domains.add(f"http://a.test/{n}", Brought.NOTHING)
        domains.add(f"http://n{n}.farm.com/", Brought.NOTHING)
        never.add(f"http://a.test/{n}", Brought.NOTHING)
    again.load(domains.save())

    assert worth(domains, "a.test") == worth(again, "a.test") == pytest.approx(0.5)
    assert worth(domains, "fresh.farm.com") == pytest.approx(0.5)  # all hosts of a domain tire
    assert (worth(domains, "b.test"), worth(never, "a.test")) == (1.0, 1.0)


def test_something_new_restores_the_worth_and_makes_it_last():
    domains = TiredDomains(halved_after=20)
    for n in range(40):
        domains.add(f"http://a.test/{n}", Brought.NOTHING)
    domains.add("http://a.test/found", Brought.NEWS)

    assert worth(domains, "a.test") == 1.0
    for n in range(60):
        domains.add(f"http://a.test/more/{n}", Brought.NOTHING)
    assert worth(domains, "a.test") == pytest.approx(0.5)


def test_repeats_tire_a_domain_faster():
    domains = TiredDomains(halved_after=20)
    for n in range(10):
        domains.add(f"http://nothing.com/{n}", Brought.NOTHING)
        domains.add(f"http://repeats.com/{n}", Brought.REPEATS)

    assert worth(domains, "repeats.com") < 0.5 * worth(domains, "nothing.com")


def address(street: str) -> Address:
    parts = {"house_number": "1", "street": street, "unit": "", "city": "Boston", "region": "MA"}
    more = {"postcode": "", "country": "US", "point": None, "place": None, "source": "text"}
    return Address(0, 0, street, **parts, **more)  # type: ignore[arg-type]


def test_address_is_new_once_for_each_domain():
    seen, later = SeenAddresses(), SeenAddresses()

    assert seen.add("http://www.a.com/1", [address("Main Street")])
    assert not seen.add("http://a.com/2", [address("MAIN STREET")])
    assert seen.add("http://a.com/3", [address("Main Street"), address("Elm Street")])
    assert seen.add("http://b.com/", [address("Main Street")])
    assert [seen.add("http://a.com/4", []) for _ in range(2)] == [True, True]  # nothing to know
    later.load(seen.save())
    assert not later.add("http://a.com/5", [address("Main Street")])


def test_an_entity_is_new_once_by_any_of_its_keys():
    seen, later = SeenEntities(), SeenEntities()

    assert seen.add([(1, 2), (3,)]) == 2
    assert seen.add([(2, 9), (4,)]) == 1
    assert seen.add([(9,)]) == 0  # another key of the first one, by now
    later.load(seen.save())
    later.load({})  # of a crawl with another aim
    assert later.add([(3,), (5,)]) == 1


def learned(strategy: Hybrid, rounds: int = 60) -> Hybrid:
    """Lists name somebody new, imprints always the same; both are relevant."""
    for n in range(rounds):
        for word, entities in (("list", ((100 + n,),)), ("imprint", ((7,),))):
            url = f"http://{word}{n}.test/{word}"
            found = strategy.score(source(url=f"http://from{n}.test/"), [link(url, word)])[0]
            request = visit(found, url, f"http://from{n}.test/")
            strategy.learn(LinkOutcome(request, 200, relevant=True, entities=entities))
    return strategy


def test_links_like_those_to_something_new_come_first():
    links = [link("http://a9.test/list", "list"), link("http://b9.test/imprint", "imprint")]

    new, known = priorities(learned(hybrid(aim="entities")), links)
    page, other = priorities(learned(hybrid()), links)

    assert new > 3 * known
    assert page < 3 * other  # for pages both are as good


def test_what_a_page_brought_is_told():
    aimed, plain = hybrid(aim="entities"), hybrid()
    for strategy in (aimed, plain):
        (scored,) = strategy.score(source(), [link("http://a.test/1")])
        request = visit(scored, "http://a.test/1")
        strategy.learn(LinkOutcome(request, 200, relevant=True, entities=((1,), (2,))))

    assert (aimed.new_entities, plain.new_entities) == (2, None)


def test_a_crawl_that_goes_on_knows_what_it_has_seen():
    first, again = hybrid(aim="entities"), hybrid(aim="entities")
    again.load(learned(first, rounds=3).save())
    (scored,) = again.score(source(), [link("http://a.test/1")])
    request = visit(scored, "http://a.test/1")
    again.learn(LinkOutcome(request, 200, relevant=True, entities=((101,), (999,))))

    assert again.new_entities == 1


@pytest.mark.parametrize("spec", ["hybrid:aim=hosts", "distance:aim=entities"])
def test_other_aims_and_strategies_are_refused(spec):
    with pytest.raises(UsageError, match="aim"):
        create_strategy(spec, StrategyAim())
