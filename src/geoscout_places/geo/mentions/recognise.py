"""Finds the spans of a text that may be place names, with what stands around each.

Whether to believe a span is for `believe`; this module only collects what can be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from operator import attrgetter
from typing import NamedTuple

from geoscout_places.geo.mentions import unspaced
from geoscout_places.geo.mentions.abbreviated import ShortNames
from geoscout_places.geo.mentions.declined import NameForms
from geoscout_places.geo.mentions.knowledge import NameFacts, NameKnowledge, NamePattern, Tongue
from geoscout_places.geo.mentions.linear_models import BeliefModel
from geoscout_places.geo.mentions.spoken import SpokenPart
from geoscout_places.native import kernel
from geoscout_places.toponyms import NOT_NOUN, NOUN, NameSearch, capitalised, sight
from geoscout_places.toponyms import heads as all_heads

_SHORT_TEXT = 400
_SAMPLE = 2000
_FEW_CAPITALS = 0.008
_ABBREVIATED = 4
_NEVER = -9.0  # score of a word that grammar tells not to be a place
_LONGEST_ARTICLE = 12
_PLACE_BEFORE = frozenset(("in", "at", "to", "kind"))
_PERSON_BEFORE = frozenset(("first", "initial", "title"))
_SHORT_LINE = 40  # characters of a heading, or an item of a menu
_SHORTEST_STEM = 4  # letters of a name that may have an ending
_ENDING = re.compile(r"[a-z]{1,5}(?![^\W_])")
_LAST_SPACED = "\u0e00"  # letters of scripts that may have no spaces come after it
_UNSEEN = NamePattern("", None, is_other=False)
_NO_CAPITALS = bytes(code for code in range(256) if not 65 <= code <= 90)


class NameSpan:
    """A stretch of text that spells a place name, and what was found out about it."""

    __slots__ = (
        "after", "areas", "before", "case", "end", "facts", "flags", "floor", "ids", "line",
        "name", "score", "start",
    )  # fmt: skip

    def __init__(self, start: int, end: int, name: str, facts: NameFacts, case: str = "") -> None:
        self.start = start
        self.end = end
        self.name = name
        self.facts = facts
        self.before = self.after = self.line = ""
        self.case = case  # "title", "upper", "lower", or "ending" with that of a grammatical case
        self.flags = 0  # bits of `linear_models.BITS`
        self.score = 0.0
        self.areas: frozenset[int] | None = None  # ids of the areas it is said to lie in right here
        self.ids: frozenset[int] | None = None  # of the places it is said to be right here
        self.floor = -inf  # below which nothing takes its score


_kernel = kernel("names")
if _kernel is not None:
    NameSpan = _kernel.Span  # type: ignore[misc] # the same fields, quicker to make
# It reads the spans and facts of the other kernel, so it does not do without that one.
BELIEF_KERNEL = None if _kernel is None else kernel("belief")


class Sightings(NamedTuple):
    """What one pass over a text brings."""

    view: str  # the text as `sight` shows it
    spans: list[NameSpan]
    heads: list[tuple[int, int]]  # words such as "River"
    lines: list[tuple[int, int]]  # railway lines and roads

    def add(self, part: Sightings, offset: int) -> None:
        """Take over what was seen in a part of the text that begins at the offset."""
        for span in part.spans:
            span.start += offset
            span.end += offset
        self.spans.extend(part.spans)
        self.heads.extend((start + offset, end + offset) for start, end in part.heads)
        self.lines.extend((start + offset, end + offset) for start, end in part.lines)

    def add_other(self, start: int, end: int, name: str, heads: frozenset[str]) -> None:
        """Keep a word that is looked for besides names; `heads` are those of the language."""
        if name in heads:
            self.heads.append((start, end))
        elif name not in all_heads():
            self.lines.append((start, end))


def look(
    text: str,
    knowledge: NameKnowledge,
    parts: Sequence[SpokenPart],
    *,
    joined_lines: bool = True,
) -> Sightings:
    """All that may matter, in order; with `joined_lines` a name may be broken over two lines.

    `parts` cover the text, each with its language.
    """
    is_informal = _is_informal(text)
    view = sight(text)
    if joined_lines:
        view = view.replace("\n", " ")
    if len(parts) == 1:
        return _look_at(text, view, knowledge, parts[0].language, is_informal=is_informal)
    whole = Sightings(view, [], [], [])
    for start, end, language in parts:
        piece, shown = text[start:end], view[start:end]
        whole.add(_look_at(piece, shown, knowledge, language, is_informal=is_informal), start)
    return whole


def _look_at(
    text: str, view: str, knowledge: NameKnowledge, language: str, *, is_informal: bool
) -> Sightings:
    """All that may matter in a text of one language."""
    tongue = knowledge.tongue(language)
    seen = Sightings(view, [], [], [])
    seen.spans.extend(_find_spans(text, seen, knowledge.search, tongue))
    if tongue.forms is not None:
        _add_declined(text, seen, tongue, tongue.forms)
    if tongue.short_names is not None:
        _add_short_names(seen, tongue.short_names)
    if is_informal:
        _add_lower_case(text, seen, knowledge.search, tongue)
    _score(text, seen, knowledge.belief, tongue)
    return seen


def _score(text: str, seen: Sightings, belief: BeliefModel, tongue: Tongue) -> None:
    """Scores the spans by their name and neighbours."""
    if _kernel is not None:
        _kernel.score_spans(text, seen.view, seen.spans, belief.contexts, tongue, _is_noun)
        return
    view = seen.view
    before_class, after_class = tongue.neighbours.before, tongue.neighbours.after
    scores = belief.contexts
    for span in seen.spans:
        facts = span.facts
        before = before_class(text, view, span.start)
        if span.before and before not in _PERSON_BEFORE:
            before = span.before  # its ending says where
        span.before = before
        after = span.after = after_class(text, view, span.end)
        case = span.case = span.case or _case(text, span)
        line = span.line = _line(text, span.start, span.end)
        span.score = facts.score + scores[facts.sort, before, after, case, line]
        is_language = facts.is_demonym and line == "alone"  # "English" in a menu
        if is_language or (facts.noun != NOT_NOUN and _is_noun(view, span, tongue.articles)):
            span.score = _NEVER


def _is_noun(view: str, span: NameSpan, articles: frozenset[str]) -> bool:
    """Whether a word that may be a noun is one here.

    Towns have no article. A noun that no dictionary knows as a place is one only behind a
    preposition: "in Kuchen". A name that explains it, "Kuchen, Baden-Württemberg", comes later.
    """
    before = view[max(0, span.start - _LONGEST_ARTICLE) : span.start].rstrip()
    if before[before.rfind(" ") + 1 :].lower() in articles:
        return True
    return span.facts.noun == NOUN and span.before not in _PLACE_BEFORE


def _find_spans(
    text: str, seen: Sightings, search: NameSearch, tongue: Tongue
) -> Iterable[NameSpan]:
    if _kernel is None:
        return _spans(text, seen, search, tongue)
    spans, others = _kernel.find_spans(text, seen.view, search, tongue, unspaced)
    for start, end, name in others:
        seen.add_other(start, end, name, tongue.heads)
    found: list[NameSpan] = spans
    return found


def _spans(text: str, seen: Sightings, search: NameSearch, tongue: Tongue) -> Iterator[NameSpan]:
    for start, end, rest, (name, facts, is_other) in _hits(seen.view, search, tongue):
        if rest:
            if facts and (span := _with_ending(start, name, rest, facts, tongue.endings)):
                yield span
            continue
        if is_other:
            seen.add_other(start, end, name, tongue.heads)
        if facts is not None and not (facts.is_code and not text[start:end].isupper()):
            yield NameSpan(start, end, name, facts)


def _hits(
    view: str, search: NameSearch, tongue: Tongue
) -> Iterator[tuple[int, int, str, NamePattern]]:
    """Where patterns stand that mean something: start, end, and what follows in the same word."""
    known, learn = tongue.patterns.get, tongue.learn_pattern
    endings, first_letters = tongue.endings, tongue.ending_letters
    hits = search.find(view)
    view += " "
    for start, end, number in hits:
        pattern = known(number, _UNSEEN)
        # Most hits are words that are never meant as places, or begin a longer word: nothing more
        # is asked of these.
        if pattern is None:
            continue
        rest, is_inside = "", False
        if (after := view[end]).isalnum():
            is_inside = after > _LAST_SPACED and unspaced.may_end(view, end)
            is_ending = after.isascii() and first_letters[ord(after)]
            rest = _ending(view, end) if is_ending else ""
            if not is_inside and rest != "s" and rest not in endings:
                continue
        if start and view[start - 1].isalnum():
            if view[start] < _LAST_SPACED or not unspaced.may_begin(view, start):
                continue
            is_inside = True
        if pattern is _UNSEEN and (pattern := learn(number, view[start:end])) is None:
            continue
        if is_inside and not (pattern.facts and unspaced.is_telling(pattern.name, pattern.facts)):
            continue
        yield start, end, rest, pattern


def _ending(view: str, end: int) -> str:
    """What follows a name in the same word, if that is short: "s" of "Egyptians"."""
    match = _ENDING.match(view, end)
    return match[0] if match else ""


def _with_ending(
    start: int, name: str, rest: str, facts: NameFacts, endings: frozenset[str]
) -> NameSpan | None:
    """A name in the plural, which words for people have, or in another case."""
    end = start + len(name) + len(rest)
    if facts.is_demonym:
        return NameSpan(start, end, name + rest, facts) if rest == "s" else None
    if rest not in endings or len(name) < _SHORTEST_STEM or facts.is_code:
        return None
    return NameSpan(start, end, name, facts, case="ending")


def _add_declined(text: str, seen: Sightings, tongue: Tongue, forms: NameForms) -> None:
    """Adds names in another case with another stem.

    What is written like a form of something far more important, or is part of it, makes room.
    """
    by_start = {span.start: span for span in seen.spans}
    for start, end, found in forms.find(seen.view):
        span = NameSpan(start, end, found.name, found.facts, case="ending")
        rival = by_start.get(start)
        if rival is not None and (
            rival.end > end or (rival.end == end and not forms.outdoes(found, rival.facts.options))
        ):
            continue
        before = tongue.neighbours.before(text, seen.view, start)
        if found.says_where and before not in _PERSON_BEFORE:
            before = span.before = "in"
        if found.is_likely(before):
            for at in range(start, end):
                by_start.pop(at, None)
            by_start[start] = span
    seen.spans[:] = sorted(by_start.values(), key=lambda span: span.start)


def _add_short_names(seen: Sightings, names: ShortNames) -> None:
    """Puts "Limburg a. d. Lahn" in place of the names in it."""
    found = [NameSpan(*one) for one in names.find(seen.view)]
    if not found:
        return
    taken = bytearray(len(seen.view))
    for span in found:
        taken[span.start : span.end] = b"\1" * (span.end - span.start)
    kept = [span for span in seen.spans if not any(taken[span.start : span.end])]
    seen.spans[:] = sorted([*kept, *found], key=attrgetter("start"))


def _is_informal(text: str) -> bool:
    """Whether names may stand in lower case: messages, and text without capitals."""
    if len(text) <= _SHORT_TEXT:
        return True
    sample = text[:_SAMPLE].encode("ascii", "replace")
    return len(sample.translate(None, _NO_CAPITALS)) < _FEW_CAPITALS * len(sample)


def _add_lower_case(text: str, seen: Sightings, search: NameSearch, tongue: Tongue) -> None:
    """Adds the names that are seen only when every word is given a capital."""
    raised = capitalised(seen.view)
    if raised == seen.view:
        return
    taken = bytearray(len(raised) + 1)
    for span in seen.spans:
        taken[span.start : span.end] = b"\1" * (span.end - span.start)
    for span in _find_spans(text, Sightings(raised, [], [], []), search, tongue):
        if not any(taken[span.start : span.end]) and span.name not in tongue.country_names:
            span.case = "lower"
            seen.spans.append(span)
    seen.spans.sort(key=lambda span: span.start)


def _line(text: str, start: int, end: int) -> str:
    """How long the line is that a name stands in: it may be all of it, or one of few words."""
    first = text.rfind("\n", max(0, start - _SHORT_LINE), start) + 1
    last = text.find("\n", end, end + _SHORT_LINE)
    if (not first and start > _SHORT_LINE) or (last < 0 and len(text) - end > _SHORT_LINE):
        return "long"
    size = (last if last >= 0 else len(text)) - first
    return "alone" if size == end - start else "short" if size <= _SHORT_LINE else "long"


def _case(text: str, span: NameSpan) -> str:
    if span.end - span.start > _ABBREVIATED and text[span.start : span.end].isupper():
        return "upper"
    return "title"
