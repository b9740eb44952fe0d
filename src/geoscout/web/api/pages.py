"""One page: what is known of it, why it counts as being about its place, its links, its copy."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from geoscout.store.base import StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout.web.api.asking import PROBLEMS, CrawlHere, SiteHere, as_json
from geoscout.web.copies import show_copy
from geoscout.web.page_facts import PageJson, page_json
from geoscout.web.page_links import LinksJson, read_links
from geoscout.web.problems import NotFoundError
from geoscout.web.working import Work, run_for_client
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.urls import normalise

router = APIRouter(prefix="/api", tags=["pages"], responses={**PROBLEMS, 410: PROBLEMS[404]})
_LOOKING_SECONDS = 1.0  # for links from other pages
_Url = Annotated[str, Query(max_length=4000, description="the page's URL")]
_Visit = Annotated[int, Query(ge=0, le=2**53, description="or the number of the visit")]


@router.get("/page", response_model=PageJson)
async def page(
    request: Request, site: SiteHere, crawl: CrawlHere, url: _Url = "", n: _Visit = 0
) -> Response:
    """Everything known about a page, with its text and the places marked in it."""

    def read(_: Work) -> Response:
        with crawl.open() as opened:
            return as_json(page_json(crawl, opened.reader, _visit(opened.reader, url, n), site))

    return await run_for_client(request, read, site.reading)


@router.get("/links", response_model=LinksJson)
def links(crawl: CrawlHere, url: _Url = "", n: _Visit = 0) -> Response:
    """The links of a page with their scores and outcomes, and links to it that were found."""
    with crawl.open() as opened:
        until = time.monotonic() + _LOOKING_SECONDS
        return as_json(read_links(opened, _visit(opened.reader, url, n), until))


@router.get("/copy")
async def copy(
    request: Request, site: SiteHere, crawl: CrawlHere, url: _Url = "", n: _Visit = 0
) -> Response:
    """The archived copy of a page, for a sandboxed frame: nothing in it runs or loads."""

    def read(_: Work) -> Response:
        with crawl.open() as opened:
            try:
                return show_copy(opened.reader.response(_visit(opened.reader, url, n).n))
            except OSError as error:
                raise DamagedDataError(f"the archive cannot be read: {error}") from error

    return await run_for_client(request, read, site.reading)


def _visit(store: CrawlReader, url: str, n: int) -> StoredVisit:
    """The visit that was asked for; of a URL the last that was a page."""
    if n:
        visit = store.visit(n)
        if visit is None:
            raise NotFoundError(f"there is no visit {n} in this crawl")
        return visit
    wanted = normalise(url)
    if wanted is None:
        raise UsageError("url must be an http(s) URL, or n the number of a visit")
    visits = store.visits_of(wanted)
    if not visits:
        raise NotFoundError(f"this crawl has not fetched {wanted}")
    return next((visit for visit in reversed(visits) if visit.is_page), visits[-1])
