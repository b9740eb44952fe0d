"""What a page is about: its places as a small hierarchy with scores, the main place first.

Every mention and address gives weight to its place and to all that contains it. From the top the
main place is found by going down as long as one child holds most of the weight below: a page that
names five towns of Bavaria evenly is about Bavaria, one that names Munich all the time is about
Munich. Frequency alone would call the first one after whichever town came up twice.

What stands in blocks that most pages of the site have does not count. A page that names nothing
else is where the addresses of its site are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from geoscout.gazetteer.base import Gazetteer
from geoscout.geo.stated import dateline, stated_fields
from geoscout.model import Address, Kind, Mention, MentionKind, Page, Part, Place, ScopePlace

# How much of a mention counts where readers do not look for what a page is about.
PART_WEIGHT = {
    Part.MAIN: 1.0,
    Part.ADDRESS: 1.0,
    Part.HEADER: 0.6,
    Part.ASIDE: 0.3,
    Part.NAVIGATION: 0.15,
    Part.FOOTER: 0.3,
}
# The values below were set on half of three labelled sets (`make eval`) and checked on the rest.
LISTED_WEIGHT = 0.1  # a line that is nothing but a place name: menus, lists of branches
ADDRESS_WEIGHT = 3.0  # an address says where something is, a mention only that it was named
FIELD_WEIGHT = 1.2  # "Location: Lisbon": times what all mentions of the page weigh
DATELINE_WEIGHT = 2.0
LEAD_WEIGHT = 0.5  # added for a mention in the title or the first line
DEMONYM_WEIGHT = 0.5
REPEATED = 0.9  # the n-th mention of a place weighs this to the power of n - 1 …
LEAST_REPEATED = 0.5  # … but never less than this
DOMINANT = 0.4  # the share of the weight below a place that its child needs to take its role
LISTED = 10  # places in a scope at the most
_LEAD = 300  # characters of the first line that count as lead


@dataclass(frozen=True, slots=True)
class _Tree:
    """The weight of places: their own, and with all they contain."""

    places: dict[int, Place]
    own: dict[int, float]
    total: dict[int, float]
    children: dict[int, set[int]]  # 0 is above everything


def find_scope(
    page: Page,
    mentions: Sequence[Mention],
    addresses: Sequence[Address],
    gazetteer: Gazetteer,
) -> list[ScopePlace]:
    """The places the page is about, the main one first; empty when it names none."""
    weights = weigh_places(page, mentions, addresses)
    stated = set(stated_fields(page.text, gazetteer))
    mentioned = sum(weights.values())
    for place in stated:
        weights[place] = weights.get(place, 0.0) + FIELD_WEIGHT * (1 + mentioned) / len(stated)
    if sent_from := dateline(page.text, gazetteer):
        weights[sent_from] = weights.get(sent_from, 0.0) + DATELINE_WEIGHT
    if not weights:
        weights = {a.place: ADDRESS_WEIGHT for a in addresses if a.of_site and a.place}
    if not weights:
        return []
    tree = _grow(weights, gazetteer)
    main = _descend(tree)
    whole = sum(weights.values())
    named = [id for id, weight in tree.own.items() if weight > 0 and id != main]
    chosen = [main, *sorted(named, key=lambda id: (-tree.total[id], id))][:LISTED]
    return [
        ScopePlace(tree.places[id], _path(tree.places[id], gazetteer), tree.total[id] / whole)
        for id in chosen
    ]


def weigh_places(
    page: Page, mentions: Sequence[Mention], addresses: Sequence[Address]
) -> dict[Place, float]:
    """How much weight the page gives to each place it names."""
    weights: dict[Place, float] = defaultdict(float)
    times: dict[Place, int] = defaultdict(int)
    lead = f"{page.title}\n{page.text.lstrip()[:_LEAD].partition(chr(10))[0]}".lower()
    for mention, part in zip(mentions, _parts_of(page, mentions), strict=True):
        if mention.place is None or mention.kind == MentionKind.LOCAL or mention.of_site:
            continue  # a street or feature is located by the places named around it
        weight = PART_WEIGHT[part] * mention.confidence
        weight *= DEMONYM_WEIGHT if mention.kind == MentionKind.DEMONYM else 1.0
        weight *= max(REPEATED ** times[mention.place], LEAST_REPEATED)
        weight *= LISTED_WEIGHT if _is_whole_line(page.text, mention) else 1.0
        if not times[mention.place] and mention.text.lower() in lead:
            weight += LEAD_WEIGHT
        times[mention.place] += 1
        weights[mention.place] += weight
    for place in {a.place for a in addresses if a.place and not a.of_site}:
        weights[place] += ADDRESS_WEIGHT
    return dict(weights)


def _is_whole_line(text: str, mention: Mention) -> bool:
    before, after = text[mention.start - 1 : mention.start], text[mention.end : mention.end + 1]
    return mention.start > 0 and before == "\n" and after in ("\n", "")


def _parts_of(page: Page, mentions: Iterable[Mention]) -> list[Part]:
    """The part of the page each mention stands in; mentions and blocks are in order."""
    parts = []
    blocks = iter(page.blocks)
    block = next(blocks, None)
    for mention in mentions:
        while block is not None and block.end <= mention.start:
            block = next(blocks, None)
        inside = block is not None and block.start <= mention.start
        parts.append(block.part if block is not None and inside else Part.MAIN)
    return parts


def _grow(weights: dict[Place, float], gazetteer: Gazetteer) -> _Tree:
    tree = _Tree({}, defaultdict(float), defaultdict(float), defaultdict(set))
    for place, weight in weights.items():
        tree.own[place.id] += weight
        below = place
        for above in (place, *gazetteer.ancestors(place)):
            tree.places[above.id] = above
            tree.total[above.id] += weight
            if above is not place:
                tree.children[above.id].add(below.id)
            below = above
        tree.children[0].add(below.id)
    return tree


def _descend(tree: _Tree) -> int:
    """From the top down to the narrowest place that dominates what lies above it."""
    here, weight = 0, sum(tree.own.values())
    while children := tree.children.get(here):
        best = max(children, key=lambda id: (tree.total[id], -id))
        # A page that spreads over the world is still about one part of it most.
        at_top = here == 0 or tree.places[here].kind is Kind.CONTINENT
        if not (at_top and not tree.own.get(here)) and tree.total[best] < DOMINANT * weight:
            break
        here, weight = best, tree.total[best]
    return here


def _path(place: Place, gazetteer: Gazetteer) -> tuple[Place, ...]:
    return (*reversed(gazetteer.ancestors(place)), place)
