"""Places and answers as the API has them: records whose names are those of the JSON.

The commands have a form of their own, `search/presenting.py`, since both have clients already. They
differ in few keys, which `tests/unit/web/test_outward.py` names: the API calls the visit of a hit
`n` and gives times as text, and its facets are one list.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct, convert

from geoscout.entries import EntryFiltersJson, EntryJson
from geoscout.search.base import (
    Alternative,
    Answer,
    Explanation,
    Facet,
    Hit,
    HitPlace,
    HitPoint,
    Interpretation,
    Snippet,
)
from geoscout.store.records import date_text
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Place, Point

_PLACES_REMEMBERED = 20_000  # an answer names 30, and most were named before
LONGEST_TITLE = 300  # letters; a hostile page may have a title of megabytes


class PlaceJson(Struct, frozen=True):
    """A place of the gazetteer."""

    id: int
    name: str
    label: str
    kind: str
    country: str
    path: list[str]
    lat: float
    lon: float
    population: int
    parent: int


class PointJson(Struct, frozen=True):
    """A point on the globe."""

    lat: float
    lon: float


class HitPointJson(PointJson, frozen=True):
    """Where a hit is on the map."""

    precision: str  # house, street, postcode, town or region
    reach_km: float  # how far from the point it may really be


class AlternativeJson(Struct, frozen=True):
    """Another interpretation of a query."""

    label: str
    place: PlaceJson | None
    pages: int


class InterpretationJson(Struct, frozen=True):
    """How a query was understood."""

    words: list[str]
    relation: str
    place: PlaceJson | None
    label: str
    name: str
    point: PointJson | None
    explicit: bool
    corrected: str
    kind: str  # of place that words name, where pages about such places were added
    street: str  # with its house number; the place is its town
    # Of the point, where the query has a street or postal code: house, street, postcode or town
    precision: str | None
    asks_here: bool  # the query says "near me"
    alternatives: list[AlternativeJson]
    notes: list[str]


class HitPlaceJson(Struct, frozen=True):
    """A place a hit belongs to."""

    id: int
    name: str
    label: str
    lat: float
    lon: float
    share: float
    address: bool
    synset: str | None  # of GeoWordNet


class ExplanationJson(Struct, frozen=True):
    """How a score came about."""

    text: float
    text_score: float
    place: float
    place_weight: float
    reason: str
    distance_km: float | None
    reach_km: float | None  # by how much the distance may be wrong
    kind: str
    fit: float  # what another language, a long list and foreign sites leave; 0 to 1


class HitJson(Struct, frozen=True):
    """A page that answers a query."""

    url: str
    title: str
    score: float
    snippet: Snippet
    places: list[HitPlaceJson]
    points: list[HitPointJson]
    language: str
    fetched_at: str
    dated_at: str | None  # when the page was changed, as it says
    host: str  # as the parameter `host` takes it
    n: int
    relevant: bool
    similar: list[str]
    more_of_host: int  # pages of the host that come further down
    explanation: ExplanationJson | None


class FacetJson(Struct, frozen=True):
    """A place and how many of the pages that fit belong to it."""

    id: int
    name: str
    kind: str
    parent: int
    path: Sequence[int]
    pages: int


class OfferJson(Struct, frozen=True, rename={"text": "q", "place_id": "place"}):
    """A query that has hits, in place of one that has none."""

    text: str
    place_id: int | None  # 0 for words only
    pages: int
    keeps_filters: bool  # false: the same query without language, host, times and evidence


class AnswerJson(Struct, frozen=True):
    """The hits for a query."""

    crawl: str
    reading: InterpretationJson  # clients know it under this key
    hits: list[HitJson]
    facets: list[FacetJson]
    total: int
    total_is_exact: bool
    has_more: bool
    offers: list[OfferJson]  # only where there are no hits
    languages: dict[str, int]  # of all pages of the crawl, by code; "" where unknown
    entries: list[EntryJson]  # of the directory that answer the query, the best few
    entries_total: int
    entries_filters: EntryFiltersJson  # of `/api/directory`, for all of them


@lru_cache(_PLACES_REMEMBERED)
def place_json(place: Place, gazetteer: Gazetteer) -> PlaceJson:
    return PlaceJson(
        id=place.id,
        name=place.name,
        label=gazetteer.label(place),
        kind=place.kind,
        country=place.country,
        path=gazetteer.path(place),
        lat=place.point.latitude,
        lon=place.point.longitude,
        population=place.population,
        parent=place.parent,
    )


def point_json(point: Point) -> PointJson:
    return PointJson(point.latitude, point.longitude)


def answer_json(answer: Answer, crawl: str, gazetteer: Gazetteer) -> AnswerJson:
    """An answer without entries of the directory."""
    return AnswerJson(
        crawl=crawl,
        reading=interpretation_json(answer.interpretation, gazetteer),
        hits=[_hit(hit) for hit in answer.hits],
        facets=[facet_json(facet, gazetteer) for facet in answer.facets],
        total=answer.total,
        total_is_exact=answer.total_is_exact,
        has_more=answer.has_more,
        offers=convert(answer.offers, list[OfferJson], from_attributes=True),
        languages=dict(answer.languages),
        entries=[],
        entries_total=0,
        entries_filters={"text": "", "category": "", "within": ""},
    )


def interpretation_json(interpretation: Interpretation, gazetteer: Gazetteer) -> InterpretationJson:
    place, point = interpretation.place, interpretation.point
    return InterpretationJson(
        words=list(interpretation.words),
        relation=interpretation.relation,
        place=place_json(place, gazetteer) if place else None,
        label=interpretation.label,
        name=interpretation.name,
        point=point_json(point) if point else None,
        explicit=interpretation.is_explicit,
        corrected=interpretation.corrected,
        kind=interpretation.kind,
        street=interpretation.street,
        precision=interpretation.precision,
        asks_here=interpretation.asks_here,
        alternatives=[_alternative(other, gazetteer) for other in interpretation.alternatives],
        notes=list(interpretation.notes),
    )


def _alternative(other: Alternative, gazetteer: Gazetteer) -> AlternativeJson:
    place = place_json(other.place, gazetteer) if other.place else None
    return AlternativeJson(other.label, place, other.pages)


def _hit(hit: Hit) -> HitJson:
    return HitJson(
        url=hit.url,
        title=hit.title[:LONGEST_TITLE],
        score=round(hit.score, 6),
        snippet=hit.snippet,
        places=[_hit_place(place) for place in hit.places],
        points=[_hit_point(found) for found in hit.points],
        language=hit.language,
        fetched_at=date_text(hit.fetched_at),
        dated_at=date_text(hit.dated_at) if hit.dated_at else None,
        host=hit.host,
        n=hit.visit,
        relevant=hit.relevant,
        similar=list(hit.similar),
        more_of_host=hit.more_of_host,
        explanation=_explanation(hit.explanation) if hit.explanation else None,
    )


def _hit_point(found: HitPoint) -> HitPointJson:
    point = found.point
    return HitPointJson(point.latitude, point.longitude, found.precision, found.reach_km)


def _hit_place(found: HitPlace) -> HitPlaceJson:
    point = found.place.point
    return HitPlaceJson(
        id=found.place.id,
        name=found.place.name,
        label=found.label,
        lat=point.latitude,
        lon=point.longitude,
        share=round(found.share, 4),
        address=found.has_address,
        synset=found.synset or None,
    )


def _explanation(explanation: Explanation) -> ExplanationJson:
    return ExplanationJson(
        text=round(explanation.text, 4),
        text_score=round(explanation.text_score, 4),
        place=round(explanation.place, 4),
        place_weight=round(explanation.place_weight, 4),
        reason=explanation.reason,
        distance_km=explanation.distance_km,
        reach_km=explanation.reach_km,
        kind=explanation.kind,
        fit=round(explanation.fit, 4),
    )


def facet_json(facet: Facet, gazetteer: Gazetteer) -> FacetJson:
    place = facet.place
    return FacetJson(
        id=place.id,
        name=place.name,
        kind=place.kind,
        parent=place.parent,
        path=_ids_above(place, gazetteer),
        pages=facet.pages,
    )


@lru_cache(_PLACES_REMEMBERED)
def _ids_above(place: Place, gazetteer: Gazetteer) -> tuple[int, ...]:
    return tuple(above.id for above in reversed(gazetteer.ancestors(place)))
