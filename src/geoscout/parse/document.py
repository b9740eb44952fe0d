"""What a server sent, of whatever type, to a `Page`: HTML, plain text, or PDF."""

from __future__ import annotations

from geoscout.model import Page
from geoscout.parse.charset import decode
from geoscout.parse.html import parse_html
from geoscout.parse.pdf import PDF_MARK, PDF_TYPE, parse_pdf
from geoscout.parse.text import parse_text

TEXT_TYPE = "text/plain"
_MARK_WITHIN = 1024  # bytes; readers of PDF look no further for its mark


def is_html(body: bytes, content_type: str) -> bool:
    """Whether a document is read as HTML; what states no type is, unless it begins like a PDF."""
    kind = _media_type(content_type)
    return kind not in (TEXT_TYPE, PDF_TYPE) and not _looks_like_pdf(body, kind)


def parse_document(body: bytes, url: str, content_type: str = "") -> Page:
    """Read a document by its type; any bytes are one. The arguments are those of `parse_html`."""
    if is_html(body, content_type):
        return parse_html(body, url, content_type)
    if _media_type(content_type) != TEXT_TYPE:
        return parse_pdf(body, url)
    text = decode(body, content_type, url).replace("\r\n", "\n").replace("\r", "\n")
    return parse_text(text, url)


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].partition(",")[0].strip().lower()


def _looks_like_pdf(body: bytes, kind: str) -> bool:
    return not kind and PDF_MARK in body[:_MARK_WITHIN]
