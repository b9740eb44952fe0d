"""A page hangs on every node of its hierarchy."""

from geoscout.index import PlaceEvidence
from geoscout.index.base import ADDRESS, DIRECT, MAIN, PART
from geoscout.index.places import hang, kinds_about
from tests.unit.index.documents import (
    ALFAMA,
    CAPITAL,
    EUROPE,
    IBERIA,
    LISBON,
    PORTO,
    PORTUGAL,
    SEAT,
    above,
    synset_of,
)


def test_ancestors_inherit_what_a_page_says_of_a_place():
    evidence = PlaceEvidence(ALFAMA, 0.5, 3, has_address=True, is_main=True)

    rows = {row.place_id: row for row in hang([evidence], above)}

    assert set(rows) == {ALFAMA, LISBON, PORTUGAL, EUROPE}
    assert rows[ALFAMA].flags == DIRECT | ADDRESS | MAIN
    assert rows[PORTUGAL].flags == ADDRESS | MAIN
    assert rows[PORTUGAL].share == 0.5
    assert rows[PORTUGAL].mentions == 3


def test_shares_of_children_add_up():
    rows = hang([PlaceEvidence(LISBON, 0.4), PlaceEvidence(PORTO, 0.3)], above)

    shares = {row.place_id: round(row.share, 6) for row in rows}
    assert shares == {LISBON: 0.4, PORTO: 0.3, PORTUGAL: 0.7, EUROPE: 0.7}


def test_share_of_a_place_with_what_it_contains_is_not_counted_twice():
    rows = hang([PlaceEvidence(LISBON, 0.9), PlaceEvidence(ALFAMA, 0.5)], above)

    assert {row.share for row in rows} == {0.9, 0.5}


def test_places_that_contain_each_other_are_survived():
    circle = {1: [2], 2: [1]}

    rows = hang([PlaceEvidence(1, 0.5), PlaceEvidence(2, 0.2)], lambda id: circle[id])

    assert {row.place_id for row in rows} == {1, 2}


def test_parts_of_a_whole_are_not_counted_twice():
    evidence = [PlaceEvidence(LISBON, 0.4, 2), PlaceEvidence(PORTO, 0.3, 1, has_address=True)]

    rows = {row.place_id: row for row in hang(evidence, above, synset_of)}

    assert round(rows[IBERIA].share, 6) == 0.7
    assert rows[IBERIA].mentions == 3
    assert rows[IBERIA].flags == PART | ADDRESS


def test_kinds_are_those_of_places_the_page_is_about():
    assert kinds_about([PlaceEvidence(LISBON, 0.5)], synset_of) == {CAPITAL, SEAT}
    assert kinds_about([PlaceEvidence(LISBON, 0.1, 1)], synset_of) == set()
