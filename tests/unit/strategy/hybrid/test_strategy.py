"""The strategy that learns from every signal."""

import math
import random
from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from geoscout.registrations import RegistrationRecord, write_registrations
from geoscout.strategy import (
    LinkOutcome,
    Scored,
    Source,
    StrategyAim,
    abilities_of,
    create_strategy,
    link_reader_of,
)
from geoscout.strategy.hybrid import strategy as strategy_module
from geoscout.strategy.hybrid.signals import Habits, HybridOptions
from geoscout.strategy.hybrid.strategy import Hybrid, create
from geoscout.strategy.naive_bayes import pack_arrays
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region
from geoscout_places.model import Link, Page, Request
from tests.unit.strategy.american_places import GAZETTEER

HOME = "http://a.test/"
DISTANCE = "links since a relevant page"


def hybrid(**options: Any) -> Hybrid:  # Any: whatever the option is
    return made(StrategyAim(chance=random.Random(1)), options)


def made(aim: StrategyAim, given: dict[str, Any]) -> Hybrid:
    """With these options and habits."""
    habits = {one.name: given[one.name] for one in fields(Habits) if one.name in given}
    options = {name: str(value) for name, value in given.items() if name not in habits}
    strategy = create(replace(aim, options=options), Habits(**habits))
    assert isinstance(strategy, Hybrid)
    return strategy


def link(url: str, anchor: str = "more") -> Link:
    return Link(url, anchor, tag_path="body/ul/li/a")


def source(*, relevant: bool = False, url: str = HOME, distance: int = 0) -> Source:
    request = Request(url, 1.0, distance=distance, features=b"")
    return Source(request, Page.empty(url), relevant)


def visit(scored: Scored, url: str, parent: str = HOME, distance: int = 1) -> Request:
    return Request(url, scored.score, 1, distance, parent, features=scored.features)


def taught(strategy: Hybrid, rounds: int = 60) -> Hybrid:
    """Contact pages are relevant, news are not, each on a host of its own."""
    for n in range(rounds):
        for word, relevant in (("contact", True), ("news", False)):
            url = f"http://{word}{n}.test/{word}"
            found = strategy.score(source(url=f"http://from{n}.test/"), [link(url, word)])[0]
            request = visit(found, url, f"http://from{n}.test/")
            strategy.learn(LinkOutcome(request, 200, relevant))
    return strategy


def american(**options: Any) -> Hybrid:  # Any: whatever the option is
    region = Region.parse("Massachusetts", GAZETTEER)
    return made(StrategyAim(region, GAZETTEER, chance=random.Random(1)), options)


def priorities(strategy: Hybrid, links: Sequence[Link], **where: bool) -> list[float]:
    return [scored.score for scored in strategy.score(source(**where), links)]


def test_links_of_a_relevant_page_come_first_before_anything_is_learned():
    strategy, one = hybrid(), [link("http://b.test/x")]

    after_relevant = priorities(strategy, one, relevant=True)
    far_away = [s.score for s in strategy.score(source(distance=4), one)]

    assert after_relevant > far_away


def test_words_of_links_that_were_relevant_come_first_and_say_why():
    strategy, one = taught(hybrid()), link("http://x.test/contact", "contact")
    contact, news = priorities(strategy, [one, link("http://x.test/news", "news")])
    (scored,) = strategy.score(source(), [one])
    reason = strategy.explain(source(), one)
    terms = {term: likely for term, likely, _ in strategy.terms(30)}

    assert contact > 2 * news
    assert reason.value == pytest.approx(scored.score)
    assert "anchor:contact" in {part.name for part in reason.parts[0].parts}
    assert terms["anchor:contact"] > 0 > terms["anchor:news"]
    sure = priorities(strategy, [one], relevant=True)[0]
    assert max(priorities(strategy, [link(f"http://h{n}.test/") for n in range(500)])) < sure


def test_host_that_gave_nothing_loses():
    strategy = hybrid()
    for n in range(30):
        url = f"http://barren.test/{n}"
        found = strategy.score(source(url=f"http://p{n}.test/"), [link(url)])[0]
        strategy.learn(LinkOutcome(visit(found, url, f"http://p{n}.test/"), 200, relevant=False))

    barren, fresh = priorities(strategy, [link("http://barren.test/99"), link("http://new.test/9")])

    assert barren < fresh


def failed(strategy: Hybrid, url: str, distance: int = 1) -> None:
    """A page that is not relevant was fetched."""
    parent = source(distance=distance - 1)
    found = strategy.score(parent, [link(url)])[0]
    strategy.learn(LinkOutcome(visit(found, url, distance=distance), 200))


def test_failures_before_anything_is_found_are_not_blamed_on_link_distance():
    strategy, eager = hybrid(), hybrid(distance_after=0)
    before = dict(strategy.describe(0).rows)[DISTANCE]
    for n in range(30):
        for one in (strategy, eager):
            failed(one, f"http://h{n}.test/", distance=4)

    assert dict(strategy.describe(0).rows)[DISTANCE] == before
    assert dict(eager.describe(0).rows)[DISTANCE][0] < before[0]


def test_link_distance_is_learned_once_something_is_found():
    strategy = taught(hybrid(), rounds=3)
    before = dict(strategy.describe(0).rows)[DISTANCE]
    again = hybrid()
    again.load(strategy.save())
    for one in (strategy, again):
        failed(one, "http://far.test/", distance=4)

    assert dict(strategy.describe(0).rows)[DISTANCE] != before
    assert dict(again.describe(0).rows)[DISTANCE] == dict(strategy.describe(0).rows)[DISTANCE]


def test_domain_that_gave_nothing_loses_before_anything_is_found():
    """Also one that only its seeds have tired."""
    strategy, same = hybrid(tires_after=20), hybrid(tires_after=0)
    for n in range(20):
        for one in (strategy, same):
            failed(one, f"http://h{n}.barren.com/")
            one.learn(LinkOutcome(Request(f"http://seeds.com/{n}"), 200))

    for url in ("http://new.barren.com/", "http://seeds.com/contact"):
        one = [link(url)]
        assert priorities(strategy, one)[0] == pytest.approx(priorities(same, one)[0] / 2)


def test_redirect_teaches_nothing_about_links():
    strategy, one = hybrid(tires_after=0), [link("http://x.test/contact", "contact")]
    before = priorities(strategy, one)

    found = strategy.score(source(), one)[0]
    strategy.learn(LinkOutcome(visit(found, "http://x.test/contact"), 301))

    assert priorities(strategy, one) == before


def test_page_that_leads_to_relevant_ones_earns_it():
    strategy = hybrid()
    for n in range(40):
        for word, leads in (("directory", True), ("news", False)):
            url = f"http://{word}{n}.test/{word}"
            found = strategy.score(source(url=f"http://p{n}.test/"), [link(url, word)])[0]
            strategy.learn(
                LinkOutcome(visit(found, url, f"http://p{n}.test/"), 200, relevant=False)
            )
            for child in range(5):
                child_url = f"http://{word}{n}.test/{child}"
                below = strategy.score(source(url=url, distance=1), [link(child_url, "item")])[0]
                strategy.learn(LinkOutcome(visit(below, child_url, url, 2), 200, relevant=leads))

    directory, news = priorities(
        strategy,
        [link("http://x.test/directory", "directory"), link("http://x.test/news", "news")],
    )

    assert directory > news


def test_credit_passes_through_a_redirect():
    direct, redirected = hybrid(), hybrid()
    for n in range(30):
        for strategy in (direct, redirected):
            hub, target = f"http://hub{n}.test/list", f"http://t{n}.test/"
            found = strategy.score(source(url=f"http://p{n}.test/"), [link(hub, "list")])[0]
            strategy.learn(LinkOutcome(visit(found, hub, f"http://p{n}.test/"), 200))
            below = strategy.score(source(url=hub, distance=1), [link(target, "item")])[0]
            request, parent = visit(below, target, hub, 2), hub
            if strategy is redirected:
                strategy.learn(LinkOutcome(request, 301))
                parent = target
            strategy.learn(LinkOutcome(visit(below, f"{target}new", parent, 2), 200, relevant=True))

    lists = [link("http://x.test/list", "list")]
    plain = hybrid()
    assert priorities(redirected, lists)[0] > priorities(plain, lists)[0]
    assert priorities(redirected, lists)[0] == pytest.approx(priorities(direct, lists)[0], rel=0.2)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        *((f"patience={value}", "patience is from 0 to 1") for value in ("nan", "-1", "2")),
        ("magic=1", "no option 'magic'"),
        ("without=anchor+magic", "no signal 'magic'"),
    ],
)
def test_option_out_of_its_range_is_refused(option, said):
    with pytest.raises(UsageError, match=said):
        create_strategy(f"hybrid:{option}", StrategyAim())


def test_waiting_links_are_scored_again_and_seeds_keep_their_priority():
    strategy = hybrid()
    url = "http://x.test/contact"
    waiting = visit(strategy.score(source(), [link(url, "contact")])[0], url)
    taught(strategy)

    rescored = strategy.rescore([Request(HOME, 1.0), waiting])

    assert rescored[0] == 1.0
    assert rescored[1] > waiting.priority


def test_priorities_are_finite_whatever_happens():
    strategy = hybrid(step=10.0)
    taught(strategy, rounds=200)

    assert all(map(math.isfinite, priorities(strategy, [link("http://x.test/contact")])))


def test_model_is_saved_though_a_link_says_only_a_dash():
    strategy = hybrid()
    strategy.score(source(), [link("http://b.test/x", "» | -")])

    assert strategy.save()


def test_state_of_another_version_is_refused():
    with pytest.raises(UsageError, match="another version"):
        hybrid().load(pack_arrays({"answers": np.array([3])}))


def test_what_relevant_pages_link_to_comes_first():
    strategy, shared = taught(hybrid()), link("http://x.test/both")
    alone = priorities(strategy, [shared], relevant=True)[0]
    for n in range(4):
        page = source(url=f"http://relevant{n}.test/", relevant=True)
        strategy.score(page, [shared])
    again = hybrid()
    again.load(strategy.save())
    for n in range(30):
        strategy.score(source(url=f"http://dull{n}.test/"), [link("http://x.test/menu")])

    both, menu = priorities(strategy, [shared, link("http://x.test/menu")], relevant=True)

    assert both > alone > menu
    assert priorities(again, [shared], relevant=True)[0] > alone


def test_list_that_was_tried_waits_while_nothing_is_found():
    strategy = hybrid()
    entry = Link("http://a.test/news/1", "one", tag_path="body/ul/li/a")
    other = Link("http://a.test/club", "club", tag_path="body/nav/a")
    before = priorities(strategy, [entry, other])
    (scored,) = strategy.score(source(), [entry])
    strategy.learn(LinkOutcome(visit(scored, entry.url), 200))

    further = Link("http://a.test/more/2", "two", tag_path="body/ul/li/a")
    tried, untried = priorities(strategy, [further, other])

    assert before[0] == pytest.approx(before[1], rel=0.2)
    assert tried < 0.8 * untried


def test_it_is_made_by_name_with_options():
    strategy = abilities_of(create_strategy("hybrid:patience=0.5", StrategyAim()))

    assert strategy.traits.least_share == 0.5


def test_signals_that_are_left_out_change_nothing():
    strategy = hybrid(without="anchor+path+host+host history+folder history+new host+parents")
    taught(strategy)
    links = [link("http://contact3.test/contact", "contact"), link("http://new.test/x", "news")]

    first, second = priorities(strategy, links)

    assert first == pytest.approx(second, abs=1e-6)
    explained = strategy.explain(source(), links[0]).parts[0].parts
    assert not {part.name for part in explained} & {"anchor:contact", "path:contact"}


def test_link_to_a_domain_registered_in_the_region_comes_first():
    strategy = american()
    strategy.add_registrations(
        {"b.example": RegistrationRecord("b.example", "Boston", country="US")}
    )
    strategy.add_registrations({"m.example": RegistrationRecord("m.example", "Mesa", country="US")})

    hosts = ("b.example", "nobody.example", "m.example")
    here, unknown, away = priorities(strategy, [link(f"http://{host}/") for host in hosts])

    assert here > unknown > away


def test_answer_of_a_registry_moves_what_waits():
    strategy = american()
    strategy.open_questions()
    found = strategy.score(source(), [link("http://shop.b.example/x")])[0]
    waiting = visit(found, "http://shop.b.example/x")
    asked = strategy.next_question()

    hosts = strategy.add_reply(RegistrationRecord("b.example", "Boston", country="US"))

    assert (asked, list(hosts)) == ("b.example", ["shop.b.example"])
    assert strategy.rescore([waiting])[0] > 1.5 * waiting.priority


def test_table_of_registrations_is_read(tmp_path):
    table = tmp_path / "registrants.tsv"
    write_registrations(table, [RegistrationRecord("b.example", "Boston", country="US")])
    link_there = [link("http://b.example/")]

    told = priorities(american(registrations=str(table)), link_there)

    assert told > priorities(american(), link_there)
    assert priorities(american(registrations=str(table), without="registrant"), link_there) < told


def test_domain_of_the_best_link_is_asked_about_first_and_a_known_one_not_at_all():
    strategy = american()
    strategy.add_registrations(
        {"known.example": RegistrationRecord("known.example", "Mesa", country="US")}
    )
    strategy.open_questions()
    strategy.score(
        source(),
        [
            link("http://known.example/", "Boston"),
            link("http://dull.example/", "more"),
            link("http://good.example/", "Boston"),
        ],
    )

    asked = [strategy.next_question() for _ in range(3)]

    assert asked == ["good.example", "dull.example", None]


def test_it_scores_again_after_every_response_while_it_is_young():
    strategy = hybrid(rescore_every=5)

    times = [responses for responses in range(1, 4001) if strategy.due(responses)]

    gaps = [(n, after - n) for n, after in pairwise(times)]
    assert {gap for n, gap in gaps if n < 499} == {1}
    assert {gap for n, gap in gaps if 500 <= n < 995} == {5}
    assert {gap for n, gap in gaps if n >= 2000} == {20}
    assert not any(map(hybrid(rescore_every=0).due, range(1000)))


def test_every_twentieth_time_goes_ten_times_as_deep():
    strategy = hybrid(rescore_every=1)

    depths = [strategy.due(responses) for responses in range(1, 61)]

    assert [n for n, depth in enumerate(depths, 1) if depth == 1500] == [20, 40, 60]
    assert set(depths) == {150, 1500}


def test_it_reads_no_file_of_its_own():
    strategy = Hybrid(HybridOptions(registrations="/there/is/no/such/table"), StrategyAim())

    assert strategy.score(source(), [link("http://b.example/")])


def test_relevant_copy_teaches_nothing_and_any_other_copy_is_a_failure():
    def after(outcome: tuple[bool, bool] | None) -> float:
        strategy, url = taught(hybrid(), 20), "http://c.test/contact"
        if outcome is not None:
            relevant, duplicate = outcome
            (found,) = strategy.score(source(), [link(url, "contact")])
            strategy.learn(LinkOutcome(visit(found, url), 200, relevant, duplicate))
        return priorities(strategy, [link("http://d.test/contact", "contact")])[0]

    assert after((True, True)) == after(None)
    assert after((False, True)) == after((False, False)) < after(None)


def test_words_that_another_process_met_name_the_terms_of_the_model():
    reader = link_reader_of("hybrid", StrategyAim())
    assert reader is not None
    strategy, one = hybrid(), Link("http://b.test/kontakt", "Speisekarte")
    (noted,) = reader.note(HOME, [one])
    strategy.hear_words(reader.take_words())
    (scored,) = strategy.score(source(), [Link(one.url, features=noted)])

    strategy.learn(LinkOutcome(visit(scored, one.url), 200, relevant=True))

    again = hybrid()
    again.load(strategy.save())
    for model in (strategy, again):
        named = {term for term, _, _ in model.terms(1000)}
        assert {"anchor:speisekarte", "path:kontakt", "switch:other"} <= named


def test_words_without_a_weight_are_forgotten_when_there_are_many(monkeypatch):
    monkeypatch.setattr(strategy_module, "_TERMS_REMEMBERED", 100)
    strategy = hybrid()
    strategy.start_from([("anchor:menu", 0.5, 0.0)])

    strategy.hear_words([*(f"anchor:w{n}" for n in range(500)), "anchor:menu"])

    named = {term for term, _, _ in strategy.terms(1000)}
    assert "anchor:menu" in named
    assert not any(term.startswith("anchor:w") for term in named)
