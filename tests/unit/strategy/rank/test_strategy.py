from dataclasses import fields
from pathlib import Path

import pytest
from msgspec.structs import replace

from geoscout.registrations import RegistrationRecord
from geoscout.strategy.anchors import AnchorsOptions
from geoscout.strategy.base import StrategyAim
from geoscout.strategy.rank.formulas import Ranking, RankOptions
from geoscout.strategy.rank.strategy import Rank, Seed, create, filter_seeds, order_seeds
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region
from geoscout_places.model import HELD, Link, Page, Request
from geoscout_places.parse import parse_html
from tests.unit.strategy.american_places import GAZETTEER, make_link, make_source

BOSTON = make_link("http://boston.example/", "Boston")  # Rank 1
HALF = make_link("http://a.example/", "Mesa hotels")  # Rank 0.75
WINDOW = make_link("http://c.example/", "here", before="Mesa")  # Rank 0.75
NOTHING = make_link("http://b.example/", "Contact")


def strategy(**options: str) -> Rank:
    rank = create(StrategyAim(None, GAZETTEER, options))
    assert isinstance(rank, Rank)
    return rank


def priorities(strategy: Rank, *links: Link) -> list[float]:
    return [s.score for s in strategy.score(make_source(), links) if s is not None]


def test_rank_is_the_priority():
    assert priorities(strategy(), HALF, BOSTON) == [0.75, 1.0]


def test_link_is_dropped_where_what_is_asked_of_it_names_no_place():
    assert priorities(strategy(), WINDOW, HALF) == [0.75, 0.75]
    assert strategy(focus="anchor").score(make_source(), [WINDOW, HALF])[0] is None
    assert priorities(strategy(admission="either", focus="anchor"), WINDOW, HALF) == [0.5, 0.75]


def test_place_in_a_host_name_does_not_admit_the_whole_site():
    site = [make_link(f"http://boston.example/{word}", word) for word in ("about", "contact")]

    assert strategy().score(make_source(), [BOSTON, *site])[1:] == [None, None]


def test_links_of_a_seed_with_places_far_apart_count_as_those_of_any_page():
    across = (BOSTON, make_link(anchor="San Francisco"), NOTHING)
    first, second, third = strategy(reference="4500").score(make_source(), across)

    assert None not in (first, second)
    assert third is None


def test_links_of_a_seed_with_places_far_apart_are_dropped_where_that_is_asked_for():
    across = [make_link(anchor="Boston"), make_link(anchor="San Francisco")]
    seed = make_source()
    page = replace(seed, request=Request("http://example.org/", depth=1))
    rank = strategy(reference="4500", admission="good-seeds")

    assert rank.score(seed, across) == [None, None]
    assert rank.links == {"seed": 2}
    assert None not in rank.score(page, across)
    assert None not in strategy(reference="4500", admission="either").score(seed, across)


def test_page_is_geographic_when_its_url_or_a_link_names_a_place():
    rank = strategy()

    assert rank.is_geographic(Page.empty("http://boston.example/"), [])
    assert rank.is_geographic(Page.empty("http://a.example/"), [NOTHING, WINDOW])
    assert not rank.is_geographic(Page.empty("http://a.example/"), [NOTHING])


def test_window_goes_over_the_borders_of_blocks():
    html = "<h2>Boston</h2><ul><li><a href=/a>Contact</a></ul>" + "<p>and so on" * 9 + "<p>Mesa"
    page = parse_html(html.encode(), "http://a.example/")
    source = replace(make_source(), page=page)

    assert [s and s.score for s in strategy(focus="window").score(source, page.links)] == [
        0.5 + 1 / 54
    ]
    assert strategy(window="0", focus="window").score(source, page.links) == [None]


def test_link_without_a_place_may_wait_behind_all_others():
    for order in ("rank", "fifo"):
        found = priorities(strategy(epsilon="yes", order=order), NOTHING, HALF, BOSTON)

        assert found[0] < min(found[1:])


def test_queue_order_is_the_order_of_discovery():
    queue = strategy(order="fifo")

    first, second = priorities(queue, HALF, BOSTON)
    later = priorities(queue, BOSTON)[0]

    assert first > second > later


def test_queue_goes_on_after_a_stop():
    queue, resumed = strategy(order="fifo"), strategy(order="fifo")
    earlier = priorities(queue, HALF, BOSTON)

    resumed.load(queue.save())

    assert priorities(resumed, BOSTON)[0] < min(earlier)


def test_explanation_names_the_parts_and_the_sources():
    reason = strategy().explain(make_source(), BOSTON)

    assert (reason.name, reason.value, reason.detail) == ("rank", 1.0, "admitted")
    assert [(part.name, part.value) for part in reason.parts] == [("corr", 1.0), ("focus", 1.0)]
    assert [part.name for part in reason.parts[0].parts] == ["host 'Boston'", "anchor 'Boston'"]


def test_wrong_option_is_refused_before_anything_is_loaded():
    with pytest.raises(UsageError, match="order must be rank or fifo"):
        create(StrategyAim(options={"order": "random"}))


# The worked example of the paper's formulas: Boston and Cambridge, Massachusetts, lie 4 km apart,
# and two of the four words of the anchor are places.
WORKED = make_link("http://hotels.example/cambridge/", "Hotels in Boston Massachusetts")
GAZETTEERS = pytest.mark.parametrize("names", ["full", "geowordnet"])


@GAZETTEERS
@pytest.mark.parametrize("region", [None, "Massachusetts", "United States"])
@pytest.mark.parametrize(("rank", "expected"), [("mean", 0.750), ("literal", 1.249)])
def test_worked_example_with_the_shipped_gazetteers(gazetteer, names, region, rank, expected):
    area = Region.parse(region, gazetteer) if region else None
    options = {"gazetteer": names, "rank": rank}

    (scored,) = create(StrategyAim(area, gazetteer, options)).score(make_source(), [WORKED])

    assert scored.score == pytest.approx(expected, abs=0.001)


@GAZETTEERS
def test_single_toponym_has_full_correlation_and_empty_anchor_no_focus(gazetteer, names):
    rank = create(StrategyAim(None, gazetteer, {"gazetteer": names}))
    assert isinstance(rank, Rank)
    corr, focus = rank.explain(make_source(), make_link("http://boston.example/")).parts

    assert (corr.value, focus.value) == (1.0, 0.0)
    assert corr.parts[0].detail == "Boston, Massachusetts, United States"


def test_navigation_of_a_site_names_no_places(gazetteer):
    anchors = "Home|About us|Contact|News|Best offers|Read more|Our team|Shop|Kontakt|Impressum"
    links = [make_link(f"http://example.org/{a}", a) for a in anchors.split("|")]

    assert create(StrategyAim(None, gazetteer)).score(make_source(), links) == [None] * len(links)


@GAZETTEERS
def test_aliases_of_a_few_letters_name_no_places(gazetteer, names):
    links = [make_link(anchor=code) for code in ("LA", "NYC", "USA", "SF", "UK")]
    rank = create(StrategyAim(None, gazetteer, {"gazetteer": names}))

    assert rank.score(make_source(), links) == [None] * len(links)


@pytest.mark.parametrize("kind", [RankOptions, AnchorsOptions])
def test_every_option_is_documented(kind):
    page = Path(__file__).parents[4].joinpath("docs", "rank.md").read_text()

    missing = [f.name for f in fields(kind) if f"{f.name.replace('_', '-')}=" not in page]
    assert missing == []


def test_registrations_come_from_a_table(tmp_path):
    table = tmp_path / "registrations.tsv"
    table.write_text("domain\tcity\tregion\tcountry\nb.example\tBoston\tMA\tUS\n")

    assert priorities(strategy(registrations=str(table), admission="either"), NOTHING) == [0.5]


def test_links_are_counted_by_what_became_of_them():
    far_apart = make_link("http://a.example/", "here", before="Boston Mesa")
    near = strategy(focus="anchor")
    either = strategy(reference="decay", admission="either", focus="anchor")

    near.score(make_source(), [BOSTON, NOTHING, far_apart])
    either.score(make_source(), [BOSTON, NOTHING, far_apart])

    assert near.links == {"admitted": 1, "no place": 1, "not around it": 1}
    assert either.links == {"admitted": 1, "no place": 1, "far apart": 1}


def asking(**options: str) -> Rank:
    rank = strategy(**options)
    rank.open_questions()
    return rank


def waiting(rank: Rank, *links: Link) -> list[Request]:
    scored = rank.score(make_source(), links)
    return [
        Request(link.url, one.score, parent="http://p.example/", features=one.features)
        for link, one in zip(links, scored, strict=True)
    ]


def test_link_without_a_place_is_held_until_its_domain_is_known():
    rank = asking(admission="either")
    held = waiting(rank, NOTHING)

    hosts = rank.add_reply(RegistrationRecord("b.example", "Boston", "MA", "US"))

    assert held[0].priority == HELD
    assert hosts == ["b.example"]
    assert rank.rescore(held) == [0.5]


def test_link_that_no_reply_can_admit_is_not_asked_about():
    rank = asking()

    assert rank.score(make_source(), [NOTHING, BOSTON])[0] is None
    assert rank.next_question() == "boston.example"
    assert rank.next_question() is None


def test_link_is_dropped_once_its_domain_tells_nothing():
    rank = asking(admission="either")
    held = waiting(rank, NOTHING)

    rank.add_reply(RegistrationRecord("b.example"))

    assert rank.rescore(held) == [HELD]
    assert rank.score(make_source(), [NOTHING]) == [None]


def test_registrant_far_away_lowers_the_rank():
    rank = asking()
    requests = waiting(rank, BOSTON)

    rank.add_reply(RegistrationRecord("boston.example", "San Francisco", "", "US"))

    assert rank.rescore(requests)[0] < requests[0].priority


def test_queue_keeps_its_order_when_registries_answer():
    rank = asking(order="fifo", admission="either")
    requests = waiting(rank, BOSTON, NOTHING)

    rank.add_reply(RegistrationRecord("b.example", "Boston", "MA", "US"))
    first, second = rank.rescore(requests)

    assert first == requests[0].priority > second > HELD


def test_seed_keeps_its_priority():
    rank = asking()

    assert rank.rescore([Request("http://b.example/", 1.0)]) == [1.0]


RANKING = Ranking(StrategyAim(None, GAZETTEER), RankOptions(reference="4500"))

TOWN_HALL = Seed("http://www.boston.example/", (make_link(anchor="Boston parks"), make_link()))
FERRIES = Seed("http://ferries.example/", (make_link(anchor="Boston"), make_link(anchor="Mesa")))
CHAIN = Seed("http://chain.example/", (make_link(anchor="x", before="Boston San Francisco"),))
RECIPES = Seed("http://recipes.example/", (make_link(anchor="Home"),))
COAST = Seed("http://coast.example/", (make_link(anchor="Boston"), make_link(anchor="New York")))
ALL = [RECIPES, CHAIN, TOWN_HALL, FERRIES, COAST]


def test_seed_without_toponyms_is_dropped():
    kept = filter_seeds(ALL, RANKING)
    found = [(piece.source, piece.toponym.name) for piece in kept[TOWN_HALL.url]]

    assert list(kept) == [CHAIN.url, TOWN_HALL.url, FERRIES.url, COAST.url]
    assert found == [("host", "Boston"), ("anchor", "Boston")]


def test_places_in_the_urls_of_its_links_do_not_speak_for_a_seed():
    seed = Seed("http://links.example/", (make_link("http://boston.example/", "click"),))

    assert filter_seeds([seed], RANKING) == {}


def test_admitted_seeds_come_in_the_order_of_rank():
    ordered = order_seeds(ALL, RANKING)

    # Boston alone: corr 1, focus (1/2 + 0) / 2. Boston and New York lie 300 km apart: corr 0.93,
    # focus (1 + 1/2) / 2. The places of the others lie 3,700 and 4,300 km apart.
    assert [url for url, _ in ordered] == [COAST.url, TOWN_HALL.url]
    assert [round(ranked.rank, 2) for _, ranked in ordered] == [0.84, 0.62]


def test_pages_of_seeds_are_ordered_alike():
    urls = ("http://none.example/", "http://mesa.example/", "http://boston.example/")
    pages = [Page(url, "", "en", "", ()) for url in urls]

    assert strategy().best_first(pages) == list(urls[1:])


def test_either_test_admits_a_seed_where_that_is_asked_for():
    options = RankOptions(reference="4500", admission="either", focus="anchor")
    ordered = order_seeds(ALL, Ranking(StrategyAim(None, GAZETTEER), options))

    # Boston and Mesa: corr 0.18, focus 1.
    assert [url for url, _ in ordered] == [COAST.url, TOWN_HALL.url, FERRIES.url]


def test_seed_without_links_has_no_focus():
    ((_, ranked),) = order_seeds([Seed("http://mesa.example/")], RANKING)

    assert (ranked.correlation, ranked.focus, ranked.rank) == (1.0, 0.0, 0.5)
