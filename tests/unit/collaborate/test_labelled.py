from __future__ import annotations

import json

import pytest

from geoscout.collaborate.classifier import NONE, choose_pages, read_labelled, train_and_test
from geoscout_places.errors import UsageError
from tests.unit.collaborate.worlds import ALBANY_NY, GAZETTEER, MESA, PARTITION


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
def test_place_of_a_text_is_a_name_or_an_id(place: object, label: int) -> None:
    assert list(read_labelled([line("sun", place)], PARTITION, GAZETTEER)) == [("sun", label)]


def test_empty_lines_are_passed_over() -> None:
    assert list(read_labelled(["\n", line("a", None)], PARTITION, GAZETTEER)) == [("a", NONE)]


@pytest.mark.parametrize("bad", ["sun", "[]", '{"text": "sun"}', "3"])
def test_line_that_is_no_labelled_text_is_named(bad: str) -> None:
    with pytest.raises(UsageError, match="line 2"):
        list(read_labelled([line("sun", None), bad], PARTITION, GAZETTEER))


def test_no_class_gets_more_pages_than_asked() -> None:
    pages = [("sun", 1), ("sky", NONE), ("sea", 1), ("fog", NONE), ("ice", 2)]

    assert list(choose_pages(pages, of_city=1, of_none=1)) == [
        ("sun", 1),
        ("sky", NONE),
        ("ice", 2),
    ]


def test_accuracy_is_measured_on_pages_held_back() -> None:
    pages = [("cactus desert", 1), ("fog bay", 2)] * 10

    training = train_and_test(pages)

    assert training.pages == {1: 10, 2: 10}
    assert (training.held_back, training.accuracy) == (4, 1.0)


def test_words_that_mean_nothing_are_often_wrong() -> None:
    pages = [("the of and", number % 2 + 1) for number in range(40)]

    training = train_and_test(pages)

    assert training.accuracy == pytest.approx(0.5)


def test_few_pages_are_all_learned_from() -> None:
    training = train_and_test([("cactus", 1), ("cactus", 1), ("fog", 2), ("fog", 2)])

    assert (training.held_back, training.accuracy) == (0, None)
    assert training.model.classify("fog")[0][0] == 2
