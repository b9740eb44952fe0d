"""Names that no gazetteer has, placed by the places they stand next to.

"Copacabana Palace", "Mainz Hbf", "the S8": within the distances that matter to a page they are
where the nearest place of the text is. Which heads are worth placing was counted, see
docs/why/toponyms.md. A river or an island is not; there the name is given without a place, so that
"Mississippi River" is not read as the state.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from operator import attrgetter
from typing import NamedTuple

from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.mentions.knowledge import NameKnowledge
from geoscout_places.geo.mentions.recognise import Sightings, SpokenPart
from geoscout_places.language import load_language, merge
from geoscout_places.model import FIRST_LOCAL_ID, Kind, Mention, MentionKind, Place
from geoscout_places.toponyms import NOT_NOUN, UNKNOWN, lower_case, sight

_BASE_KINDS = {Kind.CITY, Kind.NEIGHBOURHOOD, Kind.DISTRICT, Kind.LANDMARK}
_LINE_COUNTRIES = {"DE", "AT", "CH"}
_TOWNS = {"plain-big", "plain-middle", "rare-big"}
_WELL_KNOWN = {"plain-big", "rare-big", "last-big"}
_MOST_WORDS = 4
_REACH = 60
_FUNCTION_WORD = 9
_CONFIDENCE = 0.8  # measured: benchmarks/confidence.py
_IDS_REMEMBERED = 20_000
_HANDLE = re.compile(r"[@#]\w*")
_HUMP = re.compile(r"[A-ZÄÖÜ][a-zäöüß]{3,}")
_MOST_LETTERS = 21  # of a street's name before its ending
_STREET_STEM = re.compile(r"\b[A-ZÄÖÜ][a-zäöüß]{2,20}\Z")
_WORDS_BEFORE = re.compile(r"(?:[A-Z][\w®]*(?: of(?: the)?| de)? )+\Z")


class _LocalWords(NamedTuple):
    """Words of local names in all languages."""

    unplaced: frozenset[str]
    directions: frozenset[str]
    direction_ends: frozenset[str]  # their last letters
    street_endings: tuple[str, ...]
    not_street: re.Pattern[str]


@cache
def _local_words() -> _LocalWords:
    endings = merge(lambda language: language.names.street_endings)
    others = "|".join(merge(lambda language: language.names.not_streets))
    directions = frozenset(merge(lambda language: language.names.directions))
    return _LocalWords(
        frozenset(merge(lambda language: language.names.unplaced_heads)),
        directions,
        frozenset(word[-1] for word in directions),
        endings,
        re.compile(f"(?:{others})"),
    )


def add_local(
    text: str, seen: Sightings, mentions: list[Mention], knowledge: NameKnowledge
) -> list[Mention]:
    """The mentions with local names among them; one that is part of a local name makes room."""
    found = list(_directed(text, seen, mentions))
    bases = [
        m
        for m in mentions
        if m.place and m.place.kind in _BASE_KINDS and m.kind is MentionKind.PLACE
    ]
    if seen.heads:
        found += _headed(text, seen, _Ground(mentions, bases), knowledge)
    if seen.lines and not bases:
        bases = _handles(text, seen, knowledge)
    if any(m.place and m.place.country in _LINE_COUNTRIES for m in bases):
        found += _german(text, seen, _Ground(mentions, bases))
    if not found:
        return mentions
    covered = sorted((m.start, m.end) for m in found)
    starts = [start for start, _ in covered]
    before = [bisect_right(starts, m.start) for m in mentions]
    kept = [m for m, n in zip(mentions, before, strict=True) if not n or m.end > covered[n - 1][1]]
    return sorted([*kept, *found], key=attrgetter("start"))


class _Ground:
    """The mentions of a text and those that can place a name, for finding by position."""

    def __init__(self, mentions: Sequence[Mention], bases: Sequence[Mention]) -> None:
        self.spans = {(m.start, m.end) for m in mentions}
        self.bases = bases
        self._starts = [m.start for m in bases]

    def nearest(self, start: int) -> Place | None:
        """The place named nearest to a position."""
        after = bisect_left(self._starts, start)
        near = self.bases[max(0, after - 1) : after + 1]
        closest = min(near, key=lambda m: abs(m.start - start), default=None)
        return closest.place if closest else None


_CAPITAL = "A-ZÀ-ÖØ-ÞĀ-ŽȘȚ"
_CALLED = rf"(?P<name>[{_CAPITAL}][\w’'-]{{2,30}}(?: [{_CAPITAL}][^\W\d_]{{2,30}})?)(?![^\W_])"
_CALLED_REACH = 64  # characters of a link and a name
_NO_VILLAGE = ("ung", "heit", "keit", "schaft", "tion", "tät")  # ends of German nouns only
_COMMON_USE = 3.5  # count from which a word is no name of a village


def add_called(
    text: str, parts: Sequence[SpokenPart], mentions: list[Mention], knowledge: NameKnowledge
) -> list[Mention]:
    """The mentions with names that a word says to be places: "Gemeinde Hinterau in Bayern".

    No table has them; they are where the nearest place of the text is.
    """
    found = []
    for start, end, language in parts:
        words = _called_words(language) if language else None
        for at, name_end in words.find(text, start, end) if words else ():
            if not _is_common(text[at:name_end], language, knowledge):
                found.append((at, name_end))
    if not found:
        return mentions
    taken = sorted((m.start, m.end) for m in mentions)
    ends = [end for _, end in taken]
    bases = [m for m in mentions if m.place and m.kind is MentionKind.PLACE]
    ground = _Ground(mentions, bases)
    added = []
    for at, end in dict.fromkeys(found):
        after = bisect_right(ends, at)
        if after == len(taken) or taken[after][0] >= end:
            added.append(_local(text, at, end, ground.nearest(at)))
    return sorted([*mentions, *added], key=attrgetter("start")) if added else mentions


def _is_common(name: str, language: str, knowledge: NameKnowledge) -> bool:
    """Whether the first word is one of every day, and no name."""
    word = sight(name.split(" ", maxsplit=1)[0]).lower()
    if load_language(language).capital_nouns and (
        name.endswith(_NO_VILLAGE) or knowledge.counts.noun(word) != NOT_NOUN
    ):
        return True
    return (knowledge.counts.use(word, language) or 0.0) >= _COMMON_USE


class _CalledWords(NamedTuple):
    """Words of a language beside names that only places have."""

    before: frozenset[str]  # in lower case
    behind: frozenset[str]
    probes: tuple[str, ...]  # what is looked for: few ends of these words, since texts are long
    name: re.Pattern[str]  # behind such a word
    ending: re.Pattern[str]  # before one

    def find(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Where such names stand in a part of a text."""
        for probe in self.probes:
            at = text.find(probe, start, end)
            while at >= 0:
                first, last = _word_around(text, at, at + len(probe))
                word = lower_case(text[first:last])
                match = None
                if word in self.before:
                    match = self.name.match(text, last, min(end, last + _CALLED_REACH))
                elif word in self.behind and text[first - 1 : first] == " ":
                    match = self.ending.search(text, max(start, first - _CALLED_REACH), first - 1)
                if match:
                    yield match.span("name")
                at = text.find(probe, max(last, at + 1), end)


_LONGEST_WORD = 20


def _word_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the word begins and ends that has this part; longer ones are cut."""
    least, most = max(0, start - _LONGEST_WORD), min(len(text), end + _LONGEST_WORD)
    while start > least and (text[start - 1].isalnum() or text[start - 1] == "-"):
        start -= 1
    while end < most and text[end].isalnum():
        end += 1
    return start, end


@cache
def _called_words(language: str) -> _CalledWords | None:
    names = load_language(language).names
    if not names.called and not names.called_behind:
        return None
    links = "|".join(
        re.escape(link) if link.endswith("'") else rf"{re.escape(link)} "
        for link in sorted(names.leading_links, key=len, reverse=True)
    )
    # A second word with a capital may be anything where all nouns have one.
    one_word = _CALLED.replace(f"(?: [{_CAPITAL}][^\\W\\d_]{{2,30}})?", "")
    name = one_word if load_language(language).capital_nouns else _CALLED
    tails = sorted({word[1:] for word in (*names.called, *names.called_behind)}, key=len)
    probes = [tail for n, tail in enumerate(tails) if not any(one in tail for one in tails[:n])]
    return _CalledWords(
        frozenset(names.called),
        frozenset(names.called_behind),
        tuple(probes),
        re.compile(rf" (?:{links})?{name}" if links else f" {name}"),
        re.compile(rf"(?<![\w’'-]){_CALLED}\Z"),
    )


def _headed(
    text: str, seen: Sightings, ground: _Ground, knowledge: NameKnowledge
) -> Iterator[Mention]:
    """Names that end in a word such as "Palace"."""
    head_starts = {start for start, _ in seen.heads}
    for head_start, end in seen.heads:
        if end + 1 in head_starts and seen.view[end] == " ":
            continue  # the longer name comes with the next head
        match = _WORDS_BEFORE.search(seen.view, max(0, head_start - _REACH), head_start)
        if match is None:
            continue
        words = match[0].split()[-_MOST_WORDS:]
        while words and knowledge.words.get(words[0].lower(), UNKNOWN).uses == _FUNCTION_WORD:
            words.pop(0)
        start = head_start - len(" ".join(words)) - 1
        if words and (start, end) not in ground.spans:
            placed = seen.view[head_start:end] not in _local_words().unplaced
            place = _own_place(words, knowledge) or ground.nearest(start)
            yield _local(text, start, end, place if placed else None)


def _own_place(words: Sequence[str], knowledge: NameKnowledge) -> Place | None:
    """The town a local name begins with ("Mainz Hbf"); None when it has none to speak of."""
    facts = knowledge.tongue("").facts[" ".join(words)] or knowledge.tongue("").facts[words[0]]
    if facts is None or facts.is_demonym or facts.sort not in _TOWNS:
        return None
    place = facts.senses().candidates[0].place
    return place if place.kind in _BASE_KINDS else None


def _directed(text: str, seen: Sightings, mentions: Sequence[Mention]) -> Iterator[Mention]:
    """Parts of places ("North Dallas", "West Africa"); of a wide one it is not known where."""
    view, directions, ends = seen.view, _local_words().directions, _local_words().direction_ends
    for mention in mentions:
        start = mention.start
        if view[start - 1 : start] != " " or view[start - 2 : start - 1] not in ends:
            continue
        if mention.kind is not MentionKind.PLACE:
            continue
        before = view[max(0, start - len("Northeastern ")) : start - 1]
        direction = before[before.rfind(" ") + 1 :]
        if direction in directions:
            is_narrow = mention.place is not None and mention.place.kind in _BASE_KINDS
            start -= len(direction) + 1
            yield _local(text, start, mention.end, mention.place if is_narrow else None)


def _german(text: str, seen: Sightings, ground: _Ground) -> Iterator[Mention]:
    """Railway lines, roads and streets, where the text is about a country that names them so."""
    spans, words = list(seen.lines), _local_words()
    if ground.bases:
        streets = sorted(_streets(text, words.street_endings))
        spans += [(start, end) for start, end in streets if not words.not_street.match(text, start)]
    for start, end in spans:
        place = ground.nearest(start)
        if (
            place is not None
            and place.country in _LINE_COUNTRIES
            and (start, end) not in ground.spans
        ):
            yield _local(text, start, end, place)


def _streets(text: str, endings: Sequence[str]) -> set[tuple[int, int]]:
    """Words that begin with a capital and end like streets: the rare endings are looked for."""
    found: set[tuple[int, int]] = set()
    for ending in endings:
        at = text.find(ending)
        while at >= 0:
            end = at + len(ending)
            after = text[end : end + 1]
            if not (after.isalnum() or after == "_") and (
                stem := _STREET_STEM.search(text, max(0, at - _MOST_LETTERS), at)
            ):
                found.add((stem.start(), end))
            at = text.find(ending, at + 1)
    return found


def _handles(text: str, seen: Sightings, knowledge: NameKnowledge) -> list[Mention]:
    """Well-known places in the names of accounts and tags: @SBahnBerlin."""
    found = []
    for handle in _HANDLE.finditer(text):
        for hump in _HUMP.finditer(text, *handle.span()):
            facts = knowledge.tongue("").facts[seen.view[hump.start() : hump.end()]]
            if facts is not None and facts.sort in _WELL_KNOWN:
                place = facts.senses().candidates[0].place
                start, end = hump.span()
                found.append(
                    Mention(start, end, hump[0], MentionKind.PLACE, place, confidence=_CONFIDENCE)
                )
    return found


def _local(text: str, start: int, end: int, base: Place | None) -> Mention:
    name = text[start:end]
    place = base and Place(
        id=_local_id(name, base),
        name=name,
        kind=Kind.LANDMARK,
        point=base.point,
        country=base.country,
        population=0,
        timezone=base.timezone,
        parent=base.id,
    )
    return Mention(start, end, name, MentionKind.LOCAL, place, confidence=_CONFIDENCE)


@lru_cache(_IDS_REMEMBERED)
def _local_id(name: str, base: Place) -> int:
    """The id of a name near a place: always the same, and none that another place has."""
    digest = blake2b(f"{base.id} {fold(name)}".encode(), digest_size=8).digest()
    return FIRST_LOCAL_ID - int.from_bytes(digest, "big") % -FIRST_LOCAL_ID
