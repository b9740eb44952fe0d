"""Choosing among the places of one name."""

import pytest

from geoscout_places.geo.mentions import NameKnowledge
from geoscout_places.geo.mentions.linear_models import base_features
from geoscout_places.geo.mentions.resolve import Chooser, PageEvidence, option_features
from geoscout_places.geo.mentions.senses import NameFacts
from geoscout_places.model import Kind


def facts_of(name: str, knowledge: NameKnowledge) -> NameFacts:
    facts = knowledge.tongue("").facts[name]
    assert facts is not None
    return facts


def test_score_is_the_weighted_sum_of_the_features(knowledge):
    names = ("Salem", "Oregon", "Portland", "Eugene")
    evidence = PageEvidence([(name, facts_of(name, knowledge)) for name in names])
    salem = facts_of("Salem", knowledge)
    areas = frozenset(salem.senses().lineages[1])

    scores = Chooser(evidence, knowledge)._scores("Salem", salem.senses(), areas)

    rows = option_features("Salem", salem, evidence, areas)
    for base, row, score in zip(salem.senses().bases, rows, scores, strict=True):
        expected = sum(w * f for w, f in zip(knowledge.sense.page, row, strict=True))
        assert score == pytest.approx(base + expected)


@pytest.mark.parametrize("name", ["Salem", "New York", "Toledo"])
def test_base_is_the_weighted_sum_of_the_base_features(name, knowledge):
    senses = facts_of(name, knowledge).senses()
    for candidate, is_namesake, base in zip(
        senses.candidates, senses.are_namesakes, senses.bases, strict=True
    ):
        row = base_features(candidate, is_namesake=is_namesake)
        expected = sum(w * f for w, f in zip(knowledge.sense.base, row, strict=True))
        assert base == pytest.approx(expected)


def test_name_does_not_speak_for_itself(knowledge):
    springfield = facts_of("Springfield", knowledge)

    rows = option_features(
        "Springfield", springfield, PageEvidence([("Springfield", springfield)]), frozenset()
    )

    assert all(value == pytest.approx(0.0) for row in rows for value in row)


def test_evidence_is_whole_again_after_a_name_was_muted(knowledge):
    evidence = PageEvidence([(name, facts_of(name, knowledge)) for name in ("Paris", "Texas")])
    before = dict(evidence.weights.countries)

    Chooser(evidence, knowledge).choose("Paris", facts_of("Paris", knowledge), frozenset())

    assert evidence.weights.countries == pytest.approx(before)


def test_town_in_a_named_district_is_meant(knowledge):
    # Huntsville in Alabama is larger, and there is a Walker County in Alabama too.
    names = ("Huntsville", "Walker County")
    evidence = PageEvidence([(name, facts_of(name, knowledge)) for name in names])
    huntsville = facts_of("Huntsville", knowledge)

    place, _ = Chooser(evidence, knowledge).choose("Huntsville", huntsville, frozenset())

    assert [knowledge.gazetteer.ancestors(place)[n].name for n in (0, 1)] == [
        "Walker County",
        "Texas",
    ]


def test_district_with_a_named_town_in_it_is_meant(knowledge):
    names = ("Huntsville", "Walker County")
    evidence = PageEvidence([(name, facts_of(name, knowledge)) for name in names])
    county = facts_of("Walker County", knowledge)

    rows = option_features("Walker County", county, evidence, frozenset())

    options = zip(county.senses().candidates, rows, strict=True)
    surrounding = [one.place for one, row in options if row[7]]
    assert [knowledge.gazetteer.ancestors(place)[0].name for place in surrounding] == ["Texas"]


def test_what_lies_in_several_countries_is_at_home_in_each_of_them(knowledge):
    alps = facts_of("Alpen", knowledge)
    evidence = PageEvidence([(name, facts_of(name, knowledge)) for name in ("Munich", "Dachau")])
    chooser = Chooser(evidence, knowledge)
    scores = chooser._scores("Alpen", alps.senses(), frozenset())
    rows = option_features("Alpen", alps, evidence, frozenset())

    place, _ = chooser.choose("Alpen", alps, frozenset())

    assert (place.name, place.kind) == ("Alps", Kind.AREA)
    for base, row, score in zip(alps.senses().bases, rows, scores, strict=True):
        expected = sum(w * f for w, f in zip(knowledge.sense.page, row, strict=True))
        assert score == pytest.approx(base + expected)
