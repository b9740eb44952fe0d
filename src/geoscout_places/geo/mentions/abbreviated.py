"""Towns with what tells them from others in short: "Limburg a. d. Lahn", "Frankfurt a.M.".

The gazetteer has the long names; the files of the languages say what the short words stand for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

from geoscout_places.language import NameWords
from geoscout_places.toponyms import sight

if TYPE_CHECKING:
    from geoscout_places.geo.mentions.senses import NameFacts

_TOWN = r"(?<![^\W_])(?P<town>[A-Z][^\W\d_]+)"
_PART = r"(?P<part>[A-Z][^\W\d_]*\.?)"


class ShortNames:
    """Finds towns with a short addition in texts of one language."""

    def __init__(self, names: NameWords, facts: Mapping[str, NameFacts | None]) -> None:
        """`facts` tells what is known of a name as `sight` shows it."""
        self._facts = facts
        self._links = _meanings(names.short_links)
        self._parts = _meanings(names.short_parts)
        # What a joint of town and addition begins with, as far as it is rare.
        self._joints = ("/", *{f" {link.split(' ')[0]}" for link in self._links})
        links = "|".join(re.escape(link).replace(r"\ ", " ?") for link in self._longest_first())
        self._pattern = re.compile(rf"{_TOWN}(?: ?/ ?| (?P<link>{links}) ?){_PART}")

    def _longest_first(self) -> list[str]:
        return sorted(self._links, key=len, reverse=True)

    def find(self, view: str) -> Iterator[tuple[int, int, str, NameFacts]]:
        """Where such towns stand in what `sight` shows of a text, their full names and facts."""
        for match in self._matches(view):
            for name in self._full_names(match):
                if facts := self._facts[name]:
                    is_short = match["part"] in self._parts
                    end = match.end() - (match["part"][-1] == "." and not is_short)
                    yield match.start(), end, name, facts
                    break

    def _matches(self, view: str) -> Iterator[re.Match[str]]:
        """What the pattern finds: it is tried at the words before a joint, which are few."""
        done = 0
        for joint in sorted(p for mark in self._joints for p in _positions(view, mark)):
            start = joint - (view[joint] == "/" and view[joint - 1 : joint] == " ")
            while start and view[start - 1].isalnum():
                start -= 1
            if start >= done and (match := self._pattern.match(view, start)):
                done = match.end()
                yield match

    def _full_names(self, match: re.Match[str]) -> Iterator[str]:
        town, part = match["town"], match["part"]
        link = (match["link"] or "").replace(" ", "")
        meant = [m for short, m in self._links.items() if link in ("", short.replace(" ", ""))]
        for words, long in product(meant, self._parts.get(part) or [part.rstrip(".")]):
            for word in words:
                yield f"{town} {word} {long}"


def _positions(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _meanings(entries: Sequence[str]) -> dict[str, list[str]]:
    """What short words stand for: "a. d.>an der"; one may stand for several."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        short, _, long = entry.partition(">")
        found.setdefault(sight(short), []).append(sight(long))
    return found
