"""What a page is about: its places as a small hierarchy with scores, the main place first.

Every mention and address gives weight to its place and to all that contains it. From the top the
main place is found by going down as long as one child holds most of the weight below: a page that
names five towns of Bavaria evenly is about Bavaria, one that names Munich all the time is about
Munich. Frequency alone would call the first one after whichever town came up twice.

What stands in blocks that most pages of the site have does not count. A page that names nothing
else is where the addresses of its site are.

A labelled field or a dateline ("Location: Herndon VA", "LISBON, March 5 -") says where a page
belongs more surely than any mention in its running text, and in forms that running text does not
have (US-NY-New York).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby, islice
from operator import itemgetter
from urllib.parse import unquote

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.language import merge
from geoscout_places.model import (
    Address,
    Block,
    Kind,
    Mention,
    MentionKind,
    Page,
    Part,
    Place,
    ScopePlace,
)
from geoscout_places.toponyms import are_nested, lower_case, qualified_bearers

_AGENCIES = ("AP", "AFP", "CNN", "dpa", "Reuters", "REUTERS", "UPI", "IANS", "Xinhua")
_AGENCY = rf"\((?:{'|'.join(_AGENCIES)})[^)\n]{{0,20}}\)"
_CODED = re.compile(r"^([A-Z]{2})[-–/ ]{1,3}([A-Z]{2,3})[-–/ ]{1,3}(\w.*)$")
_NUMBERS = re.compile(r"\b[A-Z]{0,2}-?\d{4,6}(?:-\d{4})?\b|\(.*?\)")
_BETWEEN_WORDS = re.compile(r"[-_+]")  # in the path of a URL
_WIDE = (Kind.COUNTRY, Kind.REGION)
_HEAD = 1_000  # characters in which a dateline stands
_MOST_FIELDS = 5


@cache
def _field() -> re.Pattern[str]:
    """A labelled field in a text in lower case, with a line break before it.

    It is in use for every line: a search for a line break is as fast as memory, and of words in one
    case only those are compared that begin with the right letter, which stands once for all.
    """
    words = sorted(
        map(str.lower, merge(lambda language: language.fields.labels)), key=itemgetter(0)
    )
    labels = "|".join(
        f"{re.escape(first)}(?:{'|'.join(re.escape(word[1:]) for word in own)})"
        for first, own in groupby(words, itemgetter(0))
    )
    starts = "|".join(x.lower() for x in merge(lambda language: language.fields.label_starts))
    return re.compile(
        rf"\n[ \t]*(?:(?:{starts}) )?(?:{labels})[ \t]*"
        r"(?:[:|]|\n)[ \t]*\n?[ \t]*([^\n:]{2,70})$",
        re.MULTILINE,
    )


@cache
def _dateline() -> re.Pattern[str]:
    months = "|".join(merge(lambda language: language.fields.months))
    day = rf"(?:{months})[a-z]*\.?[ \t]+\d{{1,2}}(?:,? \d{{4}})?"
    return re.compile(
        r"\n[ \t]*([A-Z][A-Za-z.' \-]{2,30}?(?:, ?[A-Z][A-Za-z. ]{1,20}?)?)"
        rf"[ ,]{{0,2}}(?:{day}[ ,]{{0,2}}(?:{_AGENCY})?|{_AGENCY})[ \t]*(?:-{{1,2}}|–|—|(?=\n))"
    )


@cache
def _dateline_words() -> tuple[str, ...]:
    """A dateline has one of these: looking for them takes a tenth of the time of the expression."""
    months = merge(lambda language: language.fields.months)
    return (*dict.fromkeys(months), *(f"({agency}" for agency in _AGENCIES))


def stated_fields(text: str, gazetteer: Gazetteer) -> list[Place]:
    """The places in labelled fields, in the order of the text."""
    found = islice(_field().finditer("\n" + lower_case(text)), _MOST_FIELDS)
    fields = (text[match.start(1) - 1 : match.end(1) - 1] for match in found)
    return [place for value in fields if (place := _place_of(value, gazetteer))]


def dateline(text: str, gazetteer: Gazetteer) -> Place | None:
    """The place a news item was sent from."""
    head = f"\n{text[:_HEAD]}"
    if not any(map(head.__contains__, _dateline_words())):
        return None
    for match in _dateline().finditer(head):
        if place := _place_of(match[1], gazetteer):
            return place
    return None


def _place_of(value: str, gazetteer: Gazetteer) -> Place | None:
    """The place a field's value means, in any of the orders people write it."""
    for spelling in _spellings(value):
        for candidate in qualified_bearers(spelling, gazetteer, with_codes=True):
            if candidate.place.kind is not Kind.LANDMARK:
                return candidate.place
    return None


def _spellings(value: str) -> Iterator[str]:
    coded = _CODED.match(value.strip())
    if coded:
        yield f"{coded[3]}, {coded[2]}, {coded[1]}"
        yield f"{coded[2]}, {coded[1]}"
    plain = _NUMBERS.sub(" ", value).strip(" ,.|-–")
    if not plain:
        return
    yield plain
    parts = [part.strip() for part in re.split(r"[,/|>]| - | – ", plain) if part.strip()]
    if len(parts) > 1:
        yield ", ".join(parts)
        yield ", ".join(reversed(parts))
        yield ", ".join(parts[:2])


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
HEADLINE_SHARE = 0.15  # of the weight that the country of a headline needs to be the main place
LISTED = 10  # places in a scope at the most
_LEAD = 300  # characters of the first line that count as lead
_REPEATS = tuple(max(REPEATED**times, LEAST_REPEATED) for times in range(8))
_LAST_REPEAT = len(_REPEATS) - 1
_LOCAL, _DEMONYM = MentionKind.LOCAL, MentionKind.DEMONYM


class PlaceWeights:
    """How much weight a page gives to each place that it names, by the id of the place."""

    __slots__ = ("places", "weights")

    def __init__(self) -> None:
        self.places: dict[int, Place] = {}
        self.weights: dict[int, float] = {}

    def add(self, place: Place, weight: float) -> None:
        """Add weight to a place."""
        self.places.setdefault(place.id, place)
        self.weights[place.id] = self.weights.get(place.id, 0.0) + weight


@dataclass(frozen=True, slots=True)
class _Tree:
    """The weight of places: their own, and with all they contain."""

    own: dict[int, float]
    places: dict[int, Place] = field(default_factory=dict)
    total: dict[int, float] = field(default_factory=dict)
    children: dict[int, set[int]] = field(default_factory=dict)  # 0 is above everything


def find_scope(
    page: Page,
    mentions: Sequence[Mention],
    addresses: Sequence[Address],
    gazetteer: Gazetteer,
) -> list[ScopePlace]:
    """The places the page is about, the main one first; empty when it names none."""
    found = weigh_places(page, mentions, addresses)
    stated = set(stated_fields(page.text, gazetteer))
    mentioned = sum(found.weights.values())
    for place in stated:
        found.add(place, FIELD_WEIGHT * (1 + mentioned) / len(stated))
    if sent_from := dateline(page.text, gazetteer):
        found.add(sent_from, DATELINE_WEIGHT)
    if not found.weights:
        for place in dict.fromkeys(a.place for a in addresses if a.of_site and a.place):
            found.add(place, ADDRESS_WEIGHT)
    if not found.weights:
        return []
    headline = None if addresses or stated else headline_country(page.text, mentions)
    scope = _scope_of(found, gazetteer, headline)
    filed = _filed_under(page.url, found, gazetteer)
    if filed is None or filed == scope[0].place or are_nested(filed, scope[0].place, gazetteer):
        return scope
    found.add(filed, FIELD_WEIGHT * (1 + sum(found.weights.values())))
    return _scope_of(found, gazetteer, None)


def _filed_under(url: str, found: PlaceWeights, gazetteer: Gazetteer) -> Place | None:
    """The last place that folders of the URL go down to from a state or country.

    Only places that the page names count: "/california/napa/" and "California" in the text.
    """
    folders = [fold(_BETWEEN_WORDS.sub(" ", unquote(part))) for part in url.split("/")[3:]]
    by_name = {fold(place.name): place for place in found.places.values()} if any(folders) else {}
    named = [(n, by_name[folder]) for n, folder in enumerate(folders) if folder in by_name]
    wide = ((n, p) for n, p in named if p.kind in _WIDE and n < len(folders) - 1)
    at, widest = next(wide, (0, None))
    narrower = (p for _, p in reversed(named) if p != widest)
    inside = (p for p in narrower if widest and gazetteer.is_inside(p, widest))
    return next(inside, None if at else widest)  # "/news/australia/" is a section


def headline_country(text: str, mentions: Sequence[Mention]) -> Place | None:
    """The country of a headline that names nothing narrower: "Do I need a visa for Peru?"."""
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start, start + _LEAD)
    named = [m.place for m in mentions if m.start < end and m.place and m.kind is not _DEMONYM]
    countries = {place.country for place in named}
    is_country = len(countries) == 1 and all(place.kind is Kind.COUNTRY for place in named)
    return named[0] if is_country else None


def _scope_of(
    found: PlaceWeights, gazetteer: Gazetteer, headline: Place | None
) -> list[ScopePlace]:
    tree = _grow(found, gazetteer)
    main, total = _descend(tree), tree.total
    whole = sum(tree.own.values())
    if headline and total.get(headline.id, 0.0) >= HEADLINE_SHARE * whole:
        main = headline.id
    named = [id for id, weight in tree.own.items() if weight > 0 and id != main]
    chosen = [main, *sorted(named, key=lambda id: (-total[id], id))][:LISTED]
    return [
        ScopePlace(tree.places[id], _path(tree.places[id], gazetteer), total[id] / whole)
        for id in chosen
    ]


def weigh_places(
    page: Page, mentions: Sequence[Mention], addresses: Sequence[Address]
) -> PlaceWeights:
    """How much weight the page gives to each place it names."""
    found = PlaceWeights()
    places, weights, times = found.places, found.weights, dict[int, int]()
    lead = f"{page.title}\n{page.text.lstrip()[:_LEAD].partition(chr(10))[0]}".lower()
    for mention, place, by_part in _counted(page, mentions):
        id = place.id
        nth = times[id] = times.get(id, -1) + 1
        weight = by_part * (_REPEATS[nth] if nth < _LAST_REPEAT else LEAST_REPEATED)
        if _is_whole_line(page.text, mention.start, mention.end):
            weight *= LISTED_WEIGHT
        if nth:
            weights[id] += weight
        else:
            places[id] = place
            weights[id] = weight + LEAD_WEIGHT if mention.text.lower() in lead else weight
    for place in {a.place for a in addresses if a.place and not a.of_site}:
        found.add(place, ADDRESS_WEIGHT)
    return found


def _counted(page: Page, mentions: Sequence[Mention]) -> Iterator[tuple[Mention, Place, float]]:
    """The mentions that count, each with its place and its weight by the part of the page."""
    blocks: Iterator[Block] = iter(page.blocks)
    block = next(blocks, None)
    for mention in mentions:
        place, kind, start = mention.place, mention.kind, mention.start
        if place is None or kind is _LOCAL or mention.of_site:
            continue  # a street or feature is located by the places named around it
        while block is not None and block.end <= start:
            block = next(blocks, None)
        weight = mention.confidence
        if block is not None and block.start <= start:
            weight *= PART_WEIGHT[block.part]
        yield mention, place, weight * DEMONYM_WEIGHT if kind is _DEMONYM else weight


def _is_whole_line(text: str, start: int, end: int) -> bool:
    return start > 0 and text[start - 1] == "\n" and text[end : end + 1] in ("\n", "")


def _grow(found: PlaceWeights, gazetteer: Gazetteer) -> _Tree:
    tree = _Tree(found.weights)
    places, total, children = tree.places, tree.total, tree.children
    for own, weight in found.weights.items():
        places[own] = place = found.places[own]
        total[own] = total.get(own, 0.0) + weight
        below = own
        for above in gazetteer.ancestors(place):
            id = above.id
            places[id] = above
            total[id] = total.get(id, 0.0) + weight
            children.setdefault(id, set()).add(below)
            below = id
        children.setdefault(0, set()).add(below)
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
