"""Answers as plain data: JSON as `geoscout search --json` prints it, and rows for exports.

The API has a form of its own, `web/outward.py`, since both have clients already. They differ in
few keys, which `tests/unit/web/test_outward.py` names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from msgspec import structs

from geoscout.search.base import Answer, Facet, Hit, HitPlace, HitPoint, Interpretation
from geoscout.search.grouping import LEVELS
from geoscout.store.export import ExportSource, Row, typed
from geoscout.store.records import date_text
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Place, Point

Json = dict[str, Any]


def answer_as_json(answer: Answer, gazetteer: Gazetteer) -> Json:
    """An answer for JSON."""
    return {
        "reading": interpretation_as_json(answer.interpretation, gazetteer),
        "total": answer.total,
        "total_is_exact": answer.total_is_exact,
        "has_more": answer.has_more,
        "hits": [hit_as_json(hit, gazetteer) for hit in answer.hits],
        "facets": _facets(answer.facets),
        "offers": [
            {
                "query": offer.text,
                "place": offer.place_id,
                "pages": offer.pages,
                "keeps_filters": offer.keeps_filters,
            }
            for offer in answer.offers
        ],
        "languages": dict(answer.languages),
    }


def interpretation_as_json(interpretation: Interpretation, gazetteer: Gazetteer) -> Json:
    """How a question was understood; `place` is null where none was meant or a point was given."""
    return {
        "words": list(interpretation.words),
        "relation": interpretation.relation or None,
        "place": _place(interpretation.place, interpretation.label, gazetteer)
        if interpretation.place
        else None,
        "point": _point(interpretation.point) if interpretation.point else None,
        "name": interpretation.name or None,
        "corrected": interpretation.corrected or None,
        "kind": interpretation.kind or None,
        "street": interpretation.street or None,
        "precision": interpretation.precision,
        "asks_here": interpretation.asks_here,
        "alternatives": [
            {
                "label": other.label,
                "place": _place(other.place, other.label, gazetteer) if other.place else None,
                "pages": other.pages,
            }
            for other in interpretation.alternatives
        ],
        "notes": list(interpretation.notes),
    }


def hit_as_json(hit: Hit, gazetteer: Gazetteer) -> Json:
    """One hit for JSON; the marks of the snippet are offsets in code points."""
    row: Json = {
        "url": hit.url,
        "title": hit.title,
        "score": round(hit.score, 6),
        "snippet": {
            "text": hit.snippet.text,
            "highlights": [structs.asdict(mark) for mark in hit.snippet.highlights],
        },
        "places": [_hit_place(place, gazetteer) for place in hit.places],
        "points": [_hit_point(found) for found in hit.points],
        "language": hit.language or None,
        "fetched_at": hit.fetched_at,
        "dated_at": hit.dated_at or None,
        "host": hit.host,
        "visit": hit.visit,
        "relevant": hit.relevant,
        "similar": list(hit.similar),
        "more_of_host": hit.more_of_host,
    }
    if hit.explanation is not None:
        row["explanation"] = asdict(hit.explanation)
    return row


def _hit_point(found: HitPoint) -> Json:
    return {**_point(found.point), "precision": found.precision, "reach_km": found.reach_km}


def _hit_place(found: HitPlace, gazetteer: Gazetteer) -> Json:
    place = _place(found.place, found.label, gazetteer)
    more = {"has_address": found.has_address, "synset": found.synset or None}
    return {**place, "share": round(found.share, 4), **more}


def _place(place: Place, label: str, gazetteer: Gazetteer) -> Json:
    above = [ancestor.name for ancestor in reversed(gazetteer.ancestors(place))]
    return {
        "id": place.id,
        "name": place.name,
        "label": label,
        "kind": place.kind,
        "country": place.country,
        "path": [*above, place.name],
        "lat": place.point.latitude,
        "lon": place.point.longitude,
        "population": place.population,
    }


def _point(point: Point) -> Json:
    return {"lat": point.latitude, "lon": point.longitude}


def _facets(facets: tuple[Facet, ...]) -> dict[str, list[Json]]:
    """The facets by level, from the broad to the narrow."""
    return {
        level: [
            {
                "id": facet.place.id,
                "name": facet.place.name,
                "country": facet.place.country,
                "parent": facet.place.parent,
                "pages": facet.pages,
            }
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
