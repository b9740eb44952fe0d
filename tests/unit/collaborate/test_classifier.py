import json
from dataclasses import replace

import pytest

from geoscout.collaborate import create_collaboration
from geoscout.collaborate.classifier import (
    NONE,
    choose_pages,
    of_nodes,
    read_labelled,
    read_model,
    train,
    train_and_test,
)
from geoscout_places.errors import DamagedDataError, UsageError
from tests.unit.collaborate import worlds
from tests.unit.collaborate.worlds import ALBANY_NY, GAZETTEER, MESA, PARTITION, aim, link, page

MODEL = train(
    [
        ("desert cactus mesa sun", worlds.MESA.id),
        ("cactus sun sun desert", worlds.MESA.id),
        ("bridge fog bay cable", worlds.SAN_FRANCISCO.id),
        ("fog bay bridge", worlds.SAN_FRANCISCO.id),
        ("the cookery book recipe", NONE),
        ("recipe cookery salt", NONE),
    ]
)


@pytest.mark.parametrize(
    ("spec", "text", "node"),
    [
        ("classifier", "sun on the cactus", "mountain"),
        ("classifier", "fog", "pacific"),
        ("classifier", "recipe book cookery", "general"),
        ("classifier:least=0.99", "fog", "general"),  # a weak class may be disbelieved
    ],
)
def test_links_go_to_the_node_of_the_class(spec, text, node):
    classifier = create_collaboration(spec, replace(aim(), model=MODEL))

    assert classifier.assign(page(text), [link()]) == [(node,)]


def test_label_is_the_class():
    classifier = create_collaboration("classifier", replace(aim(), model=MODEL))

    assert classifier.label(page("sun")) == worlds.MESA.id


def test_without_a_model_it_says_what_is_missing():
    with pytest.raises(UsageError, match="model"):
        create_collaboration("classifier", aim())


PAGES = [("sun sun sand", 7), ("sun sand", 7), ("fog sun", 8), ("fog sand", 8)]


def test_classes_may_be_the_nodes():
    pages = [
        ("desert cactus", worlds.MESA.id),
        ("dust cactus", worlds.GLENDALE_AZ.id),
        ("fog bay", worlds.SAN_FRANCISCO.id),
        ("fog hills", worlds.GLENDALE_CA.id),
        ("recipe recipe", NONE),
    ]

    labelled = list(of_nodes(pages, PARTITION))

    mesa, san_francisco = worlds.MESA.id, worlds.SAN_FRANCISCO.id
    assert [place for _, place in labelled] == [mesa, mesa, san_francisco, san_francisco, NONE]
    assert train(labelled).classify("cactus")[0][0] == mesa


def test_posterior_is_that_of_laplace_smoothed_counts():
    model = train(PAGES)

    ranked = dict(model.classify("fog", 2))

    # sun, sand and fog are the words; class 7 has 5 of them and no fog, class 8 has 4 and 2.
    fog_7, fog_8 = 1 / (5 + 3), 3 / (4 + 3)
    assert ranked[8] == pytest.approx(fog_8 / (fog_7 + fog_8), abs=1e-5)


def test_text_without_known_words_has_the_priors():
    model = train([*PAGES, ("sun", 7)])

    assert model.classify("unheard") == [(7, pytest.approx(0.6, abs=1e-5))]


def test_saved_model_answers_the_same():
    model = train(PAGES)

    assert read_model(model.save()).classify("fog sun", 2) == model.classify("fog sun", 2)


def test_damaged_model_is_refused():
    with pytest.raises(DamagedDataError):
        read_model(b"no model")


def test_one_class_is_no_choice():
    with pytest.raises(UsageError):
        train([("sun", NONE)])


def line(text: str, place: object) -> str:
    return json.dumps({"text": text, "place": place})


@pytest.mark.parametrize(
    ("place", "label"),
    [
        ("Mesa", MESA.id),
        (MESA.id, MESA.id),
        (str(MESA.id), MESA.id),
        (None, NONE),
        (ALBANY_NY.id, NONE),
    ],
)
def test_place_of_a_text_is_a_name_or_an_id(place, label):
    assert list(read_labelled([line("sun", place)], PARTITION, GAZETTEER)) == [("sun", label)]


@pytest.mark.parametrize("bad", ["sun", "[]", '{"text": "sun"}', "3"])
def test_line_that_is_no_labelled_text_is_named(bad):
    with pytest.raises(UsageError, match="line 2"):
        list(read_labelled([line("sun", None), bad], PARTITION, GAZETTEER))


def test_no_class_gets_more_pages_than_asked():
    pages = [("sun", 1), ("sky", NONE), ("sea", 1), ("fog", NONE), ("ice", 2)]

    assert list(choose_pages(pages, of_city=1, of_none=1)) == [
        ("sun", 1),
        ("sky", NONE),
        ("ice", 2),
    ]


def test_accuracy_is_measured_on_pages_held_back():
    pages = [("cactus desert", 1), ("fog bay", 2)] * 10

    training = train_and_test(pages)

    assert training.pages == {1: 10, 2: 10}
    assert (training.held_back, training.accuracy) == (4, 1.0)


def test_words_that_mean_nothing_are_often_wrong():
    pages = [("the of and", number % 2 + 1) for number in range(40)]

    training = train_and_test(pages)

    assert training.accuracy == pytest.approx(0.5)


def test_few_pages_are_all_learned_from():
    training = train_and_test([("cactus", 1), ("cactus", 1), ("fog", 2), ("fog", 2)])

    assert (training.held_back, training.accuracy) == (0, None)
    assert training.model.classify("fog")[0][0] == 2
