import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.model import Link, Page
from geoscout_places.parse import parse_html
from geoscout_places.windows import after, before, widened


def wide(html: str, words: int = 25) -> list[tuple[str, str]]:
    page = parse_html(html.encode(), "http://page.example/")
    return [(link.before, link.after) for link in widened(page.links, page, words)]


def test_window_goes_over_block_borders_to_the_ends_of_the_page():
    html = "<p>One two<ul><li>three<li><a href=/a>Four</a><li>five</ul><p>six"

    assert wide(html) == [("One two\nthree\n", "\nfive\nsix")]
    assert wide(html, 2) == [("two\nthree\n", "\nfive\nsix")]
    assert wide(html, 0) == [("", "")]


def test_words_and_anchor_are_the_text_of_the_page():
    html = "<h1>Größe</h1> in (<a href=/a>Linz</a>), or <a href=/b>Graz</a>"
    page = parse_html(html.encode(), "http://page.example/")

    for link in widened(page.links, page):
        assert f"{link.before}{link.anchor}{link.after}" == page.text


def test_picture_stands_between_the_words_around_it():
    assert wide("<p>One<p><a href=/a><img alt=Four></a><p>two") == [("One\n ", " two")]


def test_link_without_offsets_keeps_the_words_it_has():
    link = Link("http://a.example/", "x", before="a b c", after="d e f")

    (found,) = widened([link], Page.empty("http://page.example/"), 2)

    assert (found.before, found.after) == ("b c ", " d e")


@pytest.mark.parametrize("words", [0, 3, 40])
@given(st.text("ab \n", max_size=40), st.integers(0, 40))
def test_windows_have_the_words_next_to_the_link(words, text, at):
    at = min(at, len(text))

    found = before(text, 0, at, words), after(text, at, len(text), words)

    assert found[0].split() == (text[:at].split()[-words:] if words else [])
    assert found[1].split() == text[at:].split()[:words]
    assert text[:at].endswith(found[0])
    assert text[at:].startswith(found[1])


def test_word_that_the_reach_has_cut_is_left_out():
    long = "x" * 30

    assert before(f"{long} ab ", 0, 34, 2) == "ab "
    assert after(f" ab {long}", 0, 34, 2) == " ab"
