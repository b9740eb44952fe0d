from __future__ import annotations

import pytest

from geoscout.strategy.rank.measures import (
    CodeReader,
    SenseChooser,
    nearest_senses,
    without_short_aliases,
)
from geoscout_places.gazetteer import Region, SqliteGazetteer
from geoscout_places.model import Place
from geoscout_places.toponyms.short_texts import Toponym, ToponymReader
from tests.unit.strategy.american_places import (
    BOSTON,
    CAMBRIDGE_GB,
    CAMBRIDGE_MA,
    GAZETTEER,
    MASSACHUSETTS,
    MESA,
    NEW_YORK,
    make_place,
)

CAMBRIDGE = Toponym("Cambridge", (CAMBRIDGE_GB, CAMBRIDGE_MA), 1)
BOSTON_NAME = Toponym("Boston", (BOSTON,), 1)
STATE_NAME = Toponym("Massachusetts", (MASSACHUSETTS,), 1)
HOME = Region.parse("Massachusetts", GAZETTEER)


def choose(how: str, *toponyms: Toponym, home: Region | None = None) -> list[Place]:
    return SenseChooser(GAZETTEER, home, how).choose(toponyms)


def test_nearest_senses_lie_together() -> None:
    assert nearest_senses([BOSTON_NAME, CAMBRIDGE]) == [BOSTON, CAMBRIDGE_MA]
    assert nearest_senses([CAMBRIDGE]) == [CAMBRIDGE_GB]


@pytest.mark.parametrize("how", ["first", "nearest"])
def test_name_of_the_state_in_the_link_is_a_qualifier(how: str) -> None:
    assert choose(how, CAMBRIDGE, STATE_NAME) == [CAMBRIDGE_MA, MASSACHUSETTS]


@pytest.mark.parametrize("how", ["first", "nearest"])
def test_place_of_the_region_comes_first(how: str) -> None:
    assert choose(how, CAMBRIDGE, home=HOME) == [CAMBRIDGE_MA]


def test_region_does_not_leave_a_name_without_a_place() -> None:
    assert choose("first", Toponym("Mesa", (MESA, NEW_YORK), 1), home=HOME) == [MESA]


def test_first_sense_is_taken_where_nothing_narrows() -> None:
    assert choose("first", CAMBRIDGE, BOSTON_NAME) == [CAMBRIDGE_GB, BOSTON]


def test_most_populous_sense_looks_at_nothing_else() -> None:
    by_wordnet = Toponym("Cambridge", (CAMBRIDGE_MA, CAMBRIDGE_GB), 1)

    assert choose("population", by_wordnet, STATE_NAME, home=HOME) == [CAMBRIDGE_GB, MASSACHUSETTS]


def test_place_named_twice_counts_once() -> None:
    hub = Toponym("The Hub", (BOSTON,), 2)

    assert choose("first", BOSTON_NAME, hub) == [BOSTON]


@pytest.mark.parametrize(
    ("text", "senses"),
    [
        ("Hotels in Cambridge, MA", (CAMBRIDGE_MA,)),
        ("Hotels in Cambridge MA", (CAMBRIDGE_MA,)),
        ("Cambridge, MAINE", (CAMBRIDGE_GB, CAMBRIDGE_MA)),
        ("Cambridge ma", (CAMBRIDGE_GB, CAMBRIDGE_MA)),
        ("MA Cambridge", (CAMBRIDGE_GB, CAMBRIDGE_MA)),
        ("Cambridge, ZZ", (CAMBRIDGE_GB, CAMBRIDGE_MA)),
    ],
)
def test_code_after_a_name_is_a_qualifier(text: str, senses: tuple[Place, ...]) -> None:
    assert CodeReader(GAZETTEER).narrow(CAMBRIDGE, text).senses == senses


def test_codes_in_paths_are_in_small_letters() -> None:
    narrowed = CodeReader(GAZETTEER).narrow(CAMBRIDGE, "hotels cambridge ma", is_lower=True)

    assert narrowed.senses == (CAMBRIDGE_MA,)


def test_alias_of_a_few_letters_is_no_name() -> None:
    ulm = make_place(40, "Ulm", (48.4, 9.98))

    assert without_short_aliases(Toponym("Nyc", (NEW_YORK,), 1)) is None
    assert without_short_aliases(Toponym("Ulm", (NEW_YORK, ulm), 1)) == Toponym("Ulm", (ulm,), 1)


@pytest.mark.parametrize(
    ("text", "region", "expected"),
    [
        ("Boston and Cambridge", None, ["US", "US"]),
        ("Santa Cruz, California", None, ["US", "US"]),
        ("Santa Cruz", "California", ["US"]),
        ("Cambridge", "Massachusetts", ["US"]),
        ("Cambridge, Oxford and London, England", None, ["GB", "GB", "GB", "GB"]),
    ],
)
def test_senses_of_the_shipped_gazetteer(
    gazetteer: SqliteGazetteer, text: str, region: str | None, expected: list[str]
) -> None:
    home = Region.parse(region, gazetteer) if region else None
    (toponyms,) = ToponymReader(gazetteer, home).in_texts([text])

    places = SenseChooser(gazetteer, home, "nearest").choose(toponyms)

    assert [place.country for place in places] == expected
