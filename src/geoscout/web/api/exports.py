"""What a crawl found, as a file for other programs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import Annotated, BinaryIO, Literal, cast

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import StreamingResponse

from geoscout.search.hit_rows import hits_source
from geoscout.store.export import crawl_source, format_names, load_format, read_since
from geoscout.store.export_rows import Selection
from geoscout.web.api.asking import PROBLEMS, SiteHere, crawl_of
from geoscout.web.api.search import QuestionQuery, question_of
from geoscout.web.site import ServedCrawl, Site
from geoscout.web.working import Work, run_for_client

router = APIRouter(prefix="/api", tags=["crawls"], responses=PROBLEMS)
_IN_MEMORY = 8 * 1024 * 1024  # bytes; what is larger goes through a temporary file
_PIECE = 256 * 1024


class ExportQuery(BaseModel):
    """What is to be exported, as it stands in an address."""

    crawl: str = Field("", max_length=200, description="name of the crawl (default: the first)")
    what: Literal["pages", "addresses", "places", "links", "visits"] = "pages"
    format: str = Field("geojson", json_schema_extra={"enum": list(format_names())})
    since: str = Field(
        "", max_length=40, description="only what is new since: 2026-03-01, or 2d for two days"
    )
    distinct: bool = Field(default=False, description="addresses: each once, with counts")


@router.get("/export", response_class=StreamingResponse)
async def send_export(
    request: Request, site: SiteHere, asked: Annotated[ExportQuery, Query()]
) -> StreamingResponse:
    """Pages, addresses, places, links or visits in any format that is installed."""
    crawl, written = crawl_of(site, asked.crawl), load_format(asked.format)
    file = await run_for_client(request, lambda work: _written(crawl, asked, work), site.exporting)
    disposition = f'attachment; filename="{asked.what}.{written.suffix}"'
    return StreamingResponse(
        _pieces(file), media_type=written.media_type, headers={"content-disposition": disposition}
    )


class HitsQuery(QuestionQuery):
    """A question as it stands in an address, and how its hits are to be written."""

    format: str = Field(
        "geojson", json_schema_extra={"enum": ["csv", "geojson", "jsonl", "parquet"]}
    )
    limit: int = Field(1000, ge=1, le=10_000)


@router.get("/search/export", response_class=StreamingResponse)
async def send_hits(
    request: Request, site: SiteHere, asked: Annotated[HitsQuery, Query()]
) -> StreamingResponse:
    """The hits of a search as rows: GeoJSON, CSV, JSON lines or Parquet."""
    crawl, written = crawl_of(site, asked.crawl), load_format(asked.format)
    file = await run_for_client(
        request, lambda work: _written_hits(crawl, asked, site, work), site.exporting
    )
    disposition = f'attachment; filename="hits.{written.suffix}"'
    return StreamingResponse(
        _pieces(file), media_type=written.media_type, headers={"content-disposition": disposition}
    )


class _WantedFile(SpooledTemporaryFile[bytes]):
    """A file that is written as long as somebody waits for it."""

    def __init__(self, work: Work) -> None:
        super().__init__(_IN_MEMORY)
        self._work = work

    def write(self, piece: bytes) -> int:  # type: ignore[override]  # bytes are all we write
        self._work.check()
        return super().write(piece)


def _written(crawl: ServedCrawl, asked: ExportQuery, work: Work) -> SpooledTemporaryFile[bytes]:
    since = read_since(asked.since, time.time()) if asked.since else 0.0
    selection = Selection(since, asked.distinct)
    with crawl.open() as opened:
        source = crawl_source(opened.reader, asked.what, selection)
        return _filled(work, partial(load_format(asked.format).write, source))


def _written_hits(
    crawl: ServedCrawl, asked: HitsQuery, site: Site, work: Work
) -> SpooledTemporaryFile[bytes]:
    question = replace(question_of(asked), facets=False)
    answer = crawl.engine().answer(question, work.check)
    source = hits_source(answer, site.gazetteer, question.offset)
    return _filled(work, partial(load_format(asked.format).write, source))


def _filled(work: Work, write: Callable[[BinaryIO], None]) -> SpooledTemporaryFile[bytes]:
    """A file that something was written to, from its beginning."""
    file = _WantedFile(work)
    try:
        write(cast("BinaryIO", file))  # it has what is used
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def _pieces(file: SpooledTemporaryFile[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece
