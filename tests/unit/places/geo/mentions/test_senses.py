"""What a name may mean is worked out late, and once."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer.base import Lineage
from geoscout_places.geo.mentions import NameKnowledge, find_mentions
from geoscout_places.geo.mentions.knowledge import NameFacts
from geoscout_places.geo.mentions.senses import Option, Senses, place_options
from geoscout_places.model import Candidate, Kind, NameRole, Place, Point
from tests.fakes import FakeGazetteer


def facts_of(name: str, knowledge: NameKnowledge) -> NameFacts:
    facts = knowledge.tongue("").facts[name]
    assert facts is not None
    return facts


def test_options_are_made_when_a_field_is_read_and_only_once(knowledge: NameKnowledge) -> None:
    asked = 0

    def options_of(name: str) -> tuple[Option, ...]:
        nonlocal asked
        asked += 1
        candidates = knowledge.gazetteer.candidates(name)
        return place_options(candidates, knowledge.gazetteer, knowledge.sense)

    senses = Senses("Salem", options_of)
    assert asked == 0

    assert "US" in senses.countries
    assert senses.ids == {option.place.id for option in senses.options}
    assert asked == 1


def test_an_unknown_field_is_an_error(knowledge: NameKnowledge) -> None:
    with pytest.raises(AttributeError):
        facts_of("Salem", knowledge).population  # type: ignore[attr-defined] # noqa: B018


def test_an_option_knows_what_is_around_it(knowledge: NameKnowledge) -> None:
    for option in facts_of("Salem", knowledge).options:
        above = knowledge.gazetteer.ancestors(option.place)
        assert option.where.above == tuple(place.id for place in above)
        regions = [place.id for place in above if place.kind is Kind.REGION]
        assert option.where.region == (regions[0] if regions else 0)


def test_a_name_means_the_same_in_every_language(knowledge: NameKnowledge) -> None:
    german, english = (knowledge.tongue(code).facts["Salem"] for code in ("de", "en"))

    assert german
    assert english
    assert german.options is english.options


class _Circular(FakeGazetteer):
    """Two places that contain each other, as imported files may say."""

    def lineage(self, id: int) -> Lineage:
        return Lineage(0, (id, 3 - id))


def test_places_that_contain_each_other_are_not_above_themselves(knowledge: NameKnowledge) -> None:
    one = Place(1, "One", Kind.DISTRICT, Point(0, 0), "XX", parent=2)

    options = place_options([Candidate(one, 1.0, NameRole.NAME)], _Circular([]), knowledge.sense)

    assert options[0].where.above == (2,)


def test_a_part_of_a_longer_word_is_not_looked_up(knowledge: NameKnowledge) -> None:
    knowledge.forget()

    find_mentions("Parisology is the study of Rome.", knowledge)

    assert "Rome" in knowledge.tongue("en").facts
    assert "Paris" not in knowledge.tongue("en").facts


def test_people_are_found_by_the_plural(knowledge: NameKnowledge) -> None:
    knowledge.forget()

    found = find_mentions("Egyptians and Canadians met.", knowledge)

    assert [mention.text for mention in found] == ["Egyptians", "Canadians"]
