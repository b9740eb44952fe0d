"""Queries are read into words and a place.

Which place a name means, by what an index holds.
"""

import pytest

from geoscout.search.base import WORDS_ONLY, Question
from geoscout_places.model import Point
from tests.unit.search.worlds import page

LISBON, LISBON_NH, ATHENS, ATHENS_AL, MADRID = 2267057, 5088728, 264371, 4830668, 3117735


@pytest.mark.parametrize(
    ("text", "words", "relation", "place"),
    [
        ("pizza in Lisbon", ("pizza",), "in", LISBON),
        ("pizza inside of town in the Lisbon", ("pizza", "town"), "in", LISBON),
        ("pizza restaurant near Lisbon", ("pizza", "restaurant"), "near", LISBON),
        ("in Lisbon pizza with wood oven", ("pizza", "wood", "oven"), "in", LISBON),
        ("pizza Lisbon", ("pizza",), "in", LISBON),
        ("lisbon pizza", ("pizza",), "in", LISBON),
        ("Lisbon, pizza", ("pizza",), "in", LISBON),
        ("Lisbon", (), "in", LISBON),
        ("pizza in Lisbon, New Hampshire", ("pizza",), "in", LISBON_NH),
        ("pizza Lisbon NH", ("pizza",), "in", LISBON_NH),
        ("schools in Athens", ("schools",), "in", ATHENS),
        ("Athens Alabama schools", ("schools",), "in", ATHENS_AL),
        ("Pizza in Madrid?", ("pizza",), "in", MADRID),
        ("Pizza bei Madrid", ("pizza",), "near", MADRID),
        ("Pizza rund um Madrid", ("pizza",), "near", MADRID),
        ("pizza à Madrid", ("pizza",), "in", MADRID),
        ("pizza autour de Madrid", ("pizza",), "near", MADRID),
        ("pizza en Madrid", ("pizza",), "in", MADRID),
        ("pizza alrededor de Madrid", ("pizza",), "near", MADRID),
        ("pizza vicino a Madrid", ("pizza",), "near", MADRID),
        ("pizza em Madrid", ("pizza",), "in", MADRID),
        ("pizza perto de Madrid", ("pizza",), "near", MADRID),
    ],
)
def test_place_and_words_are_told_apart(engine, text, words, relation, place):
    interpretation = engine.read(Question(text))

    assert (interpretation.words, interpretation.relation) == (words, relation)
    assert interpretation.place is not None
    assert interpretation.place.id == place


@pytest.mark.parametrize(
    "name", ["Landau in der Pfalz", "San Casciano in Val di Pesa", "Garching bei München"]
)
def test_name_with_a_preposition_inside_is_one_place(engine, name):
    for text in (name, f"pizza in {name}"):
        interpretation = engine.read(Question(text))

        assert interpretation.place is not None
        assert (interpretation.name, interpretation.corrected) == (name, "")
    assert engine.read(Question(name)).words == ()


@pytest.mark.parametrize("text", ["pizza", "public schools", "how to mend a bicycle", "wood oven"])
def test_query_without_a_place_is_only_words(engine, text):
    interpretation = engine.read(Question(text))

    assert interpretation.place is None
    assert interpretation.relation == ""


@pytest.mark.parametrize(
    "text", ["pizza in Lisbn", "pizza in Lisbonn", "pizza lisbno", "madird pizza"]
)
def test_misspelt_place_is_corrected_and_said(engine, text):
    interpretation = engine.read(Question(text))

    assert interpretation.corrected in ("lisbon", "madrid")
    assert interpretation.corrected in interpretation.notes[0]


def test_misspelt_place_the_index_does_not_have_is_corrected(engine):
    interpretation = engine.read(Question("pizza in Oldenburrg"))

    assert interpretation.place is not None
    assert interpretation.place.name == "Oldenburg"


@pytest.mark.parametrize(
    "text",
    [
        "pizza near 38.71,-9.14",
        "38.71, -9.14 pizza",
        "pizza 38.71;-9.14",
        "pizza in der Nähe von 38.71, -9.14",
        "pizza vicino a 38.71, -9.14",
    ],
)
def test_coordinates_are_a_point(engine, text):
    interpretation = engine.read(Question(text))

    assert (interpretation.words, interpretation.relation) == (("pizza",), "near")
    assert interpretation.point == Point(38.71, -9.14)


@pytest.mark.parametrize("text", ["-33.86, 151.21", "pizza -33.86,151.21", "near -33.86, 151.21"])
def test_southern_coordinates_keep_their_sign(engine, text):
    assert engine.read(Question(text)).point == Point(-33.86, 151.21)


def test_own_place_is_what_a_query_without_a_place_is_near_to(engine):
    interpretation = engine.read(Question("pizza", near=Point(38.7, -9.1)))

    assert (interpretation.relation, interpretation.point) == ("near", Point(38.7, -9.1))


@pytest.mark.parametrize("more", [{"near": Point(44.2, -71.9)}, {"within": "New Hampshire"}])
def test_own_place_and_region_decide_between_places_of_one_name(engine, more):
    place = engine.read(Question("pizza Lisbon", **more)).place

    assert place is not None
    assert place.id == LISBON_NH


def test_given_place_is_taken_and_the_others_are_alternatives(engine):
    interpretation = engine.read(Question("pizza in Lisbon", place_id=LISBON_NH))

    assert interpretation.place is not None
    assert (interpretation.place.id, interpretation.words) == (LISBON_NH, ("pizza",))
    assert "Lisbon, Portugal" in [other.label for other in interpretation.alternatives]


def test_words_only_reads_no_place(engine):
    interpretation = engine.read(Question("pizza in Lisbon", place_id=WORDS_ONLY))

    assert interpretation.words == ("pizza", "lisbon")
    assert interpretation.place is None


def test_alternatives_end_with_no_place(engine):
    alternatives = engine.read(Question("pizza in Lisbon")).alternatives

    assert alternatives[0].label == "Lisbon, New Hampshire, United States"
    assert alternatives[0].pages == 1
    assert alternatives[-1].place is None


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
def towns(make_engine):
    return make_engine(SPRINGFIELDS)


def test_noun_that_is_also_a_village_is_a_word(towns):
    interpretation = towns.read(Question("orgeln kirchen"))

    assert (interpretation.place, interpretation.words) == (None, ("orgeln", "kirchen"))


def test_village_is_meant_after_a_preposition(towns):
    interpretation = towns.read(Question("rathaus in Kirchen"))

    assert interpretation.place is not None
    assert interpretation.place.name == "Kirchen"


@pytest.mark.parametrize(("word", "place"), [("museum", ILLINOIS), ("bakery", MASSACHUSETTS)])
def test_words_decide_between_namesakes_that_are_close(towns, word, place):
    interpretation = towns.read(Question(f"{word} in Springfield"))

    assert interpretation.place is not None
    assert interpretation.place.id == place


def test_place_of_the_name_comes_before_one_that_is_also_called_so(towns):
    interpretation = towns.read(Question("museum in Frisco"))

    assert interpretation.place is not None
    assert interpretation.place.name == "Frisco"  # not San Francisco


def test_rare_name_that_is_known_is_not_taken_for_another_misspelt(towns):
    assert towns.read(Question("museum in Springfeld")).corrected == "springfield"
    assert towns.read(Question("museum in Springdale")).corrected == ""


def test_pages_with_an_address_in_a_place_are_counted(towns):
    counts = [towns.reader.pages_addressed_at(id) for id in (ILLINOIS, MASSACHUSETTS, 1)]

    assert counts == [1, 1, 0]
