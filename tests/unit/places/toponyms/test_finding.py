import pytest

from geoscout_places.model import Candidate, Kind, NameRole, Place, Point
from geoscout_places.toponyms import (
    NameFinder,
    are_nested,
    forms_of_folded,
    is_first_bearer,
    proper_bearers,
    qualified_bearers,
    region_among,
    view_of,
)
from tests.fakes import FakeGazetteer


def found(names: list[str], view: str) -> list[str]:
    return [view[start:end] for start, end in NameFinder(names).whole_words(view)]


def test_longest_name_is_found_from_the_left():
    assert found(["York", "New York"], "in New York and York") == ["New York", "York"]


def test_part_of_a_word_is_not_a_name():
    assert found(["Mesa"], "Mesas, Mesa. (Mesa)") == ["Mesa", "Mesa"]


def test_part_of_a_word_is_found_where_that_is_asked_for():
    assert list(NameFinder(["sanfrancisco"]).anywhere("visitsanfrancisco")) == [(5, 17)]


def test_no_names_are_found_nowhere():
    assert found([], "Mesa") == []


@pytest.mark.parametrize("text", ["L.A. and St. Paul", "U.S.A.", "GRÜN-STADT", "a.b.c"])
def test_view_keeps_every_character_in_its_place(text):
    assert len(view_of(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ST. PAUL", "st paul"),
        ("Saint-Paul", "st paul"),
        ("N.Y.C.", "nyc"),
        ("San José", "san jose"),
    ],
)
def test_folded_name_is_found_however_it_is_written(text, name):
    view = view_of(text)

    assert NameFinder(forms_of_folded(name)).whole_words(view)


def make(id: int, name: str, kind: Kind, *, population: int = 0, parent: int = 0) -> Place:
    return Place(id, name, kind, Point(0.0, 0.0), "US", population, "", parent)


OHIO = make(1, "Ohio", Kind.REGION, population=11_000_000)
IOWA = make(2, "Iowa", Kind.REGION, population=3_000_000)
DAYTON_OHIO = make(3, "Dayton", Kind.CITY, population=137_000, parent=1)
DAYTON_IOWA = make(4, "Dayton", Kind.CITY, population=800, parent=2)


class Coded(FakeGazetteer):
    """Knows the code and the people of Ohio, too."""

    def candidates(self, name: str) -> list[Candidate]:
        roles = {"OH": NameRole.CODE, "Ohioan": NameRole.DEMONYM}
        coded = [Candidate(OHIO, 1.0, roles[name])] if name in roles else []
        return [*super().candidates(name), *coded]


GAZETTEER = Coded([OHIO, IOWA, DAYTON_OHIO, DAYTON_IOWA], aliases={3: ["Gem City"]})


def test_place_is_called_by_its_names_and_aliases():
    assert [found.place for found in proper_bearers("Gem City", GAZETTEER)] == [DAYTON_OHIO]
    assert [f.place for f in proper_bearers("dayton", GAZETTEER)] == [DAYTON_OHIO, DAYTON_IOWA]


def test_codes_and_people_are_not_what_a_place_is_called():
    assert proper_bearers("OH", GAZETTEER) == []
    assert proper_bearers("Ohioan", GAZETTEER) == []


def test_qualifier_chooses_among_bearers():
    found = qualified_bearers("Dayton, Iowa", GAZETTEER, with_codes=False)

    assert [candidate.place for candidate in found] == [DAYTON_IOWA]


def test_code_counts_only_where_it_is_asked_for():
    assert qualified_bearers("OH", GAZETTEER, with_codes=False) == []
    assert [c.place for c in qualified_bearers("OH", GAZETTEER, with_codes=True)] == [OHIO]
    assert qualified_bearers("Ohioan", GAZETTEER, with_codes=True) == []


def test_name_means_its_first_bearer():
    assert is_first_bearer(DAYTON_OHIO, "Dayton", GAZETTEER)
    assert not is_first_bearer(DAYTON_IOWA, "Dayton", GAZETTEER)
    assert not is_first_bearer(DAYTON_IOWA, "Nowhere", GAZETTEER)


def test_region_is_found_among_what_contains_a_place():
    assert region_among(GAZETTEER.ancestors(DAYTON_IOWA)) == IOWA.id
    assert region_among(()) == 0


def test_places_are_nested_either_way():
    assert are_nested(OHIO, DAYTON_OHIO, GAZETTEER)
    assert are_nested(DAYTON_OHIO, OHIO, GAZETTEER)
    assert not are_nested(IOWA, DAYTON_OHIO, GAZETTEER)
