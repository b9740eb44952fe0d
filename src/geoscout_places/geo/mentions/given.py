"""Resolves names that somebody else found: which place each of the spans means.

The rest of the text still speaks: its other names are believed as in any text, and are evidence for
the given ones. A given span is a place by definition, so all that is left is which one; where no
table has the name, none.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from geoscout_places.geo.mentions.binding import kinds_beside
from geoscout_places.geo.mentions.find import (
    NO_HINTS,
    PageHints,
    believe,
    choose_places,
    group_by_name,
)
from geoscout_places.geo.mentions.knowledge import NameKnowledge, Tongue
from geoscout_places.geo.mentions.recognise import NameSpan, look, spoken_parts
from geoscout_places.geo.mentions.resolve import Chooser
from geoscout_places.geo.mentions.senses import NameFacts
from geoscout_places.model import Place
from geoscout_places.toponyms import capitalised, sight

Span = tuple[int, int]  # code points
_BELIEVED = 6.0  # the least score of what is given: as sure as the surest of a text
_POSSESSIVE = re.compile(r"['\N{RIGHT SINGLE QUOTATION MARK}]s?$")
_DOTS = re.compile(r"(?<=\w)\.(?=\w|$)")


class Resolved(NamedTuple):
    """The place that a given span means."""

    place: Place | None  # None where no table has the name
    sureness: float  # among the places of the name, 0 to 1


def resolve_spans(
    text: str, spans: Sequence[Span], knowledge: NameKnowledge, hints: PageHints = NO_HINTS
) -> list[Resolved]:
    """What each span means, in the order given; spans may overlap or be given twice."""
    parts = spoken_parts(text, hints.language, hints.blocks)
    seen = look(text, knowledge, parts, joined_lines=hints.blocks is None)
    tongue = knowledge.tongue(parts[0].language)
    known = {(span.start, span.end): span for span in seen.spans}
    given: dict[Span, NameSpan] = {}
    for span in spans:
        found = known.get(span) or _named(text, seen.view, span, knowledge, tongue)
        if found is not None:
            found.floor = _BELIEVED
            found.score = max(found.score, _BELIEVED)
            given[span] = found
    others = _apart([span for at, span in known.items() if at not in given], list(spans))
    in_order = sorted([*others, *given.values()], key=lambda span: (span.start, -span.end))
    believed = believe(in_order, text, knowledge, hints)
    chooser = Chooser(believed.evidence, knowledge)
    kinds = kinds_beside(in_order, text)
    meant = {
        (span.start, span.end): Resolved(*choice)
        for group in group_by_name(given.values()).values()
        for span, choice in choose_places(chooser, group, believed, kinds)
    }
    return [meant.get(span, Resolved(None, 0.0)) for span in spans]


def _named(
    text: str, view: str, at: Span, knowledge: NameKnowledge, tongue: Tongue
) -> NameSpan | None:
    """The span as a name that some place has; None where none has it."""
    start, end = at
    for form in _forms(text[start:end].strip(), view[start:end].strip()):
        facts = knowledge.facts_of_given(form)
        if facts is not None:
            return _placed(text, view, NameSpan(start, end, form, facts), tongue)
    if tongue.forms is not None:
        for first, last, found in tongue.forms.find(view[start:end]):
            if (first, last) == (0, end - start):
                return _placed(text, view, NameSpan(start, end, found.name, found.facts), tongue)
    facts = _longest_inside(view[start:end], knowledge)
    return _placed(text, view, NameSpan(start, end, facts.name, facts), tongue) if facts else None


def _forms(text: str, view: str) -> Iterator[str]:
    """How the name may be written in the tables: as it stands, then with less and less of it."""
    for form in (view, _POSSESSIVE.sub("", view), sight(_DOTS.sub("", text))):
        yield form
        if form.islower() or form.isupper():
            yield capitalised(form.lower())
        if form[:4].lower() == "the ":
            yield form[4:]


def _longest_inside(view: str, knowledge: NameKnowledge) -> NameFacts | None:
    """The longest name that a part of the span is: "northern Ontario", "Lake Charles area"."""
    hits = [
        view[start:end]
        for start, end, _ in knowledge.search.find(view)
        if not view[end : end + 1].isalnum() and not (start and view[start - 1].isalnum())
    ]
    for name in sorted(hits, key=len, reverse=True):
        if facts := knowledge.facts_of_given(name):
            return facts
    return None


def _placed(text: str, view: str, span: NameSpan, tongue: Tongue) -> NameSpan:
    """The span with the classes of what stands around it, by which names explain each other."""
    span.before = tongue.neighbours.before(text, view, span.start)
    span.after = tongue.neighbours.after(text, view, span.end)
    span.case, span.line = "title", "long"
    return span


def _apart(spans: Sequence[NameSpan], given: Sequence[Span]) -> list[NameSpan]:
    """Those that overlap nothing that is given."""
    taken: set[int] = set()
    for start, end in given:
        taken.update(range(start, end))
    return [span for span in spans if taken.isdisjoint(range(span.start, span.end))]
