"""A strategy that knows the registrants of a synthetic web."""

from __future__ import annotations

import pytest

from geoscout.strategy import Source, StrategyAim
from geoscout_lab.simulation.collaborative import create_for
from geoscout_lab.worlds.synthetic import SyntheticWeb, WebPlan, make_web
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region
from geoscout_places.gazetteer.sqlite import SqliteGazetteer
from geoscout_places.model import Link, Page, Request


@pytest.fixture(scope="module")
def web(gazetteer: SqliteGazetteer) -> SyntheticWeb:
    return make_web(WebPlan("ahlers2009", 1, 2000), gazetteer)


def test_every_domain_has_a_holder(web: SyntheticWeb) -> None:
    records = list(web.registrations())

    assert len(records) == len(web.register.sites)
    assert any(record.city == "Berlin" for record in records)
    assert all(record.country for record in records)


def test_strategy_gets_the_records_of_its_world(
    web: SyntheticWeb, gazetteer: SqliteGazetteer
) -> None:
    aim = StrategyAim(Region.parse(web.region, gazetteer), gazetteer)
    here = next(record for record in web.registrations() if record.city == "Berlin")
    link = Link(f"http://{here.domain}/", "more", tag_path="a")
    source = Source(Request("http://x.example/"), Page.empty(""), relevant=False)

    plain, told = (
        create_for(f"hybrid{more}", web, aim).score(source, [link])[0].score
        for more in ("", ":registrations=world")
    )

    assert told > plain


def test_strategy_that_reads_no_registrations_says_so(web: SyntheticWeb) -> None:
    with pytest.raises(UsageError, match="breadth has no option 'registrations'"):
        create_for("breadth:registrations=world", web, StrategyAim())
