"""The bytes of a robots.txt to its records, as forgiving as Google's parser and no more.

A site's owner has tried the file on the big search engines, so their reading of typing errors is
the one that was meant. What they do not forgive is ignored here too.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Literal

LONGEST_FILE = 500 * 1024  # bytes; RFC 9309, 2.5
LONGEST_LINE = 2083 * 8 - 1  # bytes; Google's: the longest URL of old browsers, escaped, and more
_BLANKS = " \t\n\v\f\r"
_LINE_END = re.compile(r"\r\n?|\n")
_REST = re.compile(r"[#\0].*", re.DOTALL)  # a comment; after NUL nothing was read in C
_BYTE_ORDER_MARK = re.compile(rb"\xef(?:\xbb\xbf?)?")  # parts of it, too

Field = Literal["user-agent", "allow", "disallow", "crawl-delay", "sitemap"]
_FIELDS: tuple[tuple[Field, tuple[str, ...]], ...] = (
    ("user-agent", ("user-agent", "useragent", "user agent")),
    ("allow", ("allow",)),
    ("disallow", ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw")),
    ("crawl-delay", ("crawl-delay", "crawldelay", "crawl delay")),
    ("sitemap", ("sitemap", "site-map")),
)


def read_records(body: bytes) -> Iterator[tuple[Field, str]]:
    """The records that count, in order; each character of a value stands for one byte."""
    for line in _LINE_END.split(_decode(body)):
        key, value = _split_line(line[:LONGEST_LINE])
        field = _field(key.lower())
        if field:
            yield field, value


def _decode(body: bytes) -> str:
    cut = body[:LONGEST_FILE]
    if len(body) > LONGEST_FILE:  # half a rule would be another rule
        cut = cut[: max(cut.rfind(b"\n"), cut.rfind(b"\r")) + 1]
    if cut.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        cut = cut.decode("utf-16", "replace").encode("utf-8", "replace")
    mark = _BYTE_ORDER_MARK.match(cut)
    return cut[mark.end() if mark else 0 :].decode("latin-1")


def _split_line(line: str) -> tuple[str, str]:
    """Key and value; both "" where the line has none."""
    line = _REST.sub("", line).strip(_BLANKS)
    key, colon, value = line.partition(":")
    if colon:
        return key.strip(_BLANKS), value.strip(_BLANKS)
    words = [word for word in re.split(r"[ \t]+", line) if word]
    return (words[0], words[1]) if len(words) == 2 else ("", "")  # the colon was forgotten


def _field(key: str) -> Field | None:
    """The field a key means; what follows the name in the key does not matter to Google."""
    return next((field for field, starts in _FIELDS if key.startswith(starts)), None)
