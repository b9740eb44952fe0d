"""Search: words and places, near, within, facets, paging, explanations."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Literal

import orjson
from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from geoscout.search.base import Question
from geoscout.search.filters import FilterTexts, read_filters
from geoscout.web.api.asking import LARGEST_ID, PROBLEMS, SiteHere, crawl_of, read_view
from geoscout.web.hit_features import GEOJSON, hit_features
from geoscout.web.outward import AnswerJson, answer_json
from geoscout.web.site import ServedCrawl, Site
from geoscout.web.working import Work, run_for_client
from geoscout_places.errors import UsageError
from geoscout_places.model import Point

router = APIRouter(prefix="/api", tags=["search"], responses=PROBLEMS)
_FILTERS = tuple(field.name for field in fields(FilterTexts))
_MOST_HITS = 10_000  # that paging reaches: nobody reads on, and ranking them costs


class QuestionQuery(BaseModel):
    """A question as it stands in an address."""

    q: str = Field("", max_length=1000, description='such as "pizza restaurant in Lisbon"')
    crawl: str = Field("", max_length=200, description="name of the crawl (default: the first)")
    near: str = Field("", max_length=60, description="lat,lon that the hits should be near to")
    radius_km: float | None = Field(None, gt=0, le=20_000, allow_inf_nan=False)
    within: str = Field("", max_length=12_000, description="a place, box, circle or GeoJSON")
    bbox: str = Field("", max_length=120, description="west,south,east,north")
    place: int | None = Field(
        None, ge=-LARGEST_ID, le=LARGEST_ID, description="id of the place meant; 0 for words only"
    )
    language: str = Field("", max_length=35, description="code of the language, such as de")
    host: str = Field("", max_length=300, description="a host, with all hosts below it")
    since: str = Field("", max_length=40, description="fetched on this day or later: 2026-01-31")
    before: str = Field("", max_length=40, description="fetched before this day")
    dated_since: str = Field("", max_length=40, description="of this day or later, as it says")
    dated_before: str = Field("", max_length=40, description="before this day, as it says")
    evidence: Literal["", "address", "name", "markup"] = Field(
        "", description="how the page tells where it belongs"
    )
    limit: int = Field(10, ge=1, le=100)
    offset: int = Field(0, ge=0, le=_MOST_HITS)
    model: Literal["bm25", "cosine"] = "bm25"
    explain: bool = False
    facets: bool = True


class SearchQuery(QuestionQuery):
    """A question, and how its answer is to be written."""

    format: Literal["json", "geojson"] = Field(
        "json",
        description="geojson: a feature for each hit; so does `Accept: application/geo+json`",
    )
    entries: bool = Field(
        default=True, description="whether to look for entries of the directory, too"
    )


@router.get(
    "/search",
    response_model=AnswerJson,
    responses={200: {"content": {GEOJSON: {"schema": {"type": "object"}}}}},
)
async def search(
    request: Request, site: SiteHere, asked: Annotated[SearchQuery, Query()]
) -> Response:
    """Find pages; the answer says how the query was understood and what else it may mean."""
    crawl = crawl_of(site, asked.crawl)
    if GEOJSON in request.headers.get("accept", ""):
        asked = asked.model_copy(update={"format": "geojson"})
    key = (crawl.name, crawl.index_state, crawl.directory_state, asked.model_dump_json())
    answer = site.answers.get(key)
    if answer is None:
        answer = await run_for_client(
            request, lambda work: _answer(site, crawl, asked, work), site.searching
        )
        site.answers.put(key, answer)
    kind = GEOJSON if asked.format == "geojson" else "application/json"
    return Response(answer, media_type=kind, headers={"vary": "accept"})


def _answer(site: Site, crawl: ServedCrawl, asked: SearchQuery, work: Work) -> bytes:
    question = question_of(asked)
    answer = crawl.engine().answer(question, work.check)
    found = answer_json(answer, crawl.name, site.gazetteer)
    if asked.entries:
        hits = crawl.entries_for(question, answer.interpretation)
        found["entries"] = [entry.as_json() for entry in hits.entries]
        found["entries_total"] = hits.total
        found["entries_filters"] = hits.filters
    return orjson.dumps(hit_features(found) if asked.format == "geojson" else found)


def question_of(asked: QuestionQuery) -> Question:
    """What is asked, as the engine takes it."""
    within = asked.within
    if asked.bbox:
        within = ",".join(f"{degrees:.6f}" for degrees in read_view(asked.bbox))
    return Question(
        text=asked.q.strip(),
        near=_read_point(asked.near) if asked.near else None,
        radius_km=asked.radius_km,
        within=within,
        place_id=asked.place,
        limit=asked.limit,
        offset=asked.offset,
        model=asked.model,
        explain=asked.explain,
        facets=asked.facets,
        filters=read_filters(FilterTexts(**{name: getattr(asked, name) for name in _FILTERS})),
    )


def _read_point(text: str) -> Point:
    try:
        latitude, longitude = (float(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(
            f"near is lat,lon in degrees, such as 38.72,-9.14, not {text!r}"
        ) from error
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise UsageError(f"{text!r} is not a point on the globe: lat,lon in degrees")
    return Point(latitude, longitude)
