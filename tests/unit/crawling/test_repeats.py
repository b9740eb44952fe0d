"""Which texts count as copies, for crawls and simulations alike."""

from __future__ import annotations

from geoscout.crawling.repeats import Repeat, SeenTexts
from geoscout.model import Page
from geoscout.parse.likeness import fingerprint

LONG = "The market square of the town is open on Saturdays and on the first Monday of May. " * 5


def mark(text: str) -> int:
    return fingerprint(Page("", "", "", text, ()))


def test_second_page_of_a_text_is_a_copy() -> None:
    texts = SeenTexts()

    repeats = [texts.add("a.test", mark(LONG)) for _ in range(2)]

    assert [repeat.is_copy for repeat in repeats] == [False, True]


def test_text_that_differs_in_a_word_is_a_copy_on_its_host_only() -> None:
    texts = SeenTexts()
    texts.add("a.test", mark(f"{LONG} Printed on Monday."))
    other = mark(f"{LONG} Printed on Friday.")

    elsewhere, here = texts.add("b.test", other), texts.add("a.test", other)

    assert [elsewhere.is_copy, here.is_copy] == [False, True]


def test_same_long_text_is_a_copy_on_any_host() -> None:
    texts = SeenTexts()
    texts.add("a.test", mark(LONG))

    assert texts.add("www.a.test", mark(LONG)) == Repeat(is_copy=True)


def test_same_short_text_is_a_copy_on_its_host_only() -> None:
    texts = SeenTexts()
    texts.add("a.test", mark("Under construction"))

    assert not texts.add("b.test", mark("Under construction")).is_copy
    assert texts.add("a.test", mark("Under  Construction\n")).is_copy


def test_other_short_texts_are_not_copies() -> None:
    texts = SeenTexts()

    assert not any(texts.add("a.test", mark(f"Room {n}")).is_copy for n in range(1000))


def test_copy_is_known_after_many_other_texts() -> None:
    texts = SeenTexts()
    texts.add("a.test", mark("Opening hours"))
    for number in range(1000):
        texts.add("a.test", mark(f"Room {number}"))

    assert texts.add("a.test", mark("Opening hours")) == Repeat(is_copy=True)


def test_host_that_repeats_itself_is_told_after_three_copies() -> None:
    texts = SeenTexts(most_alike=3)

    repeats = [texts.add("a.test", mark("Next")) for _ in range(5)]

    assert [repeat.too_often for repeat in repeats] == [False, False, False, True, True]


def test_node_knows_only_what_it_saw_itself() -> None:
    texts = SeenTexts()
    texts.add("a.test", mark(LONG), "north")

    assert not texts.add("a.test", mark(LONG), "south").is_copy


def test_answer_without_text_is_not_a_copy() -> None:
    texts = SeenTexts()

    assert [texts.add("a.test", 0) for _ in range(5)] == [Repeat()] * 5
