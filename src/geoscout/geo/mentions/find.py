"""Text in, mentions out: the steps in their order."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from geoscout.geo.mentions.believe import Believed, believe, group_by_name
from geoscout.geo.mentions.compounds import join_compounds
from geoscout.geo.mentions.kinds_beside import NO_KINDS, kinds_beside
from geoscout.geo.mentions.knowledge import NameKnowledge
from geoscout.geo.mentions.linear_models import probability
from geoscout.geo.mentions.local import add_local
from geoscout.geo.mentions.recognise import look
from geoscout.geo.mentions.resolve import Chooser
from geoscout.language import guess_language
from geoscout.model import Block, Mention, MentionKind, SiteKnowledge

POSSIBLE = -0.6  # score below which a span is not looked at any further
# A mention is worth giving when it is right more often than half the F1 one can reach.
_CONVINCING = 0.38


def find_mentions(  # noqa: PLR0913 - what is known of the page, by keyword
    text: str,
    knowledge: NameKnowledge,
    *,
    country_hint: str = "",
    language: str = "",
    blocks: Sequence[Block] | None = None,
    site: SiteKnowledge | None = None,
) -> list[Mention]:
    """The place names of a text in order, each with the place it means.

    `country_hint` is the ISO code of the page's country, "" for unknown; `language` is what the
    page claims, which counts where its words do not tell. With `blocks` a name never spans two
    lines, since each line is a block; without, lines may be broken anywhere. Kinds
    are "place", "demonym" and "local": a name no gazetteer has, with the coordinates of the place
    it stands by. `site` is what other pages of the site name: it settles what names mean.
    """
    spoken = guess_language(text, language)
    seen = look(text, knowledge, spoken, joined_lines=blocks is None)
    believed = believe(seen.spans, text, knowledge, country_hint, site)
    mentions = _resolved(text, believed, Chooser(believed.evidence, knowledge))
    mentions = add_local(text, seen, mentions, knowledge)
    return join_compounds(text, mentions, seen.spans, spoken)


def _resolved(text: str, believed: Believed, chooser: Chooser) -> list[Mention]:
    """The convincing spans as mentions, in order of the text."""
    found: list[Mention] = []
    possible = [span for span in believed.spans if span.score > POSSIBLE]
    kinds = kinds_beside(possible, text)
    for name, group in group_by_name(possible).items():
        facts = group[0].facts
        areas = believed.explained.get(name, frozenset())
        option, sureness = chooser.choose(name, facts, areas, kinds.get(name, NO_KINDS))
        kind = MentionKind.DEMONYM if facts.is_demonym else MentionKind.PLACE
        for span in group:
            if span.ids:  # the state that a town here lies in, the town of a dateline
                option = chooser.choose_of(name, facts, span.ids)
            elif span.areas and span.areas != areas:  # this one is said to be another of the name
                option = chooser.choose_inside(name, facts, span.areas)
            confidence = probability(span.score) * (1.0 if span.ids else sureness)
            if confidence > _CONVINCING:
                start, end = span.start, span.end
                found.append(
                    Mention(start, end, text[start:end], kind, option.place, confidence=confidence)
                )
    found.sort(key=attrgetter("start"))
    return found
