import pytest
from msgspec.structs import replace

from geoscout.strategy.anchors import AnchorModel, Anchors, AnchorsOptions, create
from geoscout.strategy.base import Source, StrategyAim
from geoscout_places.errors import UsageError
from geoscout_places.model import Mention, MentionKind, Page, Reading, Request
from tests.unit.strategy.american_places import BOSTON, GAZETTEER, make_link, make_source


def strategy(**options: str) -> Anchors:
    anchors = create(StrategyAim(None, GAZETTEER, options))
    assert isinstance(anchors, Anchors)
    return anchors


def visit(strategy: Anchors, anchor: str, text: str) -> None:
    """Let it see a page that an anchor has led to."""
    strategy.score(make_source(), [make_link(anchor=anchor)])
    page = Page("http://example.org/x", "", "", text, ())
    request = Request(page.url, features=anchor.encode())
    strategy.score(Source(request, page, relevant=False), [])


def taught(**options: str) -> Anchors:
    """A strategy to which "parks" lead to places and "recipes" do not."""
    learner = strategy(training_pages="20", **options)
    for _ in range(5):
        visit(learner, "parks", "In Boston")
        visit(learner, "recipes", "Nothing")
    return learner


def priority(strategy: Anchors, anchor: str) -> float:
    return strategy.score(make_source(), [make_link(anchor=anchor)])[0].score


def test_anchor_that_led_to_places_is_followed_and_the_other_dropped():
    learner = taught()

    assert priority(learner, "City parks") > 0.5
    assert strategy_drops(learner, "Best recipes")
    assert learner.expects_place(make_link(anchor="City parks"))
    assert not learner.expects_place(make_link(anchor="Best recipes"))


def test_it_can_be_taught_by_the_names_of_geowordnet(gazetteer):
    learned = {}
    for names in ("full", "geowordnet"):
        learner = Anchors(StrategyAim(None, gazetteer), AnchorsOptions(gazetteer=names))
        visit(learner, "parks", "In Somerville, near Natick")  # WordNet knows neither
        learned[names] = learner.explain(make_source(), make_link(anchor="parks")).detail

    assert learned == {
        "full": "from 2 pages, 1 of them with places",
        "geowordnet": "from 2 pages, 0 of them with places",
    }


def strategy_drops(strategy: Anchors, anchor: str) -> bool:
    return strategy.score(make_source(), [make_link(anchor=anchor)]) == [None]


def test_every_link_is_followed_while_it_is_taught_the_nearest_first():
    learner = strategy(training_pages="10")
    deep = replace(make_source(), request=Request("http://example.org/", depth=3))

    near = priority(learner, "anything")
    far = learner.score(deep, [make_link(anchor="anything")])[0].score

    assert 1.0 < far < near


def test_it_learns_no_more_after_its_training():
    fixed, online = taught(), taught(online="yes")
    for learner in (fixed, online):
        for _ in range(200):
            visit(learner, "parks", "Nothing")

    assert priority(fixed, "parks") > 0.5
    assert strategy_drops(online, "parks")


def test_link_below_the_threshold_may_wait_behind_the_others():
    learner = taught(epsilon="yes")

    assert -1 <= priority(learner, "recipes") < 0 < priority(learner, "parks")


def test_alternative_text_stands_for_a_missing_anchor():
    (scored,) = taught().score(make_source(), [make_link(alt="Parks")])

    assert scored.score > 0.5


def test_reading_of_the_geoparser_is_the_label_where_there_is_one():
    learner = strategy(training_pages="2")
    mention = Mention(0, 6, "Boston", MentionKind.PLACE, BOSTON, confidence=1.0)
    page = Page("http://example.org/", "", "", "no name in here", ())
    request = Request(page.url, features=b"parks")

    learner.score(Source(request, page, False, Reading((), (mention,), (), ())), [])

    assert learner.explain(make_source(), make_link(anchor="parks")).value > 0.5


def test_explanation_has_the_weight_of_each_word():
    reason = taught().explain(make_source(), make_link(anchor="parks recipes new"))

    assert [part.name for part in reason.parts] == ["parks", "recipes", "new"]
    assert reason.parts[0].value > 0 > reason.parts[1].value
    assert reason.parts[2].value == 0
    assert "anchors" in reason.parts[0].detail


def test_probability_is_that_of_bayes():
    model = AnchorModel()
    for has_place in [True] * 3 + [False]:
        model.add(["kontakt"], has_place=has_place)
    for has_place in [True] + [False] * 5:
        model.add([], has_place=has_place)

    # prior 5 to 7 (Laplace), "kontakt" in 3 of 4 and 1 of 6: 4/6 against 2/8
    odds = 5 / 7 * (4 / 6) / (2 / 8)
    assert model.probability(["kontakt"]) == pytest.approx(odds / (1 + odds))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": "-0.1"}, "from 0 to 1"),
        ({"threshold": "1.5"}, "from 0 to 1"),
        ({"gazetteer": "atlas"}, "full or geowordnet"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        strategy(**options)
