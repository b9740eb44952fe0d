"""Sentences that say what a name is: "Toledo is a city in Lewis County, Washington".

Encyclopedias, town pages and guides begin like this. All wider names of the sentence count: those
places of the name are meant that lie in the most of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

from geoscout_places.geo.mentions.recognise import NameSpan
from geoscout_places.language import merge

_STARTS = frozenset(("start", "stop", "kind"))  # classes of what is before the name
_LONGEST = 200  # characters of a sentence that are looked at
_MOST_NAMES = 12
# A full stop after a short word is one of an abbreviation: "St. Louis", "the U.S. state".
_SENTENCE_END = re.compile(r"[^\W_]{3}[.!?]\)? |\n")


def defined_areas(
    spans: Sequence[NameSpan], text: str
) -> Iterator[tuple[NameSpan, frozenset[int]]]:
    """The names that a sentence defines, each with the areas its place lies in."""
    definition = definition_pattern()
    for number, span in enumerate(spans):
        if (
            span.before in _STARTS
            and span.after != "end"
            and (match := definition.match(text, span.end))
        ):
            following = islice(spans, number + 1, number + 1 + _MOST_NAMES)
            named = _named_after(span, following, _sentence_end(text, match.end()))
            if areas := _narrowest(span, named):
                yield span, areas


@cache
def definition_pattern() -> re.Pattern[str]:
    """What stands after a name that is defined: " (Spanish: Toledo) is "."""
    words = merge(lambda language: language.names.defining)
    return re.compile(rf"(?: ?\([^()\n]{{0,100}}\))?,? (?:{'|'.join(map(re.escape, words))}) ")


def _sentence_end(text: str, start: int) -> int:
    match = _SENTENCE_END.search(text, start, start + _LONGEST)
    return match.start() if match else start + _LONGEST


def _named_after(span: NameSpan, following: Iterator[NameSpan], end: int) -> frozenset[int]:
    """The ids of what the rest of a sentence names and places of the name lie in."""
    above = span.facts.senses().around
    named = [s.facts.senses().ids for s in following if s.start < end and s.name != span.name]
    return above.intersection(frozenset().union(*named))


def _narrowest(span: NameSpan, named: frozenset[int]) -> frozenset[int]:
    """The narrowest named area of each place that lies in the most of them."""
    if not named:
        return named
    lineages = span.facts.senses().lineages
    found = [[id for id in above if id in named] for above in lineages]
    most = max([len(areas) for areas in found])
    return frozenset([areas[0] for areas in found if len(areas) == most])
