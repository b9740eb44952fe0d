from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.strategy import LinkOutcome, StrategyAim
from geoscout.strategy.adaptive.strategy import (
    GRAPH,
    TREE,
    Adaptive,
    TrainingGraph,
    create,
    lift_scores,
    step_weights,
)
from geoscout.strategy.naive_bayes import Examples, Form, fit
from geoscout.strategy.terms import Terms, term_number
from geoscout_places.errors import UsageError
from geoscout_places.model import Link, Request
from tests.unit.strategy.links import HERE, link, outcome, source

SHARES = st.floats(0.0, 1.0)


def adaptive(**options: object) -> Adaptive:
    strategy = create(StrategyAim(options={key: str(value) for key, value in options.items()}))
    assert isinstance(strategy, Adaptive)
    return strategy


def page_links(number: int) -> list[Link]:
    """A link to a contact page, which is relevant, and one to news, which are not."""
    here = f"{HERE}{number}/"
    return [link(f"{here}kontakt", "Kontakt"), link(f"{here}news", "Neues")]


def train(strategy: Adaptive, pages: int) -> None:
    """Pages with a contact page and news each; three answers a page."""
    for number in range(pages):
        url = f"{HERE}{number}/"
        strategy.learn(outcome(url))
        links = page_links(number)
        for one, scored in zip(links, strategy.score(source(url), links), strict=True):
            request = Request(one.url, parent=url, features=scored.features)
            strategy.learn(LinkOutcome(request, 200, "kontakt" in one.url))


def priorities(strategy: Adaptive) -> list[float]:
    return [scored.score for scored in strategy.score(source(distance=1), page_links(99))]


@pytest.mark.parametrize(
    ("depth", "weights"), [(1, [1]), (2, [2 / 3, 1 / 3]), (3, [4 / 7, 2 / 7, 1 / 7])]
)
def test_steps_are_damped_and_normalised(depth, weights):
    assert step_weights(depth, 0.5).tolist() == pytest.approx(weights)


def test_worked_example_of_the_specification():
    prediction = float(np.array([0.64, 0.5, 0.5]) @ step_weights(3, 0.5))

    assert prediction == pytest.approx(0.580)
    assert lift_scores(0.25, np.array([prediction]))[0] == pytest.approx(0.685)


def test_worked_example_goes_through_the_strategy():
    strategy = adaptive(depth=3, window=0, smoothing="laplace")
    contact = link("http://192.0.2.1/", "kontakt")
    kontakt = term_number("anchor:kontakt")
    strategy.model = fit(worked_examples(kontakt), Form(ignore_unknown=True))

    reason = strategy.explain(source("http://192.0.2.1/", distance=1), contact)
    (scored,) = strategy.score(source("http://192.0.2.1/", distance=1), [contact])

    assert scored.score == pytest.approx(0.685)
    assert reason.value == pytest.approx(0.685)
    assert reason.parts[1].value == pytest.approx(0.580)
    assert [part.value for part in reason.parts[1].parts[:3]] == pytest.approx([0.640, 0.5, 0.5])


def worked_examples(kontakt: int) -> Examples:
    """Step 1 as in the specification; for steps 2 and 3 the term says nothing."""
    links = [[kontakt]] * 3 + [[1]] + [[kontakt]] + [[1]] * 5
    first = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    later = [1, 0, 1, 0, 0, 1, 1, 0, 1, 0]  # 2 of the 5 have the term, and 2 of the other 5
    outcomes = np.array([first, later, later], bool).T
    packed = [np.array(numbers, np.uint32).tobytes() for numbers in links]
    return Examples(Terms.unpack(packed), outcomes)


@pytest.mark.parametrize(("smoothing", "is_tried_early"), [("laplace", True), ("", False)])
def test_link_with_unknown_words_is_tried_early_only_as_printed(smoothing, is_tried_early):
    chosen = {"smoothing": smoothing} if smoothing else {}
    strategy = adaptive(training_pages=200, depth=1, window=0, **chosen)
    for number in range(200):  # one page of a hundred is relevant
        url = f"{HERE}p{number}"
        strategy.learn(outcome(url, relevant=number % 100 == 99))
        strategy.score(source(url), [link(f"{HERE}p{number + 1}", "next")])

    unknown, known = (
        scored.score
        for scored in strategy.score(
            source(f"{HERE}x", distance=1),
            [link(f"{HERE}y", "nine new words"), link(f"{HERE}z", "next")],
        )
    )

    assert (unknown > 0.9) == is_tried_early
    assert (unknown - known < 0.1) != is_tried_early


@given(SHARES, SHARES, SHARES)
def test_priority_grows_with_the_prediction_from_the_score_to_one(score, one, other):
    low, high = lift_scores(score, np.array(sorted([one, other])))

    assert score <= low <= high <= 1.0 + 1e-12
    assert lift_scores(score, np.array([1.0]))[0] == pytest.approx(1.0)


@given(st.integers(1, 8), SHARES)
def test_shares_of_the_steps_add_up_and_fall(depth, decay):
    weights = step_weights(depth, decay)

    assert weights.sum() == pytest.approx(1.0)
    assert all(np.diff(weights) <= 0)


def test_it_goes_by_distance_while_it_trains():
    strategy = adaptive(training_pages=100)
    train(strategy, 5)

    assert priorities(strategy) == [0.25, 0.25]
    assert strategy.model is None


def test_trained_it_prefers_what_led_to_relevant_pages_and_says_why():
    strategy = adaptive(training_pages=30)
    train(strategy, 10)
    contact, news = priorities(strategy)
    reason = strategy.explain(source(distance=1), page_links(99)[0])
    score, prediction = reason.parts
    best = prediction.parts[3].parts[0]

    assert contact > 0.5 > news >= 0.25
    assert reason.value == pytest.approx(contact)
    assert reason.value == pytest.approx(score.value + prediction.value * (1 - score.value))
    assert best.name in ("anchor:kontakt", "path:kontakt")
    assert best.detail == "in 10 links, relevant after 3 steps: 10, 0, 0"
    # Trained for good it notes nothing of links, and its model has its terms to read.
    assert {scored.features for scored in strategy.score(source(), page_links(1))} == {b""}
    again = adaptive()
    again.load(strategy.save())
    assert {"anchor:kontakt", "path:news", "switch:same"} <= set(again.model.names.values())


def test_step_beyond_a_bridge_is_predicted():
    strategy = adaptive(training_pages=60, depth=2)
    for number in range(20):
        home, bridge, goal = (f"{HERE}{number}/{name}" for name in ("", "bridge", "goal"))
        for url, target in ((home, bridge), (bridge, goal), (goal, home)):
            strategy.learn(outcome(url, relevant=url == goal))
            strategy.score(source(url), [link(target)])
    assert strategy.model is not None

    steps = strategy.explain(source(), link(f"{HERE}x/bridge")).parts[1].parts

    assert steps[0].value < 0.1
    assert steps[1].value > 0.9


def test_what_waits_is_rescored_once_when_training_ends():
    strategy = adaptive(training_pages=30)
    waiting = [
        Request(one.url, 0.25, distance=2, features=scored.features)
        for one, scored in zip(
            page_links(99), strategy.score(source(distance=1), page_links(99)), strict=True
        )
    ]
    assert strategy.due(1) == 0
    train(strategy, 10)
    assert strategy.due(2) > len(waiting)

    again = strategy.rescore([*waiting, Request(HERE, 1.0)])

    assert again == pytest.approx([*priorities(strategy), 1.0])
    assert strategy.due(3) == 0


def test_it_goes_on_learning_when_asked_to():
    strategy = adaptive(training_pages=3, update_every=30, rescore="yes")
    train(strategy, 1)
    early = priorities(strategy)
    strategy.rescore([])
    train(strategy, 12)

    assert priorities(strategy) != early
    assert strategy.due(1) == 5000


def test_without_relevant_pages_it_stays_with_distance():
    strategy = adaptive(training_pages=1)
    strategy.learn(outcome(HERE))

    assert priorities(strategy) == [0.25, 0.25]


@pytest.mark.parametrize("trained", [True, False])
def test_it_goes_on_from_a_saved_state(trained):
    strategy = adaptive(training_pages=30 if trained else 45)
    train(strategy, 10)
    again = adaptive(training_pages=30 if trained else 45)

    again.load(strategy.save())

    assert priorities(again) == priorities(strategy)
    for one in (strategy, again):
        for number in range(10, 16):
            url = f"{HERE}{number}/kontakt"
            one.learn(LinkOutcome(Request(url, parent=HERE), 200, relevant=True))
    train(strategy, 20)
    train(again, 20)
    assert priorities(again) == priorities(strategy)


def test_state_of_a_longer_training_ends_a_shorter_one():
    longer, shorter = adaptive(training_pages=100), adaptive(training_pages=20)
    train(longer, 10)
    assert longer.model is None

    shorter.load(longer.save())
    train(shorter, 1)

    assert shorter.model is not None


def test_model_of_another_depth_is_refused():
    strategy = adaptive(training_pages=30, depth=2)
    train(strategy, 10)

    with pytest.raises(UsageError, match="give depth=2"):
        adaptive(depth=3).load(strategy.save())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": "forest"}, "labels is graph or tree, not 'forest'"),
        ({"depth": "0"}, "depth is at least 1"),
        ({"prediction_decay": "1.5"}, "prediction_decay is a share"),
        ({"speed": "3"}, "has no option 'speed'"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        create(replace(StrategyAim(), options=options))


@pytest.mark.parametrize(
    "variant",
    [
        {"model": "multinomial"}, {"evidence": "marginals"}, {"labels": "tree"},
        {"unknown": "ignore"}, {"smoothing": "laplace"}, {"window": 0}, {"depth": 1},
        {"prediction_decay": 1.0},
    ],
)  # fmt: skip
def test_every_variant_learns_the_obvious(variant):
    strategy = adaptive(training_pages=30, **variant)
    train(strategy, 10)

    contact, news = priorities(strategy)

    assert contact > news


CHAIN = {"a": "b", "b": "c", "c": "d", "d": ""}


def packed(number: int) -> bytes:
    return np.array([number], np.uint32).tobytes()


def graph_of(pages: dict[str, str], relevant: str, *, redirects: str = "") -> TrainingGraph:
    """Pages of one letter in the order of fetching; the term of a link is its target's letter."""
    graph, found_on = TrainingGraph(), dict[str, str]()
    for name, targets in pages.items():
        parent = found_on.get(name, "")
        features = packed(ord(name)) if parent else b""
        request = Request(HERE + name, parent=parent and HERE + parent, features=features)
        graph.add_page(request, 301 if name in redirects else 200, relevant=name in relevant)
        if name not in redirects:
            links = [link(HERE + target) for target in targets]
            graph.add_links(request.url, links, [packed(ord(target)) for target in targets])
        for target in targets:
            found_on.setdefault(target, name)
    return graph


def outcomes(graph: TrainingGraph, depth: int, labels: str = GRAPH) -> list[tuple[str, list[int]]]:
    examples = graph.examples(depth, labels)
    names = [chr(number) for number in examples.terms.numbers]
    return list(zip(names, examples.outcomes.astype(int).tolist(), strict=True))


@pytest.mark.parametrize(
    ("pages", "relevant", "redirects", "depth", "expected"),
    [
        (CHAIN, "d", "", 3, [("b", [0, 0, 1]), ("c", [0, 1, 0]), ("d", [1, 0, 0])]),
        ({"a": "bx", "b": ""}, "b", "", 1, [("b", [1])]),  # x was not fetched
        ({"a": "a"}, "a", "", 2, []),
        (CHAIN, "cd", "b", 2, [("b", [1, 1]), ("d", [1, 0])]),
        ({"a": "b", "b": "c"}, "c", "b", 1, []),  # a redirect that was not followed
    ],
)
def test_outcome_is_what_lies_exactly_so_many_steps_away(
    pages, relevant, redirects, depth, expected
):
    assert outcomes(graph_of(pages, relevant, redirects=redirects), depth) == expected


def test_graph_sees_links_that_were_not_followed():
    diamond = {"a": "bc", "b": "d", "c": "d", "d": ""}

    by_graph = outcomes(graph_of(diamond, relevant="d"), 2)
    by_tree = outcomes(graph_of(diamond, relevant="d"), 2, TREE)

    assert ("c", [0, 1]) in by_graph
    assert ("c", [0, 0]) in by_tree
    assert len(by_graph) == 4
    assert len(by_tree) == 3


def test_second_answer_of_a_url_changes_nothing():
    graph = graph_of({"a": "b", "b": ""}, relevant="b")
    graph.add_page(Request(HERE + "b"), 404, relevant=False)

    assert outcomes(graph, 1) == [("b", [1])]
    assert len(graph) == 2


def test_graph_survives_being_kept():
    graph = graph_of({"a": "bc", "b": "d", "c": "d", "d": ""}, relevant="d", redirects="b")

    again = TrainingGraph.unpack(graph.pack())

    for labels in (GRAPH, TREE):
        assert outcomes(again, 3, labels) == outcomes(graph, 3, labels)
