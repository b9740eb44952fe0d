from __future__ import annotations

from collections.abc import Iterator

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.gazetteer.base import PlaceFinder, View
from geoscout_places.model import Kind


@pytest.fixture(scope="module")
def finder(gazetteer: SqliteGazetteer) -> Iterator[PlaceFinder]:
    opened = gazetteer.finder()
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("beginning", "expected"),
    [("lisb", "Lisbon"), ("oldenb", "Oldenburg"), ("São Pau", "São Paulo"), ("new y", "New York")],
)
def test_the_best_known_place_comes_first(
    finder: PlaceFinder, beginning: str, expected: str
) -> None:
    assert finder.complete(beginning, 3)[0].name.startswith(expected)


def test_no_place_is_told_twice(finder: PlaceFinder) -> None:
    ids = [place.id for place in finder.complete("san", 20)]

    assert len(ids) == len(set(ids)) == 20


def test_nothing_completes_nothing(finder: PlaceFinder) -> None:
    assert finder.complete("", 5) == finder.complete(" ,", 5) == []


def test_towns_in_view_come_by_population(finder: PlaceFinder) -> None:
    names = [place.name for place in finder.in_view(View(8, 53, 9, 53.3), 3)]

    assert names[:2] == ["Bremen", "Oldenburg"]


def test_a_view_may_cross_the_antimeridian(finder: PlaceFinder) -> None:
    places = finder.in_view(View(177, -19, -179, -15), 50)

    assert {"FJ"} == {place.country for place in places}


def test_continents_are_seven(finder: PlaceFinder) -> None:
    assert len(finder.of_kind(Kind.CONTINENT)) == 7
