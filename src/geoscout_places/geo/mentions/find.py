"""Text in, mentions out: the steps in their order."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from geoscout_places.geo.mentions.believe import Believed, PageHints, believe, group_by_name
from geoscout_places.geo.mentions.compounds import join_compounds
from geoscout_places.geo.mentions.kinds_beside import NO_KINDS, kinds_beside
from geoscout_places.geo.mentions.knowledge import NameKnowledge
from geoscout_places.geo.mentions.linear_models import probability
from geoscout_places.geo.mentions.local import add_local
from geoscout_places.geo.mentions.recognise import look
from geoscout_places.geo.mentions.resolve import Chooser
from geoscout_places.geo.mentions.spoken import spoken_parts
from geoscout_places.model import Mention, MentionKind

POSSIBLE = -0.6  # score below which a span is not looked at any further
# A mention is worth giving when it is right more often than half the F1 one can reach.
_CONVINCING = 0.38


NO_HINTS = PageHints()


def find_mentions(
    text: str, knowledge: NameKnowledge, hints: PageHints = NO_HINTS
) -> list[Mention]:
    """The place names of a text in order, each with the place it means.

    Kinds are "place", "demonym" and "local": a name no gazetteer has, with the coordinates of the
    place it stands by.
    """
    parts = spoken_parts(text, hints.language, hints.blocks)
    seen = look(text, knowledge, parts, joined_lines=hints.blocks is None)
    believed = believe(seen.spans, text, knowledge, hints)
    mentions = sorted(_resolved(text, believed, knowledge), key=attrgetter("start"))
    mentions = add_local(text, seen, mentions, knowledge)
    return join_compounds(text, mentions, seen.spans, parts)


def _resolved(text: str, believed: Believed, knowledge: NameKnowledge) -> Iterator[Mention]:
    """The convincing spans as mentions, not yet in order."""
    chooser = Chooser(believed.evidence, knowledge)
    possible = [span for span in believed.spans if span.score > POSSIBLE]
    kinds = kinds_beside(possible, text)
    for name, group in group_by_name(possible).items():
        facts = group[0].facts
        areas = believed.explained.get(name, frozenset())
        usual, sureness = chooser.choose(name, facts, areas, kinds.get(name, NO_KINDS))
        kind = MentionKind.DEMONYM if facts.is_demonym else MentionKind.PLACE
        for span in group:
            place = usual
            if span.ids:  # the state that a town here lies in, the town of a dateline
                place = chooser.choose_of(name, facts, span.ids)
            elif span.areas and span.areas != areas:  # this one is said to be another of the name
                place = chooser.choose_inside(name, facts, span.areas)
            confidence = probability(span.score) * (1.0 if span.ids else sureness)
            if confidence > _CONVINCING:
                start, end = span.start, span.end
                yield Mention(start, end, text[start:end], kind, place, confidence=confidence)
