"""Finds the spans of a text that may be place names, with what stands around each.

Whether to believe a span is for `believe`; this module only collects what can be seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from geoscout.geo.mentions.knowledge import NameFacts, NameKnowledge, NamePattern
from geoscout.toponyms import capitalised, heads, sight

_SHORT_TEXT = 400
_SAMPLE = 2000
_FEW_CAPITALS = 0.008
_ABBREVIATED = 4
_UNSEEN = NamePattern("", None, is_other=False)
_NO_CAPITALS = bytes(code for code in range(256) if not 65 <= code <= 90)


class NameSpan:
    """A stretch of text that spells a place name, and what was found out about it."""

    __slots__ = (
        "after", "areas", "before", "case", "end", "facts", "flags", "floor", "ids", "name",
        "score", "start",
    )  # fmt: skip

    def __init__(self, start: int, end: int, name: str, facts: NameFacts) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.facts = facts
        self.before = self.after = self.case = ""
        self.flags = 0  # bits of `linear_models.BITS`
        self.score = 0.0
        self.areas: frozenset[int] | None = None  # ids of the areas it is said to lie in right here
        self.ids: frozenset[int] | None = None  # of the places it is said to be right here
        self.floor = -inf  # below which nothing takes its score


class Sightings(NamedTuple):
    """What one pass over a text brings."""

    view: str  # the text as `sight` shows it
    spans: list[NameSpan]
    heads: list[tuple[int, int]]  # words such as "River"
    lines: list[tuple[int, int]]  # railway lines and roads


def look(text: str, knowledge: NameKnowledge, *, joined_lines: bool = True) -> Sightings:
    """All that may matter, in order; with `joined_lines` a name may be broken over two lines."""
    view = sight(text)
    if joined_lines:
        view = view.replace("\n", " ")
    seen = Sightings(view, [], [], [])
    seen.spans.extend(_spans(text, seen, knowledge))
    if _is_informal(text):
        _add_lower_case(text, seen, knowledge)
    _score(text, seen, knowledge)
    return seen


def _score(text: str, seen: Sightings, knowledge: NameKnowledge) -> None:
    """Scores the spans by their name and neighbours."""
    view = seen.view
    before_class, after_class = knowledge.neighbours.before, knowledge.neighbours.after
    context_score = knowledge.belief.context_score
    for span in seen.spans:
        facts = span.facts
        before = span.before = before_class(text, view, span.start)
        after = span.after = after_class(text, view, span.end)
        case = span.case = span.case or _case(text, span)
        span.score = facts.score + context_score(facts.sort, before, after, case)


def _spans(text: str, seen: Sightings, knowledge: NameKnowledge) -> Iterator[NameSpan]:
    view, head_words = seen.view + " ", heads()
    known, learn = knowledge.patterns.get, knowledge.learn_pattern
    for start, end, number in knowledge.automaton.find(seen.view):
        pattern = known(number, _UNSEEN)
        # Most hits are words that are never meant as places, or begin a longer word: nothing more
        # is asked of these.
        if pattern is None or (view[end].isalnum() and not _is_plural(view, end)):
            continue
        if start and view[start - 1].isalnum():
            continue
        if pattern is _UNSEEN and (pattern := learn(number, view[start:end])) is None:
            continue
        name, facts, is_other = pattern
        if view[end] == "s":
            if facts is not None and facts.is_demonym:
                yield NameSpan(start, end + 1, view[start : end + 1], facts)
            continue
        if is_other:
            (seen.heads if name in head_words else seen.lines).append((start, end))
        if facts is not None and not (facts.is_code and not text[start:end].isupper()):
            yield NameSpan(start, end, name, facts)


def _is_plural(view: str, end: int) -> bool:
    """Whether a name that goes on is a plural and ends then: "Egyptians"."""
    return view[end] == "s" and not view[end + 1 : end + 2].isalnum()


def _is_informal(text: str) -> bool:
    """Whether names may stand in lower case: messages, and text without capitals."""
    if len(text) <= _SHORT_TEXT:
        return True
    sample = text[:_SAMPLE].encode("ascii", "replace")
    return len(sample.translate(None, _NO_CAPITALS)) < _FEW_CAPITALS * len(sample)


def _add_lower_case(text: str, seen: Sightings, knowledge: NameKnowledge) -> None:
    """Adds the names that are seen only when every word is given a capital."""
    raised = capitalised(seen.view)
    if raised == seen.view:
        return
    taken = bytearray(len(raised) + 1)
    for span in seen.spans:
        taken[span.start : span.end] = b"\1" * (span.end - span.start)
    for span in _spans(text, Sightings(raised, [], [], []), knowledge):
        if not any(taken[span.start : span.end]):
            span.case = "lower"
            seen.spans.append(span)
    seen.spans.sort(key=lambda span: span.start)


def _case(text: str, span: NameSpan) -> str:
    if span.end - span.start > _ABBREVIATED and text[span.start : span.end].isupper():
        return "upper"
    return "title"
