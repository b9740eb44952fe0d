"""What a name may mean is worked out late, and once."""

from geoscout_places.caches import BoundedCache
from geoscout_places.gazetteer.base import Lineage
from geoscout_places.geo.mentions import NameKnowledge, find_mentions
from geoscout_places.geo.mentions.senses import NameFacts, Senses, find_senses
from geoscout_places.model import Candidate, Kind, NameRole, Place, Point
from tests.fakes import FakeGazetteer


def facts_of(name: str, knowledge: NameKnowledge) -> NameFacts:
    facts = knowledge.tongue("").facts[name]
    assert facts is not None
    return facts


def test_senses_are_worked_out_when_they_are_asked_for_and_only_once(knowledge):
    asked = []

    def senses_of(name: str) -> Senses:
        asked.append(name)
        candidates = knowledge.gazetteer.candidates(name)
        return find_senses(candidates, knowledge.gazetteer, knowledge.sense)

    facts = NameFacts("Salem", "plain-big", 0.0, BoundedCache(senses_of, 10))
    assert not asked

    assert "US" in facts.senses().countries
    assert len(facts.senses().ids) == len(facts.senses().kinds)
    assert asked == ["Salem"]


def test_senses_tell_what_is_around_each_place(knowledge):
    senses = facts_of("Salem", knowledge).senses()
    for candidate, lineage, own in zip(
        senses.candidates, senses.lineages, senses.regions, strict=True
    ):
        above = knowledge.gazetteer.ancestors(candidate.place)
        assert lineage == tuple(place.id for place in above)
        regions = [place.id for place in above if place.kind is Kind.REGION]
        assert own == (regions[0] if regions else 0)


def test_a_name_means_the_same_in_every_language(knowledge):
    german, english = (knowledge.tongue(code).facts["Salem"] for code in ("de", "en"))

    assert german
    assert english
    assert german.senses() is english.senses()


class _Circular(FakeGazetteer):
    """Two places that contain each other, as imported files may say."""

    def lineage(self, id: int) -> Lineage:
        return Lineage(0, (id, 3 - id))


def test_places_that_contain_each_other_are_not_above_themselves(knowledge):
    one = Place(1, "One", Kind.DISTRICT, Point(0, 0), "XX", parent=2)

    senses = find_senses([Candidate(one, 1.0, NameRole.NAME)], _Circular([]), knowledge.sense)

    assert senses.lineages == ((2,),)


def test_a_part_of_a_longer_word_is_not_looked_up(knowledge):
    knowledge.forget()

    find_mentions("Parisology is the study of Rome.", knowledge)

    assert "Rome" in knowledge.tongue("en").facts
    assert "Paris" not in knowledge.tongue("en").facts


def test_people_are_found_by_the_plural(knowledge):
    knowledge.forget()

    found = find_mentions("Egyptians and Canadians met.", knowledge)

    assert [mention.text for mention in found] == ["Egyptians", "Canadians"]
