"""Queries are read into words and a place.

Which place a name means, by what an index holds.
"""

from __future__ import annotations

import pytest

from geoscout.search.base import Question
from geoscout.search.engine import SearchEngine
from tests.unit.search.worlds import MakeEngine, page

LISBON, LISBON_NH, ATHENS, ATHENS_AL, MADRID = 2267057, 5088728, 264371, 4830668, 3117735


ILLINOIS, MASSACHUSETTS = 4250542, 4951788

SPRINGFIELDS = {
    **{
        f"http://kirche{n}.example/": page("Orgel", "Alte Kirchen und ihre Orgeln.")
        for n in range(8)
    },
    "http://kirchen.example/": page("Rathaus", "Lindenstraße 1, 57548 Kirchen, Deutschland"),
    "http://il.example/": page("Museum", "A museum.", "12 Main Street, Springfield, IL 62701"),
    "http://ma.example/": page("Bakery", "A bakery.", "12 Main Street, Springfield, MA 01103"),
}


@pytest.fixture(scope="module")
def towns(make_engine: MakeEngine) -> SearchEngine:
    return make_engine(SPRINGFIELDS)


def test_noun_that_is_also_a_village_is_a_word(towns: SearchEngine) -> None:
    interpretation = towns.read(Question("orgeln kirchen"))

    assert (interpretation.place, interpretation.words) == (None, ("orgeln", "kirchen"))


def test_village_is_meant_after_a_preposition(towns: SearchEngine) -> None:
    interpretation = towns.read(Question("rathaus in Kirchen"))

    assert interpretation.place is not None
    assert interpretation.place.name == "Kirchen"


@pytest.mark.parametrize(("word", "place"), [("museum", ILLINOIS), ("bakery", MASSACHUSETTS)])
def test_words_decide_between_namesakes_that_are_close(
    towns: SearchEngine, word: str, place: int
) -> None:
    interpretation = towns.read(Question(f"{word} in Springfield"))

    assert interpretation.place is not None
    assert interpretation.place.id == place


def test_place_of_the_name_comes_before_one_that_is_also_called_so(
    towns: SearchEngine,
) -> None:
    interpretation = towns.read(Question("museum in Frisco"))

    assert interpretation.place is not None
    assert interpretation.place.name == "Frisco"  # not San Francisco


def test_rare_name_that_is_known_is_not_taken_for_another_misspelt(
    towns: SearchEngine,
) -> None:
    assert towns.read(Question("museum in Springfeld")).corrected == "springfield"
    assert towns.read(Question("museum in Springdale")).corrected == ""


def test_pages_with_an_address_in_a_place_are_counted(towns: SearchEngine) -> None:
    counts = [towns.reader.pages_addressed_at(id) for id in (ILLINOIS, MASSACHUSETTS, 1)]

    assert counts == [1, 1, 0]
