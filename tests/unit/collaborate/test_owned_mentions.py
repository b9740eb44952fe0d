from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from geoscout.collaborate.owned_names import OwnedMentionFinder, OwnedNames
from tests.unit.collaborate.worlds import GAZETTEER, PARTITION, STATES

NAMES = OwnedNames(PARTITION.targets, GAZETTEER)
FINDER = OwnedMentionFinder(NAMES)


def read(text: str) -> list[tuple[str, str, int]]:
    return [(text[f.start : f.end], f.name, f.region) for f in FINDER.find(text)]


def test_city_with_its_state_is_one_mention() -> None:
    assert read("in Glendale, CA and") == [("Glendale, CA", "glendale", STATES["California"].id)]


@pytest.mark.parametrize(
    "text",
    [
        "Glendale, California",
        "Glendale CA",
        "GLENDALE, CALIFORNIA",
        "Glendale (CA",
        "Glendale,\nCA",
    ],
)
def test_pair_is_read_however_it_is_written(text: str) -> None:
    assert [found[1:] for found in read(text)] == [("glendale", STATES["California"].id)]


def test_bare_city_and_bare_state_are_two_mentions() -> None:
    found = read("Glendale is hot. Arizona too")

    assert found == [("Glendale", "glendale", 0), ("Arizona", "", STATES["Arizona"].id)]


def test_city_of_a_states_name_is_the_city_alone_and_the_state_behind_another() -> None:
    assert read("New York") == [("New York", "new york", 0)]
    assert read("Albany in New York, New York")[-1][2] == STATES["New York"].id


def test_name_inside_a_word_is_no_mention() -> None:
    assert read("A message from Mesaland") == []


def test_lower_case_word_is_no_mention_unless_asked() -> None:
    assert read("a mesa in the desert") == []
    assert len(OwnedMentionFinder(NAMES, capitals=False).find("a mesa in the desert")) == 1


def test_initials_with_dots_are_read() -> None:
    assert read("from S.F. by train")[0][1] == "sf"


def test_code_of_a_state_alone_is_no_mention() -> None:
    assert read("OK, go WA and MO") == []


def test_longer_name_wins() -> None:
    assert [name for _, name, _ in read("New York City")] == ["new york city"]


@given(some.text())
def test_any_text_is_read_and_spans_are_slices_in_order(text: str) -> None:
    found = FINDER.find(text)

    assert all(0 <= f.start < f.end <= len(text) for f in found)
    assert [f.start for f in found] == sorted(f.start for f in found)
