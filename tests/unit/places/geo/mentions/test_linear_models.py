"""The shipped weights and the sums over them."""

from itertools import product

import pytest

from geoscout_places.geo.mentions.linear_models import (
    BASE_FEATURES,
    BITS,
    PAGE_FEATURES,
    BeliefModel,
    SenseModel,
    base_features,
    page_features,
    read_weights,
)
from geoscout_places.model import Candidate, Kind, NameRole, Place, Point


def test_context_score_is_the_sum_of_its_features():
    model = BeliefModel({"before=in": 1.0, "after=end": 0.5, "case=title plain-big": 0.25})

    assert model.contexts["plain-big", "in", "end", "title", "long"] == 1.75


def test_every_flag_has_its_own_bit():
    assert sorted(BITS.values()) == [1 << position for position in range(len(BITS))]
    assert "listed" in page_features("plain-big", BITS["listed"])
    assert not list(page_features("plain-big", 0))


def test_shipped_senses_have_every_feature():
    assert set(read_weights("sense.tsv")) == {*BASE_FEATURES, *PAGE_FEATURES}


def test_shipped_belief_knows_what_a_preposition_means():
    weights = read_weights("belief.tsv")

    assert weights["before=in"] > weights["before=first"]


def test_the_score_of_a_sense_is_the_weighted_sum_of_its_features():
    weights = {feature: 0.1 * number for number, feature in enumerate(BASE_FEATURES, start=1)}
    model = SenseModel(weights)
    for kind, role, is_namesake in product(Kind, NameRole, (True, False)):
        candidate = Candidate(Place(1, "Here", kind, Point(0, 0), "XX"), 5.5, role)
        features = base_features(candidate, is_namesake=is_namesake)
        expected = sum(w * f for w, f in zip(model.base, features, strict=True))
        assert model.base_score(candidate, is_namesake=is_namesake) == pytest.approx(expected)
