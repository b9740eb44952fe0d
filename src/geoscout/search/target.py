"""What a question is limited to: the area it is about, one that is drawn, and what pages are like.

Distance is measured from the edge of the place, which is taken as a circle that fits its kind and
population. The scale of the decay is the size of the place itself: ten kilometres from a village
is elsewhere, ten kilometres from a large city is its outskirts.

An area or a filter may come from a web request, so neither is ever read from a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from urllib.parse import urlsplit

from geoscout.index.base import Evidence, PageFilters, PlaceField, Where
from geoscout.index.schema import cover
from geoscout.search.base import Interpretation, Question, Relation
from geoscout_places.errors import UnknownPlaceError, UsageError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.region_areas import DrawnArea, NamedArea, estimate_radius_km
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Kind, Point, Precision

_SMALL = frozenset({Kind.LANDMARK, Kind.NEIGHBOURHOOD})
_LEAST_SCALE_KM, _MOST_SCALE_KM = 3.0, 150.0
_POINT_SCALE_KM = 5.0  # round a bare point
_POSTCODE_RADIUS_KM = 1.5  # in a city; pages of the same code are at its very middle
# Round a house one walks; a third of the score is left at this distance.
_HOUSE_SCALE_KM, _STREET_RADIUS_KM = 1.0, 0.2
# What a page in the town counts whose own point is not near the street, next to one that is.
TOWN_OF_STREET = 0.1
# Points of pages that are exact enough to be measured from a street; others are those of towns and
# postal codes, and count this much.
EXACT_STRENGTH, ROUGH_WEIGHT = 0.885, 0.3
_REACH = 3.0  # scales beyond the edge that candidates are taken from: a twentieth is left there


@dataclass(frozen=True, slots=True)
class Target:
    """The place or point of a question."""

    relation: Relation  # in or near
    places: tuple[int, ...]  # the place, with districts that are no more than the city
    center: Point
    radius_km: float  # how far the place itself reaches
    scale_km: float  # at this distance from the edge a third of the score is left
    limit_km: float | None  # nothing further than this from the centre
    town: tuple[int, ...] = ()  # of a street; () for any other place or point
    is_small: bool = False  # who names it is there, or next to it: a square, a quarter

    def widened(self) -> Target:
        """The same with the pages of the town, behind those near the street."""
        return replace(self, places=self.town)

    def wheres(self, *, has_words: bool) -> list[Where]:
        """The ways to ask for candidates, from the surest to the one that has them all.

        Candidates come by their text score. Where there are no words all are alike, so those
        that name the place itself are asked for too.
        """
        if self.relation is Relation.IN:
            named = [] if has_words else [Where(self.places, field=PlaceField.DIRECT)]
            return [*named, Where(self.places, field=PlaceField.STRONG), Where(self.places)]
        where = Where(self.places, tuple(cover(self.center, self.reach_km)))
        return [where] if where.places or where.cells else []

    @property
    def reach_km(self) -> float:
        if self.limit_km is not None:
            return self.limit_km
        return self.radius_km + _REACH * self.scale_km


def make_target(
    interpretation: Interpretation, question: Question, gazetteer: Gazetteer
) -> Target | None:
    """The target of an interpretation; None when it has no place."""
    if not interpretation.relation or interpretation.point is None:
        return None
    limit_km = question.radius_km
    if interpretation.precision is Precision.POSTCODE:
        return Target(
            Relation.NEAR, (), interpretation.point, _POSTCODE_RADIUS_KM, _POSTCODE_RADIUS_KM,
            limit_km=None,
        )  # fmt: skip
    if interpretation.place is None:
        scale_km = _POINT_SCALE_KM if limit_km is None else limit_km / 2
        return Target(
            Relation.NEAR, (), interpretation.point, 0.0, max(scale_km, 0.1), limit_km=limit_km
        )
    area = NamedArea(interpretation.place, gazetteer)
    if interpretation.is_at_street:
        is_house = interpretation.precision is Precision.HOUSE
        return Target(
            Relation.NEAR, (), interpretation.point, 0.0 if is_house else _STREET_RADIUS_KM,
            _HOUSE_SCALE_KM, limit_km=None, town=tuple(sorted(area.place_ids)),
        )  # fmt: skip
    radius_km = estimate_radius_km(interpretation.place)
    scale_km = min(max(radius_km, _LEAST_SCALE_KM), _MOST_SCALE_KM)
    places = tuple(sorted(area.place_ids))
    return Target(
        interpretation.relation, places, interpretation.point, radius_km, scale_km, limit_km=None,
        is_small=interpretation.place.kind in _SMALL,
    )  # fmt: skip


def where_within(region: Region) -> Where | None:
    """The places and cells of a region: what is left out of it cannot be inside; None for all."""
    places = [id for area in region.areas for id in area.place_ids]
    cells: list[int] = []
    for area in region.areas:
        if isinstance(area, DrawnArea):
            cells += cover(*_circle_around(area))
    where = Where(tuple(places), tuple(dict.fromkeys(cells)), PlaceField.ABOUT)
    return where if where.places or where.cells else None


def drawn_areas(region: Region) -> list[DrawnArea]:
    return [area for area in region.areas if isinstance(area, DrawnArea)]


def region_places(region: Region) -> set[int]:
    return {id for area in region.areas if isinstance(area, NamedArea) for id in area.place_ids}


def _circle_around(area: DrawnArea) -> tuple[Point, float]:
    box = area.shape.bounding_box
    center = Point((box.south + box.north) / 2, box.west + ((box.east - box.west) % 360) / 2)
    center = Point(center.latitude, (center.longitude + 180) % 360 - 180)
    return center, max(distance_km(center, corner) for corner in _edge_points(area))


def _edge_points(area: DrawnArea) -> Iterable[Point]:
    box = area.shape.bounding_box
    middle = (box.south + box.north) / 2
    for latitude in (box.south, middle, box.north):
        yield Point(latitude, box.west)
        yield Point(latitude, box.east)
    if box.south <= 0 <= box.north:  # a box is widest on the equator
        yield Point(0.0, box.west)


_NUMBERS = re.compile(r"[-+\d.,;\s]+")
_ID = re.compile(r"id:(-?[0-9]{1,15})")  # a facet names its place so: names may be ambiguous


def read_within(text: str, gazetteer: Gazetteer) -> Region:
    """The region a text describes.

    Raises:
        RegionError: numbers or GeoJSON that cannot be read.
        UnknownPlaceError: no place of that name.
    """
    if text.lstrip().startswith("{") or _NUMBERS.fullmatch(text):
        return Region.parse(text, gazetteer)
    if by_id := _ID.fullmatch(text.strip()):
        return _place_of(int(by_id[1]), gazetteer)
    found = gazetteer.find(text.strip())
    others = tuple(candidate.place for candidate in found[1:])
    return Region((NamedArea(found[0].place, gazetteer, others),), gazetteer)


def _place_of(id: int, gazetteer: Gazetteer) -> Region:
    place = gazetteer.place(id)
    if place is None:
        raise UnknownPlaceError(f"id:{id}")
    return Region((NamedArea(place, gazetteer),), gazetteer)


_LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*")
_HOST = re.compile(
    r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*"
)
_SHOWN = 6  # languages in a note


@dataclass(frozen=True, slots=True)
class FilterTexts:
    """Filters as they are written; "" for none."""

    language: str = ""
    host: str = ""
    since: str = ""  # a day, or a time with its offset; without one it is in UTC
    before: str = ""
    dated_since: str = ""
    dated_before: str = ""
    evidence: str = ""


def read_filters(given: FilterTexts) -> PageFilters:
    """The filters that texts describe.

    Raises:
        UsageError: one of them cannot be read; the message says what would be right.
    """
    return PageFilters(
        language=_read_language(given.language),
        host=_read_host(given.host),
        since=_read_time("since", given.since),
        before=_read_time("before", given.before),
        dated_since=_read_time("dated-since", given.dated_since),
        dated_before=_read_time("dated-before", given.dated_before),
        evidence=_read_evidence(given.evidence),
    )


def note_on_language(filters: PageFilters, languages: Mapping[str, int]) -> str:
    """What to say of a language that no page has; "" where there is nothing to say."""
    code = re.split("[-_]", filters.language.lower())[0]
    if not code or code in languages:
        return ""
    known = sorted((c for c in languages if c), key=lambda c: (-languages[c], c))[:_SHOWN]
    return f"no page is in the language {code!r}; there are {', '.join(known) or 'none'}"


def _read_language(text: str) -> str:
    if text and not _LANGUAGE.fullmatch(text.strip()):
        raise UsageError(f"a language is a code such as 'de' or 'en', not {text!r}")
    return text.strip()


def _read_host(text: str) -> str:
    """The host of a name or URL.

    >>> _read_host("Museum.example"), _read_host("https://museum.example:8080/a")
    ('museum.example', 'museum.example')
    """
    given = text.strip().lower()
    try:
        host = (urlsplit(given).hostname or "") if "://" in given else given
    except ValueError:
        host = ""
    if given and not _HOST.fullmatch(host):
        raise UsageError(f"a host is a name such as 'www.museum.example', not {text!r}")
    return host


def _read_time(name: str, text: str) -> float | None:
    if not text.strip():
        return None
    try:
        time = datetime.fromisoformat(text.strip())
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{name} is a day such as 2026-01-31, not {text!r}") from error


def _read_evidence(text: str) -> Evidence | None:
    if not text.strip():
        return None
    try:
        return Evidence(text.strip().lower())
    except ValueError as error:
        kinds = ", ".join(Evidence)
        raise UsageError(f"evidence is one of {kinds}, not {text!r}") from error
