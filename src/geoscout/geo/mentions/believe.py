"""Decides which spans are believed to be places.

First by name and surroundings (`recognise`), then by the page: what a name is explained by, what it
stands in a list with, what the page uses it for elsewhere, and whether one of its places lies where
the other places of the page lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise

from geoscout.geo.mentions.evidence import Areas, PageEvidence
from geoscout.geo.mentions.knowledge import NameFacts, NameKnowledge
from geoscout.geo.mentions.linear_models import BITS
from geoscout.geo.mentions.recognise import NameSpan
from geoscout.language import merge

_LONGEST_GAP = 5
_LISTING = (", ", "/", " / ", " - ", "-")
_EXPLAINING = (", ", " (", ",", " ", ",\n", "/", ". ")
_HEADING = frozenset(("-", " - ", ": ", " > ", " – ", " / "))  # the wide one comes first
_LOOSE = frozenset((" ", "/", ". "))
_SURE = 1.0
_SURE_ELSEWHERE = 1.5
_EXPLAINED_BONUS = 3.0
_PEOPLE_BEFORE = frozenset(("first", "initial", "title"))
_LISTED, _PERSON, _PLACE = BITS["listed"], BITS["person elsewhere"], BITS["place elsewhere"]
_REGION, _SQUARE, _COUNTRY, _STRANGER = (
    BITS[flag] for flag in ("region", "square", "country", "stranger")
)
_TIGHT = BITS["explained tight"] | BITS["explains tight"]

Groups = dict[str, list[NameSpan]]
Explained = dict[str, frozenset[int]]  # name -> ids of the areas the text puts it in


def believe(
    spans: Sequence[NameSpan], text: str, knowledge: NameKnowledge, country_hint: str
) -> tuple[Explained, PageEvidence]:
    """Gives every span its final score; returns what names are explained by and the evidence."""
    explained = mark_neighbours(spans, text)
    groups = group_by_name(spans)
    mark_repeats(groups)
    evidence = gather_evidence(groups, country_hint)
    mark_company(groups, evidence)
    page_score = knowledge.belief.page_score
    for span in spans:
        bonus = _EXPLAINED_BONUS if span.flags & _TIGHT else 0.0
        span.score += page_score(span.facts.sort, span.flags) - bonus
    return explained, evidence


def group_by_name(spans: Iterable[NameSpan]) -> Groups:
    """The spans of each name, in order of its first."""
    groups: Groups = {}
    for span in spans:
        if span.name in groups:
            groups[span.name].append(span)
        else:
            groups[span.name] = [span]
    return groups


def gather_evidence(groups: Groups, country_hint: str) -> PageEvidence:
    """The evidence of the names that are rather believed than not."""
    sure = []
    for name, group in groups.items():
        for span in group:
            if span.score > 0.0:
                sure.append((name, span.facts))
                break
    return PageEvidence(sure, country_hint)


@cache
def _gaps() -> tuple[frozenset[str], frozenset[str]]:
    """What stands between two places of a list, and between a place and what it lies in."""
    listing = merge(lambda language: language.names.listing)
    explaining = merge(lambda language: language.names.explaining)
    return (
        frozenset((*_LISTING, *(f" {word} " for word in listing))),
        frozenset((*_EXPLAINING, *(f" {word} " for word in explaining))),
    )


def mark_neighbours(spans: Sequence[NameSpan], text: str) -> Explained:
    """Marks spans by the span that follows: explained by it, or in a list with it."""
    explained: Explained = {}
    listing, explaining = _gaps()
    for left, right in pairwise(spans):
        if right.start - left.end > _LONGEST_GAP:
            continue
        gap = text[left.end : right.start]
        if left.facts.is_demonym or right.facts.is_demonym:
            continue
        if gap in explaining and (areas := left.facts.above & right.facts.ids):
            explained[left.name] = areas | explained.get(left.name, frozenset())
            left.areas = areas
            _mark_explained(left, right, "loose" if gap in _LOOSE else "tight")
        elif gap in _HEADING and (areas := right.facts.above & left.facts.ids):
            explained[right.name] = areas | explained.get(right.name, frozenset())
            _mark_explained(right, left, "loose")
        if gap in listing:
            _mark_listed(left, right)
    return explained


def _mark_explained(narrow: NameSpan, wide: NameSpan, tightness: str) -> None:
    narrow.flags |= BITS[f"explained {tightness}"]
    wide.flags |= BITS[f"explains {tightness}"]
    for span in (narrow, wide):
        if tightness == "tight" and not span.is_raised:
            span.score += _EXPLAINED_BONUS
            span.is_raised = True


def _mark_listed(left: NameSpan, right: NameSpan) -> None:
    if right.score > _SURE:
        left.flags |= _LISTED
    if left.score > _SURE:
        right.flags |= _LISTED


def mark_repeats(groups: Mapping[str, Sequence[NameSpan]]) -> None:
    """Marks names that the page also uses for a person, or surely for a place."""
    for group in groups.values():
        flags = 0
        for span in group:
            if span.before in _PEOPLE_BEFORE or span.after == "surname":
                flags |= _PERSON
            if span.score > _SURE_ELSEWHERE and len(group) > 1:
                flags |= _PLACE
        if flags:
            for span in group:
                span.flags |= flags


def mark_company(groups: Mapping[str, Sequence[NameSpan]], evidence: PageEvidence) -> None:
    """Marks names with an option in a region or square the page is about."""
    for name, group in groups.items():
        areas = evidence.areas_with_own if evidence.has(name) else evidence.areas
        flags = _company(group[0].facts, areas)
        for span in group:
            span.flags |= flags


def _company(facts: NameFacts, areas: Areas) -> int:
    flags = 0
    if not facts.regions.isdisjoint(areas.regions):
        flags = _REGION
    if not facts.squares.isdisjoint(areas.squares):
        flags |= _SQUARE
    if flags or not facts.countries.isdisjoint(areas.countries):
        return flags or _COUNTRY
    return _STRANGER
