"""All rules of a robots.txt for one agent, packed, and the one that decides about a path.

Nearly all rules are plain: a path begins with them or not. These lie in one sorted text, in little
more memory than the file takes, and the longest that a path begins with is found by bisection, so
that a file of 500 KB with 30,000 rules costs microseconds. The others have stars, an end, or a
spelling that differs from the canonical one; they are tried one after the other, the longest first,
after a look whether their longest piece is in the path at all. So their number has to be limited.
Beyond the limit a prohibition holds for all that begins like it, and a permission is dropped: in
doubt we stay out.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from geoscout.fetch.robots.rules import (
    Rule,
    canonical_path,
    compile_rules,
    path_of,
    plain_rule,
)

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
