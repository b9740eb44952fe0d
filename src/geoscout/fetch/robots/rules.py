"""One rule of a robots.txt, and whether it speaks of a path.

`*` stands for any characters and a final `$` for the end. The pieces between the stars are looked
for one after the other from the left, which finds a match if there is one; there is no way back,
so a pattern of a thousand stars costs no more than its length. A regular expression would.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from geoscout.url_patterns import fits, star_pieces
from geoscout.urls import tidy_escapes

_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}|[\x80-\xff]")
_BEFORE_PATH = re.compile(r"(?://)?(?:[^/?;]*://)?[^/?;]*")


class Rule(Struct, frozen=True):
    """A line `Allow: …` or `Disallow: …`. Make it with `compile_rules`."""

    allow: bool
    pattern: str
    pieces: tuple[str, ...]  # the pattern between its stars
    canonical_pieces: tuple[str, ...]  # the same in canonical spelling
    anchored: bool  # the path must end where the pattern does

    def matches(self, path: str, canonical: str) -> bool:
        """Whether it speaks of a path, given as asked for and in canonical spelling.

        Google compares byte by byte, RFC 9309 (2.2.2) after decoding `%70rivate`. A permission
        must hold for Google; for a prohibition either will do.
        """
        if fits(self.pieces, path, anchored=self.anchored):
            return True
        if self.allow or (canonical is path and self.canonical_pieces is self.pieces):
            return False
        return fits(self.canonical_pieces, canonical, anchored=self.anchored)

    def is_plain(self) -> bool:
        """Whether it speaks of all paths that begin with its pattern, and of no others."""
        return len(self.pieces) == 1 and not self.anchored and self.canonical_pieces is self.pieces

    def __str__(self) -> str:
        return f"{'Allow' if self.allow else 'Disallow'}: {self.pattern}"


def compile_rules(value: str, *, allow: bool) -> Iterator[Rule]:
    """The rules a line means, its value with one character for each byte; an empty one means none.

    Where `index.html` is allowed the folder is, too; so Google.
    """
    pattern = _ESCAPE.sub(_escape, value)
    if pattern:
        yield _compile(pattern, allow=allow)
    folder, slash, page = pattern.rpartition("/")
    if allow and slash and page.startswith("index.htm"):
        yield _compile(f"{folder}/$", allow=True)


def plain_rule(pattern: str, *, allow: bool) -> Rule:
    """A rule that speaks of all paths that begin with a pattern."""
    pieces = (pattern,)
    return Rule(allow, pattern, pieces, pieces, anchored=False)


def path_of(url: str) -> str:
    """Path, parameters and query of a URL, untouched; "/" where it has none."""
    path = _BEFORE_PATH.sub("", url.partition("#")[0], count=1)
    return path if path.startswith("/") else f"/{path}"


def canonical_path(path: str) -> str:
    """The spelling in which equivalent paths are equal (RFC 9309, 2.2.2); `path` itself if it is.

    `*` and `$` are escaped, since in a pattern only their escapes stand for themselves.
    """
    octets = path if path.isascii() else path.encode("utf-8", "replace").decode("latin-1")
    canonical = tidy_escapes(octets).replace("*", "%2A").replace("$", "%24")
    return path if canonical == path else canonical


def _compile(pattern: str, *, allow: bool) -> Rule:
    anchored = pattern.endswith("$")
    text = pattern[:-1] if anchored else pattern
    canonical = tidy_escapes(text).replace("$", "%24")
    pieces = star_pieces(text)
    canonical_pieces = pieces if canonical == text else star_pieces(canonical)
    return Rule(allow, pattern, pieces, canonical_pieces, anchored)


def _escape(found: re.Match[str]) -> str:
    text = found[0]
    return text.upper() if len(text) > 1 else f"%{ord(text):02X}"
