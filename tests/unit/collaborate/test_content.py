"""Equation 3 of Gao, Lee and Miao 2006, worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from geoscout.collaborate.content import ByContent, ContentOptions
from tests.unit.collaborate import worlds
from tests.unit.collaborate.worlds import aim, link, page

CONTENT = ByContent(aim(), ContentOptions())
PAGE = (
    "Glendale, CA is near. Visit Glendale, CA. The Glendale news. About Glendale; from Glendale."
    " It is in Arizona, or in California."
)
WORDS = some.lists(some.sampled_from(["Glendale, CA.", "Glendale.", "Arizona.", "Mesa.", "word"]))


def test_example_worked_out_by_hand():
    scores = CONTENT.scores(PAGE)

    assert scores[worlds.GLENDALE_CA.id] == pytest.approx(1.830, abs=5e-4)
    assert scores[worlds.GLENDALE_AZ.id] == pytest.approx(0.470, abs=5e-4)


def test_all_links_of_a_page_go_to_the_node_of_its_city():
    assert CONTENT.assign(page(PAGE), [link(), link()]) == [("pacific",), ("pacific",)]


def test_page_without_a_city_goes_to_the_general_node():
    assert CONTENT.assign(page("Albany, Arizona"), [link()]) == [("general",)]


def test_city_in_a_state_nobody_owns_gives_no_score():
    assert CONTENT.scores("Kansas City, KS") == {}


def test_population_may_be_compared_with_owned_cities_alone():
    owned = ByContent(aim(), ContentOptions(scope="owned"))

    assert owned.scores("Kansas City")[worlds.KANSAS_CITY_MO.id] == pytest.approx(0.15)
    assert CONTENT.scores("Kansas City")[worlds.KANSAS_CITY_MO.id] < 0.12


def test_renormalised_shares_of_a_name_sum_to_one():
    renormalised = ByContent(aim(), ContentOptions(renormalise=True))

    assert sum(renormalised.scores("Glendale. Arizona.").values()) == pytest.approx(0.3)


def test_policy_b_sends_to_the_nodes_of_all_cities_of_weight():
    both = ByContent(aim(), ContentOptions(policy="B"))

    (names,) = both.assign(page(PAGE), [link()])

    assert names == ("pacific", "mountain")


@given(WORDS)
def test_another_pair_never_lowers_a_score(words):
    less = CONTENT.scores(" ".join(words)).get(worlds.GLENDALE_CA.id, 0)
    more = CONTENT.scores(" ".join([*words, "Glendale, CA."])).get(worlds.GLENDALE_CA.id, 0)

    assert more == pytest.approx(less + 0.7)
