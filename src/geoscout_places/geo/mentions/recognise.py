"""Finds the spans of a text that may be place names, with what stands around each.

Whether to believe a span is for `find`; this module only collects what can be seen. A name has to
be judged by the words of the language it stands in: "Lage" is a word in one and a town in the
other. So the parts of a page that are in another language than the rest are looked at by
themselves; most blocks are too short to tell theirs, and go with the long blocks around them.

Nothing shows where a name ends in scripts without spaces between words: 東京は日本の首都です. There
it counts inside a run of letters where it is long, or where what it names is so well known that
the letters hardly mean anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import inf
from operator import attrgetter
from typing import NamedTuple

from msgspec import Struct

from geoscout_places.geo.mentions.knowledge import NameKnowledge, NamePattern, Tongue
from geoscout_places.geo.mentions.linear_models import BeliefModel
from geoscout_places.geo.mentions.senses import NameFacts
from geoscout_places.geo.mentions.word_forms import PLACE_BEFORE, NameForms, ShortNames
from geoscout_places.language import guess_block, guess_language
from geoscout_places.model import Block, Kind
from geoscout_places.toponyms import NOT_NOUN, NOUN, NameSearch, capitalised, sight
from geoscout_places.toponyms import heads as all_heads

_SHORT_TEXT = 400
_SHORTEST_TEXT = 120  # of a title or a question, whose language only its names may tell
_SAMPLE = 2000
_FEW_CAPITALS = 0.008
_ABBREVIATED = 4
_NEVER = -9.0  # score of a word that grammar tells not to be a place
_LONGEST_ARTICLE = 12
_BARS = frozenset("/|·•")
_VALUE = re.compile(r" ?\d")  # behind the label of a number: "IČO: 46 426 639"
PERSON_BEFORE = frozenset(("first", "initial", "title"))
_SHORT_LINE = 40  # characters of a heading, or an item of a menu
_SHORTEST_STEM = 4  # letters of a name that may have an ending
_ENDING = re.compile(r"[a-z]{1,5}(?![^\W_])")
_UNSEEN = NamePattern("", None, is_other=False)
_NO_CAPITALS = bytes(code for code in range(256) if not 65 <= code <= 90)
_LONG = 160  # characters of a block that tells its language
_READ = 400  # characters of it that are read
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HIRAGANA = "\u3041-\u309f"
_SOUTH_EAST_ASIAN = "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
_HANGUL = "\uac00-\ud7a3"
# Between these two letters a word may end and another begin.
_BORDER = re.compile(
    rf"[{_HAN}][^{_HANGUL}]|[^{_HANGUL}][{_HAN}]"
    rf"|[{_HIRAGANA}][^{_HIRAGANA}]|[^{_HIRAGANA}][{_HIRAGANA}]"
    rf"|[{_SOUTH_EAST_ASIAN}]."
)
# What Korean puts behind a name in the same word: in, from, of, to, and; city, county.
_PARTICLES = re.compile(
    rf"(?:에서는?|에는?|의|은|는|이|가|을|를|으?로|와|과|도|까지|부터|시|군|구)(?![{_HANGUL}])"
)
_LONG_ENOUGH = {"han": 3, "other": 4}  # letters
_WELL_KNOWN = 1_000_000  # inhabitants
_WIDE = frozenset((Kind.COUNTRY, Kind.REGION))
_LAST_SPACED = "\u0e00"  # letters of scripts that may have no spaces come after it


class SpokenPart(NamedTuple):
    """A stretch of a text in one language."""

    start: int
    end: int
    language: str  # "" for unknown


class NameSpan(Struct, gc=False):
    """A stretch of text that spells a place name, and what was found out about it."""

    start: int
    end: int
    name: str
    facts: NameFacts
    case: str = ""  # "title", "upper", "lower", or "ending" with that of a grammatical case
    before: str = ""  # classes of what stands around it
    after: str = ""
    line: str = ""
    flags: int = 0  # bits of `linear_models.BITS`
    score: float = 0.0
    areas: frozenset[int] | None = None  # ids of the areas it is said to lie in right here
    ids: frozenset[int] | None = None  # of the places it is said to be right here
    floor: float = -inf  # below which nothing takes its score


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
        language = parts[0].language
        if not language and len(text) <= _SHORTEST_TEXT:
            language = knowledge.language_of_forms(view)
        return _look_at(text, view, knowledge, language, is_informal=is_informal)
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
    seen.spans.extend(_spans(text, seen, knowledge.search, tongue))
    if tongue.forms is not None:
        _add_declined(text, seen, tongue, tongue.forms)
    if tongue.short_names is not None:
        _add_short_names(seen, tongue.short_names)
    for word, head in tongue.shared_heads:
        if word in view:
            _add_shared(seen, word, head, tongue)
    if is_informal:
        _add_lower_case(text, seen, knowledge.search, tongue)
    _score(text, seen, knowledge.belief, tongue)
    return seen


def _score(text: str, seen: Sightings, belief: BeliefModel, tongue: Tongue) -> None:
    """Scores the spans, which are in order, by their name and neighbours."""
    view = seen.view
    before_class, after_class = tongue.neighbours.before, tongue.neighbours.after
    scores, first, last, until = belief.contexts, 0, 0, -1
    for span in seen.spans:
        facts, start, end = span.facts, span.start, span.end
        before = before_class(text, view, start)
        if span.before and before not in PERSON_BEFORE:
            before = span.before  # its ending says where
        span.before = before
        after = span.after = after_class(text, view, end)
        case = span.case
        if not case:
            is_upper = end - start > _ABBREVIATED and text[start:end].isupper()
            case = span.case = "upper" if is_upper else "title"
        if end > until:
            first, last, until = _line_around(text, start, end)
        size = last - first
        line = "alone" if size == end - start else "short" if size <= _SHORT_LINE else "long"
        span.line = line
        span.score = facts.score + scores[facts.sort, before, after, case, line]
        is_language = facts.is_demonym and (line == "alone" or _is_in_menu(text, start, end))
        is_label = after == ":" and end - start <= _ABBREVIATED and _VALUE.match(text, end + 1)
        if (
            is_language
            or is_label
            or (facts.noun != NOT_NOUN and _is_noun(view, span, tongue.articles))
        ):
            span.score = _NEVER


def _is_in_menu(text: str, start: int, end: int) -> bool:
    """Whether a bar stands beside a word: "Polski / English / Česky" are languages."""
    return (
        text[end : end + 2].strip(" ")[:1] in _BARS
        or text[max(0, start - 2) : start].strip(" ")[-1:] in _BARS
    )


def _line_around(text: str, start: int, end: int) -> tuple[int, int, int]:
    """Where the line of a name begins and ends, and up to where that holds for later names."""
    until = text.find("\n", start)
    until = len(text) if until < 0 else until
    last = until if until >= end else text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, last if last >= 0 else len(text), until


def _is_noun(view: str, span: NameSpan, articles: frozenset[str]) -> bool:
    """Whether a word that may be a noun is one here.

    Towns have no article. A noun that no dictionary knows as a place is one only behind a
    preposition: "in Kuchen". A name that explains it, "Kuchen, Baden-Württemberg", comes later.
    """
    before = view[max(0, span.start - _LONGEST_ARTICLE) : span.start].rstrip()
    if before[before.rfind(" ") + 1 :].lower() in articles:
        return True
    return span.facts.noun == NOUN and span.before not in PLACE_BEFORE


def _spans(text: str, seen: Sightings, search: NameSearch, tongue: Tongue) -> list[NameSpan]:
    """Where names stand that mean something; other words that are looked for go to `seen`."""
    view, known, going_on = seen.view, tongue.patterns.get, tongue.going_on
    padded, found = view + " ", []
    # Most hits are words that are never meant as places, or begin a longer word: nothing more is
    # asked of these.
    hits = [
        hit
        for hit in search.find(view)
        if padded[hit[1]] not in going_on and known(hit[2], _UNSEEN) is not None
    ]
    for start, end, number in hits:
        rest, is_inside = "", False
        if padded[end].isalnum():
            rest = _ending(padded, end, tongue)
            if not rest and not (is_inside := may_end(view, end)):
                continue
        if start and padded[start - 1].isalnum():
            is_inside = True
            if not may_begin(view, start):
                continue
        pattern = known(number, _UNSEEN)
        if pattern is _UNSEEN:
            pattern = tongue.learn_pattern(number, view[start:end])
        if pattern is None or (is_inside and not is_telling(pattern)):
            continue
        if pattern.is_other and not rest:
            seen.add_other(start, end, pattern.name, tongue.heads)
        if span := _name_span(text, start, pattern, rest, tongue.endings):
            found.append(span)
    return found


def _ending(view: str, end: int, tongue: Tongue) -> str:
    """What follows a name in the same word, if that is an ending: "s" of "Egyptians"."""
    match = _ENDING.match(view, end)
    rest = match[0] if match else ""
    return rest if rest == "s" or rest in tongue.endings else ""


def _name_span(
    text: str, start: int, pattern: NamePattern, rest: str, endings: frozenset[str]
) -> NameSpan | None:
    """A name, also in the plural, which words for people have, or in another case."""
    name, facts = pattern.name, pattern.facts
    end = start + len(name) + len(rest)
    if facts is None:
        return None
    if not rest:
        is_written = not facts.is_code or text[start:end].isupper()
        return NameSpan(start, end, name, facts) if is_written else None
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
            rival.end > end or (rival.end == end and not forms.outdoes(found, rival.facts.senses()))
        ):
            continue
        before = tongue.neighbours.before(text, seen.view, start)
        if found.says_where and before not in PERSON_BEFORE:
            before = span.before = "in"
        if found.is_likely(before):
            for at in range(start, end):
                by_start.pop(at, None)
            by_start[start] = span
    seen.spans[:] = sorted(by_start.values(), key=lambda span: span.start)


_LISTED_NAME = re.compile(r"[A-Z][\w'-]*(?: [A-Z][\w'-]*)?")
_LISTED_NAMES = re.compile(
    rf"(?:{_LISTED_NAME.pattern}(?:, (?:and )?| (?:and|&) ))+{_LISTED_NAME.pattern}\Z"
)
_LONGEST_LIST = 160


def _add_shared(seen: Sightings, word: str, head: str, tongue: Tongue) -> None:
    """Puts counties in place of what is named like them in "Clay, Douglas and Love counties"."""
    view, found, at = seen.view, [], seen.view.find(word)
    while at >= 0:
        listed = _LISTED_NAMES.search(view, max(0, at - _LONGEST_LIST), at)
        for match in _LISTED_NAME.finditer(view, *listed.span()) if listed else ():
            name = match[0] + head
            if facts := tongue.facts[name]:
                found.append(NameSpan(match.start(), match.end(), name, facts))
        at = view.find(word, at + 1)
    _replace_spans(seen, found)


def _add_short_names(seen: Sightings, names: ShortNames) -> None:
    """Puts "Limburg a. d. Lahn" in place of the names in it."""
    found = [NameSpan(start, end, name, facts) for start, end, name, facts in names.find(seen.view)]
    _replace_spans(seen, found)


def _replace_spans(seen: Sightings, found: Sequence[NameSpan]) -> None:
    """Puts spans in place of those that share a letter with them."""
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
    for span in _spans(text, Sightings(raised, [], [], []), search, tongue):
        is_free = not any(taken[span.start : span.end]) and span.name not in tongue.country_names
        if is_free and tongue.may_be_small[span.name]:
            span.case = "lower"
            seen.spans.append(span)
    seen.spans.sort(key=lambda span: span.start)


def spoken_parts(text: str, claimed: str, blocks: Sequence[Block] | None) -> list[SpokenPart]:
    """The parts of a text in their order, which cover all of it; mostly there is only one."""
    language = guess_language(text, claimed)
    borders = [(0, language), *_changes(text, language, blocks or ())]
    ends = [*(start for start, _ in borders[1:]), len(text)]
    parts = zip(borders, ends, strict=True)
    found = [SpokenPart(start, end, own) for (start, own), end in parts if start < end]
    return found or [SpokenPart(0, len(text), language)]


def _changes(text: str, language: str, blocks: Sequence[Block]) -> Iterator[tuple[int, str]]:
    """Where another language begins: with its first long block, or right behind its last one."""
    now, behind = language, 0
    for block in blocks:
        if block.end - block.start < _LONG:
            continue
        found = guess_block(text, language, block.start, min(block.end, block.start + _READ))
        if found != now:
            # Short blocks in between belong to the page.
            if now != language and found != language and behind < block.start:
                yield behind, language
            yield behind if found == language else block.start, found
            now = found
        behind = min(block.end + 1, len(text))
    if now != language and behind < len(text):
        yield behind, language


def may_begin(view: str, start: int) -> bool:
    """Whether a name may begin at this letter, which follows another one."""
    return view[start] >= _LAST_SPACED and _BORDER.match(view, start - 1) is not None


def may_end(view: str, end: int) -> bool:
    """Whether a name may end before this letter."""
    if view[end] <= _LAST_SPACED:
        return False
    return _BORDER.match(view, end - 1) is not None or _PARTICLES.match(view, end) is not None


def is_telling(pattern: NamePattern) -> bool:
    """Whether a name counts that stands inside a run of letters."""
    name, facts = pattern.name, pattern.facts
    if facts is None:
        return False
    script = "han" if "\u3400" <= name[0] <= "\u9fff" else "other"
    if len(name) >= _LONG_ENOUGH[script] or "\uac00" <= name[0] <= "\ud7a3":
        return True
    place = facts.senses().candidates[0].place
    return place.kind in _WIDE or place.population >= _WELL_KNOWN
