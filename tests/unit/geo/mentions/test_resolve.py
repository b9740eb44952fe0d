"""Choosing among the places of one name."""

from __future__ import annotations

import pytest

from geoscout.geo.mentions import NameKnowledge
from geoscout.geo.mentions.evidence import PageEvidence
from geoscout.geo.mentions.knowledge import NameFacts
from geoscout.geo.mentions.resolve import Chooser, option_features


def facts_of(name: str, knowledge: NameKnowledge) -> NameFacts:
    facts = knowledge.tongue("").facts[name]
    assert facts is not None
    return facts


def test_score_is_the_weighted_sum_of_the_features(knowledge: NameKnowledge) -> None:
    names = ("Salem", "Oregon", "Portland", "Eugene")
    evidence = PageEvidence([(name, facts_of(name, knowledge)) for name in names])
    salem = facts_of("Salem", knowledge)
    areas = frozenset(salem.options[1].where.above)

    scores = Chooser(evidence, knowledge)._scores("Salem", salem, areas)

    rows = option_features("Salem", salem, evidence, areas)
    for option, row, score in zip(salem.options, rows, scores, strict=True):
        expected = sum(w * f for w, f in zip(knowledge.sense.page, row, strict=True))
        assert score == pytest.approx(option.base + expected)


def test_name_does_not_speak_for_itself(knowledge: NameKnowledge) -> None:
    springfield = facts_of("Springfield", knowledge)

    rows = option_features(
        "Springfield", springfield, PageEvidence([("Springfield", springfield)]), frozenset()
    )

    assert all(value == pytest.approx(0.0) for row in rows for value in row)


def test_evidence_is_whole_again_after_a_name_was_muted(knowledge: NameKnowledge) -> None:
    evidence = PageEvidence([(name, facts_of(name, knowledge)) for name in ("Paris", "Texas")])
    before = dict(evidence.weights.countries)

    Chooser(evidence, knowledge).choose("Paris", facts_of("Paris", knowledge), frozenset())

    assert evidence.weights.countries == pytest.approx(before)
