"""What the endpoints share: how they get at the site and a crawl, and how they respond."""

from __future__ import annotations

from typing import Annotated

import orjson
from fastapi import Depends, Query, Request, Response

from geoscout.web.problems import NotFoundError
from geoscout.web.site import ServedCrawl, Site
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import View
from geoscout_places.model import Place

LARGEST_ID = 2**53  # numbers beyond it are not the same in every client
PROBLEM: dict[str, object] = {
    "description": "what was wrong, in a sentence",
    "content": {"application/problem+json": {}},
}
PROBLEMS: dict[int | str, dict[str, object]] = {400: PROBLEM, 404: PROBLEM, 422: PROBLEM}


def as_json(value: object) -> Response:
    """A response; orjson is several times as fast as what FastAPI would do."""
    return Response(orjson.dumps(value, default=str), media_type="application/json")


async def site_of(request: Request) -> Site:
    """What is served; async, as `crawl_here`, because FastAPI runs plain functions in a thread."""
    site: Site = request.app.state.site
    return site


SiteHere = Annotated[Site, Depends(site_of)]


CrawlName = Annotated[str, Query(max_length=200, description="its name (default: the first)")]


def crawl_of(site: Site, crawl: str = "") -> ServedCrawl:
    """The crawl that was asked for."""
    try:
        return site.crawl(crawl)
    except UsageError as error:
        raise NotFoundError(str(error)) from error


async def crawl_here(site: SiteHere, crawl: CrawlName = "") -> ServedCrawl:
    return crawl_of(site, crawl)


CrawlHere = Annotated[ServedCrawl, Depends(crawl_here)]
Limit = Annotated[int, Query(ge=1, le=100)]
After = Annotated[str, Query(max_length=2000, description="the `last` of an earlier response")]


def place_or_complain(site: Site, id: int) -> Place:
    place = site.gazetteer.place(id)
    if place is None:
        raise NotFoundError(f"the gazetteer has no place {id}")
    return place


def read_view(text: str) -> View:
    """A box as `west,south,east,north`.

    Raises:
        UsageError: it is none.
    """
    parts = text.split(",")
    try:
        west, south, east, north = (float(part) for part in parts)
    except ValueError as error:
        raise UsageError(f"a box is west,south,east,north in degrees, not {text!r}") from error
    if not (-90 <= south <= north <= 90 and -180 <= west <= 180 and -180 <= east <= 180):
        raise UsageError(f"{text!r} is not a box on the globe: west,south,east,north in degrees")
    return View(west, south, east, north)
