"""One rule of a robots.txt, and whether it speaks of a path.

`*` stands for any characters and a final `$` for the end. The pieces between the stars are looked
for one after the other from the left, which finds a match if there is one; there is no way back,
so a pattern of a thousand stars costs no more than its length. A regular expression would.

All rules of a robots.txt for one agent, packed, and the one that decides about a path.

Nearly all rules are plain: a path begins with them or not. These lie in one sorted text, in little
more memory than the file takes, and the longest that a path begins with is found by bisection, so
that a file of 500 KB with 30,000 rules costs microseconds. The others have stars, an end, or a
spelling that differs from the canonical one; they are tried one after the other, the longest first,
after a look whether their longest piece is in the path at all. So their number has to be limited.
Beyond the limit a prohibition holds for all that begins like it, and a permission is dropped: in
doubt we stay out.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from geoscout.scope_rules import fits, star_pieces
from geoscout_places.urls import tidy_escapes

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


MOST_PIECES = 3_000  # between the stars of all rules that are not plain
_RULE_BYTES = 500  # of memory that a rule takes which is not plain, without its text


class PlainPrefixes:
    """Texts that a path may begin with, sorted in one string.

    Of each it is known which other one is the longest that it begins with itself. All that a path
    begins with are then on the way from the last that sorts before the path.
    """

    __slots__ = ("_begins_with", "_starts", "_text")

    def __init__(self, prefixes: Iterable[str]) -> None:
        ordered = sorted(set(prefixes))
        self._starts = array("I", [0])
        self._begins_with = array("i")  # -1: with none
        around: list[int] = []  # those that the one before begins with, and itself
        for place, prefix in enumerate(ordered):
            self._starts.append(self._starts[-1] + len(prefix))
            while around and not prefix.startswith(ordered[around[-1]]):
                around.pop()
            self._begins_with.append(around[-1] if around else -1)
            around.append(place)
        self._text = "".join(ordered)

    def __len__(self) -> int:
        return len(self._begins_with)

    def size(self) -> int:
        """Bytes of memory, about."""
        return len(self._text) + 8 * len(self)

    def longest(self, path: str) -> str | None:
        """The longest of them that a path begins with; None where there is none."""
        place = bisect_right(range(len(self)), path, key=self._at) - 1
        while place >= 0 and not path.startswith(self._at(place)):
            place = self._begins_with[place]
        return self._at(place) if place >= 0 else None

    def _at(self, place: int) -> str:
        return self._text[self._starts[place] : self._starts[place + 1]]


class RuleSet:
    """What the lines for one agent allow and forbid."""

    __slots__ = ("_allowed", "_forbidden", "_others")

    def __init__(self, lines: Iterable[tuple[bool, str]]) -> None:
        """Each line: whether it allows, and its value, with one character for each byte."""
        plain: dict[bool, list[str]] = {True: [], False: []}
        others: list[Rule] = []
        room = MOST_PIECES
        for allow, value in lines:
            for rule in compile_rules(value, allow=allow):
                if rule.is_plain():
                    plain[allow].append(rule.pattern)
                elif len(rule.pieces) <= room:
                    room -= len(rule.pieces)
                    others.append(rule)
                elif not allow:  # "/" where it begins with a star
                    plain[False] += {rule.pieces[0] or "/", rule.canonical_pieces[0] or "/"}
        self._allowed, self._forbidden = PlainPrefixes(plain[True]), PlainPrefixes(plain[False])
        others.sort(key=_rank)
        keyed = ((rule, max(rule.pieces, key=len)) for rule in others)
        self._others = [(key, max(rule.canonical_pieces, key=len), rule) for rule, key in keyed]

    def __bool__(self) -> bool:
        return bool(len(self._allowed) or len(self._forbidden) or self._others)

    def size(self) -> int:
        """Bytes of memory, about."""
        others = sum(_RULE_BYTES + 4 * len(rule.pattern) for _, _, rule in self._others)
        return self._allowed.size() + self._forbidden.size() + others

    def deciding(self, url: str) -> Rule | None:
        """The longest rule that speaks of a URL; None when none does, and it may be fetched."""
        path = path_of(url)
        if path == "/robots.txt":  # RFC 9309, 2.2.2
            return None
        canonical = canonical_path(path)
        return min(self._speaking(path, canonical), key=_rank, default=None)

    def _speaking(self, path: str, canonical: str) -> Sequence[Rule]:
        """The longest plain rule of each kind that speaks of a path, and the longest other one."""
        found = [(True, self._allowed.longest(path)), (False, self._forbidden.longest(path))]
        if canonical is not path:
            found.append((False, self._forbidden.longest(canonical)))
        rules = [plain_rule(pattern, allow=allow) for allow, pattern in found if pattern]
        for key, canonical_key, rule in self._others:
            if (key in path or canonical_key in canonical) and rule.matches(path, canonical):
                rules.append(rule)
                break
        return rules


def _rank(rule: Rule) -> tuple[int, bool]:
    """The longest first, and permissions before prohibitions."""
    return -len(rule.pattern), not rule.allow
