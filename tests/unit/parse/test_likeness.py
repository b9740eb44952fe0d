"""Near-duplicates and pages that only say that there is none."""

from __future__ import annotations

import random

import pytest

from geoscout.parse import parse_html
from geoscout.parse.likeness import are_near, says_missing, simhash

WORDS = [f"word{n}" for n in range(500)]


def text_of(seed: int, words: int = 400) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def test_same_text_has_the_same_hash() -> None:
    assert simhash(text_of(1)) == simhash(text_of(1))


def test_text_with_another_date_is_near() -> None:
    text = text_of(2)

    assert are_near(simhash(f"{text} printed on monday"), simhash(f"{text} printed on friday"))


def test_other_texts_are_far() -> None:
    hashes = [simhash(text_of(seed)) for seed in range(60)]

    assert not any(are_near(a, b) for i, a in enumerate(hashes) for b in hashes[:i])


def test_short_text_has_no_hash() -> None:
    assert simhash("Opening hours") == 0


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("404 Not Found", "Sorry."),
        ("Seite nicht gefunden | Stadt Oldenburg", "Bitte nutzen Sie die Suche."),
        ("Oops", "<h1>Page not found</h1>The page you wanted was not found."),
        ("Página no encontrada", "Vuelva al inicio."),
    ],
)
def test_page_that_says_it_is_missing(title: str, body: str) -> None:
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
def test_page_with_a_subject_is_not_missing(title: str, body: str) -> None:
    html = f"<title>{title}</title><main><p>{body}</p></main>"

    assert not says_missing(parse_html(html.encode(), "http://a.test/x"))
