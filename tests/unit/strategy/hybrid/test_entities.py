"""The hybrid aimed at entities that are new."""

from __future__ import annotations

import pytest

from geoscout.strategy import LinkOutcome, StrategyAim, create_strategy
from geoscout.strategy.hybrid.entities import SeenEntities
from geoscout.strategy.hybrid.strategy import Hybrid
from geoscout_places.errors import UsageError
from tests.unit.strategy.hybrid.test_strategy import hybrid, link, priorities, source, visit


def test_an_entity_is_new_once_by_any_of_its_keys() -> None:
    seen = SeenEntities()

    assert seen.add([(1, 2), (3,)]) == 2
    assert seen.add([(2, 9), (4,)]) == 1
    assert seen.add([(9,)]) == 0  # another key of the first one, by now


def test_what_was_seen_is_saved() -> None:
    seen, later = SeenEntities(), SeenEntities()
    seen.add([(1, 2), (3,)])
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


def test_links_like_those_to_something_new_come_first() -> None:
    links = [link("http://a9.test/list", "list"), link("http://b9.test/imprint", "imprint")]

    new, known = priorities(learned(hybrid(aim="entities")), links)
    page, other = priorities(learned(hybrid()), links)

    assert new > 3 * known
    assert page < 3 * other  # for pages both are as good


def test_what_a_page_brought_is_told() -> None:
    aimed, plain = hybrid(aim="entities"), hybrid()
    for strategy in (aimed, plain):
        (scored,) = strategy.score(source(), [link("http://a.test/1")])
        request = visit(scored, "http://a.test/1")
        strategy.learn(LinkOutcome(request, 200, relevant=True, entities=((1,), (2,))))

    assert (aimed.new_entities, plain.new_entities) == (2, None)


def test_a_crawl_that_goes_on_knows_what_it_has_seen() -> None:
    first, again = hybrid(aim="entities"), hybrid(aim="entities")
    again.load(learned(first, rounds=3).save())
    (scored,) = again.score(source(), [link("http://a.test/1")])
    request = visit(scored, "http://a.test/1")
    again.learn(LinkOutcome(request, 200, relevant=True, entities=((101,), (999,))))

    assert again.new_entities == 1


@pytest.mark.parametrize("spec", ["hybrid:aim=hosts", "distance:aim=entities"])
def test_other_aims_and_strategies_are_refused(spec: str) -> None:
    with pytest.raises(UsageError, match="aim"):
        create_strategy(spec, StrategyAim())
