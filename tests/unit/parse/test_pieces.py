from __future__ import annotations

from geoscout.model import Page
from geoscout.parse import parse_html
from geoscout.parse.pieces import PIECE_TAGS, pieces_of
from tests.unit.parse.sound import check_sound


def parse(html: str) -> Page:
    page = parse_html(html.encode(), "http://example.org/")
    check_sound(page)
    return page


def test_ordinary_page_is_one_piece() -> None:
    html = "<p>Inn</p>" * 4000

    assert pieces_of(html) == [html]


def test_pieces_are_the_page_and_none_has_many_tags() -> None:
    html = "".join(f"<div><b>Inn</b> {number}" for number in range(20_000))

    pieces = pieces_of(html)

    assert "".join(pieces) == html
    assert all(piece.count("<") <= PIECE_TAGS for piece in pieces)
    assert all(piece.startswith("<div>") for piece in pieces)


def test_long_text_is_cut_at_a_tag() -> None:
    html = "<p>" + "word " * 100_000 + "<br>" + "word " * 200_000

    assert [piece[:4] for piece in pieces_of(html)] == ["<p>w", "<br>"]


def test_scripts_and_comments_are_not_torn() -> None:
    script = "<script>" + "if (a<b) x();" * 3000 + "</script>"
    comment = "<!--" + "<p>" * 3000 + "-->"

    page = parse("<p>One</p>" + script + "<p>Two</p>" + comment + "<p>Three</p>" * 3000)

    assert page.text.startswith("One\nTwo\nThree")


def test_rows_of_a_cut_table_stay_rows() -> None:
    html = "<table>" + "<tr><td>Linz</td><td>4020</td></tr>\n" * 5000 + "</table>"

    assert set(parse(html).text.split("\n")) == {"Linz", "4020"}


def test_everything_of_a_large_page_is_read() -> None:
    html = "<html lang=de><title>Orte</title>" + "".join(
        f'<p>Ort {number} <a href="/{number}">mehr</a></p>' for number in range(6000)
    ) + '<meta name="geo.position" content="48;14">'  # fmt: skip

    page = parse(html)

    assert (page.title, page.language) == ("Orte", "de")
    assert len(page.blocks) == len(page.links) == 6000
    assert page.text.endswith("Ort 5999 mehr")
    assert len(page.items) == 1


def test_unclosed_script_hides_the_rest_in_linear_time() -> None:
    assert parse("<p>One</p>" + "<script>" + "<div>" * 50_000).text == "One"
