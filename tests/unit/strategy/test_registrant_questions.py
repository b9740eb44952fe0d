from __future__ import annotations

from geoscout.strategy.registrant_questions import OpenQuestions


def test_domain_that_most_links_want_is_asked_first() -> None:
    questions = OpenQuestions()
    questions.add(["http://a.example/", "http://www.b.example/1", "http://b.example/2"])

    assert [questions.take(), questions.take(), questions.take()] == [
        "b.example",
        "a.example",
        None,
    ]


def test_link_that_is_wanted_more_counts_more() -> None:
    questions = OpenQuestions()
    questions.add(
        ["http://a.example/", "http://b.example/1", "http://b.example/2"], [0.9, 0.1, 0.1]
    )

    assert questions.take() == "a.example"


def test_domain_is_taken_once_however_often_it_was_wanted() -> None:
    questions = OpenQuestions()
    for n in range(40):
        questions.add([f"http://a.example/{n}", f"http://b{n}.example/"])

    taken = [questions.take() for _ in range(42)]

    assert taken[0] == "a.example"
    assert len(set(taken)) == 42
    assert taken[-1] is None


def test_answer_concerns_every_host_of_the_domain() -> None:
    questions = OpenQuestions()
    questions.add(["http://www.b.example/"])
    questions.take()
    questions.add(["http://shop.b.example/"])

    assert questions.settle("b.example") == ["shop.b.example", "www.b.example"]


def test_link_waits_until_its_domain_is_answered() -> None:
    questions = OpenQuestions()

    assert questions.add(["http://b.example/"]) == [True]
    questions.take()
    assert questions.add(["http://b.example/"]) == [True]
    questions.settle("b.example")
    assert questions.add(["http://b.example/"]) == [False]
    assert len(questions) == 0


def test_nobody_registered_an_address() -> None:
    questions = OpenQuestions()

    assert questions.add(["http://192.0.2.1/", "http://[::1]/", "http://localhost/"]) == [False] * 3
    assert questions.take() is None
