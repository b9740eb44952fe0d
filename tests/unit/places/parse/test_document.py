from __future__ import annotations

import pytest

from geoscout_places.parse import parse_document
from geoscout_places.parse.outline import Outline, outline_of
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
    assert outline_of(b"<h1>Rom</h1>", URL, content_type) == Outline()
