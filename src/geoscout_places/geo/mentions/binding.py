"""Names that belong together: a town and what it lies in ("Perth, Scotland"), lists, definitions.

Two names next to each other that agree by the gazetteer, one inside the other, are the best
evidence there is for both: of 270 such pairs in labelled news and pages 263 were places. So they
get a score that no class of words takes away from them.

Encyclopedias, town pages and guides say what a name is: "Toledo is a city in Lewis County,
Washington". All wider names of the sentence count: those places of the name are meant that lie in
the most of them. And words next to a name tell its kind: "Washington state" is not the city, and in
"Virginia, Washington and Wyoming" all three are states.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, pairwise
from typing import NamedTuple

from geoscout_places.geo.mentions.linear_models import BITS
from geoscout_places.geo.mentions.recognise import NameSpan
from geoscout_places.geo.mentions.senses import NameFacts, Senses
from geoscout_places.language import merge
from geoscout_places.model import Kind

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


_TOWN_WITHIN = 60  # characters behind "is" in which the word for its kind stands
_NEXT_LEVEL = 12  # characters between two of them: ", ", " State of "


def defined_towns(
    spans: Sequence[NameSpan], text: str
) -> Iterator[tuple[NameSpan, Sequence[NameSpan]]]:
    """The names said to be towns, each with what it is said to lie in, from narrow to broad."""
    definition, kinds = definition_pattern(), _kind_words()
    for number, span in enumerate(spans):
        if span.before not in _STARTS or not (match := definition.match(text, span.end)):
            continue
        end = _sentence_end(text, match.end())
        words = _WORDS.findall(text, match.end(), min(end, match.end() + _TOWN_WITHIN))
        if not any(kinds.get(word) is Kind.CITY for word in words):
            continue
        levels: list[NameSpan] = []
        for other in islice(spans, number + 1, number + 1 + _MOST_NAMES):
            if other.start < match.end():
                continue  # in brackets: "(French: Paris)"
            if other.start >= end or other.facts.is_demonym:
                break
            if levels and not _goes_on(text[levels[-1].end : other.start], other):
                break
            levels.append(other)
        if levels and _kind_word_between(text, match.end(), levels[0].start, kinds):
            yield span, levels


def _goes_on(gap: str, level: NameSpan) -> bool:
    """Whether a wider level follows: "Montgomery and Miami Counties in the U.S. state of Ohio"."""
    if len(gap) <= _NEXT_LEVEL:
        return True
    is_phrase = len(gap) <= 2 * _NEXT_LEVEL and gap.isascii() and gap.replace(" ", "").isalpha()
    return is_phrase and first_kind(level.facts) in _STATES


def _kind_word_between(text: str, start: int, end: int, kinds: Mapping[str, Kind]) -> bool:
    """Whether the word for a town comes before the first area: "is a town in Utah"."""
    return any(kinds.get(word) is Kind.CITY for word in _WORDS.findall(text, start, end))


def containers(levels: Sequence[NameSpan]) -> frozenset[int]:
    """The ids of what the narrowest level may mean, as far as it lies in the broader ones.

    None where none of it lies in a state or country among these.
    """
    narrow = levels[0].facts.senses()
    found = frozenset(narrow.ids)
    for level in levels[1:]:
        other = level.facts.senses()
        if inside := _inside(narrow, frozenset(other.ids)) & found:
            found = inside
        elif inside := _inside(other, found):  # "in the U.S. state of Vermont"
            narrow, found = other, inside
        elif other.kinds[0] in _STATES:
            return frozenset()
    return found


def _inside(senses: Senses, areas: frozenset[int]) -> frozenset[int]:
    """The ids of what may be meant that lies in one of the areas."""
    options = zip(senses.ids, senses.lineages, strict=True)
    return frozenset([id for id, above in options if not areas.isdisjoint(above)])


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


_LONGEST_GAP = 5
_LISTING = (", ", "/", " / ", " - ", "-")
_EXPLAINING = (", ", " (", ",", " ", ",\n", "/", ". ")
_HEADING = frozenset(("-", " - ", ": ", " > ", " – ", " / "))  # the wide one comes first
_LOOSE = frozenset((" ", "/", ". ", "\n"))
_SURE = 1.0
_BOUND = 2.0  # score of a name that its neighbour explains
_LISTED_BELOW = 0.5  # score of a name in lower case below a wider one
# "WASHINGTON (AP)", "RALEIGH, N.C. - ", at the beginning of a line.
_AFTER_DATELINE = re.compile(r" ?(?:\([A-Z][A-Za-z ]{1,20}\)| (?:--?|[–—]) )")
_NEXT_CAPITAL = re.compile(r" [A-Z]")
_TOWNS = frozenset((Kind.CITY, Kind.NEIGHBOURHOOD, Kind.DISTRICT))
_STATES = frozenset((Kind.REGION, Kind.COUNTRY))
_LISTED = BITS["listed"]

Explained = dict[str, frozenset[int]]  # name -> ids of the areas the text puts it in


def bind(spans: list[NameSpan], text: str) -> Explained:
    """Marks spans by the span that follows: explained by it, or in a list with it."""
    explained: Explained = {}
    listing, explaining = _gaps()
    for left, right in close_pairs(spans, _LONGEST_GAP):
        gap = text[left.end : right.start]
        if (gap in explaining or _is_below(gap, left)) and (
            areas := areas_said(left.facts, right.facts)
        ):
            explained[left.name] = areas | explained.get(left.name, frozenset())
            left.areas = areas
            _mark_explained(left, right, is_tight=_is_tight(gap, left, right, text))
        elif _is_heading(gap, left, right) and (areas := areas_said(right.facts, left.facts)):
            explained[right.name] = areas | explained.get(right.name, frozenset())
            _mark_explained(right, left, is_tight=False)
            _raise_lower_case(left, right)
        if gap in listing:
            _mark_listed(left, right)
    for span in spans:
        if span.case == "upper" and span.before == "start":
            _mark_dateline(span, text)
    for span, areas in defined_areas(spans, text):
        explained[span.name] = areas
        span.score = span.floor = max(span.score, _BOUND)
    return explained


def close_pairs(spans: list[NameSpan], most: int) -> list[tuple[NameSpan, NameSpan]]:
    """Neighbours with at most `most` characters between them; words for people are left out."""
    return [
        (left, right)
        for left, right in pairwise(spans)
        if right.start - left.end <= most and not (left.facts.is_demonym or right.facts.is_demonym)
    ]


def areas_said(narrow: NameFacts, wide: NameFacts) -> frozenset[int]:
    """Ids of what a name may mean that contains something which another name may mean."""
    return narrow.senses().around.intersection(wide.senses().ids)


def first_kind(facts: NameFacts) -> Kind:
    """The kind of the likeliest place of a name."""
    return facts.senses().kinds[0]


def bind_towns(spans: Sequence[NameSpan], towns: Mapping[int, int], explained: Explained) -> None:
    """Marks the towns of addresses; the name has the same meaning elsewhere on the page.

    `towns`: ids of places by where their names begin. A postal code and a street prove more of a
    town than any words around it.
    """
    for span in spans:
        place = towns.get(span.start)
        if place is None or place not in (senses := span.facts.senses()).ids:
            continue
        span.score, span.floor, span.ids = max(span.score, _BOUND), _BOUND, frozenset((place,))
        region = senses.regions[senses.ids.index(place)]
        if region and span.name not in explained:
            explained[span.name] = frozenset((region,))


@cache
def _gaps() -> tuple[frozenset[str], frozenset[str]]:
    """What stands between two places of a list, and between a place and what it lies in."""
    listing = merge(lambda language: language.names.listing)
    explaining = merge(lambda language: language.names.explaining)
    return (
        frozenset((*_LISTING, *(f" {word} " for word in listing))),
        frozenset((*_EXPLAINING, *(f" {word} " for word in explaining))),
    )


def _is_below(gap: str, town: NameSpan) -> bool:
    """Whether what follows can be the next cell of a table, and not of a list of states."""
    return gap == "\n" and first_kind(town.facts) in _TOWNS


def _is_tight(gap: str, town: NameSpan, wide: NameSpan, text: str) -> bool:
    """Whether two names are written as one: "Perth, Scotland", "Glendale CA"."""
    if gap in _LOOSE:
        return wide.facts.is_code and town.case == "title"
    # "David Williams, U.S. Rep. Harold Rogers": here the country belongs to what follows.
    is_country = first_kind(wide.facts) is Kind.COUNTRY
    return not (is_country and _NEXT_CAPITAL.match(text, wide.end))


def _is_heading(gap: str, wide: NameSpan, town: NameSpan) -> bool:
    """Whether the wide name comes first: "Texas: Dallas", and "texas dallas" in lower case."""
    return gap in _HEADING or (gap == " " and "lower" in (wide.case, town.case))


def _raise_lower_case(wide: NameSpan, town: NameSpan) -> None:
    """Believes lists of places in lower case, "usa texas dallas", but not "china long"."""
    if town.case == "lower" and not town.facts.sort.startswith("word"):
        for span in (wide, town):
            span.floor = max(span.floor, _LISTED_BELOW)
            span.score = max(span.score, span.floor)


def _mark_dateline(span: NameSpan, text: str) -> None:
    """Marks a town that a report begins with: "WASHINGTON (AP) - The president said"."""
    towns = _ids_of(span, _TOWNS)
    if towns and _AFTER_DATELINE.match(text, span.end):
        span.score = max(span.score, _BOUND)
        span.floor, span.ids = _BOUND, towns


def _mark_explained(narrow: NameSpan, wide: NameSpan, *, is_tight: bool) -> None:
    tightness = "tight" if is_tight else "loose"
    narrow.flags |= BITS[f"explained {tightness}"]
    wide.flags |= BITS[f"explains {tightness}"]
    if is_tight:
        wide.ids = _widest(narrow, wide)
        for span in (narrow, wide):
            span.score = max(span.score, _BOUND)
            span.floor = _BOUND


def _widest(narrow: NameSpan, wide: NameSpan) -> frozenset[int] | None:
    """Which states or countries the wide name is said to be; a county may be a town of the name."""
    return (narrow.areas or frozenset()) & _ids_of(wide, _STATES) or None


def _ids_of(span: NameSpan, kinds: frozenset[Kind]) -> frozenset[int]:
    """The ids of what a name may mean that is of these kinds."""
    senses = span.facts.senses()
    return frozenset(
        [id for id, kind in zip(senses.ids, senses.kinds, strict=True) if kind in kinds]
    )


def _mark_listed(left: NameSpan, right: NameSpan) -> None:
    if right.score > _SURE:
        left.flags |= _LISTED
    if left.score > _SURE:
        right.flags |= _LISTED


_REACH = 24  # characters looked at for a word
_DEFINING_WORDS = 4  # after "is" that may say what a name is
_KINDRED_GAP = 6
_KINDRED = (", ", "; ", "/", " / ")
_BEFORE = frozenset(("kind", "of", "in"))  # classes of the word before a name
_WORDS = re.compile(r"[^\W\d_]+")
_SMALL = frozenset(("of", "von", "de", "di", "van", "do", "da", "af"))


class KindsBeside(NamedTuple):
    """The kinds that speak for a name."""

    said: frozenset[Kind] = frozenset()  # by a word next to it
    listed: frozenset[Kind] = frozenset()  # by what it is in a list with


NO_KINDS = KindsBeside()


def kinds_beside(spans: list[NameSpan], text: str) -> dict[str, KindsBeside]:
    """The kinds that speak for each name that may be a town or something wider."""
    said: dict[str, set[Kind]] = {}
    listed: dict[str, set[Kind]] = {}
    for span in _mixed(spans):
        if kinds := _said(span, text):
            said.setdefault(span.name, set()).update(kinds)
    listing = _listing_gaps()
    for left, right in _mixed_pairs(spans):
        if text[left.end : right.start] in listing:
            for name, kind in _listed(left, right):
                listed.setdefault(name, set()).add(kind)
    return {
        name: KindsBeside(frozenset(said.get(name, ())), frozenset(listed.get(name, ())))
        for name in said.keys() | listed.keys()
    }


def _mixed(spans: list[NameSpan]) -> list[NameSpan]:
    return [span for span in spans if span.facts.senses().is_mixed]


def _mixed_pairs(spans: list[NameSpan]) -> list[tuple[NameSpan, NameSpan]]:
    """Neighbours of different names, of which one may be a town or something wider."""
    return [
        (left, right)
        for left, right in close_pairs(spans, _KINDRED_GAP)
        if (left.facts.senses().is_mixed or right.facts.senses().is_mixed)
        and left.name != right.name
    ]


def _said(span: NameSpan, text: str) -> list[Kind]:
    words = []
    if span.before in _BEFORE:
        words = _WORDS.findall(text, max(0, span.start - _REACH), span.start)[-2:]
        words = words[-2:-1] if words and words[-1] in _SMALL else words[-1:]
    if text[span.end : span.end + 1] == " ":
        words += text[span.end : span.end + _REACH].split(maxsplit=1)[:1]
        if match := definition_pattern().match(text, span.end):  # "Münster ist eine schöne Stadt"
            words += _WORDS.findall(text, match.end(), match.end() + 2 * _REACH)[:_DEFINING_WORDS]
    known = _kind_words()
    return [known[word] for word in map(str.lower, words) if word in known]


def _listed(left: NameSpan, right: NameSpan) -> Iterable[tuple[str, Kind]]:
    """Two names of a list say the kind of each other, if none of them lies in the other."""
    one, other = left.facts, right.facts
    if areas_said(one, other) or areas_said(other, one):
        return
    if one.senses().is_mixed:
        yield left.name, first_kind(other)
    if other.senses().is_mixed:
        yield right.name, first_kind(one)


@cache
def _listing_gaps() -> frozenset[str]:
    words = merge(lambda language: language.names.listing)
    return frozenset((*_KINDRED, *(f"{mark}{word} " for word in words for mark in (" ", ", "))))


@cache
def _kind_words() -> dict[str, Kind]:
    """The kinds by the words for them; where languages differ, the first one counts."""
    found: dict[str, Kind] = {}
    for kind, words in (
        (Kind.CITY, merge(lambda language: language.names.town_words)),
        (Kind.DISTRICT, merge(lambda language: language.names.district_words)),
        (Kind.REGION, merge(lambda language: language.names.region_words)),
    ):
        for word in words:
            found.setdefault(word, kind)
    return found
