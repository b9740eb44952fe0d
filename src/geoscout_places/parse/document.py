"""What a server sent, of whatever type, to a `Page`: HTML, plain text, or PDF."""

from __future__ import annotations

from geoscout_places.model import Page
from geoscout_places.parse.charset import decode
from geoscout_places.parse.html import parse_html
from geoscout_places.parse.pdf import PDF_MARK, PDF_TYPE, parse_pdf
from geoscout_places.parse.text import parse_text

TEXT_TYPE = "text/plain"
_MARK_WITHIN = 1024  # bytes; readers of PDF look no further for its mark


def is_html(body: bytes, content_type: str) -> bool:
    """Whether a document is read as HTML."""
    return _media_type(content_type) != TEXT_TYPE and not is_pdf(body, content_type)


def is_pdf(body: bytes, content_type: str) -> bool:
    """Whether a document is read as PDF; of what states no type, what begins like one."""
    kind = _media_type(content_type)
    return kind == PDF_TYPE or (not kind and PDF_MARK in body[:_MARK_WITHIN])


def parse_document(body: bytes | str, url: str, content_type: str = "") -> Page:
    """Read a document by its type; any bytes are one, and a string is plain text as it stands.

    The arguments are those of `parse_html`.
    """
    if isinstance(body, str):
        return parse_text(body, url)
    if is_pdf(body, content_type):
        return parse_pdf(body, url)
    if is_html(body, content_type):
        return parse_html(body, url, content_type)
    text = decode(body, content_type, url).replace("\r\n", "\n").replace("\r", "\n")
    return parse_text(text, url)


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].partition(",")[0].strip().lower()
