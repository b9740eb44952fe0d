"""Makes hits of ranked pages: places, points, the piece of text that shows why, the explanation.

Marks in a snippet are offsets, never HTML: whoever shows them escapes first. Words are looked for
in the text with every letter replaced by its plain form, one for one, so that offsets stay those of
the text. Plain searching, since compiling a regular expression takes longer than the rest of a hit.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import isfinite
from operator import itemgetter

import numpy as np

from geoscout.index.base import ADDRESS, DIRECT, PART, Index, PageHead
from geoscout.index.places import SynsetPlaces
from geoscout.search.base import Explanation, Highlight, Hit, HitPlace, HitPoint, Snippet
from geoscout.search.candidates import Asked
from geoscout.search.grouping import Group
from geoscout.search.query_words import find_kind, is_of_kind, names_of_kind
from geoscout.search.ranking import (
    ADDRESS_SCORE,
    MAIN_SCORE,
    NAMED_SCORE,
    SCOPE_SCORE,
    PlaceScores,
    Scores,
    Slots,
)
from geoscout.search.target import TOWN_OF_STREET
from geoscout_places.caches import BoundedCache
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold_street
from geoscout_places.model import Place, Point, Precision
from geoscout_places.urls import host_of

LENGTH = 240  # characters: three lines of a list of hits
_BEFORE = 40  # characters before the first mark
_SCANNED = 20_000  # characters of a page that are looked at
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_MOST_REPLACED = 40  # different letters
_NAMES_REMEMBERED = 5000  # words and names, in plain letters
_WORD, _PLACE = "word", "place"  # what a mark shows
_Mark = tuple[int, int, str]  # from, minus to (so that the longer of two comes first), what it is
_BOTH_KINDS = 2.0  # what a window with words and places has over one of either


def make_snippet(
    text: str,
    words: Sequence[str],
    places: Sequence[str],
    addresses: Sequence[tuple[int, int]] = (),
) -> Snippet:
    """The best piece of the text; `words` are folded, `places` names as they are written."""
    scanned = text[:_SCANNED]
    plain = plain_letters(scanned)
    marks: list[_Mark] = [(start, -end, _PLACE) for start, end in addresses if end <= len(scanned)]
    _find(plain, words, _WORD, marks)
    _find(plain, places, _PLACE, marks)
    chosen = _without_overlaps(marks)
    start, end = _widen(scanned, _best_start(chosen))
    inside = [mark for mark in chosen if start <= mark[0] and -mark[1] <= end]
    # A line break is a block's end; one character for one keeps the offsets.
    cut = scanned[start:end].replace("\n", " ")
    return Snippet(cut, tuple(Highlight(a - start, -b - start, kind) for a, b, kind in inside))


def _find(plain: str, names: Sequence[str], kind: str, marks: list[_Mark]) -> None:
    """Mark every place where one of the names stands as a whole word."""
    for name in dict.fromkeys(_NAMES[name] for name in names):
        start = plain.find(name) if name else -1
        while start >= 0:
            end = start + len(name)
            if not (plain[max(start - 1, 0) : start].isalnum() or plain[end : end + 1].isalnum()):
                marks.append((start, -end, kind))
            start = plain.find(name, end)


def plain_letters(text: str) -> str:
    """The text in small letters without accents, of the same length.

    >>> plain_letters("Café ÉVORA, İzmir")
    'cafe evora, izmir'
    """
    if text.isascii():
        return text.lower()
    others = set(_NOT_ASCII.findall(text))
    if len(others) > _MOST_REPLACED:
        return text.translate(_PLAIN)
    # Most texts have a few such letters, and replacing them one by one takes a third of the time.
    for other in others:
        text = text.replace(other, _PLAIN[ord(other)])
    return text.lower()


class _PlainLetters(dict[int, str]):
    """The plain form of each character, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        plain = unicodedata.normalize("NFKD", chr(code)).lower()[:1] or chr(code)
        self[code] = plain
        return plain


_PLAIN = _PlainLetters()
_NAMES = BoundedCache(plain_letters, _NAMES_REMEMBERED)


def _without_overlaps(marks: list[_Mark]) -> list[_Mark]:
    """The marks in order; of overlapping ones the first, of those that begin together the longest.

    A place wins over a word of the same length, since the word is then a part of its name.
    """
    kept: list[_Mark] = []
    free = 0  # where the last one ends
    for mark in sorted(marks):
        if mark[0] >= free:
            kept.append(mark)
            free = -mark[1]
    return kept


def _best_start(marks: Sequence[_Mark]) -> int:
    """Where the window with the most marks begins; different words and kinds count, not repeats."""
    starts = [start for start, _, _ in marks]
    places = [0, *accumulate(kind == _PLACE for _, _, kind in marks)]
    best, best_value = 0, 0.0
    for first, start in enumerate(starts):
        last = bisect_right(starts, start + LENGTH - _BEFORE)
        count = last - first
        has_both = 0 < places[last] - places[first] < count
        value = min(count, 6) + (_BOTH_KINDS if has_both else 0.0)
        if value > best_value:
            best, best_value = start, value
    return best


def _widen(text: str, first: int) -> tuple[int, int]:
    """The window around a first mark, from word to word."""
    start = max(0, first - _BEFORE)
    if start:
        space = text.find(" ", start, first)
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + LENGTH)
    if end < len(text):
        space = text.rfind(" ", max(first + 1, end - _BEFORE), end)
        end = space if space >= 0 else end
    return start, end


MOST_PLACES, MOST_POINTS = 3, 5  # of a hit
_PRECISIONS = tuple(Precision)
_PLACES_REMEMBERED = 20_000
_EXACT_KM = 0.5  # a distance that may be wrong by more is not given with decimals


@dataclass(frozen=True, slots=True)
class RankedPages:
    """The pages that fit, the best first."""

    slots: Slots
    scores: Scores
    texts: Scores  # 0 to 1
    text_scores: Scores  # as the model gave them
    places: PlaceScores | None  # None where no place is asked for
    weight: float  # of the place
    fitness: Scores  # what language, lists and own sites leave; 0 to 1


class PlaceLabels(BoundedCache[int, tuple[Place, str] | None]):
    """Places with their names in full, by id; None for an id that the gazetteer does not have."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        def find(id: int) -> tuple[Place, str] | None:
            place = gazetteer.place(id)
            return (place, gazetteer.label(place)) if place else None

        super().__init__(find, _PLACES_REMEMBERED)


class HitMaker:
    """Makes the hits of one answer."""

    def __init__(
        self,
        reader: Index,
        synsets: SynsetPlaces,
        labels: PlaceLabels,
        asked: Asked,
    ) -> None:
        self._reader = reader
        self._synsets = synsets
        self._labels = labels
        self._gazetteer = synsets.gazetteer
        self._interpretation = asked.interpretation
        self._forms = [form for word in asked.words for form in word]

    def make(self, pages: RankedPages, groups: Sequence[Group], *, explain: bool) -> Iterator[Hit]:
        """The hits of some groups."""
        slots = pages.slots[np.array([group.position for group in groups], np.int64)]
        heads, texts = self._reader.heads(slots), self._reader.texts(slots)
        places, points = self._places(slots), self._points(slots)
        for number, group in enumerate(groups):
            head, position = heads[number], group.position
            yield Hit(
                url=head.url,
                title=head.title or head.url,
                score=float(pages.scores[position]),
                snippet=self._snippet(texts[number], places[number], head),
                places=tuple(places[number]),
                points=tuple(points[number]),
                language=head.language,
                fetched_at=head.fetched_at,
                visit=head.visit,
                relevant=head.relevant,
                dated_at=head.dated_at,
                host=host_of(head.url),
                similar=tuple(self._url(pages, other) for other in group.similar),
                more_of_host=group.more_of_host,
                explanation=self._explain(pages, position) if explain else None,
            )

    def _snippet(self, text: str, places: Sequence[HitPlace], head: PageHead) -> Snippet:
        names = [place.place.name for place in places]
        if self._interpretation.place is not None:
            names = list(dict.fromkeys((self._interpretation.place.name, *names)))
        addresses = list(head.addresses)
        if street := fold_street(self._interpretation.street):
            named = [a for a in addresses if street in fold_street(text[slice(*a)])]
            if named:  # the page may have hundreds of others before it
                before = max(named[0][0] - LENGTH, 0)
                text = text[before:]
                addresses = [(start - before, end - before) for start, end in named]
        return make_snippet(text, self._forms, names, addresses)

    def _url(self, pages: RankedPages, position: int) -> str:
        return self._reader.head(int(pages.slots[position])).url

    def _places(self, slots: Slots) -> list[list[HitPlace]]:
        """The places each page names itself: the main one, those with an address, then by share.

        Of ten pages in lists: numpy would take twice as long for so few.
        """
        rows, main = self._reader.places_of(slots), self._reader.main_places(slots).tolist()
        columns = (rows.owners, rows.places, rows.shares, rows.flags, rows.synsets)
        parts = zip(*(part.tolist() for part in columns), strict=True)
        direct = [row for row in parts if row[3] & DIRECT]
        direct.sort(key=lambda row: (row[1] != main[row[0]], not row[3] & ADDRESS, -row[2]))
        found: list[list[HitPlace]] = [[] for _ in main]
        for owner, id, share, flags, offset in direct:
            if len(found[owner]) < MOST_PLACES and (known := self._labels[id]):
                synset = f"{offset:08d}-n" if offset else ""
                place, label = known
                has_address = bool(flags & ADDRESS)
                found[owner].append(HitPlace(place, label, share, has_address, synset))
        return found

    def _points(self, slots: Slots) -> list[list[HitPoint]]:
        spots = self._reader.spots_of(slots)
        found: list[list[HitPoint]] = [[] for _ in range(len(slots))]
        columns = (
            spots.strengths, spots.owners, spots.latitudes, spots.longitudes, spots.precisions,
            spots.reaches_km,
        )  # fmt: skip
        rows = list(zip(*(part.tolist() for part in columns), strict=True))
        rows.sort(key=itemgetter(0), reverse=True)  # those that are equal stay in their order
        for _, owner, latitude, longitude, precision, reach_km in rows:
            if len(found[owner]) < MOST_POINTS:
                point = Point(round(latitude, 5), round(longitude, 5))
                found[owner].append(HitPoint(point, _PRECISIONS[precision], round(reach_km, 2)))
        return found

    def _explain(self, pages: RankedPages, position: int) -> Explanation:
        text, text_score = float(pages.texts[position]), float(pages.text_scores[position])
        fit = float(pages.fitness[position])
        slot = int(pages.slots[position])
        kind = self._kind_of(slot) if self._interpretation.kind else ""
        if pages.places is None:
            reason = "no place is asked for"
            return Explanation(
                text, text_score, 1.0, 0.0, reason,
                distance_km=None, reach_km=None, kind=kind, fit=fit,
            )  # fmt: skip
        distance = float(pages.places.distances_km[position])
        measured = distance if isfinite(distance) else None
        place, inside = float(pages.places.scores[position]), float(pages.places.inside[position])
        reach = round(float(pages.places.reaches_km[position]), 2) if measured is not None else None
        reason = self._reason(place, inside, distance_text(measured, reach))
        if inside and (part := self._part_of(slot)):
            reason = f"{reason.removesuffix(self._interpretation.label)}{part}"
        return Explanation(
            text, text_score, place, pages.weight, reason,
            distance_km=measured, reach_km=reach, kind=kind, fit=fit,
        )  # fmt: skip

    def _part_of(self, slot: int) -> str:
        """The place of a page by which it is in the place asked for, if that is by GeoWordNet."""
        asked = self._interpretation.place
        rows = self._reader.places_of(np.array([slot]))
        flags = rows.flags[rows.places == asked.id] if asked else np.zeros(0, np.int64)
        if asked is None or not flags.size or not flags[0] & PART or flags[0] & DIRECT:
            return ""
        for id in self._own_places(slot):
            if self._synsets.is_part(id, asked.id) and (place := self._gazetteer.place(id)):
                return f"{place.name}, part of {self._interpretation.label} (GeoWordNet)"
        return ""

    def _kind_of(self, slot: int) -> str:
        """The place a page is about that is of the kind asked for."""
        kind, asked = find_kind(self._interpretation.words), self._interpretation.place
        if kind is None:
            return ""
        for id in self._own_places(slot):
            if is_of_kind(id, kind) and (place := self._gazetteer.place(id)):
                return f"{place.name}, {kind.name}"
        words = self._reader.word_counts(slot).keys()
        names = names_of_kind(kind, asked.id) if asked else []
        named = (name for name in names if words >= {*self._reader.words_of(name)})
        return next((f"{name}, {kind.name}" for name in named), "")

    def _own_places(self, slot: int) -> list[int]:
        """The ids of the places a page itself names, the main one first, then by share."""
        slots = np.array([slot])
        rows = self._reader.places_of(slots)
        rows = rows.taken(rows.flags & DIRECT > 0)
        is_other = rows.places != self._reader.main_places(slots)[0]
        ids: list[int] = rows.taken(np.lexsort((-rows.shares, is_other))).places.tolist()
        return ids

    def _reason(self, place: float, inside: float, distance: str) -> str:
        name, weight = self._interpretation.label, 1.0
        if self._interpretation.is_at_street:
            weight = TOWN_OF_STREET
        is_named = inside == 0 and place == NAMED_SCORE  # what a page with the name has at least
        if place > inside * weight and distance and not is_named:
            return f"{distance} from {name}"
        if inside == 0:
            is_rough = place > NAMED_SCORE
            return (
                f"its town or postal code is near {name}"
                if is_rough
                else f"has the name of {name} among its words"
            )
        if weight < 1 and self._interpretation.place:
            name = self._gazetteer.label(self._interpretation.place)
        if inside >= ADDRESS_SCORE[0]:
            return f"has an address in {name}"
        if inside >= MAIN_SCORE[0]:
            return f"is mainly about {name}"
        return f"is partly about {name}" if inside >= SCOPE_SCORE[0] else f"mentions {name}"


def distance_text(distance_km: float | None, reach_km: float | None) -> str:
    """A distance as exact as it is known; "" for none."""
    if distance_km is None or reach_km is None:
        return ""
    if reach_km <= _EXACT_KM:
        return f"{distance_km:.1f} km"
    if distance_km <= reach_km:
        return f"within about {max(1, round(distance_km + reach_km))} km"
    return f"about {round(distance_km)} km"
