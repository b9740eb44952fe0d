from __future__ import annotations

from geoscout.strategy.base import StrategyAim
from geoscout.strategy.rank.formulas import Ranking, RankOptions
from geoscout.strategy.rank.strategy import Seed, filter_seeds, order_seeds
from tests.unit.strategy.american_places import GAZETTEER, make_link

RANKING = Ranking(StrategyAim(None, GAZETTEER), RankOptions(reference="4500"))

TOWN_HALL = Seed("http://www.boston.example/", (make_link(anchor="Boston parks"), make_link()))
FERRIES = Seed("http://ferries.example/", (make_link(anchor="Boston"), make_link(anchor="Mesa")))
CHAIN = Seed("http://chain.example/", (make_link(anchor="x", before="Boston San Francisco"),))
RECIPES = Seed("http://recipes.example/", (make_link(anchor="Home"),))
COAST = Seed("http://coast.example/", (make_link(anchor="Boston"), make_link(anchor="New York")))
ALL = [RECIPES, CHAIN, TOWN_HALL, FERRIES, COAST]


def test_seed_without_toponyms_is_dropped() -> None:
    assert list(filter_seeds(ALL, RANKING)) == [
        CHAIN.url,
        TOWN_HALL.url,
        FERRIES.url,
        COAST.url,
    ]


def test_kept_seed_comes_with_its_toponyms_and_their_sources() -> None:
    kept = filter_seeds(ALL, RANKING)

    found = [(piece.source, piece.toponym.name) for piece in kept[TOWN_HALL.url]]
    assert found == [("host", "Boston"), ("anchor", "Boston")]


def test_seed_url_alone_is_enough_to_be_kept() -> None:
    assert list(filter_seeds([Seed("http://mesa.example/")], RANKING)) == ["http://mesa.example/"]


def test_places_in_the_urls_of_its_links_do_not_speak_for_a_seed() -> None:
    seed = Seed("http://links.example/", (make_link("http://boston.example/", "click"),))

    assert filter_seeds([seed], RANKING) == {}


def test_admitted_seeds_come_in_the_order_of_rank() -> None:
    ordered = order_seeds(ALL, RANKING)

    # Boston alone: corr 1, focus (1/2 + 0) / 2. Boston and New York lie 300 km apart: corr 0.93,
    # focus (1 + 1/2) / 2. The places of the others lie 3,700 and 4,300 km apart.
    assert [url for url, _ in ordered] == [COAST.url, TOWN_HALL.url]
    assert [round(ranked.rank, 2) for _, ranked in ordered] == [0.84, 0.62]


def test_either_test_admits_a_seed_where_that_is_asked_for() -> None:
    options = RankOptions(reference="4500", admission="either")
    ordered = order_seeds(ALL, Ranking(StrategyAim(None, GAZETTEER), options))

    # Boston and Mesa: corr 0.18, focus 1.
    assert [url for url, _ in ordered] == [COAST.url, TOWN_HALL.url, FERRIES.url]


def test_seed_without_links_has_no_focus() -> None:
    ((_, ranked),) = order_seeds([Seed("http://mesa.example/")], RANKING)

    assert (ranked.correlation, ranked.focus, ranked.rank) == (1.0, 0.0, 0.5)
