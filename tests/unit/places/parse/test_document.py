"""Documents of any type: text and PDF, also broken ones, to pages."""

import random
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.errors import UsageError
from geoscout_places.extras import install_command
from geoscout_places.model import Outline, Page
from geoscout_places.parse import document, parse_document, parse_text
from geoscout_places.parse.document import OpenDocument, parse_pdf
from tests.pdfs import pdf_of

URL = "http://a.example/"


def test_plain_text_is_not_read_as_markup():
    page = parse_document(b"1 < 2\r\nand <b>bold</b>\r\n\r\nnext", URL, "text/plain; charset=utf-8")

    assert [page.text[b.start : b.end] for b in page.blocks] == ["1 < 2\nand <b>bold</b>", "next"]


def test_plain_text_has_the_encoding_that_the_header_states():
    page = parse_document("Straße in Łódź".encode("iso-8859-2"), URL, "text/plain;charset=latin2")

    assert page.text == "Straße in Łódź"


def test_a_string_is_text_and_stays_as_it_is():
    page = parse_document("1 < 2\r\n<b>bold</b>", URL)

    assert page.text == "1 < 2\r\n<b>bold</b>"


@pytest.mark.parametrize("content_type", ["text/html", "", "application/xhtml+xml; charset=utf-8"])
def test_other_types_are_html(content_type):
    page = parse_document(b"<title>Rom</title><p>Hello", URL, content_type)

    assert (page.title, page.text) == ("Rom", "Hello")


@pytest.mark.parametrize("content_type", ["application/pdf", "application/PDF; name=a", ""])
def test_pdf_is_known_by_its_type_or_by_its_beginning(content_type):
    page = parse_document(pdf_of([(50, 700, "In Rome")]), URL, content_type)

    assert page.text.strip() == "In Rome"


@pytest.mark.parametrize("content_type", ["application/pdf", "text/plain"])
def test_documents_that_are_not_html_have_no_outline(content_type):
    assert OpenDocument(b"<h1>Rom</h1>", URL, content_type).outline() == Outline()


def test_blank_lines_part_blocks():
    page = parse_text("Zum Wirt\nHauptplatz 1\n \n\n  4020 Linz \n", "http://example.org/a.txt")

    assert [page.text[block.start : block.end] for block in page.blocks] == [
        "Zum Wirt\nHauptplatz 1",
        "4020 Linz",
    ]
    assert page.url == "http://example.org/a.txt"


def test_text_stays_as_it_is():
    text = "  a \r\n\r\n b\t"

    assert parse_text(text).text is text


def test_empty_text_has_no_blocks():
    assert parse_text(" \n\n ").blocks == ()


@given(st.text(alphabet=st.sampled_from("ab \n\t\r\x0b\u2028"), max_size=60))
def test_blocks_are_apart_and_hold_all_words(text):
    page = parse_text(text)

    words = [word for b in page.blocks for word in page.text[b.start : b.end].split()]
    assert words == text.split()
    assert all(
        one.end < other.start for one, other in zip(page.blocks, page.blocks[1:], strict=False)
    )


def blocks(page: Page) -> list[str]:
    return [page.text[block.start : block.end] for block in page.blocks]


def test_lines_of_an_address_stay_together_and_paragraphs_do_not():
    document = pdf_of(
        [(50, 700, "Turnverein"), (50, 688, "Lange Straße 4"), (50, 676, "26122 Oldenburg"),
         (50, 640, "Wir treffen uns am Dienstag.")],
    )  # fmt: skip

    assert blocks(parse_pdf(document, URL)) == [
        "Turnverein\nLange Straße 4\n26122 Oldenburg",
        "Wir treffen uns am Dienstag.",
    ]


def test_columns_and_pages_are_blocks_of_their_own():
    document = pdf_of(
        [(50, 700, "left one"), (50, 688, "left two"), (300, 700, "right one")], [(50, 700, "next")]
    )

    assert blocks(parse_pdf(document, URL)) == ["left one\nleft two", "right one", "next"]


def test_cells_of_a_row_are_lines():
    document = pdf_of([(50, 700, "Bakery"), (200, 700, "12 Main Street"), (400, 700, "555 1234")])

    assert blocks(parse_pdf(document, URL)) == ["Bakery\n12 Main Street\n555 1234"]


def test_words_that_were_cut_at_the_end_of_a_line_are_whole_again():
    document = pdf_of(
        [
            (50, 700, "in der Donner-"),
            (50, 688, "schweer Straße in Baden-"),
            (50, 676, "Württemberg"),
        ]
    )

    assert parse_pdf(document, URL).text.strip() == (
        "in der Donnerschweer Straße in Baden-Württemberg"
    )


def test_title_is_that_of_the_document_or_its_first_line():
    lines = [(50, 700, "Headline"), (50, 600, "Text")]

    assert parse_pdf(pdf_of(lines, title="News (3)"), URL).title == "News (3)"
    assert parse_pdf(pdf_of(lines), URL).title == "Headline"


def test_links_are_resolved_and_have_their_words():
    page = parse_pdf(pdf_of([(50, 700, "Our programme")], link="/events?a=1"), URL)

    assert [(link.url, link.anchor) for link in page.links] == [
        ("http://a.example/events?a=1", "Our programme")
    ]


def test_links_that_are_not_of_the_web_are_left_out():
    assert parse_pdf(pdf_of([(50, 700, "x")], link="javascript:alert(1)"), URL).links == ()


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7", b"%PDF-1.4\n%%EOF", b"\0" * 5000])
def test_what_cannot_be_opened_is_a_page_without_text(content):
    assert parse_pdf(content, URL) == Page.empty(URL)


def test_damaged_documents_are_survived():
    whole = pdf_of([(50, 700, "In Rome")], [(50, 700, "In Bonn")], link="/a", title="x")
    chance = random.Random(4)
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(chance.randrange(1, 12)):
            damaged[chance.randrange(9, len(damaged))] = chance.randrange(256)
        page = parse_pdf(bytes(damaged[: chance.randrange(50, len(damaged) + 1)]), URL)
        assert page.url == URL


def test_pages_beyond_the_limit_are_left_out(monkeypatch):
    monkeypatch.setattr(document, "_MOST_PAGES", 2)

    page = parse_pdf(pdf_of(*([(50, 700, f"page {n}")] for n in range(4))), URL)

    assert page.text.split() == ["page", "0", "page", "1"]


def test_without_the_extra_the_user_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    monkeypatch.setattr(document, "can_read_pdf", lambda: False)  # it remembers what it found

    with pytest.raises(UsageError, match=re.escape(install_command("pdf"))):
        document.check_pdf()
    assert parse_pdf(pdf_of([(50, 700, "x")]), URL) == Page.empty(URL)
