"""What kind of place a name means by the words and names next to it.

"Washington state" is not the city, "Stadt Münster" is not the province, and in "Virginia,
Washington and Wyoming" all three are states.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from geoscout_places.geo.mentions.binding import areas_said, close_pairs, first_kind
from geoscout_places.geo.mentions.defining import definition_pattern
from geoscout_places.geo.mentions.recognise import NameSpan
from geoscout_places.language import merge
from geoscout_places.model import Kind

_REACH = 24  # characters looked at for a word
_DEFINING_WORDS = 4  # after "is" that may say what a name is
_LONGEST_GAP = 6
_LISTING = (", ", "; ", "/", " / ")
_BEFORE = frozenset(("kind", "of", "in"))  # classes of the word before a name
_WORDS = re.compile(r"[^\W\d_]+")
_SMALL = frozenset(("of", "von", "de", "di", "van", "do", "da", "af"))


class KindsBeside(NamedTuple):
    """The kinds that speak for a name."""

    said: frozenset[Kind] = frozenset()  # by a word next to it
    listed: frozenset[Kind] = frozenset()  # by what it is in a list with


NO_KINDS = KindsBeside()


def kinds_beside(spans: list[NameSpan], text: str) -> dict[str, KindsBeside]:
    """The kinds that speak for each name that may be a town or something wider."""
    said: dict[str, set[Kind]] = {}
    listed: dict[str, set[Kind]] = {}
    for span in _mixed(spans):
        if kinds := _said(span, text):
            said.setdefault(span.name, set()).update(kinds)
    listing = _listing_gaps()
    for left, right in _mixed_pairs(spans):
        if text[left.end : right.start] in listing:
            for name, kind in _listed(left, right):
                listed.setdefault(name, set()).add(kind)
    return {
        name: KindsBeside(frozenset(said.get(name, ())), frozenset(listed.get(name, ())))
        for name in said.keys() | listed.keys()
    }


def _mixed(spans: list[NameSpan]) -> list[NameSpan]:
    return [span for span in spans if span.facts.senses().is_mixed]


def _mixed_pairs(spans: list[NameSpan]) -> list[tuple[NameSpan, NameSpan]]:
    """Neighbours of different names, of which one may be a town or something wider."""
    return [
        (left, right)
        for left, right in close_pairs(spans, _LONGEST_GAP)
        if (left.facts.senses().is_mixed or right.facts.senses().is_mixed)
        and left.name != right.name
    ]


def _said(span: NameSpan, text: str) -> list[Kind]:
    words = []
    if span.before in _BEFORE:
        words = _WORDS.findall(text, max(0, span.start - _REACH), span.start)[-2:]
        words = words[-2:-1] if words and words[-1] in _SMALL else words[-1:]
    if text[span.end : span.end + 1] == " ":
        words += text[span.end : span.end + _REACH].split(maxsplit=1)[:1]
        if match := definition_pattern().match(text, span.end):  # "Münster ist eine schöne Stadt"
            words += _WORDS.findall(text, match.end(), match.end() + 2 * _REACH)[:_DEFINING_WORDS]
    known = _kind_words()
    return [known[word] for word in map(str.lower, words) if word in known]


def _listed(left: NameSpan, right: NameSpan) -> Iterable[tuple[str, Kind]]:
    """Two names of a list say the kind of each other, if none of them lies in the other."""
    one, other = left.facts, right.facts
    if areas_said(one, other) or areas_said(other, one):
        return
    if one.senses().is_mixed:
        yield left.name, first_kind(other)
    if other.senses().is_mixed:
        yield right.name, first_kind(one)


@cache
def _listing_gaps() -> frozenset[str]:
    words = merge(lambda language: language.names.listing)
    return frozenset((*_LISTING, *(f"{mark}{word} " for word in words for mark in (" ", ", "))))


@cache
def _kind_words() -> dict[str, Kind]:
    """The kinds by the words for them; where languages differ, the first one counts."""
    found: dict[str, Kind] = {}
    for kind, words in (
        (Kind.CITY, merge(lambda language: language.names.town_words)),
        (Kind.DISTRICT, merge(lambda language: language.names.district_words)),
        (Kind.REGION, merge(lambda language: language.names.region_words)),
    ):
        for word in words:
            found.setdefault(word, kind)
    return found
