from __future__ import annotations

from geoscout.web.remembered import Remembered


def test_the_answer_not_asked_for_longest_is_forgotten() -> None:
    answers = Remembered(most=2)
    answers.put("a", b"1")
    answers.put("b", b"2")
    answers.get("a")

    answers.put("c", b"3")

    assert [answers.get(question) for question in "abc"] == [b"1", None, b"3"]
