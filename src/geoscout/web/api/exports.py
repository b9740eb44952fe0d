"""What a crawl found, as a file for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import StreamingResponse

from geoscout.store.export import export as write_export
from geoscout.store.export import format_names, load_format
from geoscout.web.api.asking import PROBLEMS, CrawlHere, SiteHere
from geoscout.web.site import ServedCrawl
from geoscout.web.working import Work, run_for_client

router = APIRouter(prefix="/api", tags=["crawls"], responses=PROBLEMS)
_IN_MEMORY = 8 * 1024 * 1024  # bytes; what is larger goes through a temporary file
_PIECE = 256 * 1024
_FORMAT = Query(json_schema_extra={"enum": list(format_names())})


@router.get("/export", response_class=StreamingResponse)
async def send_export(
    request: Request,
    site: SiteHere,
    crawl: CrawlHere,
    what: Annotated[Literal["pages", "addresses", "links", "visits"], Query()] = "pages",
    format: Annotated[str, _FORMAT] = "geojson",
) -> StreamingResponse:
    """Pages, addresses, links or visits in any format that is installed."""
    written = load_format(format)
    file = await run_for_client(
        request, lambda work: _written(crawl, what, format, work), site.exporting
    )
    disposition = f'attachment; filename="{what}.{written.suffix}"'
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


def _written(crawl: ServedCrawl, what: str, format: str, work: Work) -> SpooledTemporaryFile[bytes]:
    file = _WantedFile(work)
    try:
        with crawl.open() as opened:
            write_export(opened.reader, what, format, file)  # type: ignore[arg-type]  # it has what is used
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def _pieces(file: SpooledTemporaryFile[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece
