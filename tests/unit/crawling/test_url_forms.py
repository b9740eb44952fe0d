"""Which forms of URLs a host gives one page under."""

from __future__ import annotations

import pytest

from geoscout.crawling.url_forms import UrlForms
from geoscout_places.model import Page
from geoscout_places.parse.likeness import fingerprint

SITE = "http://a.test"


def mark(subject: object, *, is_long: bool = True) -> int:
    words = [f"{subject}{number}" for number in range(200 if is_long else 2)]
    return fingerprint(Page("", "", "", " ".join(words), ()))


def shown(one: str, other: str, pairs: int = 3) -> UrlForms:
    """Forms of a host that gave the same text for pairs of URLs; `{}` is where they differ."""
    forms = UrlForms()
    for number in range(pairs):
        for form in (one, other):
            forms.answered(form.format(number), mark(number))
    return forms


FORMS = [
    (f"{SITE}/{{}}", "https://a.test/{}"),
    (f"{SITE}/{{}}/", f"{SITE}/{{}}/index.html"),
    (f"{SITE}/{{}}", "http://www.a.test/{}"),
    (f"{SITE}/{{}}/", "https://www.a.test/{}/Default.aspx"),
]


@pytest.mark.parametrize(("one", "other"), FORMS)
def test_other_form_of_a_page_is_known_once_the_host_has_shown_it(one: str, other: str) -> None:
    forms = shown(one, other)

    assert forms.has_rules("a.test")
    assert forms.has_rules("www.a.test")
    assert not forms.has_rules("b.test")
    assert not forms.has_rules("a.test", "north")  # a node knows what it has seen itself
    assert not forms.is_known(one.format("new"))
    assert forms.is_known(other.format("new"))
    assert not forms.is_known(one.format("new"))  # the form that was asked for stays


@pytest.mark.parametrize(("one", "other"), FORMS)
def test_page_seen_before_the_host_had_shown_it_is_known_too(one: str, other: str) -> None:
    forms = UrlForms()
    forms.answered(one.format("early"), mark("early"))
    for number in range(3):
        for form in (one, other):
            forms.answered(form.format(number), mark(number))

    assert forms.is_known(other.format("early"))


def test_page_that_waits_is_answered_when_it_came_in_another_form() -> None:
    one, other = FORMS[0]
    forms = shown(one, other)
    forms.is_known(one.format("new"))
    before = forms.was_answered(other.format("new"))

    forms.answered(one.format("new"), mark("new"))

    assert not before
    assert forms.was_answered(other.format("new"))
    assert not forms.was_answered(one.format("new"))


def test_two_pairs_are_not_enough() -> None:
    forms = shown(*FORMS[0], pairs=2)
    forms.is_known(FORMS[0][0].format("new"))

    assert not forms.is_known(FORMS[0][1].format("new"))


def test_pairs_of_one_text_show_nothing() -> None:
    forms = UrlForms()
    for number in range(20):  # everything is answered with the page to log in
        for form in FORMS[0]:
            forms.answered(form.format(number), mark("login"))

    assert not forms.has_rules("a.test")


def test_pairs_of_short_texts_show_nothing() -> None:
    forms = UrlForms()
    for number in range(9):
        for form in FORMS[0]:
            forms.answered(form.format(number), mark(number, is_long=False))
    forms.is_known(FORMS[0][0].format("new"))

    assert not forms.is_known(FORMS[0][1].format("new"))


def test_counter_example_ends_it_for_good() -> None:
    one, other = FORMS[0]
    forms = shown(one, other)
    forms.answered(one.format("x"), mark("x"))
    forms.answered(other.format("x"), mark("something else"))
    for number in range(10, 20):
        for form in FORMS[0]:
            forms.answered(form.format(number), mark(number))

    forms.is_known(one.format("new"))
    assert not forms.is_known(other.format("new"))


def test_page_that_is_missing_in_one_form_is_a_counter_example() -> None:
    one, other = FORMS[0]
    forms = shown(one, other)
    forms.missing(one.format("x"))
    assert not forms.is_known(other.format("x"))

    forms.answered(other.format("x"), mark("x"))

    forms.is_known(one.format("new"))
    assert not forms.is_known(other.format("new"))


def test_page_that_differs_in_two_ways_is_known() -> None:
    forms = shown(f"{SITE}/{{}}", "https://a.test/{}")

    forms.is_known(f"{SITE}/new")
    assert forms.is_known("https://www.a.test/new")


def test_hosts_and_nodes_are_told_apart() -> None:
    forms = shown(*FORMS[0])
    one, other = FORMS[0]

    forms.is_known(one.replace("a.test", "b.test"))
    assert not forms.is_known(other.replace("a.test", "b.test"))
    forms.is_known(one, "north")
    assert not forms.is_known(other, "north")


@pytest.mark.parametrize("path", ["x.html", "x/", "x?id=1", "index.html?id=1"])
def test_other_differences_are_other_pages(path: str) -> None:
    forms = shown(*FORMS[0])

    forms.is_known(f"{SITE}/x")
    assert not forms.is_known(f"{SITE}/{path}")
