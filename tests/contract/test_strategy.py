"""What every strategy keeps to, ours and one that has nothing but `score`."""

import math
import random
from collections.abc import Sequence

import pytest

from geoscout.strategy import (
    Abilities,
    LinkOutcome,
    Scored,
    Source,
    Strategy,
    StrategyAim,
    StrategyTraits,
    abilities_of,
    create_strategy,
    strategy_names,
)
from geoscout.strategy.base import Describer, Trainer
from geoscout_places.gazetteer import Region
from geoscout_places.model import Link, Page, Request
from tests.unit.strategy.american_places import GAZETTEER

HOME = "http://a.example/"
REGION = Region.parse("Massachusetts", GAZETTEER)
LINKS = [
    Link(f"http://{n}.example/{word}", word, alt="in", before="and more", tag_path="body/ul/li/a")
    for n, word in enumerate(("Boston", "contact", "Mesa", "news", ""))
]


class ScoreOnly:
    """The least that is a strategy; drops links without an anchor."""

    def score(self, source: Source, links: Sequence[Link]) -> list[Scored | None]:
        return [Scored(float(len(link.anchor))) if link.anchor else None for link in links]


def make(name: str) -> Strategy:
    if name == "score only":
        return ScoreOnly()
    return create_strategy(name, StrategyAim(REGION, GAZETTEER, chance=random.Random(1)))


@pytest.fixture(params=["score only", *strategy_names()])
def name(request):
    return str(request.param)


def source(url: str = HOME, *, relevant: bool = False) -> Source:
    return Source(Request(url), Page(url, "", "", "In Boston", ()), relevant)


def waiting(strategy: Abilities) -> list[Request]:
    """The links of a page as they wait."""
    scores = strategy.score(source(), LINKS)
    return [
        Request(link.url, scored.score, 1, 1, HOME, features=scored.features)
        for link, scored in zip(LINKS, scores, strict=True)
        if scored is not None
    ]


def taught(strategy: Abilities) -> list[Request]:
    """A short crawl; returns what waits after it."""
    for n in range(20):
        for request in waiting(strategy):
            strategy.learn(LinkOutcome(request, 200, relevant=n % 2 == 0))
    return waiting(strategy)


def test_every_link_has_a_finite_priority_or_is_dropped(name):
    scores = abilities_of(make(name)).score(source(), LINKS)

    assert len(scores) == len(LINKS)
    assert all(scored is None or math.isfinite(scored.score) for scored in scores)


def test_page_without_links_has_no_scores(name):
    assert list(abilities_of(make(name)).score(source(), [])) == []


def test_what_waits_can_be_scored_again(name):
    strategy = abilities_of(make(name))
    requests = taught(strategy)

    again = strategy.rescore([*requests, Request("http://seed.example/", 1.0)])

    assert len(again) == len(requests) + 1
    assert all(map(math.isfinite, again))
    assert strategy.rescore([]) == []


def test_nothing_is_due_without_answers_in_between_for_ever(name):
    strategy = abilities_of(make(name))

    due = [strategy.due(responses) for responses in range(1, 10_001)]

    assert all(most >= 0 for most in due)
    assert due.count(0) >= 8_000  # after every answer only while a crawl is young
    assert sum(due) <= 1_000 * len(due)  # requests that are scored again, for each answer


def test_what_was_learned_comes_back_in_another_process(name):
    strategy, again = abilities_of(make(name)), abilities_of(make(name))
    taught(strategy)

    again.load(strategy.save())

    assert again.score(source(), LINKS) == strategy.score(source(), LINKS)


def test_empty_state_changes_nothing(name):
    strategy, fresh = abilities_of(make(name)), abilities_of(make(name))

    strategy.load(b"")

    assert strategy.score(source(), LINKS) == fresh.score(source(), LINKS)


def test_every_link_can_be_explained(name):
    strategy = abilities_of(make(name))
    taught(strategy)

    for link in LINKS:
        reason = strategy.explain(source(), link)

        assert reason.name
        assert math.isfinite(reason.value)


def test_traits_never_change(name):
    strategy = make(name)
    before = abilities_of(strategy).traits
    taught(abilities_of(strategy))

    assert abilities_of(strategy).traits == before
    assert 0.0 <= before.least_share <= 1.0


def test_model_is_described_with_a_weight_for_each_column(name):
    strategy = make(name)
    if not isinstance(strategy, Describer):
        pytest.skip("it has no model that people could read")
    taught(abilities_of(strategy))

    model = strategy.describe(5)

    assert model.responses > 0
    assert all(len(weights) == len(model.columns) for _, weights in model.rows)


def test_training_of_its_own_can_be_ended_early(name):
    strategy = make(name)
    if not isinstance(strategy, Trainer):
        pytest.skip("it needs no training of its own")
    taught(abilities_of(strategy))

    strategy.fit()

    assert strategy.separate_training() >= 0


def test_strategy_with_score_alone_has_plain_answers_for_the_rest():
    strategy = abilities_of(ScoreOnly())

    assert strategy.traits == StrategyTraits()
    assert strategy.due(1000) == 0
    assert strategy.save() == b""
    assert strategy.rescore([Request(HOME, 0.3)]) == [0.3]
    assert strategy.explain(source(), LINKS[0]).value == 6.0
    assert "drops" in strategy.explain(source(), LINKS[-1]).detail
