"""Makes hits of ranked pages: their places, points, snippet and, on request, the explanation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from operator import itemgetter

import numpy as np
from msgspec import Struct

from geoscout.index.base import ADDRESS, DIRECT, PART, Index, PageHead
from geoscout.index.synsets import SynsetPlaces
from geoscout.search.asked import Asked
from geoscout.search.base import Explanation, Hit, HitPlace, HitPoint
from geoscout.search.grouping import Group
from geoscout.search.kinds import find_kind, is_of_kind, names_of_kind
from geoscout.search.ranking import (
    ADDRESS_SCORE,
    MAIN_SCORE,
    NAMED_SCORE,
    SCOPE_SCORE,
    PlaceScores,
    Scores,
    Slots,
)
from geoscout.search.snippets import make_snippet
from geoscout.search.target import TOWN_OF_STREET
from geoscout_places.caches import BoundedCache
from geoscout_places.gazetteer.areas.region_areas import label
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Place, Point, Precision
from geoscout_places.urls import host_of

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


class _Parts(Struct, frozen=True, gc=False):
    """What a hit has besides what the index keeps of its page."""

    score: float
    places: tuple[HitPlace, ...]
    points: tuple[HitPoint, ...]
    similar: tuple[str, ...]
    more_of_host: int
    explanation: Explanation | None


class PlaceLabels(BoundedCache[int, tuple[Place, str] | None]):
    """Places with their names in full, by id; None for an id that the gazetteer does not have."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        def find(id: int) -> tuple[Place, str] | None:
            place = gazetteer.place(id)
            return (place, label(place, gazetteer)) if place else None

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
        positions = np.array([group.position for group in groups], np.int64)
        slots = pages.slots[positions]
        places = self._places(slots)
        points = self._points(slots)
        heads, texts = self._reader.heads(slots), self._reader.texts(slots)
        for number, group in enumerate(groups):
            position = group.position
            explanation = self._explain(pages, position) if explain else None
            similar = tuple(self._url(pages, other) for other in group.similar)
            yield self._hit(
                heads[number],
                texts[number],
                _Parts(
                    float(pages.scores[position]), tuple(places[number]), tuple(points[number]),
                    similar, group.more_of_host, explanation=explanation,
                ),
            )  # fmt: skip

    def _hit(self, head: PageHead, text: str, parts: _Parts) -> Hit:
        names = [place.place.name for place in parts.places]
        if self._interpretation.place is not None:
            names = list(dict.fromkeys((self._interpretation.place.name, *names)))
        return Hit(
            url=head.url,
            title=head.title or head.url,
            score=parts.score,
            snippet=make_snippet(text, self._forms, names, head.addresses),
            places=parts.places,
            points=parts.points,
            language=head.language,
            fetched_at=head.fetched_at,
            visit=head.visit,
            relevant=head.relevant,
            dated_at=head.dated_at,
            host=host_of(head.url),
            similar=parts.similar,
            more_of_host=parts.more_of_host,
            explanation=parts.explanation,
        )

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
                text, text_score, 1.0, 0.0, reason, distance_km=None, kind=kind, fit=fit
            )
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
        if place > max(inside * weight, NAMED_SCORE) and distance:
            return f"{distance} from {name}"
        if inside == 0:
            is_rough = place > NAMED_SCORE
            return (
                f"its town or postal code is near {name}"
                if is_rough
                else f"has the name of {name} among its words"
            )
        if weight < 1 and self._interpretation.place:
            name = label(self._interpretation.place, self._gazetteer)
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
