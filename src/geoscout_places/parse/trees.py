"""Bytes to lexbor's trees: nearly always one for a page."""

from __future__ import annotations

from collections.abc import Sequence

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, SelectolaxError

from geoscout_places.parse.charset import decode
from geoscout_places.parse.limits import cut, fits_in_one, pieces_of, tame
from geoscout_places.parse.plain import plain_page
from geoscout_places.parse.tape import drop_marks


def markup_of(body: bytes, url: str, content_type: str) -> Sequence[bytes]:
    """What lexbor is given: the page itself, or the harmless pieces that are made of it."""
    plain = plain_page(body, content_type)
    if plain is not None:
        page, tags = plain
        return (page,) if fits_in_one(page, tags) else cut(page)
    return pieces_of(tame(drop_marks(decode(body, content_type, url))))


def tree_of(piece: bytes) -> LexborHTMLParser:
    """The tree of a text in UTF-8.

    Raises:
        MemoryError: there is not enough. Lexbor fails for no other reason: it takes any text.
    """
    try:
        return LexborHTMLParser(piece, options=LexborDocumentOptions.WO_EVENTS)
    except SelectolaxError as error:
        raise MemoryError from error
