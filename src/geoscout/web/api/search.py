"""Search: words and places, near, within, facets, paging; and exports of hits and of crawls."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from tempfile import SpooledTemporaryFile
from typing import Annotated, BinaryIO, Literal, cast

from msgspec import Meta, Struct, structs
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from geoscout.entries import EntryFiltersJson, EntryHits, EntryJson, FactJson
from geoscout.search.base import Answer, Question, SearchOffer
from geoscout.search.presenting import (
    FacetJson,
    HitJson,
    InterpretationJson,
    facet_json,
    hit_json,
    hits_source,
    interpretation_json,
)
from geoscout.search.target import FilterTexts, read_filters
from geoscout.store.export import (
    ExportFormat,
    ExportSource,
    crawl_source,
    format_names,
    load_format,
    read_since,
)
from geoscout.web.endpoints import Box, Endpoints, PlaceId, encode, read_view
from geoscout.web.site import ServedCrawl, Site
from geoscout.web.working import Work, run_for_client
from geoscout_places.codec import record_of
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Point

endpoints = Endpoints("/api", "search")
GEOJSON = "application/geo+json"
_AS_ASKED = ("radius_km", "limit", "offset", "model", "explain", "facets")
_FILTERS = tuple(field.name for field in fields(FilterTexts))
_IN_MEMORY = 8 * 1024 * 1024  # bytes; what is larger goes through a temporary file
_PIECE = 256 * 1024
_Day = Annotated[str, Meta(max_length=40)]


class QuestionQuery(Struct, frozen=True, kw_only=True):
    """A question as it stands in an address."""

    q: Annotated[str, Meta(max_length=1000, description='such as "pizza restaurant in Lisbon"')] = (
        ""
    )
    near: Annotated[
        str, Meta(max_length=60, description="lat,lon that the hits should be near to")
    ] = ""
    radius_km: Annotated[float, Meta(gt=0, le=20_000)] | None = None
    within: Annotated[
        str, Meta(max_length=12_000, description="a place, box, circle or GeoJSON")
    ] = ""
    bbox: Box = ""
    place: Annotated[
        PlaceId | None, Meta(description="id of the place meant; 0 for words only")
    ] = None
    language: Annotated[
        str, Meta(max_length=35, description="code of the language, such as de")
    ] = ""
    host: Annotated[str, Meta(max_length=300, description="a host, with all hosts below it")] = ""
    since: Annotated[_Day, Meta(description="fetched on this day or later: 2026-01-31")] = ""
    before: Annotated[_Day, Meta(description="fetched before this day")] = ""
    dated_since: Annotated[_Day, Meta(description="of this day or later, as it says")] = ""
    dated_before: Annotated[_Day, Meta(description="before this day, as it says")] = ""
    evidence: Annotated[
        Literal["", "address", "name", "markup"],
        Meta(description="how the page tells where it belongs"),
    ] = ""
    limit: Annotated[int, Meta(ge=1, le=100)] = 10
    offset: Annotated[int, Meta(ge=0, le=10_000)] = 0  # nobody reads on, and ranking costs
    model: Literal["bm25", "cosine"] = "bm25"
    explain: bool = False
    facets: bool = True


class SearchQuery(QuestionQuery, frozen=True, kw_only=True):
    """A question, and how its answer is to be written."""

    format: Annotated[
        Literal["json", "geojson"],
        Meta(description="geojson: a feature for each hit; so does `Accept: application/geo+json`"),
    ] = "json"
    entries: Annotated[
        bool, Meta(description="whether to look for entries of the directory, too")
    ] = True


class AnswerJson(Struct, frozen=True):
    """The hits for a query."""

    crawl: str
    reading: InterpretationJson  # clients know it under this key
    hits: list[HitJson]
    facets: list[FacetJson]
    total: int
    total_is_exact: bool
    has_more: bool
    offers: Sequence[SearchOffer]  # only where there are no hits
    languages: Mapping[str, int]  # of all pages of the crawl, by code; "" where unknown
    entries: list[EntryJson]  # of the directory that answer the query, the best few
    entries_total: int
    entries_filters: EntryFiltersJson  # of `/api/directory`, for all of them
    entries_notes: Sequence[str]  # what to know of them: how many do not say when they are open
    facts: Sequence[FactJson]  # hours, telephone, price …, where the query asks for them


@endpoints.get("/search", answers=AnswerJson, also={GEOJSON: {"type": "object"}})
async def search(request: Request, site: Site, crawl: ServedCrawl, asked: SearchQuery) -> Response:
    """Find pages; the answer says how the query was understood and what else it may mean."""
    if GEOJSON in request.headers.get("accept", ""):
        asked = structs.replace(asked, format="geojson")
    key = (crawl.name, crawl.index_state, crawl.directory_state, asked)
    answer = site.answers.get(key)
    if answer is None:
        found = await run_for_client(
            request, lambda work: _answer(site, crawl, asked, work), site.searching
        )
        answer, is_of_now = found
        if not is_of_now:
            site.answers.put(key, answer)
    kind = GEOJSON if asked.format == "geojson" else "application/json"
    return Response(answer, media_type=kind, headers={"vary": "accept"})


def _answer(site: Site, crawl: ServedCrawl, asked: SearchQuery, work: Work) -> tuple[bytes, bool]:
    """An answer, and whether another is right in a minute: of what is open now."""
    question = question_of(asked)
    answer = crawl.engine().answer(question, work.check)
    hits = crawl.entries_for(question, answer.interpretation) if asked.entries else EntryHits()
    found = answer_json(answer, hits, crawl.name, site.gazetteer)
    is_of_now = bool(answer.interpretation.open_at or hits.facts)
    return encode(_features(found) if asked.format == "geojson" else found), is_of_now


def answer_json(answer: Answer, entries: EntryHits, crawl: str, gazetteer: Gazetteer) -> AnswerJson:
    return record_of(
        AnswerJson,
        answer,
        crawl=crawl,
        reading=interpretation_json(answer.interpretation, gazetteer),
        hits=[hit_json(hit) for hit in answer.hits],
        facets=[facet_json(facet, gazetteer) for facet in answer.facets],
        entries=[entry.as_json() for entry in entries.entries],
        entries_total=entries.total,
        entries_filters=entries.filters,
        entries_notes=entries.notes,
        facts=entries.facts,
    )


def _features(answer: AnswerJson) -> dict[str, object]:
    """The hits of an answer as GeoJSON, one feature for each page, in its order."""
    return {
        "type": "FeatureCollection",
        "features": [_feature(hit) for hit in answer.hits],
        "crawl": answer.crawl,
        "total": answer.total,
        "total_is_exact": answer.total_is_exact,
        "has_more": answer.has_more,
    }


def _feature(hit: HitJson) -> dict[str, object]:
    """A hit; the geometry is null where nothing tells its point."""
    names = ("url", "title", "score", "language", "host", "fetched_at", "dated_at", "relevant")
    properties = {name: getattr(hit, name) for name in names}
    properties["snippet"] = hit.snippet.text
    properties["places"] = [place.label for place in hit.places]
    properties["precisions"] = [point.precision for point in hit.points]
    return {"type": "Feature", "geometry": _geometry(hit), "properties": properties}


def _geometry(hit: HitJson) -> dict[str, object] | None:
    """The points of a page, in the order of their precisions."""
    found = [[point.lon, point.lat] for point in hit.points]
    if len(found) == 1:
        return {"type": "Point", "coordinates": found[0]}
    return {"type": "MultiPoint", "coordinates": found} if found else None


def question_of(asked: QuestionQuery) -> Question:
    """What is asked, as the engine takes it."""
    within = asked.within
    if asked.bbox:
        within = ",".join(f"{degrees:.6f}" for degrees in read_view(asked.bbox))
    return Question(
        **{name: getattr(asked, name) for name in _AS_ASKED},
        text=asked.q.strip(),
        near=_read_point(asked.near) if asked.near else None,
        within=within,
        place_id=asked.place,
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


files = Endpoints("/api", "crawls")


class HitsQuery(QuestionQuery, frozen=True, kw_only=True):
    """A question as it stands in an address, and how its hits are to be written."""

    format: Annotated[
        str, Meta(extra_json_schema={"enum": ["csv", "geojson", "jsonl", "parquet"]})
    ] = "geojson"
    limit: Annotated[int, Meta(ge=1, le=10_000)] = 1000


class ExportQuery(Struct, frozen=True, kw_only=True):
    """What is to be exported, as it stands in an address."""

    what: Literal["pages", "addresses", "places", "links", "visits"] = "pages"
    format: Annotated[str, Meta(extra_json_schema={"enum": list(format_names())})] = "geojson"
    since: Annotated[
        _Day, Meta(description="only what is new since: 2026-03-01, or 2d for two days")
    ] = ""
    distinct: Annotated[bool, Meta(description="addresses: each once, with counts")] = False


@files.get("/export", threads="exporting")
def send_export(crawl: ServedCrawl, asked: ExportQuery, work: Work) -> StreamingResponse:
    """Pages, addresses, places, links or visits in any format that is installed."""
    written = load_format(asked.format)
    since = read_since(asked.since, time.time()) if asked.since else 0.0
    with crawl.open() as opened:
        source = crawl_source(opened.reader, asked.what, since, distinct=asked.distinct)
        return _sent(work, written, source, asked.what)


@files.get("/search/export", threads="exporting")
def send_hits(site: Site, crawl: ServedCrawl, asked: HitsQuery, work: Work) -> StreamingResponse:
    """The hits of a search as rows: GeoJSON, CSV, JSON lines or Parquet."""
    written = load_format(asked.format)
    question = replace(question_of(asked), facets=False)
    answer = crawl.engine().answer(question, work.check)
    return _sent(work, written, hits_source(answer, site.gazetteer, question.offset), "hits")


class _WantedFile(SpooledTemporaryFile[bytes]):
    """A file that is written as long as somebody waits for it."""

    def __init__(self, work: Work) -> None:
        super().__init__(_IN_MEMORY)
        self._work = work

    def write(self, piece: bytes) -> int:  # type: ignore[override]  # bytes are all we write
        self._work.check()
        return super().write(piece)

    def __del__(self) -> None:
        self.close()  # who asks for the head alone never reads it


def _sent(work: Work, written: ExportFormat, source: ExportSource, name: str) -> StreamingResponse:
    """A file that is written as a whole first: what fails then is an answer that says so."""
    file = _WantedFile(work)
    try:
        written.write(source, cast("BinaryIO", file))  # it has what is used
    except BaseException:
        file.close()
        raise
    file.seek(0)
    disposition = f'attachment; filename="{name}.{written.suffix}"'
    return StreamingResponse(
        _pieces(file), media_type=written.media_type, headers={"content-disposition": disposition}
    )


def _pieces(file: SpooledTemporaryFile[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece
