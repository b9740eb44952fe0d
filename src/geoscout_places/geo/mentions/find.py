"""Text in, mentions out: the steps in their order, and which spans are believed.

A span is believed first by name and surroundings (`recognise`), then by the page: what a name is
explained by, what it stands in a list with, what the page uses it for elsewhere, and whether one of
its places lies where the other places of the page lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import pairwise
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.geo.mentions.binding import (
    NO_KINDS,
    Explained,
    KindsBeside,
    bind,
    bind_towns,
    containers,
    defined_towns,
    kinds_beside,
)
from geoscout_places.geo.mentions.compounds import join_compounds
from geoscout_places.geo.mentions.knowledge import NameKnowledge
from geoscout_places.geo.mentions.linear_models import BITS, probability
from geoscout_places.geo.mentions.local import add_called, add_local
from geoscout_places.geo.mentions.recognise import (
    PERSON_BEFORE,
    NameSpan,
    Sightings,
    SpokenPart,
    look,
    spoken_parts,
)
from geoscout_places.geo.mentions.resolve import Areas, Chooser, PageEvidence
from geoscout_places.geo.mentions.senses import Senses
from geoscout_places.model import Block, Kind, Mention, MentionKind, Place, SiteKnowledge
from geoscout_places.toponyms import NOT_NOUN

_UNLIKELY = -2.2  # score that nothing else on the page makes up for
_SURE = 0.5
_SURE_ELSEWHERE = 1.5
_PERSON, _PLACE = BITS["person elsewhere"], BITS["place elsewhere"]
_COLUMN = BITS["column"]
_REGION, _SQUARE, _COUNTRY, _STRANGER, _ONLY = (
    BITS[flag] for flag in ("region", "square", "country", "stranger", "only name")
)

_TIGHT = BITS["explained tight"]
# What a code needs that is hardly written alone.
_BESIDE = sum(
    BITS[f"{part} {how}"] for part in ("explained", "explains") for how in ("tight", "loose")
)

Groups = dict[str, list[NameSpan]]


class Believed(NamedTuple):
    """What is made of the spans of a page."""

    spans: list[NameSpan]  # those that are not hopeless, each with its final score
    explained: Explained
    evidence: PageEvidence
    defined: Mapping[str, Defined]


class Defined(NamedTuple):
    """What a name means that a sentence defines."""

    place: Place
    is_known: bool  # whether a table has it; else the place is what contains it
    around: frozenset[int]  # its id and those of what contains it


class PageHints(NamedTuple):
    """What is known of a page besides its text."""

    country: str = ""  # ISO code, "" for unknown
    language: str = ""  # what the page claims, which counts where its words do not tell
    # Each line is a block, and a name never spans two; without, lines may be broken anywhere.
    blocks: Sequence[Block] | None = None
    site: SiteKnowledge | None = None  # what other pages of the site name: it settles meanings
    # Whether a position is in a menu or footer of the site: its names say nothing of this page.
    is_repeated: Callable[[int], bool] | None = None
    towns: Mapping[int, int] = MappingProxyType({})  # of addresses: see `bind_towns`


def believe(
    spans: list[NameSpan], text: str, knowledge: NameKnowledge, hints: PageHints
) -> Believed:
    """Gives every span its final score, and leaves out those that nothing can save."""
    # A neighbour can save a name that is hopeless alone ("York, Pa."), so binding comes first.
    explained = bind(spans, text)
    if hints.towns:
        bind_towns(spans, hints.towns, explained)
    defined = define_towns(spans, text, knowledge)
    mark_columns(spans)
    spans = [span for span in spans if not span.facts.needs_neighbour or span.flags & _BESIDE]
    spans = [span for span in spans if span.score > _UNLIKELY or not knowledge.prunes]
    groups = group_by_name(spans)
    mark_repeats(groups)
    evidence = gather_evidence(groups, hints)
    mark_company(groups, evidence)
    page_scores = knowledge.belief.pages
    for span in spans:
        change = page_scores[span.facts.sort, span.flags]
        if span.facts.noun != NOT_NOUN:  # that a town of the name is near does not make it one
            change = min(change, 0.0)
        score = span.score + change
        span.score = max(score, span.floor)
    return Believed(spans, explained, evidence, defined)


_DIVISIONS = (Kind.DISTRICT, Kind.REGION, Kind.COUNTRY)
_DISTRICT_KM = 60.0
_DEFINED = 2.0  # score of a name that a sentence defines


def define_towns(
    spans: Sequence[NameSpan], text: str, knowledge: NameKnowledge
) -> Mapping[str, Defined]:
    """Towns that a sentence defines, through every level: "a town in Piute County, Utah".

    All bearers of the name are asked, also hamlets. Where none lies there, no table has the town,
    and what contains it stands for it.
    """
    found: dict[str, Defined] = {}
    for span, levels in defined_towns(spans, text):
        if span.name in found:
            continue
        if place := _defined_place(span.name, levels, knowledge):
            found[span.name] = place
        span.score = span.floor = max(span.score, _DEFINED)
    return found


def _defined_place(
    name: str, levels: Sequence[NameSpan], knowledge: NameKnowledge
) -> Defined | None:
    """The bearer in the narrowest level that has one, else the narrowest division."""
    outer: Place | None = None
    for number, level in enumerate(levels):
        inside = containers(levels[number:])
        own = knowledge.bearer_inside(name, inside)
        if own is not None and (outer is None or _is_near(own, outer)):
            return _defined(own, knowledge, is_known=True)
        above = knowledge.place_of(level.facts, inside)
        if outer is None and above is not None and above.kind in _DIVISIONS:
            outer = above
    return None if outer is None else _defined(outer, knowledge, is_known=False)


def _is_near(place: Place, division: Place) -> bool:
    """Whether a place may lie in a district, though no table says so."""
    is_wide = division.kind is not Kind.DISTRICT
    return is_wide or distance_km(place.point, division.point) <= _DISTRICT_KM


def _defined(place: Place, knowledge: NameKnowledge, *, is_known: bool) -> Defined:
    return Defined(place, is_known, frozenset(knowledge.gazetteer.lineage(place.id).ids))


def group_by_name(spans: Iterable[NameSpan]) -> Groups:
    """The spans of each name, in order of its first."""
    groups: Groups = {}
    for span in spans:
        if span.name in groups:
            groups[span.name].append(span)
        else:
            groups[span.name] = [span]
    return groups


def gather_evidence(groups: Groups, hints: PageHints) -> PageEvidence:
    """The evidence of the names that are rather believed than not."""
    sure = []
    is_repeated = hints.is_repeated
    for name, group in groups.items():
        for span in group:
            if span.score > 0.0 and not (is_repeated and is_repeated(span.start)):
                sure.append((name, span.facts))
                break
    return PageEvidence(sure, hints.country, hints.site)


def mark_columns(spans: Sequence[NameSpan]) -> None:
    """Marks names that stand alone on lines one below the other, as in menus and lists."""
    for above, below in pairwise(spans):
        if below.start - above.end == 1 and above.line == below.line == "alone":
            if below.score > _SURE:
                above.flags |= _COLUMN
            if above.score > _SURE:
                below.flags |= _COLUMN


def mark_repeats(groups: Mapping[str, Sequence[NameSpan]]) -> None:
    """Marks names that the page also uses for a person, or surely for a place."""
    for group in groups.values():
        flags = 0
        for span in group:
            if span.before in PERSON_BEFORE or span.after == "surname":
                flags |= _PERSON
            if span.score > _SURE_ELSEWHERE and len(group) > 1:
                flags |= _PLACE
        if flags:
            for span in group:
                span.flags |= flags


def mark_company(groups: Mapping[str, Sequence[NameSpan]], evidence: PageEvidence) -> None:
    """Marks names with an option in a region or square the page is about."""
    for name, group in groups.items():
        is_own = evidence.has(name)
        if evidence.total - is_own <= 0:  # nothing else on the page could speak for it
            flags = _ONLY
        else:
            areas = evidence.areas_with_own if is_own else evidence.areas
            flags = _company(group[0].facts.senses(), areas)
        for span in group:
            span.flags |= flags


def _company(senses: Senses, areas: Areas) -> int:
    flags = 0
    if not areas.regions.isdisjoint(senses.regions):
        flags = _REGION
    if not areas.squares.isdisjoint(senses.squares):
        flags |= _SQUARE
    if flags or not areas.countries.isdisjoint(senses.countries):
        return flags or _COUNTRY
    return _STRANGER


POSSIBLE = -0.6  # score below which a span is not looked at any further
# A mention is worth giving when it is right more often than half the F1 one can reach.
_CONVINCING = 0.38


NO_HINTS = PageHints()


class SeenNames(NamedTuple):
    """The spans of a text before anything is made of them."""

    parts: Sequence[SpokenPart]
    sightings: Sightings

    def copy(self) -> SeenNames:
        """The same again, for who settles them twice: settling changes the spans."""
        spans = [copy(span) for span in self.sightings.spans]
        return self._replace(sightings=self.sightings._replace(spans=spans))


def see_names(text: str, knowledge: NameKnowledge, hints: PageHints = NO_HINTS) -> SeenNames:
    """All that may be a name; it takes most of the time, and the site of the page has no part."""
    parts = spoken_parts(text, hints.language, hints.blocks)
    return SeenNames(parts, look(text, knowledge, parts, joined_lines=hints.blocks is None))


def find_mentions(
    text: str, knowledge: NameKnowledge, hints: PageHints = NO_HINTS, seen: SeenNames | None = None
) -> list[Mention]:
    """The place names of a text in order, each with the place it means.

    Kinds are "place", "demonym" and "local": a name no gazetteer has, with the coordinates of the
    place it stands by. What was `seen` before is used up.
    """
    parts, sightings = seen or see_names(text, knowledge, hints)
    believed = believe(sightings.spans, text, knowledge, hints)
    mentions = sorted(_resolved(text, believed, knowledge), key=attrgetter("start"))
    mentions = add_local(text, sightings, mentions, knowledge)
    mentions = join_compounds(text, mentions, sightings.spans, parts)
    return add_called(text, parts, mentions, knowledge)


def _resolved(text: str, believed: Believed, knowledge: NameKnowledge) -> Iterator[Mention]:
    """The convincing spans as mentions, not yet in order."""
    chooser = Chooser(believed.evidence, knowledge)
    possible = [span for span in believed.spans if span.score > POSSIBLE]
    kinds = kinds_beside(possible, text)
    for name, group in group_by_name(possible).items():
        kind = MentionKind.DEMONYM if group[0].facts.is_demonym else MentionKind.PLACE
        if (meant := believed.defined.get(name)) and not meant.is_known:
            kind = MentionKind.LOCAL
        for span, (place, sure) in choose_places(chooser, group, believed, kinds):
            confidence = probability(span.score) * sure
            if confidence > _CONVINCING:
                start, end = span.start, span.end
                yield Mention(
                    start, end, text[start:end], kind, place, confidence=confidence, sureness=sure
                )


def choose_places(
    chooser: Chooser,
    group: Sequence[NameSpan],
    believed: Believed,
    kinds: Mapping[str, KindsBeside],
) -> Iterator[tuple[NameSpan, tuple[Place, float]]]:
    """What the spans of one name mean, each where it stands, and how sure that is."""
    name, facts = group[0].name, group[0].facts
    areas = believed.explained.get(name, frozenset())
    meant = believed.defined.get(name)
    if meant:
        usual, areas = (meant.place, 1.0), meant.around
    else:
        usual = chooser.choose(name, facts, areas, kinds.get(name, NO_KINDS))
    for span in group:
        if span.ids:  # the state that a town here lies in, the town of a dateline
            yield span, (chooser.choose_of(name, facts, span.ids), 1.0)
        elif span.areas and (
            areas.isdisjoint(span.areas) and span.flags & _TIGHT if meant else span.areas != areas
        ):
            # This one is said to be another of the name.
            yield span, (chooser.choose_inside(name, facts, span.areas), usual[1])
        else:
            yield span, usual
