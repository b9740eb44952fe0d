"""Which texts count as copies, for crawls and simulations alike."""

from __future__ import annotations

from geoscout.crawling.repeats import Repeat, SeenTexts
from geoscout_places.model import Page
from geoscout_places.parse.likeness import fingerprint

HERE, THERE, MIRROR = "http://a.test/", "http://b.test/", "http://www.a.test/"
LONG = "The market square of the town is open on Saturdays and on the first Monday of May. " * 5


def mark(text: str) -> int:
    return fingerprint(Page("", "", "", text, ()))


def test_second_page_of_a_text_is_a_copy() -> None:
    texts = SeenTexts()

    repeats = [texts.add(HERE, mark(LONG)) for _ in range(2)]

    assert [repeat.is_copy for repeat in repeats] == [False, True]


def test_text_that_differs_in_a_word_is_a_copy_on_its_host_only() -> None:
    texts = SeenTexts()
    texts.add(HERE, mark(f"{LONG} Printed on Monday."))
    other = mark(f"{LONG} Printed on Friday.")

    elsewhere, here = texts.add(THERE, other), texts.add(HERE, other)

    assert [elsewhere.is_copy, here.is_copy] == [False, True]


def test_same_long_text_is_a_copy_on_any_host() -> None:
    texts = SeenTexts()
    texts.add(HERE, mark(LONG))

    assert texts.add(MIRROR, mark(LONG)) == Repeat(is_copy=True)


def test_same_short_text_is_a_copy_on_its_host_only() -> None:
    texts = SeenTexts()
    texts.add(HERE, mark("Under construction"))

    assert not texts.add(THERE, mark("Under construction")).is_copy
    assert texts.add(HERE, mark("Under  Construction\n")).is_copy


def test_other_short_texts_are_not_copies() -> None:
    texts = SeenTexts()

    assert not any(texts.add(HERE, mark(f"Room {n}")).is_copy for n in range(1000))


def test_copy_is_known_after_many_other_texts() -> None:
    texts = SeenTexts()
    texts.add(HERE, mark("Opening hours"))
    for number in range(1000):
        texts.add(HERE, mark(f"Room {number}"))

    assert texts.add(HERE, mark("Opening hours")) == Repeat(is_copy=True)


def test_host_that_repeats_itself_is_told_after_three_copies() -> None:
    texts = SeenTexts(most_alike=3)

    repeats = [texts.add(f"{HERE}{n}", mark(LONG)) for n in range(5)]

    assert [repeat.too_often for repeat in repeats] == [False, False, False, True, True]


def test_chain_of_one_short_text_is_told_after_three_copies() -> None:
    texts = SeenTexts(most_alike=3)

    repeats = [texts.add(f"{HERE}{n}", mark("Next"), f"{HERE}{n - 1}") for n in range(5)]

    assert [repeat.too_often for repeat in repeats] == [False, False, False, True, True]


def test_chain_through_redirects_is_told() -> None:
    texts = SeenTexts(most_alike=3)

    for number in range(5):
        texts.redirected(f"{HERE}go/{number}", f"{HERE}{number - 1}")
        repeat = texts.add(f"{HERE}{number}", mark("Next"), f"{HERE}go/{number}")

    assert repeat.too_often


def test_menus_of_many_houses_may_be_equal() -> None:
    texts = SeenTexts(most_alike=3)
    texts.add(HERE, mark("House 1, House 2"))

    repeats = [texts.add(f"{HERE}{n}/", mark("Contact, News"), HERE) for n in range(9)]

    assert not any(repeat.too_often for repeat in repeats)


def test_node_knows_only_what_it_saw_itself() -> None:
    texts = SeenTexts()
    texts.add(HERE, mark(LONG), node="north")

    assert not texts.add(HERE, mark(LONG), node="south").is_copy


def test_answer_without_text_is_not_a_copy() -> None:
    texts = SeenTexts()

    assert [texts.add(HERE, 0) for _ in range(5)] == [Repeat()] * 5
