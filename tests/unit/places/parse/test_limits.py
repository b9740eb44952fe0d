import time

import pytest

from geoscout_places.model import Page
from geoscout_places.parse import parse_html
from geoscout_places.parse.limits import MOST_TAGS, PIECE_TAGS, pieces_of, tame
from tests.unit.places.parse.sound import check_sound

PARAGRAPH = "<p>Our <span>house</span> stands by the lake <a href=x>see</a>.</p>"

HOSTILE = {
    "nested": "<div>",
    "nested inline": "<span>",
    "nested unknown": "<x-y>",
    "anchors": "<a>",
    "links": "<a href=x>y",
    "links around blocks": "<a href=x><div>",
    "lists": "<ul><li>",
    "items in terms": "<li><dt>",
    "options in links": "<option><a href=x>",
    "tables": "<table><tr><td>",
    "formatting": "<b><i><p></b></i>",
    "reopened formatting": "<p><font size=%d>x",
    "bodies": "<body a%d=1>",
    "drawing": "<svg><path/>",
    "buttons": "<button><p>",
    "forms": "<form><div>",
    "end tags": "</div></p></b>",
    "leaking": "<div><table><td></div></td></table>",
    "hidden ends": "<div title='</div>'><!-- </div> --><script></div></script>",
    "drawing in a term": "<svg><desc><div></desc><math><title id=%d>",
    "text in a table": "some text<tbody id=%d>",
    "less-than": "<",
    "ampersands": "&",
    "references": "&#x41;",
    "comments": "<!--",
    "quotes": '<a b="',
    "breaks": "x<br>",
    "hidden": "<p hidden>x",
    "pictures": "<a href=x><img alt=y>",
    "one block": "word <a href=x>y</a> ",
    "items": "<div itemscope itemprop=a>x",
    "cards": "<div class='vcard adr geo'>x",
    "scripts": '<script type="application/ld+json">{"@type":"Place","a":[{',
    "brackets": "[",
}


def page_of(pattern: str, length: int) -> bytes:
    """The pattern over and over, with running numbers where it wants them."""
    count = length // len(pattern) + 1
    if "%d" not in pattern:
        return (pattern * count).encode()
    return "".join(pattern % number for number in range(count)).encode()


@pytest.mark.parametrize("pattern", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_page_is_read_in_linear_time(pattern):
    body = page_of(pattern, 500_000)

    start = time.process_time()
    page = parse_html(body, "http://example.org/")
    seconds = time.process_time() - start

    check_sound(page)
    # Unguarded, the nested ones take lexbor a minute; 0.1 to 0.5 s is usual.
    assert seconds < 6


def test_element_with_many_attributes_loses_them():
    body = "<div " + " ".join(f"a{number}=1" for number in range(100_000)) + ">Inn</div>"

    start = time.process_time()
    page = parse_html(body.encode(), "http://example.org/")

    assert page.text == "Inn"
    assert time.process_time() - start < 5


def test_long_attribute_is_kept():
    html = f"<img src='data:image/png;base64,{'A' * 50_000}' alt='x'>"

    assert tame(html) == html


def test_ordinary_page_is_left_alone():
    html = "<html><body>" + "<div><ul><li>" * 20 + PARAGRAPH * 500 + "</li></ul></div>" * 20

    assert tame(html) == html


def test_page_of_much_formatting_reads_the_same():
    html = "<p><b>M</b>ünchen, <FONT size=1><i>Bay</i>ern</FONT>\n" * 1000

    page = parse_html(html.encode(), "http://example.org/")

    assert set(page.text.split("\n")) == {"München, Bayern"}


def test_what_follows_too_many_tags_is_not_read():
    html = "<p>x" * (MOST_TAGS + 10)

    assert tame(html).count("<") == MOST_TAGS


def parse(html: str) -> Page:
    page = parse_html(html.encode(), "http://example.org/")
    check_sound(page)
    return page


def test_ordinary_page_is_one_piece():
    html = "<p>Inn</p>" * 4000

    assert pieces_of(html) == pieces_of(html.encode()) == [html.encode()]


def test_pieces_are_the_page_and_none_has_many_tags():
    html = "".join(f"<div><b>Inn</b> {number}" for number in range(20_000))

    pieces = pieces_of(html)

    assert b"".join(pieces).decode() == html
    assert all(piece.count(b"<") <= PIECE_TAGS for piece in pieces)
    assert all(piece.startswith(b"<div>") for piece in pieces)


def test_long_text_is_cut_at_a_tag():
    html = "<p>" + "word " * 100_000 + "<br>" + "word " * 200_000

    assert [piece[:4] for piece in pieces_of(html)] == [b"<p>w", b"<br>"]


def test_length_is_counted_in_characters():
    short, long = "é" * 240_000, "é" * 260_000

    pieces = pieces_of(f"<p>{short}<br>{short}<br>{long}<br>{long}")

    assert [len(piece.decode()) for piece in pieces] == [480_007, 260_004, 260_004]


def test_scripts_and_comments_are_not_torn():
    script = "<script>" + "if (a<b) x();" * 3000 + "</script>"
    comment = "<!--" + "<p>" * 3000 + "-->"

    page = parse("<p>One</p>" + script + "<p>Two</p>" + comment + "<p>Three</p>" * 3000)

    assert page.text.startswith("One\nTwo\nThree")


def test_rows_of_a_cut_table_stay_rows():
    html = "<table>" + "<tr><td>Linz</td><td>4020</td></tr>\n" * 5000 + "</table>"

    assert set(parse(html).text.split("\n")) == {"Linz", "4020"}


def test_everything_of_a_large_page_is_read():
    html = "<html lang=de><title>Orte</title>" + "".join(
        f'<p>Ort {number} <a href="/{number}">mehr</a></p>' for number in range(6000)
    ) + '<meta name="geo.position" content="48;14">'  # fmt: skip

    page = parse(html)

    assert (page.title, page.language) == ("Orte", "de")
    assert len(page.blocks) == len(page.links) == 6000
    assert page.text.endswith("Ort 5999 mehr")
    assert len(page.items) == 1


def test_unclosed_script_hides_the_rest_in_linear_time():
    assert parse("<p>One</p>" + "<script>" + "<div>" * 50_000).text == "One"
