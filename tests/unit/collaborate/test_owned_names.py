"""Who bears a name, whom it means, and where it stands in a text: the paper's own examples."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from geoscout.collaborate.owned_names import OwnedMentionFinder, OwnedNames
from geoscout.collaborate.partition import shipped_partition
from geoscout_places.model import Kind
from tests.unit.collaborate import worlds
from tests.unit.collaborate.worlds import GAZETTEER, PARTITION, STATES

NAMES = OwnedNames(PARTITION.targets, GAZETTEER)


@pytest.mark.parametrize(
    ("name", "state", "city"),
    [
        ("glendale", "", worlds.GLENDALE_AZ),  # the most populous bearer
        ("glendale", "California", worlds.GLENDALE_CA),
        ("kansas city", "", worlds.KANSAS_CITY_MO),
        ("kansas city", "Kansas", None),  # its bearer there has no owner
        ("albany", "", None),
        ("nyc", "", worlds.NEW_YORK),
        ("new york city", "", worlds.NEW_YORK),
    ],
)
def test_name_means_its_bearer_in_the_state_or_the_most_populous(name, state, city):
    region = STATES[state].id if state else 0

    assert NAMES.meaning(name, region) == (city.id if city else 0)


def test_share_is_over_all_places_of_the_name_or_over_owned_ones():
    assert NAMES.share(worlds.GLENDALE_AZ.id, "glendale") == pytest.approx(0.5445, abs=5e-5)
    assert NAMES.share(worlds.KANSAS_CITY_MO.id, "kansas city") < 1
    assert NAMES.share(worlds.KANSAS_CITY_MO.id, "kansas city", owned_only=True) == 1


@pytest.fixture(scope="module")
def published(gazetteer):
    return shipped_partition("gao2006", gazetteer)


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("Glendale", "Arizona"),
        ("Portland", "Oregon"),
        ("Arlington", "Texas"),
        ("Columbus", "Ohio"),
        ("Aurora", "Colorado"),
        ("Kansas City", "Missouri"),
        ("Richmond", "Virginia"),
        ("Rochester", "New York"),
        ("Newark", "New Jersey"),
        ("Madison", "Wisconsin"),
        ("Lincoln", "Nebraska"),
        ("LA", "California"),
        ("NYC", "New York"),
    ],
)
def test_published_reading_of_bare_names(published, gazetteer, name, state):
    city = gazetteer.place(OwnedNames(published.targets, gazetteer).meaning(name.lower()))

    assert city is not None
    assert next(p.name for p in gazetteer.ancestors(city) if p.kind is Kind.REGION) == state


@pytest.mark.parametrize(("state", "found"), [("california", "California"), ("az", "Arizona")])
def test_state_tells_which_glendale(published, gazetteer, state, found):
    names = OwnedNames(published.targets, gazetteer)

    city = gazetteer.place(names.meaning("glendale", names.regions[state]))

    assert city is not None
    assert next(p.name for p in gazetteer.ancestors(city) if p.kind is Kind.REGION) == found


FINDER = OwnedMentionFinder(NAMES)


def read(text: str) -> list[tuple[str, str, int]]:
    return [(text[f.start : f.end], f.name, f.region) for f in FINDER.find(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("in Glendale, CA and", [("Glendale, CA", "glendale", "California")]),
        ("Glendale, California", [("Glendale, California", "glendale", "California")]),
        ("Glendale CA", [("Glendale CA", "glendale", "California")]),
        ("GLENDALE, CALIFORNIA", [("GLENDALE, CALIFORNIA", "glendale", "California")]),
        ("Glendale (CA", [("Glendale (CA", "glendale", "California")]),
        ("Glendale,\nCA", [("Glendale,\nCA", "glendale", "California")]),
        ("Glendale is hot. Arizona", [("Glendale", "glendale", ""), ("Arizona", "", "Arizona")]),
        ("New York", [("New York", "new york", "")]),  # the city, and not the state
        ("New York City", [("New York City", "new york city", "")]),
        ("A message from Mesaland", []),
        ("OK, go WA and MO", []),  # codes of states alone
    ],
)
def test_cities_with_and_without_their_state_are_mentions(text, found):
    expected = [(span, name, STATES[state].id if state else 0) for span, name, state in found]

    assert read(text) == expected


def test_name_of_city_and_state_is_the_state_behind_another_city():
    assert read("Albany in New York, New York")[-1][2] == STATES["New York"].id


def test_initials_with_dots_are_read():
    assert read("from S.F. by train")[0][1] == "sf"


def test_lower_case_word_is_no_mention_unless_asked():
    assert read("a mesa in the desert") == []
    assert len(OwnedMentionFinder(NAMES, capitals=False).find("a mesa in the desert")) == 1


@given(some.text())
def test_any_text_is_read_and_spans_are_slices_in_order(text):
    found = FINDER.find(text)

    assert all(0 <= f.start < f.end <= len(text) for f in found)
    assert [f.start for f in found] == sorted(f.start for f in found)
