from __future__ import annotations

from geoscout_places.model import Candidate, Kind, NameRole, Place, Point
from geoscout_places.toponyms import (
    are_nested,
    is_first_bearer,
    proper_bearers,
    qualified_bearers,
    region_among,
)
from tests.fakes import FakeGazetteer


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


def test_place_is_called_by_its_names_and_aliases() -> None:
    assert [found.place for found in proper_bearers("Gem City", GAZETTEER)] == [DAYTON_OHIO]
    assert [f.place for f in proper_bearers("dayton", GAZETTEER)] == [DAYTON_OHIO, DAYTON_IOWA]


def test_codes_and_people_are_not_what_a_place_is_called() -> None:
    assert proper_bearers("OH", GAZETTEER) == []
    assert proper_bearers("Ohioan", GAZETTEER) == []


def test_qualifier_chooses_among_bearers() -> None:
    found = qualified_bearers("Dayton, Iowa", GAZETTEER, with_codes=False)

    assert [candidate.place for candidate in found] == [DAYTON_IOWA]


def test_code_counts_only_where_it_is_asked_for() -> None:
    assert qualified_bearers("OH", GAZETTEER, with_codes=False) == []
    assert [c.place for c in qualified_bearers("OH", GAZETTEER, with_codes=True)] == [OHIO]
    assert qualified_bearers("Ohioan", GAZETTEER, with_codes=True) == []


def test_name_means_its_first_bearer() -> None:
    assert is_first_bearer(DAYTON_OHIO, "Dayton", GAZETTEER)
    assert not is_first_bearer(DAYTON_IOWA, "Dayton", GAZETTEER)
    assert not is_first_bearer(DAYTON_IOWA, "Nowhere", GAZETTEER)


def test_region_is_found_among_what_contains_a_place() -> None:
    assert region_among(GAZETTEER.ancestors(DAYTON_IOWA)) == IOWA.id
    assert region_among(()) == 0


def test_places_are_nested_either_way() -> None:
    assert are_nested(OHIO, DAYTON_OHIO, GAZETTEER)
    assert are_nested(DAYTON_OHIO, OHIO, GAZETTEER)
    assert not are_nested(IOWA, DAYTON_OHIO, GAZETTEER)
