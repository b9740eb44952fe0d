"""The scorer in C gives the bits of the one in numpy, whatever both are taught."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout.strategy import StrategyAim
from geoscout.strategy.hybrid.domains import Brought, TiredDomains
from geoscout.strategy.hybrid.models import Histories, Logistic, Parents, Rate
from geoscout.strategy.hybrid.signals import (
    SIGNALS,
    ArrayScorer,
    CompiledScorer,
    Habits,
    Knowledge,
    Signal,
)
from geoscout.strategy.hybrid.strategy import create
from geoscout.strategy.terms import term_number
from geoscout_lab.simulation.simulate import SimulationPlan, simulate
from geoscout_lab.worlds.synthetic import WebPlan, make_web
from geoscout_places.gazetteer import Region
from geoscout_places.urls import authority_of

HOSTS = [f"http://h{n}.test/{n * 'x'}" for n in range(4)]

small = st.integers(0, 5)  # groups and terms meet again
numbers = st.one_of(small, st.integers(0, 2**32 - 1))


@st.composite
def links(draw: st.DrawFn) -> bytes:
    host = draw(st.sampled_from(HOSTS))
    groups = [term_number(authority_of(host)), *draw(st.lists(numbers, min_size=3, max_size=3))]
    terms = draw(st.lists(numbers, min_size=1, max_size=300))
    return np.array([*groups, draw(st.integers(0, 7)), *terms], np.uint32).tobytes()


# A signal of somebody who knows no more than the URLs of links.
LONG = Signal("long", "length", 0.3, -0.1, lambda _, some: np.array([*map(len, some.urls)]) / 9)
SOME = (*SIGNALS, LONG)


def knowledge(habits: Habits, left_out: list[int], numbers: int = 11) -> Knowledge:
    likely = (0.4, 0.4, 0.3, 0.4, -0.7, 0.1, 1.0, 0.5, -0.7, 0.3, LONG.likely)[:numbers]
    leads = (0.1, 0, 0, 0, -0.2, 0.2, 0.5, 0.2, 0.0, 0.0, LONG.leads)[:numbers]
    return Knowledge(
        Logistic(likely, -1.5, habits.step),
        Rate(leads, -2.0, habits.step),
        Histories(bits=3),
        Parents(),
        TiredDomains(habits.tires_after),
        None,
        left_out=left_out,
        habits=habits,
    )


@settings(deadline=None, max_examples=30)
@given(
    links=st.lists(links(), min_size=1, max_size=8),
    seed=st.integers(0, 1000),
    tires_after=st.sampled_from([0.0, 3.0]),
    left_out=st.lists(st.integers(0, 10), max_size=2),
)
def test_both_forms_learn_and_score_the_same(models, links, seed, tires_after, left_out):
    habits = Habits(tires_after=tires_after)
    known = [knowledge(habits, left_out) for _ in range(2)]
    scorers = [ArrayScorer(known[0], SOME), CompiledScorer(known[1], models, SOME)]
    seen = []
    for scorer, parts in zip(scorers, known, strict=True):
        chance = random.Random(seed)
        for _ in range(15):
            link, distance = chance.choice(links), chance.randrange(9)
            facts = scorer.numbers(link, distance, chance.choice(HOSTS))
            scorer.learn(link, facts, float(chance.random() < 0.4))
            scorer.begin(link, facts)
            scorer.credit(link, facts, chance.random())
            parts.domains.add(chance.choice(HOSTS), chance.choice(list(Brought)))
            parts.domains.note(HOSTS[:3])
        distances, urls = zip(
            *[(chance.randrange(9), chance.choice(HOSTS)) for _ in links], strict=True
        )
        learned = [*parts.likely.tables(), *parts.leads.tables(), *parts.histories.tables()]
        seen.append([scorer.scores(links, list(distances), urls), *learned])
        assert scorer.unknown_hosts(links) == scorers[0].unknown_hosts(links)

    for one, other in zip(*seen, strict=True):
        np.testing.assert_array_equal(one, other)


def test_crawl_has_the_same_order_with_both_forms(models, gazetteer, monkeypatch):
    assert models
    web = make_web(WebPlan("ahlers2009", 1, 2000), gazetteer)
    region = Region.parse(web.region, gazetteer)

    def crawl() -> list[int]:
        aim = StrategyAim(region, gazetteer, chance=random.Random(1))
        trace = simulate(web, create(aim), SimulationPlan(250))
        return [int(page) for page in trace.pages]

    compiled = crawl()
    monkeypatch.setenv("GEOSCOUT_NATIVE", "0")

    assert crawl() == compiled


@pytest.mark.parametrize(
    ("features", "wrong"), [(b"", "features"), (b"\0" * 19, "features"), (None, "bytes")]
)
def test_scorer_refuses_what_are_no_features(models, features, wrong):
    scorer = CompiledScorer(knowledge(Habits(), [], 10), models)

    with pytest.raises((ValueError, TypeError), match=wrong):
        scorer.learn(features, np.zeros(10), 1.0)


def test_scorer_refuses_numbers_of_another_size(models):
    scorer = CompiledScorer(knowledge(Habits(), [], 10), models)

    with pytest.raises(ValueError, match="each number"):
        scorer.learn(bytes(24), np.zeros(7), 1.0)
