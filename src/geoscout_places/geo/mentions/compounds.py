"""Names made of several: a town with its part ("München-Pasing"), a feature with its kind.

A part behind a hyphen is a name of its own, or a word such as "Süd". In the Romance languages the
kind of a feature comes first: "lago di Garda", "río Bermejo" are not the towns of these names.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.geo.mentions.recognise import NameSpan, SpokenPart
from geoscout_places.language import load_language, merge
from geoscout_places.model import Kind, Mention, MentionKind
from geoscout_places.toponyms import lower_case

_PART_KM = 40.0  # of a town
_NAME = re.compile(r"[\w'’-]+")
_PART_KINDS = frozenset((Kind.CITY, Kind.NEIGHBOURHOOD, Kind.DISTRICT, Kind.LANDMARK))


def join_compounds(
    text: str, mentions: Sequence[Mention], spans: Sequence[NameSpan], parts: Sequence[SpokenPart]
) -> list[Mention]:
    """The mentions, with those that are parts of one name joined.

    `spans` are all names that were seen: a town may be believed only because of its part. `parts`
    are those of the text, each with its language.
    """
    towns = {span.end: span for span in spans if text[span.end : span.end + 1] == "-"}
    if towns:
        mentions = [_with_town(text, mention, towns) for mention in mentions]
    joined = list(_with_parts(text, mentions) if _may_join(text, mentions) else mentions)
    headed = [
        match
        for part in parts
        if part.language and (heads := _heads(part.language))
        for match in heads.find(text, part, joined)
    ]
    return _with_heads(text, joined, headed) if headed else joined


def _may_join(text: str, mentions: Sequence[Mention]) -> bool:
    """Whether a mention has a hyphen behind it, or another one inside: mostly none has."""
    end = 0
    for mention in mentions:
        if mention.start < end or text[mention.end : mention.end + 1] == "-":
            return True
        end = mention.end
    return False


def _with_parts(text: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
    held: Mention | None = None
    for mention in sorted(mentions, key=lambda mention: (mention.start, -mention.end)):
        if held and mention.start < held.end:
            continue  # the town of a part that has it already
        if held and _is_part(text, held, mention):
            held = _spanning(text, mention, held.start, mention.end)
            continue
        if held:
            yield held
        held = _with_word(text, mention)
    if held:
        yield held


def _is_part(text: str, town: Mention, part: Mention) -> bool:
    """Whether the second name is behind a hyphen and near: "Hannover-Kassel" is a line."""
    if text[town.end : part.start] != "-" or not town.place or not part.place:
        return False
    kinds = {town.place.kind, part.place.kind}
    return kinds <= _PART_KINDS and distance_km(town.place.point, part.place.point) < _PART_KM


def _with_town(text: str, part: Mention, towns: Mapping[int, NameSpan]) -> Mention:
    """The mention of a part with the town before its hyphen."""
    town = towns.get(part.start - 1)
    if town is None or not part.place or part.place.kind not in _PART_KINDS:
        return part
    place = town.facts.senses().candidates[0].place
    if place.kind not in _PART_KINDS or distance_km(place.point, part.place.point) >= _PART_KM:
        return part
    return _spanning(text, part, town.start, part.end)


def _with_word(text: str, mention: Mention) -> Mention:
    """The mention with a word for a part of a town behind its hyphen."""
    if text[mention.end : mention.end + 1] != "-" or mention.kind is not MentionKind.PLACE:
        return mention
    match = _parts().match(text, mention.end)
    if match is None or not mention.place or mention.place.kind not in _PART_KINDS:
        return mention
    return _spanning(text, mention, mention.start, match.end())


def _with_heads(
    text: str, mentions: Sequence[Mention], headed: Sequence[re.Match[str]]
) -> list[Mention]:
    """Features with their heads; a name inside tells where they are, and makes room."""
    starts = [mention.start for mention in mentions]
    found: list[Mention] = []
    covered: set[int] = set()
    for match in headed:
        first = bisect_left(starts, match.start("name"))
        inside = range(first, bisect_left(starts, match.end()))
        if inside and mentions[inside[-1]].end >= match.start("name"):
            end = max(match.end() if len(inside) > 1 else 0, mentions[inside[0]].end)
            found.append(_spanning(text, mentions[inside[0]], match.start(), end))
            covered.update(n for n in inside if mentions[n].end <= end)
    kept = [mention for n, mention in enumerate(mentions) if n not in covered]
    return sorted([*kept, *found], key=attrgetter("start")) if found else list(mentions)


def _spanning(text: str, mention: Mention, start: int, end: int) -> Mention:
    return Mention(
        start,
        end,
        text[start:end],
        mention.kind,
        mention.place,
        confidence=mention.confidence,
        sureness=mention.sureness,
        of_site=mention.of_site,
    )


@cache
def _parts() -> re.Pattern[str]:
    words = "|".join(merge(lambda language: language.names.parts))
    return re.compile(rf"-(?:{words})\b")


class _Heads(NamedTuple):
    """The heads of a language that come first."""

    words: frozenset[str]  # in lower case
    feature: re.Pattern[str]  # a head with the name behind it
    reach: int  # characters of the longest head and of the longest link behind it
    most: int  # words of these

    def find(
        self, text: str, part: SpokenPart, mentions: Sequence[Mention]
    ) -> Iterator[re.Match[str]]:
        """The features of a part that have a mention in their names, in order."""
        done = part.start
        for mention, name in _run_starts(text, part, mentions):
            for at in self._heads_before(text, name, done):
                match = self.feature.match(text, at, part.end)
                if (
                    match
                    and mention.start < match.end()
                    and not self._is_name(text, at, part, done)
                ):
                    done = match.end()
                    yield match
                    break

    def _is_name(self, text: str, position: int, part: SpokenPart, done: int) -> bool:
        """Whether a head is the name of another one: "Rio" in "lago di Rio Negro".

        The other one may be the name of a third; then it has no name of its own.
        """
        is_name, next_one = False, self._head_of(text, position, part, done)
        while next_one >= 0:
            is_name, next_one = not is_name, self._head_of(text, next_one, part, done)
        return is_name

    def _head_of(self, text: str, position: int, part: SpokenPart, done: int) -> int:
        """Where a head stands whose name begins at a position; -1 for none."""
        for at in self._heads_before(text, position, done):
            match = self.feature.match(text, at, part.end)
            if match and match.end() > position:
                return at
        return -1

    def _heads_before(self, text: str, position: int, least: int) -> list[int]:
        """Where heads stand that may belong to a name, of which the first letter is given."""
        if not text[max(0, position - 1) : position].isspace():
            return []
        first = max(least, position - self.reach)
        words = list(_NAME.finditer(lower_case(text[first:position])))[-self.most :]
        return [first + word.start() for word in words if word[0] in self.words]


def _run_starts(
    text: str, part: SpokenPart, mentions: Sequence[Mention]
) -> Iterator[tuple[Mention, int]]:
    """The mentions of a part, each with the beginning of the run of letters that it stands in."""
    last = run = part.start
    for mention in mentions:
        if part.start <= mention.start < part.end:
            at = mention.start
            while at > last and _is_of_name(text[at - 1]):
                at -= 1
            run = run if at == last else at
            last = mention.start
            yield mention, run


def _is_of_name(letter: str) -> bool:
    return letter.isalnum() or letter in "_'’-"


@cache
def _heads(language: str) -> _Heads | None:
    names = load_language(language).names
    if not names.leading_heads:
        return None
    heads = "|".join(names.leading_heads)
    longest_link = max(names.leading_links, key=len, default="")
    most_words = max([link.count(" ") + 1 for link in names.leading_links], default=0)
    links = "|".join(sorted((_link(link) for link in names.leading_links), key=len, reverse=True))
    return _Heads(
        frozenset(map(str.lower, names.leading_heads)),
        re.compile(rf"(?<![\w'’-])(?i:{heads})\s(?:{links})?(?P<name>[A-ZÀ-Ý][\w'’-]*)"),
        max(map(len, names.leading_heads)) + len(longest_link) + 2,
        1 + most_words,
    )


def _link(link: str) -> str:
    """A word that a blank follows, or an apostrophe."""
    return link.replace("'", "['’]") if link.endswith("'") else rf"{link}\s"
