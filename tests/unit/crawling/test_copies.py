"""Which texts count as copies, for crawls and simulations alike.

Which forms of URLs a host gives one page under.
"""

import pytest

from geoscout.crawling.copies import Repeat, SeenTexts, UrlForms
from geoscout_places.model import Page
from geoscout_places.parse.likeness import fingerprint

HERE, THERE, MIRROR = "http://a.test/", "http://b.test/", "http://www.a.test/"
LONG = "The market square of the town is open on Saturdays and on the first Monday of May. " * 5


def mark(text: str) -> int:
    return fingerprint(Page("", "", "", text, ()))


def test_second_page_of_a_text_is_a_copy_also_on_another_host_but_not_at_another_node():
    texts = SeenTexts()

    repeats = [texts.add(url, mark(LONG)) for url in (HERE, HERE, MIRROR)]

    assert repeats == [Repeat(), Repeat(is_copy=True), Repeat(is_copy=True)]
    assert not texts.add(HERE, mark(LONG), node="south").is_copy
    assert [texts.add(HERE, 0) for _ in range(5)] == [Repeat()] * 5  # answers without text


def test_text_that_differs_in_a_word_is_a_copy_on_its_host_only():
    texts = SeenTexts()
    texts.add(HERE, mark(f"{LONG} Printed on Monday."))
    other = mark(f"{LONG} Printed on Friday.")

    elsewhere, here = texts.add(THERE, other), texts.add(HERE, other)

    assert [elsewhere.is_copy, here.is_copy] == [False, True]


def test_same_short_text_is_a_copy_on_its_host_only():
    texts = SeenTexts()
    texts.add(HERE, mark("Under construction"))

    assert not texts.add(THERE, mark("Under construction")).is_copy
    assert texts.add(HERE, mark("Under  Construction\n")).is_copy


def test_other_short_texts_are_no_copies_and_a_copy_is_known_after_many_of_them():
    texts = SeenTexts()
    texts.add(HERE, mark("Opening hours"))

    assert not any(texts.add(HERE, mark(f"Room {number}")).is_copy for number in range(1000))
    assert texts.add(HERE, mark("Opening hours")) == Repeat(is_copy=True)


@pytest.mark.parametrize(("text", "is_chain"), [(LONG, False), ("Next", True)])
def test_host_or_chain_that_repeats_itself_is_told_after_three_copies(text, is_chain):
    texts = SeenTexts(most_alike=3)

    parents = [f"{HERE}{n - 1}" if is_chain else "" for n in range(5)]
    repeats = [texts.add(f"{HERE}{n}", mark(text), parents[n]) for n in range(5)]

    assert [repeat.too_often for repeat in repeats] == [False, False, False, True, True]


def test_chain_through_redirects_is_told():
    texts = SeenTexts(most_alike=3)

    for number in range(5):
        texts.redirected(f"{HERE}go/{number}", f"{HERE}{number - 1}")
        repeat = texts.add(f"{HERE}{number}", mark("Next"), f"{HERE}go/{number}")

    assert repeat.too_often


def test_menus_of_many_houses_may_be_equal():
    texts = SeenTexts(most_alike=3)
    texts.add(HERE, mark("House 1, House 2"))

    repeats = [texts.add(f"{HERE}{n}/", mark("Contact, News"), HERE) for n in range(9)]

    assert not any(repeat.too_often for repeat in repeats)


SITE = "http://a.test"


def text_mark(subject: object, *, is_long: bool = True) -> int:
    words = [f"{subject}{number}" for number in range(200 if is_long else 2)]
    return fingerprint(Page("", "", "", " ".join(words), ()))


def shown(one: str, other: str, pairs: int = 3) -> UrlForms:
    """Forms of a host that gave the same text for pairs of URLs; `{}` is where they differ."""
    forms = UrlForms()
    for number in range(pairs):
        for form in (one, other):
            forms.answered(form.format(number), text_mark(number))
    return forms


FORMS = [
    (f"{SITE}/{{}}", "https://a.test/{}"),
    (f"{SITE}/{{}}/", f"{SITE}/{{}}/index.html"),
    (f"{SITE}/{{}}", "http://www.a.test/{}"),
    (f"{SITE}/{{}}/", "https://www.a.test/{}/Default.aspx"),
]


@pytest.mark.parametrize(("one", "other"), FORMS)
def test_other_form_of_a_page_is_known_once_the_host_has_shown_it(one, other):
    forms = shown(one, other)

    assert forms.has_rules("a.test")
    assert forms.has_rules("www.a.test")
    assert not forms.has_rules("b.test")
    assert not forms.has_rules("a.test", "north")  # a node knows what it has seen itself
    assert not forms.is_known(one.format("new"))
    assert forms.is_known(other.format("new"))
    assert not forms.is_known(one.format("new"))  # the form that was asked for stays


@pytest.mark.parametrize(("one", "other"), FORMS)
def test_page_seen_before_the_host_had_shown_it_is_known_too(one, other):
    forms = UrlForms()
    forms.answered(one.format("early"), text_mark("early"))
    for number in range(3):
        for form in (one, other):
            forms.answered(form.format(number), text_mark(number))

    assert forms.is_known(other.format("early"))


def test_page_that_waits_is_answered_when_it_came_in_another_form():
    one, other = FORMS[0]
    forms = shown(one, other)
    forms.is_known(one.format("new"))
    before = forms.was_answered(other.format("new"))

    forms.answered(one.format("new"), text_mark("new"))

    assert not before
    assert forms.was_answered(other.format("new"))
    assert not forms.was_answered(one.format("new"))


@pytest.mark.parametrize(
    ("pairs", "text"),
    [
        pytest.param(2, text_mark, id="two pairs"),
        pytest.param(20, lambda _: text_mark("login"), id="all with the page to log in"),
        pytest.param(9, lambda n: text_mark(n, is_long=False), id="short texts"),
    ],
)
def test_few_pairs_and_those_of_one_or_short_texts_show_nothing(pairs, text):
    forms = UrlForms()
    for number in range(pairs):
        for form in FORMS[0]:
            forms.answered(form.format(number), text(number))

    forms.is_known(FORMS[0][0].format("new"))

    assert not forms.is_known(FORMS[0][1].format("new"))
    assert not forms.has_rules("a.test")


def test_counter_example_ends_it_for_good():
    one, other = FORMS[0]
    forms = shown(one, other)
    forms.answered(one.format("x"), text_mark("x"))
    forms.answered(other.format("x"), text_mark("something else"))
    for number in range(10, 20):
        for form in FORMS[0]:
            forms.answered(form.format(number), text_mark(number))

    forms.is_known(one.format("new"))
    assert not forms.is_known(other.format("new"))


def test_page_that_is_missing_in_one_form_is_a_counter_example():
    one, other = FORMS[0]
    forms = shown(one, other)
    forms.missing(one.format("x"))
    assert not forms.is_known(other.format("x"))

    forms.answered(other.format("x"), text_mark("x"))

    forms.is_known(one.format("new"))
    assert not forms.is_known(other.format("new"))


def test_page_that_differs_in_two_ways_is_known():
    forms = shown(f"{SITE}/{{}}", "https://a.test/{}")

    forms.is_known(f"{SITE}/new")
    assert forms.is_known("https://www.a.test/new")


def test_hosts_and_nodes_are_told_apart():
    forms = shown(*FORMS[0])
    one, other = FORMS[0]

    forms.is_known(one.replace("a.test", "b.test"))
    assert not forms.is_known(other.replace("a.test", "b.test"))
    forms.is_known(one, "north")
    assert not forms.is_known(other, "north")


@pytest.mark.parametrize("path", ["x.html", "x/", "x?id=1", "index.html?id=1"])
def test_other_differences_are_other_pages(path):
    forms = shown(*FORMS[0])

    forms.is_known(f"{SITE}/x")
    assert not forms.is_known(f"{SITE}/{path}")
