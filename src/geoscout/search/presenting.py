"""Answers for other programs: records of the API, JSON of `geoscout search --json`, export rows.

The records are those that the API answers with. The command prints them with other details, since
both have clients already: names of its own (`visit`, `has_address`), times as numbers, and null
for what is empty. `tests/unit/web/test_answers.py` names the keys that differ.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import lru_cache, partial
from typing import Any

from msgspec import Struct, structs, to_builtins

from geoscout.search.base import (
    Alternative,
    Answer,
    Explanation,
    Facet,
    Hit,
    HitPlace,
    Interpretation,
    Snippet,
)
from geoscout.search.grouping import LEVELS
from geoscout.search.related import Branch
from geoscout.store.export import ExportSource, Row, typed
from geoscout.store.records import date_text
from geoscout_places.codec import record_of
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Place, Point, point_as_json

Json = dict[str, Any]
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
    asks: list[str]  # facts asked for: hours, phone, price …; no page answers weather and route
    preferred: list[str]  # words that pages need not have: "best", "opening"
    open_at: str  # now, today or a day ("Su") at which it must be open
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
    explanation: Explanation | None


class FacetJson(Struct, frozen=True):
    """A place and how many of the pages that fit belong to it."""

    id: int
    name: str
    kind: str
    parent: int
    path: Sequence[int]
    pages: int


@lru_cache(_PLACES_REMEMBERED)
def place_json(place: Place, gazetteer: Gazetteer) -> PlaceJson:
    label, path = gazetteer.label(place), gazetteer.path(place)
    return record_of(PlaceJson, place, label=label, path=path, **point_as_json(place.point))


class NodeJson(Struct, frozen=True):
    """A place of the hierarchy, with the pages that belong to it or to what lies in it."""

    place: PlaceJson
    pages: int


class BranchJson(Struct, frozen=True):
    """A place with what is above and right below it."""

    place: PlaceJson | None  # null at the top, above the continents
    pages: int
    above: list[NodeJson]
    children: list[NodeJson]


def branch_json(branch: Branch, gazetteer: Gazetteer) -> BranchJson:
    """A part of the hierarchy, as the API and the command give it."""

    def node(found: tuple[Place, int]) -> NodeJson:
        return NodeJson(place_json(found[0], gazetteer), found[1])

    return BranchJson(
        place_json(branch.place, gazetteer) if branch.place else None,
        branch.pages,
        list(map(node, branch.above)),
        list(map(node, branch.children)),
    )


def _point(point: Point) -> PointJson:
    return PointJson(point.latitude, point.longitude)


def interpretation_json(read: Interpretation, gazetteer: Gazetteer) -> InterpretationJson:
    return record_of(
        InterpretationJson,
        read,
        place=place_json(read.place, gazetteer) if read.place else None,
        point=_point(read.point) if read.point else None,
        explicit=read.is_explicit,
        alternatives=[_alternative(other, gazetteer) for other in read.alternatives],
    )


def _alternative(other: Alternative, gazetteer: Gazetteer) -> AlternativeJson:
    place = place_json(other.place, gazetteer) if other.place else None
    return AlternativeJson(other.label, place, other.pages)


def hit_json(hit: Hit) -> HitJson:
    return record_of(
        HitJson,
        hit,
        title=hit.title[:LONGEST_TITLE],
        score=round(hit.score, 6),
        places=[_hit_place(found) for found in hit.places],
        points=[
            HitPointJson(at.point.latitude, at.point.longitude, at.precision, at.reach_km)
            for at in hit.points
        ],
        fetched_at=date_text(hit.fetched_at),
        dated_at=date_text(hit.dated_at) if hit.dated_at else None,
        n=hit.visit,
        explanation=_rounded(hit.explanation) if hit.explanation else None,
    )


def _hit_place(found: HitPlace) -> HitPlaceJson:
    return record_of(
        HitPlaceJson,
        found.place,
        label=found.label,
        **point_as_json(found.place.point),
        share=round(found.share, 4),
        address=found.has_address,
        synset=found.synset or None,
    )


def _rounded(explanation: Explanation) -> Explanation:
    names = ("text", "text_score", "place", "place_weight", "fit")
    return replace(explanation, **{name: round(getattr(explanation, name), 4) for name in names})


def facet_json(facet: Facet, gazetteer: Gazetteer) -> FacetJson:
    path = _ids_above(facet.place, gazetteer)
    return record_of(FacetJson, facet.place, path=path, pages=facet.pages)


@lru_cache(_PLACES_REMEMBERED)
def _ids_above(place: Place, gazetteer: Gazetteer) -> tuple[int, ...]:
    return tuple(above.id for above in reversed(gazetteer.ancestors(place)))


def answer_as_json(answer: Answer, gazetteer: Gazetteer) -> Json:
    """An answer as the command prints it; the marks of snippets are offsets in code points."""
    return {
        "reading": _printed_reading(answer.interpretation, gazetteer),
        "total": answer.total,
        "total_is_exact": answer.total_is_exact,
        "has_more": answer.has_more,
        "hits": [_printed_hit(hit, gazetteer) for hit in answer.hits],
        "facets": _by_level(answer.facets),
        "offers": [
            {("query" if key == "q" else key): value for key, value in offer.items()}
            for offer in to_builtins(answer.offers)
        ],
        "languages": dict(answer.languages),
    }


_READING = (
    "words relation place point name corrected kind street precision asks_here"
    " asks preferred open_at alternatives notes"
).split()
_NULLED = {"relation", "name", "corrected", "kind", "street", "open_at"}  # where they are empty


def _printed_reading(read: Interpretation, gazetteer: Gazetteer) -> Json:
    """How a question was understood; `place` is null where none was meant or a point was given."""
    known = to_builtins(interpretation_json(read, gazetteer))
    printed: Json = {key: known[key] or None if key in _NULLED else known[key] for key in _READING}
    printed["place"] = _printed_place(read, gazetteer) or None
    for row, other in zip(printed["alternatives"], read.alternatives, strict=True):
        row["place"] = _printed_place(other, gazetteer) or None
    return printed


def _printed_hit(hit: Hit, gazetteer: Gazetteer) -> Json:
    known = to_builtins(hit_json(hit))
    printed = {("visit" if key == "n" else key): value for key, value in known.items()}
    places = zip(hit.places, known["places"], strict=True)
    printed |= {
        "title": hit.title,
        "places": [
            {
                **_printed_place(found, gazetteer),
                "share": row["share"],
                "has_address": row["address"],
                "synset": row["synset"],
            }
            for found, row in places
        ],
        "language": hit.language or None,
        "fetched_at": hit.fetched_at,
        "dated_at": hit.dated_at or None,
    }
    if hit.explanation is None:
        del printed["explanation"]
    else:
        printed["explanation"] = asdict(hit.explanation)
    return printed


def _printed_place(of: Interpretation | Alternative | HitPlace, gazetteer: Gazetteer) -> Json:
    """A place under the label that it has there; nothing where there is none."""
    if of.place is None:
        return {}
    row = structs.asdict(place_json(of.place, gazetteer))
    del row["parent"]
    above = [ancestor.name for ancestor in reversed(gazetteer.ancestors(of.place))]
    return {**row, "label": of.label, "path": [*above, of.place.name]}


def _by_level(facets: tuple[Facet, ...]) -> dict[str, list[Json]]:
    """The facets by level, from the broad to the narrow."""
    names = ("id", "name", "country", "parent")
    return {
        level: [
            {**{name: getattr(facet.place, name) for name in names}, "pages": facet.pages}
            for facet in facets
            if facet.place.kind is level
        ]
        for level in LEVELS
    }


_COLUMNS = typed(
    "rank:int64 n:int64 url title score:float64 language relevant:bool fetched_at:time place"
    " path:list<string> country lat:float64 lon:float64 precision snippet"
)


def hits_source(answer: Answer, gazetteer: Gazetteer, offset: int = 0) -> ExportSource:
    """The hits of an answer to be exported; `offset` is how many come before them."""
    return ExportSource("hits", _COLUMNS, partial(hit_rows, answer.hits, gazetteer, offset))


def hit_rows(hits: Sequence[Hit], gazetteer: Gazetteer, offset: int = 0) -> Iterator[Row]:
    """A row for each hit: its best point, and the place that most of the page is about."""
    for rank, hit in enumerate(hits, offset + 1):
        main = hit.places[0].place if hit.places else None
        point, precision = _where(hit)
        yield {
            "rank": rank,
            "n": hit.visit,
            "url": hit.url,
            "title": hit.title,
            "score": round(hit.score, 6),
            "language": hit.language,
            "relevant": hit.relevant,
            "fetched_at": date_text(hit.fetched_at),
            "place": main.name if main else None,
            "path": list(gazetteer.path(main)) if main else None,
            "country": main.country if main else None,
            "lat": point and point.latitude,
            "lon": point and point.longitude,
            "precision": precision,
            "snippet": hit.snippet.text,
        }


def _where(hit: Hit) -> tuple[Point | None, str | None]:
    """The surest point of a hit, else that of its place."""
    if hit.points:
        return hit.points[0].point, str(hit.points[0].precision)
    if hit.places:
        return hit.places[0].place.point, str(hit.places[0].place.precision)
    return None, None
