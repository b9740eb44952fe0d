"""Pages that lexbor can be given as they came: nearly every page there is.

Decoding a page to text, looking at it and encoding it again for lexbor takes longer than building
the tree. A kernel reads the bytes once and says of most pages that all of it would change nothing:
they are UTF-8, they hold no marks of the tape, and `limits.tame` would leave them alone. It says so
only where it is sure; for all other pages, and without the kernel, the long way decides.
"""

from __future__ import annotations

import codecs

from geoscout_places.native import kernel
from geoscout_places.parse import limits
from geoscout_places.parse.charset import may_be_utf8

_compiled = kernel("plain")
_ASCII, _SURE_UTF8 = 1, 3
_LARGEST = 1 << 28  # bytes; the numbers that the kernel multiplies stay small


def plain_page(body: bytes, content_type: str) -> tuple[bytes, int] | None:
    """The page in UTF-8 and how many tags begin in it; None where it has to be changed first."""
    if _compiled is None:
        return None
    page = body.removeprefix(codecs.BOM_UTF8)
    kind, tags = _compiled.plainness(
        page,
        most_bytes=_LARGEST,
        most_tags=limits.MOST_TAGS,
        most_roots=limits.MOST_ROOTS,
        most_tag_bytes=limits.LONG_TAG,
        most_reopened=limits.MOST_REOPENED,
    )
    if kind == _ASCII or (kind and len(page) < len(body)):
        return page, tags
    return (
        (page, tags) if kind and may_be_utf8(body, content_type, sure=kind == _SURE_UTF8) else None
    )
