"""Several nodes in worlds made by hand, and registrants that a world knows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as some

from geoscout.collaborate import Claim, Node, Origin, Partition
from geoscout.collaborate.base import ClaimingCollaboration, CollaborationTraits, DepthRule
from geoscout.collaborate.policy import Claims, CollaborationOptions, Policy
from geoscout.strategy import LinkOutcome, Scored, Scores, Source, StrategyAim, StrategyTraits
from geoscout_lab.simulation.collaborative import CollaborativePlan, crawl_together, create_for
from geoscout_lab.simulation.simulate import CollaborativeTrace, SimulationPlan, simulate
from geoscout_lab.worlds.synthetic import WebPlan, make_web
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region
from geoscout_places.model import Kind, Link, Page, Place, Point, Request
from tests.fakes import FakeGazetteer
from tests.unit.lab.small_worlds import HandMadeWorld

if TYPE_CHECKING:
    from collections.abc import Sequence


EAST = Place(1, "East", Kind.CITY, Point(40, -75), "US", population=10)
WEST = Place(2, "West", Kind.CITY, Point(40, -120), "US", population=10)
PARTITION = Partition(
    [Node("general"), Node("east", (EAST,)), Node("west", (WEST,))], FakeGazetteer([EAST, WEST])
)
LETTERS = {"e": (Claim(1, 1.0),), "w": (Claim(2, 1.0),), "b": (Claim(1, 1.0), Claim(2, 0.5))}


class ByLetter(ClaimingCollaboration):
    """The first letter of a page names its place: e, w, or b for both."""

    traits = CollaborationTraits(reads_links=False)

    def claims(self, origin: Origin, links: Sequence[Link]) -> Sequence[Claims]:
        return [LETTERS.get(_letter(link.url), ()) for link in links]

    def label(self, origin: Origin) -> int:
        claims = LETTERS.get(_letter(origin.page.url), ())
        return claims[0].place if claims else 0


class ByUrlAlone(ByLetter):
    """The same, and a redirect's target is assigned too."""

    traits = CollaborationTraits(reads_links=False, goes_by_url=True)


class OnlyFirst:
    """Drops every link of a page but the first."""

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return [None if number else Scored(1.0) for number in range(len(links))]


class Backwards:
    """The last link of a page comes first."""

    traits = StrategyTraits(reads_links=False)

    def score(self, source: Source, links: Sequence[Link]) -> Sequence[Scored]:
        return [Scored(float(number)) for number in range(len(links))]


def _letter(url: str) -> str:
    return url.rpartition("/")[2][:1]


def crawled(
    world: HandMadeWorld, terms: CollaborativePlan | None = None, policy: str = "A"
) -> tuple[CollaborativeTrace, list[tuple[str, str]]]:
    collaboration = ByLetter(PARTITION, Policy(PARTITION, CollaborationOptions(policy=policy)))
    trace = crawl_together(world, collaboration, terms or CollaborativePlan(100))
    return trace, [(fetch.node, world.names[fetch.page]) for fetch in trace.fetches]


def test_each_node_fetches_one_page_a_tick():
    world = HandMadeWorld({"s": ["e1", "e2", "w1", "x"]})

    _, fetches = crawled(world)

    assert fetches[0] == ("general", "s")
    # Nodes after the seed's own have their turn in the same tick.
    assert fetches[1:] == [("east", "e1"), ("west", "w1"), ("general", "x"), ("east", "e2")]


def test_links_to_other_nodes_are_counted_once_a_page():
    world = HandMadeWorld({"s": ["e1", "w1", "x"], "x": ["e1"]})

    trace, _ = crawled(world)
    spared, _ = crawled(world, CollaborativePlan(100, repeats_are_sent=False))

    sent = {world.names[fetch.page]: fetch.sent for fetch in trace.fetches}
    assert sent == {"s": 2, "e1": 0, "w1": 0, "x": 1}
    assert sum(fetch.sent for fetch in spared.fetches) == 2


@pytest.mark.parametrize(
    ("policy", "fetches"), [("A", [("east", "b1")]), ("B", [("east", "b1"), ("west", "b1")])]
)
def test_page_sent_to_two_nodes_is_fetched_twice(policy, fetches):
    assert crawled(HandMadeWorld({"s": ["b1"]}), policy=policy)[1][1:] == fetches


def test_seeds_are_assigned_like_links():
    world = HandMadeWorld({"e": [], "w": [], "x": []}, starts=["e", "w", "x"])

    _, fetches = crawled(world)

    assert fetches == [("general", "x"), ("east", "e"), ("west", "w")]


def test_dead_links_and_redirects_take_a_tick_and_are_no_pages():
    world = HandMadeWorld({"s": ["e1"], "e1": ["w9"]}, statuses={"e1": 301})

    trace, fetches = crawled(world)

    assert fetches == [("general", "s"), ("east", "w9")]  # who followed it keeps it
    assert trace.visits == 3


def test_domain_is_explored_so_many_levels_deep():
    world = HandMadeWorld({f"x{n}": [f"x{n + 1}"] for n in range(9)} | {"x5": ["x6", "e1"]})

    _, fetches = crawled(world, CollaborativePlan(100, DepthRule(levels=5)))

    assert [name for _, name in fetches] == ["x0", "x1", "x2", "x3", "x4", "x5", "e1"]


def test_budget_counts_pages_and_not_the_turns_of_idle_nodes():
    world = HandMadeWorld({"s": ["x1"], "x1": ["x2"], "x2": ["x3"], "x3": ["x4"]})

    trace, fetches = crawled(world, CollaborativePlan(4))

    assert len(fetches) == 4
    assert trace.idle == 6  # of the two other nodes, in three ticks


def test_dead_links_and_redirects_do_not_count_as_downloads():
    world = HandMadeWorld({"s": ["x1", "x2"], "x1": ["x3"]}, statuses={"x1": 301, "x2": 404})

    trace, fetches = crawled(world, CollaborativePlan(2))

    assert [name for _, name in fetches] == ["s", "x3"]
    assert trace.visits == 4


def test_redirect_is_assigned_where_the_url_alone_decides():
    world = HandMadeWorld({"s": ["e1"], "e1": ["w9"]}, statuses={"e1": 301})
    collaboration = ByUrlAlone(PARTITION, Policy(PARTITION, CollaborationOptions()))

    trace = crawl_together(world, collaboration, CollaborativePlan(100))

    assert [(f.node, world.names[f.page]) for f in trace.fetches] == [
        ("general", "s"),
        ("west", "w9"),
    ]


def test_strategy_orders_what_waits_at_a_node():
    world = HandMadeWorld({"s": ["x1", "x2", "x3"]})

    _, fetches = crawled(world, CollaborativePlan(100, strategy=Backwards()))

    assert [name for _, name in fetches] == ["s", "x3", "x2", "x1"]


def test_dropped_link_is_not_sent_to_any_node():
    world = HandMadeWorld({"s": ["x1", "e1", "w1"]})

    trace, fetches = crawled(world, CollaborativePlan(100, strategy=OnlyFirst()))

    assert [name for _, name in fetches] == ["s", "x1"]
    assert sum(fetch.sent for fetch in trace.fetches) == 0


class Hearer:
    """Notes the parents of what it hears of."""

    def __init__(self) -> None:
        self.parents: dict[str, str] = {}

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return [Scored(0.0)] * len(links)

    def learn(self, outcome: LinkOutcome) -> None:
        self.parents[outcome.request.url] = outcome.request.parent


def test_parent_is_the_page_that_leads_there_in_every_simulation():
    """A redirect leads to its target as a link does, with one node or several, as in a crawl."""
    world = HandMadeWorld({"s": ["x1"], "x1": ["x2"], "x2": ["x3"]}, statuses={"x1": 301})
    together, alone = Hearer(), Hearer()

    crawled(world, CollaborativePlan(100, strategy=together))
    simulate(world, alone, SimulationPlan(100))

    urls = {name: world.url(number) for name, number in world.numbers.items()}
    before = {"s": "", "x1": urls["s"], "x2": urls["x1"], "x3": urls["x2"]}
    assert together.parents == alone.parents == {urls[name]: before[name] for name in before}


def test_labels_are_noted_where_asked():
    trace, _ = crawled(HandMadeWorld({"s": ["e1"]}), CollaborativePlan(100, with_labels=True))

    assert [fetch.label for fetch in trace.fetches] == [0, 1]


NAMES = [f"{letter}{number}" for letter in "ewbx" for number in range(4)]
WEBS = some.dictionaries(some.sampled_from(NAMES), some.lists(some.sampled_from(NAMES)), min_size=1)


@given(WEBS)
def test_no_node_fetches_a_page_twice(outlinks):
    links = {name: list(dict.fromkeys(row)) for name, row in outlinks.items()}

    _, fetches = crawled(HandMadeWorld(links), policy="B")

    assert max(Counter(fetches).values()) == 1


@given(WEBS)
def test_policy_a_never_fetches_a_page_twice_when_links_say_where(outlinks):
    links = {name: list(dict.fromkeys(row)) for name, row in outlinks.items()}

    _, fetches = crawled(HandMadeWorld(links))

    assert len({name for _, name in fetches}) == len(fetches)


@pytest.fixture(scope="module")
def web(gazetteer):
    return make_web(WebPlan("ahlers2009", 1, 2000), gazetteer)


def test_every_domain_has_a_holder(web):
    records = list(web.registrations())

    assert len(records) == len(web.register.sites)
    assert any(record.city == "Berlin" for record in records)
    assert all(record.country for record in records)


def test_strategy_gets_the_records_of_its_world(web, gazetteer):
    aim = StrategyAim(Region.parse(web.region, gazetteer), gazetteer)
    here = next(record for record in web.registrations() if record.city == "Berlin")
    link = Link(f"http://{here.domain}/", "more", tag_path="a")
    source = Source(Request("http://x.example/"), Page.empty(""), relevant=False)

    plain, told = (
        create_for(f"hybrid{more}", web, aim).score(source, [link])[0].score
        for more in ("", ":registrations=world")
    )

    assert told > plain


def test_strategy_that_reads_no_registrations_says_so(web):
    with pytest.raises(UsageError, match="breadth has no option 'registrations'"):
        create_for("breadth:registrations=world", web, StrategyAim())
