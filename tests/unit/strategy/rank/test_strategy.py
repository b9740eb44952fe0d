from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from geoscout.errors import UsageError
from geoscout.gazetteer import SqliteGazetteer
from geoscout.model import HELD, Link, Request
from geoscout.plugins import PluginOptions
from geoscout.registrations import RegistrationRecord
from geoscout.strategy.anchors import AnchorsOptions
from geoscout.strategy.base import StrategyAim
from geoscout.strategy.rank.options import RankOptions
from geoscout.strategy.rank.strategy import Rank, create
from tests.unit.strategy.american_places import GAZETTEER, make_link, make_source

BOSTON = make_link("http://boston.example/", "Boston")  # Rank 1
WINDOW = make_link("http://a.example/", "here", before="Mesa")  # Rank 0.5
NOTHING = make_link("http://b.example/", "Contact")


def strategy(**options: str) -> Rank:
    rank = create(StrategyAim(None, GAZETTEER, options))
    assert isinstance(rank, Rank)
    return rank


def priorities(strategy: Rank, *links: Link) -> list[float]:
    return [s.score for s in strategy.score(make_source(), links) if s is not None]


def test_rank_is_the_priority() -> None:
    assert priorities(strategy(), WINDOW, BOSTON) == [0.5, 1.0]


def test_link_without_a_place_is_dropped() -> None:
    assert strategy().score(make_source(), [NOTHING]) == [None]


def test_link_without_a_place_may_wait_behind_all_others() -> None:
    for order in ("rank", "fifo"):
        found = priorities(strategy(epsilon="yes", order=order), NOTHING, WINDOW, BOSTON)

        assert found[0] < min(found[1:])


def test_queue_order_is_the_order_of_discovery() -> None:
    queue = strategy(order="fifo")

    first, second = priorities(queue, WINDOW, BOSTON)
    later = priorities(queue, BOSTON)[0]

    assert first > second > later


def test_queue_goes_on_after_a_stop() -> None:
    queue, resumed = strategy(order="fifo"), strategy(order="fifo")
    earlier = priorities(queue, WINDOW, BOSTON)

    resumed.load(queue.save())

    assert priorities(resumed, BOSTON)[0] < min(earlier)


def test_explanation_names_the_parts_and_the_sources() -> None:
    reason = strategy().explain(make_source(), BOSTON)

    assert (reason.name, reason.value, reason.detail) == ("rank", 1.0, "admitted")
    assert [(part.name, part.value) for part in reason.parts] == [("corr", 1.0), ("focus", 1.0)]
    assert [part.name for part in reason.parts[0].parts] == ["host 'Boston'", "anchor 'Boston'"]


def test_wrong_option_is_refused_before_anything_is_loaded() -> None:
    with pytest.raises(UsageError, match="order must be rank or fifo"):
        create(StrategyAim(options={"order": "random"}))


def test_worked_example_with_the_real_gazetteer(gazetteer: SqliteGazetteer) -> None:
    options = {"reference": "4500", "senses": "nearest"}
    link = make_link("http://hotels.example/cambridge/", "Hotels in Boston Massachusetts")

    (scored,) = create(StrategyAim(None, gazetteer, options)).score(make_source(), [link])

    assert scored.score == pytest.approx(0.750, abs=0.001)


def test_navigation_of_a_site_names_no_places(gazetteer: SqliteGazetteer) -> None:
    anchors = "Home|About us|Contact|News|Best offers|Read more|Our team|Shop|Kontakt|Impressum"
    links = [make_link(f"http://example.org/{a}", a) for a in anchors.split("|")]

    assert create(StrategyAim(None, gazetteer)).score(make_source(), links) == [None] * len(links)


@pytest.mark.parametrize("kind", [RankOptions, AnchorsOptions])
def test_every_option_is_documented(kind: type[PluginOptions]) -> None:
    page = Path(__file__).parents[4].joinpath("docs", "rank.md").read_text()

    missing = [f.name for f in fields(kind) if f"{f.name.replace('_', '-')}=" not in page]
    assert missing == []


def test_registrations_come_from_a_table(tmp_path: Path) -> None:
    table = tmp_path / "registrations.tsv"
    table.write_text("domain\tcity\tregion\tcountry\nb.example\tBoston\tMA\tUS\n")

    assert priorities(strategy(registrations=str(table)), NOTHING) == [0.5]


def test_it_reads_no_file_of_its_own() -> None:
    rank = Rank(StrategyAim(None, GAZETTEER), RankOptions(registrations="/there/is/no/such/table"))

    assert priorities(rank, BOSTON) == [1.0]


def test_links_are_counted_by_what_became_of_them() -> None:
    far_apart = make_link("http://a.example/", "here", before="Boston Mesa")
    near = strategy(reference="decay")

    near.score(make_source(), [BOSTON, NOTHING, far_apart])

    assert near.links == {"admitted": 1, "no place": 1, "far apart": 1}


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


def test_link_without_a_place_is_held_until_its_domain_is_known() -> None:
    rank = asking()
    held = waiting(rank, NOTHING)

    hosts = rank.add_reply(RegistrationRecord("b.example", "Boston", "MA", "US"))

    assert held[0].priority == HELD
    assert hosts == ["b.example"]
    assert rank.rescore(held) == [0.5]


def test_link_is_dropped_once_its_domain_tells_nothing() -> None:
    rank = asking()
    held = waiting(rank, NOTHING)

    rank.add_reply(RegistrationRecord("b.example"))

    assert rank.rescore(held) == [HELD]
    assert rank.score(make_source(), [NOTHING]) == [None]


def test_registrant_far_away_lowers_the_rank() -> None:
    rank = asking()
    requests = waiting(rank, BOSTON)

    rank.add_reply(RegistrationRecord("boston.example", "San Francisco", "", "US"))

    assert rank.rescore(requests)[0] < requests[0].priority


def test_queue_keeps_its_order_when_registries_answer() -> None:
    rank = asking(order="fifo")
    requests = waiting(rank, BOSTON, NOTHING)

    rank.add_reply(RegistrationRecord("b.example", "Boston", "MA", "US"))
    first, second = rank.rescore(requests)

    assert first == requests[0].priority > second > HELD


def test_seed_keeps_its_priority() -> None:
    rank = asking()

    assert rank.rescore([Request("http://b.example/", 1.0)]) == [1.0]
