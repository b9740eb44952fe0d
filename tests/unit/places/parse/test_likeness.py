"""Near-duplicates and pages that only say that there is none."""

import random
import re

import pytest

from geoscout_places.language import merge
from geoscout_places.model import Page
from geoscout_places.parse import parse_html
from geoscout_places.parse.likeness import are_near, fingerprint, is_long, says_missing

WORDS = [f"word{n}" for n in range(500)]


def text_of(seed: int, words: int = 400) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def mark(text: str, title: str = "") -> int:
    return fingerprint(Page("", title, "", text, ()))


def test_same_text_has_the_same_fingerprint():
    assert mark(text_of(1)) == mark(text_of(1), "Another title")


def test_text_with_another_date_is_near():
    text = text_of(2)

    assert are_near(mark(f"{text} printed on monday"), mark(f"{text} printed on friday"))


def test_other_texts_are_far():
    marks = [mark(text_of(seed, words)) for seed in range(60) for words in (2, 400)]

    assert not any(are_near(a, b) for i, a in enumerate(marks) for b in marks[:i])


def test_short_text_is_near_itself_only():
    assert mark("Opening hours") == mark(" opening\n HOURS", "Another title")
    assert not are_near(mark("Opening hours: 8"), mark("Opening hours: 9"))


def test_page_without_text_is_known_by_its_title():
    assert mark("", "Frames of Ada") == mark("", "frames of  Ada")
    assert not are_near(mark("", "Frames of Ada"), mark("", "Frames of Bob"))


def test_fingerprint_says_whether_the_text_is_long():
    assert [is_long(mark(text)) for text in ("", "short", text_of(3))] == [False, False, True]
    assert mark("") != 0


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("404 Not Found", "Sorry."),
        ("Seite nicht gefunden | Stadt Oldenburg", "Bitte nutzen Sie die Suche."),
        ("Oops", "<h1>Page not found</h1>The page you wanted was not found."),
        ("Página no encontrada", "Vuelva al inicio."),
    ],
)
def test_page_that_says_it_is_missing(title, body):
    html = f"<title>{title}</title><nav><a href=/>Home</a></nav><main><p>{body}</p></main>"

    assert says_missing(parse_html(html.encode(), "http://a.test/x"))


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Pizzeria Roma, 404 Main Street", "We bake."),
        ("Fundbüro", "Ihr Schlüssel wurde nicht dort gefunden, wo Sie ihn verloren haben? " * 20),
        ("How to design a 404 page", "A page that is not found needs a friendly text. " * 60),
    ],
)
def test_page_with_a_subject_is_not_missing(title, body):
    html = f"<title>{title}</title><main><p>{body}</p></main>"

    assert not says_missing(parse_html(html.encode(), "http://a.test/x"))


def test_patterns_of_missing_pages_have_no_choice_outside_of_brackets():
    for pattern in merge(lambda language: language.missing_page):
        inner = pattern
        while (outer := re.sub(r"\([^()]*\)|\[[^\]]*\]", "", inner)) != inner:
            inner = outer
        assert "|" not in inner, pattern


def test_patterns_of_missing_pages_are_in_lower_case():
    for pattern in merge(lambda language: language.missing_page):
        letters = re.sub(r"\\.", "", pattern)
        assert letters == letters.lower()


@pytest.mark.parametrize("title", ["PAGE NOT FOUND", "Page Not Found", "SEITE NICHT VERFÜGBAR"])
def test_case_of_letters_does_not_matter(title):
    html = f"<title>{title}</title><main><p>Sorry.</p></main>"

    assert says_missing(parse_html(html.encode(), "http://a.test/x"))
