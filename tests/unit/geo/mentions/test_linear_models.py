"""The shipped weights and the sums over them."""

from __future__ import annotations

from geoscout.geo.mentions.linear_models import (
    BASE_FEATURES,
    BITS,
    PAGE_FEATURES,
    BeliefModel,
    page_features,
    read_weights,
)


def test_context_score_is_the_sum_of_its_features() -> None:
    model = BeliefModel({"before=in": 1.0, "after=end": 0.5, "case=title plain-big": 0.25})

    assert model.context_score("plain-big", "in", "end", "title long") == 1.75


def test_every_flag_has_its_own_bit() -> None:
    assert sorted(BITS.values()) == [1 << position for position in range(len(BITS))]
    assert "listed" in page_features("plain-big", BITS["listed"])
    assert not list(page_features("plain-big", 0))


def test_shipped_senses_have_every_feature() -> None:
    assert set(read_weights("sense.tsv")) == {*BASE_FEATURES, *PAGE_FEATURES}


def test_shipped_belief_knows_what_a_preposition_means() -> None:
    weights = read_weights("belief.tsv")

    assert weights["before=in"] > weights["before=first"]
