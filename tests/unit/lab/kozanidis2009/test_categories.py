from __future__ import annotations

import pytest

from geoscout.strategy import StrategyAim
from geoscout.strategy.anchors import Anchors
from geoscout_lab.kozanidis2009.categories import (
    TAUGHT,
    category_of,
    classifier_by_categories,
    names_any,
    related_names,
)
from geoscout_lab.worlds.synthetic import WebPlan, make_web
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.wordnet import load_geowordnet
from geoscout_places.model import Link
from geoscout_places.parse import parse_html
from tests.unit.lab.kozanidis2009.small_world import SmallWorld

TEXAS = related_names(["Texas"], load_geowordnet())


@pytest.mark.parametrize(
    "name",
    ["texas", "lone-star state", "houston", "united states", "american state"],
    ids=["same", "synonym", "part", "whole", "kind"],
)
def test_wordnet_relates_a_name_to_a_category(name):
    assert name.replace("-", " ") in {found.replace("-", " ") for found in TEXAS}


def test_other_places_and_words_are_not_related():
    assert not TEXAS & {"berlin", "bavaria", "contact", "hotel"}


def test_name_must_be_whole_words():
    assert names_any("Hotels in Houston, downtown", TEXAS)
    assert not names_any("Texasville fair", TEXAS)


@pytest.mark.slow
def test_classifier_expects_what_the_categories_of_the_seeds_name(gazetteer):
    web = make_web(WebPlan("gao2006", 1, 3000), gazetteer, parse_html)
    homes = [p for p in range(web.size) if web.url(p).count("/") == 3 and web.status(p) == 200]
    local = web.from_seeds([page for page in homes if web.place(page)][:10])

    spec = f"anchors:gazetteer=geowordnet{TAUGHT}"
    crawler = classifier_by_categories(spec, local, StrategyAim(None, gazetteer))

    assert isinstance(crawler, Anchors)
    assert "United States" in category_of(local, local.seeds[0], gazetteer)
    place = local.place(local.seeds[0])
    assert place is not None
    names = [link.anchor for seed in local.seeds for link in local.links(seed)]
    taught = [name for name in names if names_any(name, related_names([place.name], WORDNET))]
    assert not crawler.expects_place(Link("http://x.example/", "Contact us"))
    assert not taught or crawler.expects_place(Link("http://x.example/", taught[0]))


WORDNET = load_geowordnet()


def test_world_that_knows_no_places_has_no_categories(gazetteer):
    with pytest.raises(UsageError, match="needs a synthetic web"):
        classifier_by_categories(
            f"anchors{TAUGHT}", SmallWorld(["text"], {}), StrategyAim(None, gazetteer)
        )
